/* SPDX-License-Identifier: BSD-3-Clause */

/* What the program reported about its work: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>
#include <stdlib.h>

#include "rows.h"
#include "sanitized.h"

static const char all[] = "processes workload";

static void
chunk (RoastRecording *recording, const char *cells)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'program-1'>, %s}", cells);

  rows_add (recording, "chunks", row);
}

/* Chunks and datasets of 10 s. What failed took its time and was read, but was not processed. */
static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (10000000));
  chunk (recording, "'dataset': <'a'>, 'events': <int64 1000>, 'bytes_read': <int64 500>, 'started': <int64 0>, "
                    "'ended': <int64 1500000>");
  chunk (recording, "'dataset': <'a'>, 'events': <int64 3000>, 'bytes_read': <int64 1500>, 'started': <int64 2000000>, "
                    "'ended': <int64 4500000>");
  chunk (recording, "'dataset': <'a'>, 'events': <int64 70>, 'bytes_read': <int64 40>, 'started': <int64 0>, 'ended': "
                    "<int64 4000000>, 'error': <'broken'>");
  chunk (recording, "'dataset': <'b'>, 'events': <int64 200>, 'bytes_read': <int64 0>");
  chunk (recording, "'dataset': <'c'>, 'started': <int64 0>, 'ended': <int64 500000>, 'error': <'broken'>");
  chunk (recording, "'events': <int64 0>, 'bytes_read': <int64 9>, 'started': <int64 0>, 'ended': <int64 500000>");
  rows_add (recording, "datasets",
            "{'dataset': <'b'>, 'events': <int64 800>, 'bytes_read': <int64 51>, 'duration': <2.5>, 'chunks': <int64 "
            "4>}");
  rows_add (recording, "datasets", "{'dataset': <'d'>, 'events': <int64 1000>, 'chunks': <int64 0>}");
  rows_add (recording, "datasets", "{'dataset': <'e'>, 'bytes_read': <int64 100>, 'duration': <0.0>}");

  return recording;
}

static void
test_datasets (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  g_assert_cmpuint (rows_count_derived (report, "per_dataset"), ==, 6);
  assert_derived_row (report, "per_dataset", 0,
                      "dataset=a chunks=3 failed=1 events=4000 bytes_read=2040 processing_time=8 chunk_time_mean=2 "
                      "event_rate=500");
  assert_derived_row (report, "per_dataset", 1,
                      "dataset=b chunks=5 failed=0 events=1000 bytes_read=51 processing_time=2.5 event_rate=400");
  assert_derived_row (report, "per_dataset", 2, "dataset=c chunks=1 failed=1 processing_time=0.5");
  assert_derived_row (report, "per_dataset", 3,
                      "dataset=(no dataset) chunks=1 failed=0 events=0 bytes_read=9 processing_time=0.5 "
                      "chunk_time_mean=0.5 event_rate=0");
  assert_derived_row (report, "per_dataset", 4, "dataset=d chunks=0 failed=0 events=1000");
  assert_derived_row (report, "per_dataset", 5, "dataset=e bytes_read=100 processing_time=0");
}

/* All of metrics, as rows_show_metric() shows them. */
static void
assert_metrics (RoastReport *report, const char *const *metrics)
{
  for (guint i = 0; metrics[i] != NULL; i += 2)
    assert_metric (report, metrics[i], metrics[i + 1]);
}

#define metrics(...) ((const char *const[]) { __VA_ARGS__, NULL })

static void
test_totals (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);
#define MISSING "missing for 1 chunk"

  assert_metrics (report,
                  metrics ("events_total", "6000", "bytes_read_total", "2200 partial: " MISSING,
                           "processing_time_seconds", "11.5 partial: " MISSING, "chunks_total", "10",
                           "chunks_failed_total", "2", "chunk_time_mean_seconds", "1.5 estimated: " MISSING,
                           "chunk_time_min_seconds", "0.5 estimated: " MISSING, "chunk_time_max_seconds",
                           "2.5 partial: " MISSING, "data_rate_bytes_per_second", "220.0 estimated: " MISSING,
                           "data_rate_bits_per_second", "1760.0 estimated: " MISSING, "event_rate_elapsed_per_second",
                           "600.0 estimated: measured by the wall clock of the session",
                           "event_rate_chunk_time_per_second",
                           "521.73913 estimated: at most: processing_time_seconds is a lower bound (" MISSING ")",
                           "processing_concurrency_ratio", "1.15 estimated: " MISSING));
