/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

/* The median of @n numbers from @min to @max in a column: exact, unless more than 100,000 numbers differ by less than a
 * millionth of a millionth of them. It walks the rows once if there are no more than these, else usually twice, and
 * five times at most. */
double roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max);

G_END_DECLS
