/* SPDX-License-Identifier: BSD-3-Clause */

/* What workers and tasks spent their time on, where two sources meet, or something is missing, zero or small:
 * recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "activities.h"
#include "rows.h"

static void
activity (RoastRecording *recording, const char *worker, const char *context, const char *category, const char *what,
          double seconds)
{
  activities_add (recording, "x", worker, context, category, what, "seconds", seconds);
}

static void
worker (RoastRecording *recording, const char *name, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'x'>, 'worker': <'%s'>%s%s}", name, *cells != '\0' ? ", " : "", cells);

  rows_add (recording, "workers", row);
}

static void
task (RoastRecording *recording, const char *source, const char *id, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'task': <'%s'>, 'attempt': <int64 1>, %s}", source, id, cells);

  rows_add (recording, "tasks", row);
}

/* A category of three sources, of which the first has no rows of tasks, is one. */
static void
test_merged (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  /* Not in tasks, but around them. */
  activities_add (recording, "c", "w", "execute", "fit", "executor", "seconds", 0.25);
  activities_add (recording, "c", "w", "execute", "fit", "offload", "seconds", 0.03125);
  activities_add (recording, "c", "w", "execute", "fit", "other", "seconds", 0.0625);
  activities_add (recording, "c", "w", "execute", "fit", "thread-cpu", "seconds", 16);
  activities_add (recording, "a", "w", "execute", "fit", "thread-cpu", "seconds", 1);
  activities_add (recording, "a", "w", "execute", "fit", "thread-noncpu", "seconds", 2);
  activities_add (recording, "a", "w", "execute", "fit", "disk-read", "bytes", 1);
  activities_add (recording, "a", "w", "execute", "fit", "disk-write", "bytes", 2);
  activities_add (recording, "a", "w", "execute", "fit", "disk-write", "seconds", 0.25);
  activities_add (recording, "b", "w", "execute", "fit", "thread-cpu", "seconds", 4);
  activities_add (recording, "b", "w", "execute", "fit", "thread-noncpu", "seconds", 8);
  activities_add (recording, "b", "w", "execute", "fit", "disk-read", "bytes", 2);
  activities_add (recording, "b", "w", "execute", "fit", "disk-write", "bytes", 3);
  activities_add (recording, "a", "w", "execute", "fit", "serialize", "seconds", 0.5);
  activities_add (recording, "a", "w", "execute", "fit", "decompress", "seconds", 1);
  activities_add (recording, "b", "w", "execute", "fit", "deserialize", "seconds", 0.25);
  activities_add (recording, "b", "w", "execute", "fit", "compress", "seconds", 0.125);
  activities_add (recording, "b", "w", "process", NULL, "other-threads", "seconds", 1);
  task (recording, "a", "1",
        "'category': <'fit'>, 'status': <'done'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'bytes_out': <int64 "
        "5>");
  task (recording, "a", "2", "'category': <'fit'>, 'status': <'failed'>");
  task (recording, "b", "1",
        "'category': <'fit'>, 'status': <'failed'>, 'started': <int64 0>, 'ended': <int64 6000000>, 'bytes_out': "
        "<int64 7>");
  report = rows_aggregate (recording, "task-activity");
  g_assert_cmpuint (rows_count_derived (report, "per_category"), ==, 1);
  assert_derived_row (report, "per_category", 0,
                      "category=fit role=analysis tasks=3 failed=2 busy=33.125 cpu=21 waiting=9 unsplit=1 mean=5 max=6 "
                      "bytes_out=12 disk_read=3 disk_write=5 serialization=0.75 compression=1.125");
  /* By context and unit, then the greatest first, then by name. */
  g_assert_cmpuint (rows_count_derived (report, "per_activity"), ==, 13);
  assert_derived_row (report, "per_activity", 0, "context=execute activity=disk-write unit=bytes value=5");
  assert_derived_row (report, "per_activity", 1, "context=execute activity=disk-read unit=bytes value=3");
  assert_derived_row (report, "per_activity", 2,
                      "context=execute activity=thread-cpu unit=seconds value=21 seconds=21");
  assert_derived_row (report, "per_activity", 3,
                      "context=execute activity=thread-noncpu unit=seconds value=10 seconds=10");
  assert_derived_row (report, "per_activity", 4, "context=execute activity=decompress unit=seconds value=1 seconds=1");
  assert_derived_row (report, "per_activity", 5,
                      "context=execute activity=serialize unit=seconds value=0.5 seconds=0.5");
  assert_derived_row (report, "per_activity", 6,
                      "context=execute activity=deserialize unit=seconds value=0.25 seconds=0.25");
  assert_derived_row (report, "per_activity", 7,
                      "context=execute activity=disk-write unit=seconds value=0.25 seconds=0.25");
  assert_derived_row (report, "per_activity", 8,
                      "context=execute activity=executor unit=seconds value=0.25 seconds=0.25");
  assert_derived_row (report, "per_activity", 9,
                      "context=execute activity=compress unit=seconds value=0.125 seconds=0.125");
  assert_derived_row (report, "per_activity", 10,
                      "context=execute activity=other unit=seconds value=0.0625 seconds=0.0625");
  assert_derived_row (report, "per_activity", 11,
                      "context=execute activity=offload unit=seconds value=0.03125 seconds=0.03125");
  assert_derived_row (report, "per_activity", 12,
                      "context=process activity=other-threads unit=seconds value=1 seconds=1");
}

