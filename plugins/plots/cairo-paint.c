/* SPDX-License-Identifier: BSD-3-Clause */

/* Paints the marks of a scene with the same dashes, line caps and opacities as in the SVG. */

#include "cairo-paint.h"

#include <pango/pangocairo.h>

typedef struct
{
  cairo_t *cairo;
  PangoLayout *layout;
  RoastTheme theme;
} Painter;

static void
set_colour (const Painter *self, const RoastSceneMark *mark)
{
  guint32 colour = roast_theme_get_colour (self->theme, mark->role, mark->palette);

  cairo_set_source_rgba (self->cairo, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
                         (colour & 0xff) / 255.0, roast_theme_get_opacity (self->theme, mark->role));
}

static void
set_dash (cairo_t *cairo, RoastSceneDash dash)
{
  static const double dashed[] = { 5, 3 };
  static const double dotted[] = { 1.5, 2.5 };

  if (dash == ROAST_SCENE_DASH_DASHED)
    cairo_set_dash (cairo, dashed, G_N_ELEMENTS (dashed), 0);
  else if (dash == ROAST_SCENE_DASH_DOTTED)
    cairo_set_dash (cairo, dotted, G_N_ELEMENTS (dotted), 0);
  else
    cairo_set_dash (cairo, NULL, 0, 0);
}

static void
paint_polyline (const Painter *self, const RoastSceneMark *mark)
{
  gboolean is_data = mark->role == ROAST_SCENE_ROLE_SERIES || mark->role == ROAST_SCENE_ROLE_OTHERS;
  gboolean is_round = is_data && mark->dash == ROAST_SCENE_DASH_SOLID;

  cairo_move_to (self->cairo, mark->xy[0], mark->xy[1]);
  for (guint i = 1; i < mark->n; i++)
    cairo_line_to (self->cairo, mark->xy[2 * i], mark->xy[2 * i + 1]);
  if (mark->closed)
    cairo_close_path (self->cairo);
  if (mark->fill)
    {
      cairo_fill (self->cairo);
      return;
    }
  /* Draw a single point as a line of length zero, because round caps turn such a line into a dot. */
  if (mark->n == 1)
    cairo_line_to (self->cairo, mark->xy[0], mark->xy[1]);
  cairo_set_line_width (self->cairo, mark->width);
  cairo_set_line_join (self->cairo, is_round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
  cairo_set_line_cap (self->cairo, is_round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
  set_dash (self->cairo, mark->dash);
  cairo_stroke (self->cairo);
}

static void
paint_rectangles (const Painter *self, const RoastSceneMark *mark)
{
  for (guint i = 0; i < mark->n; i++)
    {
      const double *xywh = mark->xy + (gsize) 4 * i;

      cairo_rectangle (self->cairo, xywh[0], xywh[1], xywh[2], xywh[3]);
    }
  cairo_fill (self->cairo);
}

/* Draw each circle as a line of length zero with round caps, because such a line needs fewer bytes in a PDF than a
 * circle. */
static void
paint_circles (const Painter *self, const RoastSceneMark *mark)
{
  cairo_set_line_cap (self->cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width (self->cairo, 2 * mark->radius);
  set_dash (self->cairo, ROAST_SCENE_DASH_SOLID);
  for (guint i = 0; i < mark->n; i++)
    {
      cairo_move_to (self->cairo, mark->xy[2 * i], mark->xy[2 * i + 1]);
      cairo_line_to (self->cairo, mark->xy[2 * i], mark->xy[2 * i + 1]);
    }
  cairo_stroke (self->cairo);
}

static void
set_font (const Painter *self, const RoastSceneMark *mark)
{
  PangoFontDescription *font = pango_font_description_from_string ("sans-serif");

  pango_font_description_set_absolute_size (font, mark->size * PANGO_SCALE);
  if (mark->role == ROAST_SCENE_ROLE_TITLE)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (self->layout, font);
  pango_font_description_free (font);
}

static void
paint_text (const Painter *self, const RoastSceneMark *mark)
{
  static const double shares[] = {
    [ROAST_SCENE_ANCHOR_START] = 0,
    [ROAST_SCENE_ANCHOR_MIDDLE] = 0.5,
    [ROAST_SCENE_ANCHOR_END] = 1,
  };
  int width = 0;

  set_font (self, mark);
  pango_layout_set_text (self->layout, mark->text, -1);
  pango_layout_get_size (self->layout, &width, NULL);
  cairo_save (self->cairo);
  cairo_translate (self->cairo, mark->xy[0], mark->xy[1]);
  cairo_rotate (self->cairo, mark->rotate * G_PI / 180);
  cairo_move_to (self->cairo, -(double) width / PANGO_SCALE * shares[mark->anchor],
                 -(double) pango_layout_get_baseline (self->layout) / PANGO_SCALE);
  pango_cairo_show_layout (self->cairo, self->layout);
  cairo_restore (self->cairo);
}

static void
paint_mark (const RoastSceneMark *mark, gpointer user_data)
{
  static void (*const paint[]) (const Painter *, const RoastSceneMark *) = {
    [ROAST_SCENE_MARK_KIND_POLYLINE] = paint_polyline,
    [ROAST_SCENE_MARK_KIND_RECTANGLES] = paint_rectangles,
    [ROAST_SCENE_MARK_KIND_CIRCLES] = paint_circles,
    [ROAST_SCENE_MARK_KIND_TEXT] = paint_text,
  };

  set_colour (user_data, mark);
  paint[mark->kind](user_data, mark);
  cairo_new_path (((const Painter *) user_data)->cairo);
}

/* Make a layout without hinting, so that text has the same position at every resolution. Use a private font map,
 * because the default font map is never freed. */
static PangoLayout *
make_layout (cairo_t *cairo)
{
  PangoFontMap *fonts = pango_cairo_font_map_new ();
  PangoContext *context = pango_font_map_create_context (fonts);
  PangoLayout *layout = NULL;
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  /* Do not round the widths of glyphs to whole cairo units, because one unit may be several pixels. */
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
  pango_cairo_update_context (cairo, context);
  layout = pango_layout_new (context);
  g_object_unref (context);
  g_object_unref (fonts);
  pango_layout_set_single_paragraph_mode (layout, TRUE);

  return layout;
}

void
paint_scene (RoastScene *scene, RoastTheme theme, cairo_t *cairo)
{
  Painter painter = { cairo, make_layout (cairo), theme };

  roast_scene_visit (scene, paint_mark, &painter);
  g_object_unref (painter.layout);
}
