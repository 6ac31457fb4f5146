/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <math.h>
#include <roast/roast.h>

#define ROAST_TYPE_JSON_EXPORTER (roast_json_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastJsonExporter, roast_json_exporter, ROAST, JSON_EXPORTER, GObject)

struct _RoastJsonExporter
{
  GObject parent_instance;

  gboolean tables;
};

static void exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastJsonExporter,
                               roast_json_exporter,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, exporter_iface_init))

#define FLUSH_AT 65536

/* Writes as it goes: a recording may be larger than what one wants in memory twice. The first error is kept. */
typedef struct
{
  GOutputStream *stream;
  GCancellable *cancellable;
  GString *text;
  GError *error;
  guint depth;
  gboolean first; /* in its object or array */
} Writer;

static void
flush (Writer *w, gsize at_least)
{
  if (w->text->len < at_least)
    return;
  if (w->error == NULL)
    g_output_stream_write_all (w->stream, w->text->str, w->text->len, NULL, w->cancellable, &w->error);
  g_string_truncate (w->text, 0);
}

static void
put_string (Writer *w, const char *text)
{
  if (text == NULL)
    {
      g_string_append (w->text, "null");
      return;
    }
  g_string_append_c (w->text, '"');
  for (const guchar *c = (const guchar *) text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (w->text, "\\%c", *c);
      else if (*c < 0x20 || *c == 0x7f)
        g_string_append_printf (w->text, "\\u%04x", *c);
      else
        g_string_append_c (w->text, (char) *c);
    }
  g_string_append_c (w->text, '"');
}

static void
put_double (Writer *w, double value)
{
  if (isfinite (value))
    roast_format_append_double (w->text, value);
  else
    g_string_append (w->text, "null");
}

static void
next (Writer *w)
{
  if (!w->first)
    g_string_append_c (w->text, ',');
  g_string_append_c (w->text, '\n');
  for (guint i = 0; i < w->depth; i++)
    g_string_append (w->text, "  ");
  w->first = FALSE;
  flush (w, FLUSH_AT);
}

static void
member (Writer *w, const char *name)
{
  next (w);
  put_string (w, name);
  g_string_append (w->text, ": ");
}

static void
begin (Writer *w, char bracket)
{
  g_string_append_c (w->text, bracket);
  w->depth++;
  w->first = TRUE;
}

static void
end (Writer *w, char bracket)
{
  gboolean empty = w->first;

  w->depth--;
  w->first = TRUE;
  if (!empty)
    next (w);
  g_string_append_c (w->text, bracket);
  w->first = FALSE;
}

static void
string_member (Writer *w, const char *name, const char *value)
{
  member (w, name);
  put_string (w, value);
}

/* What metadata and metrics hold. */
static void
put_variant (Writer *w, GVariant *value)
{
  g_autofree char *text = NULL;
  GVariantIter iter;
  GVariant *child = NULL;

  if (value == NULL)
    g_string_append (w->text, "null");
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    put_string (w, g_variant_get_string (value, NULL));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    put_double (w, g_variant_get_double (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT))
    {
      g_autoptr (GVariant) inner = g_variant_get_variant (value);

      put_variant (w, inner);
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")))
    {
      begin (w, '{');
      g_variant_iter_init (&iter, value);
      while ((child = g_variant_iter_next_value (&iter)) != NULL)
        {
          g_autoptr (GVariant) name = g_variant_get_child_value (child, 0);
          g_autoptr (GVariant) held = g_variant_get_child_value (child, 1);

          member (w, g_variant_get_string (name, NULL));
          put_variant (w, held);
          g_variant_unref (child);
        }
      end (w, '}');
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY))
    {
      begin (w, '[');
      g_variant_iter_init (&iter, value);
      while ((child = g_variant_iter_next_value (&iter)) != NULL)
        {
          next (w);
          put_variant (w, child);
          g_variant_unref (child);
        }
      end (w, ']');
    }
  else
    {
      /* Integers and booleans look the same in both. */
      text = g_variant_print (value, FALSE);
      g_string_append (w->text, text);
    }
}

static void
put_metric (Writer *w, RoastMetric *metric, RoastMetricInfo *info)
{
  static const char *const completeness[] = { "complete", "partial", "estimated", "unavailable" };
  const char *source = roast_metric_get_source (metric);

  member (w, roast_metric_get_name (metric));
  begin (w, '{');
  member (w, "value");
  put_variant (w, roast_metric_get_value (metric));
  string_member (w, "unit", info != NULL ? roast_metric_info_get_unit (info) : "");
  string_member (w, "label", info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric));
  string_member (w, "group", info != NULL ? roast_metric_info_get_group (info) : "Other");
  string_member (w, "description", info != NULL ? roast_metric_info_get_description (info) : NULL);
  string_member (w, "source", source != NULL || info == NULL ? source : roast_metric_info_get_source (info));
  string_member (w, "completeness", completeness[roast_metric_get_completeness (metric)]);
  string_member (w, "note", roast_metric_get_note (metric));
  string_member (w, "reason", roast_metric_get_reason (metric));
  end (w, '}');
}

static void
put_metrics (Writer *w, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  member (w, "metrics");
  begin (w, '{');
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);

      put_metric (w, metric,
                  roast_catalogue_lookup (roast_report_get_catalogue (report), roast_metric_get_name (metric), NULL));
    }
  end (w, '}');
}

