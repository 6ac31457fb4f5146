/* SPDX-License-Identifier: BSD-3-Clause */

/* Rows are written as they were meant, or refused with an error that names the place. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

static const char schema_text[] =
    "[vocabulary color]\nClosed=true\nDescription=Colors\n"
    "[words color]\nred=warm\nblue=cold\n"
    "[vocabulary taste]\nDescription=Tastes\n"
    "[words taste]\nsweet=as sugar\n"
    "[table rows]\nDescription=A row of each type\n"
    "[columns rows]\nsource=category: source\ni=int64 B: integer\nd=double s: real\nb=boolean: "
    "boolean\ns=string: text\nc=category: category\ncolor=category of color: color\n"
    "taste=category of taste: taste\n"
    "[table things]\nKind=entity\nKey=source;id;n\nDescription=A thing\n"
    "[columns things]\nsource=category: source\nid=string: identity\nn=int64: number\n"
    "note=string: note\nvalue=double: value\n"
    "[table made]\nOrigin=derived\nDescription=Derived\n[columns made]\nx=double: x\n";

enum
{
  ROWS_SOURCE,
  ROWS_I,
  ROWS_D,
  ROWS_B,
  ROWS_S,
  ROWS_C,
  ROWS_COLOR,
  ROWS_TASTE
};

enum
{
  THINGS_SOURCE,
  THINGS_ID,
  THINGS_N,
  THINGS_NOTE,
  THINGS_VALUE
};

static RoastRecording *
new_recording (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (schema_text, strlen (schema_text));
  g_autoptr (GError) error = NULL;

  roast_schema_load_data (schema, bytes, "test", &error);
  g_assert_no_error (error);

  return roast_recording_new (schema);
}

static RoastTableWriter *
write_table (RoastRecording *recording, const char *table, const char *source)
{
  g_autoptr (GError) error = NULL;
  RoastTableWriter *writer = roast_recording_write_table (recording, table, source, NULL, &error);

  g_assert_no_error (error);

  return writer;
}

static RoastTableReader *
read_table (RoastRecording *recording, const char *table)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_recording_read_table (recording, table, NULL, &error);

  g_assert_no_error (error);

  return reader;
}

/* How many events of a kind there are, and the message of the last. */
static guint
count_events (RoastRecording *recording, const char *kind, char **message)
{
  g_autoptr (RoastTableReader) events =
      roast_recording_read_table (recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);
  guint n = 0;

  while (roast_table_reader_next (events))
    if (g_strcmp0 (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), kind) == 0)
      {
        n++;
        if (message != NULL)
          {
            g_free (*message);
            *message = g_strdup (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE));
          }
      }

  return n;
}

static void
test_types (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", "s-1");
  g_autoptr (RoastTableReader) reader = NULL;

  roast_table_writer_set_int64 (writer, ROWS_I, G_MININT64);
  roast_table_writer_set_double (writer, ROWS_D, -0.5);
  roast_table_writer_set_boolean (writer, ROWS_B, 17);
  roast_table_writer_set_string (writer, ROWS_S, "text");
  roast_table_writer_set_text (writer, ROWS_C, "category and more", strlen ("category"));
  roast_table_writer_set_word (writer, ROWS_COLOR, 1);
  roast_table_writer_set_string (writer, ROWS_TASTE, "bitter"); /* an open vocabulary */
  g_assert_true (roast_table_writer_end (writer, NULL));
  g_assert_true (roast_table_writer_end (writer, NULL)); /* nothing but the source */

  reader = read_table (recording, "rows");
  g_assert_cmpuint (roast_table_reader_get_n_rows (reader), ==, 2);
  g_assert_true (roast_table_reader_next (reader));
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_SOURCE), ==, "s-1");
  g_assert_cmpint (roast_table_reader_get_int64 (reader, ROWS_I, 5), ==, G_MININT64);
  g_assert_cmpfloat (roast_table_reader_get_double (reader, ROWS_D), ==, -0.5);
  g_assert_cmpint (roast_table_reader_get_boolean (reader, ROWS_B), ==, TRUE);
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_S), ==, "text");
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_C), ==, "category");
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_COLOR), ==, "blue");
  g_assert_cmpint (roast_table_reader_get_word (reader, ROWS_COLOR), ==, 1);
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_TASTE), ==, "bitter");
  g_assert_cmpint (roast_table_reader_get_word (reader, ROWS_TASTE), ==, -1);

  g_assert_true (roast_table_reader_next (reader));
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_SOURCE), ==, "s-1");
  for (guint slot = ROWS_I; slot <= ROWS_TASTE; slot++)
    g_assert_false (roast_table_reader_has (reader, slot));
  g_assert_cmpint (roast_table_reader_get_int64 (reader, ROWS_I, 5), ==, 5);
  g_assert_true (isnan (roast_table_reader_get_double (reader, ROWS_D)));
  g_assert_null (roast_table_reader_get_string (reader, ROWS_S));
  g_assert_cmpint (roast_table_reader_get_word (reader, ROWS_COLOR), ==, -1);
  g_assert_null (roast_table_reader_dup_value (reader, ROWS_C));
  g_assert_false (roast_table_reader_next (reader));
  g_assert_false (roast_table_reader_next (reader) && FALSE);
}

