/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-drawing-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast/roast-error.h"
#include "roast/roast-format.h"

/* If a guide is above this many times the largest value, its line is not drawn, because the data would fill less than a
 * third of the picture. A note shows the value of the guide instead. */
#define FAR 3.0
/* Maximum number of points of all lines together, about 65 kB of SVG. */
#define MAX_POINTS 8000
#define POINTS_PER_COLUMN 4

gboolean
roast_chart_drawing_open (RoastChartDrawing *self, RoastChartInfo *chart, RoastRecordingSnapshot *recording,
                          RoastReport *report, GError **error)
{
  self->chart = chart;
  self->declared = roast_chart_info_get_declaration (chart);
  self->rows = roast_chart_rows_new (chart, recording, report, error);
  if (self->rows == NULL)
    return FALSE;
  self->cells = self->rows->cells;
  while (self->n_y < ROAST_CHART_MAX_Y && self->cells[ROAST_CHART_CELL_Y + self->n_y].is_used)
    self->n_y++;

  return TRUE;
}

gboolean
roast_chart_drawing_is_ratio (RoastChartDrawing *self)
{
  return self->cells[ROAST_CHART_CELL_PER].is_used;
}

guint
roast_chart_drawing_get_most (RoastChartDrawing *self, guint otherwise)
{
  guint top = self->declared->top;

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
  gboolean is_time = self->cells[ROAST_CHART_CELL_X].is_time;
  double end = self->rows->end;

  if (is_time)
    {
      range.min = fmin (range.min, 0);
      range.max = fmax (range.max, end);
    }
  frame->x_label = is_time ? g_strdup ("time since start") : g_strdup (self->cells[ROAST_CHART_CELL_X].label);
  roast_chart_scale_init (&frame->x, range.min, range.max, 0, self->cells[ROAST_CHART_CELL_X].format);
}

const char *
roast_chart_drawing_get_y_format (RoastChartDrawing *self)
{
  if (roast_chart_drawing_is_ratio (self))
    return "percent";
  if (self->declared->combine == ROAST_CHART_COMBINE_MEAN &&
      g_str_equal (self->cells[ROAST_CHART_CELL_Y].format, "count"))
    return "number";

  return self->cells[ROAST_CHART_CELL_Y].format;
}

