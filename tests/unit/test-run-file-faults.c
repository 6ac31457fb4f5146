/* SPDX-License-Identifier: BSD-3-Clause */

/* Run files that cannot grow, and files that are damaged, of a newer version, or of other programs. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run-file-fixture.h"

static const char schema_text[] = "[table cells]\nDescription=A row\n[columns cells]\nsource=category: source\n"
                                  "time=int64 us: time\nvalue=double: value\ntext=string: text\n"
                                  "[table few]\nDescription=A row\n[columns few]\nsource=category: source\n"
                                  "number=int64: number\n";

static RoastRecording *
new_recording (void)
{
  return new_recording_of (schema_text);
}

/* The number of a row is its time in seconds; its values cannot be compressed. */
static double
value_of (guint64 row)
{
  return (double) (row * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 11) / 9007199254740992.0;
}

static void
fill (RoastRecording *recording, guint64 first, guint64 n_rows)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "cells", "src", NULL, NULL);

  for (guint64 row = first; row < first + n_rows; row++)
    {
      roast_table_writer_set_int64 (writer, 1, (gint64) row * G_USEC_PER_SEC);
      roast_table_writer_set_double (writer, 2, value_of (row));
      roast_table_writer_set_string (writer, 3, row % 2 == 0 ? "even" : "odd");
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static void
write_few (RoastRecording *recording, gint64 number)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "few", "src", NULL, NULL);

  roast_table_writer_set_int64 (writer, 1, number);
  g_assert_true (roast_table_writer_end (writer, NULL));
}

static guint64
count (RoastRecording *recording, const char *table)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, NULL);

  return roast_table_reader_get_n_rows (reader);
}

/* The rows are those of `fill`; returns how many there are. With @gaps some may be left out. */
static guint64
check (RoastRecording *recording, gboolean gaps)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, "cells", NULL, NULL);
  guint64 n = 0;

  for (; roast_table_reader_next (reader); n++)
    {
      guint64 row = (guint64) roast_table_reader_get_int64 (reader, 1, -1) / G_USEC_PER_SEC;

      g_assert_true (gaps || row == n);
      g_assert_cmpfloat (roast_table_reader_get_double (reader, 2), ==, value_of (row));
      g_assert_cmpstr (roast_table_reader_get_string (reader, 3), ==, row % 2 == 0 ? "even" : "odd");
    }

  return n;
}

static gboolean
has_event (RoastRecording *recording, const char *part)
{
  g_autoptr (RoastTableReader) reader =
      roast_recording_read_table (recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);

  while (roast_table_reader_next (reader))
    if (g_strcmp0 (roast_table_reader_get_string (reader, ROAST_EVENTS_KIND), "run-file") == 0 &&
        strstr (roast_table_reader_get_string (reader, ROAST_EVENTS_MESSAGE), part) != NULL)
      return TRUE;

  return FALSE;
}

static RoastRunFile *
create (const char *path, RoastRecording *recording)
{
  g_autoptr (GError) error = NULL;
  RoastRunFile *file = roast_run_file_create (path, &error);

  g_assert_no_error (error);
  roast_run_file_attach (file, recording);

  return file;
}

/* ---- a file that cannot grow ---- */

static void
limit_files (rlim_t size)
{
  struct rlimit limit;

  g_assert_no_errno (getrlimit (RLIMIT_FSIZE, &limit));
  limit.rlim_cur = size;
  g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &limit));
}

/* Why rows of a table are missing, which makes the numbers that follow from them incomplete; NULL if none are. */
static char *
dup_gap (RoastRecording *recording, const char *table)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);
  g_autoptr (GVariant) gaps = g_variant_lookup_value (metadata, "incomplete", G_VARIANT_TYPE_VARDICT);
  char *reason = NULL;

  if (gaps != NULL)
    g_variant_lookup (gaps, table, "s", &reason);

  return reason;
}