/* Equals are in the order of the alphabet, in whichever order they came. */
static void
test_equals (void)
{
  static const char *const categories[] = { "b", "c", "a" };
  static const char *const activities[] = { "executor", "offload", "disk-read" };
  static const char *const in_order[] = { "disk-read", "executor", "offload" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    for (guint k = 0; k < G_N_ELEMENTS (activities); k++)
      activity (recording, "w", "execute", categories[i], activities[k], 1);
  report = rows_aggregate (recording, "task-activity");
  for (guint i = 0; i < G_N_ELEMENTS (in_order); i++)
    {
      const char category[] = { (char) ('a' + i), '\0' };

      assert_derived (report, "per_category", i, "category", category);
      assert_derived (report, "per_activity", i, "activity", in_order[i]);
    }
}

/* Only threads wait; and what lacks its category or its worker counts where it can. */
static void
test_incomplete (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", "");
  activity (recording, "w", "execute", "fit", "thread-cpu", 1);
  activity (recording, "w", "execute", "fit", "executor", 5);
  activity (recording, "w", "process", NULL, "other-threads", 10);
  activity (recording, NULL, "execute", "plot", "thread-cpu", 2);
  activity (recording, "w", "execute", NULL, "thread-noncpu", 0.5);
  report = rows_aggregate (recording, "task-activity");
  assert_derived_row (report, "per_category", 0,
                      "category=plot role=analysis busy=2 cpu=2 waiting=0 unsplit=0 disk_read=0 disk_write=0 "
                      "serialization=0 compression=0");
  assert_derived_row (report, "per_category", 1,
                      "category=fit role=analysis busy=1 cpu=1 waiting=0 unsplit=0 disk_read=0 disk_write=0 "
                      "serialization=0 compression=0");
  assert_derived_row (report, "per_worker", 0, "worker=w busy=1.5 cpu=1 waiting=0.5 unsplit=0");
  rows_assert_value (report, "processor_cpu_time_seconds", 3);
}

/* The first role of a task is that of its category. Of tasks with several cores it is unknown how many waited,
 * but not how many were used. */
static void
test_roles_of_tasks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x", "1",
        "'category': <'c'>, 'role': <'analysis'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'cpu': <1.0>, "
        "'cores': <2.0>");
  task (recording, "x", "2", "'category': <'c'>, 'role': <'framework'>");
  task (recording, "x", "3",
        "'category': <'d'>, 'started': <int64 0>, 'ended': <int64 3000000>, 'cpu': <1.0>, 'cores': <2.0>");
  rows_add (recording, "categories", "{'source': <'x'>, 'category': <'c'>, 'role': <'framework'>}");
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_category", 0, "role", "analysis");
  assert_metric (report, "processor_unsplit_time_seconds", "5.0");
  assert_metric (report, "processor_wait_time_seconds", "0.0");
  assert_metric (report, "processor_cpu_time_seconds", "2.0");
  rows_assert_value (report, "processor_cpu_ratio", 2. / 14);
}