#undef MISSING
}

/* Datasets alone: the number of chunks and their times are unknown, not 0. Two chunks lack what they read. */
static void
test_unknown (void)
{
  g_autoptr (RoastRecording) datasets = roast_recording_new (NULL);
  g_autoptr (RoastRecording) chunks = roast_recording_new (NULL);
  g_autoptr (RoastReport) of_datasets = NULL;
  g_autoptr (RoastReport) of_python = NULL;
  g_autoptr (RoastReport) of_chunks = NULL;

  rows_add (datasets, "datasets", "{'dataset': <'x'>, 'events': <int64 0>}");
  of_datasets = rows_aggregate (datasets, all);
#define NOT_REPORTED(what) "n/a: the program reported no " what " to roast (docs/protocol.md explains how)"
  assert_metrics (of_datasets,
                  metrics ("events_total", "0", "chunks_total", NOT_REPORTED ("chunks"), "chunks_failed_total",
                           NOT_REPORTED ("chunks"), "chunk_time_mean_seconds", NOT_REPORTED ("chunks"),
                           "chunk_time_min_seconds", NOT_REPORTED ("chunks"), "chunk_time_max_seconds",
                           NOT_REPORTED ("chunks"), "bytes_read_total", NOT_REPORTED ("bytes"),
                           "processing_time_seconds", NOT_REPORTED ("times of chunks")));
#undef NOT_REPORTED
  rows_add (datasets, "processes", "{'source': <'local-1'>, 'process': <int64 1>, 'command': <'python3'>}");
  of_python = rows_aggregate (datasets, all);
  assert_metric (of_python, "bytes_read_total",
                 "n/a: the program reported no bytes to roast (docs/protocol.md explains how; if it uses coffea, see "
                 "\"What is not measured\" in docs/coffea.md)");
  g_assert_cmpuint (rows_count_derived (of_datasets, "per_dataset"), ==, 1);
  assert_derived_row (of_datasets, "per_dataset", 0, "dataset=x events=0");

  for (guint i = 0; i < 2; i++)
    chunk (chunks, "'started': <int64 0>, 'ended': <int64 1000000>, 'events': <int64 2>");
  chunk (chunks, "'bytes_read': <int64 5>, 'error': <'broken'>");
  of_chunks = rows_aggregate (chunks, all);
  rows_assert_note (of_chunks, "bytes_read_total", ROAST_COMPLETENESS_PARTIAL, "missing for 2 chunks");
  rows_assert_note (of_chunks, "events_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  g_assert_false (rows_has_derived (of_chunks, "per_dataset"));
}

/* No chunk is a number of chunks; and one chunk has a mean. */
static void
test_few (void)
{
  g_autoptr (RoastRecording) none = roast_recording_new (NULL);
  g_autoptr (RoastRecording) one = roast_recording_new (NULL);
  g_autoptr (RoastReport) of_none = NULL;
  g_autoptr (RoastReport) of_one = NULL;
#define NO_TIMES "n/a: no chunk that succeeded reported when it started and ended"

  rows_add (none, "datasets", "{'dataset': <'x'>, 'chunks': <int64 0>, 'events': <int64 5>, 'duration': <0.0>}");
  of_none = rows_aggregate (none, all);
  assert_metrics (of_none, metrics ("chunks_total", "0", "chunks_failed_total", "0", "chunk_time_mean_seconds",
                                    NO_TIMES, "chunk_time_min_seconds", NO_TIMES, "chunk_time_max_seconds", NO_TIMES));
  assert_derived_row (of_none, "per_dataset", 0, "dataset=x chunks=0 failed=0 events=5 processing_time=0");

  chunk (one, "'dataset': <'x'>, 'events': <int64 3>, 'started': <int64 0>, 'ended': <int64 250000>");
  of_one = rows_aggregate (one, all);
  assert_metrics (of_one, metrics ("chunk_time_mean_seconds", "0.25", "chunk_time_min_seconds", "0.25",
                                   "chunk_time_max_seconds", "0.25", "chunks_failed_total", "0"));
  assert_derived_row (of_one, "per_dataset", 0,
                      "dataset=x chunks=1 failed=0 events=3 processing_time=0.25 chunk_time_mean=0.25 event_rate=12");
#undef NO_TIMES
}

/* Rows beyond the quota of a program are there as sums: they count as the rows would. */
static void
test_quota (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) sums = NULL;
  g_autoptr (RoastReport) both = NULL;

  rows_add (recording, "program_sums",
            "{'table': <'chunks'>, 'dataset': <'x'>, 'rows': <int64 8>, 'chunks': <int64 8>, 'failed': <int64 2>, "
            "'events': <600.0>, 'bytes_read': <7000.0>, 'duration': <9.0>, 'no_events': <int64 3>, 'no_bytes': <int64 "
            "4>, 'no_times': <int64 5>, 'values': <int64 4>, 'value': <6.0>, 'least': <0.5>, 'most': <2.5>}");
  rows_add (recording, "program_sums",
            "{'table': <'datasets'>, 'dataset': <'y'>, 'rows': <int64 1>, 'events': <50.0>, 'bytes_read': <100.0>}");
  rows_add (recording, "program_sums",
            "{'table': <'sections'>, 'section': <'jets'>, 'kind': <'time'>, 'rows': <int64 2>, 'values': <int64 2>, "
            "'value': <3.0>, 'least': <1.0>, 'most': <2.0>}");
  sums = rows_aggregate (recording, all);
  assert_metrics (sums, metrics ("chunks_total", "8", "chunks_failed_total", "2", "events_total",
                                 "650 partial: missing for 3 chunks", "bytes_read_total",
                                 "7100 partial: missing for 4 chunks", "processing_time_seconds",
                                 "9.0 partial: missing for 5 chunks", "chunk_time_mean_seconds",
                                 "1.5 estimated: missing for 5 chunks", "chunk_time_min_seconds",
                                 "0.5 estimated: missing for 5 chunks", "chunk_time_max_seconds",
                                 "2.5 partial: missing for 5 chunks"));
  g_assert_cmpuint (rows_count_derived (sums, "per_dataset"), ==, 2);
  assert_derived_row (sums, "per_dataset", 0,
                      "dataset=x chunks=8 failed=2 events=600 bytes_read=7000 processing_time=9 chunk_time_mean=1.5 "
                      "event_rate=66.6666667");
  assert_derived_row (sums, "per_dataset", 1, "dataset=y events=50 bytes_read=100");
  g_assert_cmpuint (rows_count_derived (sums, "per_section"), ==, 1);
  assert_derived_row (sums, "per_section", 0,
                      "section=jets kind=time count=2 total=3 mean=1.5 min=1 max=2 count_bound=exact");

  /* With rows that are in their tables. */
  chunk (recording, "'dataset': <'x'>, 'events': <int64 1>, 'started': <int64 0>, 'ended': <int64 4000000>");
  chunk (recording, "'dataset': <'x'>, 'events': <int64 1>, 'started': <int64 0>, 'ended': <int64 125000>");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'memory'>, 'value': <64.0>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <0.5>}");
  rows_add (recording, "sections", "{'name': <'taus'>, 'kind': <'time'>, 'value': <3.0>}");
  rows_add (recording, "program_sums",
            "{'table': <'sections'>, 'section': <'jets'>, 'kind': <'time'>, 'values': <int64 1>, 'value': <5.0>, "
            "'least': <5.0>, 'most': <5.0>}");
  rows_add (recording, "program_sums",
            "{'table': <'sections'>, 'section': <'jets'>, 'kind': <'memory'>, 'values': <int64 1>, 'value': <16.0>, "
            "'least': <16.0>, 'most': <16.0>}");
  rows_add (recording, "program_sums",
            "{'table': <'sections'>, 'section': <'muons'>, 'kind': <'memory'>, 'values': <int64 3>, 'value': <-6.0>, "
            "'least': <-3.0>, 'most': <-1.0>}");
  /* No value that could be added up. */
  rows_add (recording, "program_sums", "{'table': <'sections'>, 'section': <'electrons'>, 'kind': <'time'>}");
  both = rows_aggregate (recording, all);
  assert_metrics (both, metrics ("chunks_total", "10", "events_total", "652 partial: missing for 3 chunks",
                                 "chunk_time_mean_seconds", "1.6875 estimated: missing for 5 chunks",
                                 "chunk_time_min_seconds", "0.125 estimated: missing for 5 chunks",
                                 "chunk_time_max_seconds", "4.0 partial: missing for 5 chunks"));
  g_assert_cmpuint (rows_count_derived (both, "per_section"), ==, 4);
  assert_derived_row (both, "per_section", 0,
                      "section=jets kind=memory count=2 total=80 mean=40 min=16 max=64 count_bound=exact");
  assert_derived_row (both, "per_section", 1,
                      "section=jets kind=time count=4 total=8.5 mean=2.125 min=0.5 max=5 count_bound=exact");
  assert_derived_row (both, "per_section", 2,
                      "section=taus kind=time count=1 total=3 mean=3 min=3 max=3 count_bound=exact");
  assert_derived_row (both, "per_section", 3,
                      "section=muons kind=memory count=3 total=-6 mean=-2 min=-3 max=-1 count_bound=exact");
}

