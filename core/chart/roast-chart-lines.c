/* SPDX-License-Identifier: BSD-3-Clause */

/* Lines, steps and areas. */

#include <math.h>
#include <string.h>

#include "roast-chart-drawing-private.h"
#include "roast-chart-stacked-private.h"
#include "roast/roast-format.h"

#define WIDTH 1.5
#define THIN 1.0
#define SHORT 5.0
#define ROWS_OF_MEAN 30
#define MOST_GUIDES 3 /* lines of one limit, or names in a note */

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartKind kind;
  RoastChartRange x;
  guint64 n_x, n_rows; /* with a value: how often x changes from row to row, and their number */
  RoastChartTotals totals;
  RoastChartSelection groups;
  RoastChartColumns **series;  /* by place in the selection, or column in Y */
  double *ends;                /* of intervals, by series: where the last one ends; NaN if there is none */
  RoastChartStack *held, *per; /* sums of what each holder had last, or NULL */
  guint n_series;
  guint fold; /* columns of points to one of pixels */
  RoastChartColumns *y2;
  RoastChartColumns **guides[ROAST_CHART_MAX_GUIDES]; /* of guide columns, or NULL: by series, or one for all columns in
                                                         Y; NULL of what is not drawn */
  guint n_guides;                                     /* of each of them */
} Lines;

/* ---- reading ---- */

/* Rows that were not measured at the same times have a mean only where many of them are together. */
static guint
count_columns (Lines *self)
{
  guint columns = roast_chart_drawing_count_columns (self->drawing);
  guint64 rows = self->x.n / MAX (self->drawing->n_y, 1) / MAX (self->groups.n_names, 1);

  if (roast_chart_info_get_combine (self->drawing->chart) != ROAST_CHART_COMBINE_MEAN ||
      2 * self->n_x <= self->n_rows || roast_chart_rows_is_interval (self->drawing->rows))
    {
      self->fold = ROAST_CHART_FINE;
      return ROAST_CHART_FINE * columns;
    }
  self->fold = 1;

  return (guint) CLAMP (rows / ROWS_OF_MEAN, 1, columns / 4);
}

static RoastChartColumns *
new_columns (Lines *self, gboolean is_ratio)
{
  const RoastChartScale *x = &self->drawing->frame.x;

  return roast_chart_columns_new (count_columns (self), x->min, x->max,
                                  roast_chart_info_get_combine (self->drawing->chart), is_ratio);
}

static RoastChartStack *
new_held (Lines *self)
{
  const RoastChartScale *x = &self->drawing->frame.x;
  guint columns = ROAST_CHART_FINE * roast_chart_drawing_count_columns (self->drawing);
  guint names = roast_chart_rows_count_holders (self->drawing->rows) * self->drawing->n_y;

  return roast_chart_stack_new (self->n_series, names, columns, x->min, x->max, TRUE, FALSE);
}

static void
make_series (Lines *self)
{
  RoastChartDrawing *drawing = self->drawing;

  self->n_series = drawing->n_y > 1 ? drawing->n_y : self->groups.n;
  self->n_guides = drawing->n_y > 1 ? 1 : self->n_series;
  self->series = g_new0 (RoastChartColumns *, self->n_series);
  drawing->n_series = self->n_series;
  for (guint i = 0; i < self->n_series; i++)
    self->series[i] = new_columns (self, roast_chart_drawing_is_ratio (drawing));
  self->ends = g_new (double, MAX (self->n_series, 1));
  for (guint i = 0; i < self->n_series; i++)
    self->ends[i] = NAN;
  if (roast_chart_rows_get_holders (drawing->rows) != NULL)
    self->held = new_held (self);
  if (self->held != NULL && roast_chart_drawing_is_ratio (drawing))
    self->per = new_held (self);
  if (roast_chart_rows_is_used (drawing->rows, ROAST_CHART_CELL_Y2))
    self->y2 = new_columns (self, FALSE);
  for (guint i = 0; i < drawing->n_guides; i++)
    if (roast_chart_rows_is_used (drawing->rows, ROAST_CHART_CELL_GUIDE + i))
      {
        self->guides[i] = g_new0 (RoastChartColumns *, self->n_guides);
        for (guint s = 0; s < self->n_guides; s++)
          self->guides[i][s] = new_columns (self, FALSE);
      }
}

