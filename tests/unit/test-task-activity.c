/* SPDX-License-Identifier: BSD-3-Clause */

/* What workers and tasks spent their time on: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>
#include <string.h>

#include "../../plugins/task-activity/activity-rules.h"
#include "rows.h"

static void
activity (RoastRecording *recording, const char *worker, const char *context, const char *prefix, const char *what,
          const char *unit, double value)
{
  g_autofree char *of =
      prefix != NULL ? g_strdup_printf (", 'category': <'%s'>, 'span': <'s'>", prefix) : g_strdup ("");
  g_autofree char *row =
      g_strdup_printf ("{'source': <'dask-1'>, 'time': <int64 1>, 'worker': <'%s'>, 'context': <'%s'>%s, "
                       "'activity': <'%s'>, 'unit': <'%s'>, 'value': <%.17g>}",
                       worker, context, of, what, unit, value + 1e-300);

  rows_add (recording, "activities", row);
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
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1000000));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (21000000));
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'cores': <2.0>, 'memory_limit': <int64 1000>, "
            "'joined': <int64 0>, 'left': <int64 11000000>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'b'>, 'cores': <2.0>, 'memory_limit': <int64 1000>, "
            "'joined': <int64 11000000>}");
  rows_add (recording, "workers",
            "{'source': <'local-1'>, 'worker': <'c'>, 'cores': <64.0>, 'joined': <int64 1000000>}");
  rows_add (recording, "worker_samples",
            "{'source': <'dask-1'>, 'time': <int64 5>, 'worker': <'a'>, 'memory': <int64 400>}");
  rows_add (recording, "worker_samples",
            "{'source': <'dask-1'>, 'time': <int64 6>, 'worker': <'a'>, 'memory': <int64 300>}");
  rows_add (recording, "worker_samples",
            "{'source': <'local-1'>, 'time': <int64 6>, 'worker': <'c'>, 'memory': <int64 9000>}");
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
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");
  g_autoptr (RoastTableSnapshot) prefixes = roast_table_snapshot (roast_report_get_table (report, "per_category"));

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
  /* Two of 2 cores, one after the other. */
  assert_value (report, "worker_cores_average", 2);
  assert_value (report, "worker_cores_mean", 2);
  /* 4.5 s against 4.25 s on average */
  assert_value (report, "worker_balance_ratio", 4.5 / 4.25);
  assert_value (report, "worker_memory_peak_bytes", 400);
  assert_value (report, "worker_memory_peak_ratio", 0.4);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "processor_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
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

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'tail_lost': <1.5>}");
  report = rows_aggregate (recording, "task-activity");
  g_assert_cmpint (roast_metric_get_completeness (find (report, "processor_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "processor_cpu_ratio")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  g_assert_cmpstr (roast_metric_get_note (find (report, "processor_cpu_time_seconds")), ==,
                   "1 worker(s) were lost with up to 1.5 s of which nothing is known");
}

static void
test_tasks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'k'>, 'attempt': <int64 1>, 'category': <'p'>, 'worker': <'a'>, "
            "'started': <int64 0>, 'ended': <int64 1000000>, 'status': <'failed'>}");
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'k'>, 'attempt': <int64 2>, 'category': <'p'>, 'worker': <'a'>, "
            "'started': <int64 0>, 'ended': <int64 3000000>, 'status': <'done'>, 'bytes_out': <int64 5>}");
  roast_recording_add_event (recording, "dask-1", -1, ROAST_SEVERITY_WARNING, "frames-dropped", "7 tasks have no row");
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "tasks_total", 2);
  assert_value (report, "tasks_failed_total", 1);
  assert_value (report, "task_time_mean_seconds", 2);
  assert_value (report, "task_time_max_seconds", 3);
  g_assert_cmpstr (roast_metric_get_note (find (report, "tasks_total")), ==, "7 tasks have no row");
  g_assert_false (roast_metric_is_available (find (report, "processor_cpu_time_seconds")));
  g_clear_object (&report);

  /* Whatever is missing is said, and how often. */
  roast_recording_add_event (recording, "dask-1", -1, ROAST_SEVERITY_WARNING, "frames-dropped", "9 tasks have no row");
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'tail_lost': <0.5>}");
  report = rows_aggregate (recording, "task-activity");
  g_assert_cmpint (roast_metric_get_completeness (find (report, "tasks_total")), ==, ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "task_time_mean_seconds")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  g_assert_cmpstr (roast_metric_get_note (find (report, "tasks_total")), ==,
                   "7 tasks have no row (and 1 more of that kind: see the table events); "
                   "1 worker(s) were lost with up to 0.5 s of which nothing is known");
}

