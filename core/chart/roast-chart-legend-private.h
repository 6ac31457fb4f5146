/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-frame-private.h"

G_BEGIN_DECLS

GArray *roast_chart_legend_new (void);
void roast_chart_legend_add (GArray *self, RoastChartSwatch swatch, const RoastChartLook *look);
/* Draw the legend in rows of this width, and return its height. Entries that do not fit are only counted. */
double roast_chart_legend_draw (GArray *self, RoastScene *scene, double x, double y, double width);

G_END_DECLS
