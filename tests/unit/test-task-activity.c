/* SPDX-License-Identifier: BSD-3-Clause */

/* What workers and tasks spent their time on: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>
#include <string.h>

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
  rows_add (recording, "categories", "{'source': <'dask-1'>, 'category': <'reduce'>, 'role': <'framework'>}");
  activity (recording, "a", "execute", "MyProcessor", "thread-cpu", "seconds", 1.0);
  activity (recording, "a", "execute", "MyProcessor", "thread-cpu", "seconds", 4.0);
  activity (recording, "b", "execute", "MyProcessor", "thread-cpu", "seconds", 2.0);
  activity (recording, "b", "execute", "MyProcessor", "thread-noncpu", "seconds", 2.0);
  activity (recording, "b", "execute", "reduce", "thread-cpu", "seconds", 0.5);
  activity (recording, "b", "execute", "reduce", "disk-read", "bytes", 700);
  activity (recording, "b", "fetch", NULL, "network", "seconds", 3.0);
  activity (recording, "a", "serve", NULL, "network", "seconds", 0.25);
  activity (recording, "a", "memory", NULL, "disk-write", "bytes", 1e6);

  return recording;
}

static void
test_sums (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");

  rows_assert_value (report, "processor_cpu_time_seconds", 6);
  rows_assert_value (report, "processor_wait_time_seconds", 2);
  rows_assert_value (report, "processor_cpu_ratio", 0.75);
  rows_assert_value (report, "overhead_cpu_time_seconds", 0.5);
  rows_assert_value (report, "disk_read_bytes", 700);
  /* What workers do between tasks is not in tasks. */
  rows_assert_value (report, "disk_write_bytes", 0);
  rows_assert_value (report, "network_seconds", 3.25);
  /* a is there from the start of the measurement only: 10 s; b to its end: 10 s. */
  rows_assert_value (report, "worker_core_seconds", 40);
  rows_assert_value (report, "core_efficiency_ratio", 8.5 / 40);
  /* Two of 2 cores, one after the other. */
  rows_assert_value (report, "worker_cores_average", 2);
  rows_assert_value (report, "worker_cores_mean", 2);
  /* 4.5 s against 4.25 s on average */
  rows_assert_value (report, "worker_balance_ratio", 4.5 / 4.25);
  rows_assert_value (report, "worker_memory_peak_bytes", 400);
  rows_assert_value (report, "worker_memory_peak_ratio", 0.4);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "processor_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 2);
  assert_derived (report, "per_category", 0, "category", "MyProcessor");
  assert_derived (report, "per_category", 0, "role", "analysis");
  assert_derived (report, "per_category", 1, "role", "framework");
}

/* A backend without activities has the CPU time of each task; what no task reports is unknown, not 0. */
static void
test_cpu_of_tasks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'mine-1'>, 'backend': <'mine'>}");
  rows_add (recording, "tasks",
            "{'source': <'mine-1'>, 'task': <'t1'>, 'attempt': <int64 1>, 'category': <'fit'>, 'worker': <'a'>, "
            "'started': <int64 1000000>, 'ended': <int64 5000000>, 'cpu': <3.0>, 'status': <'done'>}");
  rows_add (recording, "tasks",
            "{'source': <'mine-1'>, 'task': <'t2'>, 'attempt': <int64 1>, 'category': <'fit'>, 'worker': <'a'>, "
            "'started': <int64 5000000>, 'ended': <int64 7000000>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 3);
  rows_assert_value (report, "processor_wait_time_seconds", 1);
  rows_assert_note (report, "processor_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL, "CPU time unknown for 2.0 s of");
  assert_derived (report, "per_category", 0, "bytes_out", NULL);
}

/* A lost worker makes the sums partial. */
static void
test_lost (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'tail_lost': <1.5>}");
  report = rows_aggregate (recording, "task-activity");
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "processor_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "processor_cpu_ratio")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "processor_cpu_time_seconds")), ==,
                   "1 worker was lost, with up to 1.5 s of data missing");
}

