/* SPDX-License-Identifier: BSD-3-Clause */

/* Lines as they come from programs and probes: declarations, rows, messages, and what is none of these. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#define MAX_LINE 65536
#define MAX_DEPTH 16

typedef struct
{
  RoastWireReader *reader;
  char *line; /* of just the size of what was read last, so that reading on is seen */
} Fixture;

/* Two tables with the same columns. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const char *const columns[] = { "a", "b", "c", "d", NULL };

  fixture->reader = roast_wire_reader_new (MAX_LINE, MAX_DEPTH);
  g_assert_cmpuint (roast_wire_reader_add_table (fixture->reader, "t", columns), ==, 0);
  g_assert_cmpuint (roast_wire_reader_add_table (fixture->reader, "tä", columns), ==, 1);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->reader);
  g_free (fixture->line);
}

static gboolean
read_line (Fixture *fixture, const char *line, GError **error)
{
  gsize length = strlen (line);

  g_free (fixture->line);
  fixture->line = g_memdup2 (line, MAX (length, 1));

  return roast_wire_reader_read (fixture->reader, fixture->line, length, error);
}

static void
take (Fixture *fixture, const char *line, RoastWireLine type)
{
  g_autoptr (GError) error = NULL;

  read_line (fixture, line, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_wire_reader_get_line_type (fixture->reader), ==, type);
}

static void
take_row (Fixture *fixture, const char *line)
{
  take (fixture, line, ROAST_WIRE_LINE_ROW);
}

static void
declare (Fixture *fixture, const char *line)
{
  take (fixture, line, ROAST_WIRE_LINE_DECLARATION);
}

static void
assert_refused (Fixture *fixture, const char *line, const char *words)
{
  g_autoptr (GError) error = NULL;

  if (read_line (fixture, line, &error))
    g_error ("%s was taken", line);
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL);
  if (strstr (error->message, words) == NULL)
    g_error ("%s: “%s” is not in “%s”", line, words, error->message);
}

static void
assert_bad_cell (Fixture *fixture, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_wire_reader_check_row (fixture->reader, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” is not in “%s”", words, error->message);
}

static void
test_rows (Fixture *fixture, gconstpointer data)
{
  RoastWireReader *reader = fixture->reader;

  declare (fixture, "{\"table\":\"t\",\"columns\":[\"a\",\"b\",\"c\",\"d\"]}");
  g_assert_cmpuint (roast_wire_reader_get_table (reader), ==, 0);
  g_assert_cmpstr (roast_wire_reader_get_table_name (reader), ==, "t");
  g_assert_cmpstr (roast_wire_reader_get_columns (reader)[3], ==, "d");
  declare (fixture, " { \"more\" : [{\"table\":\"x\"}], \"columns\" : [ \"a\" ] , \"table\" : \"t\\u00e4\" } ");
  g_assert_cmpuint (roast_wire_reader_get_table (reader), ==, 1);
  g_assert_cmpstr (roast_wire_reader_get_table_name (reader), ==, "tä");

  take_row (fixture, "[\"t\",\"ttbar\",1000,0.5,true]");
  g_assert_cmpuint (roast_wire_reader_get_table (reader), ==, 0);
  g_assert_cmpstr (roast_wire_reader_get_string (reader, 0), ==, "ttbar");
  g_assert_cmpint (roast_wire_reader_get_int64 (reader, 1, -1), ==, 1000);
  g_assert_cmpfloat (roast_wire_reader_get_double (reader, 1), ==, 1000);
  g_assert_cmpfloat (roast_wire_reader_get_double (reader, 2), ==, 0.5);
  g_assert_true (roast_wire_reader_get_boolean (reader, 3));
  g_assert_true (roast_wire_reader_check_row (reader, NULL));

  /* Nothing stays of the row before. */
  take_row (fixture, "[\"t\",null,5]");
  g_assert_false (roast_wire_reader_has (reader, 0));
  g_assert_null (roast_wire_reader_get_string (reader, 0));
  g_assert_cmpint (roast_wire_reader_get_count (reader, 1), ==, 5);
  g_assert_cmpint (roast_wire_reader_get_cell_type (reader, 2), ==, ROAST_WIRE_CELL_MISSING);
  g_assert_true (isnan (roast_wire_reader_get_double (reader, 2)));
  g_assert_false (roast_wire_reader_get_boolean (reader, 3));
  g_assert_cmpint (roast_wire_reader_get_int64 (reader, 3, 77), ==, 77);
  take_row (fixture, "[\"t\"]");
  g_assert_false (roast_wire_reader_has (reader, 0));
  take_row (fixture, " [ \"t\\u00e4\" , \"\" ] ");
  g_assert_cmpuint (roast_wire_reader_get_table (reader), ==, 1);
  g_assert_cmpstr (roast_wire_reader_get_string (reader, 0), ==, "");
  g_assert_true (roast_wire_reader_has (reader, 0));
  g_assert_true (roast_wire_reader_check_row (reader, NULL));
}

