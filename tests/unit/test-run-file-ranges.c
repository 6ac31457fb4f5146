/* SPDX-License-Identifier: BSD-3-Clause */

/* A reader that wants some cells only leaves out blocks of a run file, and no row with such a cell. */

#include <roast/roast.h>

#include <math.h>

#include "run-file-fixture.h"

#define ROWS 40000
#define WORDS 40

static const char schema_text[] =
    "[table cells]\nKind=log\nDescription=cells\n"
    "[columns cells]\nsource=category: where from\nt=int64 us: rises\n"
    "i=int64: large\nd=double: falls and rises\nb=boolean: flips once\nc=category: changes now and then\n"
    "m=double: missing at first\n";

enum
{
  T,
  I,
  D,
  B,
  C,
  M,
  N_SLOTS
};

static const char *const columns[] = { "t", "i", "d", "b", "c", "m", NULL };

static void
set_word (RoastTableWriter *writer, guint word)
{
  g_autofree char *text = g_strdup_printf ("word %u", word);

  roast_table_writer_set_string (writer, C, text);
}

static RoastRecording *
record (void)
{
  RoastRecording *recording = new_recording_of (schema_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "cells", "src", columns, &error);

  g_assert_no_error (error);
  for (guint row = 0; row < ROWS; row++)
    {
      roast_table_writer_set_int64 (writer, T, row);
      /* Beyond 2^53, where a double has no room for each integer. */
      roast_table_writer_set_int64 (writer, I, (G_GINT64_CONSTANT (1) << 62) - row);
      if (row % 3 != 0)
        roast_table_writer_set_double (writer, D, fabs (row % 20000 - 10000.0) / 100);
      roast_table_writer_set_boolean (writer, B, row > ROWS / 2);
      set_word (writer, row * WORDS / ROWS);
      if (row > ROWS - 3000)
        roast_table_writer_set_double (writer, M, row);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }

  return recording;
}

static double
cell_of (RoastTableReader *reader, guint slot)
{
  if (slot == C)
    return roast_table_reader_get_code (reader, slot);

  return roast_table_reader_get_double (reader, slot);
}

/* The sum of the numbers of rows whose cell is within the range, and how many rows were visited. */
static guint64
add_up (RoastTableReader *reader, guint slot, double min, double max, guint *n_visited)
{
  guint64 sum = 0;

  *n_visited = 0;
  while (roast_table_reader_next (reader))
    {
      double cell = cell_of (reader, slot);

      if (cell >= min && cell <= max)
        sum += roast_table_reader_get_row (reader) + 1;
      (*n_visited)++;
    }

  return sum;
}

/* Returns how many rows are visited. */
static guint
check_range (RoastTableReader *reader, guint slot, double min, double max)
{
  guint n_all = 0;
  guint n_visited = 0;
  guint64 expected = 0;

  roast_table_reader_skip_outside (reader, slot, -INFINITY, INFINITY);
  expected = add_up (reader, slot, min, max, &n_all);
  g_assert_cmpuint (n_all, ==, ROWS);
  roast_table_reader_skip_outside (reader, slot, min, max);
  g_assert_cmpuint (add_up (reader, slot, min, max, &n_visited), ==, expected);
  roast_table_reader_skip_outside (reader, slot, -INFINITY, INFINITY);

  return n_visited;
}

/* The rows of the blocks that have some of these. */
static guint
count_rows (RoastTableReader *reader, guint first, guint last)
{
  guint begin = 0;
  guint n_rows = 0;

  roast_table_reader_rewind (reader);
  while (roast_table_reader_next_block (reader))
    {
      guint end = begin + roast_table_reader_get_block_n_rows (reader);

      if (first < end && last >= begin)
        n_rows += end - begin;
      begin = end;
    }
  g_assert_cmpuint (begin, ==, ROWS);
  roast_table_reader_rewind (reader);

  return n_rows;
}

