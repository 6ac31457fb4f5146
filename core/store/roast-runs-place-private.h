/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Return the name of the network file system that contains @path, or NULL if @path is on a local file system. @path
 * need not exist. */
const char *roast_runs_place_get_network (const char *path);

/* Return the user's state directory. Unlike g_get_user_state_dir (), this function does not need GLib 2.72. */
char *roast_runs_place_dup_state (void);

/* Return the default directory of runs. It is below the user's state directory @state. If @state is on a network file
 * system, it is below the world-writable directory @local instead. Set @reason to an explanation in this case, else to
 * NULL. */
char *roast_runs_place_choose (const char *state, const char *local, char **reason);

/* Make the directory, accessible only to its owner. If @private, check its parent too: the parent is in a
 * world-writable directory, where another user may have made it. */
gboolean roast_runs_place_make (const char *path, gboolean private, GError **error);

G_END_DECLS
