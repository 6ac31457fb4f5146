/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-frame-private.h"

#include <math.h>

#include "roast-chart-legend-private.h"
#include "roast-scene-text-private.h"

#define MARGIN 12.0
#define TITLE_SIZE 14.0
#define BOLD 1.12 /* width of bold text divided by the width of normal text */
#define LABEL ROAST_CHART_LABEL_SIZE
#define NOTE_SIZE 11.0
#define TICK 4.0
#define FRAME_GAP 6.0
#define LEADING 3.0
#define MAX_LINES 2
#define LEAST_BOX 20.0
#define MOST_OF_BOX 0.8 /* a guide's label is shortened to this share of the width of the box */

void
roast_chart_frame_init (RoastChartFrame *self, RoastChartInfo *chart, double width, double height)
{
  *self = (RoastChartFrame) { .width = width, .height = height };
  self->scene = roast_scene_new (width, height);
  roast_scene_set_title (self->scene, roast_chart_info_get_title (chart));
  roast_scene_set_description (self->scene, roast_chart_info_get_description (chart));
  self->legend = roast_chart_legend_new ();
  self->taken = g_array_new (FALSE, FALSE, 4 * sizeof (double));
}

void
roast_chart_frame_clear (RoastChartFrame *self)
{
  g_clear_object (&self->scene);
  roast_chart_scale_clear (&self->x);
  roast_chart_scale_clear (&self->y);
  roast_chart_scale_clear (&self->y2);
  g_clear_pointer (&self->x_label, g_free);
  g_clear_pointer (&self->y_label, g_free);
  g_clear_pointer (&self->y2_label, g_free);
  g_clear_pointer (&self->note, g_free);
  g_clear_pointer (&self->legend, g_array_unref);
  g_clear_pointer (&self->taken, g_array_unref);
}

void
roast_chart_frame_add_note (RoastChartFrame *self, char *note)
{
  char *before = self->note;

  if (note == NULL)
    return;
  self->note = before != NULL ? g_strconcat (before, "; ", note, NULL) : g_strdup (note);
  g_free (before);
  g_free (note);
}

/* ---- texts ---- */

/* Draw a text from @y downwards. In a narrow picture, wrap the text into up to two lines. Return the y at which the
 * text ends. */
static double
draw_wrapped (RoastChartFrame *self, RoastSceneRole role, const char *text, double size, double wider, double y)
{
  g_auto (GStrv) lines = roast_scene_text_wrap (text, size * wider, self->width - 2 * MARGIN, MAX_LINES);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      y += i > 0 ? LEADING : 0;
      roast_scene_add_text (self->scene, role, MARGIN, y + size - (role == ROAST_SCENE_ROLE_TITLE ? 3 : 2), lines[i],
                            ROAST_SCENE_ANCHOR_START, size, 0);
      y += size;
    }

  return y;
}

void
roast_chart_frame_measure_name (RoastChartFrame *self, const char *name, double most)
{
  g_autofree char *text = roast_scene_text_fit (name, LABEL, most);

  self->names_width = MAX (self->names_width, roast_scene_measure_text (text, LABEL));
}

void
roast_chart_frame_draw_name (RoastChartFrame *self, RoastSceneRole role, double middle, const char *name)
{
  g_autofree char *text = roast_scene_text_fit (name, LABEL, self->names_width + 0.01);

  roast_scene_add_text (self->scene, role, self->left - 6, middle + LABEL * 0.36, text, ROAST_SCENE_ANCHOR_END, LABEL,
                        0);
}

static void
draw_axis_label (RoastChartFrame *self, const char *label, const char *unit, double x, double y, double rotate,
                 double room)
{
  g_autofree char *whole = label == NULL    ? g_strdup (unit)
                           : *unit == '\0'  ? g_strdup (label)
                           : *label == '\0' ? g_strdup (unit)
                                            : g_strdup_printf ("%s (%s)", label, unit);
  g_autofree char *text = roast_scene_text_fit (whole, LABEL, room);

  if (*text != '\0')
    roast_scene_add_text (self->scene, ROAST_SCENE_ROLE_LABEL, x, y, text, ROAST_SCENE_ANCHOR_MIDDLE, LABEL, rotate);
}

/* Return the middle of the label of a y axis, which is rotated. A label that is longer than the box extends below the
 * box, because the legend is above the box. */
