/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-metric-info.h>
#include <roast/roast-table-info.h>
#include <roast/roast-vocabulary.h>

G_BEGIN_DECLS

/* Defined in roast-chart-info.h. */
typedef struct _RoastChartInfo RoastChartInfo;

#define ROAST_TYPE_SCHEMA (roast_schema_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastSchema, roast_schema, ROAST, SCHEMA, GObject)

ROAST_AVAILABLE_IN_0_9
RoastSchema *roast_schema_new (void);
ROAST_AVAILABLE_IN_0_9
gboolean roast_schema_load (RoastSchema *self, const char *path, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_schema_load_data (RoastSchema *self, GBytes *data, const char *origin, GError **error);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_schema_list_tables (RoastSchema *self);
ROAST_AVAILABLE_IN_0_9
RoastTableInfo *roast_schema_lookup_table (RoastSchema *self, const char *name);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_schema_list_vocabularies (RoastSchema *self);
ROAST_AVAILABLE_IN_0_9
RoastVocabulary *roast_schema_lookup_vocabulary (RoastSchema *self, const char *name);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_schema_list_metrics (RoastSchema *self);
ROAST_AVAILABLE_IN_0_9
RoastMetricInfo *roast_schema_lookup_metric (RoastSchema *self, const char *name, double *scale);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_schema_list_charts (RoastSchema *self);
ROAST_AVAILABLE_IN_0_9
RoastChartInfo *roast_schema_get_chart (RoastSchema *self, const char *name);
ROAST_AVAILABLE_IN_0_9
gboolean roast_schema_check_chart (RoastSchema *self, RoastChartInfo *chart, GError **error);
ROAST_AVAILABLE_IN_0_9
const char *roast_schema_get_label (RoastSchema *self, const char *backend, const char *name);

G_END_DECLS
