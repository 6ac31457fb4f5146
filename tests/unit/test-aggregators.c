/* SPDX-License-Identifier: BSD-3-Clause */

/* The aggregators of the core, on recordings made by hand with answers computed by hand. */

#include <roast/roast.h>

static RoastReport *
aggregate (RoastRecording *recording, const char *const *names)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastReport *report = roast_report_new (roast_registry_get_catalogue (registry));

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, names[i], &error);

      g_assert_no_error (error);
      roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error);
      g_assert_no_error (error);
    }

  return report;
}

static const char *const all[] = { "processes", "workers", "workload", NULL };

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
assert_value (RoastReport *report, const char *name, double expected)
{
  double value = 0;

  if (!roast_report_get_double (report, name, &value))
    g_error ("%s is not available: %s", name,
             roast_report_lookup (report, name) ? roast_metric_get_reason (roast_report_lookup (report, name)) : "unknown");
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9 * MAX (1, ABS (expected)));
}

static void
assert_unavailable (RoastReport *report, const char *name, const char *word)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  g_assert_nonnull (metric);
  g_assert_false (roast_metric_is_available (metric));
  g_assert_nonnull (strstr (roast_metric_get_reason (metric), word));
}

static RoastCompleteness
completeness_of (RoastReport *report, const char *name)
{
  return roast_metric_get_completeness (roast_report_lookup (report, name));
}

static void
set_int64 (RoastRecording *recording, const char *key, gint64 value)
{
  roast_recording_set_metadata (recording, key, g_variant_new_int64 (value));
}

/* Every metric that is promised is there, with a reason. */
static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = aggregate (recording, all);
  g_autoptr (RoastRegistry) registry = roast_registry_new ();

  for (guint i = 0; all[i] != NULL; i++)
    {
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, all[i], NULL);
      g_auto (GStrv) provides = roast_aggregator_dup_provides (aggregator);

      for (guint j = 0; provides[j] != NULL; j++)
        {
          RoastMetric *metric = roast_report_lookup (report, provides[j]);

          g_assert_nonnull (metric);
          g_assert_false (roast_metric_is_available (metric));
          g_assert_cmpuint (strlen (roast_metric_get_reason (metric)), >, 10);
          g_assert_nonnull (roast_catalogue_lookup (roast_registry_get_catalogue (registry), provides[j], NULL));
        }
    }
}

static RoastRecording *
tree_recording (void)
{
  RoastRecording *recording = roast_recording_new ();

  set_int64 (recording, "tree-elapsed", 4000000);
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (4));
  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (FALSE));
  roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int32 (3 << 8));
  roast_recording_set_metadata (recording, "tree-processes", g_variant_new_uint64 (12));
  roast_recording_set_metadata (recording, "tree-processes-exact", g_variant_new_boolean (TRUE));
  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 1>, 'command': <'make'>, 'count': <int64 1>, 'origin': <'exact'>, 'cpu_user': <1.0>, "
       "'cpu_system': <0.5>, 'memory_peak': <int64 1000>, 'read_chars': <int64 10>, 'voluntary_switches': <int64 5>}");
  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 2>, 'command': <'cc'>, 'count': <int64 1>, 'origin': <'sampled'>, 'cpu_user': <2.0>, "
       "'cpu_system': <0.25>, 'memory_peak': <int64 4000>}");
  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 -1>, 'origin': <'folded'>, 'cpu_user': <0.25>, 'cpu_system': <0.0>}");

  return recording;
}

static void
test_processes (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = aggregate (recording, all);

  assert_value (report, "elapsed_time_seconds", 4);
  assert_value (report, "wall_time", 4);
  assert_value (report, "exit_status", 3);
  assert_value (report, "process_cpu_time_seconds", 4);
  assert_value (report, "process_cpu_user_seconds", 3.25);
  assert_value (report, "process_cpu_system_seconds", 0.75);
  assert_value (report, "cores_available", 4);
  assert_value (report, "cores_used_average", 1);
  assert_value (report, "cpu_efficiency_ratio", 0.25);
  assert_value (report, "processes_total", 12);
  assert_value (report, "process_memory_peak_bytes", 4000);
  assert_value (report, "io_read_chars_bytes", 10);
  g_assert_cmpint (completeness_of (report, "process_cpu_time_seconds"), ==, ROAST_COMPLETE);
  /* The counters of one that was waited for are its parent's. */
  g_assert_cmpint (completeness_of (report, "io_read_chars_bytes"), ==, ROAST_COMPLETE);
  assert_unavailable (report, "memory_peak_bytes", "sample");
  assert_unavailable (report, "events_total", "protocol.md");
  assert_unavailable (report, "event_rate_elapsed_per_second", "protocol.md");
}

static void
test_quota_and_signal (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-cgroup-cores", g_variant_new_double (0.5));
  roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int32 (9));
  report = aggregate (recording, all);
  assert_value (report, "cores_available", 0.5);
  assert_value (report, "cpu_efficiency_ratio", 2);
  assert_value (report, "exit_status", 137);
}

static void
test_still_running (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 3>, 'origin': <'running'>, 'cpu_user': <1.0>, 'cpu_system': <0.0>}");
  report = aggregate (recording, all);
  g_assert_cmpint (completeness_of (report, "process_cpu_time_seconds"), ==, ROAST_PARTIAL);
  g_assert_cmpint (completeness_of (report, "cpu_efficiency_ratio"), ==, ROAST_PARTIAL);
}