static double
find_middle (RoastChartFrame *self, const char *label, const char *unit)
{
  g_autofree char *text = g_strconcat (label != NULL ? label : "", " (", unit, ")", NULL);
  double half = roast_scene_measure_text (text, LABEL) / 2;

  return MIN (MAX ((self->top + self->bottom) / 2, self->top - MARGIN / 2 + half),
              (self->top + self->height - MARGIN) / 2);
}

static void
draw_labels (RoastChartFrame *self)
{
  double height = self->height - self->top - MARGIN / 2;

  draw_axis_label (self, self->x_label, self->x.unit, (self->left + self->right) / 2, self->height - MARGIN + 2, 0,
                   self->width - 2 * MARGIN);
  if (self->has_y)
    draw_axis_label (self, self->y_label, self->y.unit, MARGIN + LABEL - 3,
                     find_middle (self, self->y_label, self->y.unit), -90, height);
  if (self->has_y2)
    draw_axis_label (self, self->y2_label, self->y2.unit, self->width - MARGIN - LABEL + 3,
                     find_middle (self, self->y2_label, self->y2.unit), 90, height);
}

/* ---- place ---- */

/* Return the height of the row for labels of vertical guides; 0 without such guides. The row must be so high that its
 * labels do not touch the label of the highest tick. */
static double
get_row_of_guides (const RoastChartFrame *self)
{
  return self->has_guides_x ? NOTE_SIZE + 9 : 0;
}

static double
place_top (RoastChartFrame *self)
{
  double top =
      draw_wrapped (self, ROAST_SCENE_ROLE_TITLE, roast_scene_get_title (self->scene), TITLE_SIZE, BOLD, MARGIN) +
      FRAME_GAP;

  if (self->note != NULL)
    top = draw_wrapped (self, ROAST_SCENE_ROLE_NOTE, self->note, NOTE_SIZE, 1, top) + FRAME_GAP - 2;
  top += roast_chart_legend_draw (self->legend, self->scene, MARGIN, top, self->width - 2 * MARGIN);

  return top + FRAME_GAP + 2 + get_row_of_guides (self);
}

static double
get_width_of_axis (const RoastChartScale *scale)
{
  return MARGIN + LABEL + FRAME_GAP + roast_chart_scale_measure (scale) + TICK + 2;
}

static void
place_box (RoastChartFrame *self)
{
  double half = 0;

  self->top = place_top (self);
  self->bottom = MAX (self->height - MARGIN - 2 * LABEL - TICK - FRAME_GAP, self->top + LEAST_BOX);
  if (self->has_y)
    roast_chart_scale_fit (&self->y, self->bottom, self->top, FALSE);
  if (self->has_y2)
    roast_chart_scale_fit (&self->y2, self->bottom, self->top, FALSE);
  self->left = self->has_y ? get_width_of_axis (&self->y) : MARGIN + self->names_width + FRAME_GAP;
  self->right = self->width - (self->has_y2 ? get_width_of_axis (&self->y2) : MARGIN);
  self->right = MAX (self->right, self->left + LEAST_BOX);
  roast_chart_scale_fit (&self->x, self->left, self->right, TRUE);
  /* The last label of the x axis is centred below its tick. If the edge of the picture would cut off the label, make
   * the box narrower. */
  if (self->x.n_ticks > 0)
    half = roast_scene_measure_text (self->x.ticks[self->x.n_ticks - 1].label, LABEL) / 2;
  if (roast_chart_scale_map (&self->x, self->x.ticks[MAX (self->x.n_ticks, 1) - 1].value) + half > self->width - 4)
    {
      RoastChartScaleFlags flags = self->x.flags;

      self->right = MAX (self->width - half - 4, self->left + LEAST_BOX);
      self->x.flags &= (RoastChartScaleFlags) ~ROAST_CHART_SCALE_NICE;
      roast_chart_scale_fit (&self->x, self->left, self->right, TRUE);
      self->x.flags = flags;
    }
}

/* ---- lines ---- */

static void
draw_line (RoastChartFrame *self, RoastSceneRole role, double x1, double y1, double x2, double y2)
{
  const double xy[] = { x1, y1, x2, y2 };

  roast_scene_add_polyline (self->scene, role, 0, xy, G_N_ELEMENTS (xy), 1, ROAST_SCENE_DASH_SOLID);
}

