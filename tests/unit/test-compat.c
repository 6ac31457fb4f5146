/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics with the definitions of roastcoffea: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "activities.h"
#include "rows.h"

static const char all[] = "processes workload workers task-activity formulas";

static void
cores (RoastRecording *recording, const char *source, const char *worker, int number)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'worker': <'%s'>, 'joined': <int64 0>, 'cores': <%d.0>}",
                                          source, worker, number);

  rows_add (recording, "workers", row);
}

static void
workers (RoastRecording *recording, const char *source, int second, int number)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'time': <int64 %d000000>, 'workers': <int64 %d>}", source, second, number);

  rows_add (recording, "cluster_samples", row);
}

static void
memory (RoastRecording *recording, const char *source, const char *worker, int second, int bytes)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'time': <int64 %d000000>, 'worker': <'%s'>, 'memory': <int64 %d>}", source,
                       second, worker, bytes);

  rows_add (recording, "worker_samples", row);
}

static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (10000000));

  return recording;
}

/* Straight lines between samples, whatever their order; every worker's cores; each worker's memory alike. */
static void
test_workers (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  cores (recording, "d", "a", 4);
  cores (recording, "d", "b", 2);
  workers (recording, "d", 0, 1);
  workers (recording, "d", 6, 1);
  workers (recording, "d", 2, 3);
  memory (recording, "d", "a", 0, 100);
  memory (recording, "d", "b", 0, 1000);
  memory (recording, "d", "a", 2, 300);
  memory (recording, "d", "a", 3, 100);
  report = rows_aggregate (recording, all);
  assert_metric (report, "avg_workers", "2.0"); /* (2 x 2 + 4 x 2) / 6 */
  assert_metric (report, "total_cores", "6.0");
  assert_metric (report, "peak_memory_bytes", "1000");
  assert_metric (report, "avg_memory_per_worker_bytes", "600.0"); /* (600 / 3 + 1000) / 2 */
}

/* Processes of the program are no workers; two executors have no common number of samples. */
static void
test_sources (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  cores (recording, "l", "7", 8);
  workers (recording, "l", 0, 8);
  memory (recording, "l", "7", 0, 8);
  report = rows_aggregate (recording, all);
  assert_metric (report, "avg_workers", "n/a: no executor recorded samples of the number of its workers");
  assert_metric (report, "total_cores", "n/a: no worker of an executor was seen");
  assert_metric (report, "peak_memory_bytes", "n/a: no executor recorded samples of its workers' memory");
  assert_metric (report, "core_efficiency",
                 "n/a: the program reported no times of chunks to roast (docs/protocol.md explains how)");

  g_clear_object (&report);
  rows_add (recording, "sources", "{'source': <'d'>, 'worker_kind': <'worker'>}");
  cores (recording, "d", "a", 2);
  rows_add (recording, "workers", "{'source': <'d'>, 'worker': <'b'>, 'joined': <int64 0>}");
  workers (recording, "d", 0, 3);
  memory (recording, "d", "a", 1, 5);
  memory (recording, "d", "a", 1, 7);
  report = rows_aggregate (recording, all);
  assert_metric (report, "avg_workers", "3.0");
  assert_metric (report, "total_cores", "2.0 partial: 1 of 2 workers did not report their cores");
  assert_metric (report, "peak_memory_bytes", "7");
  assert_metric (report, "avg_memory_per_worker_bytes", "n/a: all samples of a worker's memory have the same time");

  g_clear_object (&report);
  workers (recording, "d", 0, 4);
  report = rows_aggregate (recording, all);
  assert_metric (report, "avg_workers", "n/a: all samples of the number of workers have the same time");
  g_clear_object (&report);
  workers (recording, "e", 0, 1);
  report = rows_aggregate (recording, all);
  assert_metric (report, "avg_workers",
                 "n/a: several executors recorded workers, but roastcoffea supports only one executor");
}

static void
chunk (RoastRecording *recording, const char *cells)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'program-1'>, 'started': <int64 0>, %s}", cells);

  rows_add (recording, "chunks", row);
}

