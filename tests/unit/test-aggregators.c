/* SPDX-License-Identifier: BSD-3-Clause */

/* The aggregators of every run, on recordings made by hand with answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

static const char all[] = "processes workers workload";

static void
set_int64 (RoastRecording *recording, const char *key, gint64 value)
{
  roast_recording_set_metadata (recording, key, g_variant_new_int64 (value));
}

/* Each aggregator adds the metrics that it promises, and no others; and it runs after those whose metrics it reads. */
static void
test_promises (void)
{
  static const char *const aggregators[][2] = {
    { "processes", "" },
    { "workers", "" },
    { "workload", "elapsed_time_seconds process_cpu_time_seconds cores_available" },
    { "windows", "elapsed_time_seconds process_cpu_time_seconds cores_available events_total bytes_read_total" },
    { "spans", "" },
    { "tasks", "" },
    { "task-activity", "slot_lost_ratio" },
    { "task-lifecycle", "slot_lost_ratio" },
    { "core-time", "work_time_seconds cores_available elapsed_time_seconds process_cpu_time_seconds" },
  };
  g_autoptr (RoastRegistry) registry = roast_registry_new ();

  for (guint i = 0; i < G_N_ELEMENTS (aggregators); i++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = rows_aggregate (recording, aggregators[i][0]);
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, aggregators[i][0], NULL);
      g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
      g_auto (GStrv) provides = roast_aggregator_dup_provides (aggregator);
      g_auto (GStrv) requires = roast_aggregator_dup_requires (aggregator);
      g_autofree char *joined = g_strjoinv (" ", requires);

      g_assert_cmpstr (joined, ==, aggregators[i][1]);
      g_assert_cmpuint (metrics->len, ==, g_strv_length (provides));
      for (guint j = 0; provides[j] != NULL; j++)
        rows_get_metric (report, provides[j]);
    }
}

/* Every promised metric is there, with a reason. */
static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_auto (GStrv) names = g_strsplit (all, " ", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, names[i], NULL);
      g_auto (GStrv) provides = roast_aggregator_dup_provides (aggregator);

      for (guint j = 0; provides[j] != NULL; j++)
        {
          RoastMetric *metric = rows_get_metric (report, provides[j]);

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
  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 1>, 'command': <'make'>, 'count': <int64 1>, 'origin': <'exact'>, "
            "'cpu_user': <1.0>, "
            "'cpu_system': <0.5>, 'memory_peak': <int64 1000>, 'read_chars': <int64 10>, 'voluntary_switches': <int64 "
            "5>}");
  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 2>, 'command': <'cc'>, 'count': <int64 1>, 'origin': <'sampled'>, "
            "'cpu_user': <2.0>, "
            "'cpu_system': <0.25>, 'memory_peak': <int64 4000>}");
  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 -1>, 'origin': <'folded'>, 'cpu_user': <0.25>, 'cpu_system': "
            "<0.0>}");

  return recording;
}

static void
test_processes (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  rows_assert_value (report, "elapsed_time_seconds", 4);
  rows_assert_value (report, "wall_time", 4);
  rows_assert_value (report, "exit_status", 3);
  rows_assert_value (report, "process_cpu_time_seconds", 4);
  rows_assert_value (report, "process_cpu_user_seconds", 3.25);
  rows_assert_value (report, "process_cpu_system_seconds", 0.75);
  rows_assert_value (report, "cores_available", 4);
  rows_assert_value (report, "cores_used_average", 1);
  rows_assert_value (report, "cpu_efficiency_ratio", 0.25);
  rows_assert_value (report, "processes_total", 12);
  rows_assert_value (report, "process_memory_peak_bytes", 4000);
  rows_assert_value (report, "io_read_chars_bytes", 10);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "process_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  /* The counters of one that was waited for are its parent's. */
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "io_read_chars_bytes")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  rows_assert_unavailable (report, "memory_peak_bytes", "sample");
  rows_assert_unavailable (report, "events_total", "the program reported no events to roast");
  rows_assert_unavailable (report, "event_rate_elapsed_per_second", "the program reported no events to roast");
}

/* Of processes that nobody waited for only the sum is known, about. */
static void
test_unwaited (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) exact = NULL;
  g_autoptr (RoastReport) vague = NULL;
  g_autoptr (RoastReport) alone = NULL;
  g_autoptr (RoastRecording) other = roast_recording_new (NULL);

  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 -2>, 'command': <'as'>, 'origin': <'unreaped'>, 'cpu_unsplit': "
            "<6.0>}");
  set_int64 (recording, "tree-unreaped-error", 20000);
  exact = rows_aggregate (recording, all);
  rows_assert_value (exact, "process_cpu_time_seconds", 10);
  rows_assert_note (exact, "process_cpu_time_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (exact, "process_cpu_user_seconds", 3.25);
  rows_assert_note (exact, "process_cpu_user_seconds", ROAST_COMPLETENESS_PARTIAL, "excludes part of 6.00 s");
  rows_assert_note (exact, "process_cpu_system_seconds", ROAST_COMPLETENESS_PARTIAL, "excludes part of 6.00 s");
  assert_derived (exact, "per_command", 0, "command", "as");
  assert_derived (exact, "per_command", 0, "cpu_user", NULL);
  assert_derived (exact, "per_command", 0, "cpu_unsplit", "6");
  assert_derived (exact, "per_command", 0, "cpu_share", "0.6");
  set_int64 (recording, "tree-unreaped-error", 20001);
  vague = rows_aggregate (recording, all);
  rows_assert_note (vague, "process_cpu_time_seconds", ROAST_COMPLETENESS_ESTIMATED,
                    "off by up to 20.0 ms: 6.00 s of CPU time belong to");
  set_int64 (other, "tree-elapsed", 4000000);
  rows_add (other, "processes",
            "{'source': <'p-1'>, 'process': <int64 -2>, 'origin': <'unreaped'>, 'cpu_unsplit': <6.0>}");
  alone = rows_aggregate (other, all);
  rows_assert_value (alone, "process_cpu_time_seconds", 6);
  rows_assert_unavailable (alone, "process_cpu_user_seconds", "the division of CPU time into user mode");
}

