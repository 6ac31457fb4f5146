/* SPDX-License-Identifier: BSD-3-Clause */

/* What was written is read, row by row, block by block and in groups. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

static const char schema_text[] = "[table rows]\nDescription=A row\n[columns rows]\nsource=category: source\n"
                                  "i=int64: integer\nd=double: real\nb=boolean: boolean\ns=string: text\n"
                                  "c=category of status: category\n";

enum
{
  SOURCE,
  I,
  D,
  B,
  S,
  C
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

/* Every cell of a row follows from its number; some are missing. */
static gboolean
is_there (guint64 row, guint slot)
{
  return (row * 2654435761u >> slot) % 5 != 0;
}

static void
fill (RoastRecording *recording, guint64 n_rows)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "rows", "src", NULL, NULL);

  for (guint64 row = 0; row < n_rows; row++)
    {
      g_autofree char *text = g_strdup_printf ("text %" G_GUINT64_FORMAT, row);

      if (is_there (row, I))
        roast_table_writer_set_int64 (writer, I, (gint64) row * 3);
      if (is_there (row, D))
        roast_table_writer_set_double (writer, D, (double) row / 4);
      if (is_there (row, B))
        roast_table_writer_set_boolean (writer, B, row % 3 == 0);
      if (is_there (row, S))
        roast_table_writer_set_string (writer, S, text);
      if (is_there (row, C))
        roast_table_writer_set_word (writer, C, row % 4);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static RoastTableReader *
read_rows (RoastRecording *recording)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_recording_read_table (recording, "rows", NULL, &error);

  g_assert_no_error (error);

  return reader;
}

static void
assert_row (RoastTableReader *reader, guint64 row)
{
  g_autofree char *text = g_strdup_printf ("text %" G_GUINT64_FORMAT, row);

  g_assert_cmpuint (roast_table_reader_get_row (reader), ==, row);
  for (guint slot = I; slot <= C; slot++)
    g_assert_cmpint (roast_table_reader_has (reader, slot), ==, is_there (row, slot));
  g_assert_cmpint (roast_table_reader_get_int64 (reader, I, -1), ==, is_there (row, I) ? (gint64) row * 3 : -1);
  if (is_there (row, D))
    g_assert_cmpfloat (roast_table_reader_get_double (reader, D), ==, (double) row / 4);
  else
    g_assert_true (isnan (roast_table_reader_get_double (reader, D)));
  g_assert_cmpint (roast_table_reader_get_boolean (reader, B), ==, is_there (row, B) && row % 3 == 0);
  g_assert_cmpstr (roast_table_reader_get_string (reader, S), ==, is_there (row, S) ? text : NULL);
  g_assert_cmpint (roast_table_reader_get_word (reader, C), ==, is_there (row, C) ? (int) (row % 4) : -1);
  g_assert_cmpstr (roast_table_reader_get_string (reader, C), ==,
                   is_there (row, C) ? roast_status_words[row % 4] : NULL);
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastTableReader) reader = roast_recording_snapshot_read_table (snapshot, "rows", NULL, NULL);
  double sum = 1, max = 1;

  g_assert_nonnull (reader);
  g_assert_cmpuint (roast_table_reader_get_n_rows (reader), ==, 0);
  g_assert_cmpuint (roast_table_reader_get_n_columns (reader), ==, 6);
  g_assert_false (roast_table_reader_next (reader));
  g_assert_false (roast_table_reader_next_block (reader));
  g_assert_false (roast_table_reader_seek (reader, 0));
  g_assert_false (roast_table_reader_has (reader, I));
  g_assert_cmpuint (roast_table_reader_sum (reader, D, &sum, &max), ==, 0);
  g_assert_cmpfloat (sum, ==, 0);
  g_assert_true (isnan (max));
}