/* Cells are found by the name of their column, whatever the order on the wire; a later declaration replaces it. */
static void
test_slots (Fixture *fixture, gconstpointer data)
{
  RoastWireReader *reader = fixture->reader;

  declare (fixture, "{\"table\":\"t\",\"columns\":[\"c\",\"a\"]}");
  take_row (fixture, "[\"t\",1.5,\"w\"]");
  g_assert_cmpstr (roast_wire_reader_get_string (reader, 0), ==, "w");
  g_assert_cmpfloat (roast_wire_reader_get_double (reader, 2), ==, 1.5);
  g_assert_false (roast_wire_reader_has (reader, 1));
  declare (fixture, "{\"table\":\"t\",\"columns\":[\"d\",\"c\",\"b\",\"\\u0061\"]}");
  take_row (fixture, "[\"t\",4,3,2,1]");
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (roast_wire_reader_get_count (reader, i), ==, i + 1);
}

static void
test_refused_declarations (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[][2] = {
    { "{\"table\":\"x\",\"columns\":[\"a\"]}", "rows of table “x” are not accepted here; the tables are: t, tä" },
    { "{\"table\":\"t\"}", "the declaration of table “t” has no array “columns”" },
    { "{\"table\":\"t\",\"columns\":\"a\"}", "has no array" },
    { "{\"table\":\"t\",\"columns\":[]}", "one or more names" },
    { "{\"table\":\"t\",\"columns\":[1]}", "one or more names" },
    { "{\"table\":\"t\",\"columns\":[\"a\",null]}", "one or more names" },
    { "{\"table\":\"t\",\"columns\":[\"a\",\"b\",\"a\"]}", "“a” of table “t” is declared twice" },
    { "{\"table\":\"t\",\"columns\":[\"a\",\"b\",\"c\",\"d\",\"a\"]}", "declared twice" },
    { "{\"table\":\"t\",\"columns\":[\"A\"]}", "table “t” has no column “A”; the columns are: a, b, c, d" },
  };

  assert_refused (fixture, "[\"t\",1]", "table “t”, which no earlier line declares");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      declare (fixture, "{\"table\":\"tä\",\"columns\":[\"a\"]}");
      assert_refused (fixture, lines[i][0], lines[i][1]);
      assert_refused (fixture, "[\"t\",1]", "table “t”, which no earlier line declares");
      take_row (fixture, "[\"tä\",1]");
    }
  declare (fixture, "{\"table\":\"t\",\"columns\":[\"a\"]}");
  take_row (fixture, "[\"t\",1]");
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  static const char *const numbers[] = {
    "0",
    "-0.0",
    "0.1",
    "1.5e300",
    "123456.789",
    "1e22",
    "1e23",
    "1E-22",
    "1.7976931348623157e308",
    "4.9e-324",
    "9007199254740993.0",
    "0.30000000000000004",
    "1234567890.123456",
    "1700000000.25",
    "123456789012345678901234567890.5",
    "0.000000000000000000000000000000000000000001234567890123456789012345",
    "-2.2250738585072014e-308",
    "5e-400",
    "0e999999999999",
    "100000000000000000000e-20",
  };

  declare (fixture, "{\"table\":\"t\",\"columns\":[\"a\",\"b\"]}");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *line = g_strdup_printf ("[\"t\",%s]", numbers[i]);

      take_row (fixture, line);
      if (roast_wire_reader_get_double (fixture->reader, 0) != g_ascii_strtod (numbers[i], NULL))
        g_error ("%s was read as %.17g", numbers[i], roast_wire_reader_get_double (fixture->reader, 0));
    }
  take_row (fixture, "[\"t\",999999999999999999,-999999999999999999]");
  g_assert_cmpint (roast_wire_reader_get_int64 (fixture->reader, 0, 0), ==, G_GINT64_CONSTANT (999999999999999999));
  g_assert_cmpint (roast_wire_reader_get_int64 (fixture->reader, 1, 0), ==, -G_GINT64_CONSTANT (999999999999999999));
  take_row (fixture, "[\"t\",1e3,9007199254740992.0]");
  g_assert_cmpint (roast_wire_reader_get_cell_type (fixture->reader, 0), ==, ROAST_WIRE_CELL_DOUBLE);
  g_assert_cmpint (roast_wire_reader_get_int64 (fixture->reader, 0, 0), ==, 1000);
  g_assert_cmpint (roast_wire_reader_get_int64 (fixture->reader, 1, 0), ==, G_GINT64_CONSTANT (9007199254740992));
  g_assert_true (roast_wire_reader_check_row (fixture->reader, NULL));
  assert_refused (fixture, "[\"t\",1e999]", "table “t”: a number is out of range");
  take_row (fixture, "[\"t\",9223372036854775807,-9223372036854775808]");
  g_assert_cmpint (roast_wire_reader_get_int64 (fixture->reader, 0, 0), ==, G_MAXINT64);
  g_assert_cmpint (roast_wire_reader_get_int64 (fixture->reader, 1, 0), ==, G_MININT64);
  assert_refused (fixture, "[\"t\",9223372036854775808]", "does not fit in 64 bits");
  assert_refused (fixture, "[\"t\",-9223372036854775809]", "does not fit in 64 bits");
}

