/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <roast/roast.h>
#include <string.h>

#include "csv-text.h"
#include "each.h"
#include "exact-number.h"
#include "exporter.h"

G_DECLARE_FINAL_TYPE (RoastCsvExporter, roast_csv_exporter, ROAST, CSV_EXPORTER, GObject)

struct _RoastCsvExporter
{
  GObject parent_instance;

  char separator;
  gboolean guard;
};

/* A file that is being written. Its text is collected, and written in large blocks. */
typedef struct
{
  GOutputStream *stream;
  GString *text;
  char separator;
  gboolean guard; /* guard against formulas, see put_text() */
  gboolean first; /* the next field is the first field of its line */
} File;

/* A table, and the name of its file without the extension “.csv”. */
typedef struct
{
  RoastTableReader *table;
  char *name;
} Named;

#define FLUSH_AT 65536

static void
named_free (Named *named)
{
  g_object_unref (named->table);
  g_free (named->name);
  g_free (named);
}

static gboolean
flush (File *file, gsize at_least, GCancellable *cancellable, GError **error)
{
  gboolean ok = TRUE;

  if (file->text->len < at_least)
    return TRUE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  ok = g_output_stream_write_all (file->stream, file->text->str, file->text->len, NULL, cancellable, error);
  g_string_truncate (file->text, 0);

  return ok;
}

static void
begin_field (File *file)
{
  if (!file->first)
    g_string_append_c (file->text, file->separator);
  file->first = FALSE;
}

static void
end_line (File *file)
{
  g_string_append (file->text, "\r\n");
  file->first = TRUE;
}

/* Write a text. A missing text (NULL) becomes an empty field, and an empty text becomes "". If a spreadsheet would
 * execute the text as a formula, put an apostrophe before it. */
static void
put_text (File *file, const char *text)
{
  g_autofree char *guarded = NULL;

  begin_field (file);
  if (text == NULL)
    return;
  if (file->guard && *text != '\0' && strchr ("=+-@\t\r", *text) != NULL)
    text = guarded = g_strconcat ("'", text, NULL);
  csv_append_text (file->text, text, file->separator);
}

static void
put_double (File *file, double value)
{
  begin_field (file);
  exact_number_append_double (file->text, value);
}

static void
put_int64 (File *file, gint64 value)
{
  begin_field (file);
  exact_number_append_int64 (file->text, value);
}

static void
put_cell (File *file, RoastTableReader *table, guint slot, RoastColumnType type)
{
  if (type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY)
    put_text (file, roast_table_reader_get_string (table, slot));
  else if (!roast_table_reader_has (table, slot))
    put_text (file, NULL);
  else if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    put_text (file, roast_table_reader_get_boolean (table, slot) ? "TRUE" : "FALSE");
  else if (type == ROAST_COLUMN_TYPE_DOUBLE)
    put_double (file, roast_table_reader_get_double (table, slot));
  else
    put_int64 (file, roast_table_reader_get_int64 (table, slot, 0));
}

static gboolean
close_file (File *file, gboolean ok, GCancellable *cancellable, GError **error)
{
  ok = ok && flush (file, 1, cancellable, error) && g_output_stream_close (file->stream, cancellable, error);
  g_clear_object (&file->stream);
  g_string_free (file->text, TRUE);

  return ok;
}

/* Opens the file of a table, and writes its header. */
static gboolean
open_file (File *file, RoastCsvExporter *self, RoastOutput *output, const char *name, const char *const *header,
           GError **error)
{
  g_autofree char *full = g_strconcat (name, ".csv", NULL);

  file->stream = roast_output_open (output, full, error);
  if (file->stream == NULL)
    return FALSE;
  file->text = g_string_sized_new (FLUSH_AT + 4096);
  file->separator = self->separator;
  file->guard = self->guard;
  file->first = TRUE;
  for (; *header != NULL; header++)
    put_text (file, *header);
  end_line (file);

  return TRUE;
}

