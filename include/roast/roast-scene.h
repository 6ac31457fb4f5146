/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastSceneRole:
 * @ROAST_SCENE_ROLE_BACKGROUND: the background of all other marks
 * @ROAST_SCENE_ROLE_AXIS: axis lines and ticks
 * @ROAST_SCENE_ROLE_GRID: grid lines across the data
 * @ROAST_SCENE_ROLE_LABEL: texts at axes and in legends
 * @ROAST_SCENE_ROLE_TITLE: the title, in bold
 * @ROAST_SCENE_ROLE_SERIES: data of the series that the palette number selects
 * @ROAST_SCENE_ROLE_OTHERS: data of all series that do not have their own colour
 * @ROAST_SCENE_ROLE_BAND: a translucent area around or below a series
 * @ROAST_SCENE_ROLE_GUIDE: a limit or another reference value, and its text
 * @ROAST_SCENE_ROLE_NOTE: a note for readers, for example about omitted data
 *
 * The meaning of a mark. A [enum@Roast.Theme] gives each role a colour.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SCENE_ROLE_BACKGROUND,
  ROAST_SCENE_ROLE_AXIS,
  ROAST_SCENE_ROLE_GRID,
  ROAST_SCENE_ROLE_LABEL,
  ROAST_SCENE_ROLE_TITLE,
  ROAST_SCENE_ROLE_SERIES,
  ROAST_SCENE_ROLE_OTHERS,
  ROAST_SCENE_ROLE_BAND,
  ROAST_SCENE_ROLE_GUIDE,
  ROAST_SCENE_ROLE_NOTE,
} RoastSceneRole;

/**
 * RoastSceneMarkKind:
 * @ROAST_SCENE_MARK_KIND_POLYLINE: a line through points, or the area that the line encloses
 * @ROAST_SCENE_MARK_KIND_RECTANGLES: filled rectangles of one colour
 * @ROAST_SCENE_MARK_KIND_CIRCLES: filled circles of one colour and radius
 * @ROAST_SCENE_MARK_KIND_TEXT: one line of text
 *
 * The shape of a mark.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SCENE_MARK_KIND_POLYLINE,
  ROAST_SCENE_MARK_KIND_RECTANGLES,
  ROAST_SCENE_MARK_KIND_CIRCLES,
  ROAST_SCENE_MARK_KIND_TEXT,
} RoastSceneMarkKind;

/**
 * RoastSceneDash:
 * @ROAST_SCENE_DASH_SOLID: no gaps
 * @ROAST_SCENE_DASH_DASHED: dashes of 5 px, gaps of 3 px
 * @ROAST_SCENE_DASH_DOTTED: dots of 1.5 px, gaps of 2.5 px
 *
 * The dash pattern of a line.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SCENE_DASH_SOLID,
  ROAST_SCENE_DASH_DASHED,
  ROAST_SCENE_DASH_DOTTED,
} RoastSceneDash;

/**
 * RoastSceneAnchor:
 * @ROAST_SCENE_ANCHOR_START: the start of the text
 * @ROAST_SCENE_ANCHOR_MIDDLE: the middle of the text
 * @ROAST_SCENE_ANCHOR_END: the end of the text
 *
 * The part of a text that is at its position.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SCENE_ANCHOR_START,
  ROAST_SCENE_ANCHOR_MIDDLE,
  ROAST_SCENE_ANCHOR_END,
} RoastSceneAnchor;

typedef struct _RoastSceneMark RoastSceneMark;

/**
 * RoastSceneMark:
 * @kind: shape of the mark
 * @role: role of the mark
 * @palette: number of the series, from 0, for data and bands
 * @dash: dash pattern of the line
 * @closed: whether a line joins the last point of a polyline to the first point
 * @fill: whether the mark is filled; otherwise it is drawn as a line
 * @width: width of the line, in px
 * @radius: radius of the circles, in px
 * @n: number of points, rectangles, circles or texts
 * @n_xy: number of coordinates: 2 for each point, circle or text, 4 for each rectangle
 * @xy: (array length=n_xy): the coordinates, in px: x and y of each point or centre; x, y, width and height of each
 *   rectangle; for a text, the point of its baseline at its anchor
 * @text: (nullable): the text, in valid UTF-8 without control characters
 * @size: size of the text, in px
 * @rotate: clockwise rotation of the text around its position, in degrees
 * @anchor: the part of the text that is at its position
 * @name: (nullable): name of what the mark shows, such as a series, in valid UTF-8 without control characters
 *
 * A mark of a [class@Roast.Scene], as passed to [callback@Roast.SceneVisitor].
 *
 * Since: 0.9
 */
struct _RoastSceneMark
{
  RoastSceneMarkKind kind;
  RoastSceneRole role;
  guint palette;
  RoastSceneDash dash;
  gboolean closed;
  gboolean fill;
  double width;
  double radius;
  guint n;
  guint n_xy;
  const double *xy;
  const char *text;
  double size;
  double rotate;
  RoastSceneAnchor anchor;
  const char *name;
};

/**
 * RoastSceneVisitor:
 * @mark: a mark, valid only during the call
 * @user_data: the data passed to [method@Roast.Scene.visit]
 *
 * Receives the marks of a scene, one after another.
 *
 * Since: 0.9
 */
typedef void (*RoastSceneVisitor) (const RoastSceneMark *mark, gpointer user_data);

#define ROAST_TYPE_SCENE (roast_scene_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastScene, roast_scene, ROAST, SCENE, GObject)

ROAST_AVAILABLE_IN_0_9
RoastScene *roast_scene_new (double width, double height);
ROAST_AVAILABLE_IN_0_9
void roast_scene_get_size (RoastScene *self, double *width, double *height);
ROAST_AVAILABLE_IN_0_9
void roast_scene_set_title (RoastScene *self, const char *title);
ROAST_AVAILABLE_IN_0_9
const char *roast_scene_get_title (RoastScene *self);
ROAST_AVAILABLE_IN_0_9
void roast_scene_set_description (RoastScene *self, const char *description);
ROAST_AVAILABLE_IN_0_9
const char *roast_scene_get_description (RoastScene *self);

/* Adding and visiting marks, which are drawn in the order in which they were added. */
ROAST_AVAILABLE_IN_0_9
void roast_scene_set_name (RoastScene *self, const char *name);
ROAST_AVAILABLE_IN_0_9
void roast_scene_add_polyline (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy,
                               double width, RoastSceneDash dash);
ROAST_AVAILABLE_IN_0_9
void roast_scene_add_polygon (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy);
ROAST_AVAILABLE_IN_0_9
void roast_scene_add_rectangles (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy);
ROAST_AVAILABLE_IN_0_9
void roast_scene_add_circles (RoastScene *self, RoastSceneRole role, guint palette, const double *xy, guint n_xy,
                              double radius);
ROAST_AVAILABLE_IN_0_9
void roast_scene_add_text (RoastScene *self, RoastSceneRole role, double x, double y, const char *text,
                           RoastSceneAnchor anchor, double size, double rotate);
ROAST_AVAILABLE_IN_0_9
void roast_scene_visit (RoastScene *self, RoastSceneVisitor visitor, gpointer user_data);

ROAST_AVAILABLE_IN_0_9
char *roast_scene_dup_data (RoastScene *self, gsize most);

ROAST_AVAILABLE_IN_0_9
double roast_scene_measure_text (const char *text, double size);

G_END_DECLS
