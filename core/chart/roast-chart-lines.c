/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws lines, steps and areas. */

#include <math.h>
#include <string.h>

#include "roast-chart-drawing-private.h"
#include "roast-chart-held-private.h"
#include "roast/roast-format.h"

#define WIDTH 1.5
#define THIN 1.0
#define SHORT 5.0
#define ROWS_OF_MEAN 30
#define MOST_GUIDES 3 /* maximum number of lines of one guide, and maximum number of names in a note */

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartKind kind;
  RoastChartRange x;
  guint64 n_x, n_rows;        /* for rows with a value: number of changes of x, and number of rows */
  GPtrArray *all;             /* points of all series and guides, of RoastChartColumns, owned by this array */
  RoastChartColumns **series; /* points, by place in the selection, or by column if Y has several columns */
  double *ends;               /* for each series, the time until which its last value is valid; NaN if unknown */
  RoastChartHeld *held, *per; /* sums of samples over holders, for Y and the denominator; NULL if not added up */
  guint n_series;
  guint fold; /* number of columns of points per column of pixels */
  RoastChartColumns *y2;
  RoastChartColumns **guides[ROAST_CHART_MAX_GUIDES]; /* for each guide with a column, the points of its lines: one line
                                                         for each series, or one line if Y has several columns. NULL for
                                                         lines that are not drawn */
  guint n_guides;                                     /* number of lines of each guide with a column */
} Lines;

/* ---- reading ---- */

/* Read all rows once to find the range of x over rows with a value, and the highest value of each group. */
static void
lines_measure (Lines *self)
{
  RoastChartDrawing *drawing = self->drawing;
  double before = NAN;
  const RoastChartRow *row = NULL;

  while ((row = roast_chart_rows_next (drawing->rows)) != NULL)
    {
      double x = row->numbers[ROAST_CHART_CELL_X];
      double per = roast_chart_drawing_is_ratio (drawing) ? row->numbers[ROAST_CHART_CELL_PER] : 1;
      gboolean has_value = FALSE;

      for (guint k = 0; k < drawing->n_y; k++)
        {
          double y = row->numbers[ROAST_CHART_CELL_Y + k];

          if (!isfinite (y))
            continue;
          has_value = TRUE;
          roast_chart_range_add (&self->x, x);
          roast_chart_selection_raise (&drawing->groups, row->names[ROAST_CHART_CELL_GROUP], y / per);
        }
      if (!has_value)
        continue;
      self->n_rows++;
      self->n_x += x != before;
      before = x;
    }
}

/* Return the number of columns of points. If most rows have different x, columns are wide, because a mean is meaningful
 * only if a column has many rows. */
static guint
count_columns (Lines *self)
{
  guint columns = roast_chart_drawing_count_columns (self->drawing);
  guint64 rows = self->x.n / MAX (self->drawing->n_y, 1) / MAX (self->drawing->groups.n_names, 1);

  if (self->drawing->declared->combine != ROAST_CHART_COMBINE_MEAN || 2 * self->n_x <= self->n_rows ||
      self->drawing->rows->is_interval)
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
  RoastChartColumns *columns =
      roast_chart_columns_new (count_columns (self), x->min, x->max, self->drawing->declared->combine, is_ratio);

  g_ptr_array_add (self->all, columns);

  return columns;
}

static RoastChartHeld *
new_held (Lines *self)
{
  const RoastChartScale *x = &self->drawing->frame.x;
  guint columns = ROAST_CHART_FINE * roast_chart_drawing_count_columns (self->drawing);
  guint names = self->drawing->rows->ends->len * self->drawing->n_y;

  return roast_chart_held_new (self->n_series, names, columns, x->min, x->max);
}