/* What is not there is missing, never 0. */
static void
test_missing (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", NULL);
  g_autoptr (RoastTableReader) reader = NULL;

  roast_table_writer_set_double (writer, ROWS_D, NAN);
  roast_table_writer_set_count (writer, ROWS_I, -1);
  roast_table_writer_set_string (writer, ROWS_S, NULL);
  roast_table_writer_set_string (writer, ROWS_C, NULL);
  roast_table_writer_end (writer, NULL);
  /* The last value that is set counts, also if it is none. */
  roast_table_writer_set_double (writer, ROWS_D, 1);
  roast_table_writer_set_string (writer, ROWS_S, "a");
  roast_table_writer_set_string (writer, ROWS_C, "b");
  roast_table_writer_set_double (writer, ROWS_D, INFINITY);
  roast_table_writer_set_string (writer, ROWS_S, NULL);
  roast_table_writer_set_string (writer, ROWS_C, "c");
  roast_table_writer_end (writer, NULL);

  reader = read_table (recording, "rows");
  g_assert_true (roast_table_reader_next (reader));
  for (guint slot = ROWS_SOURCE; slot <= ROWS_TASTE; slot++)
    g_assert_false (roast_table_reader_has (reader, slot));
  g_assert_true (roast_table_reader_next (reader));
  g_assert_false (roast_table_reader_has (reader, ROWS_D));
  g_assert_false (roast_table_reader_has (reader, ROWS_S));
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_C), ==, "c");
}

static void
test_text (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", NULL);
  g_autoptr (RoastTableReader) reader = NULL;

  roast_table_writer_set_string (writer, ROWS_S, "\xff\xfe");
  roast_table_writer_set_string (writer, ROWS_C, "a\xc3");
  roast_table_writer_end (writer, NULL);
  roast_table_writer_set_string (writer, ROWS_S, "");
  roast_table_writer_set_text (writer, ROWS_C, "", 0);
  roast_table_writer_end (writer, NULL);

  reader = read_table (recording, "rows");
  roast_table_reader_next (reader);
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_S), ==, "\xef\xbf\xbd\xef\xbf\xbd");
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_C), ==, "a\xef\xbf\xbd");
  roast_table_reader_next (reader);
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_S), ==, "");
  g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_C), ==, "");
}

static void
test_variants (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", NULL);
  g_autoptr (RoastTableReader) reader = NULL;
  g_autoptr (GVariant) value = NULL;

  roast_table_writer_set_variant (writer, ROWS_I, g_variant_new_byte (7));
  roast_table_writer_set_variant (writer, ROWS_D, g_variant_new_uint64 (G_MAXUINT64));
  roast_table_writer_set_variant (writer, ROWS_B, g_variant_new_boolean (TRUE));
  roast_table_writer_set_variant (writer, ROWS_S, g_variant_new_string ("x"));
  g_assert_true (roast_table_writer_end (writer, NULL));
  roast_table_writer_set_variant (writer, ROWS_I, g_variant_new_uint64 (G_MAXUINT64));
  g_assert_false (roast_table_writer_end (writer, NULL));
  roast_table_writer_set_variant (writer, ROWS_S, g_variant_new_parsed ("[1, 2]"));
  g_assert_false (roast_table_writer_end (writer, NULL));

  reader = read_table (recording, "rows");
  g_assert_cmpuint (roast_table_reader_get_n_rows (reader), ==, 1);
  roast_table_reader_next (reader);
  g_assert_cmpint (roast_table_reader_get_int64 (reader, ROWS_I, 0), ==, 7);
  g_assert_cmpfloat (roast_table_reader_get_double (reader, ROWS_D), ==, 18446744073709551616.0);
  value = roast_table_reader_dup_value (reader, ROWS_S);
  g_assert_cmpstr (g_variant_get_string (value, NULL), ==, "x");
}