/* A sum beyond 64 bits is not cut off. */
static void
test_huge (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 20; i++)
    chunk (recording, "'events': <int64 999999999999999999>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total", "2e+19");
}

/* Rows that the program dropped make the others lower bounds. */
static void
test_dropped (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  chunk (recording, "'dataset': <'x'>, 'events': <int64 1>, 'bytes_read': <int64 2>, 'started': <int64 0>, 'ended': "
                    "<int64 4000000>");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <0.5>}");
  report = rows_aggregate (recording, all);
  assert_metrics (report, metrics ("chunks_total", "1", "events_total", "1"));
  assert_derived_row (report, "per_section", 0,
                      "section=jets kind=time count=1 total=0.5 mean=0.5 min=0.5 max=0.5 count_bound=exact");

  rows_add (recording, "program_sums", "{'table': <'sections'>, 'dropped': <int64 7>}");
  rows_add (recording, "program_sums", "{'table': <'chunks'>, 'dropped': <int64 3>}");
  g_clear_object (&report);
  report = rows_aggregate (recording, all);
  assert_metrics (report,
                  metrics ("chunks_total", "1 partial: a lower bound: the program dropped 3 rows of chunks",
                           "chunks_failed_total", "0 partial: a lower bound: the program dropped 3 rows of chunks",
                           "events_total", "1 partial: a lower bound: the program dropped 3 rows of chunks"));
  g_assert_cmpuint (rows_count_derived (report, "per_section"), ==, 1);
  assert_derived_row (report, "per_section", 0,
                      "section=jets kind=time count=1 total=0.5 mean=0.5 min=0.5 max=0.5 count_bound=at_least");
}

