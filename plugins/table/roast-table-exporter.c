/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <langinfo.h>
#include <roast/roast.h>

#include "text-renderer.h"

#define ROAST_TYPE_TABLE_EXPORTER (roast_table_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastTableExporter, roast_table_exporter, ROAST, TABLE_EXPORTER, GObject)

struct _RoastTableExporter
{
  GObject parent_instance;

  char *color;
  gboolean detail;
  gint64 rows;
  gint64 width;
};

static void exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastTableExporter, roast_table_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, exporter_iface_init))

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 60
#define MAX_WIDTH 1000
#define DEFAULT_ROWS 8

static gsize
choose_width (RoastTableExporter *self, guint columns)
{
  const char *variable = g_getenv ("COLUMNS");
  gint64 width = self->width;

  if (width <= 0 && columns > 0)
    width = columns;
  if (width <= 0 && variable != NULL)
    width = g_ascii_strtoll (variable, NULL, 10);
  if (width <= 0)
    width = DEFAULT_WIDTH;

  return (gsize) CLAMP (width, MIN_WIDTH, MAX_WIDTH);
}

static gboolean
choose_colors (RoastTableExporter *self, gboolean is_terminal)
{
  const char *no_color = g_getenv ("NO_COLOR");

  if (g_str_equal (self->color, "always"))
    return TRUE;

  return g_str_equal (self->color, "auto") && is_terminal && (no_color == NULL || *no_color == '\0');
}

static GHashTable *
map_backends (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  GHashTable *backends = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (sources != NULL && roast_table_reader_next (sources))
    g_hash_table_insert (backends, g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE)),
                         g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_BACKEND)));

  return backends;
}

static gboolean
table_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                     RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastTableExporter *self = ROAST_TABLE_EXPORTER (exporter);
  g_autoptr (GOutputStream) stream = roast_output_open (output, "report.txt", error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) backends = map_backends (recording);
  guint columns = 0;
  TextRenderer page = { .text = text, .schema = roast_report_get_schema (report), .backends = backends };

  if (stream == NULL)
    return FALSE;

  page.colors = choose_colors (self, roast_output_is_terminal (output, &columns));
  page.width = choose_width (self, columns);
  page.ascii = g_ascii_strcasecmp (nl_langinfo (CODESET), "UTF-8") != 0;
  page.detail = self->detail;
  page.rows = (guint64) MAX (self->rows, 0);
  text_renderer_put_head (&page, recording, report);
  text_renderer_put_metrics (&page, report);
  text_renderer_put_tables (&page, report);
  if (page.detail)
    text_renderer_put_added_tables (&page, recording);
  text_renderer_put_notes (&page, recording, report);

  return g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

static gboolean
table_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastTableExporter *self = ROAST_TABLE_EXPORTER (exporter);
  char *color = NULL;

  if (g_variant_lookup (options, "color", "s", &color))
    {
      g_free (self->color);
      self->color = color;
    }
  g_variant_lookup (options, "detail", "b", &self->detail);
  g_variant_lookup (options, "rows", "x", &self->rows);
  g_variant_lookup (options, "width", "x", &self->width);

  return TRUE;
}

static RoastExporterFlags
table_get_flags (RoastExporter *exporter)
{
  return ROAST_EXPORTER_FLAGS_TERMINAL;
}

static void
exporter_iface_init (RoastExporterInterface *iface)
{
  iface->get_flags = table_get_flags;
  iface->configure = table_configure;
  iface->export_report = table_export_report;
}

static void
roast_table_exporter_finalize (GObject *object)
{
  g_free (ROAST_TABLE_EXPORTER (object)->color);

  G_OBJECT_CLASS (roast_table_exporter_parent_class)->finalize (object);
}

static void
roast_table_exporter_class_init (RoastTableExporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_table_exporter_finalize;
}

static void
roast_table_exporter_init (RoastTableExporter *self)
{
  self->color = g_strdup ("auto");
  self->rows = DEFAULT_ROWS;
}

ROAST_DEFINE_PLUGIN ("table", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("table", roast_table_exporter_get_type))