/* Workers of one process that have no process id are not known to share it. */
static void
test_shared_without_pid (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "a", "'process_workers': <int64 2>");
  worker (recording, "b", "'process_workers': <int64 2>");
  for (guint i = 0; i < 2; i++)
    {
      activity (recording, i == 0 ? "a" : "b", "execute", "fit", "thread-noncpu", 2);
      activity (recording, i == 0 ? "a" : "b", "execute", "fit", "thread-cpu", 1);
      activity (recording, i == 0 ? "a" : "b", "process", NULL, i == 0 ? "children" : "startup", 5);
    }
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "unsplit", "2");
  assert_derived (report, "per_worker", 1, "unsplit", "0");
}

/* Tasks in the event loop may have waited for what the loop computed; those in threads did not. */
static void
test_event_loop (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", "");
  activity (recording, "w", "execute", "async", "thread-noncpu", 5);
  activity (recording, "w", "execute", "fit", "thread-cpu", 1);
  activity (recording, "w", "execute", "fit", "thread-noncpu", 4);
  activity (recording, "w", "process", NULL, "event-loop", 3);
  activity (recording, "w", "process", NULL, "other-threads", 0.5);
  report = rows_aggregate (recording, "task-activity");
  assert_derived_row (report, "per_category", 0,
                      "category=async role=analysis busy=5 cpu=0 waiting=1.5 unsplit=3.5 disk_read=0 disk_write=0 "
                      "serialization=0 compression=0");
  assert_derived_row (report, "per_category", 1,
                      "category=fit role=analysis busy=5 cpu=1 waiting=3.5 unsplit=0.5 disk_read=0 disk_write=0 "
                      "serialization=0 compression=0");
  assert_derived_row (report, "per_worker", 0, "worker=w busy=10 cpu=1 waiting=5.5 unsplit=3.5");
}

/* Samples belong to a worker of a source, or to nothing. What was not sampled is unknown. */
static void
test_samples (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", "'tail_lost': <0.0>");
  worker (recording, "v", "'tail_lost': <0.5>, 'memory_limit': <int64 0>");
  activity (recording, "w", "execute", "fit", "thread-cpu", 0.25);
  activity (recording, "w", "execute", "fit", "thread-noncpu", 0.25);
  rows_add (recording, "worker_samples", "{'source': <'x'>, 'worker': <'w'>, 'spilled_disk': <int64 6>}");
  rows_add (recording, "worker_samples", "{'source': <'x'>, 'worker': <'v'>, 'memory': <int64 5>}");
  rows_add (recording, "worker_samples", "{'source': <'x'>, 'memory': <int64 900>}");
  rows_add (recording, "worker_samples", "{'worker': <'w'>, 'memory': <int64 900>}");
  rows_add (recording, "worker_samples", "{'source': <'y'>, 'worker': <'w'>, 'memory': <int64 900>}");
  report = rows_aggregate (recording, "task-activity");
  assert_derived_row (report, "per_worker", 0,
                      "worker=w busy=0.5 cpu=0.25 waiting=0.25 unsplit=0 spilled_peak=6 tail_lost=0");
  assert_derived_row (report, "per_worker", 1,
                      "worker=v memory_peak=5 busy=0 cpu=0 waiting=0 unsplit=0 memory_limit=0 tail_lost=0.5");
  assert_metric (report, "worker_memory_peak_ratio", "n/a: workers have no memory limit");
  assert_metric (report, "processor_cpu_ratio", "0.5 estimated: 1 worker was lost, with up to 0.5 s of data missing");
}

static void
assert_memory (const char *cells, const char *bytes, const char *ratio)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  activity (recording, "w", "execute", "fit", "thread-cpu", 1);
  if (cells != NULL)
    worker (recording, "w", cells);
  rows_add (recording, "worker_samples", "{'source': <'x'>, 'worker': <'v'>, 'memory': <int64 700>}");
  if (cells != NULL && strstr (cells, "at_most") != NULL)
    rows_add (recording, "worker_samples", "{'source': <'x'>, 'worker': <'w'>, 'memory': <int64 700>}");
  report = rows_aggregate (recording, "task-activity");
  assert_metric (report, "worker_memory_peak_bytes", bytes);
  assert_metric (report, "worker_memory_peak_ratio", ratio);
}