/* A source records why it has no activities. */
static void
test_why (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources",
            "{'source': <'dask-1'>, 'activities': <'none'>, 'activities_missing': <'Dask 2022.12 has none'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_unavailable (report, "processor_cpu_time_seconds", "Dask 2022.12 has none");
}

/* Where a source measures some activities only, the others are unknown, and not 0. */
static void
test_limited (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'dask-1'>, 'activities': <'cpu'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 6);
  rows_assert_value (report, "disk_read_bytes", 700);
  rows_assert_unavailable (report, "disk_write_bytes", "no executor in this run measures it");
}

/* Tasks have roles of their own, or that of their category, or are the analysis. */
static void
test_roles (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "categories", "{'source': <'x-1'>, 'category': <'merge'>, 'role': <'framework'>}");
  rows_add (recording, "categories", "{'source': <'x-1'>, 'category': <'nothing'>, 'role': <'analysis'>}");
  activity (recording, "a", "execute", "merge", "thread-cpu", "seconds", 2);
  rows_add (recording, "tasks",
            "{'source': <'x-1'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'index'>, 'role': <'framework'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "overhead_cpu_time_seconds", 2);
  rows_assert_value (report, "processor_cpu_time_seconds", 0);
  g_clear_object (&report);

  activity (recording, "a", "execute", "P", "thread-cpu", "seconds", 3);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 3);
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 3);
}

/* The scheduler's delay, and roast's own cost there: cumulative by source and part. */
static void
test_executor (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "cluster_samples", "{'source': <'x-1'>, 'time': <int64 1>, 'lateness': <0.5>}");
  rows_add (recording, "cluster_samples", "{'source': <'x-1'>, 'time': <int64 2>, 'lateness': <0.25>}");
  rows_add (recording, "executor_times", "{'source': <'x-1'>, 'time': <int64 1>, 'part': <'roast'>, 'value': <1.0>}");
  rows_add (recording, "executor_times", "{'source': <'x-1'>, 'time': <int64 2>, 'part': <'roast'>, 'value': <2.0>}");
  rows_add (recording, "executor_times", "{'source': <'x-2'>, 'time': <int64 2>, 'part': <'roast'>, 'value': <4.0>}");
  rows_add (recording, "executor_times", "{'source': <'x-1'>, 'time': <int64 2>, 'part': <'send'>, 'value': <8.0>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "scheduler_lateness_max_seconds", 0.5);
  rows_assert_value (report, "probe_cpu_seconds", 6);
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_false (rows_has_derived (report, "per_category"));
  g_assert_false (rows_has_derived (report, "per_worker"));
}

/* What the tasks of a shuffle do is recorded in execute as well. What runs beside them, idle time included, is no
 * worker's time in tasks. */
static void
test_shuffle (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "b", "execute", "shuffle-transfer", "shard-partition-cpu", "seconds", 1.0);
  activity (recording, "b", "execute", "shuffle-transfer", "disk-read", "bytes", 40);
  activity (recording, "b", "shuffle-tasks", NULL, "shard-partition-cpu", "seconds", 1.0);
  activity (recording, "b", "shuffle-tasks", NULL, "disk-read", "bytes", 40);
  activity (recording, "b", "shuffle", NULL, "idle", "seconds", 100);
  activity (recording, "b", "shuffle", NULL, "disk-write", "bytes", 30);
  activity (recording, "b", "shuffle", NULL, "disk-write", "seconds", 0.125);
  activity (recording, "b", "shuffle", NULL, "serialize", "seconds", 0.25);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "core_efficiency_ratio", 9.5 / 40);
  rows_assert_value (report, "worker_balance_ratio", 5.5 / 4.75);
  rows_assert_value (report, "processor_cpu_time_seconds", 6);
  rows_assert_value (report, "disk_read_bytes", 740);
  rows_assert_value (report, "disk_write_bytes", 30);
  rows_assert_value (report, "disk_write_seconds", 0.125);
  rows_assert_value (report, "serialization_seconds", 0.25);
  rows_assert_value (report, "network_seconds", 3.25);
}

