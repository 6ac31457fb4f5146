/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-scene.h"

#include <math.h>

#include "base/roast-type-private.h"
#include "roast-chart-data-private.h"
#include "roast-scene-text-private.h"

/**
 * RoastScene:
 *
 * The marks of a picture, independent of any format: lines, rectangles, circles and texts, each with its role. An
 * exporter visits the marks and draws them in its format, in the colours of a [enum@Roast.Theme].
 *
 * Coordinates are in px (1/96 inch) from the top left; y grows downwards. Points with an infinite or NaN coordinate are
 * left out. Texts are made valid for every format: control characters are replaced, texts are cut to 400 characters,
 * and text with right-to-left letters is enclosed in a Unicode isolate.
 *
 * Since: 0.9
 */

typedef struct
{
  RoastSceneMark mark; /* the mark; roast_scene_visit () sets xy in a copy */
  gsize first;         /* index of the mark's first coordinate in the xy of the scene */
} Mark;

struct _RoastScene
{
  GObject parent_instance;

  double width, height;
  char *title, *description; /* texts for screen readers; may be NULL */
  GStringChunk *texts;
  GArray *marks;        /* marks in drawing order, of Mark */
  GArray *xy;           /* coordinates of all marks, of double */
  const char *name;     /* name for the marks that are added next; may be NULL */
  RoastChartData *data; /* numbers from which the picture was drawn; may be NULL */
};

ROAST_DEFINE_TYPE (RoastScene, roast_scene)

static void
roast_scene_release (RoastScene *self)
{
  g_free (self->title);
  g_free (self->description);
  g_string_chunk_free (self->texts);
  g_array_unref (self->marks);
  g_array_unref (self->xy);
  g_clear_pointer (&self->data, roast_chart_data_free);
}

static void
roast_scene_init (RoastScene *self)
{
  self->texts = g_string_chunk_new (1024);
  self->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  self->xy = g_array_new (FALSE, FALSE, sizeof (double));
}

/**
 * roast_scene_new:
 * @width: width, in px
 * @height: height, in px
 *
 * Makes an empty picture.
 *
 * Returns: (transfer full): a scene
 *
 * Since: 0.9
 */
RoastScene *
roast_scene_new (double width, double height)
{
  RoastScene *self = NULL;

  g_return_val_if_fail (isfinite (width) && width > 0 && isfinite (height) && height > 0, NULL);

  self = g_object_new (ROAST_TYPE_SCENE, NULL);
  self->width = width;
  self->height = height;

  return self;
}

void
roast_scene_take_data (RoastScene *self, RoastChartData *data)
{
  g_clear_pointer (&self->data, roast_chart_data_free);
  self->data = data;
}

ROAST_DEFINE_GETTER (Scene, SCENE, RoastChartData *, roast_scene_get_data, NULL, self->data)

/**
 * roast_scene_get_size:
 * @self: a scene
 * @width: (out) (optional): width of the picture, in px
 * @height: (out) (optional): height of the picture, in px
 *
 * Gets the size of the picture.
 *
 * Since: 0.9
 */
void
roast_scene_get_size (RoastScene *self, double *width, double *height)
{
  g_return_if_fail (ROAST_IS_SCENE (self));

  if (width != NULL)
    *width = self->width;
  if (height != NULL)
    *height = self->height;
}

/**
 * roast_scene_set_title:
 * @self: a scene
 * @title: (nullable): one line
 *
 * Sets the title of the picture, which screen readers read. The scene does not draw the title.
 *
 * Since: 0.9
 */
void
roast_scene_set_title (RoastScene *self, const char *title)
{
  g_return_if_fail (ROAST_IS_SCENE (self));

  g_free (self->title);
  self->title = title != NULL ? roast_scene_text_clean (title) : NULL;
}

/**
 * roast_scene_get_title:
 * @self: a scene
 *
 * Gets the title of the picture.
 *
 * Returns: (transfer none) (nullable): the title
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Scene, SCENE, const char *, roast_scene_get_title, NULL, self->title)

/**
 * roast_scene_set_description:
 * @self: a scene
 * @description: (nullable): one line
 *
 * Sets the description of the picture, which screen readers read. The scene does not draw the description.
 *
 * Since: 0.9
 */
void
roast_scene_set_description (RoastScene *self, const char *description)
{
  g_return_if_fail (ROAST_IS_SCENE (self));

  g_free (self->description);
  self->description = description != NULL ? roast_scene_text_clean (description) : NULL;
}

/**
 * roast_scene_get_description:
 * @self: a scene
 *
 * Gets the description of the picture: what it shows, and how to read it.
 *
 * Returns: (transfer none) (nullable): the description
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Scene, SCENE, const char *, roast_scene_get_description, NULL, self->description)

/**
 * roast_scene_set_name:
 * @self: a scene
 * @name: (nullable): what the marks show, such as the name of a series; %NULL for marks without a name
 *
 * Sets the name of the marks that are added from now on. A browser shows the name of the mark under the pointer.
 *
 * Since: 0.9
 */
void
roast_scene_set_name (RoastScene *self, const char *name)
{
  g_autofree char *clean = NULL;

  g_return_if_fail (ROAST_IS_SCENE (self));

  clean = name != NULL ? roast_scene_text_clean (name) : NULL;
  self->name = clean != NULL ? g_string_chunk_insert_const (self->texts, clean) : NULL;
}

static gboolean
is_finite (const double *xy, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (xy[i]))
      return FALSE;

  return TRUE;
}

/* Add a mark with the kind and style of @like. Each point has @width numbers. Skip a point if one of its numbers is not
 * finite. Add nothing if no points remain. */
