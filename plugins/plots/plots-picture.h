/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Pictures with text below a chart, or instead of a chart. */

/* Returns the height of @lines in px after they were wrapped at @width. */
double plots_picture_measure_lines (const char *const *lines, double width);
/* Returns a copy of @picture that is higher, with lines of text below the picture. */
RoastScene *plots_picture_add_lines (RoastScene *picture, const char *const *lines);
/* Returns a picture that replaces a chart that is not available. It shows the title of the chart and @reason. */
RoastScene *plots_picture_new_reason (RoastChartInfo *chart, const char *reason, double width, double height);