static void
test_quota_and_signal (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-cgroup-cores", g_variant_new_double (0.5));
  roast_recording_set_metadata (recording, "tree-wait-status", g_variant_new_int32 (9));
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "cores_available", 0.5);
  rows_assert_value (report, "cpu_efficiency_ratio", 2);
  rows_assert_value (report, "exit_status", 137);
}

static void
test_still_running (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 3>, 'origin': <'running'>, 'cpu_user': <1.0>, 'cpu_system': <0.0>}");
  report = rows_aggregate (recording, all);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "process_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "cpu_efficiency_ratio")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
}

/* Work is from the first start to the last end of tasks of the analysis; what is the framework's is not. */
static void
test_windows (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1000000));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (21000000));
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (4));
  rows_add (recording, "tasks",
            "{'source': <'a-1'>, 'task': <'t0'>, 'attempt': <int64 1>, 'category': <'open'>, "
            "'started': <int64 2000000>, 'ended': <int64 3000000>}");
  rows_add (recording, "tasks",
            "{'source': <'a-1'>, 'task': <'t1'>, 'attempt': <int64 1>, 'category': <'fit'>, "
            "'started': <int64 6000000>, 'ended': <int64 9000000>}");
  rows_add (recording, "tasks",
            "{'source': <'a-1'>, 'task': <'t2'>, 'attempt': <int64 1>, 'category': <'fit'>, "
            "'started': <int64 5000000>, 'ended': <int64 7000000>}");
  rows_add (recording, "tasks",
            "{'source': <'a-1'>, 'task': <'t3'>, 'attempt': <int64 1>, 'role': <'framework'>, "
            "'started': <int64 4000000>, 'ended': <int64 19000000>}");
  rows_add (recording, "categories", "{'source': <'a-1'>, 'category': <'open'>, 'role': <'framework'>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'b-1'>, 'time': <int64 3000000>, 'memory_pss': <int64 1>, 'cpu': <2.0>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'b-1'>, 'time': <int64 7000000>, 'memory_pss': <int64 1>, 'cpu': <10.0>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'b-1'>, 'time': <int64 9000000>, 'memory_pss': <int64 1>, 'cpu': <12.0>}");
  rows_add (recording, "datasets", "{'time': <int64 8000000>, 'events': <int64 800>}");
  report = rows_aggregate (recording, "processes workload windows");

  g_assert_cmpuint (rows_count_derived (report, "windows"), ==, 2);
  assert_derived (report, "windows", 0, "kind", "run");
  assert_derived (report, "windows", 0, "started", "1000000");
  assert_derived (report, "windows", 0, "ended", "21000000");
  assert_derived (report, "windows", 1, "kind", "work");
  assert_derived (report, "windows", 1, "source", "a-1");
  assert_derived (report, "windows", 1, "started", "5000000");
  assert_derived (report, "windows", 1, "ended", "9000000");
  rows_assert_value (report, "elapsed_time_seconds", 20);
  rows_assert_value (report, "work_time_seconds", 4);
  rows_assert_value (report, "work_cpu_time_seconds", 12 - 6);
  rows_assert_value (report, "cores_used_work_average", 1.5);
  rows_assert_value (report, "cpu_efficiency_work_ratio", 0.375);
  rows_assert_value (report, "event_rate_work_per_second", 200);
  rows_assert_value (report, "event_rate_elapsed_per_second", 40);
}

/* A name may be the framework's for one source, and the analysis for another. The proportional set may be off. */
static void
test_windows_of_sources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1000000));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (21000000));
  rows_add (recording, "tasks",
            "{'source': <'a-1'>, 'task': <'t0'>, 'attempt': <int64 1>, 'category': <'fit'>, "
            "'started': <int64 2000000>, 'ended': <int64 3000000>}");
  rows_add (recording, "tasks",
            "{'source': <'b-1'>, 'task': <'t0'>, 'attempt': <int64 1>, 'category': <'fit'>, "
            "'started': <int64 5000000>, 'ended': <int64 7000000>}");
  rows_add (recording, "categories", "{'source': <'a-1'>, 'category': <'fit'>, 'role': <'framework'>}");
  rows_add (recording, "cluster_samples", "{'source': <'local-1'>, 'time': <int64 21000000>, 'cpu': <10.0>}");
  report = rows_aggregate (recording, "processes workload windows");
  rows_assert_value (report, "work_time_seconds", 2);
  rows_assert_value (report, "work_cpu_time_seconds", 1);
  rows_assert_note (report, "work_cpu_time_seconds", ROAST_COMPLETENESS_ESTIMATED, "samples of local-1");
}