static void
test_sections (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <3.0>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'memory'>, 'value': <-5.0>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <1.0>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>}");
  rows_add (recording, "sections", "{'name': <'jets'>, 'kind': <'time'>, 'value': <5.0>}");
  rows_add (recording, "sections", "{'name': <'muons'>, 'kind': <'time'>, 'value': <2.5>}");
  report = rows_aggregate (recording, all);
  g_assert_cmpuint (rows_count_derived (report, "per_section"), ==, 3);
  assert_derived_row (report, "per_section", 0,
                      "section=jets kind=time count=3 total=9 mean=3 min=1 max=5 count_bound=exact");
  assert_derived_row (report, "per_section", 1,
                      "section=jets kind=memory count=1 total=-5 mean=-5 min=-5 max=-5 count_bound=exact");
  assert_derived_row (report, "per_section", 2,
                      "section=muons kind=time count=1 total=2.5 mean=2.5 min=2.5 max=2.5 count_bound=exact");
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a;
  gint64 y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* Quantiles of few and of many chunks, in any order and with equal times, beside those of a sorted array. */
static void
check_quantiles (guint n, guint n_different)
{
  static const struct
  {
    const char *metric;
    guint percent;
  } quantiles[] = {
    { "chunk_time_p50_seconds", 50 },
    { "chunk_time_p90_seconds", 90 },
    { "chunk_time_p99_seconds", 99 },
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastTableWriter) chunks =
      roast_recording_write_table (recording, ROAST_TABLE_CHUNKS, "program-1", roast_chunks_columns, NULL);
  g_autoptr (RoastReport) report = NULL;
  g_autofree gint64 *times = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    {
      times[i] = g_test_rand_int_range (0, (gint32) n_different) * G_GINT64_CONSTANT (1000);
      roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_STARTED, 0);
      roast_table_writer_set_int64 (chunks, ROAST_CHUNKS_ENDED, times[i]);
      g_assert_true (roast_table_writer_end (chunks, NULL));
    }
  report = rows_aggregate (recording, "workload");
  qsort (times, n, sizeof *times, compare);
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    rows_assert_value (report, quantiles[i].metric,
                       (double) times[(quantiles[i].percent * n + 99) / 100 - 1] / G_USEC_PER_SEC);
}

