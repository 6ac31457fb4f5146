/* SPDX-License-Identifier: BSD-3-Clause */

/* What was recorded is in the run file, to the last bit: while it grows, when it is closed, and after its writer was
 * killed. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run-file-fixture.h"

static const char schema_text[] =
    "[table cells]\nDescription=A row\n[columns cells]\nsource=category: source\nt=int64 us: time\ni=int64: integer\n"
    "d=double: real\nn=double: with decimals\nb=boolean: boolean\ns=string: text\nc=category of status: category\n"
    "never=int64: never there\n"
    "[table things]\nKind=entity\nKey=source;name\nDescription=A thing\n[columns things]\nsource=category: source\n"
    "name=string: name\nvalue=double: value\nend=int64 us: end\n"
    "[table few]\nKind=entity\nKey=source;name\nStorage=rows\nDescription=A thing\n[columns few]\nsource=category: "
    "source\n"
    "name=string: name\nvalue=double: value\nflag=boolean: flag\nkind=category: kind\ncount=int64: count\n"
    "[chart values]\nTitle=Values\nDescription=A third party's chart\nTable=cells\nKind=line\nX=t\nY=d\nGroup=c\n"
    "Where=c=done|\nGuides=5 five\n";

enum
{
  CELLS_SOURCE,
  CELLS_T,
  CELLS_I,
  CELLS_D,
  CELLS_N,
  CELLS_B,
  CELLS_S,
  CELLS_C,
};

enum
{
  THINGS_SOURCE,
  THINGS_NAME,
  THINGS_VALUE,
  THINGS_END,
};

static RoastRecording *
new_recording (void)
{
  return new_recording_of (schema_text);
}

static RoastRunFile *
create (const char *path)
{
  g_autoptr (GError) error = NULL;
  RoastRunFile *file = roast_run_file_create (path, &error);

  g_assert_no_error (error);

  return file;
}

static void
flush (RoastRunFile *file)
{
  g_autoptr (GError) error = NULL;

  roast_run_file_flush (file, &error);
  g_assert_no_error (error);
}

static void
close_file (RoastRunFile *file)
{
  g_autoptr (GError) error = NULL;

  roast_run_file_close (file, &error);
  g_assert_no_error (error);
}

static RoastRecording *
open_recording (const char *path)
{
  g_autoptr (GError) error = NULL;
  RoastRecording *recording = roast_recording_open (path, &error);

  g_assert_no_error (error);

  return recording;
}

/* ---- rows ---- */

static gboolean
is_there (guint64 row, guint slot)
{
  return slot == CELLS_T || (row / 4096 % 2 == 0 ? (row * 2654435761u >> slot) % 5 != 0 : slot != CELLS_S);
}

static gint64
integer_of (guint64 row)
{
  static const gint64 special[] = { G_MININT64, G_MAXINT64, 0, -1, 1 };

  return row % 1000 < G_N_ELEMENTS (special) ? special[row % 1000] : (gint64) (row * 7) - 50000;
}

static double
real_of (guint64 row)
{
  static const double special[] = { -0.0, 5e-324, 1.7976931348623157e308, -1e-300, 9007199254740993.0, 0.1 };

  return row % 1000 < G_N_ELEMENTS (special) ? special[row % 1000] : (double) row / 3;
}

static void
fill_cells (RoastRecording *recording, guint64 first, guint64 n_rows)
{
  static const char *const words[] = { "done", "failed", "lost", "exhausted" };
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "cells", "src", NULL, NULL);

  for (guint64 row = first; row < first + n_rows; row++)
    {
      g_autofree char *text = row % 7 == 0 ? g_strdup ("") : g_strdup_printf ("text “%" G_GUINT64_FORMAT "”", row);

      roast_table_writer_set_int64 (writer, CELLS_T, (gint64) (1700000000000000 + row * 1000));
      if (is_there (row, CELLS_I))
        roast_table_writer_set_int64 (writer, CELLS_I, integer_of (row));
      if (is_there (row, CELLS_D))
        roast_table_writer_set_double (writer, CELLS_D, real_of (row));
      if (is_there (row, CELLS_N))
        roast_table_writer_set_double (writer, CELLS_N, (double) (row % 977) / 100);
      if (is_there (row, CELLS_B))
        roast_table_writer_set_boolean (writer, CELLS_B, row % 3 == 0);
      if (is_there (row, CELLS_S))
        roast_table_writer_set_string (writer, CELLS_S, text);
      if (is_there (row, CELLS_C))
        roast_table_writer_set_string (writer, CELLS_C, words[row % G_N_ELEMENTS (words)]);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

/* Things of which every tenth is still open, and others that were open for a while. */
static void
fill_things (RoastRecording *recording, const char *table, guint first, guint n)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, table, "src", NULL, NULL);

  for (guint i = first; i < first + n; i++)
    {
      g_autofree char *name = g_strdup_printf ("thing %u", i);

      roast_table_writer_set_string (writer, THINGS_NAME, name);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static void
end_things (RoastRecording *recording, guint first, guint n)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "things", "src", NULL, NULL);

  for (guint i = first; i < first + n; i++)
    {
      g_autofree char *name = g_strdup_printf ("thing %u", i);

      if (i % 1000 == 0)
        continue;
      roast_table_writer_set_string (writer, THINGS_NAME, name);
      roast_table_writer_set_double (writer, THINGS_VALUE, i / 7.0);
      roast_table_writer_set_int64 (writer, THINGS_END, i);
      g_assert_true (roast_table_writer_close (writer, NULL));
    }
}

