/* SPDX-License-Identifier: BSD-3-Clause */

/* The aggregators of the core, on recordings made by hand with answers computed by hand. */

#include <roast/roast.h>

static RoastReport *
aggregate (RoastRecording *recording, const char *const *names)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastReport *report = roast_report_new (roast_registry_get_schema (registry));

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
             roast_report_lookup (report, name) ? roast_metric_get_reason (roast_report_lookup (report, name))
                                                : "unknown");
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
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
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
          g_assert_nonnull (roast_schema_lookup_metric (roast_registry_get_schema (registry), provides[j], NULL));
        }
    }
}

static RoastRecording *
tree_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  set_int64 (recording, "tree-elapsed", 4000000);
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (4));
  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (FALSE));
  roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int32 (3 << 8));
  roast_recording_set_metadata (recording, "tree-processes", g_variant_new_uint64 (12));
  roast_recording_set_metadata (recording, "tree-processes-exact", g_variant_new_boolean (TRUE));
  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 1>, 'command': <'make'>, 'count': <int64 1>, 'origin': <'exact'>, "
       "'cpu_user': <1.0>, "
       "'cpu_system': <0.5>, 'memory_peak': <int64 1000>, 'read_chars': <int64 10>, 'voluntary_switches': <int64 5>}");
  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 2>, 'command': <'cc'>, 'count': <int64 1>, 'origin': <'sampled'>, "
       "'cpu_user': <2.0>, "
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
  g_assert_cmpint (completeness_of (report, "process_cpu_time_seconds"), ==, ROAST_COMPLETENESS_COMPLETE);
  /* The counters of one that was waited for are its parent's. */
  g_assert_cmpint (completeness_of (report, "io_read_chars_bytes"), ==, ROAST_COMPLETENESS_COMPLETE);
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
  g_assert_cmpint (completeness_of (report, "process_cpu_time_seconds"), ==, ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (completeness_of (report, "cpu_efficiency_ratio"), ==, ROAST_COMPLETENESS_PARTIAL);
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

  add (recording, "cluster_samples",
       "{'time': <int64 0>, 'memory_pss': <int64 10>, 'memory': <int64 20>, 'threads': <int64 3>}");
  add (recording, "cluster_samples",
       "{'time': <int64 1000000>, 'memory_pss': <int64 30>, 'memory': <int64 90>, 'threads': <int64 2>}");
  add (recording, "cluster_samples",
       "{'time': <int64 4000000>, 'memory_pss': <int64 5>, 'memory': <int64 5>, 'threads': <int64 1>}");
  report = aggregate (recording, all);
  assert_value (report, "memory_peak_bytes", 30);
  assert_value (report, "memory_rss_peak_bytes", 90);
  assert_value (report, "memory_average_bytes", 25);
  assert_value (report, "threads_peak", 3);
  g_assert_cmpint (completeness_of (report, "memory_peak_bytes"), ==, ROAST_COMPLETENESS_ESTIMATED);
}

/* One from 0 to 10 s, one from 2 to 4 s, one from 4 s to the end at 10 s: (10 + 2 + 6) / 10. */
static void
test_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
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

  add (recording, "chunks",
       "{'dataset': <'a'>, 'events': <int64 1000>, 'bytes_read': <int64 500>, 'started': <int64 0>, 'ended': <int64 "
       "1000000>}");
  add (recording, "chunks",
       "{'dataset': <'a'>, 'events': <int64 3000>, 'bytes_read': <int64 1500>, 'started': <int64 0>, 'ended': <int64 "
       "3000000>}");
  add (recording, "chunks",
       "{'dataset': <'b'>, 'events': <int64 77>, 'started': <int64 0>, 'ended': <int64 1000000>, 'error': <'broken'>}");
  add (recording, "datasets",
       "{'dataset': <'b'>, 'events': <int64 4000>, 'bytes_read': <int64 2000>, 'duration': <3.0>, 'chunks': <int64 "
       "4>}");
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
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
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

static void
assert_note (RoastReport *report, const char *name, RoastCompleteness completeness, const char *word)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  g_assert_nonnull (metric);
  g_assert_true (roast_metric_is_available (metric));
  g_assert_cmpint (roast_metric_get_completeness (metric), ==, completeness);
  if (word == NULL)
    g_assert_cmpstr (roast_metric_get_note (metric), ==, NULL);
  else if (roast_metric_get_note (metric) == NULL || strstr (roast_metric_get_note (metric), word) == NULL)
    g_error ("“%s” is not in “%s”", word, roast_metric_get_note (metric));
}

/* Of three rows one tells its switches, two their peaks. */
static void
test_missing_cells (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = aggregate (recording, all);

  assert_value (report, "voluntary_switches_total", 5);
  assert_note (report, "voluntary_switches_total", ROAST_COMPLETENESS_PARTIAL, "1 of 3 rows");
  assert_note (report, "process_memory_peak_bytes", ROAST_COMPLETENESS_PARTIAL, "2 of 3 rows");
  assert_unavailable (report, "involuntary_switches_total", "no process was read");
  assert_unavailable (report, "run_queue_seconds", "no process lived through a sample");
  assert_unavailable (report, "io_write_chars_bytes", "I/O counters go with it");
}