/* Without rows of tasks the counts by state are what there is; the last of each prefix counts. */
static void
test_states (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  static const struct
  {
    const char *prefix, *state;
    int n;
  } counts[] = {
    { "p", "memory", 3 }, { "p", "memory", 8 }, { "q", "memory", 4 }, { "p", "erred", 1 }, { "p", "waiting", 50 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *row =
          g_strdup_printf ("{'source': <'dask-1'>, 'time': <int64 1>, 'category': <'%s'>, 'state': <'%s'>, "
                           "'tasks': <int64 %d>}",
                           counts[i].prefix, counts[i].state, counts[i].n);

      rows_add (recording, "category_states", row);
    }
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "tasks_total", 13);
  assert_value (report, "tasks_failed_total", 1);
}

/* An old executor says itself what it has not. */
static void
test_why (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  g_free (roast_recording_add_source (
      recording, "dask", "a", "v", "workers; fine metrics not available: Dask 2022.12 has none; spans not available"));
  report = rows_aggregate (recording, "task-activity");
  g_assert_cmpstr (roast_metric_get_reason (find (report, "processor_cpu_time_seconds")), ==, "Dask 2022.12 has none");
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_null (roast_report_get_table (report, "per_category"));
  g_assert_null (roast_report_get_table (report, "per_worker"));
}

/* Dask's shuffle tells of what its tasks do a second time (foreground), and of what runs beside them, idleness
 * included: neither is a worker's time in tasks. */
static void
test_shuffle (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "b", "execute", "shuffle-transfer", "p2p-shard-partition-cpu", "seconds", 1.0);
  activity (recording, "b", "execute", "shuffle-transfer", "p2p-disk-read", "bytes", 40);
  activity (recording, "b", "p2p", NULL, "foreground/shard-partition-cpu", "seconds", 1.0);
  activity (recording, "b", "p2p", NULL, "foreground/disk-read", "bytes", 40);
  activity (recording, "b", "p2p", NULL, "background-comms/idle", "seconds", 100);
  activity (recording, "b", "p2p", NULL, "background-disk/disk-write", "bytes", 30);
  activity (recording, "b", "p2p", NULL, "background-disk/disk-write", "seconds", 0.125);
  activity (recording, "b", "p2p", NULL, "background-comms/serialize", "seconds", 0.25);
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "core_efficiency_ratio", 9.5 / 40);
  assert_value (report, "worker_balance_ratio", 5.5 / 4.75);
  assert_value (report, "processor_cpu_time_seconds", 6);
  assert_value (report, "disk_read_bytes", 740);
  assert_value (report, "disk_write_bytes", 30);
  assert_value (report, "disk_write_seconds", 0.125);
  assert_value (report, "serialization_seconds", 0.25);
  assert_value (report, "network_seconds", 3.25);
}

