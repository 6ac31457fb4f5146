/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-exporter.h"
#include "roast/roast-plugin.h"

/* From now on @self is broken: takes @error, to which its path is put before. The first error stays. */
void roast_plugin_take_error (RoastPlugin *self, GError *error);

/* Remembers which plugin made @object, and returns @name, by which it can be left out; NULL of an object that no
 * registry made. */
void roast_plugin_mark (RoastPlugin *self, const char *name, GObject *object);
const char *roast_plugin_name_maker (GObject *object);
/* The capabilities in the key file of the plugin that made @object; NULL of an object that no registry made. */
const char *const *roast_plugin_get_uses (GObject *object);
/* Whether the key file of the plugin that made @backend declares that it can launch a program, or attach to or read
 * something. What no registry made is the application's own, and may do all. @name: what the backend is called */
gboolean roast_plugin_check_use (GObject *backend, const char *name, gboolean launch, GError **error);

/* An object of a type that the plugin provides. Several aggregators of one plugin are distinguished by @name. */
gpointer roast_plugin_make (RoastPlugin *self, RoastRole role, const char *name, GType type);

/* Paths of the schemas of the plugin, which need not exist. */
char **roast_plugin_dup_schema_paths (RoastPlugin *self);

/* Whether an exporter may be opened when it is to write, since the key file declares what is needed before, and the
 * module is there. */
gboolean roast_plugin_may_open_late (RoastPlugin *self, const char *exporter, RoastExporterFlags *flags);

RoastPluginOption *roast_plugin_find_option (RoastPlugin *self, RoastRole role, const char *name, const char *option);