static void
test_strings (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[][2] = {
    { "", "" },
    { "plain", "plain" },
    { "ä😀", "ä😀" },
    { "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t" },
    { "\\u0041\\u00e4\\u20ac\\ud83d\\ude00.", "Aä€😀." },
    { "\\\\u0041", "\\u0041" },
    { "[1,\\\"2\\\"]", "[1,\"2\"]" },
  };

  declare (fixture, "{\"table\":\"t\",\"columns\":[\"a\",\"b\"]}");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *line = g_strdup_printf ("[\"t\",\"%s\",\"%s\"]", texts[i][0], texts[i][0]);

      take_row (fixture, line);
      g_assert_cmpstr (roast_wire_reader_get_string (fixture->reader, 0), ==, texts[i][1]);
      g_assert_cmpstr (roast_wire_reader_get_string (fixture->reader, 1), ==, texts[i][1]);
    }
}

/* A cell of another type is missing, and remembered until the next line. */
static void
test_wrong_cells (Fixture *fixture, gconstpointer data)
{
  RoastWireReader *reader = fixture->reader;

  declare (fixture, "{\"table\":\"t\",\"columns\":[\"a\",\"b\"]}");
  take_row (fixture, "[\"t\",\"1\",2]");
  g_assert_null (roast_wire_reader_get_string (reader, 1));
  g_assert_cmpint (roast_wire_reader_get_int64 (reader, 0, -7), ==, -7);
  assert_bad_cell (fixture, "column “b” of table “t”: the cell must be text");
  take_row (fixture, "[\"t\",1.5,-2]");
  g_assert_true (roast_wire_reader_check_row (reader, NULL));
  g_assert_cmpint (roast_wire_reader_get_count (reader, 1), ==, -1);
  assert_bad_cell (fixture, "column “b” of table “t”: the cell must be an integer that is not negative");
  take_row (fixture, "[\"t\",1.5,true]");
  g_assert_cmpint (roast_wire_reader_get_int64 (reader, 0, -7), ==, -7);
  assert_bad_cell (fixture, "“a” of table “t”: the cell must be an integer");
  take_row (fixture, "[\"t\",1e17]");
  g_assert_cmpint (roast_wire_reader_get_int64 (reader, 0, -7), ==, -7);
  assert_bad_cell (fixture, "“a” of table “t”: the cell must be an integer");
  take_row (fixture, "[\"t\",\"1\",false]");
  g_assert_true (isnan (roast_wire_reader_get_double (reader, 0)));
  assert_bad_cell (fixture, "“a” of table “t”: the cell must be a number");
  take_row (fixture, "[\"t\",1]");
  g_assert_false (roast_wire_reader_get_boolean (reader, 0));
  assert_bad_cell (fixture, "“a” of table “t”: the cell must be a boolean");
  take (fixture, "{}", ROAST_WIRE_LINE_MESSAGE);
  g_assert_true (roast_wire_reader_check_row (reader, NULL));
}