/* Without tasks, chunks; without them, the run. */
static void
test_windows_of_chunks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) run = NULL;
  g_autoptr (RoastReport) chunks = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1000000));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (21000000));
  run = rows_aggregate (recording, "processes workload windows");
  rows_assert_value (run, "work_time_seconds", 20);
  assert_derived (run, "windows", 1, "kind", "work");
  assert_derived (run, "windows", 1, "ended", "21000000");
  rows_add (recording, "chunks", "{'events': <int64 10>, 'started': <int64 2000000>, 'ended': <int64 4000000>}");
  rows_add (recording, "chunks", "{'events': <int64 10>, 'started': <int64 3000000>, 'ended': <int64 7000000>}");
  chunks = rows_aggregate (recording, "processes workload windows");
  rows_assert_value (chunks, "work_time_seconds", 5);
  rows_assert_value (chunks, "event_rate_work_per_second", 4);
  rows_assert_unavailable (chunks, "work_cpu_time_seconds", "no backend sampled");
}

static void
test_per_command (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  g_assert_cmpuint (rows_count_derived (report, "per_command"), ==, 3);
  assert_derived (report, "per_command", 0, "command", "cc");
  assert_derived (report, "per_command", 0, "cpu_share", "0.5625");
  assert_derived (report, "per_command", 2, "command", "(too short-lived to observe)");
  assert_derived (report, "per_command", 2, "processes", NULL);
}

/* 10 from 0 s to 1 s, 30 from 1 s to 4 s: (10 + 90) / 4; the last value has no time of its own. */
static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "cluster_samples",
            "{'time': <int64 0>, 'memory_pss': <int64 10>, 'memory': <int64 20>, 'threads': <int64 3>}");
  rows_add (recording, "cluster_samples",
            "{'time': <int64 1000000>, 'memory_pss': <int64 30>, 'memory': <int64 90>, 'threads': <int64 2>}");
  rows_add (recording, "cluster_samples",
            "{'time': <int64 4000000>, 'memory_pss': <int64 5>, 'memory': <int64 5>, 'threads': <int64 1>}");
  report = rows_aggregate (recording, all);
  /* No sample has what one process had at its peak. */
  rows_assert_value (report, "memory_rss_peak_bytes", 4000);
  rows_assert_note (report, "memory_rss_peak_bytes", ROAST_COMPLETENESS_PARTIAL, "one process alone");
  rows_assert_value (report, "memory_peak_bytes", 4000);
  rows_assert_note (report, "memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED,
                    "the highest sample of all processes is 30 B (from 3");
  rows_assert_value (report, "memory_average_bytes", 25);
  rows_assert_value (report, "threads_peak", 3);
}

/* One from 0 to 10 s, one from 2 to 4 s, one from 4 s to the end at 10 s: (10 + 2 + 6) / 10. */
static void
test_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "ended", 10000000);
  rows_add (recording, "workers", "{'source': <'l'>, 'worker': <'a'>, 'joined': <int64 0>, 'left': <int64 10000000>}");
  rows_add (recording, "workers",
            "{'source': <'l'>, 'worker': <'b'>, 'joined': <int64 2000000>, 'left': <int64 4000000>}");
  rows_add (recording, "workers", "{'source': <'l'>, 'worker': <'c'>, 'joined': <int64 4000000>}");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "workers_average", 1.8);
  rows_assert_value (report, "workers_peak", 2);
}

/* Two workers of 60 s: one has 100 B and then 300 of 400, the other 50 B of an unknown limit and leaves. Samples of
 * processes do not count. */
static void
test_workers_over_time (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "started", 0);
  set_int64 (recording, "ended", 60000000);
  rows_add (recording, "sources", "{'source': <'d'>}");
  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  rows_add (recording, "workers", "{'source': <'d'>, 'worker': <'a'>, 'joined': <int64 0>}");
  rows_add (recording, "workers", "{'source': <'d'>, 'worker': <'b'>, 'joined': <int64 0>, 'left': <int64 30000000>}");
  rows_add (recording, "worker_samples",
            "{'source': <'l'>, 'worker': <'p'>, 'time': <int64 0>, 'memory': <int64 999>}");
  rows_add (recording, "worker_samples",
            "{'source': <'d'>, 'worker': <'a'>, 'time': <int64 10000000>, 'memory': <int64 100>, 'memory_limit': "
            "<int64 400>, 'cpu_percent': <80.0>, 'active_tasks': <int64 2>}");
  rows_add (recording, "worker_samples",
            "{'source': <'d'>, 'worker': <'b'>, 'time': <int64 20000000>, 'memory': <int64 50>, 'active_tasks': <int64 "
            "4>}");
  rows_add (recording, "worker_samples",
            "{'source': <'d'>, 'worker': <'a'>, 'time': <int64 20500000>, 'memory': <int64 300>, 'memory_limit': "
            "<int64 "
            "400>}");
  report = rows_aggregate (recording, all);
  g_assert_cmpuint (rows_count_derived (report, "workers_over_time"), ==, 60);
  assert_derived_row (report, "workers_over_time", 9, "started=9000000 ended=10000000");
  assert_derived_row (report, "workers_over_time", 10,
                      "started=10000000 ended=11000000 memory_mean=100 memory_least=100 memory_most=100 "
                      "share_mean=25 share_least=25 share_most=25 cpu_mean=80 cpu_least=80 cpu_most=80 active_tasks=2");
  /* Half a second of 100 B, half of 300, and a whole one of 50. */
  assert_derived_row (report, "workers_over_time", 20,
                      "started=20000000 ended=21000000 memory_mean=125 memory_least=50 memory_most=300 "
                      "share_mean=50 share_least=25 share_most=75 cpu_mean=80 cpu_least=80 cpu_most=80 active_tasks=5");
  assert_derived_row (report, "workers_over_time", 29,
                      "started=29000000 ended=30000000 memory_mean=175 memory_least=50 memory_most=300 "
                      "share_mean=75 share_least=75 share_most=75 active_tasks=4");
  assert_derived_row (report, "workers_over_time", 59,
                      "started=59000000 ended=60000000 memory_mean=300 memory_least=300 memory_most=300 "
                      "share_mean=75 share_least=75 share_most=75");
}

