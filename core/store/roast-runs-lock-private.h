/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Locks of a directory of runs, as descriptors; closing one unlocks, and so does the death of the process. */

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

G_END_DECLS
