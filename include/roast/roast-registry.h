/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-aggregator.h>
#include <roast/roast-exporter.h>
#include <roast/roast-metrics-backend.h>
#include <roast/roast-plugin.h>
#include <roast/roast-schema.h>

G_BEGIN_DECLS

#define ROAST_TYPE_REGISTRY (roast_registry_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRegistry, roast_registry, ROAST, REGISTRY, GObject)

ROAST_AVAILABLE_IN_0_9
RoastRegistry *roast_registry_get_default (void);
ROAST_AVAILABLE_IN_0_9
RoastRegistry *roast_registry_new (void);
ROAST_AVAILABLE_IN_0_9
RoastRegistry *roast_registry_new_for_path (const char *search_path);
ROAST_AVAILABLE_IN_0_9
char **roast_registry_dup_search_path (RoastRegistry *self);
ROAST_AVAILABLE_IN_0_9
RoastPlugin *roast_registry_lookup_plugin (RoastRegistry *self, const char *name);
ROAST_AVAILABLE_IN_0_9
RoastPlugin *roast_registry_find_provider (RoastRegistry *self, RoastRole role, const char *name);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_registry_list_broken (RoastRegistry *self);
ROAST_AVAILABLE_IN_0_9
char **roast_registry_dup_names (RoastRegistry *self, RoastRole role);
ROAST_AVAILABLE_IN_0_9
gboolean roast_registry_register_type (RoastRegistry *self, RoastRole role, const char *name, GType type,
                                       GError **error);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_registry_parse_options (RoastRegistry *self, RoastRole role, const char *name, const char *text,
                                        GError **error);
ROAST_AVAILABLE_IN_0_9
RoastMetricsBackend *roast_registry_create_backend (RoastRegistry *self, const char *name, GVariant *options,
                                                    GError **error);
ROAST_AVAILABLE_IN_0_9
RoastAggregator *roast_registry_create_aggregator (RoastRegistry *self, const char *name, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastExporter *roast_registry_create_exporter (RoastRegistry *self, const char *name, GVariant *options,
                                               GError **error);
ROAST_AVAILABLE_IN_0_9
RoastSchema *roast_registry_get_schema (RoastRegistry *self);

G_END_DECLS
