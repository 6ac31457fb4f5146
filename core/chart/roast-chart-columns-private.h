/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast-chart-info-private.h"

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
typedef struct _RoastChartColumns RoastChartColumns;

RoastChartColumns *roast_chart_columns_new (guint n_columns, double min, double max, RoastChartCombine combine,
                                            gboolean is_ratio);
void roast_chart_columns_free (RoastChartColumns *self);
/* Add a point. NaN is ignored. @per: the denominator of a ratio. With sums, all rows with the same x are added up. */
void roast_chart_columns_add (RoastChartColumns *self, double x, double y, double per);
/* Call this after the last point. */
void roast_chart_columns_end (RoastChartColumns *self);
/* Return points in the order of x, with @fold columns merged into one. A point has x and y; a mean has x, y, lowest
 * and highest. */
GArray *roast_chart_columns_dup_points (RoastChartColumns *self, guint fold);
/* Return how many numbers each of these points has. */
guint roast_chart_columns_get_width (RoastChartColumns *self);
/* Return the range of y over all points. */
const RoastChartRange *roast_chart_columns_get_range (RoastChartColumns *self);
/* Return whether all sums are complete. They may be incomplete if rows with very many different x come unsorted. */
gboolean roast_chart_columns_is_whole (RoastChartColumns *self);

G_END_DECLS
