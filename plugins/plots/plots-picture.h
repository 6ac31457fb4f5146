/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* What is drawn around charts. */

/* How much room lines of text take at this width, in px. */
double plots_picture_measure_lines (const char *const *lines, double width);
/* The picture with lines of text below it, which makes it higher. */
RoastScene *plots_picture_add_lines (RoastScene *picture, const char *const *lines);
/* Instead of a chart that is not available: its title, and why. */
RoastScene *plots_picture_new_reason (RoastChartInfo *chart, const char *reason, double width, double height);