static void
test_rows (void)
{
  static const guint64 sizes[] = { 1, 63, 64, 65, 4095, 4096, 4097, 20000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (RoastRecording) recording = new_recording ();
      g_autoptr (RoastTableReader) reader = NULL;
      guint64 row = 0;

      fill (recording, sizes[i]);
      reader = read_rows (recording);
      for (; roast_table_reader_next (reader); row++)
        assert_row (reader, row);
      g_assert_cmpuint (row, ==, sizes[i]);
      roast_table_reader_rewind (reader);
      g_assert_true (roast_table_reader_next (reader));
      assert_row (reader, 0);
      /* Anywhere, and on from there. */
      for (guint64 n = 0; n < 50; n++)
        {
          guint64 to = n * 7919 % sizes[i];

          g_assert_true (roast_table_reader_seek (reader, to));
          assert_row (reader, to);
          if (roast_table_reader_next (reader))
            assert_row (reader, to + 1);
        }
      g_assert_false (roast_table_reader_seek (reader, sizes[i]));
    }
}

/* A reader sees the table as it was. */
static void
test_unchanged (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) reader = NULL;
  guint64 row = 0;

  fill (recording, 100);
  reader = read_rows (recording);
  fill (recording, 10000);
  g_clear_object (&recording);
  for (; roast_table_reader_next (reader); row++)
    assert_row (reader, row);
  g_assert_cmpuint (row, ==, 100);
}

static void
test_binding (void)
{
  static const char *const columns[] = { "d", "c", "d", NULL };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) reader = NULL;

  fill (recording, 10);
  reader = roast_recording_read_table (recording, "rows", columns, NULL);
  g_assert_cmpuint (roast_table_reader_get_n_columns (reader), ==, 3);
  g_assert_cmpstr (roast_column_get_name (roast_table_reader_get_column (reader, 1)), ==, "c");
  do
    g_assert_true (roast_table_reader_next (reader));
  while (!roast_table_reader_has (reader, 0));
  g_assert_cmpfloat (roast_table_reader_get_double (reader, 0), ==, roast_table_reader_get_double (reader, 2));
  g_assert_cmpstr (roast_vocabulary_get_name (roast_column_get_vocabulary (roast_table_reader_get_column (reader, 1))),
                   ==, "status");
}

static void
test_blocks (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) reader = NULL;
  g_auto (GStrv) dictionary = NULL;
  guint64 row = 0;

  fill (recording, 10000);
  reader = read_rows (recording);
  while (roast_table_reader_next_block (reader))
    {
      guint n_rows = roast_table_reader_get_block_n_rows (reader);
      g_autoptr (GBytes) doubles = roast_table_reader_dup_block_data (reader, D);
      const double *cells = g_bytes_get_data (doubles, NULL);
      g_autoptr (GBytes) numbers = roast_table_reader_dup_block_data (reader, I);
      const gint64 *integers = g_bytes_get_data (numbers, NULL);
      g_autoptr (GBytes) texts = roast_table_reader_dup_block_data (reader, S);
      g_autoptr (GBytes) offsets = roast_table_reader_dup_block_offsets (reader, S);
      g_autoptr (GBytes) bits = roast_table_reader_dup_block_validity (reader, D);

      for (guint i = 0; i < n_rows; i++, row++)
        {
          const char *text =
              (const char *) g_bytes_get_data (texts, NULL) + ((const gint64 *) g_bytes_get_data (offsets, NULL))[i];

          g_assert_cmpint (((const guint8 *) g_bytes_get_data (bits, NULL))[i / 8] >> (i % 8) & 1, ==,
                           is_there (row, D));
          if (is_there (row, D))
            g_assert_cmpfloat (cells[i], ==, (double) row / 4);
          else
            g_assert_true (isnan (cells[i]));
          g_assert_cmpint (integers[i], ==, is_there (row, I) ? (gint64) row * 3 : 0);
          g_assert_true (is_there (row, S) ? g_str_has_prefix (text, "text ") : *text == '\0');
        }
    }
  g_assert_cmpuint (row, ==, 10000);
  dictionary = roast_table_reader_dup_dictionary (reader, C);
  g_assert_cmpuint (g_strv_length (dictionary), ==, 4);
  g_assert_null (roast_table_reader_dup_dictionary (reader, S));
}

