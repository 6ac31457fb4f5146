/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <roast/roast.h>
#include <string.h>

#include "exporter.h"
#include "plots-cairo.h"
#include "plots-figures.h"
#include "plots-picture.h"
#include "side-module.h"

G_DECLARE_FINAL_TYPE (RoastPlotsExporter, roast_plots_exporter, ROAST, PLOTS_EXPORTER, GObject)

struct _RoastPlotsExporter
{
  GObject parent_instance;

  PlotsLook look;
  const PlotsCairo *cairo; /* functions of the module for PNG and PDF; NULL if the format is SVG */
  double width, height;    /* size of a figure in px */
  char *charts;            /* value of the option charts, or NULL */
  gboolean is_200gbps;
};

/* Sizes in px (1/96 inch). One column of a journal is 3.5 inches (89 mm) wide. Two columns, with the gap between them,
 * are 7.2 inches (183 mm) wide. */
#define COLUMN_WIDTH 336.0
#define COLUMN_HEIGHT 252.0
#define PAGE_WIDTH 691.2
#define PAGE_HEIGHT 345.6

#define DEFAULT_DPI 300
#define LEAST_DPI 36
#define MOST_DPI 1200

static const char *const suffixes[] = { [PLOTS_SVG] = "svg", [PLOTS_PNG] = "png", [PLOTS_PDF] = "pdf" };

/* ---- the export ---- */

/* Draw the chart of a figure, with the lines of text of the figure below it. If the chart cannot be drawn, return a
 * picture of the reason, but only if the user requested the chart by name; otherwise return NULL. */
static RoastScene *
draw (RoastPlotsExporter *self, PlotsFigure *figure, RoastRecordingSnapshot *recording, RoastReport *report)
{
  const char *const none[] = { NULL };
  const char *const *lines = figure->lines != NULL ? (const char *const *) figure->lines : none;
  double height = self->height - plots_picture_measure_lines (lines, self->width);
  g_autoptr (GError) local = NULL;
  g_autoptr (RoastScene) picture = roast_chart_draw (figure->chart, recording, report, self->width, height, &local);

  if (picture == NULL)
    {
      figure->reason = g_strdup (local->message);
      if (!figure->asked)
        return NULL;
      picture = plots_picture_new_reason (figure->chart, figure->reason, self->width, height);
    }

  return lines[0] != NULL ? plots_picture_add_lines (picture, lines) : g_steal_pointer (&picture);
}

static gboolean
write_picture (RoastPlotsExporter *self, RoastScene *picture, const char *name, RoastOutput *output,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (GOutputStream) stream = NULL;

  if (self->look.format == PLOTS_SVG)
    return roast_scene_write_svg (picture, self->look.theme, ROAST_SVG_FLAGS_NONE, output, name, error);
  stream = roast_output_open (output, name, error);

  return stream != NULL && self->cairo->write (picture, &self->look, stream, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

static gboolean
write_figure (RoastPlotsExporter *self, PlotsFigure *figure, RoastRecordingSnapshot *recording, RoastReport *report,
              RoastOutput *output, GCancellable *cancellable, GError **error)
{
  g_autofree char *name =
      g_strconcat (roast_chart_info_get_name (figure->chart), ".", suffixes[self->look.format], NULL);
  g_autoptr (RoastScene) picture = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  picture = draw (self, figure, recording, report);
  if (picture == NULL)
    return TRUE;
  figure->drawn = TRUE;

  return write_picture (self, picture, name, output, cancellable, error);
}

/* Return the creation date for PDF files. It is the start of the run, so that the same run always gives the same
 * bytes. */
static char *
dup_created (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) started = roast_recording_snapshot_lookup_metadata (recording, "started", G_VARIANT_TYPE_INT64);
  gint64 seconds = started != NULL ? g_variant_get_int64 (started) / G_USEC_PER_SEC : 0;
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (seconds);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : g_strdup ("1970-01-01T00:00:00Z");
}

static gboolean
plots_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                     RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastPlotsExporter *self = ROAST_PLOTS_EXPORTER (exporter);
  const PlotsChoice choice = { self->charts, self->is_200gbps };
  g_autofree char *created = dup_created (recording);
  g_autofree char *index = NULL;
  g_autoptr (GPtrArray) figures = NULL;

  if (!exporter_check_directory (output, "plots", error))
    return FALSE;
  figures = plots_figures_list (&choice, recording, report, error);
  if (figures == NULL)
    return FALSE;
  self->look.created = created;
  FOR_EACH_POINTER (PlotsFigure, figure, figures)
    if (figure->reason == NULL && !figure->is_detail &&
        !write_figure (self, figure, recording, report, output, cancellable, error))
      return FALSE;
  self->look.created = NULL;
  index = plots_index_make (figures, suffixes[self->look.format], recording);

  return exporter_write (output, "index.txt", index, strlen (index), cancellable, error);
}