/* Bit by bit: -0.0 is not 0. */
static void
assert_same_table (RoastRecording *a, RoastRecording *b, const char *table, guint64 n_rows)
{
  g_autoptr (RoastTableReader) first = roast_recording_read_table (a, table, NULL, NULL);
  g_autoptr (RoastTableReader) second = roast_recording_read_table (b, table, NULL, NULL);
  guint n = roast_table_reader_get_n_columns (first);

  g_assert_cmpuint (roast_table_reader_get_n_columns (second), ==, n);
  g_assert_cmpuint (roast_table_reader_get_n_rows (first), ==, n_rows);
  g_assert_cmpuint (roast_table_reader_get_n_rows (second), ==, n_rows);
  while (roast_table_reader_next (first))
    {
      g_assert_true (roast_table_reader_next (second));
      for (guint slot = 0; slot < n; slot++)
        {
          g_autoptr (GVariant) cell = roast_table_reader_dup_value (first, slot);
          g_autoptr (GVariant) again = roast_table_reader_dup_value (second, slot);

          g_assert_true (cell == NULL ? again == NULL : again != NULL && g_variant_equal (cell, again));
        }
    }
}

static void
assert_same_dictionaries (RoastRecording *a, RoastRecording *b, const char *table)
{
  g_autoptr (RoastTableReader) first = roast_recording_read_table (a, table, NULL, NULL);
  g_autoptr (RoastTableReader) second = roast_recording_read_table (b, table, NULL, NULL);

  for (guint slot = 0; slot < roast_table_reader_get_n_columns (first); slot++)
    {
      g_auto (GStrv) texts = roast_table_reader_dup_dictionary (first, slot);
      g_auto (GStrv) again = roast_table_reader_dup_dictionary (second, slot);

      g_assert_true ((texts == NULL) == (again == NULL));
      if (texts != NULL)
        g_assert_cmpstrv (texts, again);
    }
}

static guint64
count_rows (RoastRecording *recording, const char *table)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, NULL);

  return roast_table_reader_get_n_rows (reader);
}

static void
assert_same (RoastRecording *a, RoastRecording *b)
{
  g_auto (GStrv) names = roast_recording_dup_table_names (a);
  g_auto (GStrv) again = roast_recording_dup_table_names (b);
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (a);
  g_autoptr (GVariant) metadata_again = roast_recording_dup_metadata (b);

  g_assert_cmpstrv (names, again);
  g_assert_cmpvariant (metadata, metadata_again);
  for (char **name = names; *name != NULL; name++)
    {
      assert_same_table (a, b, *name, count_rows (a, *name));
      assert_same_dictionaries (a, b, *name);
    }
}

static RoastRecording *
record_all (void)
{
  RoastRecording *recording = new_recording ();
  g_autofree char *source = roast_recording_add_source (recording, "src", "here", NULL, NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1700000000000000));
  roast_recording_set_metadata (recording, "share", g_variant_new_double (0.1));
  roast_recording_set_metadata (recording, "names",
                                g_variant_new_strv ((const char *const[]) { "a", "b'\"", NULL }, -1));
  roast_recording_add_event (recording, source, -1, ROAST_SEVERITY_WARNING, "kind", "something happened: “ü”");
  fill_cells (recording, 0, 15000);
  fill_things (recording, "things", 0, 9000);
  fill_things (recording, "few", 0, 100);
  end_things (recording, 0, 6000);

  return recording;
}

