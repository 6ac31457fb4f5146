/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-registry.h"
#include "roast/roast-schema.h"

/* The core's schema and those of @plugins, an array of RoastPlugin. The texts of the plugins are read when something of
 * them may be needed; a plugin whose schema cannot be used becomes broken then. */
RoastSchema *roast_registry_schema_new (GPtrArray *plugins);

/* Whether a plugin has a schema. */
gboolean roast_registry_schema_has_text (RoastPlugin *plugin);

/* The schema of a registry, in which the texts of the plugins may not have been read yet. */
RoastSchema *roast_registry_get_unread_schema (RoastRegistry *self);
