/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Finds the plugin whose code is on the stack, for a process that is about to end. */

/* Adds an opened plugin. @symbol is a symbol of its module, or NULL if the loader named @loader reads the plugin. */
void roast_plugin_stack_add (const char *plugin, gconstpointer symbol, const char *loader);
/* Returns the plugin of the innermost plugin call in this thread, or NULL. As async-signal-safe as backtrace (). */
const char *roast_plugin_stack_find (void);