static void
test_workload (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "chunks",
            "{'dataset': <'a'>, 'events': <int64 1000>, 'bytes_read': <int64 500>, 'started': <int64 0>, 'ended': "
            "<int64 "
            "1000000>}");
  rows_add (recording, "chunks",
            "{'dataset': <'a'>, 'events': <int64 3000>, 'bytes_read': <int64 1500>, 'started': <int64 0>, 'ended': "
            "<int64 "
            "3000000>}");
  rows_add (recording, "chunks",
            "{'dataset': <'b'>, 'events': <int64 77>, 'started': <int64 0>, 'ended': <int64 1000000>, 'error': "
            "<'broken'>}");
  rows_add (recording, "datasets",
            "{'dataset': <'b'>, 'events': <int64 4000>, 'bytes_read': <int64 2000>, 'duration': <3.0>, 'chunks': "
            "<int64 "
            "4>}");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "events_total", 8000);
  rows_assert_value (report, "bytes_read_total", 4000);
  rows_assert_value (report, "data_rate_bytes_per_second", 1000);
  rows_assert_value (report, "data_rate_bits_per_second", 8000);
  rows_assert_value (report, "data_rate_gbps", 8e-6);
  rows_assert_value (report, "event_rate_elapsed_per_second", 2000);
  rows_assert_value (report, "event_rate_elapsed_khz", 2);
  rows_assert_value (report, "event_rate_cpu_per_second", 2000);
  rows_assert_value (report, "event_rate_core_per_second", 500);
  rows_assert_value (report, "processing_time_seconds", 8);
  rows_assert_value (report, "event_rate_chunk_time_per_second", 1000);
  rows_assert_value (report, "processing_concurrency_ratio", 2);
  rows_assert_value (report, "chunks_total", 7);
  rows_assert_value (report, "chunks_failed_total", 1);
  rows_assert_value (report, "chunk_time_mean_seconds", 2);
  rows_assert_value (report, "chunk_time_min_seconds", 1);
  rows_assert_value (report, "chunk_time_max_seconds", 3);

  g_assert_cmpuint (rows_count_derived (report, "per_dataset"), ==, 2);
  assert_derived (report, "per_dataset", 1, "events", "4000");
}

static void
test_sections (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  /* Without a value: it must not shift the others. */
  rows_add (recording, "sections", "{'name': <'nothing'>, 'kind': <'time'>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <1.0>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <3.0>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'memory'>, 'value': <-5.0>}");
  report = rows_aggregate (recording, all);
  g_assert_cmpuint (rows_count_derived (report, "per_section"), ==, 2);
  assert_derived (report, "per_section", 0, "total", "4");
  assert_derived (report, "per_section", 0, "mean", "2");
  assert_derived (report, "per_section", 1, "min", "-5");
}

/* One of three rows has switches, two have peaks. */
static void
test_missing_cells (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  rows_assert_value (report, "voluntary_switches_total", 5);
  rows_assert_note (report, "voluntary_switches_total", ROAST_COMPLETENESS_PARTIAL, "1 of 3 rows");
  rows_assert_note (report, "process_memory_peak_bytes", ROAST_COMPLETENESS_PARTIAL, "3 of 3 rows");
  rows_assert_unavailable (report, "involuntary_switches_total", "the counters of processes were not read");
  rows_assert_unavailable (report, "run_queue_seconds", "no process lived long enough");
  rows_assert_unavailable (report, "io_write_chars_bytes", "before its I/O counters could be read");
}

/* A mechanism that was not in force is the reason. */
static void
test_mechanisms (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-accounting", g_variant_new_uint32 (ROAST_ACCOUNTING_WAIT));
  rows_add (recording, "cluster_samples", "{'time': <int64 0>, 'memory': <int64 20>}");
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "memory_peak_bytes", "pss=off");
  rows_assert_unavailable (report, "memory_average_bytes", "pss=off");
  rows_assert_unavailable (report, "run_queue_seconds", "schedstat");
  rows_assert_unavailable (report, "io_write_chars_bytes", "not readable");
  rows_assert_unavailable (report, "threads_peak", "no sample contains");
  rows_assert_value (report, "memory_rss_peak_bytes", 4000);
}

static void
test_short_run (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) ended = NULL;

  set_int64 (recording, "tree-elapsed", 8000);
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "elapsed_time_seconds", 0.008);
  rows_assert_unavailable (report, "memory_peak_bytes", "ended after 8 ms");

  /* The row of the end is not a sample of memory. */
  set_int64 (recording, "tree-ticks", 0);
  rows_add (recording, "cluster_samples",
            "{'source': <'l-1'>, 'time': <int64 8000>, 'workers': <int64 0>, 'cpu': <0.004>}");
  ended = rows_aggregate (recording, all);
  rows_assert_unavailable (ended, "memory_peak_bytes", "ended after 8 ms");
  rows_assert_unavailable (ended, "memory_rss_peak_bytes", "ended after 8 ms");
  rows_assert_unavailable (ended, "threads_peak", "ended after 8 ms");
}

