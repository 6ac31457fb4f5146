/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-frame-private.h"

GArray *roast_chart_legend_new (void);
void roast_chart_legend_add (GArray *self, RoastChartSwatch swatch, const RoastChartLook *look);
/* Draw the legend in rows of @width, and return its height. A text such as "and 14 more" replaces the entries that do
 * not fit. */
double roast_chart_legend_draw (GArray *self, RoastScene *scene, double x, double y, double width);
