/* SPDX-License-Identifier: BSD-3-Clause */

/* Logs of real managers, whole and cut, compared with an independent count of their lines. */

#include <glib/gstdio.h>
#include <string.h>

#include "rows.h"
#include "sanitized.h"
#include "vine-log.h"
#include "vine-replay.h"

static VineTaskLimit limit = { G_MAXUINT64, 0 };
static const VineReplayOptions options = { G_USEC_PER_SEC, &limit, TRUE, NULL };

typedef struct
{
  RoastRecording *recording;
  VineReplay *replay;
  VinePerformance *performance;
} Run;

static char *
get_path (const char *run, const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "taskvine", run, name, NULL);
}

static char *
read_log (const char *run, const char *name, gsize *length)
{
  g_autofree char *path = get_path (run, name);
  g_autoptr (GError) error = NULL;
  char *content = NULL;

  g_file_get_contents (path, &content, length, &error);
  g_assert_no_error (error);

  return content;
}

static void
run_open (Run *run)
{
  run->recording = roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  run->replay = vine_replay_new (run->recording, "taskvine-1", &options);
  run->performance = vine_performance_new (run->recording, "taskvine-1", options.interval);
}

static void
run_close (Run *run)
{
  vine_replay_free (run->replay);
  vine_performance_free (run->performance);
  g_object_unref (run->recording);
}

/* Feeds all lines, and an incomplete one at the end. */
static void
take_text (VineReplay *replay, const char *text, gsize length)
{
  while (length > 0)
    {
      const char *end = memchr (text, '\n', length);
      gsize n = end != NULL ? (gsize) (end - text) : length;

      vine_replay_take_line (replay, text, n);
      text += n + (end != NULL);
      length -= n + (end != NULL);
    }
}

static void
take_transaction (const char *line, gsize length, gpointer user_data)
{
  vine_replay_take_line (user_data, line, length);
}

static void
take_performance (const char *line, gsize length, gpointer user_data)
{
  vine_performance_take_line (user_data, line, length);
}

static void
read_all (const char *path, VineLogFunction function, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VineLog) log = vine_log_open (path, &error);

  g_assert_no_error (error);
  while (vine_log_read (log, 4096, function, user_data) == VINE_LOG_MORE)
    ;
}

static void
run_read (Run *run, const char *name)
{
  g_autofree char *transactions = get_path (name, "transactions");
  g_autofree char *performance = get_path (name, "performance");

  run_open (run);
  read_all (transactions, take_transaction, run->replay);
  read_all (performance, take_performance, run->performance);
  vine_performance_finish (run->performance);
  vine_replay_finish (run->replay, run->performance, -1);
}

/* ---- the same, counted in another way ---- */

typedef struct
{
  guint64 lines, tasks, ready, running, done, connections, disconnections, transfers, torn;
} Count;

/* Records begin with a time. A line that another process wrote over has a second time. */
static gboolean
is_torn (const char *line)
{
  if (strspn (line, "0123456789") != 16 || line[16] != ' ')
    return TRUE;
  for (const char *at = strstr (line + 1, "17952"); at != NULL; at = strstr (at + 1, "17952"))
    if (strspn (at, "0123456789") >= 16 && at[strspn (at, "0123456789")] == ' ')
      return TRUE;

  return FALSE;
}

static void
count_line (Count *count, GHashTable *tasks, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 6);

  count->lines++;
  if (*line == '#')
    return;
  if (is_torn (line))
    {
      count->torn++;
      return;
    }
  if (strstr (line, " READY ") != NULL && g_hash_table_add (tasks, g_strdup (words[3])))
    count->tasks++;
  count->ready += strstr (line, " READY ") != NULL;
  count->running += strstr (line, " RUNNING ") != NULL;
  count->done += strstr (line, " DONE ") != NULL && strstr (line, "LIBRARY_EXIT") == NULL;
  count->connections += strstr (line, " CONNECTION ") != NULL;
  count->disconnections += strstr (line, " DISCONNECTION ") != NULL;
  count->transfers += strstr (line, " TRANSFER ") != NULL || strstr (line, " CACHE_UPDATE ") != NULL;
}

