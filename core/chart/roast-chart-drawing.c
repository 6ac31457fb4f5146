/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-drawing-private.h"

#include <math.h>
#include <string.h>

#include "roast/roast-error.h"
#include "roast/roast-format.h"

/* A guide that would make the data smaller than a third of the picture is noted instead. */
#define FAR 3.0
/* Of all lines together: about 65 kB of SVG. */
#define MAX_POINTS 8000
#define POINTS_PER_COLUMN 4

static gboolean
has_value (RoastChartDrawing *self, guint row)
{
  for (guint k = 0; k < self->n_y; k++)
    if (isfinite (roast_chart_rows_get_numbers (self->rows, ROAST_CHART_CELL_Y + k)[row]))
      return TRUE;

  return FALSE;
}

void
roast_chart_drawing_measure (RoastChartDrawing *self, RoastChartRange *x_range, RoastChartTotals *totals,
                             gboolean by_highest, guint64 *n_x, guint64 *n_rows)
{
  double before = NAN;
  guint n = 0;

  while (roast_chart_rows_next (self->rows, &n))
    {
      const double *x = roast_chart_rows_get_numbers (self->rows, ROAST_CHART_CELL_X);
      const double *per = roast_chart_rows_get_numbers (self->rows, ROAST_CHART_CELL_PER);
      const guint *group = roast_chart_rows_get_names (self->rows, ROAST_CHART_CELL_GROUP);

      for (guint i = 0; n_x != NULL && i < n; i++)
        if (has_value (self, i))
          {
            *n_rows += 1;
            *n_x += x[i] != before;
            before = x[i];
          }
      for (guint k = 0; k < self->n_y; k++)
        {
          const double *y = roast_chart_rows_get_numbers (self->rows, ROAST_CHART_CELL_Y + k);

          for (guint i = 0; i < n; i++)
            if (isfinite (y[i]))
              {
                roast_chart_range_add (x_range, x[i]);
                if (by_highest)
                  roast_chart_totals_raise (totals, group != NULL ? group[i] : 0, per != NULL ? y[i] / per[i] : y[i]);
                else
                  roast_chart_totals_add (totals, group != NULL ? group[i] : 0, y[i]);
              }
        }
    }
}

gboolean
roast_chart_drawing_is_ratio (RoastChartDrawing *self)
{
  return roast_chart_rows_is_used (self->rows, ROAST_CHART_CELL_PER);
}

guint
roast_chart_drawing_get_most (RoastChartDrawing *self, guint otherwise)
{
  guint top = roast_chart_info_get_top (self->chart);

  return top > 0 ? MIN (top, otherwise) : otherwise;
}

guint
roast_chart_drawing_count_columns (RoastChartDrawing *self)
{
  guint columns = (guint) CLAMP (self->frame.width, 16, 4000);

  return MIN (columns, MAX (MAX_POINTS / (POINTS_PER_COLUMN * MAX (self->n_series, 1)), 16));
}

void
roast_chart_drawing_set_x (RoastChartDrawing *self, RoastChartRange range)
{
  RoastChartFrame *frame = &self->frame;
  gboolean is_time = roast_chart_rows_is_time (self->rows, ROAST_CHART_CELL_X);
  double end = roast_chart_rows_get_end (self->rows);

  if (is_time)
    {
      range.min = fmin (range.min, 0);
      range.max = fmax (range.max, end);
    }
  frame->x_label =
      is_time ? g_strdup ("time since start") : roast_chart_rows_dup_label (self->rows, ROAST_CHART_CELL_X);
  roast_chart_scale_init (&frame->x, range.min, range.max, 0,
                          roast_chart_rows_get_format (self->rows, ROAST_CHART_CELL_X));
}

const char *
roast_chart_drawing_get_y_format (RoastChartDrawing *self)
{
  if (roast_chart_drawing_is_ratio (self))
    return "percent";
  if (roast_chart_info_get_combine (self->chart) == ROAST_CHART_COMBINE_MEAN &&
      g_str_equal (roast_chart_rows_get_format (self->rows, ROAST_CHART_CELL_Y), "count"))
    return "number";

  return roast_chart_rows_get_format (self->rows, ROAST_CHART_CELL_Y);
}

/* A quotient has none. */
static void
cut_unit (char *label)
{
  char *unit = g_str_has_suffix (label, ")") ? strrchr (label, '(') : NULL;

  if (unit != NULL && unit > label)
    unit[-1] = '\0';
}

char *
roast_chart_drawing_dup_y_label (RoastChartDrawing *self)
{
  g_autofree char *y = roast_chart_rows_dup_label (self->rows, ROAST_CHART_CELL_Y);
  g_autofree char *per = NULL;

  /* The legend names them. */
  if (self->n_y > 1)
    {
      const char *format = roast_chart_rows_get_format (self->rows, ROAST_CHART_CELL_Y);

      return g_strdup (g_str_equal (format, "duration") ? "time" : g_str_equal (format, "bytes") ? "size" : "");
    }
  if (roast_chart_drawing_is_ratio (self))
    {
      per = roast_chart_rows_dup_label (self->rows, ROAST_CHART_CELL_PER);
      cut_unit (y);
      cut_unit (per);
      return g_strconcat (y, " / ", per, NULL);
    }
  if (roast_chart_info_get_combine (self->chart) == ROAST_CHART_COMBINE_MEAN)
    return g_strconcat ("mean ", y, NULL);

  return g_steal_pointer (&y);
}