/* ---- tests ---- */

/* All in one: a file that gets all rows when it is closed. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = record_all ();
  g_autoptr (RoastRunFile) file = create (fixture->path);
  g_autoptr (RoastRunFile) again = NULL;
  g_autoptr (RoastRecording) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *companion = g_strconcat (fixture->path, "-wal", NULL);
  g_autofree char *value = NULL;
  g_auto (GStrv) keys = NULL;
  GStatBuf status;

  roast_run_file_set_meta (file, "command", "make -j8");
  roast_run_file_set_meta (file, "wrong", "1");
  roast_run_file_attach (file, recording);
  roast_run_file_set_meta (file, "wrong", NULL);
  roast_run_file_set_meta (file, "tags", "a “b”");
  close_file (file);

  g_assert_cmpint (g_stat (fixture->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_false (g_file_test (companion, G_FILE_TEST_EXISTS));
  again = roast_run_file_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_run_file_get_state (again), ==, ROAST_RUN_FILE_STATE_CLOSED);
  keys = roast_run_file_dup_meta_keys (again);
  g_assert_cmpstrv (keys, ((const char *const[]) { "command", "tags", NULL }));
  value = roast_run_file_dup_meta (again, "tags");
  g_assert_cmpstr (value, ==, "a “b”");
  g_assert_cmpint (roast_run_file_get_missing_since (again), ==, -1);
  read = roast_run_file_read (again, &error);
  g_assert_no_error (error);
  assert_same (recording, read);
  g_assert_null (roast_run_file_dup_problem (again));
}

/* Where the file is opened, the schema of the plugin that declared the chart need not be. */
static void
test_charts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = create (fixture->path);
  g_autoptr (RoastRecording) read = NULL;
  RoastSchema *schema = NULL;
  RoastChartInfo *chart = NULL;
  g_autoptr (GError) error = NULL;

  roast_run_file_attach (file, recording);
  close_file (file);
  read = open_recording (fixture->path);
  schema = roast_recording_get_schema (read);
  chart = roast_schema_get_chart (schema, "values");
  g_assert_nonnull (chart);
  g_assert_cmpstr (roast_chart_info_get_text (chart, "Where"), ==, "c=done|");
  g_assert_cmpstr (roast_chart_info_get_declared_by (chart), ==, "test");
  g_assert_true (roast_schema_check_chart (schema, chart, &error));
  g_assert_no_error (error);
  g_assert_nonnull (roast_schema_get_chart (schema, "data_rate"));
}

/* A file is read while it grows, in each state of its chunks; rows leave memory and are the same. */
static void
test_growing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecording) control = new_recording ();
  g_autoptr (RoastRunFile) file = create (fixture->path);
  g_autoptr (RoastRecording) beside = NULL;
  g_autoptr (RoastRecording) after = NULL;
  gsize memory = 0;

  roast_run_file_attach (file, recording);
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (RoastRecording) read = NULL;

      fill_cells (recording, i * 3000, 3000);
      fill_cells (control, i * 3000, 3000);
      fill_things (recording, "things", i * 2000, 2000);
      fill_things (control, "things", i * 2000, 2000);
      flush (file);
      end_things (recording, i > 0 ? i * 2000 - 1000 : 0, i > 0 ? 2000 : 1000);
      end_things (control, i > 0 ? i * 2000 - 1000 : 0, i > 0 ? 2000 : 1000);
      flush (file);
      read = open_recording (fixture->path);
      assert_same_table (control, read, "cells", (i + 1) * 3000);
      assert_same_table (control, read, "things", (i + 1) * 2000);
      assert_same_table (control, recording, "cells", (i + 1) * 3000);
      g_assert_cmpuint (count_rows (read, "events"), ==, 1);
    }
  memory = roast_recording_get_memory (recording, "cells");
  g_assert_cmpuint (memory, <, roast_recording_get_memory (control, "cells") / 3);
  assert_same_table (control, recording, "things", 12000);
  /* A reader does not keep the file from being closed. */
  beside = open_recording (fixture->path);
  close_file (file);
  assert_same_table (control, beside, "cells", 18000);
  after = open_recording (fixture->path);
  assert_same_table (control, after, "cells", 18000);
  assert_same_table (control, after, "things", 12000);
  g_assert_cmpuint (count_rows (after, "events"), ==, 0);
  /* What has left memory is read from the closed file. */
  assert_same_table (control, recording, "cells", 18000);
}

