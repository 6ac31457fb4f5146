/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes scenes as SVG. Texts are written as text, not as outlines. Coordinates are rounded to tenths of a pixel. The
 * same scene always gives the same bytes. */

#include "roast/roast-svg.h"

#include <math.h>

#include "roast-theme-private.h"

/* Coordinates are clamped to this limit, which is far outside any picture. Renderers fail on larger numbers. */
#define FARTHEST 1e6

typedef struct
{
  GString *text;
  RoastTheme theme;
  gboolean classes;
} Writer;

static gint64
to_tenths (double value)
{
  return llround (CLAMP (value, -FARTHEST, FARTHEST) * 10);
}

/* Append a number such as "12.5", "-0.3" or "7". */
static void
append_tenths (GString *text, gint64 tenths)
{
  gint64 size = ABS (tenths);

  if (tenths < 0)
    g_string_append_c (text, '-');
  if (size >= 10 || size % 10 == 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, size / 10);
  if (size % 10 != 0)
    g_string_append_printf (text, ".%d", (int) (size % 10));
}

/* Append a number that follows another number. Put a space between them, unless the second number begins with a minus
 * sign. */
static void
append_next (GString *text, gint64 tenths)
{
  if (tenths >= 0)
    g_string_append_c (text, ' ');
  append_tenths (text, tenths);
}

static void
append_attribute (GString *text, const char *name, double value)
{
  g_string_append_printf (text, " %s=\"", name);
  append_tenths (text, to_tenths (value));
  g_string_append_c (text, '"');
}

static void
append_escaped (GString *text, const char *raw)
{
  static const char *const escapes[128] = {
    ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"
  };

  for (const char *c = raw; *c != '\0'; c++)
    if ((guchar) *c < G_N_ELEMENTS (escapes) && escapes[(guchar) *c] != NULL)
      g_string_append (text, escapes[(guchar) *c]);
    else
      g_string_append_c (text, *c);
}

static void
append_element (GString *text, const char *name, const char *content)
{
  g_string_append_printf (text, "<%s>", name);
  append_escaped (text, content);
  g_string_append_printf (text, "</%s>\n", name);
}

/* ---- attributes of all marks ---- */

static void
append_paint (Writer *writer, const RoastSceneMark *mark)
{
  GString *text = writer->text;
  gboolean translucent = mark->role == ROAST_SCENE_ROLE_BAND;

  if (writer->classes)
    {
      g_string_append_printf (text, " class=\"roast-%c-", mark->fill ? 'f' : 's');
      roast_theme_append_class (text, mark->role, mark->palette);
      g_string_append (text, translucent && mark->fill ? " roast-band\"" : "\"");
    }
  g_string_append_printf (text, " %s=\"#%06x\"", mark->fill ? "fill" : "stroke",
                          roast_theme_get_colour (writer->theme, mark->role, mark->palette));
  if (translucent)
    {
      g_string_append_printf (text, " %s-opacity=\"", mark->fill ? "fill" : "stroke");
      roast_theme_append_opacity (text, writer->theme, mark->role);
      g_string_append_c (text, '"');
    }
}

/* End the element of a shape. If the shape has a name, add it as a title, which browsers show under the pointer. */
static void
append_end (Writer *writer, const RoastSceneMark *mark, const char *element)
{
  if (mark->name == NULL)
    {
      g_string_append (writer->text, "/>\n");
      return;
    }
  g_string_append (writer->text, "><title>");
  append_escaped (writer->text, mark->name);
  g_string_append_printf (writer->text, "</title></%s>\n", element);
}

/* ---- marks ---- */

/* Append points. Write each point as the difference between its rounded coordinates and the rounded coordinates of the
 * previous point, so that rounding errors do not add up. Skip a point that equals the previous point after rounding. */
static void
append_points (GString *text, const RoastSceneMark *mark)
{
  gint64 x = to_tenths (mark->xy[0]);
  gint64 y = to_tenths (mark->xy[1]);
  char command = 'M';

  append_tenths (text, x);
  append_next (text, y);
  for (guint i = 1; i < mark->n; i++)
    {
      gint64 dx = to_tenths (mark->xy[2 * i]) - x;
      gint64 dy = to_tenths (mark->xy[2 * i + 1]) - y;
      char next = dx == 0 ? 'v' : dy == 0 ? 'h' : 'l';

      if (dx == 0 && dy == 0)
        continue;
      if (next != command)
        g_string_append_c (text, next);
      if (next == 'v')
        (command == 'v' ? append_next : append_tenths) (text, dy);
      else
        (command == next ? append_next : append_tenths) (text, dx);
      if (next == 'l')
        append_next (text, dy);
      command = next;
      x += dx;
      y += dy;
    }
  /* Draw a line of one point as a line of length zero, whose round ends are visible as a dot. */
  g_string_append (text, mark->closed ? "z" : command == 'M' ? "h0" : "");
}

