/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Text below and in place of charts. */

/* Returns the height in px of @lines wrapped at this width. */
double plots_picture_measure_lines (const char *const *lines, double width);
/* Returns the picture extended by lines of text below it. */
RoastScene *plots_picture_add_lines (RoastScene *picture, const char *const *lines);
/* Returns a picture for an unavailable chart: its title and the reason. */
RoastScene *plots_picture_new_reason (RoastChartInfo *chart, const char *reason, double width, double height);
