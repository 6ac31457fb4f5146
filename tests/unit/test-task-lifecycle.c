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

static RoastMetric *
find (RoastReport *report, const char *name)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  g_assert_nonnull (metric);

  return metric;
}

static void
assert_value (RoastReport *report, const char *name, double expected)
{
  double value = 0;

  g_assert_true (roast_report_get_double (report, name, &value));
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9 * MAX (1, ABS (expected)));
}

static RoastTableSnapshot *
get_table (RoastReport *report, const char *name)
{
  g_assert_nonnull (roast_report_get_table (report, name));

  return roast_table_snapshot (roast_report_get_table (report, name));
}

static double
number (RoastTableSnapshot *table, guint64 row, const char *name)
{
  return roast_table_snapshot_get_double (table, row, (guint) roast_table_snapshot_find_column (table, name));
}

static gint64
integer (RoastTableSnapshot *table, guint64 row, const char *name)
{
  return roast_table_snapshot_get_int64 (table, row, (guint) roast_table_snapshot_find_column (table, name));
}

static const char *
text (RoastTableSnapshot *table, guint64 row, const char *name)
{
  return roast_table_snapshot_get_string (table, row, (guint) roast_table_snapshot_find_column (table, name));
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
        "'cores': <0.0>");
  task (recording, "3", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'ended': <int64 4000000>, 'status': <'lost'>, "
        "'error': <'FAILURE'>, 'cores': <2.0>");
  task (recording, "3", 2, "p",
        "'dispatched': <int64 2000000>, 'started': <int64 6000000>, 'ended': <int64 7000000>, 'status': <'failed'>, "
        "'error': <'exit code'>, 'cores': <1.0>");
  task (recording, "4", 1, "p",
        "'dispatched': <int64 2000000>, 'started': <int64 2000000>, 'ended': <int64 3500000>, 'status': <'exhausted'>, "
        "'error': <'MAX_WALL_TIME'>, 'cores': <2.0>");
  task (recording, "5", 1, "p", "'status': <'waiting'>");
  task (recording, "6", 1, "p",
        "'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'status': <'interrupted'>, 'cores': <2.0>");

  return recording;
}

static void
test_attempts (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");

  assert_value (report, "attempts_lost_total", 1);
  assert_value (report, "attempts_exhausted_total", 1);
  assert_value (report, "attempts_retried_total", 1);
  /* 2 x 2 s lost, 1 s failed, 2 x 1.5 s too big; 2 x 3 s and 1 s were not in vain. */
  assert_value (report, "wasted_core_seconds", 8);
  assert_value (report, "wasted_ratio", 8 / 15.0);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "wasted_core_seconds")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  /* 1, 4, 1, 2, 2 and 1 s. */
  assert_value (report, "queue_time_mean_seconds", 11 / 6.0);
  assert_value (report, "queue_time_max_seconds", 4);
}

static void
test_wasted (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");
  g_autoptr (RoastTableSnapshot) wasted = get_table (report, "wasted");

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (wasted), ==, 3);
  g_assert_cmpstr (text (wasted, 0, "status"), ==, "lost");
  g_assert_cmpstr (text (wasted, 0, "reason"), ==, "FAILURE");
  g_assert_cmpfloat (number (wasted, 0, "core_seconds"), ==, 4);
  g_assert_cmpstr (text (wasted, 1, "reason"), ==, "MAX_WALL_TIME");
  g_assert_cmpfloat (number (wasted, 1, "core_seconds"), ==, 3);
  g_assert_cmpstr (text (wasted, 2, "status"), ==, "failed");
  g_assert_cmpint (integer (wasted, 2, "attempts"), ==, 1);
}

static void
test_phases (void)
{
  static const struct
  {
    const char *prefix, *phase;
    gint64 attempts;
    double total, max;
  } expected[] = {
    { "p", "queue", 5, 7, 2 },     { "p", "input", 3, 2.5, 1 },    { "p", "stage-in", 1, 0.5, 0.5 },
    { "p", "execute", 3, 5.5, 3 }, { "p", "wait", 1, 0.25, 0.25 }, { "p", "output", 1, 0.75, 0.75 },
    { "p", "return", 1, 2, 2 },    { "q", "queue", 1, 4, 4 },      { "q", "execute", 1, 1, 1 },
  };
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");
  g_autoptr (RoastTableSnapshot) phases = get_table (report, "per_phase");

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (phases), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpstr (text (phases, i, "category"), ==, expected[i].prefix);
      g_assert_cmpstr (text (phases, i, "phase"), ==, expected[i].phase);
      g_assert_cmpint (integer (phases, i, "attempts"), ==, expected[i].attempts);
      g_assert_cmpfloat (number (phases, i, "total"), ==, expected[i].total);
      g_assert_cmpfloat (number (phases, i, "mean"), ==, expected[i].total / (double) expected[i].attempts);
      g_assert_cmpfloat (number (phases, i, "max"), ==, expected[i].max);
    }
  g_assert_cmpint (integer (phases, 1, "bytes"), ==, 100);
  g_assert_cmpint (integer (phases, 5, "bytes"), ==, 30);
}