/* ---- what is refused ---- */

static void
test_wrong_type (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autofree char *source = roast_recording_add_source (recording, "fry", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", source);
  g_autoptr (RoastTableReader) coverage = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  roast_table_writer_set_int64 (writer, ROWS_S, 1);
  roast_table_writer_set_double (writer, ROWS_D, 1);
  g_assert_false (roast_table_writer_end (writer, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE);
  g_assert_cmpstr (error->message, ==, "column “s” of table “rows” cannot hold an integer (plugin fry)");
  /* The next row is a new one. */
  g_assert_true (roast_table_writer_end (writer, NULL));
  g_assert_cmpuint (count_events (recording, "refused-row", &message), ==, 1);
  g_assert_cmpstr (message, ==, error->message);

  /* Counted each time, reported once for each column. */
  for (guint i = 0; i < 10; i++)
    {
      roast_table_writer_set_int64 (writer, ROWS_S, 1);
      g_assert_false (roast_table_writer_end (writer, NULL));
    }
  roast_table_writer_set_double (writer, ROWS_I, 1);
  g_assert_false (roast_table_writer_end (writer, NULL));
  g_assert_cmpuint (count_events (recording, "refused-row", NULL), ==, 2);
  g_assert_cmpuint (roast_recording_get_n_refused (recording), ==, 12);
  /* The table lacks rows. */
  coverage = read_table (recording, ROAST_TABLE_COVERAGE);
  g_assert_true (roast_table_reader_next (coverage));
  g_assert_cmpstr (roast_table_reader_get_string (coverage, ROAST_COVERAGE_TABLE), ==, "rows");
  g_assert_false (roast_table_reader_has (coverage, ROAST_COVERAGE_COLUMN));
  g_assert_cmpint (roast_table_reader_get_word (coverage, ROAST_COVERAGE_STATE), ==, ROAST_COVERAGE_STATE_PARTIAL);
  g_assert_false (roast_table_reader_next (coverage));
}

static void
test_vocabulary (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", NULL);
  g_autoptr (GError) error = NULL;

  roast_table_writer_set_string (writer, ROWS_COLOR, "green");
  g_assert_false (roast_table_writer_end (writer, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message,
                            "“green”, which is not a word of the vocabulary “color”: write one of red"));
  roast_table_writer_set_word (writer, ROWS_COLOR, 2);
  g_assert_false (roast_table_writer_end (writer, NULL));
  roast_table_writer_set_word (writer, ROWS_C, 0);
  g_assert_false (roast_table_writer_end (writer, NULL));
  roast_table_writer_set_string (writer, ROWS_COLOR, "red");
  g_assert_true (roast_table_writer_end (writer, NULL));
}

static void
test_unknown (void)
{
  static const char *const misspelt[] = { "source", "colour", NULL };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autofree char *source = roast_recording_add_source (recording, "fry", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", source);
  g_autoptr (GError) error = NULL;

  g_assert_null (roast_recording_write_table (recording, "rows", source, misspelt, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN);
  g_assert_true (g_str_has_prefix (error->message,
                                   "table “rows” has no column “colour” (plugin fry); the columns are: source, "));
  g_assert_nonnull (strstr (error->message, "Did you mean color?"));
  g_clear_error (&error);
  g_assert_null (roast_recording_write_table (recording, "row", source, NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
  g_assert_nonnull (strstr (error->message, "Did you mean rows?"));
  g_clear_error (&error);
  g_assert_null (roast_recording_write_table (recording, "made", source, NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
  g_assert_nonnull (strstr (error->message, "derived table"));
  g_clear_error (&error);
  roast_table_writer_set_int64 (writer, 99, 1);
  g_assert_false (roast_table_writer_end (writer, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN);
  g_assert_cmpuint (count_events (recording, "refused-row", NULL), ==, 4);

  g_clear_error (&error);
  g_assert_null (roast_recording_read_table (recording, "rows", misspelt, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN);
  g_clear_error (&error);
  g_assert_null (roast_recording_read_table (recording, "row", NULL, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE);
}

static void
test_late (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autofree char *source = roast_recording_add_source (recording, "fry", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) rows = write_table (recording, "rows", source);
  g_autoptr (RoastTableWriter) things = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_table_writer_end (rows, NULL));
  roast_recording_finish (recording);
  g_assert_false (roast_table_writer_end (rows, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_LATE);
  g_assert_cmpstr (error->message, ==, "table “rows”: the row comes after the end of the recording (plugin fry)");
  g_clear_error (&error);
  things = write_table (recording, "things", source);
  roast_table_writer_set_string (things, THINGS_ID, "a");
  roast_table_writer_set_int64 (things, THINGS_N, 1);
  g_assert_false (roast_table_writer_end (things, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_LATE);
  g_assert_cmpuint (roast_recording_get_n_refused (recording), ==, 2);
  reader = read_table (recording, "rows");
  g_assert_cmpuint (roast_table_reader_get_n_rows (reader), ==, 1);
}

/* ---- entities ---- */

static gboolean
write_thing (RoastTableWriter *writer, const char *id, gint64 n, double value, gboolean close, GError **error)
{
  roast_table_writer_set_string (writer, THINGS_ID, id);
  roast_table_writer_set_int64 (writer, THINGS_N, n);
  roast_table_writer_set_double (writer, THINGS_VALUE, value);

  return close ? roast_table_writer_close (writer, error) : roast_table_writer_end (writer, error);
}

static double
get_value (RoastRecording *recording, guint64 row)
{
  g_autoptr (RoastTableReader) reader = read_table (recording, "things");

  g_assert_true (roast_table_reader_seek (reader, row));

  return roast_table_reader_get_double (reader, THINGS_VALUE);
}

static guint64
count_things (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) reader = read_table (recording, "things");

  return roast_table_reader_get_n_rows (reader);
}

static void
test_entities (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) one = write_table (recording, "things", "s-1");
  g_autoptr (RoastTableWriter) other = write_table (recording, "things", "s-2");
  g_autoptr (GError) error = NULL;

  g_assert_true (write_thing (one, "a", 1, NAN, FALSE, NULL));
  g_assert_true (write_thing (one, "a", 2, NAN, FALSE, NULL));
  g_assert_true (write_thing (other, "a", 1, NAN, FALSE, NULL));
  g_assert_cmpuint (count_things (recording), ==, 3);
  g_assert_true (write_thing (one, "a", 1, 5, FALSE, NULL));
  g_assert_cmpuint (count_things (recording), ==, 3);
  g_assert_cmpfloat (get_value (recording, 0), ==, 5);
  g_assert_true (isnan (get_value (recording, 2)));

  /* The first value stays; the other cells are set. */
  roast_table_writer_set_string (one, THINGS_NOTE, "new");
  g_assert_false (write_thing (one, "a", 1, 6, FALSE, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_CONFLICT);
  g_assert_cmpfloat (get_value (recording, 0), ==, 5);
  {
    g_autoptr (RoastTableReader) reader = read_table (recording, "things");

    roast_table_reader_next (reader);
    g_assert_cmpstr (roast_table_reader_get_string (reader, THINGS_NOTE), ==, "new");
  }
  g_clear_error (&error);
  roast_table_writer_set_int64 (one, THINGS_N, 1);
  g_assert_false (roast_table_writer_end (one, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_assert_nonnull (strstr (error->message, "“id”"));
}

static void
test_close (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "things", "s-1");
  g_autoptr (GError) error = NULL;
  guint64 row = 0;
  gsize memory = 0;

  g_assert_true (write_thing (writer, "a", 1, NAN, FALSE, NULL));
  row = roast_table_writer_get_row (writer);
  g_assert_cmpuint (row, !=, 0);
  roast_table_writer_select_row (writer, row);
  roast_table_writer_set_double (writer, THINGS_VALUE, 3);
  g_assert_true (roast_table_writer_close (writer, NULL));
  g_assert_cmpfloat (get_value (recording, 0), ==, 3);

  roast_table_writer_select_row (writer, row);
  roast_table_writer_set_string (writer, THINGS_NOTE, "late");
  g_assert_false (roast_table_writer_end (writer, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_CLOSED);
  g_assert_nonnull (strstr (error->message, "closed"));
  g_assert_cmpuint (roast_recording_get_n_refused (recording), ==, 1);

  /* A key is closed once, whether its row was open or not. */
  g_clear_error (&error);
  g_assert_false (write_thing (writer, "a", 1, 4, TRUE, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_CLOSED);
  g_assert_true (write_thing (writer, "c", 1, 4, TRUE, NULL));
  g_assert_false (write_thing (writer, "c", 1, NAN, FALSE, NULL));
  g_assert_false (write_thing (writer, "c", 1, NAN, TRUE, NULL));
  g_assert_cmpuint (count_things (recording), ==, 2);
  g_assert_cmpuint (roast_recording_get_n_refused (recording), ==, 4);

  /* Rows that are written whole take little place in the index. */
  memory = roast_recording_get_memory (recording, "things");
  for (gint64 i = 0; i < 64 * 100; i++)
    g_assert_true (write_thing (writer, "b", i, 1, TRUE, NULL));
  g_assert_cmpuint ((roast_recording_get_memory (recording, "things") - memory) / (64 * 100), <, 70);
}

/* Earlier versions recorded such rows, which an import keeps. */
static void
test_copies (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "things", NULL);

  for (guint i = 0; i < 2; i++)
    {
      roast_table_writer_set_string (writer, THINGS_SOURCE, "s-1");
      g_assert_true (write_thing (writer, "a", 1, 4, TRUE, NULL));
    }
  g_assert_cmpuint (count_things (recording), ==, 2);
}

/* A reader keeps what it has seen while cells are set. */
static void
test_copy_on_write (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "things", "s-1");
  g_autoptr (RoastTableReader) before = NULL;

  for (gint64 i = 0; i < 5000; i++)
    write_thing (writer, "a", i, NAN, FALSE, NULL);
  before = read_table (recording, "things");
  for (gint64 i = 0; i < 5000; i += 7)
    g_assert_true (write_thing (writer, "a", i, (double) i, TRUE, NULL));
  while (roast_table_reader_next (before))
    g_assert_false (roast_table_reader_has (before, THINGS_VALUE));
  for (gint64 i = 0; i < 5000; i += 7)
    g_assert_cmpfloat (get_value (recording, (guint64) i), ==, (double) i);
}

/* ---- threads ---- */

#define THREADS 4
#define ROWS_EACH 20000

typedef struct
{
  RoastRecording *recording;
  int number;
} ThreadData;

static gpointer
append_rows (gpointer user_data)
{
  ThreadData *data = user_data;
  g_autoptr (RoastTableWriter) writer = write_table (data->recording, "rows", "s");

  for (int i = 0; i < ROWS_EACH; i++)
    {
      g_autofree char *text = g_strdup_printf ("%d", i % 100);

      roast_table_writer_set_int64 (writer, ROWS_I, data->number * ROWS_EACH + i);
      roast_table_writer_set_string (writer, ROWS_C, text);
      roast_table_writer_set_string (writer, ROWS_S, text);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }

  return NULL;
}

static gpointer
merge_rows (gpointer user_data)
{
  ThreadData *data = user_data;
  g_autoptr (RoastTableWriter) writer = write_table (data->recording, "things", "s");

  for (int i = 0; i < ROWS_EACH / 10; i++)
    {
      if (data->number % 2 == 0)
        roast_table_writer_set_string (writer, THINGS_NOTE, "x");
      g_assert_true (write_thing (writer, "a", i, data->number % 2 != 0 ? i : NAN, FALSE, NULL));
    }

  return NULL;
}

static void
run_threads (RoastRecording *recording, GThreadFunc function)
{
  GThread *threads[THREADS];
  ThreadData data[THREADS];

  for (int i = 0; i < THREADS; i++)
    {
      data[i] = (ThreadData) { recording, i };
      threads[i] = g_thread_new ("writer", function, &data[i]);
    }
  /* Somebody reads meanwhile. */
  for (int i = 0; i < 50; i++)
    {
      g_autoptr (RoastTableReader) reader = read_table (recording, "rows");

      while (roast_table_reader_next (reader))
        g_assert_cmpint (atoi (roast_table_reader_get_string (reader, ROWS_C)), ==,
                         roast_table_reader_get_int64 (reader, ROWS_I, -1) % ROWS_EACH % 100);
    }
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
}

static void
test_threads (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) rows = NULL;
  g_autoptr (RoastTableReader) things = NULL;
  double sum = 0;

  run_threads (recording, append_rows);
  rows = read_table (recording, "rows");
  g_assert_cmpuint (roast_table_reader_get_n_rows (rows), ==, THREADS * ROWS_EACH);
  roast_table_reader_sum (rows, ROWS_I, &sum, NULL);
  g_assert_cmpfloat (sum, ==, (double) THREADS * ROWS_EACH * (THREADS * ROWS_EACH - 1) / 2);

  run_threads (recording, merge_rows);
  things = read_table (recording, "things");
  g_assert_cmpuint (roast_table_reader_get_n_rows (things), ==, ROWS_EACH / 10);
  while (roast_table_reader_next (things))
    {
      g_assert_cmpstr (roast_table_reader_get_string (things, THINGS_NOTE), ==, "x");
      g_assert_cmpfloat (roast_table_reader_get_double (things, THINGS_VALUE), ==,
                         roast_table_reader_get_double (things, THINGS_N));
    }
}

#define MANY 3000 /* texts */
#define ROUNDS 4

/* More texts in turn than a writer keeps at first. */
static void
test_many_texts (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = write_table (recording, "rows", NULL);
  g_autoptr (RoastTableReader) reader = NULL;
  guint row = 0;

  for (guint i = 0; i < ROUNDS * MANY; i++)
    {
      g_autofree char *text = g_strdup_printf ("worker %u", i % MANY);

      roast_table_writer_set_string (writer, ROWS_C, text);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
  reader = roast_recording_read_table (recording, "rows", NULL, NULL);
  while (roast_table_reader_next (reader))
    {
      g_autofree char *text = g_strdup_printf ("worker %u", row % MANY);

      g_assert_cmpint (roast_table_reader_get_code (reader, ROWS_C), ==, row % MANY);
      g_assert_cmpstr (roast_table_reader_get_string (reader, ROWS_C), ==, text);
      row++;
    }
  g_assert_cmpuint (row, ==, ROUNDS * MANY);
}

/* An impossible value is left out, once with an event and as a gap of its column; the other cells are kept. */
static void
test_impossible (void)
{
  const gint64 now = g_get_real_time ();
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) tasks = write_table (recording, ROAST_TABLE_TASKS, "s");
  g_autoptr (RoastTableWriter) chunks = write_table (recording, ROAST_TABLE_CHUNKS, "s");
  g_autoptr (RoastTableWriter) own = write_table (recording, "rows", "s");
  g_autoptr (RoastTableReader) rows = NULL;
  g_autoptr (RoastTableReader) others = NULL;
  g_autofree char *message = NULL;
  int n_rows = 0;

  for (guint i = 0; i < 2; i++)
    {
      roast_table_writer_set_string (tasks, ROAST_TASKS_TASK, i == 0 ? "a" : "b");
      roast_table_writer_set_int64 (tasks, ROAST_TASKS_ATTEMPT, 1);
      roast_table_writer_set_double (tasks, ROAST_TASKS_CPU, -5);
      roast_table_writer_set_int64 (tasks, ROAST_TASKS_MEMORY_PEAK, -1);
      roast_table_writer_set_int64 (tasks, ROAST_TASKS_STARTED, now);
      roast_table_writer_set_int64 (tasks, ROAST_TASKS_ENDED, i == 0 ? now - 1 : now + 370 * G_TIME_SPAN_DAY);
      roast_table_writer_set_variant (tasks, ROAST_TASKS_CORES, g_variant_new_double (i == 0 ? NAN : INFINITY));
      roast_table_writer_set_double (tasks, ROAST_TASKS_GPUS_USED, i == 0 ? NAN : -INFINITY);
      g_assert_true (roast_table_writer_close (tasks, NULL));
    }
  rows = read_table (recording, ROAST_TABLE_TASKS);
  while (roast_table_reader_next (rows))
    {
      g_assert_cmpint (roast_table_reader_get_int64 (rows, ROAST_TASKS_ATTEMPT, 0), ==, 1);
      g_assert_cmpint (roast_table_reader_has (rows, ROAST_TASKS_STARTED), ==, n_rows == 1);
      n_rows++;
      g_assert_false (roast_table_reader_has (rows, ROAST_TASKS_ENDED));
      g_assert_false (roast_table_reader_has (rows, ROAST_TASKS_CPU));
      g_assert_false (roast_table_reader_has (rows, ROAST_TASKS_CORES));
      g_assert_false (roast_table_reader_has (rows, ROAST_TASKS_MEMORY_PEAK));
      g_assert_false (roast_table_reader_has (rows, ROAST_TASKS_GPUS_USED));
    }
  g_assert_cmpuint (count_events (recording, "impossible-value", &message), ==, 6);
  g_assert_cmpstr (message, ==,
                   "column “gpus_used” of table “tasks”: the value cannot be infinite; roast leaves this value out "
                   "(plugin s)");
  g_assert_cmpuint (roast_recording_get_n_refused (recording), ==, 0);
  others = read_table (recording, ROAST_TABLE_COVERAGE);
  g_assert_cmpuint (roast_table_reader_get_n_rows (others), ==, 6);

  /* Changes may be negative, and columns of plugins. */
  roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_MEMORY, -1);
  roast_table_writer_end (chunks, NULL);
  roast_table_writer_set_double (own, ROWS_D, -1);
  roast_table_writer_end (own, NULL);
  g_assert_cmpuint (count_events (recording, "impossible-value", NULL), ==, 6);
}

/* Seconds are no microseconds. A run with times of its own may have any. */
static void
test_seconds (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = new_recording ();
      g_autoptr (RoastTableWriter) tasks = NULL;
      g_autoptr (RoastTableReader) rows = NULL;
      g_autofree char *message = NULL;

      roast_recording_set_times (recording, i == 0 ? g_get_real_time () : 0, -1);
      tasks = write_table (recording, ROAST_TABLE_TASKS, "s");
      roast_table_writer_set_string (tasks, ROAST_TASKS_TASK, "a");
      roast_table_writer_set_int64 (tasks, ROAST_TASKS_ATTEMPT, 1);
      roast_table_writer_set_int64 (tasks, ROAST_TASKS_STARTED, g_get_real_time () / G_USEC_PER_SEC);
      g_assert_true (roast_table_writer_close (tasks, NULL));
      rows = read_table (recording, ROAST_TABLE_TASKS);
      g_assert_true (roast_table_reader_next (rows));
      g_assert_cmpint (roast_table_reader_has (rows, ROAST_TASKS_STARTED), ==, i);
      g_assert_cmpuint (count_events (recording, "impossible-value", &message), ==, 1 - i);
      if (i == 0)
        g_assert_cmpstr (message, ==,
                         "column “started” of table “tasks”: a time cannot be before the year 2000 (times are "
                         "microseconds since 1970); roast leaves this value out (plugin s)");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/table-writer/types", test_types);
  g_test_add_func ("/table-writer/missing", test_missing);
  g_test_add_func ("/table-writer/text", test_text);
  g_test_add_func ("/table-writer/variants", test_variants);
  g_test_add_func ("/table-writer/wrong-type", test_wrong_type);
  g_test_add_func ("/table-writer/vocabulary", test_vocabulary);
  g_test_add_func ("/table-writer/unknown", test_unknown);
  g_test_add_func ("/table-writer/impossible", test_impossible);
  g_test_add_func ("/table-writer/seconds", test_seconds);
  g_test_add_func ("/table-writer/late", test_late);
  g_test_add_func ("/table-writer/entities", test_entities);
  g_test_add_func ("/table-writer/close", test_close);
  g_test_add_func ("/table-writer/copies", test_copies);
  g_test_add_func ("/table-writer/copy-on-write", test_copy_on_write);
  g_test_add_func ("/table-writer/threads", test_threads);
  g_test_add_func ("/table-writer/many-texts", test_many_texts);

  return g_test_run ();
}
