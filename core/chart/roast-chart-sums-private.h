/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limit for one line: up to 10 MiB. */
#define ROAST_CHART_MOST_SUMS (1U << 18)

/* Sums of y and of the denominators, over rows with the same x. */
typedef struct
{
  double x, y, per;
} RoastChartSum;

/* Sums that may still grow, for a limited number of x, so that rows with the same x may come in any order. If there
 * are too many x, the half with the lowest x, which is most likely finished, is passed to the callback. */
typedef struct _RoastChartSums RoastChartSums;

/* Receives a finished sum. Sums come in the order of x, unless the rows are unsorted. */
typedef void (*RoastChartTakeSum) (gpointer data, const RoastChartSum *sum);

RoastChartSums *roast_chart_sums_new (guint most, RoastChartTakeSum take, gpointer data);
void roast_chart_sums_free (RoastChartSums *self);
void roast_chart_sums_add (RoastChartSums *self, double x, double y, double per);
/* Call this after the last row, to finish all sums. */
void roast_chart_sums_end (RoastChartSums *self);
/* Return FALSE if a row came after its sum had been passed to the callback. */
gboolean roast_chart_sums_is_whole (RoastChartSums *self);

G_END_DECLS