/* Return the centre of the pixel that contains @at, because a line that is one pixel wide is sharp only if it covers
 * whole pixels. */
static double
sharpen (double at)
{
  return floor (at) + 0.5;
}

static void
draw_ticks_of_x (RoastChartFrame *self)
{
  for (guint i = 0; i < self->x.n_ticks; i++)
    {
      const RoastChartTick *tick = &self->x.ticks[i];
      double x = roast_chart_scale_map (&self->x, tick->value);

      if (self->vertical_grid && x > self->left + 1)
        draw_line (self, ROAST_SCENE_ROLE_GRID, sharpen (x), self->top, sharpen (x), self->bottom);
      draw_line (self, ROAST_SCENE_ROLE_AXIS, sharpen (x), self->bottom, sharpen (x), self->bottom + TICK);
      roast_scene_add_text (self->scene, ROAST_SCENE_ROLE_LABEL, x, self->bottom + TICK + LABEL + 1, tick->label,
                            ROAST_SCENE_ANCHOR_MIDDLE, LABEL, 0);
    }
}

static void
draw_ticks_of_y (RoastChartFrame *self, const RoastChartScale *scale, gboolean right)
{
  double x = right ? self->right + TICK + 3 : self->left - TICK - 3;
  double end = right ? self->right + TICK : self->left - TICK;

  for (guint i = 0; i < scale->n_ticks; i++)
    {
      double y = roast_chart_scale_map (scale, scale->ticks[i].value);

      if (!right && y < self->bottom - 1)
        draw_line (self, ROAST_SCENE_ROLE_GRID, self->left, sharpen (y), self->right, sharpen (y));
      draw_line (self, ROAST_SCENE_ROLE_AXIS, right ? self->right : self->left, sharpen (y), end, sharpen (y));
      roast_scene_add_text (self->scene, ROAST_SCENE_ROLE_LABEL, x, y + LABEL * 0.36, scale->ticks[i].label,
                            right ? ROAST_SCENE_ANCHOR_START : ROAST_SCENE_ANCHOR_END, LABEL, 0);
    }
}

void
roast_chart_frame_begin (RoastChartFrame *self)
{
  const double all[] = { 0, 0, self->width, self->height };

  roast_scene_add_rectangles (self->scene, ROAST_SCENE_ROLE_BACKGROUND, 0, all, G_N_ELEMENTS (all));
  place_box (self);
  draw_labels (self);
  draw_ticks_of_x (self);
  if (self->has_y)
    draw_ticks_of_y (self, &self->y, FALSE);
  if (self->has_y2)
    draw_ticks_of_y (self, &self->y2, TRUE);
}

void
roast_chart_frame_end (RoastChartFrame *self)
{
  roast_scene_set_name (self->scene, NULL);
  draw_line (self, ROAST_SCENE_ROLE_AXIS, self->left, sharpen (self->bottom), self->right, sharpen (self->bottom));
  draw_line (self, ROAST_SCENE_ROLE_AXIS, sharpen (self->left), self->top, sharpen (self->left), self->bottom);
  if (self->has_y2)
    draw_line (self, ROAST_SCENE_ROLE_AXIS, sharpen (self->right), self->top, sharpen (self->right), self->bottom);
}

/* ---- guides ---- */

static gboolean
is_free (const RoastChartFrame *self, const double *box)
{
  double left = box[1] < self->top ? 0 : self->left;

  if (box[0] < left || box[1] < self->top - get_row_of_guides (self) || box[0] + box[2] > self->right ||
      box[1] + box[3] > self->bottom)
    return FALSE;
  for (guint i = 0; i < self->taken->len; i++)
    {
      const double *other = (const double *) (gpointer) self->taken->data + (gsize) 4 * i;

      if (box[0] < other[0] + other[2] && other[0] < box[0] + box[2] && box[1] < other[1] + other[3] &&
          other[1] < box[1] + box[3])
        return FALSE;
    }

  return TRUE;
}

/* Draw a label in the first place of @places that is free, or draw nothing if no place is free. Draw a background
 * behind the label, so that it is readable on top of the data. */
