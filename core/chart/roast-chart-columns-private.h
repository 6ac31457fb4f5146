/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "table/roast-chart-info-private.h"

G_BEGIN_DECLS

/* The minimum and maximum of some numbers, and the least number above zero. All are NaN before the first number. */
typedef struct
{
  double min, max, least_positive;
  guint64 n;
} RoastChartRange;

#define ROAST_CHART_RANGE_INIT { NAN, NAN, NAN, 0 }

static inline void
roast_chart_range_add (RoastChartRange *self, double value)
{
  if (!(value - value == 0)) /* infinite or NaN */
    return;
  if (!(self->min <= value))
    self->min = value;
  if (!(self->max >= value))
    self->max = value;
  if (value > 0 && !(self->least_positive <= value))
    self->least_positive = value;
  self->n++;
}

/* The visible points of one series: the first, last, lowest and highest point of each column of pixels. Its size
 * depends only on the number of columns. With means: the mean, the lowest and the highest value of each column. */
typedef struct _RoastChartColumn RoastChartColumn;
typedef struct
{
  guint width;       /* how many numbers each point has: x and y, or with means x, y, lowest and highest */
  RoastChartRange y; /* over all points */
  gboolean is_torn;  /* a sum is incomplete, since rows with very many different x came unsorted */

  /*< private >*/
  RoastChartCombine combine;
  gboolean is_ratio;
  guint n_columns;
  double min, per_unit;
  RoastChartColumn *columns;
  GArray *sums;       /* sums that are still being added up; NULL if each row is a point */
  gboolean is_sorted; /* the sums are sorted by x, with one sum per x, because rows came in this order */
  double taken_to;    /* highest x of the sums that became points */
} RoastChartColumns;

/* Limit of the sums of one line: up to 10 MiB. */
#define ROAST_CHART_MOST_SUMS (1U << 18)

RoastChartColumns *roast_chart_columns_new (guint n_columns, double min, double max, RoastChartCombine combine,
                                            gboolean is_ratio);
void roast_chart_columns_free (RoastChartColumns *self);
/* Add a point. NaN is ignored. @per: the denominator of a ratio. With sums, all rows with the same x are added up. */
void roast_chart_columns_add (RoastChartColumns *self, double x, double y, double per);
/* Call this after the last point. */
void roast_chart_columns_end (RoastChartColumns *self);
/* Return points in the order of x, with @fold columns merged into one. */
GArray *roast_chart_columns_dup_points (RoastChartColumns *self, guint fold);

G_END_DECLS
