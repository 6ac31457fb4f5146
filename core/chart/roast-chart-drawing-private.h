/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-chart-columns-private.h"
#include "roast-chart-data-private.h"
#include "roast-chart-frame-private.h"
#include "roast-chart-legend-private.h"
#include "roast-chart-rows-private.h"
#include "roast-chart-selection-private.h"

G_BEGIN_DECLS

/* Default number of series that get a colour of their own. */
#define ROAST_CHART_MAX_LINES 24
#define ROAST_CHART_MAX_PARTS 8

/* A chart being drawn. */
typedef struct
{
  RoastChartInfo *chart;
  const RoastChartDeclaration *declared;
  RoastChartRows *rows;
  const RoastChartCellInfo *cells; /* by RoastChartCell */
  RoastChartFrame frame;
  RoastChartData *data;
  guint n_y;      /* number of columns in Y */
  guint n_series; /* number of lines; 0 if it does not matter */
  RoastChartSelection groups;
  RoastChartLook *looks; /* looks of series or parts; NULL until they are known */
  guint n_looks;
} RoastChartDrawing;

/* Draw a chart. There is one function for each family of kinds. Return FALSE with ROAST_CHART_ERROR_NOT_AVAILABLE. */
gboolean roast_chart_draw_lines (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_histogram (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_scatter (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_bars (RoastChartDrawing *self, GError **error);
gboolean roast_chart_draw_lanes (RoastChartDrawing *self, GError **error);

/* Functions that several families use, in roast-chart-drawing.c. */

/* Begin to draw a chart. Return FALSE with ROAST_CHART_ERROR_NOT_AVAILABLE. */
gboolean roast_chart_drawing_open (RoastChartDrawing *self, RoastChartInfo *chart, RoastRecordingSnapshot *recording,
                                   RoastReport *report, GError **error);

/* Choose @most groups. The other groups, if any, form one more part. Return the number of parts. */
guint roast_chart_drawing_choose_parts (RoastChartDrawing *self, guint most);
/* Make the looks of @n columns in Y, or, if there is one column, of groups followed by their others. If not NULL,
 * @columns has the numbers of the columns that are drawn, and @palettes the numbers of their colours. */
void roast_chart_drawing_make_looks (RoastChartDrawing *self, guint n, const guint *columns, const guint *palettes);
/* Add all looks to the legend. */
void roast_chart_drawing_add_legend (RoastChartDrawing *self, RoastChartSwatch swatch);
void roast_chart_drawing_clear (RoastChartDrawing *self);
gboolean roast_chart_drawing_is_ratio (RoastChartDrawing *self);
guint roast_chart_drawing_get_most (RoastChartDrawing *self, guint otherwise);
/* Return the number of columns of pixels over the whole width. A column is several pixels wide if there are more
 * lines than users can distinguish. */
guint roast_chart_drawing_count_columns (RoastChartDrawing *self);
/* Set the axis of x for points in this range. An axis of time covers the whole run. */
void roast_chart_drawing_set_x (RoastChartDrawing *self, RoastChartRange range);
/* Set the axis of y to the range of the values, and of guides that are near. Guides that are far off become notes. */
void roast_chart_drawing_set_y (RoastChartDrawing *self, RoastChartRange range, RoastChartScaleFlags flags);
void roast_chart_drawing_add_value_guides (RoastChartDrawing *self);
const char *roast_chart_drawing_get_y_format (RoastChartDrawing *self);
/* Return a label such as "memory / memory limit" or "mean memory". */
char *roast_chart_drawing_dup_y_label (RoastChartDrawing *self);
/* Return what the rows of the table are, such as "chunks" or "files". */
char *roast_chart_drawing_dup_rows (RoastChartDrawing *self);
/* Add a note about @n rows that are not shown, since they have no value in a cell. */
void roast_chart_drawing_add_note_of_missing (RoastChartDrawing *self, RoastChartCell cell, guint64 n);
/* Set the error for sums that would be wrong. Return FALSE. */
gboolean roast_chart_drawing_not_whole (RoastChartDrawing *self, GError **error);
gboolean roast_chart_drawing_no_rows (RoastChartDrawing *self, GError **error);

G_END_DECLS
