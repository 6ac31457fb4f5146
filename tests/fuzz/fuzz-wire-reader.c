/* SPDX-License-Identifier: BSD-3-Clause */

/* Any lines: each is taken or refused with a reason; what is taken json-glib takes as well, and reads the same in it.
 */

#include <json-glib/json-glib.h>
#include <math.h>
#include <roast/roast.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_cell (RoastWireReader *reader, guint slot, JsonNode *node)
{
  RoastWireCell type = roast_wire_reader_get_cell_type (reader, slot);
  GType value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  g_assert_true ((type == ROAST_WIRE_CELL_MISSING) == (node == NULL || JSON_NODE_HOLDS_NULL (node)));
  g_assert_true ((type == ROAST_WIRE_CELL_STRING) == (value == G_TYPE_STRING));
  g_assert_true ((type == ROAST_WIRE_CELL_BOOLEAN) == (value == G_TYPE_BOOLEAN));
  g_assert_true ((type == ROAST_WIRE_CELL_INT64) == (value == G_TYPE_INT64));
  g_assert_true ((type == ROAST_WIRE_CELL_DOUBLE) == (value == G_TYPE_DOUBLE));
  if (type == ROAST_WIRE_CELL_STRING)
    g_assert_cmpstr (roast_wire_reader_get_string (reader, slot), ==, json_node_get_string (node));
  if (type == ROAST_WIRE_CELL_BOOLEAN)
    g_assert_true (roast_wire_reader_get_boolean (reader, slot) == json_node_get_boolean (node));
  if (type == ROAST_WIRE_CELL_INT64)
    g_assert_cmpint (roast_wire_reader_get_int64 (reader, slot, 0), ==, json_node_get_int (node));
  if (type == ROAST_WIRE_CELL_DOUBLE)
    g_assert_cmpfloat (roast_wire_reader_get_double (reader, slot), ==, json_node_get_double (node));
  /* Asked for as what it may not be. */
  roast_wire_reader_get_count (reader, slot);
  roast_wire_reader_get_string (reader, slot);
}

/* By its declaration, cells go to the slots of their columns. */
static void
check_row (RoastWireReader *reader, JsonArray *array, JsonArray *columns)
{
  guint n = json_array_get_length (array);
  guint n_columns = json_array_get_length (columns);

  g_assert_cmpstr (roast_wire_reader_get_table_name (reader), ==, json_array_get_string_element (array, 0));
  g_assert_cmpuint (n, <=, n_columns + 1);
  for (guint slot = 0; roast_wire_reader_get_columns (reader)[slot] != NULL; slot++)
    {
      JsonNode *node = NULL;

      for (guint i = 0; i < n_columns && i + 1 < n; i++)
        if (g_str_equal (json_array_get_string_element (columns, i), roast_wire_reader_get_columns (reader)[slot]))
          node = json_array_get_element (array, i + 1);
      check_cell (reader, slot, node);
    }
}

static void
check_line (RoastWireReader *reader, const char *line, size_t length, JsonArray **columns)
{
  g_autofree char *copy = g_memdup2 (line, MAX (length, 1));
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();

  if (!roast_wire_reader_read (reader, copy, length, &error))
    {
      g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return;
    }
  g_assert_no_error (error);
  json_parser_load_from_data (parser, line, (gssize) length, &error);
  g_assert_no_error (error);
  if (roast_wire_reader_get_line_type (reader) == ROAST_WIRE_LINE_ROW)
    {
      check_row (reader, json_node_get_array (json_parser_get_root (parser)),
                 columns[roast_wire_reader_get_table (reader)]);
    }
  else if (roast_wire_reader_get_line_type (reader) == ROAST_WIRE_LINE_DECLARATION)
    {
      JsonObject *object = json_node_get_object (json_parser_get_root (parser));
      JsonArray **kept = &columns[roast_wire_reader_get_table (reader)];

      g_clear_pointer (kept, json_array_unref);
      *kept = json_array_ref (json_object_get_array_member (object, "columns"));
    }
  roast_wire_reader_check_row (reader, NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastWireReader) reader = roast_wire_reader_new (4096, 8);
  static const char *const names[] = { "dataset", "events", "started", "ended", "a", NULL };
  JsonArray *columns[3] = { NULL };
  const char *line = (const char *) data;
  size_t left = size;

  roast_wire_reader_add_table (reader, "chunks", names);
  roast_wire_reader_add_table (reader, "t", names);
  roast_wire_reader_add_table (reader, "s", names);
  while (left > 0)
    {
      const char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;

      check_line (reader, line, length, columns);
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_clear_pointer (&columns[i], json_array_unref);

  return 0;
}
