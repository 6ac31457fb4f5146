/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

G_BEGIN_DECLS

/* A schema declares charts, but only core/chart, a higher layer, knows what a chart is. It defines this hook. */
typedef struct
{
  const char *const *keys; /* keys of a group [chart NAME] */
  /* @values has a value or NULL for each key. Return NULL with ROAST_SCHEMA_ERROR. */
  RoastChartInfo *(*read) (char *text, const char *declared_by, const char *name, const char *const *values,
                           GError **error);
  const char *(*get_name) (RoastChartInfo *chart);
  const char *(*get_table) (RoastChartInfo *chart);
  gboolean (*check_table) (RoastChartInfo *chart, RoastTableInfo *table, GError **error);
} RoastSchemaCharts;

extern const RoastSchemaCharts roast_schema_charts;

G_END_DECLS