/* What was not in force is the reason. */
static void
test_mechanisms (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-accounting", g_variant_new_uint32 (ROAST_ACCOUNTING_WAIT));
  add (recording, "cluster_samples", "{'time': <int64 0>, 'memory': <int64 20>}");
  report = aggregate (recording, all);
  assert_unavailable (report, "memory_peak_bytes", "pss=off");
  assert_unavailable (report, "memory_average_bytes", "pss=off");
  assert_unavailable (report, "run_queue_seconds", "schedstat");
  assert_unavailable (report, "io_write_chars_bytes", "not readable");
  assert_unavailable (report, "threads_peak", "no sample tells");
  assert_value (report, "memory_rss_peak_bytes", 20);
}

static void
test_short_run (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 8000);
  report = aggregate (recording, all);
  assert_value (report, "elapsed_time_seconds", 0.008);
  assert_unavailable (report, "memory_peak_bytes", "ended after 8 ms");
}

/* A run of 0 s divides nothing. */
static void
test_no_time (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 0);
  add (recording, "datasets", "{'events': <int64 5>}");
  report = aggregate (recording, all);
  assert_unavailable (report, "cores_used_average", "is 0");
  assert_unavailable (report, "cpu_efficiency_ratio", "is 0");
  assert_unavailable (report, "event_rate_elapsed_per_second", "is 0");
  assert_unavailable (report, "event_rate_core_per_second", "is 0");
  assert_value (report, "event_rate_cpu_per_second", 1.25);
}

static void
test_attached (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (TRUE));
  roast_recording_set_metadata (recording, "tree-wait-status", NULL);
  report = aggregate (recording, all);
  assert_unavailable (report, "exit_status", "attached");
  assert_note (report, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "attach");
}

/* The supervisor went without a last word. */
static void
test_lost (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-source", g_variant_new_string ("processes-1"));
  roast_recording_set_metadata (recording, "own-cpu", g_variant_new_double (0.5));
  set_int64 (recording, "started", 1000000);
  set_int64 (recording, "ended", 3000000);
  report = aggregate (recording, all);
  assert_value (report, "elapsed_time_seconds", 2);
  assert_note (report, "elapsed_time_seconds", ROAST_COMPLETENESS_ESTIMATED, "wall clock");
  assert_unavailable (report, "process_cpu_time_seconds", "was lost");
  assert_unavailable (report, "samples_total", "was lost");
  assert_value (report, "own_cpu_seconds", 0.5);
  assert_note (report, "own_cpu_seconds", ROAST_COMPLETENESS_PARTIAL, "library alone");
  assert_value (report, "own_cpu_ratio", 0.25);
}

/* Elsewhere: what a program says counts, its processes are out of reach. */
static void
test_remote (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "started", 0);
  set_int64 (recording, "ended", 2000000);
  add (recording, "datasets", "{'source': <'program-1'>, 'events': <int64 10>}");
  report = aggregate (recording, all);
  assert_unavailable (report, "process_cpu_time_seconds", "out of reach");
  assert_unavailable (report, "event_rate_cpu_per_second", "out of reach");
  assert_value (report, "event_rate_elapsed_per_second", 5);
  assert_note (report, "event_rate_elapsed_per_second", ROAST_COMPLETENESS_ESTIMATED, "wall clock");
}

/* 40 of the 50 at the peak were read then. */
static void
test_age_of_memory (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "cluster_samples", "{'time': <int64 0>, 'memory_pss': <int64 10>, 'memory_pss_read': <int64 10>}");
  add (recording, "cluster_samples",
       "{'time': <int64 1000000>, 'memory_pss': <int64 50>, 'memory_pss_read': <int64 40>}");
  add (recording, "worker_samples", "{'memory_pss': <int64 10>, 'memory_pss_age': <1.5>}");
  add (recording, "worker_samples", "{'memory_pss': <int64 10>, 'memory_pss_age': <0.0>}");
  report = aggregate (recording, all);
  assert_note (report, "memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED,
               "of 2 samples; 80 % of the peak was read then");
  assert_note (report, "memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED, "up to 1.5 s");
}

/* One sample is its own average. A missing value holds nothing: (10 x 1 + 30 x 2) / 3. Another source is another tree.
 */
static void
test_odd_samples (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) one = NULL;
  g_autoptr (RoastReport) many = NULL;

  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 0>, 'memory_pss': <int64 10>}");
  one = aggregate (recording, all);
  assert_value (one, "memory_average_bytes", 10);
  assert_note (one, "memory_average_bytes", ROAST_COMPLETENESS_ESTIMATED, "of 1 samples");

  add (recording, "cluster_samples", "{'source': <'l-2'>, 'time': <int64 500000>, 'memory_pss': <int64 1000>}");
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 1000000>}");
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 5000000>, 'memory_pss': <int64 30>}");
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 7000000>, 'memory_pss': <int64 20>}");
  /* The clock was set back. */
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 6000000>, 'memory_pss': <int64 20>}");
  many = aggregate (recording, all);
  assert_value (many, "memory_average_bytes", 70.0 / 3);
  assert_value (many, "memory_peak_bytes", 30);
}