static void
fill_one (Lines *self, RoastChartColumns *columns, RoastChartCell cell, guint n)
{
  const double *x = roast_chart_rows_get_numbers (self->drawing->rows, ROAST_CHART_CELL_X);
  const double *y = roast_chart_rows_get_numbers (self->drawing->rows, cell);

  for (guint i = 0; i < n; i++)
    roast_chart_columns_add (columns, x[i], y[i], NAN);
}

/* Each series has a limit of its own. */
static void
fill_guides (Lines *self, guint guide, guint n)
{
  RoastChartRows *rows = self->drawing->rows;
  const double *x = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X);
  const double *y = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_GUIDE + guide);
  const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

  for (guint i = 0; i < n; i++)
    {
      guint series = group != NULL ? self->groups.places[group[i]] : 0;

      if (series != ROAST_CHART_OTHERS)
        roast_chart_columns_add (self->guides[guide][series], x[i], y[i], NAN);
    }
}

/* A value of a sample, until the next one of the same holder. */
static void
hold (Lines *self, guint series, guint y, guint row)
{
  RoastChartRows *rows = self->drawing->rows;
  const double *per = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_PER);
  guint name = roast_chart_rows_get_holders (rows)[row] * self->drawing->n_y + y;
  double x = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X)[row];
  double value = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_Y + y)[row];

  roast_chart_stack_add (self->held, series, name, x, value, 1);
  if (self->per != NULL)
    roast_chart_stack_add (self->per, series, name, x, per[row], 1);
}

/* Sums of what was held, as points where they change. */
static void
end_held (Lines *self)
{
  RoastChartRows *rows = self->drawing->rows;
  const RoastChartScale *x = &self->drawing->frame.x;
  guint n_names = roast_chart_rows_count_holders (rows) * self->drawing->n_y;
  guint n_columns = ROAST_CHART_FINE * roast_chart_drawing_count_columns (self->drawing);
  RoastChartStack *const stacks[] = { self->held, self->per };

  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    for (guint name = 0; stacks[i] != NULL && name < n_names; name++)
      roast_chart_stack_leave (stacks[i], name, roast_chart_rows_get_end_of_holder (rows, name / self->drawing->n_y));
  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    if (stacks[i] != NULL)
      roast_chart_stack_end (stacks[i]);
  for (guint s = 0; s < self->n_series; s++)
    {
      double before = NAN;

      for (guint i = 0; i < n_columns; i++)
        {
          double value = roast_chart_stack_get (self->held, s, i);
          double per = self->per != NULL ? roast_chart_stack_get (self->per, s, i) : 1;
          double sum = per > 0 ? value / per : 0;

          if (!roast_chart_stack_has (self->held, s, i) || sum == before)
            continue;
          roast_chart_columns_add (self->series[s], x->min + (x->max - x->min) * i / n_columns, sum, 1);
          before = sum;
        }
      self->ends[s] = x->max;
    }
}

static void
fill_block (Lines *self, guint n)
{
  RoastChartRows *rows = self->drawing->rows;
  const double *x = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_X);
  const double *end = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_END);
  const double *per = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_PER);
  const guint *group = roast_chart_rows_get_names (rows, ROAST_CHART_CELL_GROUP);

  for (guint k = 0; k < self->drawing->n_y; k++)
    {
      const double *y = roast_chart_rows_get_numbers (rows, ROAST_CHART_CELL_Y + k);

      for (guint i = 0; i < n; i++)
        {
          guint series = group != NULL ? self->groups.places[group[i]] : k;

          if (series == ROAST_CHART_OTHERS || !isfinite (y[i]))
            continue;
          if (end != NULL && isfinite (end[i]))
            self->ends[series] = fmax (self->ends[series], end[i]);
          if (self->held != NULL)
            hold (self, series, k, i);
          else
            roast_chart_columns_add (self->series[series], x[i], y[i], per != NULL ? per[i] : NAN);
        }
    }
  if (self->y2 != NULL)
    fill_one (self, self->y2, ROAST_CHART_CELL_Y2, n);
  for (guint i = 0; i < self->drawing->n_guides; i++)
    if (self->guides[i] != NULL)
      fill_guides (self, i, n);
}

