/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-plugin-key-file-private.h"

/* Returns the path of the module's file in the directory of the key file @path: libMODULE.so, or MODULE.so if only
 * MODULE.so exists. */
char *roast_plugin_module_find (const char *path, const char *module);

/* Checks that this library can use a plugin that was built for the given API version. Fails with
 * ROAST_PLUGIN_ERROR_API_VERSION. */
gboolean roast_plugin_module_check_api (guint major, guint minor, GError **error);

/* Opens the module @module_path for the rest of the process, and checks its descriptor against the key file. */
const RoastPluginDescriptor *roast_plugin_module_open (const char *module_path, RoastPluginKeyFile *key_file,
                                                       GError **error);

/* Returns the module's entry for @role and @name, or NULL. */
const RoastPluginEntry *roast_plugin_module_find_entry (const RoastPluginDescriptor *descriptor, RoastRole role,
                                                        const char *name);

/* Checks that @type can be instantiated and implements the interface of @role. Fails with ROAST_PLUGIN_ERROR_TYPE. */
gboolean roast_plugin_module_check_type (GType type, RoastRole role, const char *name, GError **error);

/* Calls get_type() of @entry, which registers a type, and checks the type. Call this function only once per entry: see
 * call_get_type (). */
GType roast_plugin_module_get_type (const RoastPluginEntry *entry, const char *plugin_name, GError **error);