/* Strings live as long as the reader, wherever their rows are. */
static void
test_strings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRecording) read = NULL;
  g_autoptr (RoastRunFile) file = create (fixture->path);
  g_autoptr (RoastTableReader) reader = NULL;
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  fill_cells (recording, 0, 20000);
  roast_run_file_attach (file, recording);
  close_file (file);
  read = open_recording (fixture->path);
  reader = roast_recording_read_table (read, "cells", NULL, NULL);
  while (roast_table_reader_next (reader))
    g_ptr_array_add (texts, (char *) roast_table_reader_get_string (reader, CELLS_S));
  for (guint i = 20000; i-- > 0;)
    {
      const char *text = NULL;

      g_assert_true (roast_table_reader_seek (reader, i));
      text = roast_table_reader_get_string (reader, CELLS_S);
      g_assert_true (text == g_ptr_array_index (texts, i) || g_strcmp0 (text, g_ptr_array_index (texts, i)) == 0);
    }
}

/* The example of docs/store.md reads what was written. */
static void
test_documented (Fixture *fixture, gconstpointer data)
{
  g_autofree char *documentation = g_test_build_filename (G_TEST_DIST, "..", "docs", "store.md", NULL);
  g_autofree char *python = g_find_program_in_path ("python3");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) program = g_string_new (NULL);
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRunFile) file = NULL;
  g_autofree char *out = NULL;
  g_autofree char *expected = NULL;
  gint64 sum = 0;
  gboolean in_example = FALSE;
  g_autoptr (GError) error = NULL;

  if (python == NULL || !g_file_get_contents (documentation, &text, NULL, NULL))
    {
      g_test_skip ("python3 or the documentation is missing");
      return;
    }
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      in_example |= g_str_equal (*line, "    import ctypes, sqlite3, struct");
      if (in_example)
        g_string_append_printf (program, "%s\n", g_str_has_prefix (*line, "    ") ? *line + 4 : *line);
    }
  g_string_append (program, "import sys\nvalues = list(series(sys.argv[1], 'cells', 't'))\n"
                            "print(len(values), int(sum((values[i] - 1700000000000000) * (i % 10) for i in "
                            "range(len(values)))))\n");
  recording = new_recording ();
  file = create (fixture->path);
  fill_cells (recording, 0, 9000);
  roast_run_file_attach (file, recording);
  close_file (file);
  for (gint64 row = 0; row < 9000; row++)
    sum += row * 1000 * (row % 10);
  expected = g_strdup_printf ("9000 %" G_GINT64_FORMAT "\n", sum);
  g_assert_true (g_spawn_sync (NULL, (char *[]) { python, (char *) "-c", program->str, fixture->path, NULL }, NULL,
                               G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (out, ==, expected);
}

/* A file exists only once. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *nowhere = g_build_filename (fixture->directory, "no", "run.roast", NULL);
  g_autoptr (RoastRunFile) file = create (fixture->path);

  g_assert_null (roast_run_file_create (fixture->path, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_null (roast_run_file_create (nowhere, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_null (roast_recording_open (nowhere, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  close_file (file);
}

static void
copy_companion (const char *from, const char *to, const char *suffix)
{
  g_autofree char *source = g_strconcat (from, suffix, NULL);
  g_autofree char *target = g_strconcat (to, suffix, NULL);
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (source, &contents, &length, NULL));
  g_assert_cmpuint (length, >, 0);
  g_assert_true (g_file_set_contents (target, contents, (gssize) length, NULL));
}

/* Somebody removed the file of a killed writer, and not its companions. */
static void
test_left_companions (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "again.roast", NULL);
  g_autoptr (RoastRecording) old = new_recording ();
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) killed = create (fixture->path);
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) read = NULL;

  roast_run_file_attach (killed, old);
  fill_cells (old, 0, 3000);
  flush (killed);
  copy_companion (fixture->path, path, "-wal");
  copy_companion (fixture->path, path, "-shm");
  file = create (path);
  roast_run_file_attach (file, recording);
  fill_cells (recording, 0, 100);
  close_file (file);
  read = open_recording (path);
  g_assert_cmpuint (count_rows (read, "cells"), ==, 100);
  close_file (killed);
}

/* ---- a writer that is killed ---- */

