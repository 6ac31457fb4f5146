/* SPDX-License-Identifier: BSD-3-Clause */

/* What workers and tasks spent their time on: recordings made by hand, answers computed by hand. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "activities.h"
#include "rows.h"

static void
activity (RoastRecording *recording, const char *worker, const char *context, const char *prefix, const char *what,
          const char *unit, double value)
{
  activities_add (recording, "dask-1", worker, context, prefix, what, unit, value);
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
  rows_assert_note (report, "processor_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "the CPU time of tasks that took 2.00 s");
  assert_derived (report, "per_category", 0, "bytes_out", NULL);
}

/* The CPU time of an attempt counts even if it is unknown when it started; how long it waited is not known. */
static void
test_cpu_without_start (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'mine-1'>, 'backend': <'mine'>}");
  rows_add (recording, "tasks",
            "{'source': <'mine-1'>, 'task': <'t1'>, 'attempt': <int64 1>, 'category': <'fit'>, 'worker': <'a'>, "
            "'started': <int64 1000000>, 'ended': <int64 5000000>, 'cpu': <3.0>, 'status': <'done'>}");
  rows_add (recording, "tasks",
            "{'source': <'mine-1'>, 'task': <'t2'>, 'attempt': <int64 1>, 'category': <'fit'>, 'worker': <'a'>, "
            "'ended': <int64 7000000>, 'cpu': <0.5>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 3.5);
  rows_assert_note (report, "processor_cpu_time_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (report, "processor_wait_time_seconds", 1);
  rows_assert_note (report, "processor_wait_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "1 attempt has no known start or end");
  rows_assert_note (report, "processor_cpu_ratio", ROAST_COMPLETENESS_ESTIMATED, "1 attempt has no known start or end");
}

/* An executor splits the time of attempts that return a result only; rows have the CPU time of others, if they ended.
 */
static void
test_cpu_of_failed (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "MyProcessor", "failed", "seconds", 5.0);
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'t1'>, 'attempt': <int64 1>, 'category': <'MyProcessor'>, 'worker': "
            "<'a'>, "
            "'started': <int64 1000000>, 'ended': <int64 5500000>, 'cpu': <4.002>, 'status': <'done'>}");
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'t2'>, 'attempt': <int64 1>, 'category': <'MyProcessor'>, 'worker': "
            "<'b'>, "
            "'started': <int64 1000000>, 'ended': <int64 5000000>, 'cpu': <2.002>, 'status': <'done'>}");
  report = rows_aggregate (recording, "task-activity");
  /* Both differ by less than two clocks do. */
  rows_assert_value (report, "processor_cpu_time_seconds", 6);
  rows_assert_value (report, "processor_wait_time_seconds", 2);
  g_clear_object (&report);

  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'t3'>, 'attempt': <int64 1>, 'category': <'MyProcessor'>, 'worker': "
            "<'a'>, "
            "'started': <int64 6000000>, 'ended': <int64 11000000>, 'cpu': <2.0>, 'status': <'failed'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 4.002 + 2 + 2);
  rows_assert_value (report, "processor_wait_time_seconds", 0.498 + 2 + 3);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "processor_cpu_time_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  g_clear_object (&report);

  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'t4'>, 'attempt': <int64 1>, 'category': <'MyProcessor'>, 'worker': "
            "<'a'>, "
            "'started': <int64 12000000>, 'ended': <int64 13000000>, 'status': <'failed'>}");
  activity (recording, "b", "execute", "MyProcessor", "cancelled", "seconds", 2.0);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 4.002 + 2 + 2);
  rows_assert_note (report, "processor_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "attempts without a result took 3.00 s in total; the CPU time of these attempts is unknown");
  g_clear_object (&report);

  activity (recording, "b", "cancelled", "MyProcessor", "thread-cpu", "seconds", 1.25);
  activity (recording, "b", "cancelled", "MyProcessor", "thread-noncpu", "seconds", 0.5);
  activity (recording, "b", "cancelled", "MyProcessor", "executor", "seconds", 0.25);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "cancelled_seconds", 2);
  rows_assert_value (report, "processor_cpu_time_seconds", 4.002 + 2 + 2 + 1.25);
  rows_assert_value (report, "processor_wait_time_seconds", 0.498 + 2 + 3 + 0.5);
  rows_assert_note (report, "processor_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "attempts without a result took 1.00 s in total; the CPU time of these attempts is unknown");
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
  rows_assert_unavailable (report, "disk_write_bytes", "no executor in this run measures this activity");
}

/* Tasks have roles of their own, or that of their category, or are the analysis. */
static void
test_roles (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "categories", "{'source': <'dask-1'>, 'category': <'merge'>, 'role': <'framework'>}");
  rows_add (recording, "categories", "{'source': <'dask-1'>, 'category': <'nothing'>, 'role': <'analysis'>}");
  activity (recording, "a", "execute", "merge", "thread-cpu", "seconds", 2);
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'index'>, 'role': "
            "<'framework'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "overhead_cpu_time_seconds", 2);
  rows_assert_value (report, "processor_cpu_time_seconds", 0);
  g_clear_object (&report);

  activity (recording, "a", "execute", "P", "thread-cpu", "seconds", 3);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "processor_cpu_time_seconds", 3);
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 3);
  g_clear_object (&report);

  /* A name of the framework in one source may be the analysis in another. */
  rows_add (recording, "activities",
            "{'source': <'dask-2'>, 'time': <int64 1>, 'worker': <'b'>, 'context': <'execute'>, 'category': <'merge'>, "
            "'activity': <'thread-cpu'>, 'unit': <'seconds'>, 'value': <4.0>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "overhead_cpu_time_seconds", 2);
  rows_assert_value (report, "processor_cpu_time_seconds", 7);
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 4);
  g_clear_object (&report);

  /* Sources that agree have one row. */
  rows_add (recording, "categories", "{'source': <'dask-2'>, 'category': <'merge'>, 'role': <'framework'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "overhead_cpu_time_seconds", 6);
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 3);
  assert_derived (report, "per_category", 0, "category", "merge");
  assert_derived (report, "per_category", 0, "cpu", "6");
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
  rows_assert_value (report, "disk_write_bytes", 1e300);
  rows_assert_value (report, "spill_read_bytes", -1e300);
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
                   "up to 3.00 s of CPU time of other threads and children of workers may belong to these tasks");
  rows_assert_value (report, "worker_cpu_seconds", 5);
  rows_assert_value (report, "worker_startup_cpu_seconds", 1);
  rows_assert_value (report, "worker_event_loop_cpu_seconds", 0.75);
  rows_assert_value (report, "worker_task_threads_cpu_seconds", 0.25);
  rows_assert_value (report, "worker_other_threads_cpu_seconds", 2);
  rows_assert_value (report, "worker_children_cpu_seconds", 1);
  /* One worker ended, and nothing observed its process from outside. */
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "worker_cpu_seconds")), ==,
                   "1 of 1 workers used an unknown CPU time after sending the last data: nothing observed the "
                   "processes of these workers from outside");
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "worker_shutdown_cpu_seconds")), ==,
                   ROAST_COMPLETENESS_UNAVAILABLE);
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
  assert_peak (recording, 950, ROAST_COMPLETENESS_PARTIAL, "1 of 3 workers ended before their last data arrived");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'d'>, 'memory_limit': <int64 1000>, 'memory_peak': <int64 990>, "
            "'memory_peak_bound': <'at_most'>}");
  assert_peak (recording, 990, ROAST_COMPLETENESS_ESTIMATED,
               "upper bound: the peak may date from before the measurement, or cover several workers in one process; 1 "
               "of 4 workers ended before their last data arrived");
}

