/* SPDX-License-Identifier: BSD-3-Clause */

/* The symbol that makes the module a plugin. The type is in @name@.vala. */

#include <roast/roast.h>

GType @id@_@kind@_get_type (void);

ROAST_DEFINE_PLUGIN ("@name@", PLUGIN_VERSION, ROAST_PLUGIN_@KIND@ ("@name@", @id@_@kind@_get_type))