/* Activities that are neither computing nor waiting, and those of workers between tasks. */
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
  activity (recording, "a", "fetch", NULL, "deserialize", "seconds", 64);
  activity (recording, "a", "serve", NULL, "disk-read", "bytes", 11);
  activity (recording, "a", "serve", NULL, "disk-read", "seconds", 0.5);
  activity (recording, "a", "memory", NULL, "disk-write", "seconds", 0.75);
  activity (recording, "b", "execute", "reduce", "thread-noncpu", "seconds", 1.5);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "executor_seconds", 0.5);
  rows_assert_value (report, "offload_seconds", 0.25);
  rows_assert_value (report, "other_seconds", 0.125);
  rows_assert_value (report, "memory_read_bytes", 99);
  rows_assert_value (report, "compression_seconds", 1);
  rows_assert_value (report, "compression_overhead_seconds", 3);
  rows_assert_value (report, "deserialization_seconds", 4);
  rows_assert_value (report, "serialization_overhead_seconds", 7);
  rows_assert_value (report, "spill_read_bytes", 11);
  rows_assert_value (report, "spill_read_seconds", 0.5);
  rows_assert_value (report, "spill_write_bytes", 1e6);
  rows_assert_value (report, "spill_write_seconds", 0.75);
  rows_assert_value (report, "overhead_cpu_ratio", 0.25);
  rows_assert_value (report, "overhead_wait_ratio", 0.75);
}

/* A script may report any value of its activities. */
static void
test_huge (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "MyProcessor", "disk-write", "bytes", 1e300);
  activity (recording, "a", "serve", NULL, "disk-read", "bytes", -1e300);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "disk_write_bytes", 9e18);
  rows_assert_value (report, "spill_read_bytes", -9e18);
  rows_assert_value (report, "processor_cpu_time_seconds", 6);
}

/* Some tasks fail before they start: they count, but have no time. */
static void
test_untimed (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'k'>, 'attempt': <int64 1>, 'category': <'p'>, 'status': <'failed'>}");
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'q'>, 'attempt': <int64 1>, 'category': <'q'>, 'status': <'failed'>}");
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'l'>, 'attempt': <int64 1>, 'category': <'p'>, "
            "'started': <int64 0>, 'ended': <int64 3000000>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-activity");
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 2);
  assert_derived (report, "per_category", 0, "category", "p");
  assert_derived (report, "per_category", 0, "mean", "3");
  assert_derived (report, "per_category", 1, "mean", NULL);
}

/* The same address in two clusters is two workers. */
static void
test_sources (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers",
            "{'source': <'dask-2'>, 'worker': <'a'>, 'cores': <1.0>, 'joined': <int64 1000000>, "
            "'left': <int64 11000000>}");
  rows_add (recording, "activities",
            "{'source': <'dask-2'>, 'time': <int64 1>, 'worker': <'a'>, 'context': <'execute'>, 'span': <'s'>, "
            "'category': <'MyProcessor'>, 'activity': <'thread-cpu'>, 'unit': <'seconds'>, 'value': <5.0>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 11);
  rows_assert_value (report, "worker_core_seconds", 50);
  rows_assert_value (report, "core_efficiency_ratio", 13.5 / 50);
  rows_assert_value (report, "worker_cores_average", 50 / 20.0);
  rows_assert_value (report, "worker_cores_mean", 5 / 3.0);
  /* Without the process tree's, which is not a worker of an executor. */
  g_assert_cmpuint (rows_count_derived (report, "per_worker"), ==, 3);
  assert_derived (report, "per_worker", 0, "source", "dask-1");
  assert_derived (report, "per_worker", 0, "busy", "4");
  assert_derived (report, "per_worker", 2, "source", "dask-2");
  assert_derived (report, "per_worker", 2, "busy", "5");
}