/* What is neither computing nor waiting, and what workers do between tasks. */
static void
test_others (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "MyProcessor", "executor", "seconds", 0.5);
  activity (recording, "a", "execute", "MyProcessor", "offload", "seconds", 0.25);
  activity (recording, "a", "execute", "MyProcessor", "other", "seconds", 0.125);
  activity (recording, "a", "execute", "MyProcessor", "memory-read", "bytes", 99);
  activity (recording, "a", "execute", "MyProcessor", "compress", "seconds", 1);
  activity (recording, "a", "execute", "MyProcessor", "decompress", "seconds", 2);
  activity (recording, "a", "execute", "MyProcessor", "serialize", "seconds", 3);
  activity (recording, "a", "execute", "MyProcessor", "deserialize", "seconds", 4);
  activity (recording, "a", "gather-dep", NULL, "deserialize", "seconds", 64);
  activity (recording, "a", "get-data", NULL, "disk-read", "bytes", 11);
  activity (recording, "a", "get-data", NULL, "disk-read", "seconds", 0.5);
  activity (recording, "a", "memory-monitor", NULL, "disk-write", "seconds", 0.75);
  activity (recording, "b", "execute", "reduce", "thread-noncpu", "seconds", 1.5);
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "executor_seconds", 0.5);
  assert_value (report, "offload_seconds", 0.25);
  assert_value (report, "other_seconds", 0.125);
  assert_value (report, "memory_read_bytes", 99);
  assert_value (report, "compression_seconds", 1);
  assert_value (report, "compression_overhead_seconds", 3);
  assert_value (report, "deserialization_seconds", 4);
  assert_value (report, "serialization_overhead_seconds", 7);
  assert_value (report, "spill_read_bytes", 11);
  assert_value (report, "spill_read_seconds", 0.5);
  assert_value (report, "spill_write_bytes", 1e6);
  assert_value (report, "spill_write_seconds", 0.75);
  assert_value (report, "overhead_cpu_ratio", 0.25);
  assert_value (report, "overhead_wait_ratio", 0.75);
}

/* A script may tell of its activities what it likes. */
static void
test_huge (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "MyProcessor", "disk-write", "bytes", 1e300);
  activity (recording, "a", "get-data", NULL, "disk-read", "bytes", -1e300);
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "disk_write_bytes", 9e18);
  assert_value (report, "spill_read_bytes", -9e18);
  assert_value (report, "processor_cpu_time_seconds", 6);
}

/* Some tasks fail before they start: they count, but have no time. */
static void
test_untimed (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableSnapshot) prefixes = NULL;

  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'k'>, 'attempt': <int64 1>, 'category': <'p'>, 'status': <'failed'>}");
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'q'>, 'attempt': <int64 1>, 'category': <'q'>, 'status': <'failed'>}");
  report = rows_aggregate (recording, "task-activity");
  g_assert_false (roast_metric_is_available (find (report, "task_time_mean_seconds")));
  g_assert_false (roast_metric_is_available (find (report, "task_time_max_seconds")));
  g_clear_object (&report);

  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'l'>, 'attempt': <int64 1>, 'category': <'p'>, "
            "'started': <int64 0>, 'ended': <int64 3000000>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-activity");
  prefixes = roast_table_snapshot (roast_report_get_table (report, "per_category"));
  assert_value (report, "tasks_total", 3);
  assert_value (report, "tasks_failed_total", 2);
  assert_value (report, "task_time_mean_seconds", 3);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (prefixes), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      guint mean = (guint) roast_table_snapshot_find_column (prefixes, "mean");
      gboolean timed = g_str_equal (roast_table_snapshot_get_string (prefixes, i, 0), "p");

      g_assert_cmpint (roast_table_snapshot_is_valid (prefixes, i, mean), ==, timed);
      if (timed)
        g_assert_cmpfloat (roast_table_snapshot_get_double (prefixes, i, mean), ==, 3);
    }
}