static void
test_memory (void)
{
  static const char none[] = "n/a: no worker of an executor was seen";
  static const char silent[] = "n/a: no worker reported its memory";

  assert_memory (NULL, none, none);
  assert_memory ("", silent, silent);
  assert_memory ("'memory_limit': <int64 1>, 'memory_peak': <int64 1>, 'memory_peak_bound': <'exact'>", "1", "1.0");
  /* It reached its bound. */
  assert_memory ("'memory_limit': <int64 1000>, 'memory_peak': <int64 700>, 'memory_peak_bound': <'at_most'>", "700",
                 "0.7");
  /* So did the process, but it is not this worker's alone. */
  assert_memory ("'memory_limit': <int64 1000>, 'memory_peak': <int64 700>, 'memory_peak_bound': <'at_most'>, "
                 "'process_workers': <int64 2>",
                 "700 estimated: upper bound: the peak may date from before the measurement, or cover several workers "
                 "in one process",
                 "0.7 estimated: upper bound: the peak may date from before the measurement, or cover several workers "
                 "in one process");
}

/* One task is enough to know how long a worker was busy. */
static void
test_one_task (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", "'cores': <2.0>, 'joined': <int64 0>, 'left': <int64 8000000>");
  task (recording, "x", "1",
        "'category': <'c'>, 'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'cpu': <4.0>");
  report = rows_aggregate (recording, "task-activity");
  assert_derived_row (report, "per_worker", 0,
                      "worker=w cores=2 tasks=1 failed=0 busy=4 cpu=4 waiting=0 unsplit=0 lifetime=8");
  assert_metric (report, "core_efficiency_ratio", "0.25");
  assert_metric (report, "scheduler_lateness_max_seconds", "n/a: no executor reported the delay of its event loop");
  rows_add (recording, "cluster_samples", "{'source': <'x'>, 'time': <int64 1>, 'lateness': <0.5>}");
  rows_add (recording, "executor_times", "{'source': <'x'>, 'time': <int64 1>, 'part': <'roast'>, 'value': <2.5>}");
  g_clear_object (&report);
  report = rows_aggregate (recording, "task-activity");
  assert_metric (report, "scheduler_lateness_max_seconds", "0.5");
  assert_metric (report, "probe_cpu_seconds", "2.5");
}

/* Sums of two activities have both; those of one have no other. */
static void
test_times (void)
{
  static const char *const activities[] = { "disk-read", "disk-write",    "memory-read", "serialize",
                                            "compress",  "decompress",    "deserialize", "failed",
                                            "cancelled", "thread-noncpu", "thread-cpu" };
  static const char *const expected[][2] = {
    { "disk_read_bytes", "1" },        { "disk_write_bytes", "2" },
    { "disk_read_seconds", "1.0" },    { "disk_write_seconds", "2.0" },
    { "memory_read_bytes", "4" },      { "serialization_seconds", "8.0" },
    { "compression_seconds", "16.0" }, { "decompression_seconds", "32.0" },
    { "failed_seconds", "128.0" },     { "cancelled_seconds", "256.0" },
    { "spill_read_bytes", "1" },       { "spill_write_bytes", "2" },
    { "spill_read_seconds", "1.0" },   { "spill_write_seconds", "2.0" },
    { "network_seconds", "0.0" },      { "deserialization_seconds", "64.0" },
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    for (guint k = 0; k < 2; k++)
      {
        activities_add (recording, "x", "w", "execute", "fit", activities[i], k == 0 ? "bytes" : "seconds", 1u << i);
        activities_add (recording, "x", "w", "serve", NULL, activities[i], k == 0 ? "bytes" : "seconds", 1u << i);
      }
  report = rows_aggregate (recording, "task-activity");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_metric (report, expected[i][0], expected[i][1]);
}

/* CPU time of processes after the last data of their workers. */
static void
assert_shutdown (const char *const *processes, const char *startup, const char *expected)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *cells = g_strdup_printf ("'pid': <int64 %u>, 'started': <int64 0>, 'cause': <'closed'>", i + 1);

      worker (recording, i == 0 ? "a" : "b", cells);
      activity (recording, i == 0 ? "a" : "b", "process", NULL, startup, 1);
      activity (recording, i == 0 ? "a" : "b", "process", NULL, "other-threads", 3);
    }
  for (guint i = 0; processes[i] != NULL; i++)
    {
      g_autofree char *row =
          g_strdup_printf ("{'source': <'p'>, 'process': <int64 %u>, 'started': <int64 0>, %s}", i + 1, processes[i]);

      rows_add (recording, "processes", row);
    }
  report = rows_aggregate (recording, "task-activity");
  assert_metric (report, "worker_shutdown_cpu_seconds", expected);
}

