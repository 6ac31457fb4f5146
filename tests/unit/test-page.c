/* SPDX-License-Identifier: BSD-3-Clause */

/* The first page of a report: what is on it, and what fits. */

#include <locale.h>
#include <roast/roast.h>
#include <string.h>

#include "rows.h"

#define S ((double) G_USEC_PER_SEC)
#define AGGREGATORS "processes workload windows workers tasks task-activity task-lifecycle core-time"

G_GNUC_PRINTF (3, 4)
static void
add_row (RoastRecording *recording, const char *table, const char *format, ...)
{
  g_autofree char *row = NULL;
  va_list arguments;

  va_start (arguments, format);
  row = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  rows_add (recording, table, row);
}

static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (20 * G_USEC_PER_SEC));

  return recording;
}

static void
add_task (RoastRecording *recording, const char *source, const char *task, const char *worker, double started,
          double ended, const char *cells)
{
  add_row (recording, "tasks",
           "{'source': <'%s'>, 'task': <'%s'>, 'attempt': <int64 1>, 'category': <'job'>, 'worker': <'%s'>, "
           "'submitted': <int64 1000000>, "
           "'ready': <int64 1000000>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, 'ended': <int64 %.0f>, "
           "'status': <'done'>%s}",
           source, task, worker, started * S, started * S, ended * S, cells);
}

static void
add_worker (RoastRecording *recording, const char *source, const char *worker, const char *cells)
{
  add_row (recording, "workers",
           "{'source': <'%s'>, 'worker': <'%s'>, 'joined': <int64 1000000>, 'left': <int64 19000000>%s}", source,
           worker, cells);
}

static char *
draw (RoastRecording *recording, RoastReport *report, const char *options)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GVariant) parsed = g_variant_parse (G_VARIANT_TYPE_VARDICT, options, NULL, NULL, NULL);
  g_autoptr (RoastExporter) exporter = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  exporter = roast_registry_create_exporter (registry, "table", parsed, &error);
  g_assert_no_error (error);
  roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error);
  g_assert_no_error (error);
  bytes = roast_output_dup_bytes (output, "report.txt");

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
check (const char *page, const char *part)
{
  if (strstr (page, part) == NULL)
    g_error ("“%s” is not in:\n%s", part, page);
}

/* ---- what fits ---- */

static void
add_finding (RoastReport *report, guint number)
{
  g_autofree char *rule = g_strdup_printf ("rule-%u", number);
  g_autofree char *text = g_strdup_printf ("Finding %u says what limited the run, by numbers that are its evidence: 1 "
                                           "of 2, 3 of 4, 5 of 6 and 7 of 8, which is more than there should be.",
                                           number);
  g_autoptr (RoastFinding) finding = roast_finding_new (rule, ROAST_FINDING_SEVERITY_WARNING, text);

  roast_finding_set_share (finding, 0.5 - 0.1 * number);
  roast_finding_set_advice (finding,
                            "Do less of one thing and more of the other, or measure again to see what it was.");
  roast_report_add_finding (report, finding);
}

static guint
count_lines (const char *page)
{
  guint n = 0;

  for (const char *c = page; *c != '\0'; c++)
    n += *c == '\n';

  return n;
}

/* Everything has something to say. */
/* Line by line: before GLib 2.68 further lines of a message are not marked as a comment of TAP. */
static void
print_page (const char *page)
{
  g_auto (GStrv) lines = g_strsplit (page, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_test_message ("%s", lines[i]);
}

static void
test_narrow (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'x'>, 'backend': <'dask'>}");
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *worker = g_strdup_printf ("tcp://127.0.0.1:4000%u", i);
      g_autofree char *task = g_strdup_printf ("job-3f2504e0-4f89-11d3-9a0c-%u", i);

      add_worker (recording, "x", worker,
                  ", 'host': <'127.0.0.1'>, 'cores': <1.0>, 'memory_peak': <int64 140000000>, 'cpu': <3.0>");
      add_task (recording, "x", task, worker, 2 + i, 9 + i, ", 'cpu': <2.0>, 'memory_peak': <int64 130000000>");
      add_row (recording, "events",
               "{'source': <'x'>, 'severity': <'warning'>, 'message': <'warning %u is a sentence that takes more than "
               "one line of a narrow page'>}",
               i);
    }
  report = rows_aggregate (recording, AGGREGATORS);
  for (guint i = 0; i < 4; i++)
    add_finding (report, i);
  for (guint width = 60; width <= 200; width += 10)
    {
      g_autofree char *options = g_strdup_printf ("{'width': <int64 %u>}", width);
      g_autofree char *page = draw (recording, report, options);
      guint lines = count_lines (page);

      print_page (page);
      g_assert_cmpuint (lines, <=, 40);
      g_assert_cmpuint (lines, >=, 36);
      check (page, "Outcome:");
      check (page, "\nFindings\n");
      check (page, "Finding 0");
      check (page, "more: -e table,sections=");
      check (page, "\nKey numbers\n");
      check (page, "\nCore time: ");
      if (width >= 80)
        check (page, "\nCostliest\n");
    }
}

