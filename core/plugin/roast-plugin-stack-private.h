/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Finds the plugin whose code is on the stack when a process is about to end. */

/* Registers a plugin that was opened. @symbol: a symbol in the plugin's module; NULL if the plugin is read by a loader,
 * whose name is @loader. */
void roast_plugin_stack_add (const char *plugin, gconstpointer symbol, const char *loader);
/* Returns the plugin of the innermost plugin call in this thread, or NULL. This function is as async-signal-safe as
 * backtrace (). */
const char *roast_plugin_stack_find (void);
