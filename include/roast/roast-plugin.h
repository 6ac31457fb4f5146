/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-plugin-descriptor.h>
#include <roast/roast-plugin-option.h>

G_BEGIN_DECLS

/**
 * RoastPluginState:
 * @ROAST_PLUGIN_STATE_FOUND: the key file has been read, but the plugin has not been opened
 * @ROAST_PLUGIN_STATE_LOADED: the plugin has been opened
 * @ROAST_PLUGIN_STATE_BROKEN: the plugin cannot be used; roast_plugin_get_error() returns the reason
 *
 * The state of a plugin.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_PLUGIN_STATE_FOUND,
  ROAST_PLUGIN_STATE_LOADED,
  ROAST_PLUGIN_STATE_BROKEN,
} RoastPluginState;

#define ROAST_TYPE_PLUGIN (roast_plugin_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastPlugin, roast_plugin, ROAST, PLUGIN, GObject)

ROAST_AVAILABLE_IN_0_9
RoastPlugin *roast_plugin_new_from_file (const char *path);
ROAST_AVAILABLE_IN_0_9
RoastPlugin *roast_plugin_new_from_data (const char *path, GBytes *data);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_name (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_path (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_module_path (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_description (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_version (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_license (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_website (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_api (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_plugin_get_loader (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *const *roast_plugin_get_capabilities (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const char *const *roast_plugin_get_addresses (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
char **roast_plugin_dup_provides (RoastPlugin *self, RoastRole role);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_plugin_list_options (RoastPlugin *self, RoastRole role, const char *name);
ROAST_AVAILABLE_IN_0_9
RoastPluginState roast_plugin_get_state (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
const GError *roast_plugin_get_error (RoastPlugin *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_plugin_load (RoastPlugin *self, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_plugin_watch_calls (char *text, gsize size);
ROAST_AVAILABLE_IN_0_9
void roast_plugin_trace_call (void);
ROAST_AVAILABLE_IN_0_9
GType roast_plugin_get_provided_type (RoastPlugin *self, RoastRole role, const char *name, GError **error);

G_END_DECLS
