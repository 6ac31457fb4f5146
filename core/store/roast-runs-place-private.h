/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Return the name of the network file system that contains @path, or NULL if it is local. @path need not exist. */
const char *roast_runs_place_get_network (const char *path);

/* Return the user's state directory, like g_get_user_state_dir (), which needs GLib 2.72. */
char *roast_runs_place_dup_state (void);

/* Return the default directory of runs. It is below the user's state directory @state, or, if that is on a network
 * file system, below @local, a world-writable directory. In the second case set @reason to the explanation, else to
 * NULL. */
char *roast_runs_place_choose (const char *state, const char *local, char **reason);

/* Make the directory, accessible only to its owner. If @private, its parent is checked, too, because another user
 * may have made it in a world-writable directory. */
gboolean roast_runs_place_make (const char *path, gboolean private, GError **error);

G_END_DECLS