/* The row of the end changes no peak. What was there at the last sample counts until then: (10 x 1 + 30 x 3) / 4. */
static void
test_row_of_the_end (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-ticks", 2);
  rows_add (recording, "cluster_samples",
            "{'source': <'l-1'>, 'time': <int64 0>, 'workers': <int64 1>, 'threads': <int64 2>, 'memory': <int64 90>, "
            "'memory_pss': <int64 10>, 'memory_pss_read': <int64 10>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'l-1'>, 'time': <int64 1000000>, 'workers': <int64 1>, 'threads': <int64 3>, 'memory': <int64 "
            "80>, 'memory_pss': <int64 30>, 'memory_pss_read': <int64 30>}");
  rows_add (recording, "cluster_samples",
            "{'source': <'l-1'>, 'time': <int64 4000000>, 'workers': <int64 0>, 'cpu': <7.5>}");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "memory_peak_bytes", 4000);
  rows_assert_value (report, "memory_average_bytes", 25);
  rows_assert_note (report, "memory_average_bytes", ROAST_COMPLETENESS_ESTIMATED, "from 2 samples");
  rows_assert_value (report, "memory_rss_peak_bytes", 4000);
  rows_assert_value (report, "threads_peak", 3);
}

/* A run of 0 s divides nothing. */
static void
test_no_time (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "tree-elapsed", 0);
  rows_add (recording, "datasets", "{'events': <int64 5>}");
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "cores_used_average", "is 0");
  rows_assert_unavailable (report, "cpu_efficiency_ratio", "is 0");
  rows_assert_unavailable (report, "event_rate_elapsed_per_second", "is 0");
  rows_assert_unavailable (report, "event_rate_core_per_second", "is 0");
  rows_assert_value (report, "event_rate_cpu_per_second", 1.25);
}

static void
test_attached (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-attached", g_variant_new_boolean (TRUE));
  roast_recording_set_metadata (recording, "tree-wait-status", NULL);
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "exit_status", "attached");
  rows_assert_note (report, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "attach");
}

/* The supervisor was lost before it reported. */
static void
test_lost (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-source", g_variant_new_string ("processes-1"));
  roast_recording_set_metadata (recording, "own-cpu", g_variant_new_double (0.5));
  set_int64 (recording, "started", 1000000);
  set_int64 (recording, "ended", 3000000);
  roast_recording_add_event (recording, "processes-1", 1, ROAST_SEVERITY_ERROR, "supervisor", "lost");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "elapsed_time_seconds", 2);
  rows_assert_note (report, "elapsed_time_seconds", ROAST_COMPLETENESS_ESTIMATED, "wall clock");
  rows_assert_unavailable (report, "process_cpu_time_seconds", "was lost");
  rows_assert_unavailable (report, "samples_total", "was lost");
  rows_assert_value (report, "own_cpu_seconds", 0.5);
  rows_assert_note (report, "own_cpu_seconds", ROAST_COMPLETENESS_PARTIAL, "only the library is counted");
  rows_assert_value (report, "own_cpu_ratio", 0.25);
}

/* The only sample may fall into the start of the program, unless the kernel knows the peak. */
static void
test_single_sample (void)
{
  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
      g_autoptr (RoastReport) report = NULL;
      RoastCompleteness expected = n == 1 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED;

      rows_add (recording, "cluster_samples",
                "{'time': <int64 1>, 'memory': <int64 24576>, 'memory_pss': <int64 24576>, 'threads': <int64 1>}");
      if (n == 2)
        rows_add (recording, "cluster_samples",
                  "{'time': <int64 2>, 'memory': <int64 9>, 'memory_pss': <int64 9>, 'threads': <int64 1>}");
      if (n == 3)
        rows_add (recording, "processes",
                  "{'source': <'p'>, 'process': <int64 1>, 'origin': <'exact'>, 'memory_peak': <int64 9>, "
                  "'memory_peak_bound': <'exact'>, 'memory_peak_waited': <int64 9>}");
      report = rows_aggregate (recording, all);
      rows_assert_note (report, "memory_peak_bytes", expected, "from ");
      rows_assert_note (report, "memory_rss_peak_bytes", expected, "from ");
    }
}

/* The program still runs, so only processes that have ended have numbers. */
static void
test_running (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-source", g_variant_new_string ("processes-1"));
  set_int64 (recording, "started", 1000000);
  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 3000000>, 'threads': <int64 1>}");
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "run_queue_seconds", "the data do not reach the end");
  g_clear_object (&report);

  rows_add (recording, "processes", "{'source': <'processes-1'>, 'process': <int64 1>, 'command': <'cc'>}");
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "run_queue_seconds", "the data do not reach the end");
  rows_assert_unavailable (report, "memory_peak_bytes", "were just starting");
}

/* Of the process that had not ended, and computed nearly all the time, only samples have the CPU time. */
static void
test_interrupted (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-source", g_variant_new_string ("processes-1"));
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (1));
  set_int64 (recording, "started", 1000000);
  set_int64 (recording, "ended", 5000000);
  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  rows_add (recording, "sources", "{'source': <'d'>}");
  rows_add (recording, "processes",
            "{'source': <'processes-1'>, 'process': <int64 2>, 'command': <'cc'>, "
            "'origin': <'exact'>, 'cpu_user': <0.5>, 'cpu_system': <0.0>}");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 3000000>, 'cpu': <1.5>}");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 5000000>, 'cpu': <3.0>}");
  rows_add (recording, "cluster_samples", "{'source': <'d'>, 'time': <int64 5000000>, 'cpu': <99.0>}");
  report = rows_aggregate (recording, "processes workload windows core-time");
  rows_assert_value (report, "process_cpu_time_seconds", 3);
  rows_assert_note (report, "process_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "up to the last sample");
  rows_assert_value (report, "process_cpu_user_seconds", 0.5);
  rows_assert_value (report, "slot_cpu_ratio", 0.75);
  rows_assert_value (report, "slot_idle_ratio", 0.25);
}