static void
test_sum (void)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableWriter) writer = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  double sum = 0, max = 0, expected = 0;
  guint64 n = 0;

  fill (recording, 9999);
  reader = read_rows (recording);
  for (guint64 row = 0; row < 9999; row++)
    if (is_there (row, D))
      {
        expected += (double) row / 4;
        n++;
      }
  g_assert_cmpuint (roast_table_reader_sum (reader, D, &sum, &max), ==, n);
  g_assert_cmpfloat (sum, ==, expected);
  g_assert_cmpfloat (roast_table_reader_sum (reader, I, &sum, NULL), >, 7000);
  g_assert_true (roast_table_reader_next (reader));
  assert_row (reader, 0);

  /* Rounding errors do not add up: 1 + 1e-16, ten thousand times, in an order that is bad for a plain sum. */
  g_clear_object (&recording);
  recording = new_recording ();
  writer = roast_recording_write_table (recording, "rows", NULL, NULL, NULL);
  roast_table_writer_set_double (writer, D, 1);
  roast_table_writer_end (writer, NULL);
  for (guint i = 0; i < 10000; i++)
    {
      roast_table_writer_set_double (writer, D, 1e-16);
      roast_table_writer_end (writer, NULL);
    }
  g_clear_object (&reader);
  reader = read_rows (recording);
  roast_table_reader_sum (reader, D, &sum, &max);
  g_assert_cmpfloat_with_epsilon (sum, 1 + 1e-12, 3e-16);
  g_assert_cmpfloat (max, ==, 1);
}

static void
test_groups (void)
{
  static const guint by_word[] = { C };
  static const guint by_both[] = { C, B };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) reader = NULL;
  guint counts[64] = { 0 };
  guint n = 0;

  fill (recording, 1000);
  reader = read_rows (recording);
  roast_table_reader_group_by (reader, by_word, 1);
  while (roast_table_reader_next (reader))
    {
      guint group = roast_table_reader_get_group (reader);

      /* In the order in which they appear. */
      g_assert_cmpuint (group, <=, n);
      n = MAX (n, group + 1);
      counts[group]++;
      g_assert_cmpuint (group, ==, roast_table_reader_get_group (reader));
    }
  g_assert_cmpuint (n, ==, 5); /* four words, and missing */
  g_assert_cmpuint (counts[0] + counts[1] + counts[2] + counts[3] + counts[4], ==, 1000);

  roast_table_reader_rewind (reader);
  roast_table_reader_group_by (reader, by_both, 2);
  for (n = 0; roast_table_reader_next (reader);)
    n = MAX (n, roast_table_reader_get_group (reader) + 1);
  g_assert_cmpuint (n, ==, 15);
}

/* Cumulative tables: the last row of each key. */
static void
test_last_per (void)
{
  static const guint by_word[] = { C };
  static const guint by_text[] = { S };
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastTableReader) reader = NULL;
  guint64 last[5] = { 0 };
  guint64 before = 0;
  guint n = 0;

  fill (recording, 5000);
  for (guint64 row = 0; row < 5000; row++)
    last[is_there (row, C) ? row % 4 : 4] = row;
  reader = read_rows (recording);
  roast_table_reader_last_per (reader, by_word, 1);
  for (; roast_table_reader_next (reader); n++)
    {
      guint64 row = roast_table_reader_get_row (reader);

      assert_row (reader, row);
      g_assert_cmpuint (last[is_there (row, C) ? row % 4 : 4], ==, row);
      g_assert_true (n == 0 || row > before);
      before = row;
    }
  g_assert_cmpuint (n, ==, 5);
  roast_table_reader_rewind (reader);
  g_assert_true (roast_table_reader_next (reader));

  /* Each text is there once; all rows without are one key. */
  roast_table_reader_last_per (reader, by_text, 1);
  for (n = 0; roast_table_reader_next (reader); n++)
    ;
  before = 1;
  for (guint64 row = 0; row < 5000; row++)
    before += is_there (row, S) ? 1 : 0;
  g_assert_cmpuint (n, ==, before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/table-reader/empty", test_empty);
  g_test_add_func ("/table-reader/rows", test_rows);
  g_test_add_func ("/table-reader/unchanged", test_unchanged);
  g_test_add_func ("/table-reader/binding", test_binding);
  g_test_add_func ("/table-reader/blocks", test_blocks);
  g_test_add_func ("/table-reader/sum", test_sum);
  g_test_add_func ("/table-reader/groups", test_groups);
  g_test_add_func ("/table-reader/last-per", test_last_per);

  return g_test_run ();
}