/* Counts the whole lines of a text. */
static Count
count_text (const char *text, gsize length)
{
  g_autoptr (GHashTable) tasks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *copy = g_strndup (text, length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  Count count = { 0 };

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    count_line (&count, tasks, lines[i]);

  return count;
}

static void
compare_counts (Run *run, const char *name)
{
  gsize length = 0;
  g_autofree char *text = read_log (name, "transactions", &length);
  VineCounts counts = run->replay->counts;
  Count count = count_text (text, length);

  g_assert_cmpuint (counts.lines, ==, count.lines);
  g_assert_cmpuint (counts.unusable, ==, count.torn);
  g_assert_cmpuint (counts.unknown, ==, 0);
  g_assert_cmpuint (counts.tasks.submitted, ==, count.tasks);
  g_assert_cmpuint (counts.tasks.attempts, ==, count.ready);
  g_assert_cmpuint (counts.tasks.dispatched, ==, count.running);
  g_assert_cmpuint (counts.tasks.returned, ==, count.done);
  g_assert_cmpuint (counts.workers.joined - counts.workers.unnamed, ==, count.connections);
  g_assert_cmpuint (counts.workers.left, ==, count.disconnections);
  g_assert_cmpuint (rows_count (run->recording, "workers"), ==, counts.workers.joined);
  g_assert_cmpuint (rows_count (run->recording, "transfers"), ==, count.transfers);
}

/* Compares with the manager's own sum, from the last row of its performance log. */
static void
compare_execute (Run *run)
{
  double execute = vine_performance_get (run->performance, "time_execute") / G_USEC_PER_SEC;

  g_assert_cmpfloat (execute, >, 0);
  g_assert_cmpfloat_with_epsilon (run->replay->counts.tasks.execute, execute, 0.01 * execute);
}

/* ---- whole ---- */

/* 155 tasks of five categories. One worker is killed during a task, another gives one back. */
static void
test_main (void)
{
  const char *run_name = "run-7.14.5";
  Run run = { 0 };

  run_read (&run, run_name);
  compare_counts (&run, run_name);
  compare_execute (&run);
  g_assert_cmpuint (run.replay->counts.tasks.submitted, ==, 155);
  g_assert_cmpuint (run.replay->counts.tasks.attempts, ==, 157);
  g_assert_cmpuint (run.replay->counts.tasks.dispatched, ==, 157);
  g_assert_cmpuint (run.replay->counts.workers.joined, ==, 3);
  g_assert_cmpuint (run.replay->counts.tasks.lost, ==, 2);
  g_assert_cmpuint (run.replay->counts.tasks.unfinished, ==, 0);
  assert_cell (run.recording, "spans", 0, "name", "manager 4294");
  g_assert_cmpint (run.replay->times.started, ==, G_GINT64_CONSTANT (1795208344951147));
  g_assert_cmpint (run.replay->times.ended, ==, G_GINT64_CONSTANT (1795208370976669));
  g_assert_cmpuint (rows_count (run.recording, "tasks"), ==, 157);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "status", "lost"), ==, 2);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "error", "FAILURE"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "error", "given back"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "attempt", "2"), ==, 2);
  /* The resource monitor was off. */
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "cpu", NULL), ==, 157);
  g_assert_cmpuint (rows_count_with (run.recording, "workers", "leave_reason", "FAILURE"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "workers", "leave_reason", "EXPLICIT"), ==, 2);
  g_assert_cmpuint (rows_count_with (run.recording, "workers", "cause", "lost"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "workers", "cause", "closed"), ==, 2);
  g_assert_cmpuint (rows_count (run.recording, "libraries"), ==, 0);
  g_assert_cmpuint (rows_count (run.recording, "events"), ==, 1);
  g_assert_true (rows_has_event (run.recording, "transfers-untimed", "(42 files)"));
  run_close (&run);
}

/* A library is not a task. */
static void
test_library (void)
{
  Run run = { 0 };

  run_read (&run, "run-library");
  compare_counts (&run, "run-library");
  compare_execute (&run);
  g_assert_cmpuint (rows_count (run.recording, "tasks"), ==, 6);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "category", "func"), ==, 6);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "status", "done"), ==, 6);
  g_assert_cmpuint (rows_count (run.recording, "libraries"), ==, 2);
  g_assert_cmpuint (run.replay->counts.tasks.libraries, ==, 2);
  assert_row (run.recording, "libraries", 0,
              "library=7 worker=worker-170af349ab52917aa8888844ec5f53db sent=1795209361517111 ready=1795209361518355 "
              "ended=1795209362234035 status=done result=LIBRARY_EXIT cores=1");
  for (guint id = 7; id <= 8; id++)
    {
      g_autofree char *text = g_strdup_printf ("%u", id);

      g_assert_cmpuint (rows_count_with (run.recording, "tasks", "task", text), ==, 0);
    }
  run_close (&run);
}

