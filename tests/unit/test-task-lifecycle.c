/* SPDX-License-Identifier: BSD-3-Clause */

/* What work waits for on its way through an executor: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>
#include <string.h>

#include "rows.h"

/* Cumulative seconds of a part of the executor's time. */
static void
budget (RoastRecording *recording, const char *source, const char *part, double value)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'time': <int64 1>, 'part': <'%s'>, 'value': <%.17g>}",
                                          source, part, value + 1e-300);

  rows_add (recording, "executor_times", row);
}

static void
sample (RoastRecording *recording, int second, double committed, int queued)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'taskvine-1'>, 'time': <int64 %d000000>, 'cores': <8.0>, "
                                          "'cores_committed': <%.1f>, 'tasks_queued': <int64 %d>}",
                                          second, committed, queued);

  rows_add (recording, "cluster_samples", row);
}

/* An attempt, with what else there is of it. */
static void
task (RoastRecording *recording, const char *id, int attempt, const char *prefix, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'taskvine-1'>, 'task': <'%s'>, 'attempt': <int64 %d>, 'category': <'%s'>, "
                       "'submitted': <int64 0>, %s}",
                       id, attempt, prefix, cells);

  rows_add (recording, "tasks", row);
}

/* Two that are done, of 2 cores for 3 s and of none (which is one) for 1 s; one lost, one failed, one too big, one that
 * was never given, one that was under way. */
static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  task (recording, "1", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 1500000>, 'started': <int64 2000000>, 'ended': <int64 "
        "5000000>, "
        "'fetched': <int64 5250000>, 'retrieved': <int64 6000000>, 'returned': <int64 8000000>, 'status': <'done'>, "
        "'cores': <2.0>, 'bytes_in': <int64 100>, 'bytes_out': <int64 30>");
  task (recording, "2", 1, "q",
        "'dispatched': <int64 4000000>, 'started': <int64 5000000>, 'ended': <int64 6000000>, 'status': <'done'>, "
        "'cores': <1.0>");
  task (recording, "3", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'ended': <int64 4000000>, 'status': <'lost'>, "
        "'error': <'FAILURE'>, 'cores': <2.0>");
  task (recording, "3", 2, "p",
        "'dispatched': <int64 2000000>, 'started': <int64 6000000>, 'ended': <int64 7000000>, 'status': <'failed'>, "
        "'error': <'exit code'>, 'cores': <1.0>");
  task (recording, "4", 1, "p",
        "'dispatched': <int64 2000000>, 'started': <int64 2000000>, 'ended': <int64 3500000>, 'status': <'exhausted'>, "
        "'error': <'MAX_WALL_TIME'>, 'cores': <2.0>");
  task (recording, "5", 1, "p", "'status': <'never_ran'>");
  task (recording, "6", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'status': <'unfinished'>, 'cores': <2.0>");

  return recording;
}

static void
test_attempts (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  /* 2 x 2 s lost, 1 s failed, 2 x 1.5 s too big; 2 x 3 s and 1 s were not wasted. */
  rows_assert_value (report, "wasted_core_seconds", 8);
  rows_assert_value (report, "wasted_ratio", 8 / 15.0);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "wasted_core_seconds")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  /* 1, 4, 1, 2, 2 and 1 s. */
  rows_assert_value (report, "queue_time_mean_seconds", 11 / 6.0);
  rows_assert_value (report, "queue_time_max_seconds", 4);
}

static void
test_wasted (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "wasted"), ==, 3);
  assert_derived (report, "wasted", 0, "status", "lost");
  assert_derived (report, "wasted", 0, "reason", "FAILURE");
  assert_derived (report, "wasted", 0, "core_seconds", "4");
  assert_derived (report, "wasted", 1, "reason", "MAX_WALL_TIME");
  assert_derived (report, "wasted", 1, "core_seconds", "3");
  assert_derived (report, "wasted", 2, "status", "failed");
  assert_derived (report, "wasted", 2, "attempts", "1");
}

