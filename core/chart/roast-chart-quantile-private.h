/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

/* The median of @n finite numbers from @min to @max in a column. It walks the rows once if they are 100,000 at most,
 * else usually twice: more often if very many of them are nearly equal. */
double roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max);

G_END_DECLS
