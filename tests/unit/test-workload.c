/* SPDX-License-Identifier: BSD-3-Clause */

/* What the program reported about its work: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

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

static void
test_totals (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  rows_assert_value (report, "events_total", 6000);
  rows_assert_value (report, "bytes_read_total", 2200);
  rows_assert_note (report, "bytes_read_total", ROAST_COMPLETENESS_PARTIAL, "missing for 1 chunk");
  rows_assert_value (report, "processing_time_seconds", 11.5);
  rows_assert_note (report, "processing_time_seconds", ROAST_COMPLETENESS_PARTIAL, "missing for 1 chunk");
  rows_assert_value (report, "chunks_total", 10);
  rows_assert_note (report, "chunks_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_value (report, "chunks_failed_total", 2);
  rows_assert_value (report, "chunk_time_mean_seconds", 1.5);
  rows_assert_value (report, "chunk_time_min_seconds", 0.5);
  rows_assert_value (report, "chunk_time_max_seconds", 2.5);
  rows_assert_value (report, "data_rate_bytes_per_second", 220);
  rows_assert_value (report, "data_rate_bits_per_second", 1760);
  rows_assert_value (report, "event_rate_elapsed_per_second", 600);
  rows_assert_value (report, "event_rate_processing_per_second", 6000 / 11.5);
  rows_assert_value (report, "processing_concurrency_ratio", 1.15);
}

/* Datasets alone: the number of chunks and their times are unknown, not 0. Two chunks lack what they read. */
static void
test_unknown (void)
{
  g_autoptr (RoastRecording) datasets = roast_recording_new (NULL);
  g_autoptr (RoastRecording) chunks = roast_recording_new (NULL);
  g_autoptr (RoastReport) of_datasets = NULL;
  g_autoptr (RoastReport) of_chunks = NULL;

  rows_add (datasets, "datasets", "{'dataset': <'x'>, 'events': <int64 0>}");
  of_datasets = rows_aggregate (datasets, all);
  rows_assert_value (of_datasets, "events_total", 0);
  rows_assert_unavailable (of_datasets, "chunks_total", "the program reported no chunks to roast");
  rows_assert_unavailable (of_datasets, "chunks_failed_total", "the program reported no chunks to roast");
  rows_assert_unavailable (of_datasets, "chunk_time_max_seconds", "the program reported no chunks to roast");
  rows_assert_unavailable (of_datasets, "bytes_read_total", "the program reported no bytes to roast");
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
  assert_derived_row (report, "per_section", 0, "section=jets kind=time count=3 total=9 mean=3 min=1 max=5");
  assert_derived_row (report, "per_section", 1, "section=jets kind=memory count=1 total=-5 mean=-5 min=-5 max=-5");
  assert_derived_row (report, "per_section", 2, "section=muons kind=time count=1 total=2.5 mean=2.5 min=2.5 max=2.5");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/workload/datasets", test_datasets);
  g_test_add_func ("/workload/totals", test_totals);
  g_test_add_func ("/workload/unknown", test_unknown);
  g_test_add_func ("/workload/sections", test_sections);

  return g_test_run ();
}
