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

/* Sums that may still grow, of up to a number of x, so that rows of the same x may come in any order. Where that are
 * too many, the half with the lowest x, which are the most likely to be finished, are taken. */
typedef struct _RoastChartSums RoastChartSums;

/* A sum that is finished: in the order of x, unless rows come in no order. */
typedef void (*RoastChartTakeSum) (gpointer data, const RoastChartSum *sum);

RoastChartSums *roast_chart_sums_new (guint most, RoastChartTakeSum take, gpointer data);
void roast_chart_sums_free (RoastChartSums *self);
void roast_chart_sums_add (RoastChartSums *self, double x, double y, double per);
/* After the last row: takes all. */
void roast_chart_sums_end (RoastChartSums *self);
/* FALSE if a row came after its sum was taken. */
gboolean roast_chart_sums_is_whole (RoastChartSums *self);

G_END_DECLS