static void
scene_add (RoastScene *self, const RoastSceneMark *like, const double *xy, guint n_xy, guint width)
{
  Mark mark = { *like, self->xy->len };

  for (guint i = 0; i + width <= n_xy; i += width)
    if (is_finite (xy + i, width))
      g_array_append_vals (self->xy, xy + i, width);
  mark.mark.n_xy = self->xy->len - (guint) mark.first;
  mark.mark.n = mark.mark.n_xy / width;
  mark.mark.name = self->name;
  if (mark.mark.n > 0)
    g_array_append_val (self->marks, mark);
}

/**
 * roast_scene_add_polyline:
 * @self: a scene
 * @role: role of the line
 * @palette: number of the series that the mark shows, from 0; 0 for other roles
 * @xy: (array length=n_xy): x and y of each point, in px
 * @n_xy: number of coordinates: twice the number of points
 * @width: width of the line, in px
 * @dash: how the line is drawn
 *
 * Draws a line through points.
 *
 * Since: 0.9
 */
void
roast_scene_add_polyline (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy,
                          double width, RoastSceneDash dash)
{
  RoastSceneMark mark = {
    .kind = ROAST_SCENE_MARK_KIND_POLYLINE, .role = role, .palette = palette, .width = width, .dash = dash
  };

  g_return_if_fail (ROAST_IS_SCENE (self));

  scene_add (self, &mark, xy, n_xy, 2);
}

/**
 * roast_scene_add_polygon:
 * @self: a scene
 * @role: role of the area
 * @palette: number of the series that the mark shows, from 0; 0 for other roles
 * @xy: (array length=n_xy): x and y of each corner, in px
 * @n_xy: number of coordinates: twice the number of corners
 *
 * Fills an area.
 *
 * Since: 0.9
 */
void
roast_scene_add_polygon (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy)
{
  RoastSceneMark mark = {
    .kind = ROAST_SCENE_MARK_KIND_POLYLINE, .role = role, .palette = palette, .closed = TRUE, .fill = TRUE
  };

  g_return_if_fail (ROAST_IS_SCENE (self));

  scene_add (self, &mark, xy, n_xy, 2);
}

/**
 * roast_scene_add_rectangles:
 * @self: a scene
 * @role: role of the rectangles
 * @palette: number of the series that the marks show, from 0; 0 for other roles
 * @xy: (array length=n_xy): for each rectangle, x and y of the top left corner, width and height, in px
 * @n_xy: number of coordinates: four times the number of rectangles
 *
 * Fills rectangles.
 *
 * Since: 0.9
 */
void
roast_scene_add_rectangles (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy)
{
  RoastSceneMark mark = { .kind = ROAST_SCENE_MARK_KIND_RECTANGLES, .role = role, .palette = palette, .fill = TRUE };

  g_return_if_fail (ROAST_IS_SCENE (self));

  scene_add (self, &mark, xy, n_xy, 4);
}

/**
 * roast_scene_add_circles:
 * @self: a scene
 * @role: role of the circles
 * @palette: number of the series that the marks show, from 0; 0 for other roles
 * @xy: (array length=n_xy): x and y of each centre, in px
 * @n_xy: number of coordinates: twice the number of circles
 * @radius: radius of the circles, in px
 *
 * Fills circles.
 *
 * Since: 0.9
 */
void
roast_scene_add_circles (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy,
                         double radius)
{
  RoastSceneMark mark = {
    .kind = ROAST_SCENE_MARK_KIND_CIRCLES, .role = role, .palette = palette, .fill = TRUE, .radius = radius
  };

  g_return_if_fail (ROAST_IS_SCENE (self));

  scene_add (self, &mark, xy, n_xy, 2);
}

/**
 * roast_scene_add_text:
 * @self: a scene
 * @role: role of the text; a title is bold
 * @x: x of the anchor, in px
 * @y: y of the baseline, in px
 * @text: one line, which may contain invalid UTF-8 and control characters
 * @anchor: the part of the text that is at @x
 * @size: size of the text, in px
 * @rotate: clockwise rotation of the text around @x and @y, in degrees
 *
 * Writes a line of text.
 *
 * Since: 0.9
 */
void
roast_scene_add_text (RoastScene *self, RoastSceneRole role, double x, double y, const char *text,
                      RoastSceneAnchor anchor, double size, double rotate)
{
  RoastSceneMark mark = { .kind = ROAST_SCENE_MARK_KIND_TEXT, .role = role, .fill = TRUE };
  const double xy[] = { x, y };
  g_autofree char *clean = NULL;

  g_return_if_fail (ROAST_IS_SCENE (self));
  g_return_if_fail (text != NULL);

  clean = roast_scene_text_clean (text);
  mark.text = g_string_chunk_insert_const (self->texts, clean);
  mark.anchor = anchor;
  mark.size = size;
  mark.rotate = rotate;
  scene_add (self, &mark, xy, G_N_ELEMENTS (xy), 2);
}

/**
 * roast_scene_visit:
 * @self: a scene
 * @visitor: (scope call) (closure user_data): called for each mark
 * @user_data: data for @visitor
 *
 * Calls @visitor for each mark in drawing order: later marks cover earlier marks.
 *
 * Since: 0.9
 */
void
roast_scene_visit (RoastScene *self, RoastSceneVisitor visitor, gpointer user_data)
{
  g_return_if_fail (ROAST_IS_SCENE (self));
  g_return_if_fail (visitor != NULL);

  for (guint i = 0; i < self->marks->len; i++)
    {
      const Mark *mark = &g_array_index (self->marks, Mark, i);
      RoastSceneMark shown = mark->mark;

      shown.xy = &g_array_index (self->xy, double, mark->first);
      visitor (&shown, user_data);
    }
}