static void
make_series (Lines *self)
{
  RoastChartDrawing *drawing = self->drawing;

  self->all = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_chart_columns_free);
  self->n_series = drawing->n_y > 1 ? drawing->n_y : drawing->groups.n;
  roast_chart_drawing_make_looks (drawing, self->n_series, NULL, NULL);
  self->n_guides = drawing->n_y > 1 ? 1 : self->n_series;
  self->series = g_new0 (RoastChartColumns *, self->n_series);
  drawing->n_series = self->n_series;
  for (guint i = 0; i < self->n_series; i++)
    self->series[i] = new_columns (self, roast_chart_drawing_is_ratio (drawing));
  self->ends = g_new (double, MAX (self->n_series, 1));
  for (guint i = 0; i < self->n_series; i++)
    self->ends[i] = NAN;
  if (drawing->rows->ends != NULL)
    self->held = new_held (self);
  if (self->held != NULL && roast_chart_drawing_is_ratio (drawing))
    self->per = new_held (self);
  if (drawing->cells[ROAST_CHART_CELL_Y2].is_used)
    self->y2 = new_columns (self, FALSE);
  for (guint i = 0; i < drawing->declared->n_guides; i++)
    if (drawing->cells[ROAST_CHART_CELL_GUIDE + i].is_used)
      {
        self->guides[i] = g_new0 (RoastChartColumns *, self->n_guides);
        for (guint s = 0; s < self->n_guides; s++)
          self->guides[i][s] = new_columns (self, FALSE);
      }
}

/* Add a sample, whose value is valid until the next sample of the same holder. */
static void
hold (Lines *self, const RoastChartRow *row, guint series, guint y)
{
  guint name = row->holder * self->drawing->n_y + y;
  double x = row->numbers[ROAST_CHART_CELL_X];

  roast_chart_held_add (self->held, series, name, x, row->numbers[ROAST_CHART_CELL_Y + y]);
  if (self->per != NULL)
    roast_chart_held_add (self->per, series, name, x, row->numbers[ROAST_CHART_CELL_PER]);
}

/* After the last row: convert the sums of samples to points. A series gets a point wherever its sum changes. */
static void
end_held (Lines *self)
{
  RoastChartRows *rows = self->drawing->rows;
  const RoastChartScale *x = &self->drawing->frame.x;
  guint n_names = rows->ends->len * self->drawing->n_y;
  guint n_columns = ROAST_CHART_FINE * roast_chart_drawing_count_columns (self->drawing);
  RoastChartHeld *const stacks[] = { self->held, self->per };

  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    for (guint name = 0; stacks[i] != NULL && name < n_names; name++)
      roast_chart_held_leave (stacks[i], name, g_array_index (rows->ends, double, name / self->drawing->n_y));
  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    if (stacks[i] != NULL)
      roast_chart_held_end (stacks[i]);
  for (guint s = 0; s < self->n_series; s++)
    {
      double before = NAN;

      for (guint i = 0; i < n_columns; i++)
        {
          double value = roast_chart_held_get (self->held, s, i);
          double per = self->per != NULL ? roast_chart_held_get (self->per, s, i) : 1;
          double sum = per > 0 ? value / per : 0;

          if (!roast_chart_held_has (self->held, s, i) || sum == before)
            continue;
          roast_chart_columns_add (self->series[s], x->min + (x->max - x->min) * i / n_columns, sum, 1);
          before = sum;
        }
      self->ends[s] = x->max;
    }
}

static void
fill_row (Lines *self, const RoastChartRow *row)
{
  guint place = self->drawing->groups.places[row->names[ROAST_CHART_CELL_GROUP]];
  double x = row->numbers[ROAST_CHART_CELL_X];
  double end = row->numbers[ROAST_CHART_CELL_END];

  for (guint k = 0; k < self->drawing->n_y; k++)
    {
      guint series = self->drawing->n_y > 1 ? k : place;
      double y = row->numbers[ROAST_CHART_CELL_Y + k];

      if (series == ROAST_CHART_OTHERS || !isfinite (y))
        continue;
      self->ends[series] = fmax (self->ends[series], end);
      if (self->held != NULL)
        hold (self, row, series, k);
      else
        roast_chart_columns_add (self->series[series], x, y, row->numbers[ROAST_CHART_CELL_PER]);
    }
  if (self->y2 != NULL)
    roast_chart_columns_add (self->y2, x, row->numbers[ROAST_CHART_CELL_Y2], NAN);
  /* Add the guides from columns: each series has its own line for each guide. */
  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    if (self->guides[i] != NULL && place != ROAST_CHART_OTHERS)
      roast_chart_columns_add (self->guides[i][place], x, row->numbers[ROAST_CHART_CELL_GUIDE + i], NAN);
}