/* The same process in the table of processes, unless @process is NULL, and another one with its process id. */
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
  if (process != NULL)
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
              "'memory_peak': <int64 600000000>, 'signal': <int64 15>", "signal", "600000000", "at_least", "x");
  assert_end ("'cause': <'lost'>, 'memory_peak': <int64 500000000>, 'memory_peak_bound': <'at_least'>, 'missing': "
              "<'x'>",
              "'memory_peak': <int64 600000000>, 'memory_peak_bound': <'exact'>", "lost", "600000000", "exact", "x");
  assert_end ("'cause': <'lost'>", "'exit_code': <int64 3>", "exited", NULL, NULL, NULL);
  assert_end ("'cause': <'lost'>", "'exit_code': <int64 0>", "lost", NULL, NULL, NULL);
  assert_end ("'cause': <'lost'>", "'signal': <int64 1>", "signal", NULL, NULL, NULL);
  assert_end ("'cause': <'lost'>", "'signal': <int64 0>", "lost", NULL, NULL, NULL);
  /* Of a worker without a peak, one from before an exec says nothing. */
  assert_end ("'name': <'n'>", "'memory_peak': <int64 209715200>, 'memory_peak_bound': <'at_most'>", NULL, NULL, NULL,
              NULL);
  /* What Dask knows stands. */
  assert_end ("'cause': <'memory'>", "'signal': <int64 15>", "memory", NULL, NULL, NULL);
  /* A peak from before an exec is not taken, and they do not agree. */
  assert_end ("'memory_peak': <int64 104857600>, 'memory_peak_bound': <'at_least'>",
              "'memory_peak': <int64 209715200>, 'memory_peak_bound': <'at_most'>", NULL, "104857600", "at_least",
              "the table of processes has a peak memory of 200 MiB, not 100 MiB: the larger value may date from before "
              "an exec");
  assert_end ("'memory_peak': <int64 104857600>, 'memory_peak_bound': <'exact'>", "'memory_peak': <int64 209715200>",
              NULL, "104857600", "exact",
              "the table of processes has a peak memory of 200 MiB, not 100 MiB: the memory rose after the worker sent "
              "its last data");
}

/* Signal 9 to a worker, and as many other processes; @kills: how many the control group counted, -1 if it counts none.
 */
static void
assert_kill (const char *worker, const char *process, int others, int kills, const char *cause, const char *missing)
{
  g_autoptr (RoastRecording) recording = make_twins (worker, process);
  g_autoptr (RoastReport) report = NULL;

  for (int i = 0; i < others; i++)
    rows_add (recording, "processes",
              "{'source': <'processes-1'>, 'process': <int64 9>, 'pid': <int64 9>, 'signal': <int64 9>}");
  if (kills >= 0)
    roast_recording_set_metadata (recording, "tree-oom-kills", g_variant_new_int64 (kills));
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "cause", cause);
  assert_derived (report, "per_worker", 0, "signal", strstr (worker, "<int64 15>") != NULL ? "15" : "9");
  assert_derived (report, "per_worker", 0, "missing", missing);
}

static void
test_kills (void)
{
  static const char killed[] = "'cause': <'signal'>, 'signal': <int64 9>";
  static const char lost[] = "'cause': <'lost'>";
  static const char here[] = "'memory_peak': <int64 1>";
  static const char seen[] = "'signal': <int64 9>";
#define MAY_BE "signal 9 may come from a program, or from the kernel because memory ran out: "

  /* The executor knows. */
  assert_kill ("'cause': <'signal'>, 'signal': <int64 9>, 'oom_killed': <false>", here, 0, 1, "signal", NULL);
  assert_kill ("'cause': <'memory'>, 'signal': <int64 9>, 'oom_killed': <true>", here, 0, -1, "memory", NULL);
  /* Where it does not, the control group of the program may. */
  assert_kill (killed, here, 0, 1, "memory", NULL);
  assert_kill (killed, here, 0, 0, "signal", NULL);
  assert_kill (lost, seen, 0, 1, "memory", NULL);
  assert_kill (lost, seen, 0, 0, "signal", NULL);
  assert_kill (killed, seen, 1, 2, "memory", NULL);
  assert_kill (killed, here, 1, 1, "signal",
               MAY_BE "the worker's control group counts 1 kill(s) by the kernel, but 2 processes ended by signal 9");
  assert_kill (killed, here, 0, -1, "signal", MAY_BE "no control group counts such kills");
  /* Elsewhere the group of the program knows nothing. */
  assert_kill ("'cause': <'signal'>, 'signal': <int64 9>, 'missing': <'x'>", NULL, 0, 1, "signal",
               "x; " MAY_BE "no control group counts such kills");
  assert_kill ("'cause': <'signal'>, 'signal': <int64 15>", here, 0, 1, "signal", NULL);
#undef MAY_BE
}

