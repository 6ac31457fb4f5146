/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a whole run as lines of JSON. Rows have the same format as rows that programs write to the socket of a run
 * (docs/protocol.md). So the same code can read both. */

#include "report-json.h"
#include "stream.h"

typedef struct
{
  ReportRun *run;
  FILE *file;
  GString *line;
} StreamExportOutput;

static void
put_text (GString *line, const char *text)
{
  json_writer_put_string (&(JsonWriter) { .text = line }, text);
}

/* Writes the current line to the output, then clears it. */
static gboolean
stream_export_put (StreamExportOutput *self)
{
  gboolean ok;

  g_string_append_c (self->line, '\n');
  ok = fwrite (self->line->str, 1, self->line->len, self->file) == self->line->len;
  g_string_truncate (self->line, 0);

  return ok;
}

static gboolean
put_pair (StreamExportOutput *self, const char *kind, const char *key, const char *value)
{
  g_string_append_printf (self->line, "{\"%s\": ", kind);
  put_text (self->line, key);
  g_string_append (self->line, ", \"" STREAM_VALUE "\": ");
  put_text (self->line, value);
  g_string_append_c (self->line, '}');

  return stream_export_put (self);
}

static gboolean
put_meta (StreamExportOutput *self)
{
  g_auto (GStrv) keys = roast_run_file_dup_meta_keys (self->run->file);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = roast_run_file_dup_meta (self->run->file, keys[i]);

      if (!put_pair (self, STREAM_META, keys[i], value))
        return FALSE;
    }

  return TRUE;
}

/* Writes each value of the metadata as GVariant text with its type. */
static gboolean
put_metadata (StreamExportOutput *self)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->run->recording);
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;
  gboolean ok = TRUE;

  g_variant_iter_init (&iter, metadata);
  while (ok && g_variant_iter_next (&iter, "{&sv}", &key, &value))
    {
      g_autoptr (GVariant) owned = value;
      g_autofree char *text = g_variant_print (owned, TRUE);

      ok = put_pair (self, STREAM_METADATA, key, text);
    }

  return ok;
}

static gboolean
put_declaration (StreamExportOutput *self, RoastTableInfo *info)
{
  GString *line = self->line;

  g_string_append (line, "{\"table\": ");
  put_text (line, roast_table_info_get_name (info));
  g_string_append (line, ", \"columns\": [");
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      if (i > 0)
        g_string_append (line, ", ");
      put_text (line, roast_column_get_name (roast_table_info_get_column (info, i)));
    }
  g_string_append (line, "]}");

  return stream_export_put (self);
}

static gboolean
stream_export_put_table (StreamExportOutput *self, const char *table, GError **error)
{
  GString *line = self->line;
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (self->run->recording, table, NULL, error);
  RoastTableInfo *info = NULL;
  g_autofree RoastColumnType *types = NULL;
  guint n;

  if (reader == NULL)
    return FALSE;
  info = roast_table_reader_get_info (reader);
  n = roast_table_info_get_n_columns (info);
  types = g_new (RoastColumnType, n);
  for (guint i = 0; i < n; i++)
    types[i] = roast_column_get_column_type (roast_table_info_get_column (info, i));
  if (!put_declaration (self, info))
    return FALSE;
  while (roast_table_reader_next (reader))
    {
      g_string_append_c (line, '[');
      put_text (line, table);
      for (guint i = 0; i < n; i++)
        {
          g_string_append_c (line, ',');
          report_json_put_cell (&(JsonWriter) { .text = line }, reader, i, types[i]);
        }
      g_string_append_c (line, ']');
      if (!stream_export_put (self))
        return FALSE;
    }

  return TRUE;
}

static gboolean
stream_export_put_tables (StreamExportOutput *self, GError **error)
{
  g_auto (GStrv) tables = roast_recording_dup_table_names (self->run->recording);

  for (guint i = 0; tables[i] != NULL; i++)
    if (!stream_export_put_table (self, tables[i], error))
      return FALSE;

  return TRUE;
}

gboolean
stream_export (const char *name, const char *path, GError **error)
{
  g_autoptr (ReportRun) run = report_run_open (name, error);
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) local = NULL;
  StreamExportOutput self = { run, run != NULL ? exchange_create (path, error) : NULL, line };

  if (self.file == NULL)
    return FALSE;
  g_string_append_printf (line, "{\"" STREAM_MAGIC "\": %d, \"version\": \"%s\"}", STREAM_VERSION, ROAST_VERSION_S);
  if (stream_export_put (&self) && put_meta (&self) && put_metadata (&self) && stream_export_put_tables (&self, &local))
    {
      /* Mark the end of the stream, so that readers can recognise a truncated stream. */
      g_string_append (line, "{\"" STREAM_END "\": true}");
      stream_export_put (&self);
    }
  if (local == NULL)
    return exchange_finish (self.file, path, error);
  g_propagate_error (error, g_steal_pointer (&local));
  exchange_finish (self.file, path, NULL);

  return FALSE;
}
