/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

#define ROAST_TYPE_PLUGIN_OPTION (roast_plugin_option_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastPluginOption, roast_plugin_option, ROAST, PLUGIN_OPTION, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_option_get_name (RoastPluginOption *self);
ROAST_AVAILABLE_IN_0_9
const GVariantType *roast_plugin_option_get_value_type (RoastPluginOption *self);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_plugin_option_get_default (RoastPluginOption *self);
ROAST_AVAILABLE_IN_0_9
const char *const *roast_plugin_option_get_choices (RoastPluginOption *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_option_get_help (RoastPluginOption *self);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_plugin_option_parse (RoastPluginOption *self, const char *text, GError **error);

G_END_DECLS
