/* SPDX-License-Identifier: BSD-3-Clause */

/* A run file of which any bit has changed: it reads as before, or it is refused, or the recording says what is damaged.
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run-file-fixture.h"
#include "sanitized.h"

#define N_FLIPS (SANITIZED ? 240 : 4000)
#define FEW_FLIPS 200 /* under valgrind */

static const char schema_text[] =
    "[table cells]\nDescription=A row\n[columns cells]\nsource=category: source\ntime=int64 us: time\n"
    "value=double: value\ntext=string: text\n"
    "[table samples]\nDescription=A sample\n[columns samples]\nsource=category: source\ntime=int64 us: time\n"
    "worker=category: worker\nload=double: load\nbusy=boolean: busy\n"
    "[table marks]\nDescription=A mark\nStorage=rows\n[columns marks]\nnumber=int64: number\nvalue=double: value\n"
    "[table notes]\nDescription=A note\nStorage=rows\n[columns notes]\nkind=category: kind\nnumber=int64: number\n"
    "text=string: text\n";

static void
fill (RoastRecording *recording, guint first, guint n_rows)
{
  g_autoptr (RoastTableWriter) cells = roast_recording_write_table (recording, "cells", "src", NULL, NULL);
  g_autoptr (RoastTableWriter) samples = roast_recording_write_table (recording, "samples", "src", NULL, NULL);
  g_autoptr (RoastTableWriter) marks = roast_recording_write_table (recording, "marks", NULL, NULL, NULL);
  g_autoptr (RoastTableWriter) notes = roast_recording_write_table (recording, "notes", NULL, NULL, NULL);

  for (guint i = first; i < first + n_rows; i++)
    {
      g_autofree char *text = g_strdup_printf ("note %u of some length, so that the rows need many pages", i);

      roast_table_writer_set_int64 (cells, 1, (gint64) i * G_USEC_PER_SEC);
      roast_table_writer_set_double (cells, 2, i / 7.0);
      roast_table_writer_set_string (cells, 3, text);
      g_assert_true (roast_table_writer_end (cells, NULL));
      roast_table_writer_set_string (notes, 0, i % 3 == 0 ? "fizz" : "buzz");
      roast_table_writer_set_int64 (notes, 1, i);
      roast_table_writer_set_string (notes, 2, text);
      g_assert_true (roast_table_writer_end (notes, NULL));
      for (guint worker = 0; worker < 2; worker++)
        {
          g_autofree char *name = g_strdup_printf ("worker %u", worker);

          roast_table_writer_set_int64 (samples, 1, (gint64) i * G_USEC_PER_SEC + worker);
          roast_table_writer_set_string (samples, 2, name);
          if (i % 5 != worker)
            roast_table_writer_set_double (samples, 3, (i * 37 + worker * 11) % 101 / 13.0);
          roast_table_writer_set_boolean (samples, 4, (i + worker) % 4 == 0);
          g_assert_true (roast_table_writer_end (samples, NULL));
        }
      if (i % 10 == 0)
        {
          roast_table_writer_set_int64 (marks, 0, i);
          roast_table_writer_set_double (marks, 1, i / 3.0);
          g_assert_true (roast_table_writer_end (marks, NULL));
        }
    }
}

/* ---- what is in a file ---- */

static void
dump_table (RoastRecording *recording, const char *name, GString *to)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, name, NULL, NULL);
  guint n_columns = reader != NULL ? roast_table_reader_get_n_columns (reader) : 0;

  g_string_append_printf (to, "%s\n", name);
  while (reader != NULL && roast_table_reader_next (reader))
    for (guint slot = 0; slot < n_columns; slot++)
      {
        g_autoptr (GVariant) value = roast_table_reader_dup_value (reader, slot);
        g_autofree char *text = value != NULL ? g_variant_print (value, FALSE) : NULL;

        g_string_append_printf (to, "%s%s", text != NULL ? text : "-", slot + 1 < n_columns ? "\t" : "\n");
      }
}

static void
dump_meta (RoastRunFile *file, RoastRecording *recording, GString *to)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);
  g_autofree char *text = g_variant_print (metadata, TRUE);
  g_auto (GStrv) keys = roast_run_file_dup_meta_keys (file);

  g_string_append_printf (to, "%d %s\n", roast_run_file_get_state (file), text);
  for (char **key = keys; *key != NULL; key++)
    {
      g_autofree char *value = roast_run_file_dup_meta (file, *key);

      g_string_append_printf (to, "%s=%s\n", *key, value);
    }
}