/* The start of an attempt that vanished with its worker is not known: its time is missing, not 0. */
static void
test_unknown_start (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  task (recording, "7", 1, "p",
        "'dispatched': <int64 2000000>, 'ended': <int64 3500000>, 'status': <'lost'>, 'error': <'worker killed'>");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "wasted_core_seconds", 8);
  rows_assert_note (report, "wasted_core_seconds", ROAST_COMPLETENESS_PARTIAL, "1 attempts without a result");
  assert_derived (report, "wasted", 3, "reason", "worker killed");
  assert_derived (report, "wasted", 3, "core_seconds", NULL);
}

static void
test_phases (void)
{
  static const char *const columns[] = { "category", "phase", "attempts", "total", "mean", "max" };
  static const char *const expected[][G_N_ELEMENTS (columns)] = {
    { "p", "queue", "5", "7", "1.4", "2" },        { "p", "input", "3", "2.5", "0.833333333", "1" },
    { "p", "stage-in", "1", "0.5", "0.5", "0.5" }, { "p", "execute", "3", "5.5", "1.83333333", "3" },
    { "p", "wait", "1", "0.25", "0.25", "0.25" },  { "p", "output", "1", "0.75", "0.75", "0.75" },
    { "p", "return", "1", "2", "2", "2" },         { "q", "queue", "1", "4", "4", "4" },
    { "q", "execute", "1", "1", "1", "1" },
  };
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  g_assert_cmpuint (rows_count_derived (report, "per_phase"), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
      assert_derived (report, "per_phase", i, columns[k], expected[i][k]);
  assert_derived (report, "per_phase", 1, "bytes", "100");
  assert_derived (report, "per_phase", 5, "bytes", "30");
}

/* Where nothing was wasted there is no table, and where all is known there is no estimate. */
static void
test_no_waste (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p",
        "'dispatched': <int64 1000000>, 'started': <int64 2000000>, 'ended': <int64 5000000>, 'status': <'done'>");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "wasted_core_seconds", 0);
  rows_assert_value (report, "wasted_ratio", 0);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "wasted_core_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  g_assert_false (rows_has_derived (report, "wasted"));
}

static void
test_transfers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'in'>, 'bytes': <int64 1000>, "
            "'started': <int64 0>, 'ended': <int64 2000000>}");
  /* When is not known: it counts, but has no rate. */
  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'in'>, 'bytes': <int64 500>}");
  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'cached'>, 'bytes': <int64 70>, "
            "'started': <int64 0>, 'ended': <int64 1000000>}");
  rows_add (recording, "transfers",
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'evicted'>, 'bytes': <int64 7>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "transfer_in_bytes", 1500);
  rows_assert_value (report, "transfer_in_rate", 500);
  rows_assert_value (report, "transfer_out_bytes", 0);
  g_assert_cmpstr (roast_metric_get_reason (rows_get_metric (report, "transfer_out_rate")), ==,
                   "nothing was moved that way");
  rows_assert_value (report, "transfer_cached_bytes", 70);
  g_assert_cmpuint (rows_count_derived (report, "per_direction"), ==, 2);
  assert_derived (report, "per_direction", 0, "direction", "in");
  assert_derived (report, "per_direction", 0, "files", "2");
  assert_derived (report, "per_direction", 0, "bytes", "1500");
  assert_derived (report, "per_direction", 0, "seconds", "2");
  assert_derived (report, "per_direction", 1, "direction", "cached");
}