static void
test_per_command (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = aggregate (recording, all);
  g_autoptr (RoastTableSnapshot) table = roast_table_snapshot (roast_report_get_table (report, "per_command"));

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 3);
  g_assert_cmpstr (roast_table_snapshot_get_string (table, 0, 0), ==, "cc");
  g_assert_cmpfloat (roast_table_snapshot_get_double (table, 0, 4), ==, 2.25 / 4);
  g_assert_cmpstr (roast_table_snapshot_get_string (table, 2, 0), ==, "(too short to be seen)");
  g_assert_false (roast_table_snapshot_is_valid (table, 2, 1));
}

/* 10 from 0 s to 1 s, 30 from 1 s to 4 s: (10 + 90) / 4; the last value has no time of its own. */
static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "cluster_samples", "{'time': <int64 0>, 'memory_pss': <int64 10>, 'memory': <int64 20>, 'threads': <int64 3>}");
  add (recording, "cluster_samples", "{'time': <int64 1000000>, 'memory_pss': <int64 30>, 'memory': <int64 90>, 'threads': <int64 2>}");
  add (recording, "cluster_samples", "{'time': <int64 4000000>, 'memory_pss': <int64 5>, 'memory': <int64 5>, 'threads': <int64 1>}");
  report = aggregate (recording, all);
  assert_value (report, "memory_peak_bytes", 30);
  assert_value (report, "memory_rss_peak_bytes", 90);
  assert_value (report, "memory_average_bytes", 25);
  assert_value (report, "threads_peak", 3);
  g_assert_cmpint (completeness_of (report, "memory_peak_bytes"), ==, ROAST_ESTIMATED);
}

/* One from 0 to 10 s, one from 2 to 4 s, one from 4 s to the end at 10 s: (10 + 2 + 6) / 10. */
static void
test_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "ended", 10000000);
  add (recording, "workers", "{'source': <'l'>, 'worker': <'a'>, 'joined': <int64 0>, 'left': <int64 10000000>}");
  add (recording, "workers", "{'source': <'l'>, 'worker': <'b'>, 'joined': <int64 2000000>, 'left': <int64 4000000>}");
  add (recording, "workers", "{'source': <'l'>, 'worker': <'c'>, 'joined': <int64 4000000>}");
  report = aggregate (recording, all);
  assert_value (report, "workers_average", 1.8);
  assert_value (report, "workers_peak", 2);
  assert_value (report, "avg_workers", 1.8);
}

static void
test_workload (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableSnapshot) table = NULL;

  add (recording, "chunks", "{'dataset': <'a'>, 'events': <int64 1000>, 'bytes_read': <int64 500>, 'started': <int64 0>, 'ended': <int64 1000000>}");
  add (recording, "chunks", "{'dataset': <'a'>, 'events': <int64 3000>, 'bytes_read': <int64 1500>, 'started': <int64 0>, 'ended': <int64 3000000>}");
  add (recording, "chunks", "{'dataset': <'b'>, 'events': <int64 77>, 'started': <int64 0>, 'ended': <int64 1000000>, 'error': <'broken'>}");
  add (recording, "datasets", "{'dataset': <'b'>, 'events': <int64 4000>, 'bytes_read': <int64 2000>, 'duration': <3.0>, 'chunks': <int64 4>}");
  report = aggregate (recording, all);
  assert_value (report, "events_total", 8000);
  assert_value (report, "bytes_read_total", 4000);
  assert_value (report, "data_rate_bytes_per_second", 1000);
  assert_value (report, "data_rate_bits_per_second", 8000);
  assert_value (report, "data_rate_gbps", 8e-6);
  assert_value (report, "event_rate_elapsed_per_second", 2000);
  assert_value (report, "event_rate_elapsed_khz", 2);
  assert_value (report, "event_rate_cpu_per_second", 2000);
  assert_value (report, "event_rate_core_per_second", 500);
  assert_value (report, "processing_time_seconds", 8);
  assert_value (report, "event_rate_processing_per_second", 1000);
  assert_value (report, "processing_concurrency_ratio", 2);
  assert_value (report, "chunks_total", 7);
  assert_value (report, "chunks_failed_total", 1);
  assert_value (report, "chunk_time_mean_seconds", 2);
  assert_value (report, "chunk_time_min_seconds", 1);
  assert_value (report, "chunk_time_max_seconds", 3);

  table = roast_table_snapshot (roast_report_get_table (report, "per_dataset"));
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 2);
  g_assert_cmpint (roast_table_snapshot_get_int64 (table, 1, 3), ==, 4000);
}

static void
test_sections (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new ();
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableSnapshot) table = NULL;

  add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <1.0>}");
  add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <3.0>}");
  add (recording, "sections", "{'name': <'jets'>, 'kind': <'memory'>, 'value': <-5.0>}");
  report = aggregate (recording, all);
  table = roast_table_snapshot (roast_report_get_table (report, "per_section"));
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (table), ==, 2);
  g_assert_cmpfloat (roast_table_snapshot_get_double (table, 0, 3), ==, 4);
  g_assert_cmpfloat (roast_table_snapshot_get_double (table, 0, 4), ==, 2);
  g_assert_cmpfloat (roast_table_snapshot_get_double (table, 1, 5), ==, -5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/aggregators/empty", test_empty);
  g_test_add_func ("/aggregators/processes", test_processes);
  g_test_add_func ("/aggregators/quota-and-signal", test_quota_and_signal);
  g_test_add_func ("/aggregators/still-running", test_still_running);
  g_test_add_func ("/aggregators/per-command", test_per_command);
  g_test_add_func ("/aggregators/memory", test_memory);
  g_test_add_func ("/aggregators/workers", test_workers);
  g_test_add_func ("/aggregators/workload", test_workload);
  g_test_add_func ("/aggregators/sections", test_sections);

  return g_test_run ();
}
