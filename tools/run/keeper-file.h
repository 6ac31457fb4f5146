/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The path and settings of the run file. This is the keeper's own copy, because the keeper outlives the session. Plain
 * C. */

#include <stdbool.h>

typedef struct
{
  char path[4096]; /* path of the run file; empty if no file exists, or if the session has announced or removed it */
  char note[512];  /* message that is printed at the end, and says where the run is kept */
  bool is_scratch; /* the file must be removed at the end */
} KeeperFile;

/* Sets the run file. If @path is NULL or too long, there is no run file. */
void keeper_file_set (KeeperFile *self, const char *path, const char *note, bool is_scratch);
/* Prints the note, which says where the run is kept. If the file is scratch, or if nothing was measured, removes the
 * file instead. If the session has already announced or removed the file, does nothing. */
void keeper_file_end (KeeperFile *self, bool measured);
/* Removes a run file, and the auxiliary files (-wal and -shm) that exist as long as rows are written to it. */
void keeper_file_remove (const char *path);