static gboolean
write_rows (File *file, RoastTableReader *table, GCancellable *cancellable, GError **error)
{
  guint n_columns = roast_table_reader_get_n_columns (table);
  g_autofree RoastColumnType *types = g_new (RoastColumnType, n_columns);

  for (guint i = 0; i < n_columns; i++)
    types[i] = roast_column_get_column_type (roast_table_reader_get_column (table, i));
  while (roast_table_reader_next (table))
    {
      for (guint i = 0; i < n_columns; i++)
        put_cell (file, table, i, types[i]);
      /* If a table has only one column, write "" for a missing cell, because programs that read CSV skip empty
       * lines. */
      if (n_columns == 1 && !roast_table_reader_has (table, 0)) /* check-source: allow slots (whichever column) */
        g_string_append (file->text, "\"\"");
      end_line (file);
      if (!flush (file, FLUSH_AT, cancellable, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
write_table (RoastCsvExporter *self, const Named *named, RoastOutput *output, GCancellable *cancellable, GError **error)
{
  guint n = roast_table_reader_get_n_columns (named->table);
  g_autofree const char **header = g_new0 (const char *, n + 1);
  File file;

  for (guint i = 0; i < n; i++)
    header[i] = roast_column_get_name (roast_table_reader_get_column (named->table, i));

  return open_file (&file, self, output, named->name, header, error) &&
         close_file (&file, write_rows (&file, named->table, cancellable, error), cancellable, error);
}

static void
put_metric (File *file, RoastMetric *metric, RoastMetricInfo *info)
{
  GVariant *value = roast_metric_get_value (metric);

  put_text (file, roast_metric_get_name (metric));
  if (value == NULL)
    put_text (file, NULL);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    put_text (file, g_variant_get_string (value, NULL));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    put_int64 (file, g_variant_get_int64 (value));
  else
    put_double (file, g_variant_get_double (value));
  put_text (file, info != NULL ? roast_metric_info_get_unit (info) : NULL);
  put_text (file, roast_completeness_words[roast_metric_get_completeness (metric)]);
  put_text (file, roast_metric_get_reason (metric));
  put_text (file, roast_metric_get_note (metric));
  put_text (file, info != NULL ? roast_metric_info_get_source (info) : NULL);
  put_text (file, info != NULL ? roast_metric_info_get_label (info) : NULL);
  put_text (file, info != NULL ? roast_metric_info_get_description (info) : NULL);
  end_line (file);
}

static gboolean
write_metrics (RoastCsvExporter *self, RoastReport *report, RoastOutput *output, GCancellable *cancellable,
               GError **error)
{
  static const char *const header[] = { "name", "value",  "unit",  "completeness", "reason",
                                        "note", "source", "label", "description",  NULL };
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  File file;

  if (!open_file (&file, self, output, "metrics", header, error))
    return FALSE;
  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    put_metric (&file, metric,
                roast_schema_lookup_metric (roast_report_get_schema (report), roast_metric_get_name (metric), NULL));

  return close_file (&file, TRUE, cancellable, error);
}

static void
put_columns (File *file, const Named *named)
{
  for (guint i = 0; i < roast_table_reader_get_n_columns (named->table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (named->table, i);

      put_text (file, named->name);
      put_text (file, roast_column_get_name (column));
      put_text (file, exporter_get_type (column));
      put_text (file, roast_column_get_unit (column));
      put_text (file, roast_column_get_description (column));
      end_line (file);
    }
}

static gboolean
write_columns (RoastCsvExporter *self, GPtrArray *tables, RoastOutput *output, GCancellable *cancellable,
               GError **error)
{
  static const char *const header[] = { "table", "column", "type", "unit", "description", NULL };
  File file;

  if (!open_file (&file, self, output, "columns", header, error))
    return FALSE;
  for (guint i = 0; i < tables->len; i++)
    put_columns (&file, g_ptr_array_index (tables, i));

  return close_file (&file, TRUE, cancellable, error);
}

/* Return the name of a table's file, which is the name of the table. If another file has this name, append “_table”
 * until the name is unique. */
static char *
name_file (GHashTable *taken, const char *name)
{
  char *file = g_strdup (name);

  while (!g_hash_table_add (taken, g_strdup (file)))
    {
      char *longer = g_strconcat (file, "_table", NULL);

      g_free (file);
      file = longer;
    }

  return file;
}

/* Add a table to the list, unless the table has no rows. Returns FALSE if @reader is NULL. */
static gboolean
add_table (GPtrArray *tables, GHashTable *taken, RoastTableReader *reader)
{
  g_autoptr (RoastTableReader) table = reader;
  Named *named = NULL;

  if (table == NULL)
    return FALSE;
  if (roast_table_reader_get_n_rows (table) == 0)
    return TRUE;
  named = g_new0 (Named, 1);
  named->name = name_file (taken, roast_table_info_get_name (roast_table_reader_get_info (table)));
  named->table = g_steal_pointer (&table);
  g_ptr_array_add (tables, named);

  return TRUE;
}

static GPtrArray *
list_tables (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  g_auto (GStrv) recorded = roast_recording_snapshot_dup_table_names (recording);
  g_auto (GStrv) derived = roast_report_dup_table_names (report);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func ((GDestroyNotify) named_free);

  g_hash_table_add (taken, g_strdup ("metrics"));
  g_hash_table_add (taken, g_strdup ("columns"));
  for (guint i = 0; recorded[i] != NULL; i++)
    if (!add_table (tables, taken, roast_recording_snapshot_read_table (recording, recorded[i], NULL, error)))
      return NULL;
  for (guint i = 0; derived[i] != NULL; i++)
    if (!add_table (tables, taken, roast_report_read_table (report, derived[i], NULL, error)))
      return NULL;

  return g_steal_pointer (&tables);
}

static gboolean
csv_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report, RoastOutput *output,
                   GCancellable *cancellable, GError **error)
{
  RoastCsvExporter *self = ROAST_CSV_EXPORTER (exporter);
  g_autoptr (GPtrArray) tables = NULL;

  if (!exporter_check_directory (output, "csv", error))
    return FALSE;
  tables = list_tables (recording, report, error);
  if (tables == NULL || !write_metrics (self, report, output, cancellable, error) ||
      !write_columns (self, tables, output, cancellable, error))
    return FALSE;
  for (guint i = 0; i < tables->len; i++)
    if (!write_table (self, g_ptr_array_index (tables, i), output, cancellable, error))
      return FALSE;

  return TRUE;
}

static gboolean
csv_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  const char *separator = "comma";

  g_variant_lookup (options, "separator", "&s", &separator);
  ROAST_CSV_EXPORTER (exporter)->separator = g_str_equal (separator, "tab")         ? '\t'
                                             : g_str_equal (separator, "semicolon") ? ';'
                                                                                    : ',';
  g_variant_lookup (options, "guard", "b", &ROAST_CSV_EXPORTER (exporter)->guard);

  return TRUE;
}

EXPORTER_DEFINE_TYPE (RoastCsvExporter, roast_csv_exporter, csv, ROAST_EXPORTER_FLAGS_DIRECTORY)

static void
roast_csv_exporter_init (RoastCsvExporter *self)
{
  self->separator = ',';
  self->guard = TRUE;
}

ROAST_DEFINE_PLUGIN ("csv", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("csv", roast_csv_exporter_get_type))