/* A share of the run is not one of the core time. */
static void
test_share (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "windows");
  g_autoptr (RoastFinding) late = roast_finding_new ("late", ROAST_FINDING_SEVERITY_WARNING, "Late.");
  g_autoptr (RoastFinding) slow = roast_finding_new ("slow", ROAST_FINDING_SEVERITY_WARNING, "Slow.");
  g_autofree char *page = NULL;

  roast_finding_set_share (late, 0.003);
  roast_finding_set_run_share (late, 0.8);
  roast_finding_set_share (slow, 0.6);
  roast_report_add_finding (report, slow);
  roast_report_add_finding (report, late);
  page = draw (recording, report, "{'sections': <'findings'>}");
  check (page, "1. Late. [80.0 % of the run]");
  check (page, "2. Slow. [60.0 % of the core time]");
}

/* ---- outcome ---- */

/* -1: not available */
typedef struct
{
  int total, failed, wasted, skipped;
  const char *text;
  gboolean is_good;
} Chunks;

static void
add_number (RoastReport *report, const char *name, int value)
{
  if (value >= 0)
    roast_report_add_int64 (report, name, value, ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* What counts is whether chunks are in the result, not how many attempts at them there were. */
static void
test_chunks (void)
{
  static const Chunks cases[] = {
    { 36, 0, 0, 0, "chunks: 36 in the result, 0 failed\n", TRUE },
    { 36, 36, 36, 0, "chunks: 36 in the result; 36 attempts failed\n", TRUE },
    { 36, 1, 4, 0, "chunks: 36 in the result; 1 attempt failed, 4 wasted\n", TRUE },
    { 36, 0, 4, 0, "chunks: 36 in the result, 0 failed; 4 attempts wasted\n", TRUE },
    { 26, 40, 40, 10, "chunks: 26 of 36 in the result, 10 skipped; 40 attempts failed\n", FALSE },
    { 36, 0, -1, -1, "chunks: 36 in the result, 0 failed\n", TRUE },
    /* Whether they were repeated is unknown. */
    { 36, 3, -1, -1, "chunks: 36 attempts, 3 failed\n", FALSE },
    { 36, 3, 3, -1, "chunks: 36 in the result; 3 attempts failed\n", FALSE },
    { 0, 4, 4, -1, "chunks: 0 in the result; 4 attempts failed\n", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRegistry) registry = roast_registry_new ();
      g_autoptr (RoastRecording) recording = make_recording ();
      g_autoptr (RoastReport) report = roast_report_new (roast_registry_get_schema (registry));
      g_autofree char *page = NULL;

      add_number (report, "exit_status", 0);
      add_number (report, "chunks_total", cases[i].total);
      add_number (report, "chunks_failed_total", cases[i].failed);
      add_number (report, "chunks_wasted_total", cases[i].wasted);
      add_number (report, "chunks_skipped_total", cases[i].skipped);
      page = draw (recording, report, "{'sections': <'outcome'>, 'color': <'always'>}");
      check (page, cases[i].text);
      check (page, cases[i].is_good ? "\033[32mOutcome" : "\033[31mOutcome");
    }
}

/* A call may raise an error before it processes a chunk. */
static void
test_no_chunks (void)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = roast_report_new (roast_registry_get_schema (registry));
  g_autofree char *page = NULL;

  add_number (report, "exit_status", 0);
  add_number (report, "preprocessing_files_failed_total", 1);
  page = draw (recording, report, "{'sections': <'outcome'>, 'color': <'always'>}");
  check (page, "\033[31mOutcome");
  check (page, "exit status 0; chunks: 1 of the files could not be prepared\n");
}

/* ---- names ---- */

/* Keys that are tuples differ at their ends. */
static void
test_tuples (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *page = NULL;

  rows_add (recording, "sources", "{'source': <'x'>, 'backend': <'dask'>}");
  add_worker (recording, "x", "w", ", 'cores': <2.0>");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *long_name = g_strnfill (380, 'a');
      g_autofree char *task = g_strdup_printf ("(%s, part, %u)", long_name, 30 + i);

      add_task (recording, "x", task, "w", 2, 9 + i, "");
    }
  report = rows_aggregate (recording, AGGREGATORS);
  page = draw (recording, report, "{'sections': <'costliest'>}");
  check (page, "part, 30) ");
  check (page, "part, 31) ");
}