static void
test_cpu_from_outside (void)
{
  g_autoptr (RoastRecording) recording = make_twins ("'cause': <'closed'>", "'memory_peak': <int64 1>");
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "process", NULL, "startup", "seconds", 0.5);
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "missing",
                  "the table of processes has 4.00 s of CPU time for this worker, not 3.50 s: the worker continued "
                  "after sending its last data");
}

/* All columns of the three tables. */
static void
test_tables (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "b", "fetch", NULL, "deserialize", "seconds", 3.0);
  report = rows_aggregate (recording, "task-activity");

  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 2);
  assert_derived_row (report, "per_category", 0,
                      "category=MyProcessor role=analysis busy=8 cpu=6 waiting=2 unsplit=0 disk_read=0 disk_write=0 "
                      "serialization=0 compression=0");
  assert_derived_row (report, "per_category", 1,
                      "category=reduce role=framework busy=0.5 cpu=0.5 waiting=0 unsplit=0 disk_read=700 disk_write=0 "
                      "serialization=0 compression=0");
  g_assert_cmpuint (rows_count_derived (report, "per_worker"), ==, 2);
  assert_derived_row (report, "per_worker", 0,
                      "worker=a cores=2 memory_peak=400 busy=4 cpu=4 waiting=0 unsplit=0 lifetime=10 "
                      "memory_limit=1000");
  assert_derived_row (report, "per_worker", 1,
                      "worker=b cores=2 busy=4.5 cpu=2.5 waiting=2 unsplit=0 lifetime=10 memory_limit=1000");
  g_assert_cmpuint (rows_count_derived (report, "per_activity"), ==, 7);
  assert_derived_row (report, "per_activity", 0, "context=execute activity=disk-read unit=bytes value=700");
  assert_derived_row (report, "per_activity", 1,
                      "context=execute activity=thread-cpu unit=seconds value=6.5 seconds=6.5");
  assert_derived_row (report, "per_activity", 2,
                      "context=execute activity=thread-noncpu unit=seconds value=2 seconds=2");
  assert_derived_row (report, "per_activity", 3, "context=fetch activity=deserialize unit=seconds value=3 seconds=3");
  assert_derived_row (report, "per_activity", 4, "context=fetch activity=network unit=seconds value=3 seconds=3");
  assert_derived_row (report, "per_activity", 5, "context=memory activity=disk-write unit=bytes value=1000000");
  assert_derived_row (report, "per_activity", 6, "context=serve activity=network unit=seconds value=0.25 seconds=0.25");
}

static void
task (RoastRecording *recording, const char *id, const char *cells)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'x-1'>, 'task': <'%s'>, 'attempt': <int64 1>, %s}", id, cells);

  rows_add (recording, "tasks", row);
}

/* An executor without activities: tasks have times and CPU times. Of a task of several cores it is unknown how many of
 * its threads waited: that is not waiting. */
static void
test_tasks_alone (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (
      recording, "workers",
      "{'source': <'x-1'>, 'worker': <'a'>, 'name': <'first'>, 'host': <'tick'>, 'cores': <2.0>, 'joined': <int64 "
      "0>, 'left': <int64 10000000>, 'child_memory_peak': <int64 77>, 'exit_code': <int64 0>, 'cause': <'closed'>}");
  rows_add (recording, "workers",
            "{'source': <'x-1'>, 'worker': <'b'>, 'cores': <4.0>, 'joined': <int64 0>, 'left': <int64 5000000>, "
            "'signal': "
            "<int64 9>, 'oom_killed': <false>, 'cause': <'signal'>, 'cpu': <3.5>, 'missing': <'its last second'>}");
  task (recording, "1",
        "'category': <'fit'>, 'worker': <'a'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'cpu': <3.0>, 'cores': "
        "<1.0>, 'bytes_out': <int64 10>, 'status': <'done'>");
  /* It computed more than a core can. */
  task (recording, "2",
        "'category': <'fit'>, 'worker': <'a'>, 'started': <int64 4000000>, 'ended': <int64 6000000>, 'cpu': <5.0>, "
        "'cores': <4.0>, 'bytes_out': <int64 0>, 'status': <'done'>");
  task (recording, "3",
        "'category': <'fit'>, 'worker': <'b'>, 'started': <int64 0>, 'ended': <int64 8000000>, 'cpu': <2.0>, 'cores': "
        "<2.0>, 'status': <'failed'>");
  task (recording, "4",
        "'category': <'fit'>, 'worker': <'b'>, 'started': <int64 0>, 'ended': <int64 1000000>, 'cpu': <1.0>, 'status': "
        "<'exhausted'>");
  task (recording, "5", "'category': <'fit'>, 'worker': <'b'>, 'status': <'killed_worker'>");
  /* The first two were at no worker. */
  task (recording, "6", "'category': <'fit'>, 'status': <'never_ran'>");
  task (recording, "7", "'category': <'fit'>, 'status': <'cancelled'>");
  task (recording, "8",
        "'category': <'fit'>, 'worker': <'a'>, 'started': <int64 6000000>, 'ended': <int64 7000000>, 'status': "
        "<'cancelled'>");
  task (recording, "9",
        "'started': <int64 0>, 'ended': <int64 1000000>, 'cpu': <0.5>, 'role': <'framework'>, 'status': <'done'>");
  report = rows_aggregate (recording, "task-activity");

  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 2);
  assert_derived_row (report, "per_category", 0,
                      "category=fit role=analysis tasks=6 failed=3 cpu=11 waiting=1 unsplit=6 mean=3.2 max=8 "
                      "bytes_out=10 disk_read=0 disk_write=0");
  assert_derived_row (report, "per_category", 1,
                      "category=? role=framework tasks=1 failed=0 cpu=0.5 waiting=0.5 unsplit=0 mean=1 max=1 "
                      "disk_read=0 disk_write=0");
  g_assert_cmpuint (rows_count_derived (report, "per_worker"), ==, 2);
  assert_derived_row (report, "per_worker", 0,
                      "worker=a name=first host=tick cores=2 tasks=3 failed=0 cause=closed busy=7 cpu=8 waiting=1 "
                      "unsplit=0 lifetime=10 child_memory_peak=77 exit_code=0");
  assert_derived_row (report, "per_worker", 1,
                      "worker=b cores=4 tasks=3 failed=3 cause=signal busy=9 process_cpu=3.5 cpu=3 waiting=0 unsplit=6 "
                      "lifetime=5 signal=9 missing=its last second");
  rows_assert_value (report, "processor_cpu_time_seconds", 11);
  rows_assert_value (report, "processor_unsplit_time_seconds", 6);
  rows_assert_value (report, "processor_wait_time_seconds", 1);
  rows_assert_value (report, "processor_cpu_ratio", 11 / 29.0);
  rows_assert_value (report, "processor_wait_ratio", 1 / 29.0);
  rows_assert_note (report, "processor_unsplit_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "the CPU time of tasks that took 1.00 s in total is unknown");
  /* Those of tasks are of all their threads. */
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "processor_cpu_time_seconds")), ==,
                   "the CPU time of tasks that took 1.00 s in total is unknown");
  rows_assert_value (report, "overhead_wait_time_seconds", 0.5);
  rows_assert_value (report, "overhead_unsplit_time_seconds", 0);
  rows_assert_value (report, "worker_core_seconds", 40);
  rows_assert_value (report, "worker_cores_average", 4);
  rows_assert_value (report, "worker_cores_mean", 3);
  rows_assert_value (report, "core_efficiency_ratio", 16 / 40.0);
  rows_assert_value (report, "worker_balance_ratio", 9 / 8.0);
  rows_assert_unavailable (report, "worker_memory_peak_bytes", "no worker reported its memory");
  rows_assert_unavailable (report, "worker_memory_peak_ratio", "no worker reported its memory");
  rows_assert_unavailable (report, "worker_cpu_seconds", "no worker reported the CPU time of its process");
  rows_assert_unavailable (report, "failed_seconds", "no executor recorded how its tasks spent");
}