/* Elsewhere the program's reports count, and its processes cannot be observed. */
static void
test_remote (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  set_int64 (recording, "started", 0);
  set_int64 (recording, "ended", 2000000);
  rows_add (recording, "datasets", "{'source': <'program-1'>, 'events': <int64 10>}");
  report = rows_aggregate (recording, all);
  rows_assert_unavailable (report, "process_cpu_time_seconds", "cannot be observed");
  rows_assert_unavailable (report, "event_rate_cpu_per_second", "cannot be observed");
  rows_assert_value (report, "event_rate_elapsed_per_second", 5);
  rows_assert_note (report, "event_rate_elapsed_per_second", ROAST_COMPLETENESS_ESTIMATED, "wall clock");
}

/* 40 of the 50 at the peak were read then. */
static void
test_age_of_memory (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "cluster_samples",
            "{'time': <int64 0>, 'memory_pss': <int64 10>, 'memory_pss_read': <int64 10>}");
  rows_add (recording, "cluster_samples",
            "{'time': <int64 1000000>, 'memory_pss': <int64 50>, 'memory_pss_read': <int64 40>}");
  rows_add (recording, "worker_samples", "{'memory_pss': <int64 10>, 'memory_pss_age': <1.5>}");
  rows_add (recording, "worker_samples", "{'memory_pss': <int64 10>, 'memory_pss_age': <0.0>}");
  report = rows_aggregate (recording, all);
  rows_assert_note (report, "memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED,
                    "from 2 samples; 80 % of the peak was read at the time of the peak");
  rows_assert_note (report, "memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED, "up to 1.5 s");
}

/* One sample is its own average. A missing value holds nothing: (10 x 1 + 30 x 2) / 3. Another source is another tree.
 */
static void
test_odd_samples (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) one = NULL;
  g_autoptr (RoastReport) many = NULL;

  rows_add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 0>, 'memory_pss': <int64 10>}");
  one = rows_aggregate (recording, all);
  rows_assert_value (one, "memory_average_bytes", 10);
  rows_assert_note (one, "memory_average_bytes", ROAST_COMPLETENESS_ESTIMATED, "from 1 sample");

  rows_add (recording, "cluster_samples", "{'source': <'l-2'>, 'time': <int64 500000>, 'memory_pss': <int64 1000>}");
  rows_add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 1000000>}");
  rows_add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 5000000>, 'memory_pss': <int64 30>}");
  rows_add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 7000000>, 'memory_pss': <int64 20>}");
  /* The clock was set back. */
  rows_add (recording, "cluster_samples", "{'source': <'l-1'>, 'time': <int64 6000000>, 'memory_pss': <int64 20>}");
  many = rows_aggregate (recording, all);
  rows_assert_value (many, "memory_average_bytes", 70.0 / 3);
  rows_assert_note (many, "memory_peak_bytes", ROAST_COMPLETENESS_ESTIMATED,
                    "the highest sample of all processes is 30 B");
}

static void
assert_process_peak (const char *const *rows, double value, RoastCompleteness completeness, const char *note)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; rows[i] != NULL; i++)
    {
      g_autofree char *row =
          g_strdup_printf ("{'source': <'p-1'>, 'process': <int64 %u>, 'command': <'cc'>, %s}", i + 1, rows[i]);

      rows_add (recording, "processes", row);
    }
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "process_memory_peak_bytes", value);
  rows_assert_note (report, "process_memory_peak_bytes", completeness, note);
}

static void
test_process_peak (void)
{
  static const char exact[] = "'origin': <'exact'>, 'memory_peak': <int64 3000>, 'memory_peak_bound': <'exact'>";
  static const char upper[] = "'origin': <'exact'>, 'memory_peak': <int64 9000>, 'memory_peak_bound': <'at_most'>";
  static const char lower[] = "'origin': <'sampled'>, 'memory_peak': <int64 4000>, 'memory_peak_bound': <'at_least'>";
  static const char nobodys[] =
      "'origin': <'unreaped'>, 'memory_peak': <int64 8000>, 'memory_peak_bound': <'at_least'>";
  static const char running[] = "'origin': <'running'>, 'memory_peak': <int64 4000>, 'memory_peak_bound': <'at_least'>";
  static const char lost[] = "'memory_peak': <int64 4000>";
  static const char waited[] = "'origin': <'exact'>, 'memory_peak': <int64 3000>, 'memory_peak_bound': <'at_least'>, "
                               "'memory_peak_waited': <int64 7000>";

  /* That of the child is not known, but handed up to the process that waited for it. */
  assert_process_peak ((const char *const[]) { waited, lower, NULL }, 7000, ROAST_COMPLETENESS_COMPLETE, NULL);
  assert_process_peak ((const char *const[]) { waited, nobodys, NULL }, 8000, ROAST_COMPLETENESS_PARTIAL,
                       "1 of 2 rows");
  assert_process_peak ((const char *const[]) { waited, running, running, NULL }, 7000, ROAST_COMPLETENESS_PARTIAL,
                       "2 of 3 rows");
  assert_process_peak ((const char *const[]) { waited, lost, NULL }, 7000, ROAST_COMPLETENESS_PARTIAL, "lower bound");
  /* Without that. */
  assert_process_peak ((const char *const[]) { exact, NULL }, 3000, ROAST_COMPLETENESS_COMPLETE, NULL);
  assert_process_peak ((const char *const[]) { exact, lower, NULL }, 4000, ROAST_COMPLETENESS_PARTIAL, "lower bound");
  assert_process_peak ((const char *const[]) { exact, upper, NULL }, 9000, ROAST_COMPLETENESS_ESTIMATED, "upper bound");
  assert_process_peak ((const char *const[]) { lower, upper, NULL }, 4000, ROAST_COMPLETENESS_PARTIAL, "lower bound");
}

