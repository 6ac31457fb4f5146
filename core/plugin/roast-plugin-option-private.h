/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin-option.h"

/* Reads the declaration of the option @name from @group of a key file. Fails with ROAST_PLUGIN_ERROR_METADATA. */
RoastPluginOption *roast_plugin_option_new_from_key_file (GKeyFile *key_file, const char *group, const char *name,
                                                          GError **error);

/* Converts @value to the declared type: strings are parsed, and integers are widened. The result is not floating. */
GVariant *roast_plugin_option_convert (RoastPluginOption *self, GVariant *value, GError **error);
