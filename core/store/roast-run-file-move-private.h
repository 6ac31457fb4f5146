/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A run file that belongs on a network file system grows in a local directory, and is moved when it is closed. */

/* Where the file grows, which does not exist yet: below a directory that everybody may write to, as /var/tmp. NULL if
 * @path is on a local file system, or there is no local directory. */
char *roast_run_file_move_find_local (const char *path, const char *local);
/* FALSE with an error if the file stays where it is. A file that exists is not overwritten. */
gboolean roast_run_file_move (const char *from, const char *to, GError **error);

G_END_DECLS