/* The page lists a task that has not ended by the time that it has run so far. */
static void
test_running (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *page = NULL;

  rows_add (recording, "sources", "{'source': <'x'>, 'backend': <'x'>}");
  add_worker (recording, "x", "w", ", 'cores': <2.0>");
  add_task (recording, "x", "short", "w", 2, 3, "");
  rows_add (recording, "tasks",
            "{'source': <'x'>, 'task': <'stuck'>, 'attempt': <int64 1>, 'worker': <'w'>, 'running_since': <int64 "
            "3000000>}");
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (10000000));
  report = rows_aggregate (recording, AGGREGATORS);
  page = draw (recording, report, "{'sections': <'costliest'>}");
  check (page, "running  stuck");
  check (page, "7.00 s");
}

/* A key number that is at least 0 says nothing, so it is left out; a larger lower bound is shown. */
static void
test_zero_bound (void)
{
  for (guint used = 0; used < 2; used++)
    {
      g_autoptr (RoastRecording) recording = make_recording ();
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *page = NULL;

      rows_add (recording, "sources", "{'source': <'x'>, 'backend': <'x'>}");
      add_worker (recording, "x", "w", ", 'cores': <2.0>");
      add_task (recording, "x", "short", "w", 2, 3, "");
      add_row (recording, "cluster_samples",
               "{'source': <'x'>, 'time': <int64 2000000>, 'workers': <int64 1>, 'memory_limit': <int64 100>, "
               "'memory_committed': <int64 %u>}",
               50 * used);
      rows_add (recording, "coverage",
                "{'table': <'cluster_samples'>, 'state': <'partial'>, 'reason': <'some are missing'>}");
      report = rows_aggregate (recording, AGGREGATORS);
      rows_assert_note (report, "committed_memory_peak_ratio", ROAST_COMPLETENESS_PARTIAL, "some are missing");
      page = draw (recording, report, "{'sections': <'numbers'>}");
      g_assert_true ((strstr (page, "Memory allocated to tasks") != NULL) == (used > 0));
    }
}

/* The memory of a command may be a bound, and its CPU time in three parts. */
static void
test_bounds_of_commands (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *page = NULL;

  rows_add (recording, "sources", "{'source': <'p-1'>, 'backend': <'processes'>}");
  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 1>, 'origin': <'sampled'>, 'command': <'cc'>, 'cpu_user': <1.0>, "
            "'cpu_system': <0.5>, 'cpu_unsplit': <2.0>, 'memory_peak': <int64 1048576>, 'memory_peak_bound': "
            "<'at_least'>}");
  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 2>, 'origin': <'exact'>, 'command': <'ld'>, 'cpu_user': <1.0>, "
            "'cpu_system': <0.25>, 'memory_peak': <int64 2097152>, 'memory_peak_bound': <'exact'>}");
  report = rows_aggregate (recording, AGGREGATORS);
  page = draw (recording, report, "{'sections': <'costliest'>}");
  check (page, "3.50 s");
  check (page, "≥ 1.00 MiB");
  check (page, "2.00 MiB");
}

/* ---- core time ---- */

/* Two executors, of which the second worked while the first was idle. */
static void
test_two_executors (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *page = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *source = g_strdup_printf ("s%u", i);
      g_autofree char *worker = g_strdup_printf ("w%u", i);

      add_row (recording, "sources", "{'source': <'%s'>, 'backend': <'dask'>}", source);
      add_worker (recording, source, worker, i == 0 ? ", 'cores': <3.0>" : ", 'cores': <1.0>");
      if (i == 1)
        add_task (recording, source, "t", worker, 1, 19, ", 'cpu': <18.0>");
    }
  /* The processes of workers offer nothing more. */
  rows_add (recording, "sources", "{'source': <'p'>, 'worker_kind': <'process'>}");
  add_worker (recording, "p", "p1", ", 'cores': <8.0>");
  report = rows_aggregate (recording, AGGREGATORS);
  page = draw (recording, report, "{'sections': <'core_time'>}");
  check (page, "Core time: 1 min 12 s offered by 2 sources\n");
  check (page, " 75.0 % ");
  check (page, " 25.0 % ");
  g_assert_cmpuint (count_lines (page), ==, 6);
}

