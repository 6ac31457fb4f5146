/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* The files in a directory of runs. A name such as 20261122-201600-a1b2.roast consists of the time in UTC and an ID, so
 * names in alphabetical order are in the order of time. */

#define ROAST_RUNS_FILES_SUFFIX ".roast"
/* Offset of the ID in a name, and length of a name without the suffix. */
#define ROAST_RUNS_FILES_ID 16
#define ROAST_RUNS_FILES_STEM 20

gboolean roast_runs_files_is_name (const char *name);
/* Return the names of the run files, the oldest first. The array is empty if the directory does not exist. */
GPtrArray *roast_runs_files_list (const char *directory, GError **error);
/* Remove a run file and its companions -wal and -shm. Return FALSE with errno. */
gboolean roast_runs_files_remove (const char *path);
/* Remove the companions -wal and -shm of a run that was removed. Call this function before a new run gets the same
 * name, because SQLite would read the old companions as data of the new run. Return FALSE with errno. */
gboolean roast_runs_files_remove_companions (const char *path);
/* ---- locks: a lock is held until its descriptor is closed or the process dies ---- */

/* Lock the directory, because only one process at a time may add and remove runs. Return the descriptor of the lock.
 * Return -1 with an error if another process does not release the lock in time. */
int roast_runs_lock_directory (const char *directory, GError **error);

/* Create the lock of a run that is being written: a file beside the run file. Return the descriptor of the lock, or -1
 * if the run's name is taken. Callers of this function and of the functions below hold the lock of the directory. */
int roast_runs_lock_run (const char *path, GError **error);
void roast_runs_unlock_run (const char *path, int lock);
/* Mark the run as temporary. If this process is killed, its lock file stays. A later process removes the lock file and
 * the run file when the process @owner has also ended. */
void roast_runs_lock_mark (int lock, pid_t owner);
/* Return whether a process writes the run. If a killed process left the lock of the run, remove the lock. */
gboolean roast_runs_is_locked (const char *path);

/* Remove the oldest runs until the remaining runs and @room new runs are within the limits. The caller holds the lock
 * of the directory. */
void roast_runs_files_prune (const char *directory, guint max_runs, guint64 max_size, guint room);
