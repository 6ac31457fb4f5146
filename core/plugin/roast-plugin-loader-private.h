/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin-loader.h"

/* Checks that the loader's file exists. Fails with ROAST_PLUGIN_ERROR_LOADER. */
gboolean roast_plugin_loader_exists (const char *name, const char *plugin_path, GError **error);

/* Gets the loader of a language, and opens it if it is not open yet. @plugin_path is the key file of the plugin that
 * needs the loader. */
const RoastPluginLoader *roast_plugin_loader_get (const char *name, const char *plugin_path, GError **error);

/* Returns the path of the file that the loader has to read, which is in the directory of the key file @plugin_path. */
char *roast_plugin_loader_find_module (const char *name, const char *plugin_path, const char *module);

/* Asks the loader for a type and checks that it implements the interface of the role. */
GType roast_plugin_loader_get_type (const RoastPluginLoader *self, const char *module_path, const char *plugin,
                                    RoastRole role, const char *name, GError **error);
