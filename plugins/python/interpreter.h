/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes sure that there is an interpreter: the one that runs the program, or a new one. Afterwards, if it is new, no
 * thread holds its lock. Fails with ROAST_PLUGIN_ERROR_LOADER. */
gboolean interpreter_ensure (GError **error);

G_END_DECLS