/* Without the times of tasks nothing was measured. */
static void
test_untimed_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "category_states",
            "{'source': <'x-1'>, 'time': <int64 1>, 'category': <'fit'>, 'state': <'running'>, 'tasks': <int64 1>}");
  rows_add (recording, "workers",
            "{'source': <'x-1'>, 'worker': <'a'>, 'cores': <2.0>, 'joined': <int64 0>, 'left': <int64 10000000>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_core_seconds", 20);
  rows_assert_unavailable (report, "core_efficiency_ratio", "no executor recorded how long tasks took");
  rows_assert_unavailable (report, "worker_balance_ratio", "no worker was busy");
  assert_derived_row (report, "per_worker", 0, "worker=a cores=2 lifetime=10");
}

/* A worker that left before the measurement offered nothing; of one whose arrival or end is unknown, the time is. */
static void
test_lifetimes (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) none = NULL;
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 1);
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (10000000));
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'cores': <2.0>, 'joined': <int64 0>, 'left': <int64 4000000>}");
  none = rows_aggregate (recording, "task-activity");
  rows_assert_unavailable (none, "worker_core_seconds", "no worker was present during the measurement");
  rows_assert_unavailable (none, "worker_cores_average", "no worker was present during the measurement");
  assert_derived (none, "per_worker", 0, "lifetime", "0");

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'b'>, 'cores': <2.0>, 'left': <int64 20000000>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'c'>, 'cores': <2.0>, 'joined': <int64 12000000>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'d'>, 'cores': <4.0>, 'joined': <int64 12000000>, 'left': <int64 "
            "15000000>}");
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 1, "lifetime", NULL);
  assert_derived (report, "per_worker", 2, "lifetime", NULL);
  assert_derived (report, "per_worker", 3, "lifetime", "3");
  rows_assert_value (report, "worker_core_seconds", 12);
  rows_assert_note (report, "worker_core_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "core count or lifetime is unknown for 2 of 4 workers");
  /* From 10 s, when the measurement began, to 15 s. */
  rows_assert_value (report, "worker_cores_average", 2.4);
  rows_assert_value (report, "worker_cores_mean", 3);
}

/* What was not measured, or may have been lost, is in the notes. */
static void
test_notes (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "MyProcessor", "unmeasured", "seconds", 2);
  activity (recording, "a", "execute", "MyProcessor", "lost", "seconds", 0.5);
  activity (recording, "b", "execute", "MyProcessor", "unfinished", "seconds", 0.25);
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'tail_lost': <1.5>}");
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'b'>, 'tail_lost': <0.5>}");
  rows_add (recording, "workers", "{'source': <'local-1'>, 'worker': <'c'>, 'tail_lost': <9.0>}");
  rows_add (recording, "events", "{'kind': <'flush'>, 'message': <'one did not answer'>}");
  rows_add (recording, "events", "{'kind': <'transfers-cut'>, 'message': <'the log was full'>}");
  rows_add (recording, "events", "{'kind': <'transfers-untimed'>, 'message': <'some have no time'>}");
  report = rows_aggregate (recording, "task-activity");

#define LOST "2 workers were lost, with up to 1.5 s of data missing; one did not answer"
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "disk_read_bytes")), ==,
                   LOST "; the CPU time of tasks that took 2.00 s in total is unknown");
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "network_seconds")), ==,
                   LOST "; some have no time; the log was full");
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "core_efficiency_ratio")), ==,
                   LOST "; the CPU time of tasks that took 2.00 s in total is unknown; the start or end of tasks that "
                        "took 750 ms in total is unknown");
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "worker_core_seconds")), ==, NULL);
#undef LOST
}

/* Of an executor that measures nothing but waiting, CPU time is unknown; of one that measures all, it is 0. Whether
 * tasks failed is known where there are tasks. The time of tasks without times is unknown, not 0. */
