/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "exact-number.h"

#define ROAST_TYPE_JSON_EXPORTER (roast_json_exporter_get_type ())
G_DECLARE_FINAL_TYPE (RoastJsonExporter, roast_json_exporter, ROAST, JSON_EXPORTER, GObject)

struct _RoastJsonExporter
{
  GObject parent_instance;

  char *tables; /* all, none, or names */
  gboolean indent;
};

static void exporter_iface_init (RoastExporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastJsonExporter, roast_json_exporter, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_EXPORTER, exporter_iface_init))

#define FLUSH_AT 65536

/* Writes as it goes: a recording may be too large to be in memory twice. The first error is kept. */
typedef struct
{
  GOutputStream *stream;
  GCancellable *cancellable;
  GString *text;
  GError *error;
  guint depth;
  gboolean first; /* in its object or array */
  gboolean indent;
} Writer;

static void
flush (Writer *w, gsize at_least)
{
  if (w->text->len < at_least)
    return;
  if (w->error == NULL && !g_cancellable_set_error_if_cancelled (w->cancellable, &w->error))
    g_output_stream_write_all (w->stream, w->text->str, w->text->len, NULL, w->cancellable, &w->error);
  g_string_truncate (w->text, 0);
}

static void
put_escaped (Writer *w, guchar c)
{
  if (c == '"' || c == '\\')
    g_string_append_printf (w->text, "\\%c", c);
  else
    g_string_append_printf (w->text, "\\u%04x", c);
}

/* JSON is UTF-8; text from a plugin need not be. */
static void
put_string (Writer *w, const char *text)
{
  g_autofree char *valid = NULL;
  const guchar *run = NULL;
  const guchar *c = NULL;

  if (text == NULL)
    {
      g_string_append (w->text, "null");
      return;
    }
  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  g_string_append_c (w->text, '"');
  for (run = c = (const guchar *) text; *c != '\0'; c++)
    {
      if (*c >= 0x20 && *c != '"' && *c != '\\' && *c != 0x7f)
        continue;
      g_string_append_len (w->text, (const char *) run, c - run);
      put_escaped (w, *c);
      run = c + 1;
    }
  g_string_append_len (w->text, (const char *) run, c - run);
  g_string_append_c (w->text, '"');
}

static void
put_double (Writer *w, double value)
{
  if (isfinite (value))
    exact_number_append_double (w->text, value);
  else
    g_string_append (w->text, "null");
}

static void
break_line (Writer *w)
{
  if (!w->indent)
    return;
  g_string_append_c (w->text, '\n');
  for (guint i = 0; i < w->depth; i++)
    g_string_append (w->text, "  ");
}

static void
next (Writer *w)
{
  if (!w->first)
    g_string_append_c (w->text, ',');
  break_line (w);
  w->first = FALSE;
  flush (w, FLUSH_AT);
}

static void
member (Writer *w, const char *name)
{
  next (w);
  put_string (w, name);
  g_string_append (w->text, w->indent ? ": " : ":");
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
  if (!empty)
    break_line (w);
  g_string_append_c (w->text, bracket);
  w->first = FALSE;
}

static void
string_member (Writer *w, const char *name, const char *value)
{
  member (w, name);
  put_string (w, value);
}

static void put_variant (Writer *w, GVariant *value);

static void
put_dictionary (Writer *w, GVariant *value)
{
  begin (w, '{');
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);
      g_autoptr (GVariant) name = g_variant_get_child_value (entry, 0);
      g_autoptr (GVariant) held = g_variant_get_child_value (entry, 1);

      member (w, g_variant_get_string (name, NULL));
      put_variant (w, held);
    }
  end (w, '}');
}

static void
put_children (Writer *w, GVariant *value)
{
  begin (w, '[');
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

      next (w);
      put_variant (w, child);
    }
  end (w, ']');
}

/* A variant in a variant, or a value that may be missing. */
static void
put_inner (Writer *w, GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_n_children (value) > 0 ? g_variant_get_child_value (value, 0) : NULL;

  put_variant (w, inner);
}

/* Integers are the same in both texts. */
static void
put_printed (Writer *w, GVariant *value)
{
  g_autofree char *text = g_variant_print (value, FALSE);

  g_string_append (w->text, text);
}