static void
add_label (RoastChartFrame *self, const char *label, const double (*places)[2], guint n_places)
{
  g_autofree char *text = roast_scene_text_fit (label, NOTE_SIZE, (self->right - self->left) * MOST_OF_BOX);
  double width = roast_scene_measure_text (text, NOTE_SIZE);

  for (guint i = 0; i < n_places; i++)
    {
      /* A label above the box may also use the space to the left of the box. */
      double least = places[i][1] < self->top ? MARGIN / 3 : self->left + 2;
      double box[] = { CLAMP (places[i][0] - width - 4, least, MAX (self->right - width - 6, least)), places[i][1],
                       width + 4, NOTE_SIZE + 3 };

      if (!is_free (self, box))
        continue;
      g_array_append_vals (self->taken, box, 1);
      roast_scene_add_rectangles (self->scene, ROAST_SCENE_ROLE_BACKGROUND, 0, box, G_N_ELEMENTS (box));
      roast_scene_add_text (self->scene, ROAST_SCENE_ROLE_GUIDE, box[0] + 2, box[1] + NOTE_SIZE - 1, text,
                            ROAST_SCENE_ANCHOR_START, NOTE_SIZE, 0);
      return;
    }
}

/* Return the y of the last point of a line whose x is not greater than @x. The points are sorted by x. */
static double
find_y (const double *xy, guint n_xy, double x)
{
  guint i = n_xy - 2;

  while (i > 0 && xy[i] > x)
    i -= 2;

  return xy[i + 1];
}

void
roast_chart_frame_add_guide (RoastChartFrame *self, const double *xy, guint n_xy, const char *label)
{
  double x = 0;
  double y = 0;

  if (n_xy < 4)
    return;
  x = xy[n_xy - 2];
  y = xy[n_xy - 1];
  roast_scene_set_name (self->scene, label);
  roast_scene_add_polyline (self->scene, ROAST_SCENE_ROLE_GUIDE, 0, xy, n_xy, 1.2, ROAST_SCENE_DASH_DASHED);
  roast_scene_set_name (self->scene, NULL);
  /* Try places above and below the end of the line, then places on the line at growing distances from its end. */
  {
    const double places[][2] = { { x - 2, y - NOTE_SIZE - 5 },
                                 { x - 2, y + 3 },
                                 { x - 2, find_y (xy, n_xy, x - 20) - NOTE_SIZE / 2 - 1 },
                                 { x - 60, find_y (xy, n_xy, x - 80) - NOTE_SIZE / 2 - 1 },
                                 { x - 120, find_y (xy, n_xy, x - 140) - NOTE_SIZE / 2 - 1 },
                                 { x - 180, find_y (xy, n_xy, x - 200) - NOTE_SIZE / 2 - 1 } };

    add_label (self, label, places, G_N_ELEMENTS (places));
  }
}

void
roast_chart_frame_add_guide_y (RoastChartFrame *self, double y, const char *label)
{
  double at = sharpen (roast_chart_scale_map (&self->y, y));
  const double xy[] = { self->left, at, self->right, at };

  roast_chart_frame_add_guide (self, xy, G_N_ELEMENTS (xy), label);
}

void
roast_chart_frame_add_line_x (RoastChartFrame *self, double x, const char *name)
{
  double at = sharpen (roast_chart_scale_map (&self->x, x));
  const double xy[] = { at, self->bottom, at, self->top };

  roast_scene_set_name (self->scene, name);
  roast_scene_add_polyline (self->scene, ROAST_SCENE_ROLE_GUIDE, 0, xy, G_N_ELEMENTS (xy), 1.2,
                            ROAST_SCENE_DASH_DASHED);
  roast_scene_set_name (self->scene, NULL);
}

void
roast_chart_frame_add_guide_x (RoastChartFrame *self, double x, const char *label, gboolean left)
{
  double at = sharpen (roast_chart_scale_map (&self->x, x));
  double width = roast_scene_measure_text (label, NOTE_SIZE);
  double places[10][2];

  roast_chart_frame_add_line_x (self, x, label);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      places[i][0] = (i % 2 == 0) != left ? at + width + 8 : at - 3;
      places[i][1] = i < 2 && self->has_guides_x ? self->top - get_row_of_guides (self)
                                                 : self->top + 3 + (double) (i / 2) * (NOTE_SIZE + 5);
    }
  add_label (self, label, (const double (*)[2]) places, G_N_ELEMENTS (places));
}
