/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a line: up to 10 MiB. */
#define ROAST_CHART_MOST_SUMS (1U << 18)

/* Sums of y, and of what it is divided by, of the rows that have one x. */
typedef struct
{
  double x, y, per;
} RoastChartSum;

/* Sums that may still grow, of up to a number of x, so that rows of the same x may come in any order. */
typedef struct _RoastChartSums RoastChartSums;

RoastChartSums *roast_chart_sums_new (guint most);
void roast_chart_sums_free (RoastChartSums *self);
/* The sum of this x, to which the row is added. NULL if that is one x too many: take some and ask again. */
RoastChartSum *roast_chart_sums_get (RoastChartSums *self, double x);
/* Sums in the order of x, which it then has no more: all, or the half with the lowest x, which are the most likely to
 * be finished. */
GArray *roast_chart_sums_take (RoastChartSums *self, gboolean all);

G_END_DECLS
