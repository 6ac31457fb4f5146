/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-frame-private.h"
#include "roast/roast-chart-info.h"

/* Number of columns of points that are kept for each column of pixels, so that users see more detail when they zoom
 * in. */
#define ROAST_CHART_FINE 4

/* The numbers behind a picture of a chart, for programs that draw the chart themselves. */
typedef struct _RoastChartData RoastChartData;

RoastChartData *roast_chart_data_new (RoastChartInfo *chart);
void roast_chart_data_free (RoastChartData *self);
/* Record the axes, after roast_chart_frame_begin () has placed them. @x_is_time: whether x is a time, to be written in
 * whole µs, the unit in which times were measured. */
void roast_chart_data_set_frame (RoastChartData *self, const RoastChartFrame *frame, gboolean x_is_time);
/* Add a series. Take ownership of two arrays of double: @fine has the points in full detail, and @coarse the points of
 * the picture. Each point has @width numbers: x and y, or x, y, lowest and highest y. */
void roast_chart_data_add_series (RoastChartData *self, const RoastChartLook *look, guint width, GArray *fine,
                                  GArray *coarse);
/* Add a horizontal line. */
void roast_chart_data_add_guide (RoastChartData *self, const char *label, double y);

/* Add a lane with @n_rows rows. The first lane that is added is at the top. */
void roast_chart_data_add_lane (RoastChartData *self, const char *name, guint n_rows);
/* Add a colour for stretches in lanes. The first colour gets the number 0. */
void roast_chart_data_add_colour (RoastChartData *self, const RoastChartLook *look);
/* Add a rectangle of a chart of lanes. @row counts from the top of the picture. If @n is -1, the rectangle shows a
 * single stretch. In a folded picture, @n is the number of stretches of the lane that began within the rectangle. */
void roast_chart_data_add_box (RoastChartData *self, guint row, guint colour, gboolean is_pale, gint64 n, double start,
                               double end);
/* Attach the data of a chart to its picture, which takes ownership of the data. */
void roast_scene_take_data (RoastScene *self, RoastChartData *data);
RoastChartData *roast_scene_get_data (RoastScene *self);