/* The time is that in process(), not the whole chunk's, and not that of chunks that failed. */
static void
test_chunks (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  cores (recording, "d", "a", 4);
  chunk (recording, "'ended': <int64 9000000>, 'process_time': <2.0>, 'events': <int64 300>, 'memory': <int64 10>, "
                    "'file': <'f'>, 'branches_read': <int64 3>");
  chunk (recording, "'ended': <int64 9000000>, 'process_time': <6.0>, 'events': <int64 500>, 'memory': <int64 -10>, "
                    "'file': <'f'>, 'branches_read': <int64 9>");
  chunk (recording, "'ended': <int64 9000000>, 'process_time': <9.0>, 'events': <int64 70>, 'error': <'broken'>");
  rows_add (recording, "files", "{'source': <'program-1'>, 'file': <'f'>, 'branches': <int64 12>}");
  report = rows_aggregate (recording, all);
  assert_metric (report, "total_cpu_time", "8.0");
  rows_assert_value (report, "avg_cpu_time_per_chunk", 8. / 3);
  rows_assert_value (report, "speedup_factor", 0.8);
  rows_assert_value (report, "core_efficiency", 0.2);
  assert_metric (report, "event_rate_total_cpu_per_second", "100.0");
  rows_assert_value (report, "event_rate_total_cores_per_second", 20);
  assert_metric (report, "num_successful_chunks", "2");
  assert_metric (report, "chunk_duration_mean", "4.0");
  assert_metric (report, "chunk_duration_min", "2.0");
  assert_metric (report, "chunk_duration_max", "6.0");
  rows_assert_value (report, "chunk_duration_std", 2.8284271247461903);
  rows_assert_value (report, "chunk_memory_change_deviation_bytes", 14.142135623730951);
  assert_metric (report, "total_events_from_chunks", "800.0");
  assert_metric (report, "chunk_events_mean", "400.0");
  assert_metric (report, "chunk_events_min", "300.0");
  assert_metric (report, "chunk_events_max", "500.0");
  assert_metric (report, "avg_branches_read_ratio", "0.25"); /* the first chunk's */

  /* Of a third one only the whole time is known, of a fourth none. */
  g_clear_object (&report);
  chunk (recording, "'ended': <int64 4000000>");
  chunk (recording, "'events': <int64 0>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "total_cpu_time",
                 "12.0 estimated: missing for 1 chunk; for 1 chunk, the time of the whole chunk is used instead of the "
                 "time in process()");
}

/* Totals that a program reports, without a row for each chunk; chunks beyond the quota. */
static void
test_totals (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "datasets", "{'dataset': <'a'>, 'events': <int64 60>, 'duration': <2.0>, 'chunks': <int64 3>}");
  rows_add (recording, "datasets", "{'dataset': <'b'>, 'events': <int64 40>, 'duration': <3.0>, 'chunks': <int64 2>}");
  report = rows_aggregate (recording, all);
  assert_metric (report, "total_cpu_time", "5.0");
  assert_metric (report, "avg_cpu_time_per_chunk", "1.0");
  assert_metric (report, "event_rate_total_cpu_per_second", "20.0");
  assert_metric (report, "num_successful_chunks", "n/a: no chunk was reported by itself");
  assert_metric (report, "chunk_duration_mean", "n/a: no chunk in the result has a time");

  g_clear_object (&report);
  rows_add (recording, "program_sums", "{'table': <'chunks'>, 'chunks': <int64 9>}");
  report = rows_aggregate (recording, all);
  assert_metric (report, "total_cpu_time", "5.0 partial: excludes 9 chunks beyond the program's quota");
}

/* Time without CPU is all of it, with that in which other threads computed. */
static void
test_wait (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "workers", "{'source': <'dask-1'>, 'worker': <'a'>, 'joined': <int64 0>}");
  activities_add (recording, "dask-1", "a", "execute", "x", "thread-cpu", "seconds", 1);
  activities_add (recording, "dask-1", "a", "execute", "x", "thread-noncpu", "seconds", 4);
  activities_add (recording, "dask-1", "a", "process", NULL, "other-threads", "seconds", 3);
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "processor_wait_time_seconds", 1);
  rows_assert_value (report, "processor_io_wait_time_seconds", 4);
  rows_assert_value (report, "processor_io_wait_ratio", 0.8);
  rows_assert_value (report, "overhead_io_wait_time_seconds", 0);
  rows_assert_value (report, "io_overhead", 0.4);

  /* Without the aggregator of tasks. */
  g_clear_object (&report);
  report = rows_aggregate (recording, "processes formulas");
  assert_metric (report, "processor_io_wait_time_seconds", "n/a: table per_role has no rows");
  assert_metric (report, "processor_io_wait_ratio", "n/a: table per_role has no rows");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compat/workers", test_workers);
  g_test_add_func ("/compat/sources", test_sources);
  g_test_add_func ("/compat/chunks", test_chunks);
  g_test_add_func ("/compat/totals", test_totals);
  g_test_add_func ("/compat/wait", test_wait);

  return g_test_run ();
}
