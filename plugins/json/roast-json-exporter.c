/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <roast/roast.h>

#include "exporter.h"
#include "json-writer.h"
#include "report-json.h"

G_DECLARE_FINAL_TYPE (RoastJsonExporter, roast_json_exporter, ROAST, JSON_EXPORTER, GObject)

struct _RoastJsonExporter
{
  GObject parent_instance;

  char *tables; /* “all”, “none”, or names of tables joined by “+” */
  gboolean indent;
};

static void
put_columns (JsonWriter *w, RoastTableReader *table)
{
  json_writer_begin_member (w, "columns", '[');
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      json_writer_begin_element (w, '{');
      report_json_put_column (w, roast_table_reader_get_column (table, i));
      json_writer_end (w, '}');
    }
  json_writer_end (w, ']');
}

static void
put_column_data (JsonWriter *w, RoastTableReader *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (table, slot);
  RoastColumnType type = roast_column_get_column_type (column);
  gboolean first = TRUE;

  json_writer_member (w, roast_column_get_name (column));
  g_string_append_c (w->text, '[');
  for (roast_table_reader_rewind (table); w->error == NULL && roast_table_reader_next (table);)
    {
      if (!first)
        g_string_append (w->text, w->indent ? ", " : ",");
      first = FALSE;
      report_json_put_cell (w, table, slot, type);
      json_writer_flush (w, JSON_WRITER_FLUSH_AT);
    }
  g_string_append_c (w->text, ']');
}

/* Write a table column by column. Rows would repeat the names of the columns, and numpy needs columns anyway. */
static void
put_table (JsonWriter *w, RoastTableReader *table)
{
  RoastTableInfo *info = roast_table_reader_get_info (table);

  json_writer_begin_member (w, roast_table_info_get_name (info), '{');
  json_writer_string_member (w, "description", roast_table_info_get_description (info));
  json_writer_member (w, "rows");
  g_string_append_printf (w->text, "%" G_GUINT64_FORMAT, roast_table_reader_get_n_rows (table));
  put_columns (w, table);
  json_writer_begin_member (w, "data", '{');
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    put_column_data (w, table, i);
  json_writer_end (w, '}');
  json_writer_end (w, '}');
}

static void
put_report_tables (JsonWriter *w, RoastReport *report)
{
  g_auto (GStrv) names = roast_report_dup_table_names (report);

  json_writer_begin_member (w, "report_tables", '{');
  for (guint i = 0; names[i] != NULL && w->error == NULL; i++)
    {
      g_autoptr (RoastTableReader) table = roast_report_read_table (report, names[i], NULL, &w->error);

      if (table != NULL)
        put_table (w, table);
    }
  json_writer_end (w, '}');
}

static void
put_tables (JsonWriter *w, RoastRecordingSnapshot *recording, const char *wanted)
{
  g_auto (GStrv) names = roast_recording_snapshot_dup_table_names (recording);
  g_auto (GStrv) chosen = g_strsplit (wanted, "+", -1);

  json_writer_begin_member (w, "tables", '{');
  for (guint i = 0; names[i] != NULL && w->error == NULL; i++)
    {
      g_autoptr (RoastTableReader) table = NULL;

      if (!g_str_equal (wanted, "all") && !g_strv_contains ((const char *const *) chosen, names[i]))
        continue;
      table = roast_recording_snapshot_read_table (recording, names[i], NULL, &w->error);
      if (table != NULL)
        put_table (w, table);
    }
  json_writer_end (w, '}');
}

static gboolean
json_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                    RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastJsonExporter *self = ROAST_JSON_EXPORTER (exporter);
  g_autoptr (GOutputStream) stream = roast_output_open (output, "report.json", error);
  JsonWriter w = { .stream = stream, .cancellable = cancellable, .first = TRUE, .indent = self->indent };

  if (stream == NULL)
    return FALSE;

  w.text = g_string_sized_new (JSON_WRITER_FLUSH_AT + 4096);
  json_writer_begin (&w, '{');
  json_writer_string_member (&w, "schema", "urn:roast:report:1");
  json_writer_string_member (&w, "roast_version", PLUGIN_VERSION);
  report_json_put_run (&w, recording);
  report_json_put_findings (&w, report);
  report_json_put_metrics (&w, report);
  report_json_put_notes (&w, report);
  put_report_tables (&w, report);
  if (!g_str_equal (self->tables, "none"))
    put_tables (&w, recording, self->tables);
  json_writer_end (&w, '}');
  g_string_append_c (w.text, '\n');
  json_writer_flush (&w, 1);
  g_string_free (w.text, TRUE);
  if (w.error == NULL)
    g_output_stream_close (stream, cancellable, &w.error);
  if (w.error == NULL)
    return TRUE;
  g_propagate_error (error, w.error);

  return FALSE;
}

static gboolean
json_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastJsonExporter *self = ROAST_JSON_EXPORTER (exporter);
  char *tables = NULL;

  if (g_variant_lookup (options, "tables", "s", &tables) && *tables == '\0')
    {
      g_free (tables);
      g_set_error_literal (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                           "“tables=” needs a value: all, none, or names of tables, as in workers+chunks");
      return FALSE;
    }
  if (tables != NULL)
    {
      g_free (self->tables);
      self->tables = tables;
    }
  g_variant_lookup (options, "indent", "b", &self->indent);

  return TRUE;
}

EXPORTER_DEFINE_TYPE_WITH (RoastJsonExporter, roast_json_exporter, json, ROAST_EXPORTER_FLAGS_NONE,
                           g_free (self->tables), (void) 0)

static void
roast_json_exporter_init (RoastJsonExporter *self)
{
  self->tables = g_strdup ("all");
  self->indent = TRUE;
}

ROAST_DEFINE_PLUGIN ("json", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("json", roast_json_exporter_get_type))
