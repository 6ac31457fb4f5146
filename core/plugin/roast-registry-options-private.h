/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

/* Parses options. @plugin: NULL for a type that the application registered, whose options are not declared in a key
 * file. */
GVariant *roast_registry_options_parse (RoastPlugin *plugin, RoastRole role, const char *name, const char *text,
                                        GError **error);
/* Checks options against their declarations and adds the defaults. If @plugin is NULL, returns @options unchanged. */
GVariant *roast_registry_options_complete (RoastPlugin *plugin, RoastRole role, const char *name, GVariant *options,
                                           GError **error);