/* All that a reader gets; NULL with an error. @problem is what the file says about damage; in most of these cases a
 * text is not made. */
static char *
dump (const char *path, char **problem, GError **error)
{
  static guint n_problems;

  g_autoptr (RoastRunFile) file = roast_run_file_open (path, error);
  g_autoptr (RoastRecording) recording = file != NULL ? roast_run_file_read (file, error) : NULL;
  g_auto (GStrv) names = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  *problem = NULL;
  if (recording == NULL)
    return NULL;
  *problem = roast_run_file_dup_problem (file);
  if (*problem != NULL && n_problems++ % 16 != 0)
    return g_strdup ("");
  names = roast_recording_dup_table_names (recording);
  for (char **name = names; *name != NULL; name++)
    dump_table (recording, *name, text);
  dump_meta (file, recording, text);
  if (*problem != NULL)
    {
      g_assert_nonnull (strstr (text->str, "run-file"));
      g_assert_nonnull (strstr (text->str, "'incomplete'"));
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
dump_good (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;
  char *text = dump (path, &problem, &error);

  g_assert_no_error (error);
  g_assert_null (problem);

  return text;
}

/* ---- files ---- */

static RoastRunFile *
create (const char *path, RoastRecording **recording)
{
  g_autoptr (GError) error = NULL;
  RoastRunFile *file = roast_run_file_create (path, &error);
  const char *const arguments[] = { "make", "-j8", "all", NULL };

  g_assert_no_error (error);
  *recording = new_recording_of (schema_text);
  roast_recording_set_metadata (*recording, "started", g_variant_new_int64 (1700000000000000));
  roast_recording_set_metadata (*recording, "arguments", g_variant_new_strv (arguments, -1));
  roast_run_file_set_meta (file, "command", "make -j8");
  roast_run_file_attach (file, *recording);

  return file;
}

static void
make_closed (const char *path)
{
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = create (path, &recording);
  g_autoptr (GError) error = NULL;

  fill (recording, 0, 1000);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_no_error (error);
}

static void
copy_file (const char *from, const char *to)
{
  g_autofree char *content = NULL;
  gsize size = 0;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (from, &content, &size, &error);
  g_assert_no_error (error);
  g_file_set_contents (to, content, (gssize) size, &error);
  g_assert_no_error (error);
}

/* As it is when the process that writes it is killed now. */
static void
copy_growing (const char *path, const char *to)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  g_autofree char *wal_to = g_strconcat (to, "-wal", NULL);

  copy_file (path, to);
  copy_file (wal, wal_to);
}

static guint
get_n_flips (void)
{
  return g_getenv ("ROAST_UNDER_VALGRIND") != NULL ? FEW_FLIPS : N_FLIPS;
}

static gsize
size_of (const char *path)
{
  GStatBuf info;

  g_assert_no_errno (g_stat (path, &info));

  return (gsize) info.st_size;
}

static void
flip (const char *path, gsize at, guint bit)
{
  int fd = g_open (path, O_RDWR | O_CLOEXEC);
  guint8 byte = 0;

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pread (fd, &byte, 1, (off_t) at), ==, 1);
  byte ^= (guint8) (1u << bit);
  g_assert_cmpint (pwrite (fd, &byte, 1, (off_t) at), ==, 1);
  close (fd);
}

/* Numbers that are the same in each run. */
static guint32
next_random (guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);

  return (guint32) (*state >> 32);
}

typedef struct
{
  guint n_refused;
  guint n_reported;
  guint n_equal;
  guint n_earlier; /* as the file was before */
} Results;

/* Of a run that was killed: what was there at an earlier time, and until when. */
static gboolean
is_earlier (const char *text, const char *right)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) right_lines = g_strsplit (right, "\n", -1);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (char **line = right_lines; *line != NULL; line++)
    g_hash_table_add (known, *line);
  for (char **line = lines; *line != NULL; line++)
    if (!g_hash_table_contains (known, *line) && strstr (*line, "data reach until") == NULL &&
        strstr (*line, "'ended'") == NULL)
      return FALSE;

  return strstr (text, "the data reach until") != NULL;
}