/* Drop the second y axis if it has no values, because an empty axis would look as if all values were zero. */
static void
check_y2 (Lines *self)
{
  g_autofree char *label = NULL;

  if (self->y2 == NULL || self->y2->y.n > 0)
    return;
  label = g_strdup (self->drawing->cells[ROAST_CHART_CELL_Y2].label);
  roast_chart_frame_add_note (&self->drawing->frame, g_strconcat (label, ": not available", NULL));
  self->y2 = NULL;
}

/* Read all rows again, and add them to the series. Return FALSE if the rows are so unsorted by x that sums would be
 * wrong. */
static gboolean
lines_fill (Lines *self, GError **error)
{
  gboolean is_whole = TRUE;
  const RoastChartRow *row = NULL;

  roast_chart_rows_rewind (self->drawing->rows);
  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    fill_row (self, row);
  for (guint i = 0; i < self->all->len; i++)
    is_whole = is_whole && !((RoastChartColumns *) g_ptr_array_index (self->all, i))->is_torn;
  if (self->held != NULL)
    end_held (self);
  for (guint i = 0; i < self->all->len; i++)
    roast_chart_columns_end (g_ptr_array_index (self->all, i));
  check_y2 (self);

  return is_whole || roast_chart_drawing_not_whole (self->drawing, error);
}

/* ---- axes ---- */

static gboolean
are_equal (RoastChartColumns *a, RoastChartColumns *b)
{
  const RoastChartRange *range = &a->y;
  const RoastChartRange *other = &b->y;
  g_autoptr (GArray) first = NULL;
  g_autoptr (GArray) second = NULL;

  if (range->min != other->min || range->max != other->max)
    return FALSE;
  if (range->min == range->max)
    return TRUE;
  first = roast_chart_columns_dup_points (a, 1);
  second = roast_chart_columns_dup_points (b, 1);

  return first->len == second->len && memcmp (first->data, second->data, first->len * sizeof (double)) == 0;
}

static void
add_range (RoastChartRange *self, const RoastChartRange *other)
{
  roast_chart_range_add (self, other->min);
  roast_chart_range_add (self, other->max);
}

/* Choose the lines of a guide to draw: lines that differ from each other, and whose values do not exceed @far. Set the
 * pointers to all other lines to NULL. Return the range of the chosen lines. */
static RoastChartRange
choose_guides (Lines *self, RoastChartColumns **guides, double far, guint *n, gboolean *is_far)
{
  RoastChartRange range = ROAST_CHART_RANGE_INIT;

  *n = 0;
  for (guint s = 0; s < self->n_guides; s++)
    {
      const RoastChartRange *limit = &guides[s]->y;
      gboolean is_drawn = limit->max <= far;

      *is_far = *is_far || limit->max > far;
      for (guint k = 0; k < s && is_drawn; k++)
        is_drawn = guides[k] == NULL || !are_equal (guides[k], guides[s]);
      if (!is_drawn)
        {
          guides[s] = NULL;
          continue;
        }
      add_range (&range, limit);
      *n += 1;
    }

  return range;
}

/* Extend the range of y, so that it includes guides from columns. A guide that is far above the values, or has too many
 * lines, is not drawn; a note replaces it. */
static void
add_guide_ranges (Lines *self, RoastChartRange *y)
{
  RoastChartFrame *frame = &self->drawing->frame;
  double far = y->n > 0 ? 3 * fmax (fabs (y->min), fabs (y->max)) : INFINITY;
  const char *format = self->drawing->cells[ROAST_CHART_CELL_Y].format;

  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    {
      const char *label = self->drawing->declared->guides[i].label;
      gboolean is_far = FALSE;
      RoastChartRange range;
      guint n = 0;

      if (self->guides[i] == NULL)
        continue;
      range = choose_guides (self, self->guides[i], far, &n, &is_far);
      if (is_far)
        roast_chart_frame_add_note (
            frame, g_strdup_printf (n > 0 ? "%s is not drawn where its value is far above the measured values"
                                          : "%s is not drawn: its values are far above the measured values",
                                    label));
      if (n > MOST_GUIDES)
        {
          g_autofree char *least = roast_format_number (range.min, format);
          g_autofree char *most = roast_format_number (range.max, format);

          roast_chart_frame_add_note (frame, g_strdup_printf ("%s: from %s to %s", label, least, most));
          memset (self->guides[i], 0, self->n_guides * sizeof *self->guides[i]);
          continue;
        }
      add_range (y, &range);
    }
}

