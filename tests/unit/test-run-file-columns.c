/* SPDX-License-Identifier: BSD-3-Clause */

/* A reader of a run file loads only the columns that it is asked for: a damaged one is noticed by those that need it,
 * and takes no other with it. */

#include <roast/roast.h>

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "run-file-fixture.h"

#define ROWS 10000 /* several blocks */

static const char schema_text[] = "[table cells]\nKind=log\nDescription=cells\n"
                                  "[columns cells]\nsource=category: where from\nt=int64 us: rises\n"
                                  "d=double: halves\nc=category: one of three\ns=string: the row\n";

enum
{
  D,
  T,
  C,
  S,
};

static const char *const columns[] = { "d", "t", "c", "s", NULL };
static const char *const words[] = { "zero", "one", "two" };

static void
write_file (const char *path)
{
  g_autoptr (RoastRecording) recording = new_recording_of (schema_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "cells", "src", columns, &error);

  g_assert_no_error (error);
  roast_run_file_attach (file, recording);
  for (guint row = 0; row < ROWS; row++)
    {
      g_autofree char *text = g_strdup_printf ("row %u", row);

      roast_table_writer_set_int64 (writer, T, row);
      roast_table_writer_set_double (writer, D, row / 2.0);
      roast_table_writer_set_string (writer, C, words[row % 3]);
      roast_table_writer_set_string (writer, S, text);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
}

static void
run_sql (const char *path, const char *format, const char *argument)
{
  sqlite3 *db = NULL;
  char *sql = sqlite3_mprintf (format, argument);

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_free (sql);
  sqlite3_close (db);
}

/* All blocks of a column, in a copy: pages that another program has written have no checksums. */
static char *
make_damaged_copy (const char *path, const char *column)
{
  char *copy = g_strconcat (path, ".copy", NULL);

  run_sql (path, "VACUUM INTO %Q", copy);
  run_sql (copy, "UPDATE block SET data = x'00' WHERE \"column\" = (SELECT \"column\" FROM columns WHERE name = %Q)",
           column);

  return copy;
}

static RoastRunFile *
open_file (const char *path, RoastRecording **recording)
{
  g_autoptr (GError) error = NULL;
  RoastRunFile *file = roast_run_file_open (path, &error);

  g_assert_no_error (error);
  *recording = roast_run_file_read (file, &error);
  g_assert_no_error (error);

  return file;
}

static RoastTableReader *
read_cells (RoastRecording *recording)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_recording_read_table (recording, "cells", columns, &error);

  g_assert_no_error (error);

  return reader;
}

static void
assert_others (RoastTableReader *reader, guint row)
{
  g_autofree char *text = g_strdup_printf ("row %u", row);

  g_assert_cmpint (roast_table_reader_get_int64 (reader, T, -1), ==, row);
  g_assert_cmpstr (roast_table_reader_get_string (reader, C), ==, words[row % 3]);
  g_assert_cmpstr (roast_table_reader_get_string (reader, S), ==, text);
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  g_autofree char *copy = NULL;
  g_autofree char *problem = NULL;
  guint row = 0;

  write_file (fixture->path);
  copy = make_damaged_copy (fixture->path, "d");
  file = open_file (copy, &recording);
  problem = roast_run_file_dup_problem (file);
  g_assert_nonnull (problem);
  g_assert_nonnull (strstr (problem, "“d”"));
  reader = read_cells (recording);
  while (roast_table_reader_next (reader))
    assert_others (reader, row++);
  g_assert_cmpuint (row, ==, ROWS);
  /* Now it is loaded first, and from the second block on together with the others. */
  for (row = 0; roast_table_reader_next (reader); row++)
    {
      g_assert_true (isnan (roast_table_reader_get_double (reader, D)));
      assert_others (reader, row);
    }
  g_assert_cmpuint (row, ==, ROWS);
}

/* Opens a copy without checksums of pages in which something was changed: only the numbers of that table are
 * incomplete, and the problem says why. */
static void
assert_noticed (Fixture *fixture, const char *sql, const char *part)
{
  g_autofree char *copy = g_strconcat (fixture->path, ".copy", NULL);
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (GVariant) metadata = NULL;
  g_autoptr (GVariant) gaps = NULL;
  g_autofree char *problem = NULL;
  const char *reason = NULL;

  run_sql (fixture->path, "VACUUM INTO %Q", copy);
  run_sql (copy, sql, NULL);
  file = open_file (copy, &recording);
  problem = roast_run_file_dup_problem (file);
  g_assert_nonnull (problem);
  if (strstr (problem, part) == NULL)
    g_error ("“%s” does not contain “%s” after %s", problem, part, sql);
  metadata = roast_recording_dup_metadata (recording);
  gaps = g_variant_lookup_value (metadata, "incomplete", G_VARIANT_TYPE_VARDICT);
  g_assert_nonnull (gaps);
  g_assert_cmpuint (g_variant_n_children (gaps), ==, 1);
  g_assert_true (g_variant_lookup (gaps, "cells", "&s", &reason));
  g_assert_cmpstr (reason, ==, "rows may be missing, because the run file is damaged");
  g_assert_no_errno (g_unlink (copy));
}