static void
test_memory_before_exec (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "processes",
       "{'source': <'p-1'>, 'process': <int64 9>, 'cpu_user': <0.0>, 'cpu_system': <0.0>, 'memory_peak': <int64 9000>, "
       "'memory_peak_floor': <true>}");
  report = aggregate (recording, all);
  assert_value (report, "process_memory_peak_bytes", 9000);
  assert_note (report, "process_memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED, "at most");
}

/* If only samples tell when workers left, what one sample saw together counts: 2 for 1 s, 1 for 1 s. */
static void
test_vague_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add (recording, "workers", "{'source': <'l-1'>, 'worker': <'a'>, 'joined': <int64 0>, 'left': <int64 2000000>}");
  add (recording, "workers",
       "{'source': <'l-1'>, 'worker': <'b'>, 'joined': <int64 0>, 'left': <int64 1000000>, 'tail_lost': <0.5>}");
  add (recording, "workers",
       "{'source': <'l-1'>, 'worker': <'c'>, 'joined': <int64 900000>, 'left': <int64 2000000>, 'tail_lost': <0.5>}");
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 0>, 'workers': <int64 2>}");
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 1000000>, 'workers': <int64 1>}");
  add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 2000000>, 'workers': <int64 1>}");
  add (recording, "cluster_samples", "{'source': <'other'>, 'time': <int64 2000000>, 'workers': <int64 100>}");
  report = aggregate (recording, all);
  assert_value (report, "workers_peak", 2);
  assert_value (report, "workers_average", 1.5);
  assert_note (report, "workers_peak", ROAST_COMPLETENESS_ESTIMATED, "of 3 samples");
}

static void
test_odd_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) instant = NULL;
  g_autoptr (RoastReport) two = NULL;

  set_int64 (recording, "ended", 5000000);
  add (recording, "workers", "{'source': <'a'>, 'worker': <'1'>}");
  none = aggregate (recording, all);
  assert_unavailable (none, "workers_peak", "does not tell when");

  add (recording, "workers", "{'source': <'a'>, 'worker': <'2'>, 'joined': <int64 5000000>, 'left': <int64 4000000>}");
  instant = aggregate (recording, all);
  assert_value (instant, "workers_peak", 1);
  assert_unavailable (instant, "workers_average", "no time passed");

  add (recording, "workers", "{'source': <'b'>, 'worker': <'1'>, 'joined': <int64 3000000>, 'left': <int64 5000000>}");
  add (recording, "workers", "{'source': <'b'>, 'worker': <'2'>, 'joined': <int64 3000000>, 'left': <int64 4000000>}");
  two = aggregate (recording, all);
  assert_value (two, "workers_peak", 2);
  assert_value (two, "workers_average", 1.5);
  assert_note (two, "workers_peak", ROAST_COMPLETENESS_COMPLETE, "2 sources");
}

/* Chunks that keep something for themselves make a sum partial; without a name there is nothing to tell apart. */
static void
test_silent_chunks (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  add (recording, "chunks", "{'events': <int64 10>, 'bytes_read': <int64 100>}");
  add (recording, "chunks", "{'bytes_read': <int64 100>}");
  report = aggregate (recording, all);
  assert_note (report, "events_total", ROAST_COMPLETENESS_PARTIAL, "1 chunk(s)");
  assert_note (report, "bytes_read_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  assert_note (report, "event_rate_elapsed_per_second", ROAST_COMPLETENESS_PARTIAL, "1 chunk(s)");
  assert_value (report, "chunks_total", 2);
  assert_value (report, "chunks_failed_total", 0);
  assert_unavailable (report, "processing_time_seconds", "no times of chunks");
  assert_unavailable (report, "chunk_time_mean_seconds", "no chunk that succeeded");
  g_assert_null (roast_report_get_table (report, "per_dataset"));
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

  g_test_add_func ("/aggregators/missing-cells", test_missing_cells);
  g_test_add_func ("/aggregators/mechanisms", test_mechanisms);
  g_test_add_func ("/aggregators/short-run", test_short_run);
  g_test_add_func ("/aggregators/no-time", test_no_time);
  g_test_add_func ("/aggregators/attached", test_attached);
  g_test_add_func ("/aggregators/lost", test_lost);
  g_test_add_func ("/aggregators/remote", test_remote);
  g_test_add_func ("/aggregators/age-of-memory", test_age_of_memory);
  g_test_add_func ("/aggregators/odd-samples", test_odd_samples);
  g_test_add_func ("/aggregators/memory-before-exec", test_memory_before_exec);
  g_test_add_func ("/aggregators/vague-workers", test_vague_workers);
  g_test_add_func ("/aggregators/odd-workers", test_odd_workers);
  g_test_add_func ("/aggregators/silent-chunks", test_silent_chunks);

  return g_test_run ();
}
