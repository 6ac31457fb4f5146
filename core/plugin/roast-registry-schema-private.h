/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-registry.h"
#include "roast/roast-schema.h"

/* Creates a schema from the core's schema and the schemas of @plugins, an array of RoastPlugin. The plugins' schema
 * files are parsed only when first needed. A plugin whose schema cannot be used then becomes broken. */
RoastSchema *roast_registry_schema_new (GPtrArray *plugins);

/* Returns whether the schemas of a plugin have nothing but labels, which cannot repeat declarations of other plugins.
 */
gboolean roast_registry_schema_has_only_labels (RoastPlugin *plugin);

/* Returns the schema of a registry, in which the plugins' schemas may not have been parsed yet. */
RoastSchema *roast_registry_get_unread_schema (RoastRegistry *self);