/* An axis without a line would look as if all were zero. */
static void
end_y2 (Lines *self)
{
  g_autofree char *label = NULL;

  roast_chart_columns_end (self->y2);
  if (roast_chart_columns_count (self->y2) > 0)
    return;
  label = roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_Y2);
  roast_chart_frame_add_note (&self->drawing->frame, g_strconcat (label, ": not available", NULL));
  g_clear_pointer (&self->y2, roast_chart_columns_free);
}

/* Where nothing but the series is drawn. */
static void
select_rows (Lines *self)
{
  if (self->y2 == NULL && roast_chart_selection_count_others (&self->groups) > 0)
    roast_chart_rows_select (self->drawing->rows, ROAST_CHART_CELL_GROUP, self->groups.places);
}

static gboolean
is_whole (Lines *self)
{
  gboolean is_whole = self->y2 == NULL || roast_chart_columns_is_whole (self->y2);

  for (guint i = 0; i < self->n_series; i++)
    is_whole = is_whole && roast_chart_columns_is_whole (self->series[i]);
  for (guint i = 0; i < self->drawing->n_guides; i++)
    for (guint s = 0; self->guides[i] != NULL && s < self->n_guides; s++)
      is_whole = is_whole && roast_chart_columns_is_whole (self->guides[i][s]);

  return is_whole;
}

/* FALSE if sums would be wrong. */
static gboolean
fill (Lines *self, GError **error)
{
  gboolean ok = FALSE;
  guint n = 0;

  select_rows (self);
  roast_chart_rows_rewind (self->drawing->rows);
  while (roast_chart_rows_next (self->drawing->rows, &n))
    fill_block (self, n);
  ok = is_whole (self);
  if (self->held != NULL)
    end_held (self);
  for (guint i = 0; i < self->n_series; i++)
    roast_chart_columns_end (self->series[i]);
  if (self->y2 != NULL)
    end_y2 (self);
  for (guint i = 0; i < self->drawing->n_guides; i++)
    for (guint s = 0; self->guides[i] != NULL && s < self->n_guides; s++)
      roast_chart_columns_end (self->guides[i][s]);

  return ok || roast_chart_drawing_not_whole (self->drawing, error);
}

/* ---- axes ---- */

static gboolean
are_equal (RoastChartColumns *a, RoastChartColumns *b)
{
  RoastChartColumns *const both[] = { a, b };
  double min[2];
  double max[2];
  double positive = 0;
  g_autoptr (GArray) first = NULL;
  g_autoptr (GArray) second = NULL;

  for (guint i = 0; i < 2; i++)
    roast_chart_columns_get_range (both[i], &min[i], &max[i], &positive);
  if (min[0] != min[1] || max[0] != max[1])
    return FALSE;
  if (min[0] == max[0])
    return TRUE;
  first = roast_chart_columns_dup_points (a, 1);
  second = roast_chart_columns_dup_points (b, 1);

  return first->len == second->len && memcmp (first->data, second->data, first->len * sizeof (double)) == 0;
}

/* The limits of some series, as far as they differ, and near what they limit. */
static RoastChartRange
choose_guides (Lines *self, RoastChartColumns **guides, double far, guint *n, gboolean *is_far)
{
  RoastChartRange range = ROAST_CHART_RANGE_INIT;

  *n = 0;
  for (guint s = 0; s < self->n_guides; s++)
    {
      double min = NAN;
      double max = NAN;
      double positive = NAN;

      roast_chart_columns_get_range (guides[s], &min, &max, &positive);
      *is_far = *is_far || max > far;
      for (guint k = 0; k < s && !(isnan (max) || max > far); k++)
        if (guides[k] != NULL && are_equal (guides[k], guides[s]))
          max = NAN;
      if (isnan (max) || max > far)
        {
          g_clear_pointer (&guides[s], roast_chart_columns_free);
          continue;
        }
      roast_chart_range_add (&range, min);
      roast_chart_range_add (&range, max);
      *n += 1;
    }

  return range;
}

