/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The copy that the keeper has of the run file's path and settings, because the keeper outlives the session. Plain
 * C. */

#include <stdbool.h>

typedef struct
{
  char path[4096]; /* path of the run file; empty: no file exists, or the session has announced or removed it */
  char note[512];  /* message to print at the end; it says where the run is kept */
  bool is_scratch; /* remove the file at the end */
} KeeperFile;

/* Sets the run file. Clears the path if @path is NULL or too long. */
void keeper_file_set (KeeperFile *self, const char *path, const char *note, bool is_scratch);
/* Prints the note that says where the run is kept. Removes the file instead if it is scratch or if nothing was
 * measured. Does nothing if the session has already announced or removed the file. */
void keeper_file_end (KeeperFile *self, bool measured);
/* Removes a run file and its auxiliary files (-wal and -shm), which exist while the run file grows. */
void keeper_file_remove (const char *path);