/* The same address in two clusters is two workers. */
static void
test_sources (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastTableSnapshot) workers = NULL;
  guint source, busy;

  rows_add (recording, "workers",
            "{'source': <'dask-2'>, 'worker': <'a'>, 'cores': <1.0>, 'joined': <int64 1000000>, "
            "'left': <int64 11000000>}");
  rows_add (recording, "activities",
            "{'source': <'dask-2'>, 'time': <int64 1>, 'worker': <'a'>, 'context': <'execute'>, 'span': <'s'>, "
            "'category': <'MyProcessor'>, 'activity': <'thread-cpu'>, 'unit': <'seconds'>, 'value': <5.0>}");
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "processor_cpu_time_seconds", 11);
  assert_value (report, "worker_core_seconds", 50);
  assert_value (report, "core_efficiency_ratio", 13.5 / 50);
  assert_value (report, "worker_cores_average", 50 / 20.0);
  assert_value (report, "worker_cores_mean", 5 / 3.0);
  workers = roast_table_snapshot (roast_report_get_table (report, "per_worker"));
  source = (guint) roast_table_snapshot_find_column (workers, "source");
  busy = (guint) roast_table_snapshot_find_column (workers, "busy");
  /* Not the process tree's, which is no worker of an executor. */
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (workers), ==, 3);
  g_assert_cmpstr (roast_table_snapshot_get_string (workers, 0, source), ==, "dask-1");
  g_assert_cmpfloat (roast_table_snapshot_get_double (workers, 0, busy), ==, 4);
  g_assert_cmpstr (roast_table_snapshot_get_string (workers, 2, source), ==, "dask-2");
  g_assert_cmpfloat (roast_table_snapshot_get_double (workers, 2, busy), ==, 5);
}

/* Who does not tell its cores offers an unknown time: what it did is no share of what the others offered. */
static void
test_unknown_cores (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'d'>, 'joined': <int64 1000000>}");
  activity (recording, "d", "execute", "MyProcessor", "thread-cpu", "seconds", 20.0);
  report = rows_aggregate (recording, "task-activity");
  assert_value (report, "worker_core_seconds", 40);
  assert_value (report, "worker_cores_mean", 2);
  assert_value (report, "core_efficiency_ratio", 8.5 / 40);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "worker_core_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (find (report, "core_efficiency_ratio")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  assert_value (report, "processor_cpu_time_seconds", 26);
}

/* The last value of a key counts also where it is far from the others, and sums are the same each time. */
static void
test_many (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) again = NULL;
  double expected = 0, first = 0, second = 0;

  for (int round = 1; round <= 3; round++)
    for (int worker = 0; worker < 500; worker++)
      for (int kind = 0; kind < 4; kind++)
        {
          g_autofree char *row =
              g_strdup_printf ("{'source': <'dask-1'>, 'time': <int64 1>, 'worker': <'w%d'>, 'span': <'s'>, "
                               "'context': <'execute'>, 'category': <'p%d'>, 'activity': <'thread-cpu'>, "
                               "'unit': <'seconds'>, 'value': <%.17g>}",
                               worker, kind, (worker + 1) * 0.1 + round + 1e-300);

          rows_add (recording, "activities", row);
        }
  for (int worker = 0; worker < 500; worker++)
    expected += 4 * ((worker + 1) * 0.1 + 3);
  report = rows_aggregate (recording, "task-activity");
  again = rows_aggregate (recording, "task-activity");
  assert_value (report, "processor_cpu_time_seconds", expected);
  g_assert_true (roast_report_get_double (report, "processor_cpu_time_seconds", &first));
  g_assert_true (roast_report_get_double (again, "processor_cpu_time_seconds", &second));
  g_assert_true (first == second);
}

