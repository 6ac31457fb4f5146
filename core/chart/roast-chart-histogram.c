/* SPDX-License-Identifier: BSD-3-Clause */

#include <math.h>

#include "base/roast-format-private.h"
#include "roast-chart-drawing-private.h"
#include "roast/roast-format.h"

#define MIN_BINS 8
#define MAX_BINS 60
#define HISTOGRAM_LEAST_WIDTH 6.0 /* minimum width of a bin, in px */
/* If the greatest value is more than this many times the median, the values have a long tail, and bins grow, because
 * with bins of equal size nearly all values would be in one bin. */
#define LONG_TAIL 30

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartRange x;
  double mean, median; /* the median is NaN until get_median () computes it */
  double first, step;  /* for bins of equal size: left edge of the first bin, and width of a bin; for growing bins,
                          @first is a number of bins */
  double unit; /* for growing bins: unit in which edges are round numbers; the left edge of the first bin is @first bins
                  above it */
  guint per_decade; /* number of growing bins per power of ten; 0 for bins of equal size */
  guint n_bins;
  guint64 *counts; /* number of rows in each bin */
} Histogram;

static void
histogram_measure (Histogram *self)
{
  const RoastChartRow *row = NULL;
  guint64 n_missing = 0;

  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    {
      double x = row->numbers[ROAST_CHART_CELL_X];

      n_missing += !isfinite (x);
      if (!isfinite (x))
        continue;
      roast_chart_range_add (&self->x, x);
      self->mean += (x - self->mean) / (double) self->x.n;
    }
  roast_chart_drawing_add_note_of_missing (self->drawing, ROAST_CHART_CELL_X, n_missing);
}

/* Return the left edge of a bin. */
static double
get_edge (Histogram *self, guint bin)
{
  return self->per_decade > 0 ? self->unit * pow (10, (self->first + bin) / self->per_decade)
                              : self->first + bin * self->step;
}

static guint
find_bin (Histogram *self, double x)
{
  double place =
      self->per_decade > 0 ? log10 (x / self->unit) * self->per_decade - self->first : (x - self->first) / self->step;

  place += 1e-9;

  return place > 0 ? MIN ((guint) place, self->n_bins - 1) : 0;
}

static double
get_median (Histogram *self)
{
  if (isnan (self->median))
    self->median = roast_chart_rows_find_median (self->drawing->rows, ROAST_CHART_CELL_X);

  return self->median;
}

/* Choose growing bins for values with a long tail. Return FALSE if there is no long tail. */
static gboolean
choose_growing_bins (Histogram *self, double factor, double most)
{
  static const guint each[] = { 1, 2, 3, 5, 10, 20 };
  double decades = 0;
  double last = 0;

  if (!(self->x.min > 0) || self->drawing->cells[ROAST_CHART_CELL_X].is_time || self->x.max < LONG_TAIL * self->x.min)
    return FALSE;
  if (self->x.max <= LONG_TAIL * get_median (self))
    return FALSE;
  decades = log10 (self->x.max / self->x.min);
  self->per_decade = 1;
  for (guint i = 0; i < G_N_ELEMENTS (each) && each[i] * decades <= most; i++)
    self->per_decade = each[i];
  self->unit = factor;
  self->first = floor (log10 (self->x.min / factor) * self->per_decade + 1e-9);
  last = floor (log10 (self->x.max / factor) * self->per_decade + 1e-9);
  self->n_bins = (guint) CLAMP (last - self->first + 1, 1, 4 * MAX_BINS);
  roast_chart_frame_add_note (&self->drawing->frame,
                              g_strdup ("logarithmic scale: each bin is wider than the bin before"));

  return TRUE;
}

/* Choose the number and edges of bins. The more rows, the more bins. Edges are round numbers in the unit of the axis.
 * If the values are counts in a small range, each whole number gets its own bin, whose centre is the number. */
static void
choose_bins (Histogram *self)
{
  const char *format = self->drawing->cells[ROAST_CHART_CELL_X].format;
  const char *unit = "";
  double factor = roast_format_find_unit (fmax (fabs (self->x.min), fabs (self->x.max)), format, &unit);
  double most = CLAMP (2 * cbrt ((double) self->x.n), MIN_BINS,
                       fmin (MAX_BINS, self->drawing->frame.width / HISTOGRAM_LEAST_WIDTH));
  double range = self->x.max - self->x.min;
  double size = fmax (fabs (self->x.min), fabs (self->x.max));
  gboolean is_whole = g_str_equal (format, "count");

  if (choose_growing_bins (self, factor, most))
    return;
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
  /* If all values are equal, make five bins, with the values in the middle bin. */
  if (self->x.min == self->x.max)
    {
      self->first = self->x.min - 2.5 * self->step;
      self->n_bins = 5;
    }
  /* Remove the last bin if it would contain only the greatest value, which is counted in the previous bin instead. */
  if (self->n_bins > 1 && !(is_whole && self->step == 1) &&
      self->x.max <= self->first + (self->n_bins - 1) * self->step * (1 + 1e-9))
    self->n_bins--;
}

