/* SPDX-License-Identifier: BSD-3-Clause */

/* When the analysis worked, and what it used meanwhile: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

#define TASKS "the first start and the last end of a task of the analysis"

static const char all[] = "processes workload windows";

static RoastRecording *
make_recording (gint64 started, gint64 ended)
{
  RoastRecording *recording = roast_recording_new (NULL);

  if (started >= 0)
    roast_recording_set_metadata (recording, "started", g_variant_new_int64 (started * 1000000));
  if (ended >= 0)
    roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (ended * 1000000));

  return recording;
}

static void
task (RoastRecording *recording, const char *source, const char *id, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'task': <'%s'>, 'attempt': <int64 1>, %s}", source, id, cells);

  rows_add (recording, "tasks", row);
}

/* CPU time of the process tree so far. */
static void
sample (RoastRecording *recording, double second, double cpu)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'l'>, 'time': <int64 %d>, 'memory_pss': <int64 1>, 'cpu': <%f>}",
                                          (int) (second * 1000000), cpu);

  rows_add (recording, "cluster_samples", row);
}

/* A task that runs when the measurement ends extends the working time until then. */
static void
test_under_way (void)
{
  static const char *const open[] = { "'started': <int64 3000000>", "'running_since': <int64 3000000>",
                                      "'started': <int64 3000000>, 'status': <'running'>" };

  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (0, 20);
      g_autoptr (RoastReport) report = NULL;

      task (recording, "a", "1", "'started': <int64 4000000>, 'ended': <int64 9000000>");
      task (recording, "a", "2", open[i]);
      report = rows_aggregate (recording, all);
      assert_derived_row (report, "windows", 1, "kind=work started=3000000 ended=20000000 why=" TASKS);
    }
}

/* Each source has a window; the working time is of all of them together. */
static void
test_sources (void)
{
  g_autoptr (RoastRecording) recording = make_recording (0, 20);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "a", "1", "'started': <int64 6000000>, 'ended': <int64 9000000>");
  task (recording, "b", "1", "'started': <int64 2000000>, 'ended': <int64 4000000>");
  task (recording, "a", "2", "'started': <int64 5000000>, 'ended': <int64 7000000>");
  task (recording, "b", "2", "'started': <int64 3000000>, 'status': <'lost'>");
  task (recording, "b", "3", "'ended': <int64 19000000>");
  report = rows_aggregate (recording, all);

  g_assert_cmpuint (rows_count_derived (report, "windows"), ==, 3);
  assert_derived_row (report, "windows", 0,
                      "kind=run started=0 ended=20000000 why=the start and the end of the measurement");
  assert_derived_row (report, "windows", 1, "kind=work started=5000000 ended=9000000 why=" TASKS);
  assert_derived_row (report, "windows", 2, "kind=work started=2000000 ended=4000000 why=" TASKS);
  assert_derived (report, "windows", 1, "source", "a");
  assert_derived (report, "windows", 2, "source", "b");
  rows_assert_value (report, "work_time_seconds", 7);
  rows_assert_note (report, "work_time_seconds", ROAST_COMPLETENESS_COMPLETE, TASKS);
}

/* The role of a task has precedence over that of its category. */
static void
test_roles (void)
{
  g_autoptr (RoastRecording) recording = make_recording (0, 20);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "categories", "{'source': <'a'>, 'category': <'merge'>, 'role': <'framework'>}");
  rows_add (recording, "categories", "{'source': <'a'>, 'category': <'fit'>, 'role': <'analysis'>}");
  task (recording, "a", "1", "'category': <'merge'>, 'started': <int64 1000000>, 'ended': <int64 18000000>");
  task (recording, "a", "2",
        "'category': <'merge'>, 'role': <'analysis'>, 'started': <int64 3000000>, 'ended': <int64 5000000>");
  task (recording, "a", "3",
        "'category': <'fit'>, 'role': <'framework'>, 'started': <int64 0>, 'ended': <int64 19000000>");
  task (recording, "a", "4", "'category': <'fit'>, 'started': <int64 4000000>, 'ended': <int64 6500000>");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "work_time_seconds", 3.5);
  g_assert_cmpuint (rows_count_derived (report, "windows"), ==, 2);
}

