/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The files in a directory of runs. 20261122-201600-a1b2.roast is the time in UTC and an ID: names in the order of the
 * alphabet are in that of time. */

#define ROAST_RUNS_FILES_SUFFIX ".roast"
/* Where the ID begins, and how long a name is without the suffix. */
#define ROAST_RUNS_FILES_ID 16
#define ROAST_RUNS_FILES_STEM 20

gboolean roast_runs_files_is_name (const char *name);
/* Names of the runs, the oldest first; none if there is no such directory. */
GPtrArray *roast_runs_files_list (const char *directory, GError **error);
/* A run and its companions; FALSE with errno. */
gboolean roast_runs_files_remove (const char *path);
/* Before a run gets this name: SQLite reads the companions of a removed run into a new one. FALSE with errno. */
gboolean roast_runs_files_remove_companions (const char *path);
/* ---- locks, as descriptors: closing one unlocks, and so does the death of the process ---- */

/* One process at a time adds and removes runs. -1 with an error if another one takes too long. */
int roast_runs_lock_directory (const char *directory, GError **error);

/* The lock of a run that is being written: a file beside it. The three are called with the lock of the directory.
 * -1 if the run's name is taken. */
int roast_runs_lock_run (const char *path, GError **error);
void roast_runs_unlock_run (const char *path, int lock);
/* The file of the run is not to be kept: if the lock is left by a process that was killed, it is removed with it, as
 * soon as the process @owner is gone, too. */
void roast_runs_lock_mark (int lock, pid_t owner);
/* Removes the lock that a killed process left. */
gboolean roast_runs_is_locked (const char *path);

/* The oldest go until the rest, and @room more, are within the limits. Called with the lock of the directory. */
void roast_runs_files_prune (const char *directory, guint max_runs, guint64 max_size, guint room);

G_END_DECLS
