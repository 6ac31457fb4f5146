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
/* The oldest go until the rest, and @room more, are within the limits. Called with the lock of the directory. */
void roast_runs_files_prune (const char *directory, guint max_runs, guint64 max_size, guint room);

G_END_DECLS