static void
put_cell (Writer *w, RoastTableSnapshot *table, guint64 row, guint column, RoastColumnType type)
{
  if (!roast_table_snapshot_is_valid (table, row, column))
    {
      g_string_append (w->text, "null");
      return;
    }

  switch (type)
    {
    case ROAST_COLUMN_INT64:
      roast_format_append_int64 (w->text, roast_table_snapshot_get_int64 (table, row, column));
      break;
    case ROAST_COLUMN_DOUBLE:
      put_double (w, roast_table_snapshot_get_double (table, row, column));
      break;
    case ROAST_COLUMN_BOOLEAN:
      g_string_append (w->text, roast_table_snapshot_get_boolean (table, row, column) ? "true" : "false");
      break;
    case ROAST_COLUMN_STRING:
    case ROAST_COLUMN_CATEGORY:
    default:
      put_string (w, roast_table_snapshot_get_string (table, row, column));
      break;
    }
}

static void
put_columns (Writer *w, RoastTableSnapshot *table)
{
  static const char *const types[] = { "int64", "double", "boolean", "string", "category" };

  member (w, "columns");
  begin (w, '[');
  for (guint i = 0; i < roast_table_snapshot_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_snapshot_get_column (table, i);

      next (w);
      begin (w, '{');
      string_member (w, "name", roast_column_get_name (column));
      string_member (w, "type", types[roast_column_get_column_type (column)]);
      string_member (w, "unit", roast_column_get_unit (column));
      string_member (w, "description", roast_column_get_description (column));
      end (w, '}');
    }
  end (w, ']');
}

/* One line a column: rows would repeat the names, and numpy wants columns. */
static void
put_table (Writer *w, RoastTableSnapshot *table)
{
  guint64 n_rows = roast_table_snapshot_get_n_rows (table);

  member (w, roast_table_snapshot_get_name (table));
  begin (w, '{');
  string_member (w, "description", roast_table_snapshot_get_description (table));
  member (w, "rows");
  g_string_append_printf (w->text, "%" G_GUINT64_FORMAT, n_rows);
  put_columns (w, table);
  member (w, "data");
  begin (w, '{');
  for (guint i = 0; i < roast_table_snapshot_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_snapshot_get_column (table, i);
      RoastColumnType type = roast_column_get_column_type (column);

      member (w, roast_column_get_name (column));
      g_string_append_c (w->text, '[');
      for (guint64 row = 0; row < n_rows; row++)
        {
          if (row > 0)
            g_string_append (w->text, ", ");
          put_cell (w, table, row, i, type);
          flush (w, FLUSH_AT);
        }
      g_string_append_c (w->text, ']');
    }
  end (w, '}');
  end (w, '}');
}

static void
put_run (Writer *w, RoastRecordingSnapshot *recording)
{
  member (w, "run");
  put_variant (w, roast_recording_snapshot_get_metadata (recording));
}

static void
put_notes (Writer *w, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);

  member (w, "notes");
  begin (w, '[');
  for (guint i = 0; notes[i] != NULL; i++)
    {
      next (w);
      put_string (w, notes[i]);
    }
  end (w, ']');
}

static void
put_report_tables (Writer *w, RoastReport *report)
{
  g_autoptr (GPtrArray) tables = roast_report_list_tables (report);

  member (w, "report_tables");
  begin (w, '{');
  for (guint i = 0; i < tables->len; i++)
    {
      g_autoptr (RoastTableSnapshot) table = roast_table_snapshot (g_ptr_array_index (tables, i));

      put_table (w, table);
    }
  end (w, '}');
}

static void
put_tables (Writer *w, RoastRecordingSnapshot *recording)
{
  g_autoptr (GPtrArray) tables = roast_recording_snapshot_list_tables (recording);

  member (w, "tables");
  begin (w, '{');
  for (guint i = 0; i < tables->len; i++)
    put_table (w, g_ptr_array_index (tables, i));
  end (w, '}');
}

static gboolean
json_export_report (RoastExporter          *exporter,
                    RoastRecordingSnapshot *recording,
                    RoastReport            *report,
                    RoastOutput            *output,
                    GCancellable           *cancellable,
                    GError                **error)
{
  g_autoptr (GOutputStream) stream = roast_output_open (output, "report.json", error);
  Writer w = { stream, cancellable, NULL, NULL, 0, TRUE };

  if (stream == NULL)
    return FALSE;

  w.text = g_string_sized_new (FLUSH_AT + 4096);
  begin (&w, '{');
  string_member (&w, "schema", "urn:roast:report:1");
  string_member (&w, "roast_version", PLUGIN_VERSION);
  put_run (&w, recording);
  put_metrics (&w, report);
  put_notes (&w, report);
  put_report_tables (&w, report);
  if (ROAST_JSON_EXPORTER (exporter)->tables)
    put_tables (&w, recording);
  end (&w, '}');
  g_string_append_c (w.text, '\n');
  flush (&w, 1);
  g_string_free (w.text, TRUE);
  if (w.error == NULL)
    g_output_stream_close (stream, cancellable, &w.error);
  if (w.error != NULL)
    {
      g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write %s: %s", roast_output_get_name (output),
                   w.error->message);
      g_error_free (w.error);
      return FALSE;
    }

  return TRUE;
}

static gboolean
json_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  g_variant_lookup (options, "tables", "b", &ROAST_JSON_EXPORTER (exporter)->tables);

  return TRUE;
}

static void
exporter_iface_init (RoastExporterInterface *iface)
{
  iface->configure = json_configure;
  iface->export_report = json_export_report;
}

static void
roast_json_exporter_class_init (RoastJsonExporterClass *klass)
{
}

static void
roast_json_exporter_init (RoastJsonExporter *self)
{
  self->tables = TRUE;
}

ROAST_DEFINE_PLUGIN ("json", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("json", roast_json_exporter_get_type))
