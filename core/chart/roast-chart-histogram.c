/* SPDX-License-Identifier: BSD-3-Clause */

#include <math.h>

#include "base/roast-format-private.h"
#include "roast-chart-drawing-private.h"
#include "roast-chart-quantile-private.h"
#include "roast/roast-format.h"

#define MIN_BINS 8
#define MAX_BINS 60
#define LEAST_WIDTH 6.0 /* of a bin, in px */

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartRange x;
  double mean;
  RoastChartTotals totals; /* rows by group */
  RoastChartSelection groups;
  guint n_parts; /* with the others */
  double first, step;
  guint n_bins;
  guint64 *counts; /* [part][bin] */
} Histogram;

static void
measure (Histogram *self)
{
  RoastChartRows *rows = self->drawing->rows;
  guint n = 0;

  while (roast_chart_rows_next (rows, &n))
    {
      const double *x = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X);
      const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

      for (guint i = 0; i < n; i++)
        if (isfinite (x[i]))
          {
            roast_chart_range_add (&self->x, x[i]);
            self->mean += (x[i] - self->mean) / (double) self->x.n;
            roast_chart_totals_add (&self->totals, group != NULL ? group[i] : 0, 1);
          }
    }
}

/* More rows have more bins; their edges are round numbers in the unit of the axis. Whole numbers have a bin each, around
 * the number, if there are few. */
static void
choose_bins (Histogram *self)
{
  const char *format = roast_chart_rows_get_format (self->drawing->rows, ROAST_CHART_CELL_X);
  const char *unit = "";
  double factor = roast_format_find_unit (fmax (fabs (self->x.min), fabs (self->x.max)), format, &unit);
  double most = CLAMP (2 * cbrt ((double) self->x.n), MIN_BINS, fmin (MAX_BINS, self->drawing->frame.width / LEAST_WIDTH));
  double range = self->x.max - self->x.min;
  double size = fmax (fabs (self->x.min), fabs (self->x.max));
  gboolean is_whole = g_str_equal (format, "count");

  if (!(range > size * 1e-9))
    range = size > 0 ? size / 10 : 1;
  self->step = roast_chart_nice_step (range / fmax (most, 2) / factor) * factor;
  if (is_whole && self->step < 1)
    self->step = 1;
  if (is_whole && self->step == 1)
    self->first = self->x.min - 0.5;
  else
    self->first = floor (self->x.min / self->step + 1e-9) * self->step;
  self->n_bins = (guint) CLAMP (floor ((self->x.max - self->first) / self->step + 1e-9) + 1, 1, 4 * MAX_BINS);
  /* A last bin for the greatest value alone would stand out. */
  if (self->n_bins > 1 && !(is_whole && self->step == 1) &&
      self->x.max <= self->first + (self->n_bins - 1) * self->step * (1 + 1e-9))
    self->n_bins--;
}

static void
count (Histogram *self)
{
  RoastChartRows *rows = self->drawing->rows;
  guint n = 0;

  self->n_parts = self->groups.n + (roast_chart_selection_count_others (&self->groups) > 0 ? 1 : 0);
  self->counts = g_new0 (guint64, (gsize) self->n_parts * self->n_bins);
  roast_chart_rows_rewind (rows);
  while (roast_chart_rows_next (rows, &n))
    {
      const double *x = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X);
      const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

      for (guint i = 0; i < n; i++)
        {
          double place = (x[i] - self->first) / self->step + 1e-9;
          guint part = group != NULL ? self->groups.places[group[i]] : 0;

          if (isfinite (x[i]))
            self->counts[(gsize) MIN (part, self->n_parts - 1) * self->n_bins +
                         (place > 0 ? MIN ((guint) place, self->n_bins - 1) : 0)]++;
        }
    }
}

static void
set_axes (Histogram *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  gboolean is_log = roast_chart_info_get_log_scale (self->drawing->chart);
  guint64 most = 0;
  g_autofree char *table = g_strdelimit (g_strdup (roast_chart_info_get_table (self->drawing->chart)), "_", ' ');

  for (guint bin = 0; bin < self->n_bins; bin++)
    {
      guint64 all = 0;

      for (guint part = 0; part < self->n_parts; part++)
        all += self->counts[(gsize) part * self->n_bins + bin];
      most = MAX (most, all);
    }
  frame->x_label = roast_chart_rows_is_time (self->drawing->rows, ROAST_CHART_CELL_X)
                       ? g_strdup ("time since start")
                       : roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_X);
  roast_chart_scale_init (&frame->x, self->first, self->first + self->n_bins * self->step,
                          g_str_equal (roast_chart_rows_get_format (self->drawing->rows, ROAST_CHART_CELL_X), "count")
                              ? ROAST_CHART_SCALE_INTEGER
                              : 0,
                          roast_chart_rows_get_format (self->drawing->rows, ROAST_CHART_CELL_X));
  frame->has_y = TRUE;
  frame->y_label = g_strconcat ("number of ", table, NULL);
  /* A bin of one row is seen on a logarithmic scale. */
  roast_chart_scale_init (&frame->y, is_log ? 0.5 : 0, (double) most,
                          ROAST_CHART_SCALE_NICE | ROAST_CHART_SCALE_INTEGER |
                              (is_log ? ROAST_CHART_SCALE_LOG : ROAST_CHART_SCALE_ZERO),
                          "count");
}

