/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes a run from the lines of a stream, as stream-export.c writes them. */

#include <errno.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

#include "stream.h"

#define MAX_LINE (64 << 20) /* bytes; maximum length of a line */
#define MAX_DEPTH 8

typedef struct
{
  ExchangeImport *import;
  FILE *file;
  guint64 n_lines;
  GString *line;
  RoastWireReader *reader;
  GPtrArray *writers; /* elements are RoastTableWriter: one for each table of the reader; NULL if undeclared */
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

/* ---- lines that are objects ---- */

static gboolean
take_begin (Import *self, JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, STREAM_MAGIC);

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_INT64)
    return exchange_fail (error, "this is not a stream from “roast-report export --stream”");
  if (json_node_get_int (node) != STREAM_VERSION)
    return exchange_fail (error, "a newer version of roast wrote this stream: import the stream with that version");
  self->begun = TRUE;

  return TRUE;
}

/* Returns the member @member of an object as a string; NULL if the object has no such member. */
static const char *
get_text (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

static gboolean
take_metadata (Import *self, const char *key, const char *text, GError **error)
{
  g_autoptr (GVariant) value = g_variant_parse (NULL, text, NULL, NULL, error);

  if (value != NULL)
    roast_recording_set_metadata (self->import->recording, key, value);

  return value != NULL;
}

static gboolean
take_object (Import *self, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  gsize length = 0;
  const char *line = roast_wire_reader_get_line (self->reader, &length);
  JsonNode *root = NULL;
  JsonObject *object = NULL;
  const char *value = NULL;

  if (!json_parser_load_from_data (parser, line, (gssize) length, error))
    return FALSE;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return exchange_fail (error, "%s",
                          self->begun ? "this line is neither a row nor an object"
                                      : "this is not a stream from “roast-report export --stream”");
  object = json_node_get_object (root);
  if (!self->begun)
    return take_begin (self, object, error);
  value = get_text (object, STREAM_VALUE);
  if (get_text (object, STREAM_META) != NULL && value != NULL)
    {
      roast_run_file_set_meta (self->import->run, get_text (object, STREAM_META), value);
      return TRUE;
    }
  if (get_text (object, STREAM_METADATA) != NULL && value != NULL)
    return take_metadata (self, get_text (object, STREAM_METADATA), value, error);
  if (!json_object_has_member (object, STREAM_END))
    return exchange_fail (error, "this object has neither metadata nor a table");
  self->ended = TRUE;

  return TRUE;
}

/* ---- tables and rows ---- */

/* Adds all tables that a recording can have to the reader. All of their columns are added in order, so that each slot
 * of the reader is the number of the column. */
static void
stream_import_add_tables (Import *self, RoastSchema *schema)
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
  gpointer *writer = &g_ptr_array_index (self->writers, roast_wire_reader_get_table (self->reader));

  if (*writer == NULL)
    *writer = roast_recording_write_table (self->import->recording, roast_wire_reader_get_table_name (self->reader),
                                           NULL, NULL, error);

  return *writer != NULL;
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

  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    set_cell (self->reader, writer, roast_column_get_column_type (roast_table_info_get_column (info, i)), i);
  if (!roast_wire_reader_check_row (self->reader, error))
    {
      roast_table_writer_clear (writer);
      return FALSE;
    }

  /* Close each row rather than ending it, because rows stay in memory until they are closed. */
  return roast_table_writer_close (writer, error);
}

static gboolean
take_line (Import *self, GError **error)
{
  if (!roast_wire_reader_read (self->reader, self->line->str, self->line->len, error))
    return FALSE;
  if (self->ended)
    return exchange_fail (error, "the stream continues after the line that ends the stream");
  if (!self->begun || roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_MESSAGE)
    return take_object (self, error);
  if (roast_wire_reader_get_line_type (self->reader) == ROAST_WIRE_LINE_DECLARATION)
    return take_declaration (self, error);

  return take_row (self, error);
}

static gboolean
read_lines (Import *self, GError **error)
{
  gboolean is_too_long = FALSE;

  errno = 0;
  while (exchange_read_line (self->file, self->line, MAX_LINE, &is_too_long))
    {
      self->n_lines++;
      if (is_too_long)
        return exchange_fail (error, "this line is longer than 64 MiB, the limit of a stream: export the run again");
      if (!take_line (self, error))
        return FALSE;
    }
  if (ferror (self->file))
    return exchange_fail (error, "%s", g_strerror (errno));
  if (!self->begun)
    return exchange_fail (error, "this is not a stream from “roast-report export --stream”: the input is empty");
  if (!self->ended)
    return exchange_fail (error, "the stream was cut here: export the run again");

  return TRUE;
}

gboolean
stream_import (ExchangeImport *import, FILE *file, GError **error)
{
  g_auto (Import) self = { .import = import };

  self.line = g_string_new (NULL);
  self.file = file != NULL ? file : exchange_open (import->path, error);
  if (self.file == NULL)
    return FALSE;
  self.reader = roast_wire_reader_new (MAX_LINE, MAX_DEPTH);
  self.writers = g_ptr_array_new_with_free_func (writer_clear);
  stream_import_add_tables (&self, roast_recording_get_schema (import->recording));

  if (read_lines (&self, error))
    return TRUE;
  g_prefix_error (error, "line %" G_GUINT64_FORMAT " of %s: ", self.n_lines, import->name);

  return FALSE;
}