static void
count (Histogram *self)
{
  const RoastChartRow *row = NULL;

  self->counts = g_new0 (guint64, self->n_bins);
  roast_chart_rows_rewind (self->drawing->rows);
  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    if (isfinite (row->numbers[ROAST_CHART_CELL_X]))
      self->counts[find_bin (self, row->numbers[ROAST_CHART_CELL_X])]++;
}

static void
histogram_set_axes (Histogram *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  gboolean is_log = self->drawing->declared->log_scale;
  guint64 most = 0;
  g_autofree char *rows = roast_chart_drawing_dup_rows (self->drawing);

  for (guint bin = 0; bin < self->n_bins; bin++)
    most = MAX (most, self->counts[bin]);
  frame->x_label = self->drawing->cells[ROAST_CHART_CELL_X].is_time
                       ? g_strdup ("time since start")
                       : g_strdup (self->drawing->cells[ROAST_CHART_CELL_X].label);
  roast_chart_scale_init (&frame->x, get_edge (self, 0), get_edge (self, self->n_bins),
                          self->per_decade > 0 ? ROAST_CHART_SCALE_LOG : 0,
                          self->drawing->cells[ROAST_CHART_CELL_X].format);
  frame->has_y = TRUE;
  frame->y_label = g_strconcat ("number of ", rows, NULL);
  /* Begin the logarithmic axis at 0.5, so that a bin of one row is visible. */
  roast_chart_scale_init (&frame->y, is_log ? 0.5 : 0, (double) most,
                          ROAST_CHART_SCALE_NICE | (is_log ? ROAST_CHART_SCALE_LOG : ROAST_CHART_SCALE_ZERO), "count");
}

static void
draw_bins (Histogram *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint bin = 0; bin < self->n_bins; bin++)
    {
      double left = roast_chart_scale_map (&frame->x, get_edge (self, bin));
      double right = roast_chart_scale_map (&frame->x, get_edge (self, bin + 1));
      double top = roast_chart_scale_map (&frame->y, (double) self->counts[bin]);
      double bar[] = { left + 0.5, top, MAX (right - left - 1, 0.5), frame->bottom - top };

      if (self->counts[bin] > 0)
        g_array_append_vals (bars, bar, 4);
    }
  roast_scene_add_rectangles (frame->scene, ROAST_SCENE_ROLE_SERIES, 0, (const double *) (gpointer) bars->data,
                              bars->len);
}

static double
histogram_find_value (Histogram *self, const RoastChartGuide *guide)
{
  return guide->kind == ROAST_CHART_GUIDE_MEAN ? self->mean : get_median (self);
}

static void
add_guide (Histogram *self, const RoastChartGuide *guide, double value, gboolean left)
{
  const char *format = self->drawing->cells[ROAST_CHART_CELL_X].format;
  g_autofree char *text = roast_format_number (value, g_str_equal (format, "count") ? "number" : format);
  g_autofree char *label = g_strconcat (guide->label, " ", text, NULL);

  roast_chart_frame_add_guide_x (&self->drawing->frame, value, label, left);
}

static void
histogram_draw (Histogram *self)
{
  double values[ROAST_CHART_MAX_GUIDES];
  double most = NAN;

  self->drawing->frame.has_guides_x = self->drawing->declared->n_guides > 0;
  roast_chart_frame_begin (&self->drawing->frame);
  draw_bins (self);
  roast_chart_frame_end (&self->drawing->frame);
  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    {
      values[i] = histogram_find_value (self, &self->drawing->declared->guides[i]);
      most = fmax (most, values[i]);
    }
  /* Put the label of the line with the greatest value at the right of this line, so that the label does not cross
   * another line. */
  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    add_guide (self, &self->drawing->declared->guides[i], values[i], values[i] < most);
}

gboolean
roast_chart_draw_histogram (RoastChartDrawing *drawing, GError **error)
{
  Histogram self = { .drawing = drawing, .x = ROAST_CHART_RANGE_INIT, .median = NAN };

  histogram_measure (&self);
  if (self.x.n == 0)
    return roast_chart_drawing_no_rows (drawing, error);
  choose_bins (&self);
  count (&self);
  histogram_set_axes (&self);
  histogram_draw (&self);
  g_free (self.counts);

  return TRUE;
}