static void
test_what_is_known (void)
{
  g_autoptr (RoastRecording) full = roast_recording_new (NULL);
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) all = NULL;
  g_autoptr (RoastReport) limited = NULL;
  g_autoptr (RoastReport) tasks = NULL;

  activity (full, "a", "fetch", NULL, "network", "seconds", 3);
  rows_add (full, "sources", "{'source': <'dask-1'>, 'activities': <'all'>}");
  rows_add (full, "sources", "{'source': <'other'>, 'activities': <'cpu'>}");
  all = rows_aggregate (full, "task-activity");
  rows_assert_value (all, "processor_cpu_time_seconds", 0);
  rows_assert_value (all, "processor_wait_time_seconds", 0);
  rows_assert_unavailable (all, "processor_cpu_ratio", "no task of the analysis ran in a thread");
  rows_assert_unavailable (all, "overhead_cpu_ratio", "no task of the framework ran in a thread");
  rows_assert_value (all, "failed_seconds", 0);

  activity (recording, "a", "fetch", NULL, "network", "seconds", 3);
  rows_add (recording, "sources",
            "{'source': <'dask-1'>, 'activities': <'cpu'>, 'activities_missing': <'it is too old'>}");
  limited = rows_aggregate (recording, "task-activity");
  rows_assert_unavailable (limited, "processor_cpu_time_seconds", "it is too old");
  rows_assert_unavailable (limited, "processor_wait_time_seconds", "it is too old");
  rows_assert_unavailable (limited, "processor_unsplit_time_seconds", "it is too old");
  rows_assert_unavailable (limited, "processor_cpu_ratio", "it is too old");
  rows_assert_value (limited, "network_seconds", 3);
  rows_assert_unavailable (limited, "failed_seconds", "no executor in this run measures this activity");

  task (recording, "1", "'category': <'p'>, 'status': <'done'>");
  tasks = rows_aggregate (recording, "task-activity");
  rows_assert_value (tasks, "failed_seconds", 0);
  rows_assert_value (tasks, "cancelled_seconds", 0);
  rows_assert_unavailable (tasks, "executor_seconds", "no executor in this run measures this activity");
  assert_derived_row (tasks, "per_category", 0, "category=p role=analysis tasks=1 failed=0");
}

/* A row that lacks a part of its key is not a number of anything. */
static void
test_incomplete_activities (void)
{
  static const char *const keys[] = { "context", "activity", "unit", "value" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GString) row = g_string_new ("{'source': <'dask-1'>, 'time': <int64 1>, 'worker': <'a'>");

      if (i != 0)
        g_string_append (row, ", 'context': <'fetch'>");
      if (i != 1)
        g_string_append (row, ", 'activity': <'network'>");
      if (i != 2)
        g_string_append (row, ", 'unit': <'seconds'>");
      if (i != 3)
        g_string_append (row, ", 'value': <5.0>");
      g_string_append (row, "}");
      rows_add (recording, "activities", row->str);
    }
  report = rows_aggregate (recording, "task-activity");
  rows_assert_unavailable (report, "network_seconds", "no executor recorded");
  g_assert_false (rows_has_derived (report, "per_activity"));
}

/* Two categories waited for 3 s each in a worker where other threads computed 4 s: what was computed once was not for
 * both. */
