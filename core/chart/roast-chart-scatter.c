/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws points as dots. Points of a group that fall into the same pixel are drawn as one dot. */

#include <math.h>
#include <string.h>

#include "roast-chart-drawing-private.h"
#include "roast/roast-format.h"

#define RADIUS 2.0
#define LEAST_SPREAD 0.1 /* a line is fitted only if the range of x is at least this part of the largest x */
#define MAX_DOTS 15000   /* if a picture would have more dots, neighbouring dots are merged */

typedef struct
{
  RoastChartDrawing *drawing;
  RoastChartRange x, y;
  guint n_parts;
  /* Members for fitting a line by least squares: the means of x and y, and the sums of (x - mean_x)² (xx) and of (x -
   * mean_x) (y - mean_y) (xy) over all points. */
  double mean_x, mean_y, xx, xy;
  guint columns, lines;
  guint8 *dots; /* for each part and pixel: 1 if a point is in this pixel */
} Scatter;

static void
add_to_fit (Scatter *self, double x, double y)
{
  double n = (double) self->x.n;
  double dx = x - self->mean_x;

  self->mean_x += dx / n;
  self->mean_y += (y - self->mean_y) / n;
  self->xx += dx * (x - self->mean_x);
  self->xy += dx * (y - self->mean_y);
}

static void
scatter_measure (Scatter *self)
{
  const RoastChartRow *row = NULL;
  guint64 n_without_x = 0;
  guint64 n_without_y = 0;

  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    {
      double x = row->numbers[ROAST_CHART_CELL_X];
      double y = row->numbers[ROAST_CHART_CELL_Y];

      n_without_x += !isfinite (x);
      n_without_y += isfinite (x) && !isfinite (y);
      if (!isfinite (x) || !isfinite (y))
        continue;
      roast_chart_range_add (&self->x, x);
      roast_chart_range_add (&self->y, y);
      add_to_fit (self, x, y);
      roast_chart_selection_add (&self->drawing->groups, row->names[ROAST_CHART_CELL_GROUP], 1);
    }
  roast_chart_drawing_add_note_of_missing (self->drawing, ROAST_CHART_CELL_X, n_without_x);
  roast_chart_drawing_add_note_of_missing (self->drawing, ROAST_CHART_CELL_Y, n_without_y);
}

static void
mark_dots (Scatter *self)
{
  const RoastChartFrame *frame = &self->drawing->frame;
  gboolean is_log = (frame->y.flags & ROAST_CHART_SCALE_LOG) != 0;
  gboolean is_log_x = (frame->x.flags & ROAST_CHART_SCALE_LOG) != 0;
  const RoastChartRow *row = NULL;

  self->columns = (guint) (frame->right - frame->left) + 1;
  self->lines = (guint) (frame->bottom - frame->top) + 1;
  self->dots = g_malloc0 ((gsize) self->n_parts * self->lines * self->columns);
  roast_chart_rows_rewind (self->drawing->rows);
  while ((row = roast_chart_rows_next (self->drawing->rows)) != NULL)
    {
      guint place = self->drawing->groups.places[row->names[ROAST_CHART_CELL_GROUP]];
      gsize part = MIN (place, self->n_parts - 1);
      double x = row->numbers[ROAST_CHART_CELL_X];
      double y = row->numbers[ROAST_CHART_CELL_Y];
      double at_x = roast_chart_scale_map (&frame->x, x) - frame->left;
      double at_y = roast_chart_scale_map (&frame->y, y) - frame->top;

      if (!isfinite (x) || !isfinite (y) || (is_log && y <= 0) || (is_log_x && x <= 0))
        continue;
      self->dots[(part * self->lines + (guint) CLAMP (at_y, 0, self->lines - 1)) * self->columns +
                 (guint) CLAMP (at_x, 0, self->columns - 1)] = 1;
    }
}