/* What never ended worked until the end, if that is known. */
static void
test_never_ended (void)
{
  g_autoptr (RoastRecording) recording = make_recording (0, 20);
  g_autoptr (RoastRecording) open = make_recording (-1, -1);
  g_autoptr (RoastRecording) back = make_recording (0, 1);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) unknown = NULL;
  g_autoptr (RoastReport) negative = NULL;
  g_autoptr (RoastRecording) instant = make_recording (0, 1);
  g_autoptr (RoastReport) zero = NULL;

  task (recording, "a", "1", "'started': <int64 2000000>");
  rows_add (recording, "datasets", "{'events': <int64 36>, 'bytes_read': <int64 9>}");
  report = rows_aggregate (recording, all);
  assert_metric (report, "work_time_seconds", "18.0: " TASKS);
  rows_assert_value (report, "event_rate_work_per_second", 2);
  rows_assert_value (report, "data_rate_work_bytes_per_second", 0.5);
  assert_derived (report, "windows", 1, "ended", "20000000");

  task (open, "a", "1", "'started': <int64 2000000>");
  unknown = rows_aggregate (open, all);
  rows_assert_unavailable (unknown, "work_time_seconds", "no task or chunk that started has ended");
  rows_assert_unavailable (unknown, "work_cpu_time_seconds", "no task or chunk that started has ended");
  assert_derived_row (unknown, "windows", 0, "kind=run why=the start and the end of the measurement");
  assert_derived_row (unknown, "windows", 1, "kind=work started=2000000 why=" TASKS);

  /* It began when the measurement ended. */
  task (instant, "a", "1", "'started': <int64 1000000>");
  zero = rows_aggregate (instant, all);
  assert_metric (zero, "work_time_seconds", "0.0: " TASKS);

  /* It began after the end, by clocks that disagree. */
  task (back, "a", "1", "'started': <int64 2000000>");
  negative = rows_aggregate (back, all);
  rows_assert_unavailable (negative, "work_time_seconds", "no task or chunk that started has ended");
}

/* Tasks of the framework alone are no work: then chunks count, and without them the run. */
static void
test_without_tasks (void)
{
  g_autoptr (RoastRecording) recording = make_recording (0, 20);
  g_autoptr (RoastReport) run = NULL;
  g_autoptr (RoastReport) chunks = NULL;
  g_autoptr (RoastRecording) skewed = make_recording (2, 3);
  g_autoptr (RoastReport) clipped = NULL;

  roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 (19500000));
  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 1>, 'origin': <'exact'>, 'cpu_user': <3.0>, 'cpu_system': <0.9>}");
  task (recording, "a", "1", "'role': <'framework'>, 'started': <int64 2000000>, 'ended': <int64 3000000>");
  rows_add (recording, "chunks", "{'source': <'program-1'>, 'ended': <int64 4000000>}");
  run = rows_aggregate (recording, all);
  rows_assert_value (run, "work_time_seconds", 19.5);
  rows_assert_note (run, "work_time_seconds", ROAST_COMPLETENESS_COMPLETE,
                    "the value of the whole run: there are neither tasks nor chunks");
  rows_assert_value (run, "work_cpu_time_seconds", 3.9);
  rows_assert_value (run, "cores_used_work_average", 0.2);
  g_assert_cmpuint (rows_count_derived (run, "windows"), ==, 2);
  assert_derived_row (run, "windows", 1,
                      "kind=work started=0 ended=20000000 why=the whole run, because it has no tasks or chunks of "
                      "an analysis");

  rows_add (recording, "chunks", "{'source': <'program-1'>, 'started': <int64 1000000>, 'ended': <int64 4000000>}");
  chunks = rows_aggregate (recording, all);
  rows_assert_value (chunks, "work_time_seconds", 3);
  assert_derived_row (chunks, "windows", 1,
                      "kind=work started=1000000 ended=4000000 why=the first start and the last end of a chunk that "
                      "the "
                      "program reported");
  /* The clock of another host may differ: the working time is within the run. */
  rows_add (skewed, "chunks", "{'source': <'program-1'>, 'started': <int64 1000000>, 'ended': <int64 4000000>}");
  rows_add (skewed, "chunks", "{'source': <'program-1'>, 'started': <int64 5000000>, 'ended': <int64 6000000>}");
  clipped = rows_aggregate (skewed, all);
  rows_assert_value (clipped, "work_time_seconds", 1);
}

/* Chunks beyond the quota of a program count with their first start and last end, if they have a start. */
static void
test_quota (void)
{
  g_autoptr (RoastRecording) recording = make_recording (0, 20);
  g_autoptr (RoastReport) run = NULL;
  g_autoptr (RoastReport) sums = NULL;
  g_autoptr (RoastReport) both = NULL;

  rows_add (recording, "program_sums", "{'source': <'p'>, 'table': <'chunks'>, 'ended': <int64 19000000>}");
  run = rows_aggregate (recording, all);
  rows_assert_value (run, "work_time_seconds", 20);
  rows_add (recording, "program_sums",
            "{'source': <'p'>, 'table': <'chunks'>, 'started': <int64 2000000>, 'ended': <int64 5000000>}");
  sums = rows_aggregate (recording, all);
  rows_assert_value (sums, "work_time_seconds", 3);
  rows_add (recording, "chunks", "{'source': <'p'>, 'started': <int64 1000000>, 'ended': <int64 4000000>}");
  both = rows_aggregate (recording, all);
  rows_assert_value (both, "work_time_seconds", 4);
  g_assert_cmpuint (rows_count_derived (both, "windows"), ==, 2);
}