static void
test_unsplit_once (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>}");
  rows_add (recording, "categories", "{'source': <'dask-1'>, 'category': <'merge'>, 'role': <'framework'>}");
  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 94);
  activity (recording, "a", "execute", "x", "thread-noncpu", "seconds", 3);
  activity (recording, "a", "execute", "y", "thread-cpu", "seconds", 1);
  activity (recording, "a", "execute", "y", "thread-noncpu", "seconds", 3);
  activity (recording, "a", "execute", "merge", "thread-cpu", "seconds", 98);
  activity (recording, "a", "execute", "merge", "thread-noncpu", "seconds", 1);
  activity (recording, "a", "process", NULL, "other-threads", "seconds", 3.5);
  activity (recording, "a", "process", NULL, "children", "seconds", 0.5);
  activity (recording, "a", "process", NULL, "event-loop", "seconds", 50);
  report = rows_aggregate (recording, "task-activity");

  assert_derived (report, "per_category", 0, "category", "merge");
  assert_derived (report, "per_category", 0, "unsplit", "1");
  assert_derived (report, "per_category", 1, "unsplit", "3");
  assert_derived (report, "per_category", 2, "unsplit", "3");
  assert_derived (report, "per_worker", 0, "unsplit", "4");
  assert_derived (report, "per_worker", 0, "waiting", "3");
  rows_assert_value (report, "processor_unsplit_time_seconds", 4);
  rows_assert_value (report, "processor_wait_time_seconds", 2);
  rows_assert_value (report, "overhead_unsplit_time_seconds", 1);
  rows_assert_note (report, "processor_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "up to 4.00 s of CPU time of other threads and children of workers");
  /* A hundredth of the time is worth a note, and not less. */
  rows_assert_note (report, "overhead_cpu_time_seconds", ROAST_COMPLETENESS_PARTIAL,
                    "up to 1.00 s of CPU time of other threads and children of workers");
  activity (recording, "a", "execute", "merge", "thread-cpu", "seconds", 99);
  g_clear_object (&report);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_note (report, "overhead_cpu_time_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* The same process id on two machines is two processes, and a process of one worker is its own. */
static void
test_unsplit_hosts (void)
{
  static const char *const rows[] = {
    "{'source': <'dask-1'>, 'worker': <'a'>, 'pid': <int64 7>, 'host': <'tick'>, 'process_workers': <int64 2>}",
    "{'source': <'dask-1'>, 'worker': <'b'>, 'pid': <int64 7>, 'host': <'trick'>, 'process_workers': <int64 2>}",
    "{'source': <'dask-1'>, 'worker': <'c'>, 'pid': <int64 8>, 'process_workers': <int64 1>}",
    "{'source': <'dask-1'>, 'worker': <'d'>, 'pid': <int64 8>, 'process_workers': <int64 1>}",
    "{'source': <'dask-1'>, 'worker': <'e'>, 'pid': <int64 9>, 'process_workers': <int64 2>}",
    "{'source': <'dask-1'>, 'worker': <'f'>, 'pid': <int64 9>, 'process_workers': <int64 2>}",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      rows_add (recording, "workers", rows[i]);
      activity (recording, name, "execute", "x", "thread-cpu", "seconds", 1);
      activity (recording, name, "execute", "x", "thread-noncpu", "seconds", 2);
      activity (recording, name, "process", NULL, i % 2 == 0 ? "children" : "startup", "seconds", 5);
    }
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "unsplit", "2");
  assert_derived (report, "per_worker", 1, "unsplit", "0");
  assert_derived (report, "per_worker", 2, "unsplit", "2");
  assert_derived (report, "per_worker", 3, "unsplit", "0");
  assert_derived (report, "per_worker", 4, "unsplit", "2");
  assert_derived (report, "per_worker", 5, "unsplit", "2");
  /* 2 s of a, of c, and of both e and f. */
  rows_assert_value (report, "processor_unsplit_time_seconds", 8);
}

/* Where the CPU time of a worker's process is unknown, the sum is a part. */
static void
test_processes_unknown (void)
{
  g_autoptr (RoastRecording) recording = make_processes ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'c'>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_cpu_seconds", 5);
  rows_assert_note (report, "worker_cpu_seconds", ROAST_COMPLETENESS_PARTIAL, "CPU time unknown for 1 of 3 workers");
  rows_assert_note (report, "worker_children_cpu_seconds", ROAST_COMPLETENESS_PARTIAL, "for 1 of 3 workers");
}

/* The highest of what is known, which may be samples only, of some workers only, or an upper bound. */
static void
test_memory_of_samples (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 1);
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>}");
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'b'>, 'memory_limit': <int64 0>}");
  rows_add (recording, "worker_samples",
            "{'source': <'dask-1'>, 'time': <int64 1>, 'worker': <'a'>, 'memory': <int64 0>, 'spilled_disk': <int64 "
            "6>}");
  rows_add (recording, "worker_samples",
            "{'source': <'dask-1'>, 'time': <int64 2>, 'worker': <'a'>, 'spilled_disk': <int64 4>}");
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_memory_peak_bytes", 0);
  rows_assert_unavailable (report, "worker_memory_peak_ratio", "workers have no memory limit");
  rows_assert_note (report, "worker_memory_peak_bytes", ROAST_COMPLETENESS_PARTIAL,
                    "1 of 2 workers reported their memory only in samples; 1 of 2 workers did not report their memory");
  assert_derived (report, "per_worker", 0, "spilled_peak", "6");
  assert_derived (report, "per_worker", 0, "memory_peak", "0");
  assert_derived (report, "per_worker", 1, "memory_peak", NULL);

  /* A sample is below the bound, and more than others had. */
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'c'>, 'memory_limit': <int64 1000>, 'memory_peak': <int64 700>, "
            "'memory_peak_bound': <'at_most'>}");
  rows_add (recording, "worker_samples",
            "{'source': <'dask-1'>, 'time': <int64 1>, 'worker': <'c'>, 'memory': <int64 500>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'d'>, 'memory_limit': <int64 4000>, 'memory_peak': <int64 800>, "
            "'memory_peak_bound': <'exact'>}");
  g_clear_object (&report);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_memory_peak_bytes", 800);
  rows_assert_note (report, "worker_memory_peak_bytes", ROAST_COMPLETENESS_PARTIAL,
                    "1 of 4 workers reported their memory only");
  rows_assert_value (report, "worker_memory_peak_ratio", 0.7);
  rows_assert_note (report, "worker_memory_peak_ratio", ROAST_COMPLETENESS_ESTIMATED, "upper bound");
  /* What the samples show exceeds what the bound of another may be. */
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'e'>, 'memory_limit': <int64 800>, 'memory_peak': <int64 600>, "
            "'memory_peak_bound': <'exact'>}");
  g_clear_object (&report);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_memory_peak_ratio", 0.75);
  rows_assert_note (report, "worker_memory_peak_ratio", ROAST_COMPLETENESS_PARTIAL,
                    "1 of 5 workers reported their memory only");
}

/* The end of the process of a worker whose start is off by so much, in µs. */
static void
assert_twin (gint64 off, const char *process, const char *cause)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *row = g_strdup_printf ("{'source': <'processes-1'>, 'process': <int64 1>, 'pid': <int64 7>, "
                                          "'started': <int64 %" G_GINT64_FORMAT ">, %s}",
                                          5000000 + off, process);

  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 1);
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'pid': <int64 7>, 'started': <int64 5000000>, 'cause': <'lost'>}");
  rows_add (recording, "processes", row);
  report = rows_aggregate (recording, "task-activity");
  assert_derived_row (report, "per_worker", 0, cause);
}

/* A start is known to within 20 ms. */
static void
test_same_process (void)
{
  static const char alike[] = "worker=a cause=signal busy=1 cpu=1 waiting=0 unsplit=0 signal=15";
  static const char other[] = "worker=a cause=lost busy=1 cpu=1 waiting=0 unsplit=0";

  assert_twin (0, "'signal': <int64 15>", alike);
  assert_twin (20000, "'signal': <int64 15>", alike);
  assert_twin (-20000, "'signal': <int64 15>", alike);
  assert_twin (20001, "'signal': <int64 15>", other);
  assert_twin (-20001, "'signal': <int64 15>", other);
  /* It ended by itself, or nothing is known. */
  assert_twin (0, "'exit_code': <int64 1>", "worker=a cause=exited busy=1 cpu=1 waiting=0 unsplit=0 exit_code=1");
  assert_twin (0, "'exit_code': <int64 0>", other);
  assert_twin (0, "'command': <'python3'>", other);
  assert_twin (0, "'memory_peak': <int64 0>",
               "worker=a cause=lost memory_peak=0 busy=1 cpu=1 waiting=0 unsplit=0 memory_peak_bound=at_least");
}

