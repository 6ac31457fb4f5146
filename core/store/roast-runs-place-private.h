/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the kind of file system is called if it is one of a network; NULL if it is local. The path need not exist. */
const char *roast_runs_place_get_network (const char *path);

/* The user's directory of states, as g_get_user_state_dir () gives it since GLib 2.72. */
char *roast_runs_place_dup_state (void);

/* Where runs are kept if nothing else is set: below the user's directory of states, or, if that is on a network file
 * system, below @local, which everybody may write to. @reason says why it is not the former; else it is NULL. */
char *roast_runs_place_choose (const char *state, const char *local, char **reason);

/* Makes the directory, for its owner alone. @private: it is below a directory in which anybody may have made it. */
gboolean roast_runs_place_make (const char *path, gboolean private, GError **error);

G_END_DECLS