/* Cumulative: the last counts, of each source. What roast itself took is none of it. */
static void
test_executor (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  budget (recording, "taskvine-1", "send", 1);
  budget (recording, "taskvine-1", "polling", 2);
  budget (recording, "taskvine-1", "send", 3);
  budget (recording, "taskvine-2", "send", 1);
  budget (recording, "taskvine-1", "application", 4);
  budget (recording, "taskvine-1", "roast", 100);
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "executor_busy_ratio", 0.4);
  rows_assert_value (report, "executor_application_ratio", 0.4);
  g_assert_cmpstr (roast_metric_get_reason (rows_get_metric (report, "executor_verdict")), ==,
                   "no sample shows idle cores and waiting tasks together");
  g_assert_cmpuint (rows_count_derived (report, "executor_time"), ==, 3);
  assert_derived (report, "executor_time", 0, "part", "application");
  assert_derived (report, "executor_time", 1, "part", "send");
  assert_derived (report, "executor_time", 1, "seconds", "4");
  assert_derived (report, "executor_time", 2, "share", "0.2");
}

/* Cores are idle while tasks wait for a tenth of the time, or for less. */
static void
check_verdict (double send, double application, int idle, const char *part)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  const char *verdict = NULL;

  budget (recording, "taskvine-1", "send", send);
  budget (recording, "taskvine-1", "application", application);
  budget (recording, "taskvine-1", "polling", 100 - send - application);
  sample (recording, 1, 4, 0);
  sample (recording, 2, 8, 5);
  sample (recording, 101 - idle, 7, 5);
  sample (recording, 101, 7, 0);
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "executor_busy_ratio", send / 100);
  verdict = g_variant_get_string (roast_metric_get_value (rows_get_metric (report, "executor_verdict")), NULL);
  g_test_message ("%s", verdict);
  g_assert_nonnull (strstr (verdict, part));
}

static void
test_verdict (void)
{
  check_verdict (80, 10, 20, "the executor is the bottleneck: it was busy for 80 % of its time, and for 20 % of it");
  check_verdict (10, 80, 20, "the program is the bottleneck: it was busy elsewhere for 80 % of the time");
  check_verdict (80, 10, 5,
                 "not determined: the executor was busy for 80 % and the program elsewhere for 10 % of the whole run; "
                 "single "
                 "stretches of it are not looked at");
  check_verdict (20, 10, 20,
                 "not determined: the executor was busy for 20 % and the program elsewhere for 10 % of the whole run; "
                 "single "
                 "stretches of it are not looked at");
}

static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>, 'memory_peak': <int64 300>");
  task (recording, "2", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>, 'memory_peak': <int64 500>");
  task (recording, "3", 1, "p", "'status': <'done'>, 'dispatched': <int64 1>");
  rows_add (recording, "cluster_samples",
            "{'source': <'taskvine-1'>, 'time': <int64 1>, 'memory_committed': <int64 3>, 'memory_limit': <int64 4>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'taskvine-1'>, 'time': <int64 2>, 'memory_committed': <int64 1>, 'memory_limit': <int64 4>}");
  report = rows_aggregate (recording, "task-lifecycle");
  rows_assert_value (report, "task_memory_peak_bytes", 500);
  rows_assert_value (report, "committed_memory_peak_ratio", 0.75);
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  g_assert_cmpuint (metrics->len, ==, 21);
  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_false (rows_has_derived (report, "per_phase"));
  g_assert_false (rows_has_derived (report, "per_direction"));
  g_assert_false (rows_has_derived (report, "executor_time"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-lifecycle/attempts", test_attempts);
  g_test_add_func ("/task-lifecycle/wasted", test_wasted);
  g_test_add_func ("/task-lifecycle/unknown-start", test_unknown_start);
  g_test_add_func ("/task-lifecycle/phases", test_phases);
  g_test_add_func ("/task-lifecycle/no-waste", test_no_waste);
  g_test_add_func ("/task-lifecycle/transfers", test_transfers);
  g_test_add_func ("/task-lifecycle/executor", test_executor);
  g_test_add_func ("/task-lifecycle/verdict", test_verdict);
  g_test_add_func ("/task-lifecycle/memory", test_memory);
  g_test_add_func ("/task-lifecycle/empty", test_empty);

  return g_test_run ();
}