/* A worker with an unknown core count offers an unknown time: its work is no share of what the others offered. */
static void
test_unknown_cores (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'d'>, 'joined': <int64 1000000>}");
  activity (recording, "d", "execute", "MyProcessor", "thread-cpu", "seconds", 20.0);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_core_seconds", 40);
  rows_assert_value (report, "worker_cores_mean", 2);
  rows_assert_value (report, "core_efficiency_ratio", 8.5 / 40);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "worker_core_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "core_efficiency_ratio")), ==,
                   ROAST_COMPLETENESS_ESTIMATED);
  rows_assert_value (report, "processor_cpu_time_seconds", 26);
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
  rows_assert_value (report, "processor_cpu_time_seconds", expected);
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
  g_assert_false (rows_has_derived (report, "per_category"));
  g_assert_false (rows_has_derived (report, "per_worker"));
  g_assert_false (rows_has_derived (report, "per_activity"));
}

/* Ten tasks waited for 5 s while other threads of their worker computed 3 s, and 1 s in a worker in which nothing else
 * did. */
static RoastRecording *
make_processes (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'memory_limit': <int64 1000>, 'memory_peak': <int64 600>, "
            "'memory_peak_bound': <'exact'>, 'cpu': <4.5>, 'cause': <'closed'>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'b'>, 'memory_limit': <int64 1000>, 'memory_peak': <int64 500>, "
            "'memory_peak_bound': <'exact'>}");
  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 0.25);
  activity (recording, "a", "execute", "x", "thread-noncpu", "seconds", 5);
  activity (recording, "b", "execute", "x", "thread-cpu", "seconds", 0.25);
  activity (recording, "b", "execute", "x", "thread-noncpu", "seconds", 1);
  activity (recording, "a", "process", NULL, "startup", "seconds", 0.5);
  activity (recording, "a", "process", NULL, "event-loop", "seconds", 0.75);
  activity (recording, "a", "process", NULL, "task-threads", "seconds", 0.25);
  activity (recording, "a", "process", NULL, "other-threads", "seconds", 2);
  activity (recording, "a", "process", NULL, "children", "seconds", 1);
  activity (recording, "b", "process", NULL, "startup", "seconds", 0.5);

  return recording;
}

static void
test_unsplit (void)
{
  g_autoptr (RoastRecording) recording = make_processes ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");

  rows_assert_value (report, "processor_cpu_time_seconds", 0.5);
  rows_assert_value (report, "processor_unsplit_time_seconds", 3);
  rows_assert_value (report, "processor_wait_time_seconds", 3);
  rows_assert_value (report, "processor_wait_ratio", 3 / 6.5);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "processor_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "processor_wait_time_seconds")), ==,
                   "other threads and children of workers computed: up to 3 s may be for these tasks");
  rows_assert_value (report, "worker_cpu_seconds", 5);
  rows_assert_value (report, "worker_startup_cpu_seconds", 1);
  rows_assert_value (report, "worker_event_loop_cpu_seconds", 0.75);
  rows_assert_value (report, "worker_task_threads_cpu_seconds", 0.25);
  rows_assert_value (report, "worker_other_threads_cpu_seconds", 2);
  rows_assert_value (report, "worker_children_cpu_seconds", 1);
  /* CPU time of processes is not time in tasks. */
  rows_assert_value (report, "worker_balance_ratio", 5.25 / 3.25);
  assert_derived (report, "per_worker", 0, "unsplit", "3");
  assert_derived (report, "per_worker", 0, "waiting", "2");
  assert_derived (report, "per_worker", 0, "process_cpu", "4.5");
  assert_derived (report, "per_worker", 0, "cause", "closed");
  assert_derived (report, "per_worker", 1, "waiting", "1");
}

/* Tasks without a thread of their own run in the event loop. */
static void
test_unsplit_asynchronous (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "async", "thread-noncpu", "seconds", 5);
  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 1);
  activity (recording, "a", "execute", "x", "thread-noncpu", "seconds", 4);
  activity (recording, "a", "process", NULL, "event-loop", "seconds", 3);
  activity (recording, "a", "process", NULL, "other-threads", "seconds", 0.5);
  report = rows_aggregate (recording, "task-activity");
  /* What was computed once was for one task only. */
  rows_assert_value (report, "processor_unsplit_time_seconds", 3.5);
  rows_assert_value (report, "processor_wait_time_seconds", 5.5);
}

