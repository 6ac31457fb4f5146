/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast-chart-info-private.h"

G_BEGIN_DECLS

/* The least and the greatest of some numbers, and the least one above zero; NaN before the first. */
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

/* The points of one series, as much of them as can be seen: of each column of pixels the first, the last, the lowest
 * and the highest. Its size depends on the number of columns only. With means: of each column the mean, the lowest and
 * the highest. */
typedef struct _RoastChartColumns RoastChartColumns;

RoastChartColumns *roast_chart_columns_new (guint n_columns, double min, double max, RoastChartCombine combine,
                                            gboolean is_ratio);
void roast_chart_columns_free (RoastChartColumns *self);
/* NaN is no point. @per is what @y is divided by, for a ratio. Sums are over all rows of one x. */
void roast_chart_columns_add (RoastChartColumns *self, double x, double y, double per);
/* After the last point. */
void roast_chart_columns_end (RoastChartColumns *self);
/* Points, in the order of x, with so many columns taken as one: x and y; of means x, y, lowest and highest. */
GArray *roast_chart_columns_dup_points (RoastChartColumns *self, guint fold);
/* How many numbers such a point has. */
guint roast_chart_columns_get_width (RoastChartColumns *self);
/* Of y of all points. */
const RoastChartRange *roast_chart_columns_get_range (RoastChartColumns *self);
/* Whether all sums are whole. They are not if rows of very many x come in no order. */
gboolean roast_chart_columns_is_whole (RoastChartColumns *self);

G_END_DECLS
