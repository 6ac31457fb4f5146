/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Pictures with text below a chart, or instead of a chart. */

/* Returns the height of @lines after they are wrapped at @width, in px. */
double plots_picture_measure_lines (const char *const *lines, double width);
/* Returns a copy of @picture with lines of text below it, and the height increased for them. */
RoastScene *plots_picture_add_lines (RoastScene *picture, const char *const *lines);
/* Returns a picture for a chart that is not available. It shows the title of the chart and @reason. */
RoastScene *plots_picture_new_reason (RoastChartInfo *chart, const char *reason, double width, double height);