/* A worker that does not report what else it computed, where others do: nothing is known to wait. */
static void
test_unsplit_unknown (void)
{
  g_autoptr (RoastRecording) recording = make_processes ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "c", "execute", "x", "thread-noncpu", "seconds", 7);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_unsplit_time_seconds", 10);
  rows_assert_value (report, "processor_wait_time_seconds", 3);
}

/* Threads of one worker may compute for tasks of another one in the same process. */
static void
test_unsplit_shared (void)
{
  g_autoptr (RoastRecording) recording = make_processes ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'pid': <int64 7>, 'process_workers': <int64 2>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'b'>, 'pid': <int64 7>, 'process_workers': <int64 2>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_unsplit_time_seconds", 3);
  assert_derived (report, "per_worker", 1, "unsplit", "1");
}

static void
assert_peak (RoastRecording *recording, double value, RoastCompleteness completeness, const char *note)
{
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");
  RoastMetric *metric = rows_get_metric (report, "worker_memory_peak_bytes");

  rows_assert_value (report, "worker_memory_peak_bytes", value);
  rows_assert_value (report, "worker_memory_peak_ratio", value / 1000);
  g_assert_cmpint (roast_metric_get_completeness (metric), ==, completeness);
  g_assert_cmpstr (roast_metric_get_note (metric), ==, note);
}

/* Peaks, and what is a bound only. */
static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = make_processes ();

  rows_add (recording, "worker_samples",
            "{'source': <'dask-1'>, 'time': <int64 5>, 'worker': <'a'>, 'memory': <int64 400>}");
  assert_peak (recording, 600, ROAST_COMPLETENESS_COMPLETE, NULL);
  activity (recording, "c", "execute", "x", "thread-cpu", "seconds", 1);
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'c'>, 'memory_limit': <int64 1000>, 'memory_peak': <int64 950>, "
            "'memory_peak_bound': <'at_least'>}");
  assert_peak (recording, 950, ROAST_COMPLETENESS_PARTIAL, "1 of 3 workers ended without their last data");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'d'>, 'memory_limit': <int64 1000>, 'memory_peak': <int64 990>, "
            "'memory_peak_bound': <'at_most'>}");
  assert_peak (recording, 990, ROAST_COMPLETENESS_ESTIMATED,
               "an upper bound: the peak may date from before the measurement, or be that of several workers in one "
               "process; 1 of 4 workers ended without their last data");
}

/* The same process in the table of processes, and another one with its process id. */
static RoastRecording *
make_twins (const char *worker, const char *process)
{
  RoastRecording *recording = roast_recording_new (NULL);
  g_autofree char *workers =
      g_strdup_printf ("{'source': <'dask-1'>, 'worker': <'a'>, 'pid': <int64 7>, 'started': <int64 5000000>, %s}",
                       worker);
  g_autofree char *processes = g_strdup_printf ("{'source': <'processes-1'>, 'process': <int64 2>, 'pid': <int64 7>, "
                                                "'started': <int64 5000010>, "
                                                "'cpu_user': <3.0>, 'cpu_system': <1.0>, %s}",
                                                process);

  rows_add (recording, "processes",
            "{'source': <'processes-1'>, 'process': <int64 1>, 'pid': <int64 7>, 'started': <int64 1000000>, "
            "'signal': <int64 11>, 'memory_peak': <int64 900000000>}");
  rows_add (recording, "processes", processes);
  rows_add (recording, "workers", workers);
  activity (recording, "a", "process", NULL, "startup", "seconds", 1);
  activity (recording, "a", "process", NULL, "other-threads", "seconds", 3);
  activity (recording, "a", "process", NULL, "children", "seconds", 8);

  return recording;
}

static void
assert_end (const char *worker, const char *process, const char *cause, const char *peak, const char *bound,
            const char *missing)
{
  g_autoptr (RoastRecording) recording = make_twins (worker, process);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "task-activity");

  assert_derived (report, "per_worker", 0, "cause", cause);
  assert_derived (report, "per_worker", 0, "memory_peak", peak);
  assert_derived (report, "per_worker", 0, "memory_peak_bound", bound);
  assert_derived (report, "per_worker", 0, "missing", missing);
}