static void
test_quantiles (void)
{
  for (guint n = 1; n <= 12; n++)
    for (guint round = 0; round < ROUNDS (20); round++)
      check_quantiles (n, 1 + round);
  check_quantiles (5000, 1000000);
  check_quantiles (5000, 3);
}

/* Of chunks beyond the quota of a program only sums are known: the mean has them, what depends on each chunk has not.
 */
static void
test_beyond_quota (void)
{
  static const char *const estimates[] = {
    "chunk_time_deviation_seconds", "chunk_time_p50_seconds", "chunk_time_p90_seconds",
    "chunk_time_p99_seconds",       "chunk_cpu_ratio",        "chunk_memory_change_mean_bytes",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 2; i++)
    rows_add (recording, "chunks",
              "{'source': <'program-1'>, 'started': <int64 0>, 'ended': <int64 1000000>, 'process_time': <0.5>, "
              "'thread_cpu': <0.5>, "
              "'memory': <int64 100>}");
  rows_add (recording, "program_sums",
            "{'source': <'program-1'>, 'table': <'chunks'>, 'chunks': <int64 3>, 'duration': <9.0>, 'values': <int64 "
            "3>, "
            "'value': <9.0>, 'least': <3.0>, 'most': <3.0>}");
  report = rows_aggregate (recording, "workload");
  rows_assert_value (report, "chunk_time_mean_seconds", 2.2);
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "chunk_time_mean_seconds")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  for (guint i = 0; i < G_N_ELEMENTS (estimates); i++)
    {
      RoastMetric *metric = rows_get_metric (report, estimates[i]);

      g_test_message ("%s", estimates[i]);
      g_assert_cmpint (roast_metric_get_completeness (metric), ==, ROAST_COMPLETENESS_ESTIMATED);
      g_assert_cmpstr (roast_metric_get_note (metric), ==, "excludes 3 chunks beyond the program's quota");
    }
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "chunk_thread_cpu_seconds")), ==,
                   ROAST_COMPLETENESS_PARTIAL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/workload/beyond-quota", test_beyond_quota);
  g_test_add_func ("/workload/datasets", test_datasets);
  g_test_add_func ("/workload/totals", test_totals);
  g_test_add_func ("/workload/unknown", test_unknown);
  g_test_add_func ("/workload/few", test_few);
  g_test_add_func ("/workload/quota", test_quota);
  g_test_add_func ("/workload/huge", test_huge);
  g_test_add_func ("/workload/dropped", test_dropped);
  g_test_add_func ("/workload/sections", test_sections);
  g_test_add_func ("/workload/quantiles", test_quantiles);

  return g_test_run ();
}