static void
append_polyline (Writer *writer, const RoastSceneMark *mark)
{
  static const char *const dashes[] = {
    [ROAST_SCENE_DASH_SOLID] = "",
    [ROAST_SCENE_DASH_DASHED] = " stroke-dasharray=\"5 3\"",
    [ROAST_SCENE_DASH_DOTTED] = " stroke-dasharray=\"1.5 2.5\"",
  };
  gboolean is_data = mark->role == ROAST_SCENE_ROLE_SERIES || mark->role == ROAST_SCENE_ROLE_OTHERS;

  g_string_append (writer->text, "<path");
  append_paint (writer, mark);
  if (!mark->fill)
    {
      g_string_append (writer->text, " fill=\"none\"");
      append_attribute (writer->text, "stroke-width", mark->width);
      g_string_append (writer->text, mark->dash < G_N_ELEMENTS (dashes) ? dashes[mark->dash] : "");
      if (is_data && mark->dash == ROAST_SCENE_DASH_SOLID)
        g_string_append (writer->text, " stroke-linejoin=\"round\" stroke-linecap=\"round\"");
    }
  g_string_append (writer->text, " d=\"M");
  append_points (writer->text, mark);
  g_string_append_c (writer->text, '"');
  append_end (writer, mark, "path");
}

/* Write all rectangles as one path, because separate elements would need five times as many bytes. Round the
 * coordinates of edges, not the widths, so that adjacent rectangles still touch. */
static void
append_rectangles (Writer *writer, const RoastSceneMark *mark)
{
  GString *text = writer->text;

  g_string_append (text, "<path");
  append_paint (writer, mark);
  g_string_append (text, " d=\"");
  for (guint i = 0; i < mark->n; i++)
    {
      const double *xywh = mark->xy + (gsize) 4 * i;
      gint64 x = to_tenths (xywh[0]);
      gint64 y = to_tenths (xywh[1]);
      gint64 width = to_tenths (xywh[0] + xywh[2]) - x;

      g_string_append_c (text, 'M');
      append_tenths (text, x);
      append_next (text, y);
      g_string_append_c (text, 'h');
      append_tenths (text, width);
      g_string_append_c (text, 'v');
      append_tenths (text, to_tenths (xywh[1] + xywh[3]) - y);
      g_string_append_c (text, 'h');
      append_tenths (text, -width);
      g_string_append_c (text, 'z');
    }
  g_string_append_c (text, '"');
  append_end (writer, mark, "path");
}

/* Draw each circle as a zero-length line with round ends. */
static void
append_circles (Writer *writer, const RoastSceneMark *mark)
{
  RoastSceneMark line = *mark;
  GString *text = writer->text;

  line.fill = FALSE;
  g_string_append (text, "<path");
  append_paint (writer, &line);
  g_string_append (text, " fill=\"none\" stroke-linecap=\"round\"");
  append_attribute (text, "stroke-width", 2 * mark->radius);
  g_string_append (text, " d=\"");
  for (guint i = 0; i < mark->n; i++)
    {
      g_string_append_c (text, 'M');
      append_tenths (text, to_tenths (mark->xy[2 * i]));
      append_next (text, to_tenths (mark->xy[2 * i + 1]));
      g_string_append (text, "h0");
    }
  g_string_append_c (text, '"');
  append_end (writer, mark, "path");
}

static void
append_text (Writer *writer, const RoastSceneMark *mark)
{
  static const char *const anchors[] = {
    [ROAST_SCENE_ANCHOR_START] = "",
    [ROAST_SCENE_ANCHOR_MIDDLE] = " text-anchor=\"middle\"",
    [ROAST_SCENE_ANCHOR_END] = " text-anchor=\"end\"",
  };
  GString *text = writer->text;

  g_string_append (text, "<text");
  append_paint (writer, mark);
  append_attribute (text, "x", mark->xy[0]);
  append_attribute (text, "y", mark->xy[1]);
  append_attribute (text, "font-size", mark->size);
  g_string_append (text, mark->anchor < G_N_ELEMENTS (anchors) ? anchors[mark->anchor] : "");
  if (mark->role == ROAST_SCENE_ROLE_TITLE)
    g_string_append (text, " font-weight=\"bold\"");
  if (mark->rotate != 0)
    {
      g_string_append (text, " transform=\"rotate(");
      append_tenths (text, to_tenths (mark->rotate));
      append_next (text, to_tenths (mark->xy[0]));
      append_next (text, to_tenths (mark->xy[1]));
      g_string_append (text, ")\"");
    }
  g_string_append_c (text, '>');
  append_escaped (text, mark->text);
  g_string_append (text, "</text>\n");
}

