/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes a run of the lines that stream-export.c wrote. */

#include <errno.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "formats.h"
#include "stream.h"

#define MAX_LINE (64 << 20) /* B */
#define MAX_DEPTH 8

typedef struct
{
  const char *name; /* of the stream, for messages */
  FILE *file;
  guint64 n_lines;
  GString *line;
  RoastWireReader *reader;
  RoastRecording *recording;
  RoastRunFile *run;
  GPtrArray *writers; /* of RoastTableWriter, by table of the reader; NULL where there is none */
  gboolean begun;
  gboolean ended;
} Import;

static void
writer_clear (gpointer writer)
{
  if (writer != NULL)
    g_object_unref (writer);
}

static void
import_clear (Import *self)
{
  g_clear_pointer (&self->file, exchange_close);
  g_string_free (self->line, TRUE);
  g_clear_object (&self->reader);
  g_clear_pointer (&self->writers, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

static gboolean
fail (Import *self, GError **error, const char *problem)
{
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, "line %" G_GUINT64_FORMAT " of %s: %s",
               self->n_lines, self->name, problem);

  return FALSE;
}

/* ---- lines that are objects ---- */

static const char *
get_text (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

static gboolean
take_begin (Import *self, JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, STREAM_MAGIC);

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_INT64)
    return fail (self, error, "this is not a stream of “roast-report export --stream”");
  if (json_node_get_int (node) != STREAM_VERSION)
    return fail (self, error, "a newer version of roast wrote this stream: import it with that version");
  self->begun = TRUE;

  return TRUE;
}

static gboolean
take_metadata (Import *self, const char *key, const char *text, GError **error)
{
  g_autoptr (GError) local = NULL;
  GVariant *value = g_variant_parse (NULL, text, NULL, NULL, &local);

  if (value == NULL)
    return fail (self, error, local->message);
  roast_recording_set_metadata (self->recording, key, value);
  g_variant_unref (value);

  return TRUE;
}

static gboolean
take_object (Import *self, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) local = NULL;
  gsize length = 0;
  const char *line = roast_wire_reader_get_line (self->reader, &length);
  JsonNode *root = NULL;
  JsonObject *object = NULL;
  const char *value = NULL;

  if (!json_parser_load_from_data (parser, line, (gssize) length, &local))
    return fail (self, error, local->message);
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return fail (self, error,
                 self->begun ? "neither a row nor an object"
                             : "this is not a stream of “roast-report export --stream”");
  object = json_node_get_object (root);
  if (!self->begun)
    return take_begin (self, object, error);
  value = get_text (object, STREAM_VALUE);
  if (get_text (object, STREAM_META) != NULL && value != NULL)
    {
      roast_run_file_set_meta (self->run, get_text (object, STREAM_META), value);
      return TRUE;
    }
  if (get_text (object, STREAM_METADATA) != NULL && value != NULL)
    return take_metadata (self, get_text (object, STREAM_METADATA), value, error);
  if (!json_object_has_member (object, STREAM_END))
    return fail (self, error, "this object has neither metadata nor a table");
  self->ended = TRUE;

  return TRUE;
}

/* ---- tables and rows ---- */

/* Every table that a recording can have, with all its columns: a slot of the reader is a column. */
static void
add_tables (Import *self, RoastSchema *schema)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_tables (schema);

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);
      g_autoptr (GPtrArray) names = g_ptr_array_new ();

      if (roast_table_info_get_origin (info) != ROAST_TABLE_ORIGIN_MEASURED)
        continue;
      for (guint column = 0; column < roast_table_info_get_n_columns (info); column++)
        g_ptr_array_add (names, (char *) roast_column_get_name (roast_table_info_get_column (info, column)));
      g_ptr_array_add (names, NULL);
      roast_wire_reader_add_table (self->reader, roast_table_info_get_name (info), (const char *const *) names->pdata);
      g_ptr_array_add (self->writers, NULL);
    }
}

static gboolean
take_declaration (Import *self, GError **error)
{
  guint table = roast_wire_reader_get_table (self->reader);
  g_autoptr (GError) local = NULL;

  if (g_ptr_array_index (self->writers, table) != NULL)
    return TRUE;
  g_ptr_array_index (self->writers, table) =
      roast_recording_write_table (self->recording, roast_wire_reader_get_table_name (self->reader), NULL, NULL,
                                   &local);

  return g_ptr_array_index (self->writers, table) != NULL || fail (self, error, local->message);
}