static void
check_random_ranges (RoastTableReader *reader)
{
  static const double scale[N_SLOTS] = { ROWS, ROWS, 110, 2, WORDS, ROWS };

  for (guint i = 0; i < 60; i++)
    {
      guint slot = i % N_SLOTS;
      double base = slot == I ? 4611686018427387904.0 - ROWS : -1;
      double min = base + g_test_rand_double_range (0, 1.2 * scale[slot]);

      check_range (reader, slot, min, min + g_test_rand_double_range (0, scale[slot] / 4));
    }
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = record ();
  g_autoptr (RoastRecording) again = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_create (fixture->path, &error);

  g_assert_no_error (error);
  roast_run_file_attach (file, recording);
  g_assert_true (roast_run_file_close (file, &error));
  again = roast_recording_open (fixture->path, &error);
  g_assert_no_error (error);
  reader = roast_recording_read_table (again, "cells", columns, &error);
  g_assert_no_error (error);

  for (guint i = 0; i < 20; i++)
    {
      guint first = (guint) g_test_rand_int_range (0, ROWS);
      guint last = first + (guint) g_test_rand_int_range (0, 200);

      g_assert_cmpuint (check_range (reader, T, first, last), ==, count_rows (reader, first, last));
    }
  g_assert_cmpuint (check_range (reader, C, 1, 1), ==, count_rows (reader, ROWS / WORDS, 2 * ROWS / WORDS - 1));
  g_assert_cmpuint (check_range (reader, M, 0, ROWS), ==, count_rows (reader, ROWS - 2999, ROWS));
  g_assert_cmpuint (check_range (reader, D, 101, 200), ==, 0);
  g_assert_cmpuint (check_range (reader, B, 2, 3), ==, 0);
  g_assert_cmpuint (check_range (reader, T, -5, -1), ==, 0);
  g_assert_cmpuint (check_range (reader, C, -2, -2), ==, 0);
  check_random_ranges (reader);
}

/* The rows of the last chunk of a recording that grows. */
static guint
n_in_memory (RoastTableReader *reader)
{
  guint n_visited = 0;

  roast_table_reader_skip_outside (reader, T, -2, -1);
  add_up (reader, T, 0, ROWS, &n_visited);
  g_assert_cmpuint (n_visited, <, ROWS / 2);
  roast_table_reader_skip_outside (reader, T, 0, ROWS / 2);

  return n_visited;
}

/* Two ranges leave out what each of them does; a row is found whatever the ranges are. */
static void
test_several (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = record ();
  g_autoptr (RoastRunFile) file = roast_run_file_create (fixture->path, NULL);
  g_autoptr (RoastTableReader) reader = NULL;
  guint n_visited = 0;

  roast_run_file_attach (file, recording);
  g_assert_true (roast_run_file_flush (file, NULL));
  reader = roast_recording_read_table (recording, "cells", columns, NULL);
  g_assert_nonnull (reader);
  roast_table_reader_skip_outside (reader, T, 0, ROWS / 2);
  roast_table_reader_skip_outside (reader, C, WORDS - 2, WORDS);
  add_up (reader, T, 0, ROWS, &n_visited);
  g_assert_cmpuint (n_visited, ==, n_in_memory (reader));
  g_assert_true (roast_table_reader_seek (reader, 5));
  g_assert_cmpint (roast_table_reader_get_int64 (reader, T, -1), ==, 5);
  roast_table_reader_rewind (reader);
  roast_table_reader_skip_outside (reader, C, 0, 0);
  add_up (reader, T, 0, ROWS, &n_visited);
  g_assert_cmpuint (n_visited, <, ROWS / 2);
  g_assert_cmpuint (n_visited, >=, ROWS / WORDS);
  g_assert_true (roast_run_file_close (file, NULL));
}

/* Rows in memory have no ranges: all are visited. */
static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = record ();
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, "cells", columns, NULL);

  g_assert_nonnull (reader);
  g_assert_cmpuint (check_range (reader, T, 5, 5), ==, ROWS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/run-file-ranges/file", Fixture, NULL, set_up, test_file, tear_down);
  g_test_add ("/run-file-ranges/several", Fixture, NULL, set_up, test_several, tear_down);
  g_test_add_func ("/run-file-ranges/memory", test_memory);

  return g_test_run ();
}
