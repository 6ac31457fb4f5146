/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Return the name of the network file system that contains @path, or NULL if @path is on a local file system. @path
 * need not exist. */
const char *roast_runs_place_get_network (const char *path);

/* Return the user's state directory. Unlike g_get_user_state_dir (), this function does not need GLib 2.72. */
char *roast_runs_place_dup_state (void);

/* Return the default directory of runs, which is below the user's state directory @state. If @state is on a network
 * file system, return a directory below the world-writable directory @local instead, and set @reason to an explanation;
 * otherwise set @reason to NULL. */
char *roast_runs_place_choose (const char *state, const char *local, char **reason);

/* Make the directory, accessible only to its owner. @private: whether the parent of the directory is in a
 * world-writable directory. In this case, check the parent too, because another user may have made it. */
gboolean roast_runs_place_make (const char *path, gboolean private, GError **error);