static char *
dup_part_name (Histogram *self, guint part)
{
  return part < self->groups.n ? roast_chart_drawing_dup_series_name (self->drawing, &self->groups, part)
                               : roast_chart_selection_dup_others (&self->groups);
}

static void
add_legend (Histogram *self)
{
  for (guint part = 0; part < self->n_parts && self->groups.all != NULL; part++)
    {
      g_autofree char *name = dup_part_name (self, part);

      roast_chart_frame_add_legend (&self->drawing->frame, ROAST_CHART_SWATCH_AREA,
                                    part < self->groups.n ? ROAST_SCENE_ROLE_SERIES : ROAST_SCENE_ROLE_OTHERS, part,
                                    ROAST_SCENE_DASH_SOLID, name);
    }
}

static double
map_count (const RoastChartFrame *frame, guint64 n)
{
  return n == 0 ? frame->bottom : roast_chart_scale_map (&frame->y, (double) n);
}

static void
draw_part (Histogram *self, guint part, guint64 *below)
{
  RoastChartFrame *frame = &self->drawing->frame;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *name = dup_part_name (self, part);

  for (guint bin = 0; bin < self->n_bins; bin++)
    {
      guint64 n = self->counts[(gsize) part * self->n_bins + bin];
      double left = roast_chart_scale_map (&frame->x, self->first + bin * self->step);
      double right = roast_chart_scale_map (&frame->x, self->first + (bin + 1) * self->step);
      double bottom = map_count (frame, below[bin]);
      double top = map_count (frame, below[bin] + n);
      double bar[] = { left + 0.5, top, MAX (right - left - 1, 0.5), bottom - top };

      below[bin] += n;
      if (n > 0)
        g_array_append_vals (bars, bar, 4);
    }
  roast_scene_set_name (frame->scene, self->groups.all != NULL ? name : NULL);
  roast_scene_add_rectangles (frame->scene,
                              part < self->groups.n ? ROAST_SCENE_ROLE_SERIES : ROAST_SCENE_ROLE_OTHERS,
                              part < self->groups.n ? part : 0, (const double *) (gpointer) bars->data, bars->len);
}

static void
add_guide (Histogram *self, const RoastChartGuide *guide)
{
  const char *format = roast_chart_rows_get_format (self->drawing->rows, ROAST_CHART_CELL_X);
  double value = guide->kind == ROAST_CHART_GUIDE_MEAN
                     ? self->mean
                     : roast_chart_find_median (self->drawing->rows, ROAST_CHART_CELL_X, self->x.n, self->x.min,
                                                self->x.max);
  g_autofree char *text = roast_format_number (value, g_str_equal (format, "count") ? "number" : format);
  g_autofree char *label = g_strconcat (guide->label, " ", text, NULL);

  roast_chart_frame_add_guide_x (&self->drawing->frame, value, label);
}

static void
draw (Histogram *self)
{
  g_autofree guint64 *below = g_new0 (guint64, self->n_bins);

  roast_chart_frame_begin (&self->drawing->frame);
  for (guint part = 0; part < self->n_parts; part++)
    draw_part (self, part, below);
  roast_chart_frame_end (&self->drawing->frame);
  for (guint i = 0; i < self->drawing->n_guides; i++)
    if (self->drawing->guides[i].kind == ROAST_CHART_GUIDE_MEAN ||
        self->drawing->guides[i].kind == ROAST_CHART_GUIDE_MEDIAN)
      add_guide (self, &self->drawing->guides[i]);
}

gboolean
roast_chart_draw_histogram (RoastChartDrawing *drawing, GError **error)
{
  Histogram self = { .drawing = drawing, .x = ROAST_CHART_RANGE_INIT };
  gboolean ok = FALSE;

  roast_chart_totals_init (&self.totals);
  measure (&self);
  ok = self.x.n > 0;
  if (ok)
    {
      roast_chart_selection_init (&self.groups, drawing->rows, ROAST_CHART_CELL_GROUP, &self.totals,
                                  roast_chart_drawing_get_most (drawing, ROAST_CHART_MAX_PARTS), ROAST_CHART_ORDER_SIZE);
      choose_bins (&self);
      count (&self);
      set_axes (&self);
      add_legend (&self);
      draw (&self);
    }
  roast_chart_totals_clear (&self.totals);
  roast_chart_selection_clear (&self.groups);
  g_free (self.counts);

  return ok || roast_chart_drawing_no_rows (drawing, error);
}