/* Of a run whose times and processes are unknown, so are those of the work, for the same reason. */
static void
test_nothing (void)
{
  g_autoptr (RoastRecording) recording = make_recording (-1, -1);
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);
  g_autoptr (RoastReport) alone = rows_aggregate (recording, "windows");

  rows_assert_unavailable (report, "work_time_seconds", "the measurement has not ended");
  rows_assert_unavailable (report, "work_cpu_time_seconds", "cannot be observed");
  rows_assert_unavailable (alone, "work_time_seconds", "the metric of the whole run was not measured");
}

/* CPU time between the samples of the tree: linear, from the start on; at a sample it is that of the sample. */
static void
check_cpu (double started, double ended, double expected, const char *doubt)
{
  g_autoptr (RoastRecording) recording = make_recording (0, 20);
  g_autofree char *cells = g_strdup_printf ("'started': <int64 %d>, 'ended': <int64 %d>", (int) (started * 1000000),
                                            (int) (ended * 1000000));
  g_autoptr (RoastReport) report = NULL;

  task (recording, "a", "1", cells);
  sample (recording, 2, 4);
  /* Of an executor's workers, and without a CPU time. */
  rows_add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 3000000>, 'cpu': <100.0>}");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 3000000>, 'memory_pss': <int64 1>}");
  sample (recording, 6, 8);
  /* The clock stood still. */
  sample (recording, 6, 9);
  sample (recording, 10, 10);
  report = rows_aggregate (recording, all);
  if (expected >= 0)
    {
      g_autofree char *note =
          g_strdup_printf ("interpolated between samples of l: the CPU time may be off by %s where the program did not",
                           doubt);

      rows_assert_value (report, "work_cpu_time_seconds", expected);
      rows_assert_note (report, "work_cpu_time_seconds", ROAST_COMPLETENESS_ESTIMATED, note);
    }
  else
    rows_assert_unavailable (report, "work_cpu_time_seconds", "not sampled both before and after");
}

/* Samples at 0, 2, 6 and 10 s: 0, 4, 8 and 10 s of CPU time. */
static void
test_cpu (void)
{
  check_cpu (0, 2, 4, "0 s");
  check_cpu (0, 1, 2, "2.00 s");
  check_cpu (0.5, 1, 1, "3.00 s");
  check_cpu (1, 4, 4, "4.00 s");
  check_cpu (1, 6, 6, "2.00 s");
  check_cpu (2, 6, 4, "0 s");
  check_cpu (2, 9, 5.5, "1.50 s");
  check_cpu (4, 8, 3, "3.00 s");
  check_cpu (8, 10, 1, "1.00 s");
  check_cpu (9, 11, -1, NULL);
  check_cpu (11, 12, -1, NULL);
}

/* Before the first sample nothing is known unless the measurement began then. */
static void
test_cpu_unknown (void)
{
  g_autoptr (RoastRecording) recording = make_recording (-1, 20);
  g_autoptr (RoastRecording) none = make_recording (0, 20);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) unsampled = NULL;

  task (recording, "a", "1", "'started': <int64 1000000>, 'ended': <int64 3000000>");
  sample (recording, 2, 4);
  sample (recording, 4, 6);
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "work_cpu_time_seconds", "not sampled both before and after");
  rows_assert_value (report, "work_time_seconds", 2);

  task (none, "a", "1", "'started': <int64 1000000>, 'ended': <int64 3000000>");
  rows_add (none, "cluster_samples", "{'source': <'a'>, 'time': <int64 3000000>, 'workers': <int64 1>}");
  unsampled = rows_aggregate (none, all);
  rows_assert_unavailable (unsampled, "work_cpu_time_seconds", "no backend sampled the program's processes");
}

/* A source without tasks, or with times that are missing, may have begun earlier. */
static void
test_not_covered (void)
{
  static const char *const cells[] = {
    "'source': <'b'>, 'table': <'tasks'>, 'state': <'none'>, 'reason': <'a status page has none'>",
    "'source': <'a'>, 'table': <'tasks'>, 'column': <'started'>, 'state': <'partial'>, 'reason': <'a status page has "
    "none'>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (0, 20);
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *row = g_strdup_printf ("{%s}", cells[i]);

      task (recording, "a", "1", "'started': <int64 4000000>, 'ended': <int64 9000000>");
      task (recording, "a", "2", "'ended': <int64 8000000>");
      rows_add (recording, "coverage", row);
      report = rows_aggregate (recording, all);
      rows_assert_value (report, "work_time_seconds", 5);
      rows_assert_note (report, "work_time_seconds", ROAST_COMPLETENESS_ESTIMATED, "a status page has none");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/windows/sources", test_sources);
  g_test_add_func ("/windows/under-way", test_under_way);
  g_test_add_func ("/windows/roles", test_roles);
  g_test_add_func ("/windows/never-ended", test_never_ended);
  g_test_add_func ("/windows/without-tasks", test_without_tasks);
  g_test_add_func ("/windows/quota", test_quota);
  g_test_add_func ("/windows/nothing", test_nothing);
  g_test_add_func ("/windows/cpu", test_cpu);
  g_test_add_func ("/windows/cpu-unknown", test_cpu_unknown);
  g_test_add_func ("/windows/not-covered", test_not_covered);

  return g_test_run ();
}