static void
set_cell (RoastWireReader *reader, RoastTableWriter *writer, RoastColumnType type, guint slot)
{
  if (!roast_wire_reader_has (reader, slot))
    return;
  switch (type)
    {
    case ROAST_COLUMN_TYPE_INT64:
      roast_table_writer_set_int64 (writer, slot, roast_wire_reader_get_int64 (reader, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      roast_table_writer_set_double (writer, slot, roast_wire_reader_get_double (reader, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      roast_table_writer_set_boolean (writer, slot, roast_wire_reader_get_boolean (reader, slot));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      roast_table_writer_set_string (writer, slot, roast_wire_reader_get_string (reader, slot));
    }
}

static gboolean
take_row (Import *self, GError **error)
{
  RoastTableWriter *writer = g_ptr_array_index (self->writers, roast_wire_reader_get_table (self->reader));
  RoastTableInfo *info = roast_table_writer_get_info (writer);
  g_autoptr (GError) local = NULL;

  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    set_cell (self->reader, writer, roast_column_get_column_type (roast_table_info_get_column (info, i)), i);
  if (!roast_wire_reader_check_row (self->reader, &local))
    {
      roast_table_writer_clear (writer);
      return fail (self, error, local->message);
    }
  /* Rows that are closed leave memory. */
  if (!roast_table_writer_close (writer, &local))
    return fail (self, error, local->message);

  return TRUE;
}

static gboolean
take_line (Import *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!roast_wire_reader_read (self->reader, self->line->str, self->line->len, &local))
    return fail (self, error, local->message);
  if (self->ended)
    return fail (self, error, "the stream goes on after its end");
  if (!self->begun || roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_MESSAGE)
    return take_object (self, error);
  if (roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_DECLARATION)
    return take_declaration (self, error);

  return take_row (self, error);
}

typedef enum
{
  LINE_READ,
  LINE_TOO_LONG,
  LINE_NONE, /* the end, or an error */
} LineResult;

/* A line without its line feed. What is not a stream may have no line feed at all: no more than a line is kept of it.
 */
static LineResult
read_line (Import *self)
{
  int c;

  g_string_truncate (self->line, 0);
  while ((c = getc_unlocked (self->file)) != EOF && c != '\n')
    {
      if (self->line->len == MAX_LINE)
        return LINE_TOO_LONG;
      g_string_append_c (self->line, (char) c);
    }

  return c == EOF && (self->line->len == 0 || ferror (self->file)) ? LINE_NONE : LINE_READ;
}

static gboolean
read_lines (Import *self, GError **error)
{
  LineResult result;

  errno = 0;
  while ((result = read_line (self)) == LINE_READ)
    {
      self->n_lines++;
      if (!take_line (self, error))
        return FALSE;
    }
  if (result == LINE_TOO_LONG)
    {
      self->n_lines++;
      return fail (self, error, "this line is longer than 64 MiB, the limit of a stream: export the run again");
    }
  if (ferror (self->file))
    return fail (self, error, g_strerror (errno));
  if (!self->begun)
    return fail (self, error, "this is not a stream of “roast-report export --stream”: it is empty");
  if (!self->ended)
    return fail (self, error, "the stream was cut here: export it again");

  return TRUE;
}

gboolean
stream_begins_like (const char *start, gsize length)
{
  return g_str_has_prefix (start, "{\"" STREAM_MAGIC "\"");
}

gboolean
stream_import (ExchangeImport *import, GError **error)
{
  g_auto (Import) self = { .name = import->name, .recording = import->recording, .run = import->run };

  self.line = g_string_new (NULL);
  self.file = exchange_open (import->path, error);
  if (self.file == NULL)
    return FALSE;
  self.reader = roast_wire_reader_new (MAX_LINE, MAX_DEPTH);
  self.writers = g_ptr_array_new_with_free_func (writer_clear);
  add_tables (&self, roast_recording_get_schema (import->recording));

  return read_lines (&self, error);
}