#define OF_CELLS "\"table\" = (SELECT id FROM tables WHERE name = 'cells')"
#define SECOND "(SELECT min (seq) FROM block WHERE seq > 0 AND " OF_CELLS ")"

static void
test_noticed (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->path);
  assert_noticed (fixture, "UPDATE block SET data = x'00' WHERE \"column\" = 2 AND " OF_CELLS, "“d” of table “cells”");
  assert_noticed (fixture, "UPDATE block SET encoding = 'xor' WHERE \"column\" = 1 AND " OF_CELLS,
                  "“t” of table “cells”");
  /* Keys and counts, of one column */
  assert_noticed (fixture, "UPDATE block SET n = n - 1 WHERE seq = 0 AND \"column\" = 3 AND " OF_CELLS,
                  "or inconsistent");
  assert_noticed (fixture, "UPDATE block SET seq = seq + 1 WHERE seq = 0 AND \"column\" = 3 AND " OF_CELLS,
                  "or inconsistent");
  assert_noticed (fixture, "DELETE FROM block WHERE seq = 0 AND \"column\" = 0 AND " OF_CELLS, "or inconsistent");
  /* and of all: in the middle of a sequence, and at its end. */
  assert_noticed (fixture, "DELETE FROM block WHERE seq = " SECOND " AND " OF_CELLS,
                  "rows are missing between other rows");
  assert_noticed (fixture,
                  "DELETE FROM block WHERE seq = (SELECT max (seq) FROM block WHERE " OF_CELLS ") AND " OF_CELLS,
                  "of 10000 rows can be read");
}

/* By blocks, and in any order of rows. */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  guint row = 0;

  write_file (fixture->path);
  file = open_file (fixture->path, &recording);
  reader = read_cells (recording);
  while (roast_table_reader_next_block (reader))
    {
      guint n = roast_table_reader_get_block_n_rows (reader);
      g_autoptr (GBytes) bytes = roast_table_reader_dup_block_data (reader, D);
      const double *cells = g_bytes_get_data (bytes, NULL);

      for (guint i = 0; i < n; i++)
        g_assert_cmpfloat (cells[i], ==, row++ / 2.0);
    }
  g_assert_cmpuint (row, ==, ROWS);
  for (guint i = 0; i < 200; i++)
    {
      row = i * 7919 % ROWS;
      g_assert_true (roast_table_reader_seek (reader, row));
      assert_others (reader, row);
      g_assert_cmpfloat (roast_table_reader_get_double (reader, D), ==, row / 2.0);
    }
}

/* A newer version may declare metrics, charts, keys and groups that this one does not know. */
static void
test_newer_schema (Fixture *fixture, gconstpointer data)
{
  static const char added[] = "Colour=red\n[theme dark]\nColour=black\n"
                              "[metric rows]\nDescription=d\nValue=count (over cells)\nColour=red\n"
                              "[metric waves]\nDescription=d\nValue=wavelet (d over cells)\n"
                              "[chart waves]\nTitle=T\nDescription=d\nTable=cells\nKind=hologram\n";
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  g_autofree char *copy = g_strconcat (fixture->path, ".copy", NULL);
  RoastSchema *schema = NULL;

  write_file (fixture->path);
  run_sql (fixture->path, "VACUUM INTO %Q", copy);
  run_sql (copy,
           "UPDATE schema SET text = replace (text, '[columns cells]', %Q || '[columns cells]') "
           "WHERE text LIKE '%%[columns cells]%%'",
           added);
  file = open_file (copy, &recording);
  schema = roast_recording_get_schema (recording);
  g_assert_nonnull (roast_schema_lookup_metric (schema, "rows", NULL));
  g_assert_null (roast_schema_lookup_metric (schema, "waves", NULL));
  g_assert_null (roast_schema_get_chart (schema, "waves"));
  reader = read_cells (recording);
  for (guint row = 0; row < ROWS; row++)
    {
      g_assert_true (roast_table_reader_next (reader));
      assert_others (reader, row);
    }
}

#define ADD(name, test) g_test_add ("/run-file-columns/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("damaged", test_damaged);
  ADD ("noticed", test_noticed);
  ADD ("places", test_places);
  ADD ("newer-schema", test_newer_schema);

  return g_test_run ();
}