static void
try_bit (const char *opened, const char *changed, gsize at, guint bit, const char *right, Results *results)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;
  g_autofree char *text = NULL;
  g_autofree char *before = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (changed, &before, &size, NULL));
  flip (changed, at, bit);
  text = dump (opened, &problem, &error);
  /* SQLite 3.46 removes a log that it cannot use. */
  if (g_file_test (changed, G_FILE_TEST_EXISTS))
    flip (changed, at, bit);
  else
    g_assert_true (g_file_set_contents (changed, before, (gssize) size, NULL));
  if (text == NULL)
    {
      g_assert_cmpuint (error->domain, ==, ROAST_STORE_ERROR);
      g_assert_nonnull (strstr (error->message, opened));
      results->n_refused++;
    }
  else if (problem != NULL)
    results->n_reported++;
  else if (g_str_equal (text, right))
    results->n_equal++;
  else if (is_earlier (text, right))
    results->n_earlier++;
  else
    g_error ("bit %u of byte %" G_GSIZE_FORMAT " of %s makes another recording: %s", bit, at, changed, text);
}

static guint
count_descriptors (void)
{
  g_autoptr (GDir) directory = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (directory) != NULL)
    n++;

  return n;
}

static Results
try_bits (const char *opened, const char *changed, guint n, const char *right)
{
  guint64 state = 20261123;
  Results results = { 0 };
  gsize size = size_of (changed);
  guint n_descriptors = count_descriptors ();

  for (guint i = 0; i < n; i++)
    {
      gsize at = next_random (&state) % size;

      try_bit (opened, changed, at, next_random (&state) % 8, right, &results);
    }
  g_assert_cmpuint (count_descriptors (), ==, n_descriptors);
  g_test_message ("%s: of %u bits, %u refused, %u reported, %u equal, %u earlier", changed, n, results.n_refused,
                  results.n_reported, results.n_equal, results.n_earlier);

  return results;
}

/* ---- tests ---- */

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *right = NULL;
  Results results = { 0 };
  guint n = get_n_flips () / 4 * 3;

  make_closed (fixture->path);
  right = dump_good (fixture->path);
  results = try_bits (fixture->path, fixture->path, n, right);
  g_assert_cmpuint (results.n_refused + results.n_reported, ==, n);
  g_assert_cmpuint (results.n_reported, >, n / 2);
}

/* Of the header, which SQLite reads before it reads pages. */
static void
test_header (Fixture *fixture, gconstpointer data)
{
  g_autofree char *right = NULL;
  Results results = { 0 };

  make_closed (fixture->path);
  right = dump_good (fixture->path);
  for (guint bit = 0; bit < 8 * 100; bit++)
    try_bit (fixture->path, fixture->path, bit / 8, bit % 8, right, &results);
  g_assert_cmpuint (results.n_refused, ==, 800);
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (fixture->directory, "copy.roast", NULL);
  g_autofree char *wal = g_strconcat (copy, "-wal", NULL);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = create (fixture->path, &recording);
  g_autofree char *right = NULL;
  g_autoptr (GError) error = NULL;
  Results results = { 0 };

  for (guint i = 0; i < 4; i++)
    {
      fill (recording, i * 250, 250);
      g_assert_true (roast_run_file_flush (file, &error));
    }
  copy_growing (fixture->path, copy);
  right = dump_good (copy);
  results = try_bits (copy, wal, get_n_flips () / 4, right);
  g_assert_cmpuint (results.n_earlier, >, 0);
  try_bits (copy, copy, 50, right);
  g_assert_true (roast_run_file_close (file, &error));
}

/* The number of the first page of an SQL table. */
static guint
find_page (const char *path, const char *table)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  int page;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT rootpage FROM sqlite_schema WHERE name = ?", -1, &statement, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_text (statement, 1, table, -1, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  page = sqlite3_column_int (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);

  return (guint) page;
}

/* Where a text is in the file for the last time. */
static gsize
find_text (const char *path, const char *text)
{
  g_autofree char *content = NULL;
  gsize size = 0;
  const char *found = NULL;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  for (const char *at = content; (at = memmem (at, size - (gsize) (at - content), text, strlen (text))) != NULL; at++)
    found = at;
  g_assert_nonnull (found);

  return (gsize) (found - content);
}

static guint
count_rows (RoastRecording *recording, const char *table, guint slot, gint64 factor)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, NULL);
  guint n = 0;
  gint64 last = -1;

  while (roast_table_reader_next (reader))
    {
      gint64 row = roast_table_reader_get_int64 (reader, slot, -1) / factor;

      g_assert_cmpint (row, >, last);
      last = row;
      n++;
    }

  return n;
}

