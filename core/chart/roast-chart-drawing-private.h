/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-columns-private.h"
#include "roast-chart-data-private.h"
#include "roast-chart-frame-private.h"
#include "roast-chart-legend-private.h"
#include "roast-chart-rows-private.h"
#include "roast-chart-selection-private.h"

G_BEGIN_DECLS

/* Series with a colour of their own, if the chart does not say how many. */
#define ROAST_CHART_MAX_LINES 24
#define ROAST_CHART_MAX_PARTS 8

/* A chart that is being drawn. */
typedef struct
{
  RoastChartInfo *chart;
  RoastChartRows *rows;
  RoastChartFrame frame;
  RoastChartData *data;
  guint n_y; /* columns in Y */
  const RoastChartGuide *guides;
  guint n_guides;
  guint n_series; /* lines; 0 if that does not matter */
  RoastChartSelection groups;
  RoastChartLook *looks; /* of series or parts; NULL until they are known */
  guint n_looks;
} RoastChartDrawing;

/* One for each family of kinds. FALSE with ROAST_CHART_ERROR_NOT_AVAILABLE. */
gboolean roast_chart_draw_lines (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_histogram (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_scatter (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_bars (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_lanes (RoastChartDrawing *self, GError **error);

/* roast-chart-drawing.c: what several families do. */

/* Reads all rows: the range of x where there is a Y, what each name of Group counts (the sum of its Y, or with
 * @by_highest its highest value, divided by Per if there is one), and, unless they are NULL, how many rows have a Y,
 * and how often x changes from one of them to the next. */
void roast_chart_drawing_measure (RoastChartDrawing *self, RoastChartRange *x, gboolean by_highest, guint64 *n_x,
                                  guint64 *n_rows);
/* Chooses @most groups; parts have a further one for the others, if there are any. Returns the number of parts. */
guint roast_chart_drawing_choose_parts (RoastChartDrawing *self, guint most);
/* How @n columns in Y are drawn, or, if there is one column, groups and then their others. If they are not NULL,
 * @columns has the numbers of those that are drawn, and @palettes those of their colours. */
void roast_chart_drawing_make_looks (RoastChartDrawing *self, guint n, const guint *columns, const guint *palettes);
/* Of all looks. */
void roast_chart_drawing_add_legend (RoastChartDrawing *self, RoastChartSwatch swatch);
void roast_chart_drawing_clear (RoastChartDrawing *self);
gboolean roast_chart_drawing_is_ratio (RoastChartDrawing *self);
guint roast_chart_drawing_get_most (RoastChartDrawing *self, guint otherwise);
/* Columns of pixels for points over the whole width: of several pixels if many lines would be more than one can
 * distinguish. */
guint roast_chart_drawing_count_columns (RoastChartDrawing *self);
/* The axis of x for points in this range: time covers the run. */
void roast_chart_drawing_set_x (RoastChartDrawing *self, RoastChartRange range);
/* The axis of Y with the range of its values, and of guides if they are near; others are noted. */
void roast_chart_drawing_set_y (RoastChartDrawing *self, RoastChartRange range, RoastChartScaleFlags flags);
void roast_chart_drawing_add_value_guides (RoastChartDrawing *self);
const char *roast_chart_drawing_get_y_format (RoastChartDrawing *self);
/* "memory / memory limit", "mean memory". */
char *roast_chart_drawing_dup_y_label (RoastChartDrawing *self);
/* What the rows of the table are: "chunks", "files". */
char *roast_chart_drawing_dup_rows (RoastChartDrawing *self);
/* A note of rows that are left out, since they have no value of a cell. */
void roast_chart_drawing_add_note_of_missing (RoastChartDrawing *self, RoastChartCell cell, guint64 n);
/* The error of sums that would be wrong. */
gboolean roast_chart_drawing_not_whole (RoastChartDrawing *self, GError **error);
gboolean roast_chart_drawing_no_rows (RoastChartDrawing *self, GError **error);

G_END_DECLS
