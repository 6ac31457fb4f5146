/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

/* Marks @self as broken. Takes ownership of @error, and puts the path of the plugin before the message. If @self
 * already has an error, keeps the earlier error. */
void roast_plugin_take_error (RoastPlugin *self, GError *error);

/* roast_plugin_mark () records which plugin created @object, and the name that users write to leave out @object.
 * roast_plugin_name_maker () returns this name, or NULL for an object that no registry created. */
void roast_plugin_mark (RoastPlugin *self, const char *name, GObject *object);
const char *roast_plugin_name_maker (GObject *object);
/* Returns the capabilities that the key file of @object's plugin declares, or NULL for an object that no registry
 * created. */
const char *const *roast_plugin_get_uses (GObject *object);
/* Checks whether the key file of @backend's plugin declares the required capability: to launch a program if @launch is
 * TRUE, otherwise to attach or to read. A backend that no registry created belongs to the application and is always
 * allowed.
 * @name: name of the backend. */
gboolean roast_plugin_check_use (GObject *backend, const char *name, gboolean launch, GError **error);

/* Creates an object of a type that the plugin provides. @name: name of the backend, aggregator or exporter, to
 * distinguish the aggregators of a plugin. */
gpointer roast_plugin_make (RoastPlugin *self, RoastRole role, const char *name, GType type);

/* Returns the paths of the plugin's schema files. The files need not exist. */
char **roast_plugin_dup_schema_paths (RoastPlugin *self);

/* Returns whether the plugin need not be opened until the exporter has to write: the key file declares the flags of the
 * exporter, and the module exists. */
gboolean roast_plugin_may_open_late (RoastPlugin *self, const char *exporter, RoastExporterFlags *flags);

RoastPluginOption *roast_plugin_find_option (RoastPlugin *self, RoastRole role, const char *name, const char *option);
