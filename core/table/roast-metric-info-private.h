/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-formula-private.h"
#include "roast/roast-metric-info.h"

/* Indices of the keys of a group [metric NAME]. */
enum
{
  ROAST_METRIC_LABEL,
  ROAST_METRIC_GROUP,
  ROAST_METRIC_RANK,
  ROAST_METRIC_UNIT,
  ROAST_METRIC_FORMAT,
  ROAST_METRIC_SHOW,
  ROAST_METRIC_DESCRIPTION,
  ROAST_METRIC_FORMULA,
  ROAST_METRIC_SOURCE,
  ROAST_METRIC_ALIASES,
  ROAST_METRIC_COMPAT,
  ROAST_METRIC_ROWS,
  ROAST_METRIC_VALUE,
  ROAST_METRIC_ABSENT,
  ROAST_METRIC_PAGE,
  ROAST_METRIC_N_KEYS,
};

extern const char *const roast_metric_info_keys[ROAST_METRIC_N_KEYS + 1];

typedef struct
{
  char *name;
  char *declaration; /* text of the alias: NAME or NAME:FACTOR */
  double scale;
} RoastMetricAlias;

/* Make a metric. @values has, for each key, a value or NULL. @name and @values are parts of @text, memory from
 * g_atomic_rc_box_alloc(). @declared_by is the origin of the text; the caller must keep this string valid. Return NULL
 * with ROAST_SCHEMA_ERROR. */
RoastMetricInfo *roast_metric_info_new (char *text, const char *declared_by, const char *name,
                                        const char *const *values, GError **error);
const char *roast_metric_info_get_declared_by (RoastMetricInfo *self);
const RoastMetricAlias *roast_metric_info_get_aliases (RoastMetricInfo *self, guint *n_aliases);

/* Return the factor that turns a value of the metric into a value under @name, the metric's own name or an alias. */
double roast_metric_info_get_scale (RoastMetricInfo *self, const char *name);

/* Return the rank of a metric in its group. Metrics with a lower rank come first. */
int roast_metric_info_get_rank (RoastMetricInfo *self);

/* How rows that are missing from the recording affect the value of a metric. */
typedef enum
{
  ROAST_METRIC_ROWS_NONE,        /* no effect, because the value is not computed from rows */
  ROAST_METRIC_ROWS_ANY,         /* the value may be too large or too small */
  ROAST_METRIC_ROWS_LOWER_BOUND, /* the value can only be too small: a sum of non-negative numbers, a count, a
                                  * maximum */
} RoastMetricRows;

RoastMetricRows roast_metric_info_get_rows (RoastMetricInfo *self);

/* Return the reason why the metric is not available if the formula finds no rows, or NULL for the default reason. */
const char *roast_metric_info_get_absent (RoastMetricInfo *self);

/* Take the parsed formula of the metric, or NULL if the metric has no formula. Only one thread at a time may hold a
 * formula, because evaluating a formula changes it. Give the formula back with roast_metric_info_return_formula (), so
 * that it need not be parsed again. */
RoastFormula *roast_metric_info_take_formula (RoastMetricInfo *self);
void roast_metric_info_return_formula (RoastMetricInfo *self, RoastFormula *formula);