/* ---- options ---- */

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error_literal (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, why);

  return FALSE;
}

static gboolean
set_dpi (RoastPlotsExporter *self, GVariant *options, GError **error)
{
  gint64 dpi = DEFAULT_DPI;

  if (g_variant_lookup (options, "dpi", "x", &dpi) && self->look.format != PLOTS_PNG)
    return refuse ("option dpi is for format=png: other formats have no pixels", error);
  if (dpi < LEAST_DPI || dpi > MOST_DPI)
    {
      g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                   "option dpi takes a number from %d to %d, not %" G_GINT64_FORMAT, LEAST_DPI, MOST_DPI, dpi);
      return FALSE;
    }
  self->look.dpi = (double) dpi;

  return TRUE;
}

static void
set_size (RoastPlotsExporter *self, GVariant *options)
{
  const char *width = "column";

  g_variant_lookup (options, "width", "&s", &width);
  if (g_str_equal (width, "page"))
    {
      self->width = PAGE_WIDTH;
      self->height = PAGE_HEIGHT;
    }
}

/* Open the module for PNG and PDF. This happens when the options are checked, so that the user sees an error about a
 * missing module before the program runs. */
static const PlotsCairo *
open_cairo (const char *format, GError **error)
{
  g_autofree char *what = g_strconcat ("format=", format, NULL);
  const SideModule module = { what, "libroast-plots-cairo.so", PLOTS_CAIRO_SYMBOL, "roast-plugin-plots-cairo",
                              "format=svg needs no module" };

  return side_module_open (&module, error);
}

static gboolean
plots_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastPlotsExporter *self = ROAST_PLOTS_EXPORTER (exporter);
  const char *format = suffixes[PLOTS_SVG];
  const char *theme = "light";
  const char *figures = NULL;

  g_variant_lookup (options, "format", "&s", &format);
  g_variant_lookup (options, "theme", "&s", &theme);
  g_variant_lookup (options, "figures", "&s", &figures);
  g_variant_lookup (options, "charts", "s", &self->charts);
  self->look.format = g_str_equal (format, "png") ? PLOTS_PNG : g_str_equal (format, "pdf") ? PLOTS_PDF : PLOTS_SVG;
  self->look.theme = g_str_equal (theme, "dark") ? ROAST_THEME_DARK : ROAST_THEME_LIGHT;
  self->is_200gbps = figures != NULL;
  set_size (self, options);
  if (self->charts != NULL && figures != NULL)
    return refuse ("the options charts and figures exclude each other: give only one of these options", error);
  if (self->charts != NULL && self->charts[strspn (self->charts, "; ")] == '\0')
    return refuse ("option charts takes names of charts, as in charts=memory;data_rate: “roast-inspect --charts” lists "
                   "the names",
                   error);
  if (!set_dpi (self, options, error))
    return FALSE;
  if (self->look.format != PLOTS_SVG)
    self->cairo = open_cairo (format, error);

  return self->look.format == PLOTS_SVG || self->cairo != NULL;
}

EXPORTER_DEFINE_TYPE_WITH (RoastPlotsExporter, roast_plots_exporter, plots, ROAST_EXPORTER_FLAGS_DIRECTORY,
                           g_free (self->charts), (void) 0)

static void
roast_plots_exporter_init (RoastPlotsExporter *self)
{
  self->look = (PlotsLook) { .dpi = DEFAULT_DPI };
  self->width = COLUMN_WIDTH;
  self->height = COLUMN_HEIGHT;
}

ROAST_DEFINE_PLUGIN ("plots", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("plots", roast_plots_exporter_get_type))
