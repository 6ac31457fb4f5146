/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-metric-info.h"

/* The keys of a group [metric NAME]. */
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
  ROAST_METRIC_N_KEYS,
};

extern const char *const roast_metric_info_keys[ROAST_METRIC_N_KEYS + 1];

typedef struct
{
  char *name;
  char *declaration; /* NAME or NAME:FACTOR */
  double scale;
} RoastMetricAlias;

/* @values has a value or NULL for each key. The strings are parts of @text, a box of g_atomic_rc_box_alloc(); only
 * @declared_by, where it comes from, stays by itself. NULL with ROAST_SCHEMA_ERROR. */
RoastMetricInfo *roast_metric_info_new (char *text, const char *declared_by, const char *name,
                                        const char *const *values, GError **error);
const char *roast_metric_info_get_declared_by (RoastMetricInfo *self);
const RoastMetricAlias *roast_metric_info_get_aliases (RoastMetricInfo *self, guint *n_aliases);

/* Factor by which a value is multiplied to get one of that name, the metric's own or an alias. */
double roast_metric_info_get_scale (RoastMetricInfo *self, const char *name);

/* Its place in its group: metrics of a lower rank come first. */
int roast_metric_info_get_rank (RoastMetricInfo *self);

/* What a value is if rows are missing from the recording. */
typedef enum
{
  ROAST_METRIC_ROWS_NONE,        /* the same: it does not come from rows */
  ROAST_METRIC_ROWS_ANY,         /* too large or too small */
  ROAST_METRIC_ROWS_LOWER_BOUND, /* too small, if anything: a sum of what cannot be negative, a count, a maximum */
} RoastMetricRows;

RoastMetricRows roast_metric_info_get_rows (RoastMetricInfo *self);

/* Why the formula has nothing to evaluate, where that needs words of its own; NULL. */
const char *roast_metric_info_get_absent (RoastMetricInfo *self);
