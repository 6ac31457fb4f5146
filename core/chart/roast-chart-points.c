/* SPDX-License-Identifier: BSD-3-Clause */

/* Returns the numbers of a line, for callers that draw it themselves. */

#include "roast/roast-chart.h"

#include <math.h>

#include "roast-chart-drawing-private.h"
#include "roast/roast-error.h"

/* Resolution in pixels of the widest picture. */
#define N_COLUMNS 4096

static gboolean
find_cell (RoastChartInfo *chart, const char *column, RoastChartCell *cell, GError **error)
{
  const char *const *y = roast_chart_info_get_y (chart);
  RoastChartKind kind = roast_chart_info_get_kind (chart);

  if ((kind != ROAST_CHART_KIND_LINE && kind != ROAST_CHART_KIND_STEP && kind != ROAST_CHART_KIND_AREA) ||
      roast_chart_info_get_text (chart, "Group") != NULL)
    {
      g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
                   "the chart “%s” has no separate line for each column", roast_chart_info_get_name (chart));
      return FALSE;
    }
  *cell = ROAST_CHART_CELL_Y2;
  if (g_strcmp0 (column, roast_chart_info_get_text (chart, "Y2")) == 0)
    return TRUE;
  for (guint i = 0; y[i] != NULL; i++)
    if (g_str_equal (column, y[i]))
      {
        *cell = ROAST_CHART_CELL_Y + i;
        return TRUE;
      }
  g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
               "the chart “%s” does not show the column “%s”", roast_chart_info_get_name (chart), column);

  return FALSE;
}

static RoastChartRange
measure (RoastChartRows *rows, RoastChartCell cell)
{
  RoastChartRange range = ROAST_CHART_RANGE_INIT;
  const RoastChartRow *row = NULL;

  while ((row = roast_chart_rows_next (rows)) != NULL)
    if (isfinite (row->numbers[cell]))
      roast_chart_range_add (&range, row->numbers[ROAST_CHART_CELL_X]);
  roast_chart_rows_rewind (rows);

  return range;
}

/* Drop the lowest and highest values, which means have in addition. */
static void
keep_x_and_y (GArray *points, guint width)
{
  guint n = points->len / width;
  double *numbers = (double *) (gpointer) points->data;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < 2; k++)
      numbers[2 * i + k] = numbers[width * i + k];
  g_array_set_size (points, 2 * n);
}

static GArray *
read_points (RoastChartDrawing *drawing, RoastChartCell cell, GError **error)
{
  RoastChartRows *rows = drawing->rows;
  gboolean is_ratio = cell != ROAST_CHART_CELL_Y2 && roast_chart_drawing_is_ratio (drawing);
  RoastChartColumns *columns = roast_chart_columns_new (N_COLUMNS, drawing->frame.x.min, drawing->frame.x.max,
                                                        drawing->declared->combine, is_ratio);
  GArray *points = NULL;
  const RoastChartRow *row = NULL;

  while ((row = roast_chart_rows_next (rows)) != NULL)
    roast_chart_columns_add (columns, row->numbers[ROAST_CHART_CELL_X], row->numbers[cell],
                             row->numbers[ROAST_CHART_CELL_PER]);
  roast_chart_columns_end (columns);
  if (roast_chart_columns_is_whole (columns))
    {
      points = roast_chart_columns_dup_points (columns, 1);
      keep_x_and_y (points, roast_chart_columns_get_width (columns));
    }
  else
    roast_chart_drawing_not_whole (drawing, error);
  roast_chart_columns_free (columns);

  return points;
}

/**
 * roast_chart_dup_points:
 * @chart: a chart of lines, steps or areas without a group
 * @recording: the measured tables
 * @report: (nullable): the derived tables
 * @column: the column of the line, which must be a Y or the Y2 of the chart
 * @n_xy: (out): length of the returned array: two numbers per point
 * @error: return location for an error
 *
 * Gets the points of a line in the order of x, as [func@chart_draw] would draw them in a wide picture. The rows are
 * selected, and added up or averaged, as the chart declares. If the table has more rows than a picture has pixels, only
 * the visible points are returned.
 *
 * Returns: (transfer full) (array length=n_xy): x and y of each point in their base units, times in seconds since the
 *   start of the run, and shares as parts of 1; %NULL with %ROAST_CHART_ERROR_NOT_AVAILABLE and the reason. Free with
 *   g_free()
 *
 * Since: 0.9
 */
double *
roast_chart_dup_points (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report,
                        const char *column, guint *n_xy, GError **error)
{
  RoastChartDrawing drawing = { 0 };
  RoastChartCell cell = ROAST_CHART_CELL_Y;
  RoastChartRange range;
  GArray *points = NULL;

  g_return_val_if_fail (n_xy != NULL, NULL);
  *n_xy = 0;
  g_return_val_if_fail (ROAST_IS_CHART_INFO (chart), NULL);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), NULL);
  g_return_val_if_fail (report == NULL || ROAST_IS_REPORT (report), NULL);
  g_return_val_if_fail (column != NULL, NULL);

  if (!find_cell (chart, column, &cell, error))
    return NULL;
  if (!roast_chart_drawing_open (&drawing, chart, recording, report, error))
    return NULL;
  range = measure (drawing.rows, cell);
  if (roast_chart_rows_get_holders (drawing.rows) != NULL && cell != ROAST_CHART_CELL_Y2)
    {
      g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
                   "the chart “%s” adds up values that hold until the next value, so it has a picture, but no points",
                   roast_chart_info_get_name (chart));
      roast_chart_rows_free (drawing.rows);
      return NULL;
    }
  if (range.n > 0)
    {
      /* Use the same axis as a picture. */
      roast_chart_frame_init (&drawing.frame, chart, N_COLUMNS, 1);
      roast_chart_drawing_set_x (&drawing, range);
      points = read_points (&drawing, cell, error);
      *n_xy = points != NULL ? points->len : 0;
      roast_chart_frame_clear (&drawing.frame);
    }
  else
    g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
                 "no row of the table “%s” that the chart selects has “%s” and “%s”",
                 roast_chart_info_get_table (chart), roast_chart_info_get_text (chart, "X"), column);
  roast_chart_rows_free (drawing.rows);

  return points != NULL ? (double *) (gpointer) g_array_free (points, FALSE) : NULL;
}