/* Of three attempts with a result, one was measured. A library and a function call died with their worker. */
static void
test_monitored (void)
{
  Run run = { 0 };

  run_read (&run, "run-monitored");
  compare_counts (&run, "run-monitored");
  compare_execute (&run);
  g_assert_cmpuint (run.replay->counts.tasks.measured, ==, 1);
  g_assert_cmpuint (run.replay->counts.tasks.unmeasured, ==, 0);
  g_assert_cmpuint (run.replay->counts.tasks.never_ran, ==, 16);
  g_assert_cmpuint (run.replay->counts.tasks.waiting_again, ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "cpu", "0.003797"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "memory_peak", "3145728"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "exit_code", "137"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "error", "OUTPUT_MISSING"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "error", "given back"), ==, 1);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "status", "never_ran"), ==, 17);
  g_assert_cmpuint (rows_count (run.recording, "libraries"), ==, 1);
  g_assert_true (rows_has_event (run.recording, "memory-sampled", "may have been higher"));
  g_assert_cmpuint (rows_count (run.recording, "events"), ==, 1);
  run_close (&run);
}

/* Dask names categories after objects in memory. */
static void
test_dask (void)
{
  Run run = { 0 };

  run_read (&run, "run-dask");
  compare_counts (&run, "run-dask");
  compare_execute (&run);
  g_assert_cmpuint (rows_count (run.recording, "tasks"), ==, 13);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "category", "processing"), ==, 12);
  g_assert_cmpuint (rows_count_with (run.recording, "tasks", "category", "accumulate"), ==, 1);
  run_close (&run);
}

/* Two managers wrote over each other. Readable lines count, the others are reported. */
static void
test_two_managers (void)
{
  Run run = { 0 };

  run_read (&run, "two-managers-same-second");
  g_assert_cmpuint (run.replay->counts.lines, ==, 434);
  compare_counts (&run, "two-managers-same-second");
  g_assert_false (rows_has_event (run.recording, "shared-log", ""));
  g_assert_true (rows_has_event (run.recording, "contradicting-records", "1 records"));
  g_assert_true (rows_has_event (run.recording, "unusable-lines", "27 of 434 lines"));
  g_assert_cmpuint (vine_performance_get_n_bad (run.performance), >, 0);
  run_close (&run);
}

/* ---- cut ---- */

static gsize
whole_lines (const char *text, gsize length)
{
  while (length > 0 && text[length - 1] != '\n')
    length--;

  return length;
}

/* Attempts that were over before the cut are the same as in the whole log. */
static void
check_rows (Run *whole, Run *cut, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *expected = rows_show (whole->recording, "tasks", i);

      assert_row (cut->recording, "tasks", i, expected);
    }
}

/* Cuts the log at @length. A line without its newline is still read. */
static void
check_cut (const char *text, gsize length)
{
  gsize before = text[length] == '\n' ? length + 1 : whole_lines (text, length);
  Count count = count_text (text, before);
  gboolean torn_end = before < length && g_strstr_len (text + before, (gssize) (length - before), " DONE ") != NULL;
  VineCounts counts;
  Run run = { 0 };

  run_open (&run);
  take_text (run.replay, text, length);
  vine_replay_finish (run.replay, NULL, -1);
  counts = run.replay->counts;
  /* The cut may be right after the exit code. */
  g_assert_cmpuint (counts.tasks.returned, >=, count.done);
  g_assert_cmpuint (counts.tasks.returned, <=, count.done + (torn_end ? 1 : 0));
  g_assert_cmpuint (rows_count (run.recording, "tasks") - rows_count_with (run.recording, "tasks", "returned", NULL),
                    ==, counts.tasks.returned);
  g_assert_cmpuint (counts.workers.joined, >=, count.connections);
  g_assert_cmpuint (counts.workers.joined, <=, count.connections + 1);
  g_assert_cmpuint (counts.tasks.attempts, ==, count.ready);
  g_assert_cmpuint (counts.unusable, <=, 1);
  run_close (&run);
}