static RoastReport *
make_core_time (RoastRecording *recording, const double *seconds, guint n, const char *part_0, const char *complete)
{
  static const char *const columns[] = { "source", "window", "stretch", "part", "core_seconds", "complete", NULL };
  static const char *const words[] = { "lost.failed", "library.start",  "library.idle",    "task.cpu",
                                       "task.wait",   "framework.wait", "move.in",         "move.out",
                                       "task.spill",  "idle.executor",  "reserved.unused", "idle.no_fit" };
  RoastReport *report = rows_aggregate (recording, "windows");
  g_autoptr (RoastTableWriter) table = roast_report_write_table (report, ROAST_TABLE_CORE_TIME, columns, NULL);

  for (guint i = 0; i < n; i++)
    {
      roast_table_writer_set_string (table, 0, "x");
      roast_table_writer_set_string (table, 1, "run");
      roast_table_writer_set_string (table, 2, "steady");
      roast_table_writer_set_string (table, 3, i == 0 ? part_0 : words[i]);
      roast_table_writer_set_double (table, 4, seconds[i]);
      roast_table_writer_set_string (table, 5, i == 0 ? complete : "complete");
      g_assert_true (roast_table_writer_end (table, NULL));
    }

  return report;
}

/* A part of which not all is known, and one that is exact beside it. */
static void
test_marks (void)
{
  static const struct
  {
    const char *part, *complete, *share, *seconds;
  } cases[] = {
    { "task.unsplit", "partial", "~ 30.0 %", " ≥ 6.00 s" },
    { "lost.failed", "estimated", "~ 30.0 %", " ~ 6.00 s" },
    /* Shared out among stretches, but exact for the run. */
    { "task.wait", "estimated", "   30.0 %", " %  6.00 s" },
    { "task.unsplit", "complete", "   30.0 %", " %  6.00 s" },
    /* What a source does not show happened in this time. */
    { "idle.no_work", "partial", "~ 30.0 %", " ~ 6.00 s" },
  };
  static const double seconds[] = { 6, 14 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording ();
      g_autoptr (RoastReport) report = make_core_time (recording, seconds, 2, cases[i].part, cases[i].complete);
      g_autofree char *page = draw (recording, report, "{'sections': <'core_time'>}");

      check (page, cases[i].share);
      check (page, cases[i].seconds);
      check (page, "  70.0 %");
      g_assert_null (strstr (page, "~ 70.0 %"));
    }
}

/* More parts than there is room for, and parts that round to nothing. */
static void
test_rest (void)
{
  static const double many[] = { 20, 18, 16, 12, 10, 8, 6, 4, 3, 1.5, 1, 0.5 };
  static const double little[] = { 98.5, 0.4, 0.4, 0.3, 0.4 };
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = make_core_time (recording, many, G_N_ELEMENTS (many), "lost.failed", "complete");
  g_autoptr (RoastReport) other = make_core_time (recording, little, G_N_ELEMENTS (little), "lost.failed", "complete");
  g_autofree char *page = draw (recording, report, "{}");
  g_autofree char *all = draw (recording, report, "{'sections': <'core_time'>}");
  g_autofree char *small = draw (recording, other, "{}");

  check (page, " 4.0 %  4.00 s");
  check (page, "the rest");
  check (page, " 6.0 %  6.00 s");
  g_assert_null (strstr (page, " 3.0 %"));
  check (all, " 3.0 %");
  check (all, " 0.5 %");
  g_assert_null (strstr (all, "the rest"));
  check (small, "the rest");
  check (small, " 1.5 %      1.50 s");
  check (small, "Core time: 1 min 40 s offered by the workers\n");
}

/* A program without workers used the cores of the machine. */
static void
test_offered (void)
{
  static const double seconds[] = { 20 };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *page = NULL;

  rows_add (recording, "sources", "{'source': <'x'>, 'worker_kind': <'process'>}");
  report = make_core_time (recording, seconds, 1, "task.wait", "complete");
  page = draw (recording, report, "{'sections': <'core_time'>}");
  check (page, "Core time: 20.0 s offered to the program\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_CTYPE, "C.UTF-8");
  g_test_add_func ("/page/narrow", test_narrow);
  g_test_add_func ("/page/share", test_share);
  g_test_add_func ("/page/offered", test_offered);
  g_test_add_func ("/page/chunks", test_chunks);
  g_test_add_func ("/page/no-chunks", test_no_chunks);
  g_test_add_func ("/page/tuples", test_tuples);
  g_test_add_func ("/page/running", test_running);
  g_test_add_func ("/page/zero-bound", test_zero_bound);
  g_test_add_func ("/page/bounds-of-commands", test_bounds_of_commands);
  g_test_add_func ("/page/two-executors", test_two_executors);
  g_test_add_func ("/page/marks", test_marks);
  g_test_add_func ("/page/rest", test_rest);

  return g_test_run ();
}
