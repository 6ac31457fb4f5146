/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-rows-private.h"

G_BEGIN_DECLS

/* Return the median of the finite numbers of a column, NaN if there are none. */
double roast_chart_find_median (RoastChartRows *rows, RoastChartCell cell);

G_END_DECLS