/* Most processes are no workers, and most workers are not on this machine. */
static void
test_no_twin (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "execute", "x", "thread-cpu", "seconds", 1);
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'pid': <int64 7>, 'started': <int64 5000000>, 'cause': <'lost'>}");
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'b'>, 'pid': <int64 8>, 'cause': <'lost'>}");
  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'c'>, 'started': <int64 1>, 'cause': <'lost'>}");
  for (int pid = 8; pid < 10; pid++)
    {
      g_autofree char *row = g_strdup_printf ("{'source': <'processes-1'>, 'process': <int64 %d>, 'pid': <int64 %d>, "
                                              "'started': <int64 0>, 'signal': <int64 9>}",
                                              pid, pid);

      rows_add (recording, "processes", row);
    }
  rows_add (recording, "processes",
            "{'source': <'processes-1'>, 'process': <int64 1>, 'pid': <int64 7>, 'signal': "
            "<int64 9>}");
  rows_add (recording, "processes", "{'source': <'processes-1'>, 'process': <int64 2>, 'signal': <int64 9>}");
  report = rows_aggregate (recording, "task-activity");
  for (guint64 i = 0; i < 3; i++)
    assert_derived (report, "per_worker", i, "cause", "lost");
}

/* What the two records of a process have: CPU time in s, peak memory in MiB. */
static void
assert_agree (double inside, double outside, int peak_inside, int peak_outside, const char *bound, const char *missing)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *worker = g_strdup_printf ("{'source': <'dask-1'>, 'worker': <'a'>, 'pid': <int64 7>, 'started': "
                                             "<int64 0>, 'memory_peak': <int64 %d>, 'memory_peak_bound': <'%s'>}",
                                             peak_inside << 20, bound);
  g_autofree char *process = g_strdup_printf ("{'source': <'processes-1'>, 'process': <int64 1>, 'pid': <int64 7>, "
                                              "'started': <int64 0>, 'cpu_user': <%.17g>, 'cpu_system': <0.25>, "
                                              "'memory_peak': <int64 %d>}",
                                              outside - 0.25, peak_outside << 20);

  activity (recording, "a", "process", NULL, "startup", "seconds", inside / 4);
  activity (recording, "a", "process", NULL, "event-loop", "seconds", inside / 4);
  activity (recording, "a", "process", NULL, "task-threads", "seconds", inside / 4);
  activity (recording, "a", "process", NULL, "other-threads", "seconds", inside / 4);
  activity (recording, "a", "process", NULL, "children", "seconds", 100);
  rows_add (recording, "workers", worker);
  rows_add (recording, "processes", process);
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "missing", missing);
}

/* They agree within 2 %, some ticks and some MiB. */
static void
test_agreement (void)
{
  assert_agree (4, 4.07, 200, 200, "exact", NULL);
  assert_agree (4.07, 4, 200, 200, "exact", NULL);
  assert_agree (4, 4.09, 200, 200, "exact",
                "the table of processes has 4.09 s of CPU time for this worker, not 4.00 s: the worker continued after "
                "sending its last data");
  assert_agree (4.09, 4, 200, 200, "exact",
                "the table of processes has 4.00 s of CPU time for this worker, not 4.09 s: the last sample was taken "
                "before "
                "the end of the worker");
  assert_agree (0.5, 0.52, 200, 200, "exact", NULL);
  assert_agree (0.5, 0.54, 200, 200, "exact",
                "the table of processes has 0.54 s of CPU time for this worker, not 0.50 s: the worker continued after "
                "sending its last data");
  assert_agree (4, 4, 13, 10, "exact", NULL);
  assert_agree (4, 4, 500, 509, "exact", NULL);
  assert_agree (4, 4, 500, 511, "exact",
                "the table of processes has a peak memory of 511 MiB, not 500 MiB: the memory rose after the worker "
                "sent its last data");
  assert_agree (4, 4, 16, 10, "exact",
                "the table of processes has a peak memory of 10 MiB, not 16 MiB: the last sample was taken before the "
                "memory rose");
  assert_agree (4, 8, 16, 10, "exact",
                "the table of processes has 8.00 s of CPU time for this worker, not 4.00 s: the worker continued after "
                "sending its last data; the table of processes has a peak memory of 10 MiB, not 16 MiB: the last "
                "sample was taken "
                "before the memory rose");
  assert_agree (4, 4, 14, 10, "exact", NULL);
  assert_agree (4, 4, 15, 10, "exact",
                "the table of processes has a peak memory of 10 MiB, not 15 MiB: the last sample was taken before the "
                "memory rose");
  assert_agree (4, 4, 0, 200, "exact",
                "the table of processes has a peak memory of 200 MiB, not 0 MiB: the memory rose after the worker sent "
                "its last data");
  assert_agree (4, 4, 200, 0, "exact",
                "the table of processes has a peak memory of 0 MiB, not 200 MiB: the last sample was taken before the "
                "memory rose");
  /* A process of several workers. */
  assert_agree (4, 8, 16, 10, "at_most", NULL);
}

/* Tasks that still computed make CPU time of threads of tasks and times in tasks lower bounds, but no other. */
static void
assert_computing (int computing, const char *process, const char *rest, const char *note)
{
  g_autofree char *worker = g_strdup_printf ("'cause': <'closed'>, 'computing': <int64 %d>", computing);
  g_autoptr (RoastRecording) recording = make_twins (worker, process);
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "a", "process", NULL, "startup", "seconds", 0.5);
  activity (recording, "a", "process", NULL, "task-threads", "seconds", 0.25);
  activity (recording, "a", "execute", "f", "cpu", "seconds", 3);
  if (rest != NULL)
    rows_add (recording, "processes", rest);
  report = rows_aggregate (recording, "task-activity");
  rows_assert_value (report, "worker_task_threads_cpu_seconds", 0.25);
  rows_assert_note (report, "worker_task_threads_cpu_seconds",
                    note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, note);
  rows_assert_note (report, "worker_startup_cpu_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_note (report, "processor_cpu_time_seconds",
                    note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE,
                    note != NULL ? "1 worker still ran tasks after sending the last data" : NULL);
  rows_assert_note (report, "network_seconds", ROAST_COMPLETENESS_COMPLETE, NULL);
}

