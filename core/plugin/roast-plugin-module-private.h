/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-plugin-key-file-private.h"

/* The file of the module beside the key file @path: libMODULE.so, or MODULE.so; the first if neither is there. */
char *roast_plugin_module_find (const char *path, const char *module);

/* Whether a plugin for that API can be used; fails with ROAST_PLUGIN_ERROR_API_VERSION. */
gboolean roast_plugin_module_check_api (guint major, guint minor, GError **error);

/* Opens @module_path for good and checks it against what its key file says. */
const RoastPluginDescriptor *roast_plugin_module_open (const char *module_path, RoastPluginKeyFile *key_file,
                                                       GError **error);

/* What the module offers for @role and @name, or NULL. */
const RoastPluginEntry *roast_plugin_module_find_entry (const RoastPluginDescriptor *descriptor, RoastRole role,
                                                        const char *name);

/* Whether objects of @type can be made and do what @role says; fails with ROAST_PLUGIN_ERROR_TYPE. */
gboolean roast_plugin_module_check_type (GType type, RoastRole role, const char *name, GError **error);

/* Calls @get_type, which registers types, and checks what it returns. Call it once only: see the source. */
GType roast_plugin_module_get_type (const RoastPluginEntry *entry, const char *plugin_name, GError **error);