#define shutdown(startup, expected, ...)                                                                               \
  assert_shutdown ((const char *const[]) { __VA_ARGS__, NULL }, startup, expected)

static void
test_shutdown (void)
{
  static const char exact[] = "'pid': <int64 1>, 'origin': <'exact'>, 'parent': <int64 8>, 'cpu_user': <4.5>, "
                              "'cpu_system': <0.0>";
  static const char less[] = "'pid': <int64 1>, 'origin': <'exact'>, 'cpu_user': <3.75>, 'cpu_system': <0.0>";
  static const char sampled[] = "'pid': <int64 2>, 'origin': <'sampled'>, 'parent': <int64 9>, 'cpu_user': <4.25>, "
                                "'cpu_system': <0.0>";
  static const char orphan[] = "'pid': <int64 2>, 'origin': <'sampled'>, 'cpu_user': <4.25>, 'cpu_system': <0.0>";
  static const char other[] = "'origin': <'folded'>, 'parent': <int64 8>, 'cpu_user': <0.25>, 'cpu_system': <0.0>";
  static const char rest[] = "'origin': <'folded'>, 'parent': <int64 9>, 'cpu_user': <0.25>, 'cpu_system': <0.0>";
  static const char little[] = "'origin': <'folded'>, 'parent': <int64 9>, 'cpu_user': <0.0>, 'cpu_system': <0.015625>";
  static const char unknown[] = "'origin': <'folded'>, 'cpu_user': <0.25>, 'cpu_system': <0.0>";
#define MORE(seconds) "workers used at most " seconds " s more of CPU time after the last sample of their processes"
#define UNOBSERVED(n)                                                                                                  \
  n " of 2 workers used an unknown CPU time after sending the last data: nothing observed the processes of these "     \
    "workers from outside"

  shutdown ("startup", "0.75", exact, sampled);
  /* What the parent of the other waited for is not of this one. */
  shutdown ("startup", "0.75", exact, sampled, other);
  shutdown ("startup", "0.75 partial: " MORE ("0.50"), exact, sampled, rest, rest);
  shutdown ("startup", "0.75 partial: " MORE ("0.02"), exact, sampled, little);
  /* Nothing is known to be of a process without a parent. */
  shutdown ("startup", "0.75", exact, orphan, unknown, unknown);
  shutdown ("startup", "0.25", less, sampled);
  shutdown ("startup", "0.25 partial: " UNOBSERVED ("1"), sampled);
  /* Without a start-up they are older than the measurement. */
  shutdown ("event-loop", "n/a: " UNOBSERVED ("2"), exact, sampled);
#undef MORE
#undef UNOBSERVED
}

/* Of a process that is older than the measurement, the two records are of different times. */
static void
test_older (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", "'pid': <int64 1>, 'started': <int64 0>");
  activity (recording, "w", "process", NULL, "event-loop", 3);
  rows_add (recording, "processes",
            "{'source': <'p'>, 'process': <int64 1>, 'pid': <int64 1>, 'started': <int64 0>, 'cpu_user': <4.0>, "
            "'cpu_system': <0.0>}");
  report = rows_aggregate (recording, "task-activity");
  assert_derived (report, "per_worker", 0, "missing", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/task-activity-edges/merged", test_merged);
  g_test_add_func ("/task-activity-edges/equals", test_equals);
  g_test_add_func ("/task-activity-edges/incomplete", test_incomplete);
  g_test_add_func ("/task-activity-edges/roles-of-tasks", test_roles_of_tasks);
  g_test_add_func ("/task-activity-edges/shared-without-pid", test_shared_without_pid);
  g_test_add_func ("/task-activity-edges/event-loop", test_event_loop);
  g_test_add_func ("/task-activity-edges/samples", test_samples);
  g_test_add_func ("/task-activity-edges/memory", test_memory);
  g_test_add_func ("/task-activity-edges/one-task", test_one_task);
  g_test_add_func ("/task-activity-edges/times", test_times);
  g_test_add_func ("/task-activity-edges/older", test_older);
  g_test_add_func ("/task-activity-edges/shutdown", test_shutdown);

  return g_test_run ();
}