/* A value of metadata or of a metric. */
static void
put_variant (Writer *w, GVariant *value)
{
  if (value == NULL)
    {
      g_string_append (w->text, "null");
      return;
    }

  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_STRING:
    case G_VARIANT_CLASS_OBJECT_PATH:
    case G_VARIANT_CLASS_SIGNATURE:
      put_string (w, g_variant_get_string (value, NULL));
      break;
    case G_VARIANT_CLASS_DOUBLE:
      put_double (w, g_variant_get_double (value));
      break;
    case G_VARIANT_CLASS_BOOLEAN:
      g_string_append (w->text, g_variant_get_boolean (value) ? "true" : "false");
      break;
    case G_VARIANT_CLASS_BYTE:
      exact_number_append_int64 (w->text, g_variant_get_byte (value));
      break;
    case G_VARIANT_CLASS_VARIANT:
    case G_VARIANT_CLASS_MAYBE:
      put_inner (w, value);
      break;
    case G_VARIANT_CLASS_ARRAY:
      if (g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")))
        put_dictionary (w, value);
      else
        put_children (w, value);
      break;
    case G_VARIANT_CLASS_TUPLE:
    case G_VARIANT_CLASS_DICT_ENTRY:
      put_children (w, value);
      break;
    case G_VARIANT_CLASS_INT16:
    case G_VARIANT_CLASS_UINT16:
    case G_VARIANT_CLASS_INT32:
    case G_VARIANT_CLASS_UINT32:
    case G_VARIANT_CLASS_INT64:
    case G_VARIANT_CLASS_UINT64:
    case G_VARIANT_CLASS_HANDLE:
    default:
      put_printed (w, value);
      break;
    }
}

static void
put_metric (Writer *w, RoastMetric *metric, RoastMetricInfo *info)
{
  member (w, roast_metric_get_name (metric));
  begin (w, '{');
  member (w, "value");
  put_variant (w, roast_metric_get_value (metric));
  string_member (w, "unit", info != NULL ? roast_metric_info_get_unit (info) : "");
  string_member (w, "label", info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric));
  string_member (w, "group", info != NULL ? roast_metric_info_get_group (info) : "Other");
  string_member (w, "description", info != NULL ? roast_metric_info_get_description (info) : NULL);
  string_member (w, "source", info != NULL ? roast_metric_info_get_source (info) : NULL);
  string_member (w, "completeness", roast_completeness_words[roast_metric_get_completeness (metric)]);
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
                  roast_schema_lookup_metric (roast_report_get_schema (report), roast_metric_get_name (metric), NULL));
    }
  end (w, '}');
}

static void
put_cell (Writer *w, RoastTableReader *table, guint slot, RoastColumnType type)
{
  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    put_double (w, roast_table_reader_get_double (table, slot));
  else if (type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY)
    put_string (w, roast_table_reader_get_string (table, slot));
  else if (!roast_table_reader_has (table, slot))
    g_string_append (w->text, "null");
  else if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    g_string_append (w->text, roast_table_reader_get_boolean (table, slot) ? "true" : "false");
  else
    exact_number_append_int64 (w->text, roast_table_reader_get_int64 (table, slot, 0));
}