static void
check_gap (RoastRecording *recording, const char *table, const char *reason)
{
  g_autofree char *found = dup_gap (recording, table);

  g_assert_cmpstr (found, ==, reason);
}

/* What the file lacks for a while is in it in the end. */
static void
test_full_for_a_while (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = create (fixture->path, recording);
  g_autoptr (RoastRecording) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;

  fill (recording, 0, 10000);
  g_assert_true (roast_run_file_flush (file, &error));
  limit_files (600000);
  fill (recording, 10000, 60000);
  g_assert_false (roast_run_file_flush (file, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE);
  g_clear_error (&error);
  problem = roast_run_file_dup_problem (file);
  g_assert_nonnull (problem);
  g_assert_cmpint (roast_run_file_get_missing_since (file), ==, -1);
  g_assert_true (has_event (recording, "cannot grow"));
  g_assert_cmpuint (check (recording, FALSE), ==, 70000);
  limit_files (RLIM_INFINITY);
  fill (recording, 70000, 100);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
  g_assert_null (roast_run_file_dup_problem (file));
  g_assert_true (has_event (recording, "grows again"));
  read = roast_recording_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (check (read, FALSE), ==, 70100);
  check_gap (read, "cells", NULL);
  check_gap (read, "", NULL);
}

/* If the memory is used up as well, the recording says from when rows are missing, and has all before. */
static void
test_full_for_good (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = create (fixture->path, recording);
  g_autoptr (RoastRunFile) again = NULL;
  g_autoptr (RoastRecording) read = NULL;
  g_autoptr (GError) error = NULL;
  guint64 since = 0;
  guint64 n = 0;

  roast_run_file_set_memory_bound (file, 1 << 20);
  fill (recording, 0, 10000);
  g_assert_true (roast_run_file_flush (file, &error));
  limit_files (600000);
  for (guint i = 1; i < 30; i++)
    {
      fill (recording, i * 10000, 10000);
      roast_run_file_flush (file, NULL);
    }
  since = (guint64) roast_run_file_get_missing_since (file) / G_USEC_PER_SEC;
  g_assert_cmpuint (since, >, 5000);
  g_assert_cmpuint (since, <, 200000);
  g_assert_true (has_event (recording, "only sums of rows"));
  check_gap (recording, "cells", "rows are missing, because the run file could not grow");
  check_gap (recording, "events", NULL);
  g_assert_cmpuint (roast_recording_get_memory (recording, "cells"), <, 3 << 20);
  n = check (recording, TRUE);
  g_assert_cmpuint (n, >=, since);
  g_assert_cmpuint (n, <, 300000);
  limit_files (RLIM_INFINITY);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
  again = roast_run_file_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((guint64) roast_run_file_get_missing_since (again) / G_USEC_PER_SEC, ==, since);
  read = roast_run_file_read (again, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (check (read, TRUE), ==, n);
  g_assert_true (has_event (read, "the memory for its rows was used up"));
  check_gap (read, "cells", "rows are missing, because the run file could not grow");
  check_gap (read, "", NULL);
}

/* The greatest block, in bytes of the file. */
static gint64
size_of_block (const char *path)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  gint64 size;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT max (size) FROM (SELECT sum (length (data) + 4096) AS size FROM block "
                                       "WHERE level = 0 GROUP BY \"table\", seq)",
                                       -1, &statement, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  size = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);

  return size;
}

/* A limit that is reached is as a disk that is full. Of what is in memory at the end, only what fits is in the file. */
static void
test_limit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = create (fixture->path, recording);
  g_autoptr (RoastRunFile) again = NULL;
  g_autoptr (RoastRecording) read = NULL;
  g_autoptr (GError) error = NULL;
  guint64 n = 0;
  gint64 since = 0;
  GStatBuf info;

  roast_run_file_set_max_size (file, 600000);
  roast_run_file_set_memory_bound (file, 16 << 20);
  fill (recording, 0, 10000);
  g_assert_true (roast_run_file_flush (file, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 4000; i++)
    write_few (recording, i);
  for (guint i = 1; i < 30; i++)
    {
      fill (recording, i * 10000, 10000);
      roast_run_file_flush (file, NULL);
      g_assert_no_errno (g_stat (fixture->path, &info));
      g_assert_cmpint (info.st_size, <=, 600000);
    }
  g_assert_true (has_event (recording, "the run file has reached its size limit of 0.6 MB; the run goes on"));
  g_assert_cmpint (roast_run_file_get_missing_since (file), ==, -1);
  g_assert_cmpuint (check (recording, FALSE), ==, 300000);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
  g_assert_no_errno (g_stat (fixture->path, &info));
  g_assert_cmpint (info.st_size, <=, 600000 + size_of_block (fixture->path));
  g_assert_cmpint (info.st_size, >, 500000);
  g_assert_false (has_event (recording, "grows again"));
  /* The report of this process has all rows. */
  g_assert_cmpuint (check (recording, FALSE), ==, 300000);
  since = roast_run_file_get_missing_since (file);
  g_assert_cmpint (since, >=, G_GINT64_CONSTANT (10000) * G_USEC_PER_SEC);
  again = roast_run_file_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_run_file_get_state (again), ==, ROAST_RUN_FILE_STATE_CLOSED);
  g_assert_cmpint (roast_run_file_get_missing_since (again), ==, since);
  read = roast_run_file_read (again, &error);
  g_assert_no_error (error);
  n = check (read, TRUE);
  g_assert_cmpint ((gint64) n * G_USEC_PER_SEC, >=, since);
  g_assert_cmpuint (n, <, 100000);
  g_assert_true (has_event (read, "the run file was at its size limit when the run ended"));
  check_gap (recording, "cells", NULL);
  check_gap (read, "cells", "rows are missing, because the run file reached its size limit");
  check_gap (read, "few", NULL);
  check_gap (read, "", NULL);
  /* A table with few rows has them all. */
  g_assert_cmpuint (count (read, "few"), ==, 4000);
}