/* Add a note about groups that are not shown because their rows have values in Y, but no denominator. */
static void
add_note_of_undivided (Lines *self)
{
  RoastChartRows *rows = self->drawing->rows;
  const char *per = self->drawing->cells[ROAST_CHART_CELL_PER].label;
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (guint name = 0; name < roast_chart_rows_count_names (rows, ROAST_CHART_CELL_GROUP); name++)
    if (g_hash_table_contains (rows->undivided, GUINT_TO_POINTER (name)) &&
        !roast_chart_selection_has (&self->drawing->groups, name))
      {
        if (n < MOST_GUIDES)
          g_string_append_printf (names, "%s%s", n > 0 ? ", " : "",
                                  roast_chart_rows_get_name (rows, ROAST_CHART_CELL_GROUP, name));
        n++;
      }
  if (n > 0)
    roast_chart_frame_add_note (&self->drawing->frame,
                                n > MOST_GUIDES
                                    ? g_strdup_printf ("%u %s without a %s are not shown", n, self->drawing->groups.all,
                                                       per)
                                    : g_strdup_printf ("not shown, because no %s is known: %s", per, names->str));
}

static void
lines_set_axes (Lines *self)
{
  RoastChartDrawing *drawing = self->drawing;
  RoastChartRange y = ROAST_CHART_RANGE_INIT;
  double least_positive = NAN;

  for (guint i = 0; i < self->n_series; i++)
    {
      const RoastChartRange *range = &self->series[i]->y;

      add_range (&y, range);
      roast_chart_range_add (&y, range->least_positive);
    }
  least_positive = y.least_positive;
  add_guide_ranges (self, &y);
  /* Restore the least positive value of the data, because a logarithmic scale need not show guides below the data. */
  y.least_positive = least_positive;
  roast_chart_drawing_set_y (drawing, y, ROAST_CHART_SCALE_ZERO);
  if (self->y2 != NULL)
    {
      const RoastChartRange *range = &self->y2->y;
      const char *format = drawing->cells[ROAST_CHART_CELL_Y2].format;

      roast_chart_scale_init (&drawing->frame.y2, range->min, range->max,
                              ROAST_CHART_SCALE_NICE | ROAST_CHART_SCALE_ZERO, format);
      drawing->frame.has_y2 = TRUE;
      drawing->frame.y2_label = g_strdup (drawing->cells[ROAST_CHART_CELL_Y2].label);
    }
}

static void
add_legend (Lines *self)
{
  RoastChartFrame *frame = &self->drawing->frame;

  if (self->n_series > 1 || self->y2 != NULL || self->drawing->groups.all != NULL)
    roast_chart_drawing_add_legend (self->drawing, ROAST_CHART_SWATCH_LINE);
  if (self->y2 != NULL)
    {
      g_autofree char *name = g_strconcat (frame->y2_label, " (right)", NULL);
      const RoastChartLook look = { .name = name, .role = ROAST_SCENE_ROLE_SERIES, .palette = self->n_series };

      roast_chart_legend_add (frame->legend, ROAST_CHART_SWATCH_LINE, &look);
    }
  roast_chart_frame_add_note (frame, roast_chart_selection_dup_note (&self->drawing->groups, "the highest values"));
  if (self->drawing->groups.all != NULL && roast_chart_drawing_is_ratio (self->drawing))
    add_note_of_undivided (self);
}

/* ---- drawing ---- */

/* Convert the coordinates of points to px. If @is_step, add corners, so that the line keeps its y until the next
 * point. */
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

/* Return whether lines are drawn as steps. Values of intervals, and samples that are valid until the next sample, are
 * constant between points. */
