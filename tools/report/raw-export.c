/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes tables as plain arrays, for programs that map the file into memory: see docs/raw.md. The index, which contains
 * the position of each array, is written at the end. So each column needs to be read only once, and only one of its
 * blocks is in memory at a time. */

#include "raw-export.h"

#include <string.h>

#include "core/base/roast-fail-private.h"
#include "exact-number.h"
#include "exchange.h"
#include "report-json.h"

#define MAGIC "roastraw"
#define END_MAGIC "rawroast"
#define VERSION 1
#define ALIGNMENT 8
#define ONLY 0 /* slot of the only column of a reader with one column */

typedef struct
{
  FILE *file;
  const char *path;
  guint64 position;
  JsonWriter index; /* JSON index of the arrays; written at the end of the file */
  gboolean ok;
} RawExportOutput;

static void
raw_export_put (RawExportOutput *self, const void *data, gsize n)
{
  self->ok = self->ok && (n == 0 || fwrite (data, 1, n, self->file) == n);
  self->position += n;
}

static void
put_number (RawExportOutput *self, guint64 number)
{
  guint64 little = GUINT64_TO_LE (number);

  raw_export_put (self, &little, sizeof little);
}

static void
align (RawExportOutput *self)
{
  static const char zeros[ALIGNMENT];

  raw_export_put (self, zeros, (ALIGNMENT - self->position % ALIGNMENT) % ALIGNMENT);
}

/* Adds the position of the array that was written last to the index. */
static void
add_place (RawExportOutput *self, const char *name, guint64 start)
{
  json_writer_begin_member (&self->index, name, '[');
  json_writer_next (&self->index);
  exact_number_append_int64 (self->index.text, (gint64) start);
  json_writer_next (&self->index);
  exact_number_append_int64 (self->index.text, (gint64) (self->position - start));
  json_writer_end (&self->index, ']');
  align (self);
}

/* ---- columns ---- */

/* State of a column while its blocks are read. */
typedef struct
{
  GByteArray *missing; /* one byte per row: whether its cell is missing; ends with the last block that lacks cells */
  GArray *offsets;     /* elements are gint64: offset of each text */
  guint64 n_rows;
  guint64 n_bytes; /* total length of the texts */
} Parts;