/* Cuts each third line of the long log once, and the short log at every seventh byte; with sanitizers, a fifth as
 * often. */
static void
test_cuts (void)
{
  gsize length = 0;
  g_autofree char *text = read_log ("run-7.14.5", "transactions", &length);
  gsize at = 0;

  for (guint i = 0; at < length; i++)
    {
      gsize line = (gsize) ((const char *) memchr (text + at, '\n', length - at) - (text + at)) + 1;

      if (i % (SANITIZED ? 15 : 3) == 0)
        check_cut (text, at + i * 7 % line);
      at += line;
    }
  g_clear_pointer (&text, g_free);
  text = read_log ("run-monitored", "transactions", &length);
  for (gsize cut = 0; cut <= length; cut += SANITIZED ? 35 : 7)
    check_cut (text, cut);
}

/* Feeds every beginning of every line, in order. */
static void
check_beginnings (const char *name)
{
  gsize length = 0;
  g_autofree char *text = read_log (name, "transactions", &length);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Run run = { 0 };
  guint64 n = 0;

  run_open (&run);
  for (guint i = 0; lines[i] != NULL; i++)
    for (gsize k = *lines[i] == '#' ? strlen (lines[i]) : 0; k <= strlen (lines[i]); k++)
      {
        /* In its own block, so that a sanitizer notices reads beyond its end. */
        g_autofree char *copy = g_memdup2 (lines[i], MAX (k, 1));

        vine_replay_take_line (run.replay, copy, k);
        n++;
      }
  vine_replay_finish (run.replay, NULL, -1);
  g_assert_cmpuint (run.replay->counts.lines, ==, n);
  run_close (&run);
}

static void
test_beginnings (void)
{
  check_beginnings ("run-7.14.5");
  check_beginnings ("run-monitored");
}

/* Read from a file: an incomplete line waits for its end. */
static void
check_file (Run *whole, const char *path, const char *text, gsize length)
{
  gsize before = whole_lines (text, length);
  Count count = count_text (text, before);
  g_autoptr (GError) error = NULL;
  g_autoptr (VineLog) log = NULL;
  guint64 over = 0;
  Run run = { 0 };

  g_file_set_contents (path, text, (gssize) length, &error);
  g_assert_no_error (error);
  log = vine_log_open (path, &error);
  g_assert_no_error (error);
  run_open (&run);
  g_assert_cmpint (vine_log_read (log, G_MAXSIZE, take_transaction, run.replay), ==, VINE_LOG_END);
  g_assert_cmpuint (vine_log_get_torn (log), ==, length - before);
  over = rows_count (run.recording, "tasks");
  vine_replay_finish (run.replay, NULL, -1);
  g_assert_cmpuint (run.replay->counts.lines, ==, count.lines);
  g_assert_cmpuint (run.replay->counts.tasks.returned, ==, count.done);
  g_assert_cmpuint (run.replay->counts.unusable, ==, 0);
  g_assert_cmpuint (over, ==, count.done + run.replay->counts.tasks.lost);
  check_rows (whole, &run, over);
  run_close (&run);
}

static void
test_files (void)
{
  g_autofree char *directory = g_dir_make_tmp ("roast-vine-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "transactions", NULL);
  gsize length = 0;
  g_autofree char *text = read_log ("run-7.14.5", "transactions", &length);
  Run whole = { 0 };

  run_read (&whole, "run-7.14.5");
  for (guint i = 0; i < 36; i++)
    check_file (&whole, path, text, length * i / 36 + i);
  check_file (&whole, path, text, length);
  run_close (&whole);
  g_remove (path);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/vine-recordings/main", test_main);
  g_test_add_func ("/vine-recordings/library", test_library);
  g_test_add_func ("/vine-recordings/monitored", test_monitored);
  g_test_add_func ("/vine-recordings/dask", test_dask);
  g_test_add_func ("/vine-recordings/two-managers", test_two_managers);
  g_test_add_func ("/vine-recordings/cuts", test_cuts);
  g_test_add_func ("/vine-recordings/beginnings", test_beginnings);
  g_test_add_func ("/vine-recordings/files", test_files);

  return g_test_run ();
}
