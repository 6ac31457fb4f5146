/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin-option.h"

/* Reads what @group of a key file declares about the option @name; fails with ROAST_PLUGIN_ERROR_METADATA. */
RoastPluginOption *roast_plugin_option_new_from_key_file (GKeyFile *key_file, const char *group, const char *name,
                                                          GError **error);

/* Turns @value into a value of the declared type: texts are parsed, integers widened. The result is not floating. */
GVariant *roast_plugin_option_convert (RoastPluginOption *self, GVariant *value, GError **error);