static gboolean
is_near (double value, RoastChartRange range)
{
  double size = fmax (fabs (range.min), fabs (range.max));

  return range.n == 0 || fabs (value) <= FAR * size;
}

void
roast_chart_drawing_set_y (RoastChartDrawing *self, RoastChartRange range, double least_positive,
                           RoastChartScaleFlags flags)
{
  const char *format = roast_chart_drawing_get_y_format (self);
  RoastChartRange data = range;

  for (guint i = 0; i < self->n_guides; i++)
    if (self->guides[i].kind == ROAST_CHART_GUIDE_VALUE)
      {
        if (is_near (self->guides[i].value, data))
          roast_chart_range_add (&range, self->guides[i].value);
        else
          {
            g_autofree char *value = roast_format_number (self->guides[i].value, format);

            roast_chart_frame_add_note (&self->frame, g_strdup_printf ("%s (%s) is far above what was measured",
                                                                       self->guides[i].label, value));
          }
      }
  flags |= ROAST_CHART_SCALE_NICE;
  if (roast_chart_info_get_log_scale (self->chart))
    {
      flags = (flags & (RoastChartScaleFlags) ~ROAST_CHART_SCALE_ZERO) | ROAST_CHART_SCALE_LOG;
      if (range.min <= 0)
        roast_chart_frame_add_note (&self->frame,
                                    g_strdup ("zero and negative values are not shown: the scale is logarithmic"));
      range.min = range.min <= 0 ? least_positive : range.min;
    }
  else if (range.min > 0 && range.min < range.max / 2)
    flags |= ROAST_CHART_SCALE_ZERO;
  self->frame.has_y = TRUE;
  self->frame.y_label = roast_chart_drawing_dup_y_label (self);
  roast_chart_scale_init (&self->frame.y, range.min, range.max, flags, format);
}

void
roast_chart_drawing_add_value_guides (RoastChartDrawing *self)
{
  const RoastChartScale *y = &self->frame.y;

  for (guint i = 0; i < self->n_guides; i++)
    if (self->guides[i].kind == ROAST_CHART_GUIDE_VALUE && self->guides[i].value >= y->min &&
        self->guides[i].value <= y->max)
      {
        roast_chart_frame_add_guide_y (&self->frame, self->guides[i].value, self->guides[i].label);
        roast_chart_data_add_guide (self->data, self->guides[i].label, self->guides[i].value);
      }
}

/* Of a table of one row for each X, “per_X”, these are X. */
char *
roast_chart_drawing_dup_rows (RoastChartDrawing *self)
{
  const char *table = roast_chart_info_get_table (self->chart);
  g_autofree char *name = g_strdelimit (g_strdup (table), "_", ' ');

  return g_str_has_prefix (name, "per ") ? roast_chart_selection_make_plural (name + strlen ("per "))
                                         : g_steal_pointer (&name);
}

char *
roast_chart_drawing_dup_series_name (RoastChartDrawing *self, const RoastChartSelection *groups, guint series)
{
  if (self->n_y > 1)
    return roast_chart_rows_dup_label (self->rows, ROAST_CHART_CELL_Y + series);
  if (roast_chart_rows_is_used (self->rows, ROAST_CHART_CELL_GROUP))
    return g_strdup (roast_chart_rows_get_name (self->rows, ROAST_CHART_CELL_GROUP, groups->names[series]));

  return roast_chart_rows_dup_label (self->rows, ROAST_CHART_CELL_Y);
}

void
roast_chart_drawing_add_note_of_missing (RoastChartDrawing *self, RoastChartCell cell, guint64 n)
{
  g_autofree char *rows = roast_chart_drawing_dup_rows (self);
  g_autofree char *label = roast_chart_rows_dup_label (self->rows, cell);

  if (n == 0)
    return;
  cut_unit (label);
  roast_chart_frame_add_note (&self->frame,
                              n == 1 ? g_strdup_printf ("1 of the %s has no %s and is not shown", rows, label)
                                     : g_strdup_printf ("%" G_GUINT64_FORMAT " %s without a %s are not shown", n, rows,
                                                        label));
}

gboolean
roast_chart_drawing_not_whole (RoastChartDrawing *self, GError **error)
{
  g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
               "the table “%s” has too many values of “%s” in no order to add up their rows: write rows in its order",
               roast_chart_info_get_table (self->chart), roast_chart_info_get_x (self->chart));

  return FALSE;
}

gboolean
roast_chart_drawing_no_rows (RoastChartDrawing *self, GError **error)
{
  const char *y = roast_chart_info_get_y (self->chart)[0];
  const char *per = roast_chart_info_get_per (self->chart);
  g_autoptr (GString) columns = g_string_new (NULL);
  guint n_where = 0;

  g_string_append_printf (columns, "“%s”", roast_chart_info_get_x (self->chart));
  if (y != NULL)
    g_string_append_printf (columns, "%s“%s”", per != NULL ? ", " : " and ", y);
  if (per != NULL)
    g_string_append_printf (columns, " and “%s”", per);
  roast_chart_info_get_where (self->chart, &n_where);
  g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, "no row of the table “%s”%s has %s",
               roast_chart_info_get_table (self->chart), n_where > 0 ? " that the chart selects" : "", columns->str);

  return FALSE;
}