static void
test_messages (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = {
    "{}",
    "{\"type\":\"events\",\"events\":1}",
    /* Not a declaration: it has a type. */
    "{\"table\":\"x\",\"columns\":[\"a\"],\"type\":\"y\"}",
    "{\"columns\":[\"a\"]}",
    "{\"table\":1,\"columns\":[\"a\"]}",
    "[]",
    "[1,\"x\"]",
    "[{\"a\":[]}]",
    "1",
    "\"x\"",
    "{\"a\":1e999}",
  };
  const char *line = NULL;
  gsize length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      take (fixture, lines[i], ROAST_WIRE_LINE_MESSAGE);
      line = roast_wire_reader_get_line (fixture->reader, &length);
      g_assert_cmpmem (line, length, lines[i], strlen (lines[i]));
    }
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[][2] = {
    { "", "not JSON" },
    { "x", "not JSON" },
    { "{", "not JSON" },
    { "{}x", "follows the end of the value" },
    { "{\"a\":1", "ends too early" },
    { "{\"a\":1]", "not JSON" },
    { "{\"a\" 1}", "colon" },
    { "{a:1}", "double quotes" },
    { "{\"a\":1,}", "double quotes" },
    { "{\"a\":\"\xff\"}", "not UTF-8" },
    { "[\"x\",1]", "table “x”, which no earlier line declares" },
    { "[\"g", "unterminated string" },
    { "[\"t\"", "ends too early" },
    { "[\"t\",", "column “a” of table “t”: " },
    { "[\"t\",1", "ends too early" },
    { "[\"t\",1}", "not JSON" },
    { "[\"t\" 1]", "not JSON" },
    { "[\"t\",]", "not JSON" },
    { "[\"t\",1,2,3]", "table “t”: the row has more cells than declared columns" },
    { "[\"t\",01]", "invalid number" },
    { "[\"t\",nul]", "not JSON" },
    { "[\"t\",truefalse]", "not JSON" },
    { "[\"t\",\"\\ud800\"]", "one half of a surrogate pair" },
    { "[\"t\",\"\\u0000\"]", "\\u0000" },
    { "[\"t\",\"\x01\"]", "control character" },
    { "[\"t\",\"\xc3\"]", "not UTF-8" },
    { "[\"t\",\"\xed\xa0\x80\"]", "not UTF-8" },
    { "[\"t\",1]]", "follows the end of the value" },
    { "[\"t\",[1]]", "column “a” of table “t”: a cell cannot hold an array or object" },
    { "[\"t\",1,{}]", "column “b” of table “t”: a cell cannot hold an array or object" },
    { "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", "nested too deeply" },
  };

  declare (fixture, "{\"table\":\"t\",\"columns\":[\"a\",\"b\"]}");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      assert_refused (fixture, lines[i][0], lines[i][1]);
      g_assert_cmpint (roast_wire_reader_get_line_type (fixture->reader), ==, ROAST_WIRE_LINE_MESSAGE);
    }
}

static void
test_length (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (MAX_LINE - 8, 'x');
  g_autofree char *fits = g_strdup_printf ("{\"a\":\"%s\"}", filler);
  g_autofree char *longer = g_strdup_printf ("{\"a\":\"%sx\"}", filler);

  g_assert_cmpuint (strlen (fits), ==, MAX_LINE);
  take (fixture, fits, ROAST_WIRE_LINE_MESSAGE);
  assert_refused (fixture, longer, "longer than 64 KiB");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/wire-reader/rows", test_rows);
  ADD ("/wire-reader/slots", test_slots);
  ADD ("/wire-reader/refused-declarations", test_refused_declarations);
  ADD ("/wire-reader/numbers", test_numbers);
  ADD ("/wire-reader/strings", test_strings);
  ADD ("/wire-reader/wrong-cells", test_wrong_cells);
  ADD ("/wire-reader/messages", test_messages);
  ADD ("/wire-reader/refused", test_refused);
  ADD ("/wire-reader/length", test_length);

  return g_test_run ();
}