/* What is given up keeps its sums. */
static void
test_sums (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = create (fixture->path, recording);
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  double sum = 0;

  roast_run_file_set_memory_bound (file, 1);
  g_assert_true (roast_run_file_flush (file, NULL));
  limit_files (200000);
  fill (recording, 0, 100000);
  roast_run_file_flush (file, NULL);
  limit_files (RLIM_INFINITY);
  g_assert_true (roast_run_file_close (file, NULL));
  for (guint64 row = 0; row < 100000; row++)
    sum += value_of (row);
  g_assert_cmpint (sqlite3_open_v2 (fixture->path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db,
                                       "SELECT total (sum), sum (n), max (level) FROM block JOIN columns USING "
                                       "(\"table\", \"column\") WHERE name = 'value'",
                                       -1, &statement, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  /* The order of the additions is another one. */
  g_assert_cmpfloat_with_epsilon (sqlite3_column_double (statement, 0), sum, 1e-6);
  g_assert_cmpint (sqlite3_column_int64 (statement, 1), ==, 100000);
  g_assert_cmpint (sqlite3_column_int (statement, 2), ==, 1);
  sqlite3_finalize (statement);
  sqlite3_close (db);
}

/* ---- files that are not what they should be ---- */

static char *
make_file (const char *path, gsize *size)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (GError) error = NULL;
  char *content = NULL;

  fill (recording, 0, 9000);
  file = create (path, recording);
  g_assert_true (roast_run_file_close (file, &error));
  g_clear_object (&file);
  g_file_get_contents (path, &content, size, &error);
  g_assert_no_error (error);

  return content;
}

static void
put_file (const char *path, const char *content, gsize size)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, content, (gssize) size, &error);
  g_assert_no_error (error);
}