static void
test_peak_of_command (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "processes",
            "{'source': <'p-1'>, 'process': <int64 9>, 'command': <'ld'>, 'memory_peak': <int64 9000>, "
            "'memory_peak_bound': <'exact'>}");
  report = rows_aggregate (recording, all);
  assert_derived (report, "per_command", 0, "memory_peak", "4000");
  assert_derived (report, "per_command", 0, "memory_peak_bound", "at_least");
  assert_derived (report, "per_command", 2, "memory_peak", NULL);
  assert_derived (report, "per_command", 2, "memory_peak_bound", NULL);
  assert_derived (report, "per_command", 3, "memory_peak", "9000");
  assert_derived (report, "per_command", 3, "memory_peak_bound", "exact");
}

/* Two workers may have left up to 0.5 s earlier than noticed, one of them before the third joined. */
static void
test_vague_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'l-1'>, 'worker': <'a'>, 'joined': <int64 0>, 'left': <int64 2000000>}");
  rows_add (recording, "workers",
            "{'source': <'l-1'>, 'worker': <'b'>, 'joined': <int64 0>, 'left': <int64 1000000>, 'tail_lost': <0.5>}");
  rows_add (recording, "workers",
            "{'source': <'l-1'>, 'worker': <'c'>, 'joined': <int64 900000>, 'left': <int64 2000000>, 'tail_lost': "
            "<0.5>}");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "workers_peak", 3);
  rows_assert_value (report, "workers_average", 2.05);
  rows_assert_note (report, "workers_peak", ROAST_COMPLETENESS_ESTIMATED, "from 2 to 3, ");
}

/* Two workers from the start, of which one was killed before the first sample: there is no doubt about 2. */
static void
test_killed_worker (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'d-1'>, 'worker': <'a'>, 'joined': <int64 0>, 'left': <int64 2000000>}");
  rows_add (recording, "workers",
            "{'source': <'d-1'>, 'worker': <'b'>, 'joined': <int64 0>, 'left': <int64 800000>, 'tail_lost': <0.7>}");
  rows_add (recording, "cluster_samples", "{'source': <'d-1'>, 'time': <int64 1000000>, 'workers': <int64 1>}");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "workers_peak", 2);
  rows_assert_note (report, "workers_peak", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* Beside an executor, processes are not workers: its workers are among them. */
static void
test_workers_of_two_kinds (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) processes = NULL;
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) two = NULL;

  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  for (int pid = 1; pid <= 4; pid++)
    {
      g_autofree char *row = g_strdup_printf ("{'source': <'l'>, 'worker': <'%d'>, 'pid': <int64 %d>, 'joined': <int64 "
                                              "0>, 'left': <int64 2000000>}",
                                              pid, pid);

      rows_add (recording, "workers", row);
    }
  processes = rows_aggregate (recording, all);
  rows_assert_value (processes, "workers_peak", 4);
  rows_assert_note (processes, "workers_peak", ROAST_COMPLETENESS_COMPLETE, NULL);

  rows_add (recording, "sources", "{'source': <'a'>}");
  rows_add (recording, "workers",
            "{'source': <'a'>, 'worker': <'1'>, 'pid': <int64 3>, 'joined': <int64 0>, 'left': <int64 1000000>}");
  rows_add (recording, "workers",
            "{'source': <'a'>, 'worker': <'2'>, 'pid': <int64 4>, 'joined': <int64 0>, 'left': <int64 500000>}");
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "workers_peak", 2);
  rows_assert_value (report, "workers_average", 1.5);
  rows_assert_note (report, "workers_peak", ROAST_COMPLETENESS_COMPLETE, "not the program's 4 processes");

  rows_add (recording, "sources", "{'source': <'b'>, 'worker_kind': <'worker'>}");
  rows_add (recording, "workers", "{'source': <'b'>, 'worker': <'1'>, 'joined': <int64 0>, 'left': <int64 1000000>}");
  two = rows_aggregate (recording, all);
  rows_assert_value (two, "workers_peak", 3);
  rows_assert_note (two, "workers_peak", ROAST_COMPLETENESS_COMPLETE, "sum over 2 sources; ");
}