static void
test_seen_from_outside (void)
{
  /* Both agree. */
  assert_end ("'cause': <'closed'>, 'memory_peak': <int64 500000000>, 'memory_peak_bound': <'exact'>",
              "'memory_peak': <int64 501000000>", "closed", "500000000", "exact", NULL);
  /* It was seen to end, and to grow after its last data. */
  assert_end ("'cause': <'lost'>, 'memory_peak': <int64 500000000>, 'memory_peak_bound': <'at_least'>, 'missing': "
              "<'x'>",
              "'memory_peak': <int64 600000000>, 'signal': <int64 9>", "signal", "600000000", "at_least", "x");
  assert_end ("'cause': <'lost'>, 'memory_peak': <int64 500000000>, 'memory_peak_bound': <'at_least'>, 'missing': "
              "<'x'>",
              "'memory_peak': <int64 600000000>, 'memory_peak_bound': <'exact'>", "lost", "600000000", "exact", "x");
  assert_end ("'cause': <'lost'>", "'exit_code': <int64 3>", "exited", NULL, NULL, NULL);
  assert_end ("'cause': <'lost'>", "'exit_code': <int64 0>", "lost", NULL, NULL, NULL);
  /* What Dask knows stands. */
  assert_end ("'cause': <'memory'>", "'signal': <int64 15>", "memory", NULL, NULL, NULL);
  /* A peak from before an exec is not taken, and they do not agree. */
  assert_end ("'memory_peak': <int64 104857600>, 'memory_peak_bound': <'at_least'>",
              "'memory_peak': <int64 209715200>, 'memory_peak_bound': <'at_most'>", NULL, "104857600", "at_least",
              "the table of processes has a peak memory of 200 MiB, not 100 MiB: that may date from before an exec");
  assert_end ("'memory_peak': <int64 104857600>, 'memory_peak_bound': <'exact'>", "'memory_peak': <int64 209715200>",
              NULL, "104857600", "exact",
              "the table of processes has a peak memory of 200 MiB, not 100 MiB: it rose after its last data");
}

static void
test_cpu_from_outside (void)
{
  g_autoptr (RoastRecording) recording = make_twins ("'cause': <'closed'>", "'memory_peak': <int64 1>");
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "process", NULL, "startup", "seconds", 0.5);
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "missing",
                  "the table of processes has 4.00 s of CPU time for it, not 3.50 s: it went on after its last data");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-activity/sums", test_sums);
  g_test_add_func ("/task-activity/lost", test_lost);
  g_test_add_func ("/task-activity/cpu-of-tasks", test_cpu_of_tasks);
  g_test_add_func ("/task-activity/why", test_why);
  g_test_add_func ("/task-activity/limited", test_limited);
  g_test_add_func ("/task-activity/roles", test_roles);
  g_test_add_func ("/task-activity/executor", test_executor);
  g_test_add_func ("/task-activity/empty", test_empty);
  g_test_add_func ("/task-activity/shuffle", test_shuffle);
  g_test_add_func ("/task-activity/others", test_others);
  g_test_add_func ("/task-activity/huge", test_huge);
  g_test_add_func ("/task-activity/untimed", test_untimed);
  g_test_add_func ("/task-activity/sources", test_sources);
  g_test_add_func ("/task-activity/unknown-cores", test_unknown_cores);
  g_test_add_func ("/task-activity/many", test_many);
  g_test_add_func ("/task-activity/no-executor", test_no_executor);
  g_test_add_func ("/task-activity/unsplit", test_unsplit);
  g_test_add_func ("/task-activity/unsplit-asynchronous", test_unsplit_asynchronous);
  g_test_add_func ("/task-activity/unsplit-unknown", test_unsplit_unknown);
  g_test_add_func ("/task-activity/unsplit-shared", test_unsplit_shared);
  g_test_add_func ("/task-activity/memory", test_memory);
  g_test_add_func ("/task-activity/seen-from-outside", test_seen_from_outside);
  g_test_add_func ("/task-activity/cpu-from-outside", test_cpu_from_outside);

  return g_test_run ();
}
