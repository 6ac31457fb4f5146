/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-columns-private.h"
#include "roast-chart-data-private.h"
#include "roast-chart-frame-private.h"
#include "roast-chart-legend-private.h"
#include "roast-chart-rows-private.h"
#include "roast-chart-selection-private.h"

/* Maximum number of lines in a chart, and of parts, each of which has its own colour, in charts of bars, lanes or
 * points. */
#define ROAST_CHART_MAX_LINES 24
#define ROAST_CHART_MAX_PARTS 8

/* A chart being drawn. */
typedef struct
{
  RoastChartInfo *chart;
  const RoastChartDeclaration *declared;
  RoastChartRows *rows;
  const RoastChartCellInfo *cells; /* cells of the rows, indexed by RoastChartCell */
  RoastChartFrame frame;
  RoastChartData *data;
  guint n_y;      /* number of columns in Y */
  guint n_series; /* number of lines, for limiting the points of each line; 0 for charts without lines */
  RoastChartSelection groups;
  RoastChartLook *looks; /* looks of series or parts; NULL until they are known */
  guint n_looks;
} RoastChartDrawing;

/* Functions that each draw one kind of chart; draw_lines () draws lines, steps and areas. If the chart cannot be drawn,
 * the functions return FALSE with ROAST_CHART_ERROR_NOT_AVAILABLE. */
gboolean roast_chart_draw_lines (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_histogram (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_scatter (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_bars (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_lanes (RoastChartDrawing *self, GError **error);

/* Functions that the drawing functions above use, in roast-chart-drawing.c. */

/* Open the rows of a chart. Return FALSE with ROAST_CHART_ERROR_NOT_AVAILABLE if the chart cannot be drawn. */
gboolean roast_chart_drawing_open (RoastChartDrawing *self, RoastChartInfo *chart, RoastRecordingSnapshot *recording,
                                   RoastReport *report, GError **error);

/* Choose up to @most groups. Each chosen group is a part; all other groups together are one more part. Return the
 * number of parts. */
guint roast_chart_drawing_choose_parts (RoastChartDrawing *self, guint most);
/* Make @n looks. If Y has several columns, each look is for one column. Otherwise each look is for one chosen group,
 * and an additional look is for all other groups together. @columns has the index of the column or group of each look;
 * NULL means 0, 1, 2, … @palettes has the number of the colour of each look; NULL means 0, 1, 2, … */
void roast_chart_drawing_make_looks (RoastChartDrawing *self, guint n, const guint *columns, const guint *palettes);
/* Add all looks to the legend. */
void roast_chart_drawing_add_legend (RoastChartDrawing *self, RoastChartSwatch swatch);
void roast_chart_drawing_clear (RoastChartDrawing *self);
gboolean roast_chart_drawing_is_ratio (RoastChartDrawing *self);
guint roast_chart_drawing_get_most (RoastChartDrawing *self, guint otherwise);
/* Return the number of columns into which the width of the picture is divided. Columns are one pixel wide, or wider if
 * there are so many lines that the picture would exceed its limit of points. */
guint roast_chart_drawing_count_columns (RoastChartDrawing *self);
/* Set the x axis to the range of the points. If x is a time, the axis covers the whole run. */
void roast_chart_drawing_set_x (RoastChartDrawing *self, RoastChartRange range);
/* Set the y axis to the range of the values, extended to guides near this range. For each guide far above this range,
 * add a note with the value of the guide. */
void roast_chart_drawing_set_y (RoastChartDrawing *self, RoastChartRange range, RoastChartScaleFlags flags);
void roast_chart_drawing_add_value_guides (RoastChartDrawing *self);
const char *roast_chart_drawing_get_y_format (RoastChartDrawing *self);
/* Return a label such as "memory / memory limit" or "mean memory". */
char *roast_chart_drawing_dup_y_label (RoastChartDrawing *self);
/* Return the plural noun for the rows of the table, such as "chunks" or "files". */
char *roast_chart_drawing_dup_rows (RoastChartDrawing *self);
/* Add a note about @n rows that are not shown because they have no value in @cell. */
void roast_chart_drawing_add_note_of_missing (RoastChartDrawing *self, RoastChartCell cell, guint64 n);
/* Set the error for a table whose rows are so unsorted by x that sums of rows with the same x would be wrong. Return
 * FALSE. */
gboolean roast_chart_drawing_not_whole (RoastChartDrawing *self, GError **error);
gboolean roast_chart_drawing_no_rows (RoastChartDrawing *self, GError **error);