static void
test_odd_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) instant = NULL;
  g_autoptr (RoastReport) two = NULL;

  set_int64 (recording, "ended", 5000000);
  rows_add (recording, "workers", "{'source': <'a'>, 'worker': <'1'>}");
  none = rows_aggregate (recording, all);
  rows_assert_unavailable (none, "workers_peak", "does not record when");

  rows_add (recording, "workers",
            "{'source': <'a'>, 'worker': <'2'>, 'joined': <int64 5000000>, 'left': <int64 5000000>}");
  instant = rows_aggregate (recording, all);
  rows_assert_value (instant, "workers_peak", 1);
  rows_assert_unavailable (instant, "workers_average", "no time passed");

  rows_add (recording, "workers",
            "{'source': <'b'>, 'worker': <'1'>, 'joined': <int64 3000000>, 'left': <int64 5000000>}");
  rows_add (recording, "workers",
            "{'source': <'b'>, 'worker': <'2'>, 'joined': <int64 3000000>, 'left': <int64 4000000>}");
  two = rows_aggregate (recording, all);
  rows_assert_value (two, "workers_peak", 2);
  rows_assert_value (two, "workers_average", 1.5);
  rows_assert_note (two, "workers_peak", ROAST_COMPLETENESS_COMPLETE, "2 sources");
}

/* Chunks without a value make a sum partial; a single dataset without a name needs no table. */
static void
test_silent_chunks (void)
{
  g_autoptr (RoastRecording) recording = tree_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "chunks", "{'events': <int64 10>, 'bytes_read': <int64 100>}");
  rows_add (recording, "chunks", "{'bytes_read': <int64 100>}");
  report = rows_aggregate (recording, all);
  rows_assert_note (report, "events_total", ROAST_COMPLETENESS_PARTIAL, "missing for 1 chunk");
  rows_assert_note (report, "bytes_read_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_note (report, "event_rate_elapsed_per_second", ROAST_COMPLETENESS_PARTIAL, "missing for 1 chunk");
  rows_assert_value (report, "chunks_total", 2);
  rows_assert_value (report, "chunks_failed_total", 0);
  rows_assert_unavailable (report, "processing_time_seconds", "no times of chunks");
  rows_assert_unavailable (report, "chunk_time_mean_seconds", "no chunk that succeeded");
  g_assert_false (rows_has_derived (report, "per_dataset"));
}

/* An aggregator that cannot write its table says so. */
static void
test_no_schema (void)
{
  static const char *const names[] = { "processes", "workload", "spans", "tasks", "task-activity", "task-lifecycle" };
  static const char *const rows[][2] = {
    { "processes", "{'source': <'p'>, 'process': <int64 1>, 'command': <'cc'>, 'cpu_user': <1.0>}" },
    { "chunks", "{'source': <'p'>, 'dataset': <'a'>, 'events': <int64 1>}" },
    { "spans", "{'source': <'s'>, 'span': <'1'>, 'started': <int64 1>, 'ended': <int64 2>}" },
    { "tasks", "{'source': <'x'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'p'>, 'dispatched': <int64 0>, "
               "'status': <'done'>}" },
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastRegistry) registry = roast_registry_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    rows_add (recording, rows[i][0], rows[i][1]);
  snapshot = roast_recording_snapshot (recording);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (RoastReport) report = roast_report_new (schema);
      g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, names[i], NULL);

      g_assert_false (roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, "no schema declares a table"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/aggregators/promises", test_promises);
  g_test_add_func ("/aggregators/empty", test_empty);
  g_test_add_func ("/aggregators/processes", test_processes);
  g_test_add_func ("/aggregators/quota-and-signal", test_quota_and_signal);
  g_test_add_func ("/aggregators/still-running", test_still_running);
  g_test_add_func ("/aggregators/per-command", test_per_command);
  g_test_add_func ("/aggregators/windows", test_windows);
  g_test_add_func ("/aggregators/windows-of-sources", test_windows_of_sources);
  g_test_add_func ("/aggregators/windows-of-chunks", test_windows_of_chunks);
  g_test_add_func ("/aggregators/memory", test_memory);
  g_test_add_func ("/aggregators/workers", test_workers);
  g_test_add_func ("/aggregators/workers-over-time", test_workers_over_time);
  g_test_add_func ("/aggregators/workload", test_workload);
  g_test_add_func ("/aggregators/sections", test_sections);

  g_test_add_func ("/aggregators/missing-cells", test_missing_cells);
  g_test_add_func ("/aggregators/mechanisms", test_mechanisms);
  g_test_add_func ("/aggregators/short-run", test_short_run);
  g_test_add_func ("/aggregators/row-of-the-end", test_row_of_the_end);
  g_test_add_func ("/aggregators/no-time", test_no_time);
  g_test_add_func ("/aggregators/attached", test_attached);
  g_test_add_func ("/aggregators/lost", test_lost);
  g_test_add_func ("/aggregators/single-sample", test_single_sample);
  g_test_add_func ("/aggregators/running", test_running);
  g_test_add_func ("/aggregators/interrupted", test_interrupted);
  g_test_add_func ("/aggregators/remote", test_remote);
  g_test_add_func ("/aggregators/age-of-memory", test_age_of_memory);
  g_test_add_func ("/aggregators/odd-samples", test_odd_samples);
  g_test_add_func ("/aggregators/unwaited", test_unwaited);
  g_test_add_func ("/aggregators/process-peak", test_process_peak);
  g_test_add_func ("/aggregators/peak-of-command", test_peak_of_command);
  g_test_add_func ("/aggregators/vague-workers", test_vague_workers);
  g_test_add_func ("/aggregators/killed-worker", test_killed_worker);
  g_test_add_func ("/aggregators/odd-workers", test_odd_workers);
  g_test_add_func ("/aggregators/workers-of-two-kinds", test_workers_of_two_kinds);
  g_test_add_func ("/aggregators/silent-chunks", test_silent_chunks);
  g_test_add_func ("/aggregators/no-schema", test_no_schema);

  return g_test_run ();
}