static gboolean
is_step (Lines *self)
{
  return self->kind == ROAST_CHART_KIND_STEP || self->held != NULL || self->drawing->rows->is_interval;
}

/* If lines are drawn as steps, extend a line to @end, where its last interval ends. */
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

/* Fill the band between the lowest and the highest value around each mean. */
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

/* Append a copy of the last point at x = @end, where the interval of the last point ends. */
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

/* Return the points of a line, at the detail of the picture. Also add two copies of the line to the data of the chart:
 * these points, and all points that are kept. */
static GArray *
take_points (Lines *self, RoastChartColumns *columns, double end, const RoastChartLook *look)
{
  guint width = columns->width;
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

  return map_points (self, *points, columns->width, look->is_right ? &frame->y2 : &frame->y, look->is_step);
}

/* Return whether a line is only a few px long. Such a line is drawn thick and without dashes, so that it is visible. */
static gboolean
is_short (const GArray *line)
{
  return line->len == 0 || g_array_index (line, double, line->len - 2) - g_array_index (line, double, 0) < SHORT;
}

static void
draw_series (Lines *self, guint i)
{
  RoastScene *scene = self->drawing->frame.scene;
  RoastChartLook *look = &self->drawing->looks[i];
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) line = NULL;

  look->is_step = is_step (self);
  line = map_series (self, self->series[i], self->ends[i], look, &points);
  extend_line (self, line, self->ends[i]);
  roast_scene_set_name (scene, look->name);
  if (self->drawing->declared->combine == ROAST_CHART_COMBINE_MEAN)
    fill_band (self, points, i);
  else if (self->kind == ROAST_CHART_KIND_AREA && line->len > 0)
    fill_area (self, line, i);
  roast_scene_add_polyline (scene, ROAST_SCENE_ROLE_SERIES, i, (const double *) (gpointer) line->data, line->len,
                            is_short (line) ? 4 : WIDTH, is_short (line) ? ROAST_SCENE_DASH_SOLID : look->dash);
}

/* Return the name of a guide. If several lines of the guide are drawn, append the name of the series. */
static char *
dup_guide_name (Lines *self, guint guide, guint series)
{
  guint n = 0;

  for (guint s = 0; s < self->n_guides; s++)
    n += self->guides[guide][s] != NULL ? 1 : 0;
  if (n < 2)
    return g_strdup (self->drawing->declared->guides[guide].label);

  return g_strdup_printf ("%s, %s", self->drawing->declared->guides[guide].label, self->drawing->looks[series].name);
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
lines_draw (Lines *self)
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
  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    for (guint s = 0; self->guides[i] != NULL && s < self->n_guides; s++)
      if (self->guides[i][s] != NULL)
        draw_guide (self, i, s);
  roast_chart_drawing_add_value_guides (self->drawing);
}

static void
lines_clear (Lines *self)
{
  g_ptr_array_unref (self->all);
  g_free (self->series);
  g_free (self->ends);
  g_clear_pointer (&self->held, roast_chart_held_free);
  g_clear_pointer (&self->per, roast_chart_held_free);
  for (guint i = 0; i < ROAST_CHART_MAX_GUIDES; i++)
    g_free (self->guides[i]);
}

gboolean
roast_chart_draw_lines (RoastChartDrawing *drawing, GError **error)
{
  Lines self = { .drawing = drawing, .kind = roast_chart_info_get_kind (drawing->chart), .x = ROAST_CHART_RANGE_INIT };
  gboolean ok = FALSE;

  lines_measure (&self);
  if (self.x.n == 0)
    return roast_chart_drawing_no_rows (drawing, error);
  roast_chart_selection_choose (&drawing->groups, drawing->rows, ROAST_CHART_CELL_GROUP,
                                roast_chart_drawing_get_most (drawing, ROAST_CHART_MAX_LINES), ROAST_CHART_ORDER_NAME);
  roast_chart_drawing_set_x (drawing, self.x);
  make_series (&self);
  ok = lines_fill (&self, error);
  if (ok)
    {
      lines_set_axes (&self);
      add_legend (&self);
      lines_draw (&self);
    }
  lines_clear (&self);

  return ok;
}
