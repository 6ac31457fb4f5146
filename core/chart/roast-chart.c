/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-chart.h"

#include <math.h>

#include "roast-chart-drawing-private.h"

static gboolean
draw_kind (RoastChartDrawing *drawing, GError **error)
{
  switch (roast_chart_info_get_kind (drawing->chart))
    {
    case ROAST_CHART_KIND_HISTOGRAM:
      return roast_chart_draw_histogram (drawing, error);
    case ROAST_CHART_KIND_SCATTER:
      return roast_chart_draw_scatter (drawing, error);
    case ROAST_CHART_KIND_BARS:
      return roast_chart_draw_bars (drawing, error);
    case ROAST_CHART_KIND_LANES:
      return roast_chart_draw_lanes (drawing, error);
    case ROAST_CHART_KIND_LINE:
    case ROAST_CHART_KIND_STEP:
    case ROAST_CHART_KIND_AREA:
    default:
      return roast_chart_draw_lines (drawing, error);
    }
}

/**
 * roast_chart_draw:
 * @chart: the chart to draw
 * @recording: the measured tables, of a run that may still go on
 * @report: (nullable): the derived tables; %NULL if there are none yet
 * @width: width of the picture, in px
 * @height: height of the picture, in px
 * @error: return location for an error
 *
 * Draws a chart. Times are seconds since the start of the run.
 *
 * The memory that is needed depends on the size of the picture and on the number of names, never on the number of rows.
 * Details smaller than a pixel are merged, and a note counts the items that do not fit. To add up rows with the same x,
 * up to 262144 values of x are kept per line. If a line has more values of x, its rows must be nearly sorted by x;
 * otherwise the chart is not available.
 *
 * Returns: (transfer full): the picture; %NULL with %ROAST_CHART_ERROR_NOT_AVAILABLE if the chart cannot be drawn
 *
 * Since: 0.9
 */
RoastScene *
roast_chart_draw (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report, double width,
                  double height, GError **error)
{
  RoastChartDrawing drawing = { 0 };
  RoastScene *scene = NULL;

  g_return_val_if_fail (ROAST_IS_CHART_INFO (chart), NULL);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), NULL);
  g_return_val_if_fail (report == NULL || ROAST_IS_REPORT (report), NULL);
  g_return_val_if_fail (isfinite (width) && width > 0 && isfinite (height) && height > 0, NULL);

  if (!roast_chart_drawing_open (&drawing, chart, recording, report, error))
    return NULL;
  roast_chart_frame_init (&drawing.frame, chart, width, height);
  drawing.data = roast_chart_data_new (chart);
  if (draw_kind (&drawing, error))
    {
      scene = g_steal_pointer (&drawing.frame.scene);
      roast_chart_data_set_frame (drawing.data, &drawing.frame, drawing.cells[ROAST_CHART_CELL_X].is_time);
      roast_scene_take_data (scene, g_steal_pointer (&drawing.data));
    }
  roast_chart_drawing_clear (&drawing);

  return scene;
}

typedef struct
{
  guint n;            /* number of rows that would be drawn */
  gboolean has_value; /* TRUE if a row has a value other than zero */
  double first;       /* x of the first row */
  gboolean varies;    /* TRUE if x differs between rows */
} Seen;

static void
look_at_row (RoastChartRows *rows, const RoastChartRow *row, Seen *seen)
{
  const RoastChartCellInfo *cells = rows->cells;
  RoastChartNames *lanes = cells[ROAST_CHART_CELL_LANE].names;
  gboolean has_y = !cells[ROAST_CHART_CELL_Y].is_used;
  gboolean has_value = has_y;
  double x = row->numbers[ROAST_CHART_CELL_X];
  gboolean has_x = isfinite (x) || cells[ROAST_CHART_CELL_X].names != NULL;

  for (guint k = 0; k < ROAST_CHART_MAX_Y; k++)
    if (isfinite (row->numbers[ROAST_CHART_CELL_Y + k]))
      {
        has_y = TRUE;
        has_value = has_value || row->numbers[ROAST_CHART_CELL_Y + k] != 0;
      }
  if (!has_x || !has_y || (lanes != NULL && roast_chart_names_is_missing (lanes, row->names[ROAST_CHART_CELL_LANE])))
    return;
  seen->varies = seen->varies || (seen->n > 0 && x != seen->first);
  seen->first = seen->n == 0 ? x : seen->first;
  seen->n++;
  seen->has_value = seen->has_value || has_value;
}

/* Return whether the rows seen so far are enough for a chart. If @needs is 2 or more, histograms and lines also need
 * two different values of x. */
static gboolean
is_enough (RoastChartInfo *chart, const Seen *seen, guint needs)
{
  RoastChartKind kind = roast_chart_info_get_kind (chart);

  return seen->n >= needs && seen->has_value &&
         (seen->varies || needs < 2 || kind == ROAST_CHART_KIND_BARS || kind == ROAST_CHART_KIND_LANES ||
          kind == ROAST_CHART_KIND_SCATTER);
}

/**
 * roast_chart_is_worth:
 * @chart: a chart
 * @recording: the measured tables
 * @report: (nullable): the derived tables
 *
 * Checks whether the tables have enough rows for the chart, which declares how many rows it needs. Stops reading as
 * soon as the answer is known.
 *
 * Returns: %TRUE if the chart is worth drawing; %FALSE if there is little or nothing to see
 *
 * Since: 0.9
 */
gboolean
roast_chart_is_worth (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastChartRows *rows = NULL;
  guint needs = 0;
  Seen seen = { 0 };
  const RoastChartRow *row = NULL;

  g_return_val_if_fail (ROAST_IS_CHART_INFO (chart), FALSE);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), FALSE);
  g_return_val_if_fail (report == NULL || ROAST_IS_REPORT (report), FALSE);

  rows = roast_chart_rows_new (chart, recording, report, NULL);
  if (rows == NULL)
    return FALSE;
  needs = MAX (roast_chart_info_get_declaration (chart)->needs, 1);
  while (!is_enough (chart, &seen, needs) && (row = roast_chart_rows_next (rows)) != NULL)
    look_at_row (rows, row, &seen);
  roast_chart_rows_free (rows);

  return is_enough (chart, &seen, needs);
}