static void
put_columns (Writer *w, RoastTableReader *table)
{
  static const char *const types[] = { "int64", "double", "boolean", "string", "category" };

  member (w, "columns");
  begin (w, '[');
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (table, i);

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

static void
put_column_data (Writer *w, RoastTableReader *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (table, slot);
  RoastColumnType type = roast_column_get_column_type (column);
  gboolean first = TRUE;

  member (w, roast_column_get_name (column));
  g_string_append_c (w->text, '[');
  for (roast_table_reader_rewind (table); w->error == NULL && roast_table_reader_next (table);)
    {
      if (!first)
        g_string_append (w->text, w->indent ? ", " : ",");
      first = FALSE;
      put_cell (w, table, slot, type);
      flush (w, FLUSH_AT);
    }
  g_string_append_c (w->text, ']');
}

/* Column by column: rows would repeat the names, and numpy takes columns. */
static void
put_table (Writer *w, RoastTableReader *table)
{
  RoastTableInfo *info = roast_table_reader_get_info (table);

  member (w, roast_table_info_get_name (info));
  begin (w, '{');
  string_member (w, "description", roast_table_info_get_description (info));
  member (w, "rows");
  g_string_append_printf (w->text, "%" G_GUINT64_FORMAT, roast_table_reader_get_n_rows (table));
  put_columns (w, table);
  member (w, "data");
  begin (w, '{');
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    put_column_data (w, table, i);
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
put_evidence (Writer *w, RoastFinding *finding, guint index)
{
  GVariant *value = roast_finding_get_evidence_value (finding, index);

  next (w);
  begin (w, '{');
  string_member (w, "name", roast_finding_get_evidence_name (finding, index));
  member (w, "value");
  put_variant (w, value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    string_member (w, "unit", roast_finding_get_evidence_unit (finding, index));
  end (w, '}');
}

static void
put_finding (Writer *w, RoastFinding *finding)
{
  next (w);
  begin (w, '{');
  string_member (w, "rule", roast_finding_get_rule (finding));
  string_member (w, "severity", roast_finding_severity_words[roast_finding_get_severity (finding)]);
  string_member (w, "text", roast_finding_get_text (finding));
  member (w, "share");
  put_double (w, roast_finding_get_share (finding));
  string_member (w, "advice", roast_finding_get_advice (finding));
  member (w, "evidence");
  begin (w, '[');
  for (guint i = 0; i < roast_finding_get_n_evidence (finding); i++)
    put_evidence (w, finding, i);
  end (w, ']');
  end (w, '}');
}

static void
put_findings (Writer *w, RoastReport *report)
{
  g_autoptr (GPtrArray) findings = roast_report_list_findings (report);

  member (w, "findings");
  begin (w, '[');
  for (guint i = 0; i < findings->len; i++)
    put_finding (w, g_ptr_array_index (findings, i));
  end (w, ']');
}

static void
put_report_tables (Writer *w, RoastReport *report)
{
  g_auto (GStrv) names = roast_report_dup_table_names (report);

  member (w, "report_tables");
  begin (w, '{');
  for (guint i = 0; names[i] != NULL && w->error == NULL; i++)
    {
      g_autoptr (RoastTableReader) table = roast_report_read_table (report, names[i], NULL, &w->error);

      if (table != NULL)
        put_table (w, table);
    }
  end (w, '}');
}

static void
put_tables (Writer *w, RoastRecordingSnapshot *recording, const char *wanted)
{
  g_auto (GStrv) names = roast_recording_snapshot_dup_table_names (recording);
  g_auto (GStrv) chosen = g_strsplit (wanted, "+", -1);

  member (w, "tables");
  begin (w, '{');
  for (guint i = 0; names[i] != NULL && w->error == NULL; i++)
    {
      g_autoptr (RoastTableReader) table = NULL;

      if (!g_str_equal (wanted, "all") && !g_strv_contains ((const char *const *) chosen, names[i]))
        continue;
      table = roast_recording_snapshot_read_table (recording, names[i], NULL, &w->error);
      if (table != NULL)
        put_table (w, table);
    }
  end (w, '}');
}

static gboolean
json_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                    RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastJsonExporter *self = ROAST_JSON_EXPORTER (exporter);
  g_autoptr (GOutputStream) stream = roast_output_open (output, "report.json", error);
  Writer w = { .stream = stream, .cancellable = cancellable, .first = TRUE, .indent = self->indent };

  if (stream == NULL)
    return FALSE;

  w.text = g_string_sized_new (FLUSH_AT + 4096);
  begin (&w, '{');
  string_member (&w, "schema", "urn:roast:report:1");
  string_member (&w, "roast_version", PLUGIN_VERSION);
  put_run (&w, recording);
  put_findings (&w, report);
  put_metrics (&w, report);
  put_notes (&w, report);
  put_report_tables (&w, report);
  if (!g_str_equal (self->tables, "none"))
    put_tables (&w, recording, self->tables);
  end (&w, '}');
  g_string_append_c (w.text, '\n');
  flush (&w, 1);
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

static void
exporter_iface_init (RoastExporterInterface *iface)
{
  iface->configure = json_configure;
  iface->export_report = json_export_report;
}

static void
roast_json_exporter_finalize (GObject *object)
{
  g_free (ROAST_JSON_EXPORTER (object)->tables);

  G_OBJECT_CLASS (roast_json_exporter_parent_class)->finalize (object);
}

static void
roast_json_exporter_class_init (RoastJsonExporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_json_exporter_finalize;
}

static void
roast_json_exporter_init (RoastJsonExporter *self)
{
  self->tables = g_strdup ("all");
  self->indent = TRUE;
}

ROAST_DEFINE_PLUGIN ("json", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("json", roast_json_exporter_get_type))