static void
parts_clear (Parts *self)
{
  g_byte_array_unref (self->missing);
  g_array_unref (self->offsets);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

static void
set_missing_size (Parts *self, guint64 n)
{
  guint before = self->missing->len;

  g_byte_array_set_size (self->missing, (guint) n);
  memset (self->missing->data + before, 0, n - before);
}

static void
note_missing (Parts *self, RoastTableReader *reader, guint n_rows)
{
  g_autoptr (GBytes) validity = roast_table_reader_dup_block_validity (reader, ONLY);
  const guint8 *bits = validity != NULL ? g_bytes_get_data (validity, NULL) : NULL;

  if (bits == NULL)
    return;
  set_missing_size (self, self->n_rows + n_rows);
  for (guint i = 0; i < n_rows; i++)
    self->missing->data[self->n_rows + i] = (bits[i / 8] >> i % 8 & 1) == 0;
}

static void
note_offsets (Parts *self, RoastTableReader *reader, guint n_rows)
{
  g_autoptr (GBytes) bytes = roast_table_reader_dup_block_offsets (reader, ONLY);
  const gint64 *starts = bytes != NULL ? g_bytes_get_data (bytes, NULL) : NULL;

  for (guint i = 1; starts != NULL && i <= n_rows; i++)
    {
      gint64 end = (gint64) self->n_bytes + starts[i];

      g_array_append_val (self->offsets, end);
    }
}

static void
put_cells (RawExportOutput *self, RoastTableReader *reader, Parts *parts)
{
  const gint64 zero = 0;
  guint64 start = self->position;

  g_array_append_val (parts->offsets, zero);
  while (roast_table_reader_next_block (reader))
    {
      guint n_rows = roast_table_reader_get_block_n_rows (reader);
      g_autoptr (GBytes) bytes = roast_table_reader_dup_block_data (reader, ONLY);
      gsize size = 0;
      const void *data = g_bytes_get_data (bytes, &size);

      note_missing (parts, reader, n_rows);
      note_offsets (parts, reader, n_rows);
      raw_export_put (self, data, size);
      parts->n_rows += n_rows;
      parts->n_bytes += size;
    }
  add_place (self, "data", start);
}

static void
put_missing (RawExportOutput *self, Parts *parts)
{
  guint64 start = self->position;

  if (parts->missing->len == 0)
    return;
  set_missing_size (parts, parts->n_rows);
  raw_export_put (self, parts->missing->data, parts->missing->len);
  add_place (self, "missing", start);
}

static void
put_offsets (RawExportOutput *self, Parts *parts)
{
  guint64 start = self->position;

  raw_export_put (self, parts->offsets->data, parts->offsets->len * sizeof (gint64));
  add_place (self, "offsets", start);
}

static void
add_dictionary (RawExportOutput *self, RoastTableReader *reader)
{
  g_auto (GStrv) words = roast_table_reader_dup_dictionary (reader, ONLY);

  json_writer_texts_member (&self->index, "dictionary", (const char *const *) words);
}

/* Writes one column. Opens a separate reader for it, which decompresses only this column. */
static gboolean
put_column (RawExportOutput *self, RoastTableReader *table, RoastColumn *column, GError **error)
{
  const char *names[] = { roast_column_get_name (column), NULL };
  g_autoptr (RoastTableReader) reader = roast_table_reader_narrow (table, names, error);
  g_auto (Parts) parts = { g_byte_array_new (), g_array_new (FALSE, FALSE, sizeof (gint64)), 0, 0 };

  if (reader == NULL)
    return FALSE;
  put_cells (self, reader, &parts);
  put_missing (self, &parts);
  if (roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_STRING)
    put_offsets (self, &parts);
  if (roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_CATEGORY)
    add_dictionary (self, reader);

  return TRUE;
}

/* ---- tables ---- */

static gboolean
put_columns (RawExportOutput *self, RoastTableReader *reader, gboolean with_cells, GError **error)
{
  for (guint i = 0; i < roast_table_reader_get_n_columns (reader); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (reader, i);

      json_writer_begin_element (&self->index, '{');
      report_json_put_column (&self->index, column);
      if (with_cells && !put_column (self, reader, column, error))
        return FALSE;
      json_writer_end (&self->index, '}');
    }

  return TRUE;
}

static gboolean
raw_export_put_table (RawExportOutput *self, RoastTableReader *reader, gboolean is_derived, gboolean with_cells,
                      GError **error)
{
  RoastTableInfo *info = roast_table_reader_get_info (reader);

  json_writer_begin_element (&self->index, '{');
  json_writer_string_member (&self->index, "name", roast_table_info_get_name (info));
  json_writer_string_member (&self->index, "description", roast_table_info_get_description (info));
  json_writer_member (&self->index, "derived");
  g_string_append (self->index.text, is_derived ? "true" : "false");
  json_writer_member (&self->index, "rows");
  exact_number_append_int64 (self->index.text, (gint64) roast_table_reader_get_n_rows (reader));
  json_writer_begin_member (&self->index, "columns", '[');
  if (!put_columns (self, reader, with_cells, error))
    return FALSE;
  json_writer_end (&self->index, ']');
  json_writer_end (&self->index, '}');

  return TRUE;
}

/* Returns the names of the requested tables; NULL if all tables are requested. */
static char **
split_names (const char *tables)
{
  if (tables == NULL || g_str_equal (tables, "all"))
    return NULL;

  return g_strsplit (g_str_equal (tables, "none") ? "" : tables, "+", -1);
}

static gboolean
raw_export_is_wanted (char **wanted, const char *name)
{
  return wanted == NULL || g_strv_contains ((const char *const *) wanted, name);
}

/* Returns whether a requested table is missing from the recording. Make the report only for such a table, because this
 * takes longer than the whole export. */
static gboolean
needs_report (char **wanted, char **measured)
{
  for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) measured, wanted[i]))
      return TRUE;

  return wanted == NULL;
}

