/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

/* The median of @n numbers from @min to @max in a column: exact for up to 10 000, else to a millionth of a millionth of
 * their range. It walks the rows up to four times. */
double roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell, guint64 n, double min, double max);

G_END_DECLS