/* Limits in the table are drawn if they are near what they limit, and few. */
static void
add_guide_ranges (Lines *self, RoastChartRange *y)
{
  RoastChartFrame *frame = &self->drawing->frame;
  double far = y->n > 0 ? 3 * fmax (fabs (y->min), fabs (y->max)) : INFINITY;
  const char *format = roast_chart_rows_get_format (self->drawing->rows, ROAST_CHART_CELL_Y);

  for (guint i = 0; i < self->drawing->n_guides; i++)
    {
      const char *label = self->drawing->guides[i].label;
      gboolean is_far = FALSE;
      RoastChartRange range;
      guint n = 0;

      if (self->guides[i] == NULL)
        continue;
      range = choose_guides (self, self->guides[i], far, &n, &is_far);
      if (is_far)
        roast_chart_frame_add_note (frame, g_strdup_printf (n > 0 ? "%s is sometimes far above what was measured"
                                                                  : "%s is far above what was measured",
                                                            label));
      if (n > MOST_GUIDES)
        {
          g_autofree char *least = roast_format_number (range.min, format);
          g_autofree char *most = roast_format_number (range.max, format);

          roast_chart_frame_add_note (frame, g_strdup_printf ("%s: from %s to %s", label, least, most));
          for (guint s = 0; s < self->n_guides; s++)
            g_clear_pointer (&self->guides[i][s], roast_chart_columns_free);
          continue;
        }
      roast_chart_range_add (y, range.min);
      roast_chart_range_add (y, range.max);
    }
}

/* Of what has a value, but nothing that it is a share of. */
static void
add_note_of_undivided (Lines *self)
{
  RoastChartRows *rows = self->drawing->rows;
  g_autofree char *per = roast_chart_rows_dup_label (rows, ROAST_CHART_CELL_PER);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (guint name = 0; name < roast_chart_rows_count_names (rows, ROAST_CHART_CELL_GROUP); name++)
    if (roast_chart_rows_is_undivided (rows, name) &&
        !(name < self->totals.sums->len && isfinite (g_array_index (self->totals.sums, double, name))))
      {
        if (n < MOST_GUIDES)
          g_string_append_printf (names, "%s%s", n > 0 ? ", " : "",
                                  roast_chart_rows_get_name (rows, ROAST_CHART_CELL_GROUP, name));
        n++;
      }
  if (n > 0)
    roast_chart_frame_add_note (&self->drawing->frame,
                                n > MOST_GUIDES
                                    ? g_strdup_printf ("%u %s without a %s are not shown", n, self->groups.all, per)
                                    : g_strdup_printf ("not shown, for lack of a %s: %s", per, names->str));
}

static void
set_axes (Lines *self)
{
  RoastChartDrawing *drawing = self->drawing;
  RoastChartRange y = ROAST_CHART_RANGE_INIT;
  double least_positive = NAN;

  for (guint i = 0; i < self->n_series; i++)
    {
      double min = NAN;
      double max = NAN;
      double positive = NAN;

      roast_chart_columns_get_range (self->series[i], &min, &max, &positive);
      roast_chart_range_add (&y, min);
      roast_chart_range_add (&y, max);
      least_positive = fmin (least_positive, positive);
    }
  add_guide_ranges (self, &y);
  roast_chart_drawing_set_y (drawing, y, least_positive, ROAST_CHART_SCALE_ZERO);
  if (self->y2 != NULL)
    {
      double min = NAN;
      double max = NAN;
      double positive = NAN;
      const char *format = roast_chart_rows_get_format (drawing->rows, ROAST_CHART_CELL_Y2);

      roast_chart_columns_get_range (self->y2, &min, &max, &positive);
      roast_chart_scale_init (&drawing->frame.y2, min, max, ROAST_CHART_SCALE_NICE | ROAST_CHART_SCALE_ZERO, format);
      drawing->frame.has_y2 = TRUE;
      drawing->frame.y2_label = roast_chart_rows_dup_label (drawing->rows, ROAST_CHART_CELL_Y2);
    }
}

