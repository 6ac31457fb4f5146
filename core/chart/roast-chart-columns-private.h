/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "table/roast-chart-info-private.h"

/* The minimum, the maximum and the least positive value of a series of numbers. All three are NaN before the first
 * number. */
typedef struct
{
  double min, max, least_positive;
  guint64 n;
} RoastChartRange;

#define ROAST_CHART_RANGE_INIT { NAN, NAN, NAN, 0 }

static inline void
roast_chart_range_add (RoastChartRange *self, double value)
{
  if (!(value - value == 0)) /* ignore infinite values and NaN */
    return;
  if (!(self->min <= value))
    self->min = value;
  if (!(self->max >= value))
    self->max = value;
  if (value > 0 && !(self->least_positive <= value))
    self->least_positive = value;
  self->n++;
}

/* The points of one series that can be seen: for each column of pixels, the first, last, lowest and highest point; for
 * ROAST_CHART_COMBINE_MEAN, the mean, lowest and highest value. Memory depends on the number of columns, not on the
 * number of rows. */
typedef struct _RoastChartColumn RoastChartColumn;
typedef struct
{
  guint width;       /* numbers per point: 2 (x and y), or 4 for means (x, mean, lowest and highest y) */
  RoastChartRange y; /* range of y over all points */
  gboolean is_torn;  /* TRUE if a row came too late: the sum for its x was already a point, which lacks the row */

  /*< private >*/
  RoastChartCombine combine;
  gboolean is_ratio;
  guint n_columns;
  double min, per_unit;
  RoastChartColumn *columns;
  GArray *sums;       /* sums of rows with the same x, to which more rows may be added; NULL if each row is a point */
  gboolean is_sorted; /* TRUE if @sums is sorted by x and has one sum per x */
  double taken_to;    /* highest x of the sums that have become points */
} RoastChartColumns;

/* Maximum number of sums that are kept for one line. These sums take about 10 MiB. */
#define ROAST_CHART_MOST_SUMS (1U << 18)

RoastChartColumns *roast_chart_columns_new (guint n_columns, double min, double max, RoastChartCombine combine,
                                            gboolean is_ratio);
void roast_chart_columns_free (RoastChartColumns *self);
/* Add the values of a row. Ignore a row whose values are NaN or infinite. @per is the denominator of a ratio. For
 * ROAST_CHART_COMBINE_SUM, rows with the same x are added up to one point. */
void roast_chart_columns_add (RoastChartColumns *self, double x, double y, double per);
/* Call this function after the last point. */
void roast_chart_columns_end (RoastChartColumns *self);
/* Return the points in the order of x, after merging each @fold adjacent columns into one column. */
GArray *roast_chart_columns_dup_points (RoastChartColumns *self, guint fold);
