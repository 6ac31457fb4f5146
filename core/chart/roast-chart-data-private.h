/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-frame-private.h"
#include "roast/roast-chart-info.h"

G_BEGIN_DECLS

/* Columns of points per column of pixels. They let users zoom in and see more than the picture shows. */
#define ROAST_CHART_FINE 4

/* The numbers that a chart was drawn from, for programs that draw it again. */
typedef struct _RoastChartData RoastChartData;

RoastChartData *roast_chart_data_new (RoastChartInfo *chart);
void roast_chart_data_free (RoastChartData *self);
/* Record the axes after they have been placed. Times are written as whole µs, in which they were measured. */
void roast_chart_data_set_frame (RoastChartData *self, const RoastChartFrame *frame, gboolean x_is_time);
/* Add a series. Take ownership of both arrays of double: points in full detail, and points as in the picture. Each
 * point has @width numbers: x and y, or x, y, lowest and highest. */
void roast_chart_data_add_series (RoastChartData *self, const RoastChartLook *look, guint width, GArray *fine,
                                  GArray *coarse);
/* Add a horizontal line. */
void roast_chart_data_add_guide (RoastChartData *self, const char *label, double y);

/* Add a lane of @n_rows rows. Lanes are added from the top. */
void roast_chart_data_add_lane (RoastChartData *self, const char *name, guint n_rows);
/* Add a colour for stretches in lanes. Colours are numbered from 0. */
void roast_chart_data_add_colour (RoastChartData *self, const RoastChartLook *look);
/* Add a rectangle of the picture. Rows count from the top. The rectangle is a single stretch (@n is -1), or, in a
 * folded picture, stands for @n stretches of its lane that began within it. */
void roast_chart_data_add_box (RoastChartData *self, guint row, guint colour, gboolean is_pale, gint64 n, double start,
                               double end);
/* Give the data to the scene that they belong to. */
void roast_scene_take_data (RoastScene *self, RoastChartData *data);
RoastChartData *roast_scene_get_data (RoastScene *self);

G_END_DECLS
