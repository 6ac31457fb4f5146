/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The file in which the run is kept, as far as the keeper has to do with it: it outlives the session. Plain C. */

#include <stdbool.h>

typedef struct
{
  char path[4096]; /* empty: there is none, or the session has done what there was to do */
  char note[512];  /* what to say about it at the end */
  bool is_scratch; /* nobody wants it afterwards */
} KeeperFile;

/* Forgets about it if @path is NULL or too long. */
void keeper_file_set (KeeperFile *self, const char *path, const char *note, bool is_scratch);
/* Says where the run is, or removes it if nobody wants it or nothing was measured. After a session that did not. */
void keeper_file_end (KeeperFile *self, bool measured);
/* Removes a run file and what belongs to it while it grows. */
void keeper_file_remove (const char *path);
