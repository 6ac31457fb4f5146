/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-frame-private.h"
#include "roast/roast-chart-info.h"

G_BEGIN_DECLS

/* Columns of points for each column of pixels: those who zoom into a chart see more than the picture has. */
#define ROAST_CHART_FINE 4

/* The numbers of a chart beside its picture: what the picture was drawn from, for programs that draw it again. */
typedef struct _RoastChartData RoastChartData;

RoastChartData *roast_chart_data_new (RoastChartInfo *chart);
void roast_chart_data_free (RoastChartData *self);
/* Axes, once they are placed. Times are written as whole µs, as they were measured. */
void roast_chart_data_set_frame (RoastChartData *self, const RoastChartFrame *frame, gboolean x_is_time);
/* Both arrays of double are taken over: points as fine as they are known, and as the picture has them. Each point has
 * @width numbers: x and y, or x, y, lowest and highest. */
void roast_chart_data_add_series (RoastChartData *self, const RoastChartLook *look, guint width, GArray *fine,
                                  GArray *coarse);
/* A line across. */
void roast_chart_data_add_guide (RoastChartData *self, const char *label, double y);

/* Lanes, from the top, each of so many rows. */
void roast_chart_data_add_lane (RoastChartData *self, const char *name, guint n_rows);
/* A colour of the stretches in lanes, by its number. */
void roast_chart_data_add_colour (RoastChartData *self, const RoastChartLook *look);
/* A rectangle of the picture, in this row from the top: a stretch (@n is -1), or one of a picture that is folded, in
 * which @n stretches of its lane began. */
void roast_chart_data_add_box (RoastChartData *self, guint row, guint colour, gboolean is_pale, gint64 n, double start,
                               double end);
/* By the scene that they belong to. */
void roast_scene_take_data (RoastScene *self, RoastChartData *data);
RoastChartData *roast_scene_get_data (RoastScene *self);

G_END_DECLS
