/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

/* Return the median of @n finite numbers from @min to @max in a column. It reads the rows once if there are at most
 * 100,000, else usually twice, or more often if very many numbers are nearly equal. */
double roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max);

G_END_DECLS