static void
add_legend (Lines *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  gboolean has_others = self->y2 != NULL;

  for (guint i = 0; i < self->n_series && (self->n_series > 1 || has_others || self->groups.all != NULL); i++)
    {
      g_autofree char *name = roast_chart_drawing_dup_series_name (self->drawing, &self->groups, i);

      roast_chart_frame_add_legend (frame, ROAST_CHART_SWATCH_LINE, ROAST_SCENE_ROLE_SERIES, i,
                                    roast_chart_frame_get_dash (i), name);
    }
  if (has_others)
    {
      g_autofree char *label = roast_chart_rows_dup_label (self->drawing->rows, ROAST_CHART_CELL_Y2);
      g_autofree char *name = g_strconcat (label, " (right)", NULL);

      roast_chart_frame_add_legend (frame, ROAST_CHART_SWATCH_LINE, ROAST_SCENE_ROLE_SERIES, self->n_series,
                                    ROAST_SCENE_DASH_SOLID, name);
    }
  roast_chart_frame_add_note (frame, roast_chart_selection_dup_note (&self->groups, "the highest values"));
  if (self->groups.all != NULL && roast_chart_drawing_is_ratio (self->drawing))
    add_note_of_undivided (self);
}

/* ---- drawing ---- */

/* Points as px; a step keeps its height until the next. */
static GArray *
map_points (Lines *self, const GArray *points, guint width, const RoastChartScale *scale, gboolean is_step)
{
  const RoastChartScale *x = &self->drawing->frame.x;
  gboolean is_log = (scale->flags & ROAST_CHART_SCALE_LOG) != 0;
  GArray *mapped = g_array_sized_new (FALSE, FALSE, sizeof (double), points->len);

  for (guint i = 0; i + 1 < points->len; i += width)
    {
      double y = g_array_index (points, double, i + 1);
      double xy[] = { roast_chart_scale_map (x, g_array_index (points, double, i)), roast_chart_scale_map (scale, y) };

      if (is_log && y <= 0)
        continue;
      if (is_step && mapped->len > 0)
        {
          double corner[] = { xy[0], g_array_index (mapped, double, mapped->len - 1) };

          g_array_append_vals (mapped, corner, 2);
        }
      g_array_append_vals (mapped, xy, 2);
    }

  return mapped;
}

/* What is known of intervals, or holds until the next row, has no slopes. */
static gboolean
is_step (Lines *self)
{
  return self->kind == ROAST_CHART_KIND_STEP || self->held != NULL ||
         roast_chart_rows_is_interval (self->drawing->rows);
}

/* The last interval has a width, too. */
static void
extend_line (Lines *self, GArray *line, double end)
{
  const RoastChartScale *x = &self->drawing->frame.x;

  if (line->len >= 2 && isfinite (end) && is_step (self))
    {
      double last[] = { roast_chart_scale_map (x, end), g_array_index (line, double, line->len - 1) };

      if (last[0] > g_array_index (line, double, line->len - 2))
        g_array_append_vals (line, last, 2);
    }
}

static void
fill_area (Lines *self, GArray *line, guint palette)
{
  RoastChartFrame *frame = &self->drawing->frame;
  g_autoptr (GArray) area = g_array_copy (line);
  double ground = roast_chart_scale_map (&frame->y, (frame->y.flags & ROAST_CHART_SCALE_LOG) != 0 ? frame->y.min : 0);
  double ends[] = { g_array_index (line, double, line->len - 2), ground, g_array_index (line, double, 0), ground };

  g_array_append_vals (area, ends, 4);
  roast_scene_add_polygon (frame->scene, ROAST_SCENE_ROLE_BAND, palette, (const double *) (gpointer) area->data,
                           area->len);
}