/* Return the centres of the dots of a part. All points in a square of @size by @size pixels are one dot. */
static GArray *
collect_dots (Scatter *self, guint part, guint size)
{
  const RoastChartFrame *frame = &self->drawing->frame;
  GArray *centres = g_array_new (FALSE, FALSE, sizeof (double));
  guint columns = (self->columns + size - 1) / size;
  g_autofree guint8 *marked = g_new (guint8, columns);

  for (guint line = 0; line < self->lines; line += size)
    {
      memset (marked, 0, columns);
      for (guint y = line; y < MIN (line + size, self->lines); y++)
        for (guint x = 0; x < self->columns; x++)
          marked[x / size] |= self->dots[((gsize) part * self->lines + y) * self->columns + x];
      for (guint i = 0; i < columns; i++)
        {
          double centre[] = { MIN (frame->left + (i + 0.5) * size, frame->right),
                              MIN (frame->top + line + 0.5 * size, frame->bottom) };

          if (marked[i] != 0)
            g_array_append_vals (centres, centre, 2);
        }
    }

  return centres;
}

static guint
choose_size (Scatter *self)
{
  for (guint size = 1;; size++)
    {
      guint n = 0;

      for (guint part = 0; part < self->n_parts; part++)
        {
          g_autoptr (GArray) centres = collect_dots (self, part, size);

          n += centres->len / 2;
        }
      if (n <= MAX_DOTS)
        return size;
    }
}

static void
draw_dots (Scatter *self)
{
  RoastChartFrame *frame = &self->drawing->frame;
  guint size = choose_size (self);

  /* Draw the part of all other groups first, so that this part is below everything else. Afterwards draw the chosen
   * groups, beginning with the largest group. */
  for (guint n = 0; n < self->n_parts; n++)
    {
      guint i = (n + self->drawing->groups.n) % self->n_parts;
      const RoastChartLook *look = &self->drawing->looks[i];
      g_autoptr (GArray) centres = collect_dots (self, i, size);

      roast_scene_set_name (frame->scene, self->drawing->groups.all != NULL ? look->name : NULL);
      roast_scene_add_circles (frame->scene, look->role, look->palette, (const double *) (gpointer) centres->data,
                               centres->len, MAX (RADIUS, size * 0.6));
    }
}

static gboolean
has_fit (Scatter *self)
{
  return self->drawing->declared->fit && self->xx > 0 &&
         self->x.max - self->x.min >= LEAST_SPREAD * fmax (fabs (self->x.min), fabs (self->x.max));
}

/* Clip the line y = a + b x to the box. Return the number of coordinates put into @xy. */
static guint
clip_line (const RoastChartFrame *frame, double a, double b, double *xy)
{
  guint n = 0;

  for (guint i = 0; i <= 100; i++)
    {
      double x = frame->x.min + (frame->x.max - frame->x.min) * i / 100;
      double y = a + b * x;

      /* Outside the box, use the exact point where the line enters or leaves the box, if that point is nearby. */
      if (b != 0 && (y < frame->y.min || y > frame->y.max))
        {
          double edge = y < frame->y.min ? frame->y.min : frame->y.max;
          double at = (edge - a) / b;

          if (fabs (at - x) > (frame->x.max - frame->x.min) / 100 || at < frame->x.min || at > frame->x.max)
            continue;
          x = at;
          y = edge;
        }
      if (y < frame->y.min || y > frame->y.max)
        continue;
      xy[n++] = roast_chart_scale_map (&frame->x, x);
      xy[n++] = roast_chart_scale_map (&frame->y, y);
    }

  return n;
}

static void
draw_guides (Scatter *self)
{
  double xy[2 * 101];
  RoastChartDrawing *drawing = self->drawing;

  if (has_fit (self))
    {
      double b = self->xy / self->xx;
      double a = self->mean_y - b * self->mean_x;
      guint n = clip_line (&drawing->frame, a, b, xy);

      roast_scene_add_polyline (drawing->frame.scene, ROAST_SCENE_ROLE_AXIS, 0, xy, n, 1.5, ROAST_SCENE_DASH_SOLID);
    }
  for (guint i = 0; i < drawing->declared->n_guides; i++)
    if (drawing->declared->guides[i].kind == ROAST_CHART_GUIDE_PER_SECOND && drawing->declared->guides[i].value != 0)
      {
        guint n = clip_line (&drawing->frame, 0, 1 / drawing->declared->guides[i].value, xy);

        roast_chart_frame_add_guide (&drawing->frame, xy, n, drawing->declared->guides[i].label);
      }
  roast_chart_drawing_add_value_guides (drawing);
}

