/* SPDX-License-Identifier: BSD-3-Clause */

/* Run files whose writes fail: from each moment on, and for a while at each moment. The run goes on with all of its
 * rows; what was flushed is in the file, and what is in the file is right. */

#include <errno.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "run-file-fixture.h"
#include "sanitized.h"

#define N_FILLS 4
#define N_ROWS 1500 /* each time */

/* ---- system calls of SQLite ---- */

static gint n_writes; /* atomic */
static gint fail_from = G_MAXINT;
static gint fail_to;
static int fail_code;

static gboolean
fails (void)
{
  gint n = g_atomic_int_add (&n_writes, 1);

  if (n < fail_from || n >= fail_to)
    return FALSE;
  errno = fail_code;

  return TRUE;
}

static ssize_t
fake_write (int fd, const void *data, size_t size)
{
  return fails () ? -1 : write (fd, data, size);
}

static ssize_t
fake_pwrite (int fd, const void *data, size_t size, off_t at)
{
  return fails () ? -1 : pwrite (fd, data, size, at);
}

static int
fake_ftruncate (int fd, off_t size)
{
  return fails () ? -1 : ftruncate (fd, size);
}

static void
replace_calls (void)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find ("unix");

  vfs->xSetSystemCall (vfs, "write", (sqlite3_syscall_ptr) fake_write);
  vfs->xSetSystemCall (vfs, "pwrite", (sqlite3_syscall_ptr) fake_pwrite);
  vfs->xSetSystemCall (vfs, "pwrite64", (sqlite3_syscall_ptr) fake_pwrite);
  vfs->xSetSystemCall (vfs, "ftruncate", (sqlite3_syscall_ptr) fake_ftruncate);
}

/* ---- recordings ---- */

static const char schema_text[] = "[table cells]\nDescription=A row\n[columns cells]\nsource=category: source\n"
                                  "number=int64: number\ntext=string: text\n"
                                  "[table notes]\nDescription=A note\nStorage=rows\n[columns notes]\n"
                                  "number=int64: number\ntext=string: text\n";

static void
fill_table (RoastRecording *recording, const char *table, guint slot, guint first)
{
  g_autoptr (RoastTableWriter) writer =
      roast_recording_write_table (recording, table, slot > 0 ? "src" : NULL, NULL, NULL);

  for (guint i = first; i < first + N_ROWS; i++)
    {
      g_autofree char *text = g_strdup_printf ("row %u, %u", i, i * 2654435761u);

      roast_table_writer_set_int64 (writer, slot, i);
      roast_table_writer_set_string (writer, slot + 1, text);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static guint
check_table (RoastRecording *recording, const char *table, guint slot)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, NULL);
  guint n = 0;

  for (; reader != NULL && roast_table_reader_next (reader); n++)
    {
      g_autofree char *text = g_strdup_printf ("row %u, %u", n, n * 2654435761u);

      g_assert_cmpint (roast_table_reader_get_int64 (reader, slot, -1), ==, n);
      g_assert_cmpstr (roast_table_reader_get_string (reader, slot + 1), ==, text);
    }

  return n;
}

static guint
check (RoastRecording *recording)
{
  guint n = check_table (recording, "cells", 1);

  g_assert_cmpuint (check_table (recording, "notes", 0), ==, n);

  return n;
}

typedef struct
{
  guint n_flushed; /* rows that are in the file for sure */
  gboolean is_closed;
  gboolean failed;
} Result;

/* A run with writes that fail from one on, until another one. */
static Result
run (const char *path, gint from, gint to, int code)
{
  g_autoptr (RoastRecording) recording = new_recording_of (schema_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = NULL;
  Result result = { 0 };

  g_atomic_int_set (&n_writes, 0);
  fail_from = from;
  fail_to = to;
  fail_code = code;
  file = roast_run_file_create (path, &error);
  g_assert_no_error (error);
  roast_run_file_attach (file, recording);
  for (guint i = 0; i < N_FILLS; i++)
    {
      fill_table (recording, "cells", 1, i * N_ROWS);
      fill_table (recording, "notes", 0, i * N_ROWS);
      if (roast_run_file_flush (file, &error))
        result.n_flushed = (i + 1) * N_ROWS;
      else
        result.failed = TRUE;
      if (error != NULL)
        {
          g_autofree char *problem = roast_run_file_dup_problem (file);

          g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE);
          g_assert_nonnull (problem);
          if (code != ENOSPC && strstr (error->message, "shared memory") == NULL)
            g_assert_cmpstr (strstr (error->message, g_strerror (code)), !=, NULL);
        }
      g_clear_error (&error);
      g_assert_cmpuint (check (recording), ==, (i + 1) * N_ROWS);
    }
  result.is_closed = roast_run_file_close (file, NULL);
  g_assert_cmpuint (check (recording), ==, N_FILLS * N_ROWS);
  fail_from = G_MAXINT;

  return result;
}