/* Where nothing was in vain there is nothing to say of it, and where all is known it is no estimate. */
static void
test_no_waste (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "1", 1, "p",
        "'dispatched': <int64 1000000>, 'started': <int64 2000000>, 'ended': <int64 5000000>, 'status': <'done'>");
  report = rows_aggregate (recording, "task-lifecycle");
  assert_value (report, "wasted_core_seconds", 0);
  assert_value (report, "wasted_ratio", 0);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "wasted_core_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  g_assert_null (roast_report_get_table (report, "wasted"));
}

static void
test_transfers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableSnapshot) table = NULL;

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
            "{'source': <'taskvine-1'>, 'worker': <'w'>, 'direction': <'aside'>, 'bytes': <int64 7>}");
  report = rows_aggregate (recording, "task-lifecycle");
  assert_value (report, "transfer_in_bytes", 1500);
  assert_value (report, "transfer_in_rate", 500);
  assert_value (report, "transfer_out_bytes", 0);
  g_assert_cmpstr (roast_metric_get_reason (find (report, "transfer_out_rate")), ==, "nothing was moved that way");
  assert_value (report, "transfer_cached_bytes", 70);
  table = get_table (report, "per_direction");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 2);
  g_assert_cmpstr (text (table, 0, "direction"), ==, "in");
  g_assert_cmpint (integer (table, 0, "files"), ==, 2);
  g_assert_cmpint (integer (table, 0, "bytes"), ==, 1500);
  g_assert_cmpfloat (number (table, 0, "seconds"), ==, 2);
  g_assert_cmpstr (text (table, 1, "direction"), ==, "cached");
}

/* Cumulative: the last counts, of each source. What roast itself took is none of it. */
static void
test_executor (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableSnapshot) table = NULL;

  budget (recording, "taskvine-1", "send", 1);
  budget (recording, "taskvine-1", "polling", 2);
  budget (recording, "taskvine-1", "send", 3);
  budget (recording, "taskvine-2", "send", 1);
  budget (recording, "taskvine-1", "application", 4);
  budget (recording, "taskvine-1", "roast", 100);
  report = rows_aggregate (recording, "task-lifecycle");
  assert_value (report, "executor_busy_ratio", 0.4);
  assert_value (report, "executor_application_ratio", 0.4);
  g_assert_cmpstr (roast_metric_get_reason (find (report, "executor_verdict")), ==,
                   "no sample tells of idle cores and of tasks that wait");
  table = get_table (report, "executor_time");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 3);
  g_assert_cmpstr (text (table, 0, "part"), ==, "application");
  g_assert_cmpstr (text (table, 1, "part"), ==, "send");
  g_assert_cmpfloat (number (table, 1, "seconds"), ==, 4);
  g_assert_cmpfloat (number (table, 2, "share"), ==, 0.2);
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
  assert_value (report, "executor_busy_ratio", send / 100);
  verdict = g_variant_get_string (roast_metric_get_value (find (report, "executor_verdict")), NULL);
  g_test_message ("%s", verdict);
  g_assert_nonnull (strstr (verdict, part));
}

static void
test_verdict (void)
{
  check_verdict (80, 10, 20, "the executor is the bottleneck: busy for 80 % of its time, while in 20 % of it");
  check_verdict (10, 80, 20, "the program is the bottleneck: for 80 % of the time");
  check_verdict (80, 10, 5, "no bottleneck: busy for 80 % of its time");
  check_verdict (20, 10, 20, "no bottleneck: busy for 20 % of its time");
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
  assert_value (report, "task_memory_peak_bytes", 500);
  assert_value (report, "committed_memory_peak_ratio", 0.75);
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-lifecycle");
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  g_assert_cmpuint (metrics->len, ==, 17);
  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_null (roast_report_get_table (report, "per_phase"));
  g_assert_null (roast_report_get_table (report, "per_direction"));
  g_assert_null (roast_report_get_table (report, "executor_time"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-lifecycle/attempts", test_attempts);
  g_test_add_func ("/task-lifecycle/wasted", test_wasted);
  g_test_add_func ("/task-lifecycle/phases", test_phases);
  g_test_add_func ("/task-lifecycle/no-waste", test_no_waste);
  g_test_add_func ("/task-lifecycle/transfers", test_transfers);
  g_test_add_func ("/task-lifecycle/executor", test_executor);
  g_test_add_func ("/task-lifecycle/verdict", test_verdict);
  g_test_add_func ("/task-lifecycle/memory", test_memory);
  g_test_add_func ("/task-lifecycle/empty", test_empty);

  return g_test_run ();
}
