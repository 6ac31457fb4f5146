/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-registry.h"
#include "roast/roast-schema.h"

/* Creates a schema from the core's schema and the schemas of @plugins, an array of RoastPlugin. The schema files of the
 * plugins are parsed when they are first needed. A plugin becomes broken if its schema turns out to be invalid. */
RoastSchema *roast_registry_schema_new (GPtrArray *plugins);

/* Returns whether a plugin's schemas contain only labels. Labels cannot conflict with the declarations of other
 * plugins. */
gboolean roast_registry_schema_has_only_labels (RoastPlugin *plugin);

/* Returns the schema of a registry, without parsing schemas of plugins that have not been parsed yet. */
RoastSchema *roast_registry_get_unread_schema (RoastRegistry *self);