/* Add a legend entry such as "fit: 1.20 s + 12.3 ms per 1000 events". */
static void
add_fit_to_legend (Scatter *self)
{
  RoastChartDrawing *drawing = self->drawing;
  const char *format = drawing->cells[ROAST_CHART_CELL_Y].format;
  gboolean is_bytes = g_str_equal (drawing->cells[ROAST_CHART_CELL_X].format, "bytes");
  double b = self->xx > 0 ? self->xy / self->xx : 0;
  double a = self->mean_y - b * self->mean_x;
  g_autofree char *at_zero = roast_format_number (fabs (a), format);
  const char *label = drawing->cells[ROAST_CHART_CELL_X].label;
  g_autofree char *slope = NULL;
  g_autofree char *text = NULL;

  if (drawing->declared->fit && !has_fit (self))
    roast_chart_frame_add_note (&drawing->frame,
                                g_strdup_printf ("no line is fitted: the values of %s differ by less than 10 %%",
                                                 label));
  if (!has_fit (self))
    return;
  slope = roast_format_number (fabs (b) * (is_bytes ? 1048576 : 1000), format);
  text = g_strdup_printf ("fit: %s%s %s %s per %s%s", a < 0 ? "−" : "", at_zero, b < 0 ? "−" : "+", slope,
                          is_bytes ? "MiB" : "1000 ", is_bytes ? "" : label);
  roast_chart_legend_add (drawing->frame.legend, ROAST_CHART_SWATCH_LINE,
                          &(RoastChartLook) { .name = text, .role = ROAST_SCENE_ROLE_AXIS });
}

/* Return whether the chart has a guide for a rate. The line of a rate begins at the origin, so the axes must include
 * zero. */
static gboolean
has_rates (Scatter *self)
{
  for (guint i = 0; i < self->drawing->declared->n_guides; i++)
    if (self->drawing->declared->guides[i].kind == ROAST_CHART_GUIDE_PER_SECOND)
      return TRUE;

  return FALSE;
}

/* Set the x axis. If the chart declares a logarithmic scale, both x and y are logarithmic, because sizes and times
 * spread over orders of magnitude. If no x is positive, the x axis stays linear. */
static void
set_x (Scatter *self)
{
  RoastChartDrawing *drawing = self->drawing;
  gboolean is_log = drawing->declared->log_scale && self->x.least_positive > 0;
  gboolean has_zero = has_rates (self) || (self->x.min > 0 && self->x.min < self->x.max / 2);
  RoastChartScaleFlags flags = is_log ? ROAST_CHART_SCALE_LOG : has_zero ? ROAST_CHART_SCALE_ZERO : 0;

  roast_chart_drawing_set_x (drawing, self->x);
  if (drawing->cells[ROAST_CHART_CELL_X].is_time)
    return;
  if (is_log && self->x.min <= 0 && self->y.min > 0)
    roast_chart_frame_add_note (&drawing->frame,
                                g_strdup ("zero and negative values are not shown: the scale is logarithmic"));
  roast_chart_scale_init (&drawing->frame.x, is_log ? self->x.least_positive : self->x.min, self->x.max,
                          ROAST_CHART_SCALE_NICE | flags, drawing->frame.x.format);
}

static void
scatter_set_axes (Scatter *self)
{
  RoastChartDrawing *drawing = self->drawing;

  self->n_parts =
      roast_chart_drawing_choose_parts (drawing, roast_chart_drawing_get_most (drawing, ROAST_CHART_MAX_PARTS));
  roast_chart_drawing_make_looks (drawing, self->n_parts, NULL, drawing->groups.palettes);
  set_x (self);
  roast_chart_drawing_set_y (drawing, self->y, has_rates (self) ? ROAST_CHART_SCALE_ZERO : 0);
  drawing->frame.vertical_grid = TRUE;
  if (drawing->groups.all != NULL)
    roast_chart_drawing_add_legend (drawing, ROAST_CHART_SWATCH_DOT);
  add_fit_to_legend (self);
}

gboolean
roast_chart_draw_scatter (RoastChartDrawing *drawing, GError **error)
{
  Scatter self = { .drawing = drawing, .x = ROAST_CHART_RANGE_INIT, .y = ROAST_CHART_RANGE_INIT };

  scatter_measure (&self);
  if (self.x.n == 0)
    return roast_chart_drawing_no_rows (drawing, error);
  scatter_set_axes (&self);
  roast_chart_frame_begin (&drawing->frame);
  mark_dots (&self);
  draw_dots (&self);
  roast_chart_frame_end (&drawing->frame);
  draw_guides (&self);
  g_free (self.dots);

  return TRUE;
}