/* Closing a descriptor of a file that SQLite has open would take its locks: it is kept, and used again. */
static void
test_own_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = create (fixture->path, &recording);
  g_autoptr (GError) error = NULL;
  guint n_descriptors = count_descriptors ();

  fill (recording, 0, 250);
  g_assert_true (roast_run_file_flush (file, &error));
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (RoastRecording) first = roast_recording_open (fixture->path, &error);
      g_autoptr (RoastRecording) second = roast_recording_open (fixture->path, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (count_rows (first, "notes", 1, 1), ==, 250);
      g_assert_cmpuint (count_rows (second, "notes", 1, 1), ==, 250);
      if (i == 0)
        n_descriptors = count_descriptors ();
      g_assert_cmpuint (count_descriptors (), ==, n_descriptors);
    }
  g_assert_true (roast_run_file_close (file, &error));
}

/* Rows before and behind a damaged page, and all other tables. */
static void
test_sound_rows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;
  guint n = 0;

  make_closed (fixture->path);
  flip (fixture->path, find_text (fixture->path, "note 500 of some length"), 0);
  file = roast_run_file_open (fixture->path, &error);
  g_assert_no_error (error);
  recording = roast_run_file_read (file, &error);
  g_assert_no_error (error);
  n = count_rows (recording, "notes", 1, 1);
  /* A page of 4096 bytes has some 50 of them. */
  g_assert_cmpuint (n, >, 900);
  g_assert_cmpuint (n, <, 1000);
  g_assert_cmpuint (count_rows (recording, "cells", 1, G_USEC_PER_SEC), ==, 1000);
  problem = roast_run_file_dup_problem (file);
  g_assert_nonnull (strstr (problem, "table “notes” cannot be read completely"));
  g_assert_nonnull (strstr (problem, "have a wrong checksum"));
}

/* Without its dictionary a table has rows whose categories are missing. */
static void
test_sound_dictionary (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastTableReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;

  make_closed (fixture->path);
  flip (fixture->path, (find_page (fixture->path, "dictionary") - 1) * 4096 + 100, 3);
  file = roast_run_file_open (fixture->path, &error);
  g_assert_no_error (error);
  recording = roast_run_file_read (file, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_rows (recording, "cells", 1, G_USEC_PER_SEC), ==, 1000);
  g_assert_cmpuint (count_rows (recording, "notes", 1, 1), ==, 1000);
  reader = roast_recording_read_table (recording, "cells", NULL, NULL);
  while (roast_table_reader_next (reader))
    {
      g_assert_false (roast_table_reader_has (reader, 0));
      g_assert_true (roast_table_reader_has (reader, 3));
    }
  problem = roast_run_file_dup_problem (file);
  g_assert_nonnull (strstr (problem, "table “cells” cannot be read completely"));
}

/* A copy that another program made has no checksums: it is read, with a remark. */
static void
test_other_program (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (fixture->directory, "copy.roast", NULL);
  g_autofree char *sql = g_strdup_printf ("VACUUM INTO '%s'", copy);
  g_autofree char *text = NULL;
  sqlite3 *db = NULL;

  make_closed (fixture->path);
  g_assert_cmpint (sqlite3_open_v2 (fixture->path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  text = dump_good (copy);
  g_assert_nonnull (strstr (text, "have no checksum, because another program wrote these pages"));
  g_assert_nonnull (strstr (text, "note 999 of some length"));
}

/* Another program moves the log of a killed run into the file. */
static void
test_moved_log (Fixture *fixture, gconstpointer data)
{
  g_autofree char *copy = g_build_filename (fixture->directory, "copy.roast", NULL);
  g_autofree char *wal = g_strconcat (copy, "-wal", NULL);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = create (fixture->path, &recording);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  sqlite3 *db = NULL;

  fill (recording, 0, 1000);
  g_assert_true (roast_run_file_flush (file, &error));
  copy_growing (fixture->path, copy);
  g_assert_true (roast_run_file_close (file, &error));
  g_assert_cmpint (sqlite3_open_v2 (copy, &db, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "SELECT count (*) FROM block", NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  g_assert_false (g_file_test (wal, G_FILE_TEST_EXISTS));
  text = dump_good (copy);
  g_assert_nonnull (strstr (text, "have no checksum, because another program wrote these pages"));
  g_assert_nonnull (strstr (text, "note 999 of some length"));
}

#define ADD(name, function) g_test_add ("/run-file-damage/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("closed", test_closed);
  ADD ("header", test_header);
  ADD ("killed", test_killed);
  ADD ("own-file", test_own_file);
  ADD ("sound-rows", test_sound_rows);
  ADD ("sound-dictionary", test_sound_dictionary);
  ADD ("other-program", test_other_program);
  ADD ("moved-log", test_moved_log);

  return g_test_run ();
}