/* From the lowest to the highest. */
static void
fill_band (Lines *self, const GArray *means, guint palette)
{
  RoastChartFrame *frame = &self->drawing->frame;
  g_autoptr (GArray) corners = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = means->len / 4;

  for (guint i = 0; i < 2 * n; i++)
    {
      guint at = i < n ? i : 2 * n - 1 - i;
      double xy[] = { roast_chart_scale_map (&frame->x, g_array_index (means, double, 4 * at)),
                      roast_chart_scale_map (&frame->y, g_array_index (means, double, 4 * at + (i < n ? 2 : 3))) };

      g_array_append_vals (corners, xy, 2);
    }
  roast_scene_add_polygon (frame->scene, ROAST_SCENE_ROLE_BAND, palette, (const double *) (gpointer) corners->data,
                           corners->len);
}

/* Numbers of the last point once more, at the end of its interval. */
static void
extend_points (GArray *points, guint width, double end)
{
  double last[4];

  if (points->len < width || !(end > g_array_index (points, double, points->len - width)))
    return;
  memcpy (last, &g_array_index (points, double, points->len - width), width * sizeof *last);
  last[0] = end;
  g_array_append_vals (points, last, width);
}

/* The points of the picture, which its data have as well. The finest ones are for the data alone. */
static GArray *
take_points (Lines *self, RoastChartColumns *columns, double end, const RoastChartLook *look)
{
  guint width = roast_chart_columns_get_width (columns);
  GArray *points = roast_chart_columns_dup_points (columns, self->fold);
  GArray *fine = roast_chart_columns_dup_points (columns, 1);
  GArray *coarse = g_array_copy (points);

  if (look->is_step)
    {
      extend_points (fine, width, end);
      extend_points (coarse, width, end);
    }
  roast_chart_data_add_series (self->drawing->data, look, width, fine, coarse);

  return points;
}

static GArray *
map_series (Lines *self, RoastChartColumns *columns, double end, const RoastChartLook *look, GArray **points)
{
  const RoastChartFrame *frame = &self->drawing->frame;

  *points = take_points (self, columns, end, look);

  return map_points (self, *points, roast_chart_columns_get_width (columns), look->is_right ? &frame->y2 : &frame->y,
                     look->is_step);
}

/* A few px would not be seen, the less if they are dashed. */
static gboolean
is_short (const GArray *line)
{
  return line->len == 0 || g_array_index (line, double, line->len - 2) - g_array_index (line, double, 0) < SHORT;
}

static void
draw_series (Lines *self, guint i)
{
  RoastScene *scene = self->drawing->frame.scene;
  g_autofree char *name = roast_chart_drawing_dup_series_name (self->drawing, &self->groups, i);
  const RoastChartLook look = { .name = name,
                                .role = ROAST_SCENE_ROLE_SERIES,
                                .palette = i,
                                .dash = roast_chart_frame_get_dash (i),
                                .is_step = is_step (self) };
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) line = map_series (self, self->series[i], self->ends[i], &look, &points);

  extend_line (self, line, self->ends[i]);
  roast_scene_set_name (scene, name);
  if (roast_chart_info_get_combine (self->drawing->chart) == ROAST_CHART_COMBINE_MEAN)
    fill_band (self, points, i);
  else if (self->kind == ROAST_CHART_KIND_AREA && line->len > 0)
    fill_area (self, line, i);
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, i, (const double *) (gpointer) line->data, line->len,
                            is_short (line) ? 4 : WIDTH, is_short (line) ? ROAST_SCENE_DASH_SOLID : look.dash);
}

/* Where limits differ, each is named with its series. */
static char *
dup_guide_name (Lines *self, guint guide, guint series)
{
  g_autofree char *name = NULL;
  guint n = 0;

  for (guint s = 0; s < self->n_guides; s++)
    n += self->guides[guide][s] != NULL ? 1 : 0;
  if (n < 2)
    return g_strdup (self->drawing->guides[guide].label);
  name = roast_chart_drawing_dup_series_name (self->drawing, &self->groups, series);

  return g_strdup_printf ("%s, %s", self->drawing->guides[guide].label, name);
}

