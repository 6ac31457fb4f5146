/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes PNG and PDF. This is a separate module, so that the exporter itself does not need cairo and pango. */

#include "plots-cairo.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <gmodule.h>
#include <math.h>

#include "cairo-paint.h"
#include "cairo-png-size.h"

#define PX_PER_INCH 96.0
#define POINTS_PER_INCH 72.0

G_MODULE_EXPORT extern const PlotsCairo roast_plots_cairo;

static gboolean
check (cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot draw the figure: %s",
               cairo_status_to_string (status));

  return FALSE;
}

static gboolean
paint (RoastScene *scene, const PlotsLook *look, cairo_surface_t *surface, double scale, GError **error)
{
  cairo_t *cairo = cairo_create (surface);
  gboolean ok = FALSE;

  cairo_scale (cairo, scale, scale);
  paint_scene (scene, look->theme, cairo);
  ok = check (cairo_status (cairo), error);
  cairo_destroy (cairo);

  return ok;
}

static cairo_status_t
collect (gpointer closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);

  return CAIRO_STATUS_SUCCESS;
}

/* ---- PNG ---- */

static cairo_surface_t *
make_image (RoastScene *scene, const PlotsLook *look)
{
  double width = 0;
  double height = 0;

  roast_scene_get_size (scene, &width, &height);
  /* Round the size in pixels, because 7.2 inches at 300 dpi must become exactly 2160 pixels. */
  return cairo_image_surface_create (CAIRO_FORMAT_RGB24, MAX ((int) lround (width * look->dpi / PX_PER_INCH), 1),
                                     MAX ((int) lround (height * look->dpi / PX_PER_INCH), 1));
}

/* Fill the whole surface with the background colour, because rounding may make the surface slightly larger than the
 * scene. */
static void
paint_background (cairo_surface_t *surface, RoastTheme theme)
{
  guint32 colour = roast_theme_get_colour (theme, ROAST_SCENE_ROLE_BACKGROUND, 0);
  cairo_t *cairo = cairo_create (surface);

  cairo_set_source_rgb (cairo, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0, (colour & 0xff) / 255.0);
  cairo_paint (cairo);
  cairo_destroy (cairo);
}

static gboolean
make_png (RoastScene *scene, const PlotsLook *look, GByteArray *bytes, GError **error)
{
  cairo_surface_t *surface = make_image (scene, look);
  gboolean ok = check (cairo_surface_status (surface), error);

  if (ok)
    {
      paint_background (surface, look->theme);
      ok = paint (scene, look, surface, look->dpi / PX_PER_INCH, error) &&
           check (cairo_surface_write_to_png_stream (surface, collect, bytes), error);
    }
  cairo_surface_destroy (surface);
  if (ok)
    png_size_add (bytes, look->dpi);

  return ok;
}

/* ---- PDF ---- */

static void
set_metadata (cairo_surface_t *surface, RoastScene *scene, const PlotsLook *look)
{
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "roast " PLUGIN_VERSION);
  if (look->created != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, look->created);
  if (roast_scene_get_title (scene) != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, roast_scene_get_title (scene));
  if (roast_scene_get_description (scene) != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, roast_scene_get_description (scene));
}

static gboolean
make_pdf (RoastScene *scene, const PlotsLook *look, GByteArray *bytes, GError **error)
{
  cairo_surface_t *surface = NULL;
  double scale = POINTS_PER_INCH / PX_PER_INCH;
  double width = 0;
  double height = 0;
  gboolean ok = FALSE;

  roast_scene_get_size (scene, &width, &height);
  surface = cairo_pdf_surface_create_for_stream (collect, bytes, width * scale, height * scale);
  ok = check (cairo_surface_status (surface), error);
  if (ok)
    {
      set_metadata (surface, scene, look);
      ok = paint (scene, look, surface, scale, error);
      cairo_surface_finish (surface);
      ok = ok && check (cairo_surface_status (surface), error);
    }
  cairo_surface_destroy (surface);

  return ok;
}

/* ---- both formats ---- */

static gboolean
write_picture (RoastScene *scene, const PlotsLook *look, GOutputStream *stream, GCancellable *cancellable,
               GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean ok = look->format == PLOTS_PDF ? make_pdf (scene, look, bytes, error) : make_png (scene, look, bytes, error);

  return ok && g_output_stream_write_all (stream, bytes->data, bytes->len, NULL, cancellable, error);
}

const PlotsCairo roast_plots_cairo = { PLUGIN_VERSION, write_picture };
