/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The keeper's view of the run file. The keeper outlives the session. Plain C. */

#include <stdbool.h>

typedef struct
{
  char path[4096]; /* empty: there is no file, or the session has dealt with it */
  char note[512];  /* message about the file to print at the end */
  bool is_scratch; /* the file is to be removed at the end */
} KeeperFile;

/* Sets the run file. Forgets it if @path is NULL or too long. */
void keeper_file_set (KeeperFile *self, const char *path, const char *note, bool is_scratch);
/* Prints where the run is, or removes the file if it is scratch or nothing was measured. Does nothing if the session
 * already did this. */
void keeper_file_end (KeeperFile *self, bool measured);
/* Removes a run file and the auxiliary files that exist while it grows. */
void keeper_file_remove (const char *path);
