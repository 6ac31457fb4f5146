/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

/* Marks @self as broken. Takes ownership of @error, and puts the plugin's path before its message. If @self already has
 * an error, the earlier error is kept. */
void roast_plugin_take_error (RoastPlugin *self, GError *error);

/* roast_plugin_mark () records which plugin created @object, and the name under which users can leave out @object.
 * roast_plugin_name_maker () returns that name, or NULL for an object that no registry created. */
void roast_plugin_mark (RoastPlugin *self, const char *name, GObject *object);
const char *roast_plugin_name_maker (GObject *object);
/* Returns the capabilities that the key file of @object's plugin declares, or NULL for an object that no registry
 * created. */
const char *const *roast_plugin_get_uses (GObject *object);
/* Checks whether the key file of @backend's plugin declares the required use: to launch a program if @launch is TRUE,
 * otherwise to attach or to read. A backend that no registry created belongs to the application and is always allowed.
 * @name: name of the backend. */
gboolean roast_plugin_check_use (GObject *backend, const char *name, gboolean launch, GError **error);

/* Creates an object of a type that the plugin provides. @name tells apart several aggregators of one plugin. */
gpointer roast_plugin_make (RoastPlugin *self, RoastRole role, const char *name, GType type);

/* Returns the paths of the plugin's schema files. The files need not exist. */
char **roast_plugin_dup_schema_paths (RoastPlugin *self);

/* Returns whether the plugin can stay closed until the exporter has to write. This requires that the key file declares
 * the exporter's flags and that the module exists. */
gboolean roast_plugin_may_open_late (RoastPlugin *self, const char *exporter, RoastExporterFlags *flags);

RoastPluginOption *roast_plugin_find_option (RoastPlugin *self, RoastRole role, const char *name, const char *option);