static void
check_file (const char *path, const Result *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_open (path, &error);
  g_autoptr (RoastRecording) recording = NULL;
  guint n = 0;
  guint n_cells = 0;

  /* Nothing was written, or nothing of the recording. */
  if (file == NULL && result->n_flushed == 0 && !result->is_closed)
    {
      g_assert_cmpuint (error->domain, ==, ROAST_STORE_ERROR);
      return;
    }
  g_assert_no_error (error);
  recording = roast_run_file_read (file, &error);
  if (recording == NULL && result->n_flushed == 0 && !result->is_closed)
    {
      g_assert_cmpuint (error->domain, ==, ROAST_STORE_ERROR);
      return;
    }
  g_assert_no_error (error);
  g_assert_null (roast_run_file_dup_problem (file));
  n = check_table (recording, "notes", 0);
  /* The file's thread may have written while the tables were filled, first the cells of a round and then its notes. */
  n_cells = check_table (recording, "cells", 1);
  g_assert_cmpuint (n_cells, >=, n);
  g_assert_cmpuint (n_cells, <=, n + N_ROWS);
  g_assert_cmpuint (n, >=, result->is_closed ? N_FILLS * N_ROWS : result->n_flushed);
  if (n < N_FILLS * N_ROWS)
    g_assert_cmpint (roast_run_file_get_state (file), ==, ROAST_RUN_FILE_STATE_INTERRUPTED);
}

static void
remove_files (const char *path)
{
  static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (path, suffixes[i], NULL);

      g_unlink (name);
    }
}

/* How many writes a run needs if none fails. */
static gint
count_writes (const char *path)
{
  Result result = run (path, G_MAXINT, G_MAXINT, 0);

  g_assert_true (result.is_closed);
  g_assert_false (result.failed);
  check_file (path, &result);
  remove_files (path);

  return g_atomic_int_get (&n_writes);
}

static gint
get_step (gint n)
{
  return MAX (n / (g_getenv ("ROAST_UNDER_VALGRIND") != NULL ? 10 : SANITIZED ? 25 : 100), 1);
}

static void
test_for_good (Fixture *fixture, gconstpointer data)
{
  static const int codes[] = { ENOSPC, EDQUOT, EROFS, EIO };
  gint n = count_writes (fixture->path);
  guint n_failed = 0;

  for (gint from = 0, i = 0; from < n; from += get_step (n), i++)
    {
      Result result = run (fixture->path, from, G_MAXINT, codes[i % (gint) G_N_ELEMENTS (codes)]);

      check_file (fixture->path, &result);
      remove_files (fixture->path);
      n_failed += result.failed;
    }
  g_assert_cmpuint (n_failed, >, 0);
}

/* One write fails: all is in the file in the end. */
static void
test_for_a_while (Fixture *fixture, gconstpointer data)
{
  gint n = count_writes (fixture->path);
  guint n_closed = 0;
  guint n_failed = 0;

  for (gint from = 0; from < n; from += get_step (n))
    {
      Result result = run (fixture->path, from, from + 1, EDQUOT);

      check_file (fixture->path, &result);
      remove_files (fixture->path);
      n_failed += result.failed;
      n_closed += result.failed && result.is_closed;
    }
  g_assert_cmpuint (n_failed, >, 0);
  g_assert_cmpuint (n_closed, ==, n_failed);
}

#define ADD(name, function) g_test_add ("/run-file-errors/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  replace_calls ();

  ADD ("for-good", test_for_good);
  ADD ("for-a-while", test_for_a_while);

  return g_test_run ();
}