static gboolean
check_names (char **wanted, char **measured, char **derived, GError **error)
{
  for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) measured, wanted[i]) &&
        !g_strv_contains ((const char *const *) derived, wanted[i]))
      {
        g_autofree char *has = g_strjoinv (", ", measured);
        g_autofree char *makes = g_strjoinv (", ", derived);

        return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                           "“--raw=%s” names no table. The run has the tables %s; the report has %s", wanted[i], has,
                           makes);
      }

  return TRUE;
}

/* Writes the tables of the report. If @report is NULL, writes the tables of the recording. */
static gboolean
raw_export_put_tables (RawExportOutput *self, RoastRecording *recording, RoastReport *report, char **names,
                       char **wanted, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) reader = NULL;

      if (report != NULL)
        reader = roast_report_read_table (report, names[i], NULL, error);
      else
        reader = roast_recording_read_table (recording, names[i], NULL, error);
      if (reader == NULL ||
          !raw_export_put_table (self, reader, report != NULL, raw_export_is_wanted (wanted, names[i]), error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
put_end (RawExportOutput *self, GError **error)
{
  guint64 start = self->position;

  raw_export_put (self, self->index.text->str, self->index.text->len);
  align (self);
  put_number (self, start);
  put_number (self, self->index.text->len);
  raw_export_put (self, END_MAGIC, strlen (END_MAGIC));
  if (!self->ok)
    exchange_set_output_error (error, self->path);

  return exchange_finish (self->file, self->path, self->ok ? error : NULL) && self->ok;
}

static gboolean
write_file (ReportRun *run, RoastReport *report, char **measured, char **derived, char **wanted, const char *path,
            GError **error)
{
  g_autoptr (GString) index = g_string_new (NULL);
  RawExportOutput self = { exchange_create (path, error), path, 0, { .text = index }, TRUE };

  if (self.file == NULL)
    return FALSE;
  raw_export_put (&self, MAGIC, strlen (MAGIC));
  put_number (&self, VERSION);
  json_writer_begin (&self.index, '{');
  json_writer_member (&self.index, "roast_raw");
  exact_number_append_int64 (self.index.text, VERSION);
  json_writer_string_member (&self.index, "roast_version", ROAST_VERSION_S);
  json_writer_begin_member (&self.index, "tables", '[');
  if (raw_export_put_tables (&self, run->recording, NULL, measured, wanted, error) &&
      (report == NULL || raw_export_put_tables (&self, NULL, report, derived, wanted, error)))
    {
      json_writer_end (&self.index, ']');
      json_writer_end (&self.index, '}');
      g_string_append_c (index, '\n');
      return put_end (&self, error);
    }
  exchange_finish (self.file, path, NULL);

  return FALSE;
}

gboolean
raw_export (ReportRun *run, const char *tables, const char *path, GError **error)
{
  g_auto (GStrv) wanted = split_names (tables);
  g_auto (GStrv) measured = roast_recording_dup_table_names (run->recording);
  g_auto (GStrv) derived = g_new0 (char *, 1);
  g_autoptr (RoastRegistry) registry = NULL;
  g_autoptr (RoastSession) session = NULL;
  RoastReport *report = NULL;

  if (G_BYTE_ORDER != G_LITTLE_ENDIAN)
    return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT,
                       "--raw needs a little-endian machine: use --stream");
  if (needs_report (wanted, measured))
    {
      registry = roast_registry_new ();
      session = roast_session_new (registry);
      if (!roast_session_read (session, run->recording, error))
        return FALSE;
      report = roast_session_get_report (session);
      g_strfreev (derived);
      derived = roast_report_dup_table_names (report);
    }

  return check_names (wanted, measured, derived, error) &&
         write_file (run, report, measured, derived, wanted, path, error);
}