/* Writes rows and tells their number and time, until it is killed. */
static void
write_until_killed (const char *path, int to)
{
  g_autoptr (RoastRecording) recording = new_recording ();
  g_autoptr (RoastRunFile) file = create (path);

  roast_run_file_attach (file, recording);
  for (guint64 row = 0;; row += 100)
    {
      gint64 message[2] = { (gint64) row + 100, 0 };

      fill_cells (recording, row, 100);
      message[1] = g_get_real_time ();
      if (write (to, message, sizeof message) != sizeof message)
        _exit (1);
      g_usleep (1000);
    }
}

/* When that many rows had been written. */
typedef struct
{
  gint64 n_rows, time;
} Message;

static gboolean
read_message (int from, Message *message)
{
  gsize got = 0;

  while (got < sizeof *message)
    {
      gssize n = read (from, (char *) message + got, sizeof *message - got);

      if (n <= 0)
        return FALSE;
      got += (gsize) n;
    }

  return TRUE;
}

/* Runs a writer, kills it after some of its messages, and returns these. */
static GArray *
run_and_kill (const char *path, guint wanted)
{
  GArray *messages = g_array_new (FALSE, FALSE, sizeof (Message));
  g_autofree char *argument = g_strdup_printf ("--write=%s", path);
  g_autoptr (GError) error = NULL;
  /* Under valgrind an exec of the link itself would start valgrind. */
  g_autofree char *myself = g_file_read_link ("/proc/self/exe", &error);
  char *argv[] = { myself, argument, NULL };
  Message message = { 0 };
  int out = -1;
  GPid pid = 0;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  while (read_message (out, &message))
    {
      g_array_append_val (messages, message);
      if (messages->len == wanted)
        kill (pid, SIGKILL);
    }
  waitpid (pid, NULL, 0);
  close (out);
  g_assert_cmpuint (messages->len, >=, wanted);

  return messages;
}

/* All that had been written at the time until which the file says that its data reach is there, and what is there is
 * what was written. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s-%u", fixture->path, i);
      g_autoptr (GArray) messages = run_and_kill (path, (guint) g_test_rand_int_range (1, 2 + 700 * (int) i));
      g_autoptr (RoastRecording) control = new_recording ();
      g_autoptr (RoastRecording) read = NULL;
      g_autoptr (RoastRunFile) file = NULL;
      g_autoptr (GError) error = NULL;
      gint64 reach = 0;
      guint64 n_rows = 0;
      guint64 expected = 0;

      file = roast_run_file_open (path, &error);
      g_assert_no_error (error);
      g_assert_cmpint (roast_run_file_get_state (file), ==, ROAST_RUN_FILE_STATE_INTERRUPTED);
      read = roast_run_file_read (file, &error);
      g_assert_no_error (error);
      reach = roast_run_file_get_reach (file);
      /* Before the first transaction the file says only that it is a run file. */
      if (reach < 0)
        {
          g_assert_cmpuint (count_rows (read, "events"), ==, 1);
          g_assert_cmpuint (messages->len, <, 1000);
          continue;
        }
      for (guint j = 0; j < messages->len; j++)
        if (g_array_index (messages, Message, j).time <= reach)
          expected = (guint64) g_array_index (messages, Message, j).n_rows;
      n_rows = count_rows (read, "cells");
      g_test_message ("%" G_GUINT64_FORMAT " of %" G_GINT64_FORMAT " rows; the last %.3f s are missing", n_rows,
                      g_array_index (messages, Message, messages->len - 1).n_rows,
                      (double) (g_array_index (messages, Message, messages->len - 1).time - reach) / G_USEC_PER_SEC);
      g_assert_cmpuint (n_rows, >=, expected);
      fill_cells (control, 0, n_rows);
      assert_same_table (control, read, "cells", n_rows);
      g_assert_cmpuint (count_rows (read, "events"), ==, 1);
    }
}

#define ADD(name, function) g_test_add ("/run-file/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  if (argc == 2 && g_str_has_prefix (argv[1], "--write="))
    write_until_killed (argv[1] + strlen ("--write="), STDOUT_FILENO);

  g_test_init (&argc, &argv, NULL);

  ADD ("closed", test_closed);
  ADD ("charts", test_charts);
  ADD ("growing", test_growing);
  ADD ("strings", test_strings);
  ADD ("documented", test_documented);
  ADD ("refused", test_refused);
  ADD ("left-companions", test_left_companions);
  ADD ("killed", test_killed);

  return g_test_run ();
}