static void
test_computing (void)
{
  static const char exact[] = "'origin': <'exact'>, 'parent': <int64 1>";
  static const char sampled[] = "'origin': <'sampled'>, 'parent': <int64 1>, 'command': <'python'>";
  static const char rest[] = "{'source': <'processes-1'>, 'process': <int64 -1>, 'cpu_user': <0.125>, 'cpu_system': "
                             "<0.125>, 'origin': <'folded'>, 'parent': <int64 1>}";

  assert_computing (0, exact, NULL, NULL);
  assert_computing (1, exact, rest,
                    "1 worker still ran tasks after sending the last data: at most 0.25 s more of CPU time");
  assert_computing (2, sampled, rest,
                    "1 worker still ran tasks after sending the last data: at most 0.50 s more of CPU time");
  assert_computing (1, NULL, NULL,
                    "1 worker still ran tasks after sending the last data: for an unknown time, because nothing "
                    "observed the processes of these workers from outside");
}

static void
assert_shutdown (const char *worker, const char *process, const char *rest, double cpu, const char *note)
{
  g_autoptr (RoastRecording) recording = make_twins (worker, process);
  g_autoptr (RoastReport) report = NULL;
  g_autofree char *shutdown = g_strdup_printf ("%g", cpu);
  RoastMetric *sum, *metric;

  activity (recording, "a", "process", NULL, "startup", "seconds", 0.5);
  if (rest != NULL)
    rows_add (recording, "processes", rest);
  report = rows_aggregate (recording, "task-activity");
  metric = rows_get_metric (report, "worker_shutdown_cpu_seconds");
  sum = rows_get_metric (report, "worker_cpu_seconds");
  assert_derived (report, "per_worker", 0, "shutdown_cpu", isnan (cpu) ? NULL : shutdown);
  /* The parts add up, and a lower bound of one is one of all. */
  rows_assert_value (report, "worker_cpu_seconds", 11.5 + (isnan (cpu) ? 0 : cpu));
  if (isnan (cpu))
    {
      g_assert_cmpint (roast_metric_get_completeness (metric), ==, ROAST_COMPLETENESS_UNAVAILABLE);
      g_assert_cmpstr (roast_metric_get_reason (metric), ==, note);
    }
  else
    {
      rows_assert_value (report, "worker_shutdown_cpu_seconds", cpu);
      g_assert_cmpstr (roast_metric_get_note (metric), ==, note);
      g_assert_cmpstr (roast_metric_get_note (sum), ==, note);
      g_assert_cmpint (roast_metric_get_completeness (sum), ==,
                       note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE);
    }
}

static void
test_shutdown (void)
{
  static const char none[] = "no worker process that ended had reported its CPU time";
  static const char more[] = "workers used at most 0.25 s more of CPU time after the last sample of their processes";
  static const char closed[] = "'cause': <'closed'>";
  static const char exact[] = "'origin': <'exact'>, 'parent': <int64 1>";
  static const char sampled[] = "'origin': <'sampled'>, 'parent': <int64 1>, 'command': <'python'>";
#define REST "{'source': <'processes-1'>, 'process': <int64 -1>, 'cpu_user': <0.125>, 'cpu_system': <0.125>, "

  /* Its parent waited for it under the supervisor: that is all. */
  assert_shutdown (closed, exact, REST "'origin': <'folded'>, 'parent': <int64 1>}", 0.5, NULL);
  /* What its parent's children used beside their samples may be its own. */
  assert_shutdown (closed, sampled, NULL, 0.5, NULL);
  assert_shutdown (closed, sampled, REST "'origin': <'folded'>, 'parent': <int64 1>}", 0.5, more);
  assert_shutdown (closed, sampled, REST "'origin': <'folded'>, 'parent': <int64 2>}", 0.5, NULL);
  assert_shutdown (closed, sampled, REST "'origin': <'folded'>}", 0.5, more);
  assert_shutdown (closed, sampled, REST "'origin': <'shared'>, 'command': <'python'>}", 0.5, more);
  assert_shutdown (closed, sampled, REST "'origin': <'shared'>, 'command': <'uname'>}", 0.5, NULL);
  /* It did not end, or its process did not. */
  assert_shutdown ("'name': <'n'>", exact, NULL, NAN, none);
  assert_shutdown ("'cause': <'closed'>, 'process_workers': <int64 2>", exact, NULL, NAN, none);
  assert_shutdown ("'cause': <'closed'>, 'memory_peak_bound': <'at_most'>", exact, NULL, NAN, none);
#undef REST
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-activity/sums", test_sums);
  g_test_add_func ("/task-activity/lost", test_lost);
  g_test_add_func ("/task-activity/cpu-of-tasks", test_cpu_of_tasks);
  g_test_add_func ("/task-activity/cpu-without-start", test_cpu_without_start);
  g_test_add_func ("/task-activity/cpu-of-failed", test_cpu_of_failed);
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
  g_test_add_func ("/task-activity/kills", test_kills);
  g_test_add_func ("/task-activity/cpu-from-outside", test_cpu_from_outside);
  g_test_add_func ("/task-activity/tables", test_tables);
  g_test_add_func ("/task-activity/tasks-alone", test_tasks_alone);
  g_test_add_func ("/task-activity/untimed-workers", test_untimed_workers);
  g_test_add_func ("/task-activity/lifetimes", test_lifetimes);
  g_test_add_func ("/task-activity/notes", test_notes);
  g_test_add_func ("/task-activity/what-is-known", test_what_is_known);
  g_test_add_func ("/task-activity/incomplete-activities", test_incomplete_activities);
  g_test_add_func ("/task-activity/unsplit-once", test_unsplit_once);
  g_test_add_func ("/task-activity/unsplit-hosts", test_unsplit_hosts);
  g_test_add_func ("/task-activity/processes-unknown", test_processes_unknown);
  g_test_add_func ("/task-activity/memory-of-samples", test_memory_of_samples);
  g_test_add_func ("/task-activity/same-process", test_same_process);
  g_test_add_func ("/task-activity/no-twin", test_no_twin);
  g_test_add_func ("/task-activity/agreement", test_agreement);
  g_test_add_func ("/task-activity/computing", test_computing);
  g_test_add_func ("/task-activity/shutdown", test_shutdown);

  return g_test_run ();
}