static void
append_mark (const RoastSceneMark *mark, gpointer user_data)
{
  static void (*const append[]) (Writer *, const RoastSceneMark *) = {
    [ROAST_SCENE_MARK_KIND_POLYLINE] = append_polyline,
    [ROAST_SCENE_MARK_KIND_RECTANGLES] = append_rectangles,
    [ROAST_SCENE_MARK_KIND_CIRCLES] = append_circles,
    [ROAST_SCENE_MARK_KIND_TEXT] = append_text,
  };

  append[mark->kind](user_data, mark);
}

/* ---- the picture ---- */

static void
append_root (Writer *writer, RoastScene *scene)
{
  GString *text = writer->text;
  double width = 0;
  double height = 0;

  roast_scene_get_size (scene, &width, &height);
  g_string_append (text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  if (writer->classes)
    g_string_append (text, " class=\"roast-chart\"");
  append_attribute (text, "width", width);
  append_attribute (text, "height", height);
  g_string_append (text, " viewBox=\"0 0");
  append_next (text, to_tenths (width));
  append_next (text, to_tenths (height));
  g_string_append (text, "\" font-family=\"sans-serif\" role=\"img\"");
  if (roast_scene_get_title (scene) != NULL)
    {
      g_string_append (text, " aria-label=\"");
      append_escaped (text, roast_scene_get_title (scene));
      g_string_append_c (text, '"');
    }
  g_string_append (text, ">\n");
  if (roast_scene_get_title (scene) != NULL)
    append_element (text, "title", roast_scene_get_title (scene));
  if (roast_scene_get_description (scene) != NULL)
    append_element (text, "desc", roast_scene_get_description (scene));
}

static GString *
make_svg (RoastScene *scene, RoastTheme theme, RoastSvgFlags flags)
{
  Writer writer = { g_string_new (NULL), theme, (flags & ROAST_SVG_FLAGS_CLASSES) != 0 };

  append_root (&writer, scene);
  if ((flags & ROAST_SVG_FLAGS_STYLE) != 0)
    {
      g_autofree char *css = roast_theme_dup_css ();

      g_string_append_printf (writer.text, "<style>\n%s</style>\n", css);
    }
  roast_scene_visit (scene, append_mark, &writer);
  g_string_append (writer.text, "</svg>\n");

  return writer.text;
}

/**
 * roast_scene_to_svg:
 * @self: a scene
 * @theme: the colours
 * @flags: intended use of the picture
 *
 * Writes a picture as SVG, without an XML declaration, so that it may be part of an HTML page.
 *
 * Returns: (transfer full): the SVG, as UTF-8
 *
 * Since: 0.9
 */
char *
roast_scene_to_svg (RoastScene *self, RoastTheme theme, RoastSvgFlags flags)
{
  g_return_val_if_fail (ROAST_IS_SCENE (self), NULL);

  return g_string_free (make_svg (self, theme, flags), FALSE);
}

/**
 * roast_scene_write_svg:
 * @self: a scene
 * @theme: the colours
 * @flags: intended use of the picture
 * @output: the destination
 * @name: (nullable): name of the file, if @output is a directory
 * @error: return location for an error
 *
 * Writes a picture as an SVG file. The caller must commit the output.
 *
 * Returns: %TRUE on success; %FALSE with %ROAST_EXPORT_ERROR_OUTPUT or an error of the stream
 *
 * Since: 0.9
 */
gboolean
roast_scene_write_svg (RoastScene *self, RoastTheme theme, RoastSvgFlags flags, RoastOutput *output, const char *name,
                       GError **error)
{
  g_autoptr (GOutputStream) stream = NULL;
  g_autoptr (GString) svg = NULL;

  g_return_val_if_fail (ROAST_IS_SCENE (self), FALSE);
  g_return_val_if_fail (ROAST_IS_OUTPUT (output), FALSE);

  stream = roast_output_open (output, name, error);
  if (stream == NULL)
    return FALSE;
  svg = make_svg (self, theme, flags);

  return g_output_stream_write_all (stream, svg->str, svg->len, NULL, NULL, error) &&
         g_output_stream_close (stream, NULL, error);
}