/* Remove the unit at the end of a label, such as " (W)". */
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
  g_autofree char *y = g_strdup (self->cells[ROAST_CHART_CELL_Y].label);
  g_autofree char *per = NULL;

  /* If Y has several columns, the label is a general word, because the legend names the columns. */
  if (self->n_y > 1)
    {
      const char *format = self->cells[ROAST_CHART_CELL_Y].format;

      return g_strdup (g_str_equal (format, "duration") ? "time" : g_str_equal (format, "bytes") ? "size" : "");
    }
  if (roast_chart_drawing_is_ratio (self))
    {
      per = g_strdup (self->cells[ROAST_CHART_CELL_PER].label);
      cut_unit (y);
      cut_unit (per);
      return g_strconcat (y, " / ", per, NULL);
    }
  if (self->declared->combine == ROAST_CHART_COMBINE_MEAN)
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
roast_chart_drawing_set_y (RoastChartDrawing *self, RoastChartRange range, RoastChartScaleFlags flags)
{
  const char *format = roast_chart_drawing_get_y_format (self);
  RoastChartRange data = range;

  for (guint i = 0; i < self->declared->n_guides; i++)
    if (self->declared->guides[i].kind == ROAST_CHART_GUIDE_VALUE)
      {
        if (is_near (self->declared->guides[i].value, data))
          roast_chart_range_add (&range, self->declared->guides[i].value);
        else
          {
            g_autofree char *value = roast_format_number (self->declared->guides[i].value, format);

            roast_chart_frame_add_note (&self->frame, g_strdup_printf ("%s (%s) is not drawn: this value is far above "
                                                                       "the measured values",
                                                                       self->declared->guides[i].label, value));
          }
      }
  flags |= ROAST_CHART_SCALE_NICE;
  if (self->declared->log_scale)
    {
      flags = (flags & (RoastChartScaleFlags) ~ROAST_CHART_SCALE_ZERO) | ROAST_CHART_SCALE_LOG;
      if (range.min <= 0)
        roast_chart_frame_add_note (&self->frame,
                                    g_strdup ("zero and negative values are not shown: the scale is logarithmic"));
      range.min = range.min <= 0 ? data.least_positive : range.min;
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

  for (guint i = 0; i < self->declared->n_guides; i++)
    if (self->declared->guides[i].kind == ROAST_CHART_GUIDE_VALUE && self->declared->guides[i].value >= y->min &&
        self->declared->guides[i].value <= y->max)
      {
        roast_chart_frame_add_guide_y (&self->frame, self->declared->guides[i].value, self->declared->guides[i].label);
        roast_chart_data_add_guide (self->data, self->declared->guides[i].label, self->declared->guides[i].value);
      }
}

/* Derive the noun from the name of the table. A table “per_X” has one row for each X, so use the plural of X. */
char *
roast_chart_drawing_dup_rows (RoastChartDrawing *self)
{
  const char *table = roast_chart_info_get_table (self->chart);
  g_autofree char *name = g_strdelimit (g_strdup (table), "_", ' ');

  return g_str_has_prefix (name, "per ") ? roast_chart_selection_make_plural (name + strlen ("per "))
                                         : g_steal_pointer (&name);
}

guint
roast_chart_drawing_choose_parts (RoastChartDrawing *self, guint most)
{
  roast_chart_selection_choose (&self->groups, self->rows, ROAST_CHART_CELL_GROUP, most, ROAST_CHART_ORDER_SIZE);

  return self->groups.n + (roast_chart_selection_count_others (&self->groups) > 0 ? 1 : 0);
}

static char *
dup_series_name (RoastChartDrawing *self, guint series)
{
  if (self->n_y > 1)
    return g_strdup (self->cells[ROAST_CHART_CELL_Y + series].label);
  if (self->groups.all != NULL)
    return g_strdup (roast_chart_rows_get_name (self->rows, ROAST_CHART_CELL_GROUP, self->groups.names[series]));

  return g_strdup (self->cells[ROAST_CHART_CELL_Y].label);
}

/* Dash lines 9 to 16 and dot lines 17 to 24, because more than eight colours are hard to distinguish. */
static RoastSceneDash
get_dash (guint series)
{
  return (RoastSceneDash) (series / 8 % 3);
}

void
roast_chart_drawing_make_looks (RoastChartDrawing *self, guint n, const guint *columns, const guint *palettes)
{
  guint n_own = self->n_y > 1 ? n : self->groups.n;

  self->n_looks = n;
  self->looks = g_new0 (RoastChartLook, n);
  for (guint i = 0; i < MIN (n, n_own); i++)
    self->looks[i] = (RoastChartLook) { .name = dup_series_name (self, columns != NULL ? columns[i] : i),
                                        .role = ROAST_SCENE_ROLE_SERIES,
                                        .palette = palettes != NULL ? palettes[i] : i,
                                        .dash = get_dash (i) };
  if (n > n_own)
    self->looks[n_own] =
        (RoastChartLook) { .name = roast_chart_selection_dup_others (&self->groups), .role = ROAST_SCENE_ROLE_OTHERS };
}

void
roast_chart_drawing_add_legend (RoastChartDrawing *self, RoastChartSwatch swatch)
{
  for (guint i = 0; i < self->n_looks; i++)
    roast_chart_legend_add (self->frame.legend, swatch, &self->looks[i]);
}

void
roast_chart_drawing_clear (RoastChartDrawing *self)
{
  roast_chart_frame_clear (&self->frame);
  g_clear_pointer (&self->data, roast_chart_data_free);
  for (guint i = 0; i < self->n_looks; i++)
    g_free (self->looks[i].name);
  g_free (self->looks);
  roast_chart_selection_clear (&self->groups);
  roast_chart_rows_free (self->rows);
}

void
roast_chart_drawing_add_note_of_missing (RoastChartDrawing *self, RoastChartCell cell, guint64 n)
{
  g_autofree char *rows = roast_chart_drawing_dup_rows (self);
  g_autofree char *label = g_strdup (self->cells[cell].label);

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
  return roast_fail (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
                     "cannot add up the rows of the table “%s”: too many values of “%s” are unsorted. Write the rows "
                     "sorted "
                     "by this column",
                     roast_chart_info_get_table (self->chart), roast_chart_info_get_text (self->chart, "X"));
}

gboolean
roast_chart_drawing_no_rows (RoastChartDrawing *self, GError **error)
{
  const char *y = roast_chart_info_get_y (self->chart)[0];
  const char *per = roast_chart_info_get_text (self->chart, "Per");
  g_autoptr (GString) columns = g_string_new (NULL);

  g_string_append_printf (columns, "“%s”", roast_chart_info_get_text (self->chart, "X"));
  if (y != NULL)
    g_string_append_printf (columns, "%s“%s”", per != NULL ? ", " : " and ", y);
  if (per != NULL)
    g_string_append_printf (columns, " and “%s”", per);
  return roast_fail (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, "no %srow of the table “%s” has %s",
                     roast_chart_info_get_text (self->chart, "Where") != NULL ? "selected " : "",
                     roast_chart_info_get_table (self->chart), columns->str);
}