/* A recording of a process tree alone has no numbers of executors, and no tables of them. */
static void
test_no_executor (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (GPtrArray) metrics = NULL;

  rows_add (recording, "workers",
            "{'source': <'local-1'>, 'worker': <'1'>, 'cores': <8.0>, 'memory_limit': <int64 10>, "
            "'joined': <int64 1>, 'left': <int64 2000000>}");
  rows_add (recording, "worker_samples",
            "{'source': <'local-1'>, 'time': <int64 1>, 'worker': <'1'>, 'memory': <int64 400>}");
  rows_add (recording, "cluster_samples", "{'source': <'local-1'>, 'time': <int64 1>, 'workers': <int64 1>}");
  report = rows_aggregate (recording, "task-activity");
  metrics = roast_report_list_metrics (report);
  g_assert_cmpuint (metrics->len, >, 0);
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetricInfo *info = roast_schema_lookup_metric (roast_registry_get_schema (registry),
                                                          roast_metric_get_name (g_ptr_array_index (metrics, i)), NULL);

      g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
      /* Else a person would read a list of what a program without an executor has not. */
      g_assert_cmpstr (roast_metric_info_get_show (info), !=, "always");
    }
  g_assert_null (roast_report_get_table (report, "per_category"));
  g_assert_null (roast_report_get_table (report, "per_worker"));
  g_assert_null (roast_report_get_table (report, "per_activity"));
}

static void
test_rules (void)
{
  static const char longest[] = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters";
  static const char cut[] = "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCha";

  g_assert_true (activity_rules_is_processor ("MyProcessor", NULL, TRUE));
  g_assert_false (activity_rules_is_processor ("reduce", NULL, TRUE));
  g_assert_false (activity_rules_is_processor ("get_metadata", NULL, TRUE));
  g_assert_true (activity_rules_is_processor ("MyProcessor", "MyProcessor", TRUE));
  g_assert_false (activity_rules_is_processor ("other", "MyProcessor", TRUE));
  g_assert_true (activity_rules_is_processor ("Hidden", "_Hidden", TRUE));
  g_assert_true (activity_rules_is_processor (cut, longest, TRUE));
  g_assert_false (activity_rules_is_processor ("AVeryLongName", longest, TRUE));
  /* What remains of 50 characters, underscores of theirs included. */
  g_assert_true (activity_rules_is_processor ("VeryLongNameOfAProcessorThatDaskCutsAfterFiftyCha",
                                              "_VeryLongNameOfAProcessorThatDaskCutsAfterFiftyCharacters", TRUE));
  g_assert_false (activity_rules_is_processor ("AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyC", longest, TRUE));
  /* Not one that only begins alike. */
  g_assert_false (activity_rules_is_processor (cut, "AVeryLongNameOfAProcessorThatDaskCutsAfterFiftyCh", TRUE));
  /* What a script of its own calls lambda is its work. */
  g_assert_true (activity_rules_is_processor ("lambda", NULL, TRUE));
  g_assert_false (activity_rules_is_processor ("accumulating", NULL, TRUE));
  /* Nobody gave a name: what coffea wraps is the analysis, whatever else there is. */
  g_assert_true (activity_rules_is_processor ("automatic_retries", NULL, TRUE));
  /* Without compression coffea calls all by one name; with it these are the framework's own. */
  g_assert_true (activity_rules_is_processor ("automatic_retries", "MyProcessor", FALSE));
  g_assert_false (activity_rules_is_processor ("automatic_retries", "MyProcessor", TRUE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-activity/sums", test_sums);
  g_test_add_func ("/task-activity/lost", test_lost);
  g_test_add_func ("/task-activity/tasks", test_tasks);
  g_test_add_func ("/task-activity/states", test_states);
  g_test_add_func ("/task-activity/why", test_why);
  g_test_add_func ("/task-activity/empty", test_empty);
  g_test_add_func ("/task-activity/shuffle", test_shuffle);
  g_test_add_func ("/task-activity/others", test_others);
  g_test_add_func ("/task-activity/huge", test_huge);
  g_test_add_func ("/task-activity/untimed", test_untimed);
  g_test_add_func ("/task-activity/sources", test_sources);
  g_test_add_func ("/task-activity/unknown-cores", test_unknown_cores);
  g_test_add_func ("/task-activity/many", test_many);
  g_test_add_func ("/task-activity/no-executor", test_no_executor);
  g_test_add_func ("/task-activity/rules", test_rules);

  return g_test_run ();
}
