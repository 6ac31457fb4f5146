/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The files in a directory of runs. A name such as 20261122-201600-a1b2.roast consists of the time in UTC and an ID,
 * so alphabetical order is the order of time. */

#define ROAST_RUNS_FILES_SUFFIX ".roast"
/* Offset of the ID, and length of a name without the suffix. */
#define ROAST_RUNS_FILES_ID 16
#define ROAST_RUNS_FILES_STEM 20

gboolean roast_runs_files_is_name (const char *name);
/* Return the names of the runs, the oldest first; an empty array if the directory does not exist. */
GPtrArray *roast_runs_files_list (const char *directory, GError **error);
/* Remove a run and its companions. Return FALSE with errno. */
gboolean roast_runs_files_remove (const char *path);
/* Remove stale companions before a run gets this name: SQLite would read the companions of a removed run into a new
 * run. Return FALSE with errno. */
gboolean roast_runs_files_remove_companions (const char *path);
/* ---- locks, held as descriptors: closing the descriptor or the death of the process unlocks ---- */

/* Lock the directory, since only one process at a time may add and remove runs. Return -1 with an error if another
 * process holds the lock too long. */
int roast_runs_lock_directory (const char *directory, GError **error);

/* Create the lock of a run that is being written: a file beside the run. The caller of the lock functions below
 * holds the lock of the directory. Return -1 if the run's name is taken. */
int roast_runs_lock_run (const char *path, GError **error);
void roast_runs_unlock_run (const char *path, int lock);
/* Mark the run as temporary. If a killed process leaves the lock behind, the run file is removed with it once the
 * process @owner is gone, too. */
void roast_runs_lock_mark (int lock, pid_t owner);
/* Return whether a process writes the run. Remove a lock that a killed process left. */
gboolean roast_runs_is_locked (const char *path);

/* Remove the oldest runs until the rest, plus @room more, are within the limits. The caller holds the lock of the
 * directory. */
void roast_runs_files_prune (const char *directory, guint max_runs, guint64 max_size, guint room);

G_END_DECLS
