/* SPDX-License-Identifier: BSD-3-Clause */

/* All of a run as lines of JSON. Rows are written as on the run's socket (docs/protocol.md), so that a reader of one
 * understands the other. */

#include <errno.h>
#include <stdio.h>

#include "exact-number.h"
#include "json-text.h"
#include "report.h"
#include "stream.h"

/* Writes the line and empties it. */
static gboolean
put (GString *line, GError **error)
{
  gboolean ok;

  g_string_append_c (line, '\n');
  ok = fwrite (line->str, 1, line->len, stdout) == line->len;
  g_string_truncate (line, 0);
  if (ok)
    return TRUE;
  g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write to standard output: %s",
               g_strerror (errno));

  return FALSE;
}

static gboolean
put_meta (ReportRun *run, GString *line, GError **error)
{
  g_auto (GStrv) keys = roast_run_file_dup_meta_keys (run->file);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = roast_run_file_dup_meta (run->file, keys[i]);

      g_string_append (line, "{\"" STREAM_META "\": ");
      json_text_append (line, keys[i]);
      g_string_append (line, ", \"" STREAM_VALUE "\": ");
      json_text_append (line, value);
      g_string_append_c (line, '}');
      if (!put (line, error))
        return FALSE;
    }

  return TRUE;
}

/* A value of any type is the text of a GVariant, with its type. */
static gboolean
put_metadata (ReportRun *run, GString *line, GError **error)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (run->recording);
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;
  gboolean ok = TRUE;

  g_variant_iter_init (&iter, metadata);
  while (ok && g_variant_iter_next (&iter, "{&sv}", &key, &value))
    {
      g_autoptr (GVariant) owned = value;
      g_autofree char *text = g_variant_print (owned, TRUE);

      g_string_append (line, "{\"" STREAM_METADATA "\": ");
      json_text_append (line, key);
      g_string_append (line, ", \"" STREAM_VALUE "\": ");
      json_text_append (line, text);
      g_string_append_c (line, '}');
      ok = put (line, error);
    }

  return ok;
}

static void
append_cell (GString *line, RoastTableReader *reader, guint slot, RoastColumnType type)
{
  if (!roast_table_reader_has (reader, slot))
    {
      g_string_append (line, "null");
      return;
    }
  switch (type)
    {
    case ROAST_COLUMN_TYPE_INT64:
      exact_number_append_int64 (line, roast_table_reader_get_int64 (reader, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      exact_number_append_double (line, roast_table_reader_get_double (reader, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      g_string_append (line, roast_table_reader_get_boolean (reader, slot) ? "true" : "false");
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      json_text_append (line, roast_table_reader_get_string (reader, slot));
    }
}

static gboolean
put_declaration (RoastTableInfo *info, GString *line, GError **error)
{
  g_string_append (line, "{\"table\": ");
  json_text_append (line, roast_table_info_get_name (info));
  g_string_append (line, ", \"columns\": [");
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      if (i > 0)
        g_string_append (line, ", ");
      json_text_append (line, roast_column_get_name (roast_table_info_get_column (info, i)));
    }
  g_string_append (line, "]}");

  return put (line, error);
}

static gboolean
put_table (RoastRecording *recording, const char *table, GString *line, GError **error)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, error);
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
  if (!put_declaration (info, line, error))
    return FALSE;
  while (roast_table_reader_next (reader))
    {
      g_string_append_c (line, '[');
      json_text_append (line, table);
      for (guint i = 0; i < n; i++)
        {
          g_string_append_c (line, ',');
          append_cell (line, reader, i, types[i]);
        }
      g_string_append_c (line, ']');
      if (!put (line, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
report_export (ReportOptions *options, GError **error)
{
  g_autoptr (ReportRun) run = report_run_open (options->arguments[0], error);
  g_autoptr (GString) line = g_string_new (NULL);
  g_auto (GStrv) tables = NULL;

  if (run == NULL)
    return FALSE;
  g_string_append_printf (line, "{\"" STREAM_MAGIC "\": %d, \"version\": \"%s\"}", STREAM_VERSION, ROAST_VERSION_S);
  if (!put (line, error) || !put_meta (run, line, error) || !put_metadata (run, line, error))
    return FALSE;
  tables = roast_recording_dup_table_names (run->recording);
  for (guint i = 0; tables[i] != NULL; i++)
    if (!put_table (run->recording, tables[i], line, error))
      return FALSE;
  /* A stream without its last line was cut. */
  g_string_append (line, "{\"" STREAM_END "\": true}");
  if (!put (line, error))
    return FALSE;
  if (fflush (stdout) == 0)
    return TRUE;
  g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write to standard output: %s",
               g_strerror (errno));

  return FALSE;
}
