/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

/* Parses options. @plugin is NULL for a type that no key file describes. */
GVariant *roast_registry_options_parse (RoastPlugin *plugin, RoastRole role, const char *name, const char *text,
                                        GError **error);
/* Checks options and fills in the defaults. If @plugin is NULL, the options are passed on unchanged. */
GVariant *roast_registry_options_complete (RoastPlugin *plugin, RoastRole role, const char *name, GVariant *options,
                                           GError **error);
