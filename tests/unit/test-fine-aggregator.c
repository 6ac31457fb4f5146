/* SPDX-License-Identifier: BSD-3-Clause */

/* What workers and tasks spent their time on: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>
#include <string.h>

#include "../../plugins/fine/fine-rules.h"

static RoastReport *
aggregate (RoastRecording *recording)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastReport *report = roast_report_new (roast_registry_get_catalogue (registry));
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, "fine", &error);

  g_assert_no_error (error);
  roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error);
  g_assert_no_error (error);

  return report;
}

static void
add (RoastRecording *recording, const char *table, const char *row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) variant = g_variant_parse (G_VARIANT_TYPE_VARDICT, row, NULL, NULL, &error);

  g_assert_no_error (error);
  roast_table_add_variant (roast_recording_get_table (recording, table), variant, &error);
  g_assert_no_error (error);
}

static void
activity (RoastRecording *recording, const char *worker, const char *context, const char *prefix, const char *what,
          const char *unit, double value)
{
  g_autofree char *of = prefix != NULL ? g_strdup_printf (", 'task_prefix': <'%s'>, 'span': <'s'>", prefix) : g_strdup ("");
  g_autofree char *row = g_strdup_printf ("{'source': <'dask-1'>, 'time': <int64 1>, 'worker': <'%s'>, 'context': <'%s'>%s, "
                                          "'activity': <'%s'>, 'unit': <'%s'>, 'value': <%.17g>}",
                                          worker, context, of, what, unit, value + 1e-300);

  add (recording, "activities", row);
}

static void
assert_value (RoastReport *report, const char *name, double expected)
{
  double value = 0;

  g_assert_true (roast_report_get_double (report, name, &value));
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9 * MAX (1, ABS (expected)));
}

static RoastMetric *
find (RoastReport *report, const char *name)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  g_assert_nonnull (metric);

  return metric;
}

/* Two workers of 2 cores for 10 s; the processor computes 6 s and waits 2 s. */
static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new ();

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1000000));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (21000000));
  add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'cores': <2.0>, 'memory_limit': <int64 1000>, "
                             "'joined': <int64 0>, 'left': <int64 11000000>}");
  add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'b'>, 'cores': <2.0>, 'memory_limit': <int64 1000>, "
                             "'joined': <int64 11000000>}");
  add (recording, "workers", "{'source': <'local-1'>, 'worker': <'c'>, 'cores': <64.0>, 'joined': <int64 1000000>}");
  add (recording, "worker_samples", "{'source': <'dask-1'>, 'time': <int64 5>, 'worker': <'a'>, 'memory': <int64 400>}");
  add (recording, "worker_samples", "{'source': <'dask-1'>, 'time': <int64 6>, 'worker': <'a'>, 'memory': <int64 300>}");
  add (recording, "worker_samples", "{'source': <'local-1'>, 'time': <int64 6>, 'worker': <'c'>, 'memory': <int64 9000>}");
  activity (recording, "a", "execute", "MyProcessor", "thread-cpu", "seconds", 1.0);
  activity (recording, "a", "execute", "MyProcessor", "thread-cpu", "seconds", 4.0);
  activity (recording, "b", "execute", "MyProcessor", "thread-cpu", "seconds", 2.0);
  activity (recording, "b", "execute", "MyProcessor", "thread-noncpu", "seconds", 2.0);
  activity (recording, "b", "execute", "reduce", "thread-cpu", "seconds", 0.5);
  activity (recording, "b", "execute", "reduce", "disk-read", "bytes", 700);
  activity (recording, "b", "gather-dep", NULL, "network", "seconds", 3.0);
  activity (recording, "a", "get-data", NULL, "network", "seconds", 0.25);
  activity (recording, "a", "memory-monitor", NULL, "disk-write", "bytes", 1e6);

  return recording;
}

static void
test_sums (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = aggregate (recording);
  g_autoptr (RoastTableSnapshot) prefixes = roast_table_snapshot (roast_report_get_table (report, "per_prefix"));

  assert_value (report, "processor_cpu_time_seconds", 6);
  assert_value (report, "processor_wait_time_seconds", 2);
  assert_value (report, "processor_cpu_ratio", 0.75);
  assert_value (report, "overhead_cpu_time_seconds", 0.5);
  assert_value (report, "disk_read_bytes", 700);
  /* What workers do between tasks is not in tasks. */
  assert_value (report, "disk_write_bytes", 0);
  assert_value (report, "network_seconds", 3.25);
  /* a is there from the start of the measurement only: 10 s; b to its end: 10 s. */
  assert_value (report, "worker_core_seconds", 40);
  assert_value (report, "core_efficiency_ratio", 8.5 / 40);
  /* 4.5 s against 4.25 s on average */
  assert_value (report, "worker_balance_ratio", 4.5 / 4.25);
  assert_value (report, "worker_memory_peak_bytes", 400);
  assert_value (report, "worker_memory_peak_ratio", 0.4);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "processor_cpu_time_seconds")), ==, ROAST_COMPLETE);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (prefixes), ==, 2);
  g_assert_cmpstr (roast_table_snapshot_get_string (prefixes, 0, 0), ==, "MyProcessor");
  g_assert_cmpstr (roast_table_snapshot_get_string (prefixes, 1, 1), ==, "overhead");
}