static void
draw_guide (Lines *self, guint guide, guint series)
{
  g_autofree char *name = dup_guide_name (self, guide, series);
  const RoastChartLook look = {
    .name = name, .role = ROAST_SCENE_ROLE_GUIDE, .dash = ROAST_SCENE_DASH_DASHED, .is_step = TRUE
  };
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) line = map_series (self, self->guides[guide][series], NAN, &look, &points);

  roast_chart_frame_add_guide (&self->drawing->frame, (const double *) (gpointer) line->data, line->len, name);
}

static void
draw (Lines *self)
{
  RoastChartFrame *frame = &self->drawing->frame;

  roast_chart_frame_begin (frame);
  for (guint i = 0; i < self->n_series; i++)
    draw_series (self, i);
  if (self->y2 != NULL)
    {
      const RoastChartLook look = { .name = frame->y2_label,
                                    .role = ROAST_SCENE_ROLE_SERIES,
                                    .palette = self->n_series,
                                    .is_step = TRUE,
                                    .is_right = TRUE };
      double end = self->n_series > 0 ? self->ends[0] : NAN;
      g_autoptr (GArray) points = NULL;
      g_autoptr (GArray) line = map_series (self, self->y2, end, &look, &points);

      extend_line (self, line, end);
      roast_scene_set_name (frame->scene, frame->y2_label);
      roast_scene_add_polyline (frame->scene, ROAST_SCENE_ROLE_SERIES, self->n_series,
                                (const double *) (gpointer) line->data, line->len, THIN, ROAST_SCENE_DASH_SOLID);
    }
  roast_chart_frame_end (frame);
  for (guint i = 0; i < self->drawing->n_guides; i++)
    for (guint s = 0; self->guides[i] != NULL && s < self->n_guides; s++)
      if (self->guides[i][s] != NULL)
        draw_guide (self, i, s);
  roast_chart_drawing_add_value_guides (self->drawing);
}

static void
clear (Lines *self)
{
  roast_chart_totals_clear (&self->totals);
  roast_chart_selection_clear (&self->groups);
  for (guint i = 0; i < self->n_series; i++)
    roast_chart_columns_free (self->series[i]);
  g_free (self->series);
  g_free (self->ends);
  g_clear_pointer (&self->held, roast_chart_stack_free);
  g_clear_pointer (&self->per, roast_chart_stack_free);
  g_clear_pointer (&self->y2, roast_chart_columns_free);
  for (guint i = 0; i < ROAST_CHART_MAX_GUIDES; i++)
    {
      for (guint s = 0; self->guides[i] != NULL && s < self->n_guides; s++)
        g_clear_pointer (&self->guides[i][s], roast_chart_columns_free);
      g_free (self->guides[i]);
    }
}

gboolean
roast_chart_draw_lines (RoastChartDrawing *drawing, GError **error)
{
  Lines self = { .drawing = drawing, .kind = roast_chart_info_get_kind (drawing->chart), .x = ROAST_CHART_RANGE_INIT };
  gboolean ok = FALSE;

  roast_chart_totals_init (&self.totals);
  roast_chart_drawing_measure (drawing, &self.x, &self.totals, TRUE, &self.n_x, &self.n_rows);
  ok = self.x.n > 0;
  if (ok)
    {
      roast_chart_selection_init (&self.groups, drawing->rows, ROAST_CHART_CELL_GROUP, &self.totals,
                                  roast_chart_drawing_get_most (drawing, ROAST_CHART_MAX_LINES),
                                  ROAST_CHART_ORDER_NAME);
      roast_chart_drawing_set_x (drawing, self.x);
      make_series (&self);
      ok = fill (&self, error);
    }
  else
    roast_chart_drawing_no_rows (drawing, error);
  if (ok)
    {
      set_axes (&self);
      add_legend (&self);
      draw (&self);
    }
  clear (&self);

  return ok;
}
