/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Which plugin's code is on the stack, for a process that is about to end. */

/* A plugin has been opened: @symbol is one of its module; NULL if a loader reads it, whose name is @loader. */
void roast_plugin_stack_add (const char *plugin, gconstpointer symbol, const char *loader);
/* The plugin of the innermost call in this thread that is code of one, or NULL. As async-signal-safe as backtrace ().
 */
const char *roast_plugin_stack_find (void);