/* A worker that was lost makes the sums partial, and says so. */
static void
test_lost (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'tail_lost': <1.5>}");
  report = aggregate (recording);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "processor_cpu_time_seconds")), ==, ROAST_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "processor_cpu_ratio")), ==, ROAST_ESTIMATED);
  g_assert_cmpstr (roast_metric_get_note (find (report, "processor_cpu_time_seconds")), ==,
                   "1 worker(s) were lost with up to 1.5 s of which nothing is known");
}

static void
test_tasks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "tasks", "{'source': <'dask-1'>, 'task': <'k'>, 'attempt': <int64 1>, 'task_prefix': <'p'>, 'worker': <'a'>, "
                           "'started': <int64 0>, 'ended': <int64 1000000>, 'status': <'failed'>}");
  add (recording, "tasks", "{'source': <'dask-1'>, 'task': <'k'>, 'attempt': <int64 2>, 'task_prefix': <'p'>, 'worker': <'a'>, "
                           "'started': <int64 0>, 'ended': <int64 3000000>, 'status': <'done'>, 'bytes_out': <int64 5>}");
  roast_recording_add_event (recording, "dask-1", ROAST_SEVERITY_WARNING, "frames-dropped", "7 tasks have no row");
  report = aggregate (recording);
  assert_value (report, "tasks_total", 2);
  assert_value (report, "tasks_failed_total", 1);
  assert_value (report, "task_time_mean_seconds", 2);
  assert_value (report, "task_time_max_seconds", 3);
  g_assert_cmpstr (roast_metric_get_note (find (report, "tasks_total")), ==, "7 tasks have no row");
  g_assert_false (roast_metric_is_available (find (report, "processor_cpu_time_seconds")));
}

/* Without rows of tasks the counts by state are what there is; the last of each prefix counts. */
static void
test_states (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = NULL;
  static const struct { const char *prefix, *state; int n; } counts[] = {
    { "p", "memory", 3 }, { "p", "memory", 8 }, { "q", "memory", 4 }, { "p", "erred", 1 }, { "p", "waiting", 50 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *row = g_strdup_printf ("{'source': <'dask-1'>, 'time': <int64 1>, 'task_prefix': <'%s'>, 'state': <'%s'>, "
                                              "'tasks': <int64 %d>}", counts[i].prefix, counts[i].state, counts[i].n);

      add (recording, "prefix_states", row);
    }
  report = aggregate (recording);
  assert_value (report, "tasks_total", 13);
  assert_value (report, "tasks_failed_total", 1);
}

/* An old executor says itself what it has not. */
static void
test_why (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = NULL;

  g_free (roast_recording_add_source (recording, "dask", "a", "v",
                                      "workers; fine metrics not available: Dask 2022.12 has none; spans not available"));
  report = aggregate (recording);
  g_assert_cmpstr (roast_metric_get_reason (find (report, "processor_cpu_time_seconds")), ==, "Dask 2022.12 has none");
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = aggregate (recording);
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_null (roast_report_get_table (report, "per_prefix"));
  g_assert_null (roast_report_get_table (report, "per_worker"));
}

static void
test_rules (void)
{
  static const char longest[] = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters";
  static const char cut[] = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCha";

  g_assert_true (fine_rules_is_processor ("MyProcessor", NULL, TRUE));
  g_assert_false (fine_rules_is_processor ("reduce", NULL, TRUE));
  g_assert_false (fine_rules_is_processor ("get_metadata", NULL, TRUE));
  g_assert_true (fine_rules_is_processor ("MyProcessor", "MyProcessor", TRUE));
  g_assert_false (fine_rules_is_processor ("other", "MyProcessor", TRUE));
  g_assert_true (fine_rules_is_processor ("Hidden", "_Hidden", TRUE));
  g_assert_true (fine_rules_is_processor (cut, longest, TRUE));
  g_assert_false (fine_rules_is_processor ("AVeryLongName", longest, TRUE));
  /* Without compression coffea calls all by one name; with it these are the framework's own. */
  g_assert_true (fine_rules_is_processor ("automatic_retries", "MyProcessor", FALSE));
  g_assert_false (fine_rules_is_processor ("automatic_retries", "MyProcessor", TRUE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fine-aggregator/sums", test_sums);
  g_test_add_func ("/fine-aggregator/lost", test_lost);
  g_test_add_func ("/fine-aggregator/tasks", test_tasks);
  g_test_add_func ("/fine-aggregator/states", test_states);
  g_test_add_func ("/fine-aggregator/why", test_why);
  g_test_add_func ("/fine-aggregator/empty", test_empty);
  g_test_add_func ("/fine-aggregator/rules", test_rules);

  return g_test_run ();
}
