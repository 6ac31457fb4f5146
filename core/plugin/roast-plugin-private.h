/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

/* Marks @self as broken. Takes ownership of @error and prefixes it with the plugin's path. Only the first error is
 * kept. */
void roast_plugin_take_error (RoastPlugin *self, GError *error);

/* roast_plugin_mark () records the plugin that created @object, and @name, by which the object can be left out.
 * roast_plugin_name_maker () returns @name, or NULL for an object that no registry created. */
void roast_plugin_mark (RoastPlugin *self, const char *name, GObject *object);
const char *roast_plugin_name_maker (GObject *object);
/* Returns the capabilities in the key file of the plugin that created @object; NULL for an object that no registry
 * created. */
const char *const *roast_plugin_get_uses (GObject *object);
/* Checks that the key file of @backend's plugin declares that it can launch a program (@launch), or else attach or
 * read. A backend that no registry created belongs to the application, and may do all of these. @name: name of the
 * backend */
gboolean roast_plugin_check_use (GObject *backend, const char *name, gboolean launch, GError **error);

/* Creates an object of a type that the plugin provides. @name distinguishes several aggregators of one plugin. */
gpointer roast_plugin_make (RoastPlugin *self, RoastRole role, const char *name, GType type);

/* Returns the paths of the plugin's schemas, which need not exist. */
char **roast_plugin_dup_schema_paths (RoastPlugin *self);

/* Returns whether an exporter can be opened only when it has to write. This requires that the key file declares its
 * flags and that the module exists. */
gboolean roast_plugin_may_open_late (RoastPlugin *self, const char *exporter, RoastExporterFlags *flags);

RoastPluginOption *roast_plugin_find_option (RoastPlugin *self, RoastRole role, const char *name, const char *option);