static void
assert_refused (const char *path, RoastStoreError code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRecording) recording = roast_recording_open (path, &error);

  g_assert_null (recording);
  g_assert_error (error, ROAST_STORE_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, path));
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” does not contain “%s”", error->message, part);
}

static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  put_file (fixture->path, "", 0);
  assert_refused (fixture->path, ROAST_STORE_ERROR_FOREIGN, "this file is empty");
  put_file (fixture->path, "{\"a\": 1}\n", 9);
  assert_refused (fixture->path, ROAST_STORE_ERROR_FOREIGN, "is not a run file");
  g_assert_no_errno (g_unlink (fixture->path));
  run_sql (fixture->path, "CREATE TABLE meta (key, value)");
  assert_refused (fixture->path, ROAST_STORE_ERROR_FOREIGN, "another program");
}

static void
test_newer (Fixture *fixture, gconstpointer data)
{
  gsize size = 0;

  g_free (make_file (fixture->path, &size));
  run_sql (fixture->path, "PRAGMA user_version = 2");
  assert_refused (fixture->path, ROAST_STORE_ERROR_VERSION, "newer version of roast");
}

/* Whatever can be opened has the right rows, or none in the places that cannot be read, and says so. */
static gboolean
check_damaged (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_open (path, &error);
  g_autoptr (RoastRecording) recording = file != NULL ? roast_run_file_read (file, &error) : NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  g_autofree char *problem = NULL;
  gboolean is_right = TRUE;

  if (recording == NULL)
    {
      g_assert_cmpuint (error->domain, ==, ROAST_STORE_ERROR);
      return FALSE;
    }
  reader = roast_recording_read_table (recording, "cells", NULL, NULL);
  while (reader != NULL && roast_table_reader_next (reader))
    {
      gboolean is_whole = roast_table_reader_has (reader, 1) && roast_table_reader_has (reader, 2);
      guint64 row = (guint64) roast_table_reader_get_int64 (reader, 1, 0) / G_USEC_PER_SEC;

      if (is_whole)
        g_assert_cmpfloat (roast_table_reader_get_double (reader, 2), ==, value_of (row));
      is_right &= is_whole;
    }
  problem = roast_run_file_dup_problem (file);
  if (!is_right)
    g_assert_nonnull (problem);

  return problem == NULL;
}

static void
test_cut (Fixture *fixture, gconstpointer data)
{
  gsize size = 0;
  g_autofree char *content = make_file (fixture->path, &size);

  for (gsize length = size - 1; length > 4096; length -= MIN (length, size / 23))
    {
      put_file (fixture->path, content, length);
      g_assert_false (check_damaged (fixture->path));
    }
  put_file (fixture->path, content, 3000);
  g_assert_false (check_damaged (fixture->path));
}

/* In the bytes of columns, of which checksums are kept. */
static void
test_flipped (Fixture *fixture, gconstpointer data)
{
  gsize size = 0;
  g_autofree char *content = make_file (fixture->path, &size);
  g_autofree char *copy = g_memdup2 (content, size);
  guint n_found = 0;

  for (guint i = 0; i < 150; i++)
    {
      gsize at = (gsize) g_test_rand_int_range (0, (gint32) size);

      copy[at] ^= (char) (1 << g_test_rand_int_range (0, 8));
      put_file (fixture->path, copy, size);
      n_found += !check_damaged (fixture->path);
      copy[at] = content[at];
    }
  g_test_message ("%u of 150 were found", n_found);
  g_assert_cmpuint (n_found, >, 0);
}

#define ADD(name, function) g_test_add ("/run-file-faults/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("full-for-a-while", test_full_for_a_while);
  ADD ("full-for-good", test_full_for_good);
  ADD ("limit", test_limit);
  ADD ("sums", test_sums);
  ADD ("foreign", test_foreign);
  ADD ("newer", test_newer);
  ADD ("cut", test_cut);
  ADD ("flipped", test_flipped);

  return g_test_run ();
}
