/* SPDX-License-Identifier: BSD-3-Clause */

/* What was used in each span, on recordings made by hand with answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

#define S G_GINT64_CONSTANT (1000000)

static void G_GNUC_PRINTF (3, 4) add (RoastRecording *recording, const char *table, const char *format, ...)
{
  g_autofree char *row = NULL;
  va_list args;

  va_start (args, format);
  row = g_strdup_vprintf (format, args);
  va_end (args);
  rows_add (recording, table, row);
}

static void
add_span (RoastRecording *recording, const char *span, gint64 started, gint64 ended)
{
  add (recording, "spans",
       "{'source': <'session-1'>, 'span': <'%s'>, 'name': <'n%s'>, 'started': <int64 %" G_GINT64_FORMAT ">}", span,
       span, started);
  if (ended >= 0)
    add (recording, "spans", "{'source': <'session-1'>, 'span': <'%s'>, 'ended': <int64 %" G_GINT64_FORMAT ">}", span,
         ended);
}

static void
add_sample (RoastRecording *recording, const char *source, gint64 time, double cpu, gint64 memory)
{
  add (recording, "cluster_samples",
       "{'source': <'%s'>, 'time': <int64 %" G_GINT64_FORMAT ">, 'cpu': <%f>, 'memory': <int64 %" G_GINT64_FORMAT ">}",
       source, time, cpu, memory);
}

static void
test_nothing (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "spans");

  g_assert_false (rows_has_derived (report, "span_totals"));
}

/* CPU between samples is interpolated; from the start of the session to the first sample too. */
static void
test_use (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (100 * S));
  add_sample (recording, "a", 101 * S, 1.0, 50);
  add_sample (recording, "a", 102 * S, 3.0, 90);
  add_sample (recording, "a", 104 * S, 3.5, 70);
  add_sample (recording, "b", 100 * S, 0, 20); /* its CPU time may be in that of a */
  add_sample (recording, "b", 104 * S, 4.0, 95);
  add_span (recording, "1", 100 * S + S / 2, 101 * S + S / 2); /* 2.0 - 0.5 */
  add_span (recording, "2", 102 * S, 104 * S);                 /* 3.5 - 3.0 */
  add_span (recording, "3", 103 * S, 105 * S);                 /* no sample after its end */
  add_span (recording, "4", 103 * S, -1);                      /* never closed */
  add_span (recording, "5", 100 * S + S / 2, 103 * S);         /* 3.25 - 0.5 */
  report = rows_aggregate (recording, "spans");

  g_assert_cmpuint (rows_count_derived (report, "span_totals"), ==, 5);
  assert_derived (report, "span_totals", 0, "name", "n1");
  assert_derived (report, "span_totals", 0, "duration", "1");
  assert_derived (report, "span_totals", 0, "cpu", NULL); /* any part of what was used from 100 to 102 s */
  assert_derived (report, "span_totals", 0, "cpu_completeness", NULL);
  assert_derived (report, "span_totals", 0, "memory_peak", "50");
  assert_derived (report, "span_totals", 0, "events", NULL);
  assert_derived (report, "span_totals", 1, "duration", "2");
  assert_derived (report, "span_totals", 1, "cpu", "0.5");
  assert_derived (report, "span_totals", 1, "memory_peak", "95");
  assert_derived (report, "span_totals", 2, "duration", "2");
  assert_derived (report, "span_totals", 2, "cpu", NULL);
  assert_derived (report, "span_totals", 3, "duration", NULL);
  assert_derived (report, "span_totals", 3, "cpu", NULL);
  assert_derived (report, "span_totals", 4, "cpu", "2.75");
  assert_derived (report, "span_totals", 4, "cpu_completeness", "estimated");
}

/* The process tree has the workers of an executor, too. Samples without CPU time, or from before the one before them
 * because the clock was set back, are left out. */
static void
test_source (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (100 * S));
  add_sample (recording, "executor", 101 * S, 50.0, 50);
  add_sample (recording, "executor", 109 * S, 90.0, 50);
  add (recording, "cluster_samples",
       "{'source': <'tree'>, 'time': <int64 %" G_GINT64_FORMAT ">, 'memory_pss': <int64 1>}", 101 * S);
  for (gint64 second = 104; second <= 108; second += 4)
    add (recording, "cluster_samples",
         "{'source': <'tree'>, 'time': <int64 %" G_GINT64_FORMAT ">, 'memory_pss': <int64 1>, 'cpu': <%f>}", second * S,
         (double) (second - 100) / 2);
  add (recording, "cluster_samples", "{'source': <'tree'>, 'time': <int64 %" G_GINT64_FORMAT ">, 'cpu': <100.0>}",
       106 * S);
  add_span (recording, "1", 101 * S, 103 * S);
  add_span (recording, "2", 104 * S, 107 * S);
  add_span (recording, "3", 99 * S, 107 * S);
  add_span (recording, "4", 100 * S, 107 * S);
  report = rows_aggregate (recording, "spans");
  assert_derived (report, "span_totals", 0, "cpu", NULL);
  assert_derived (report, "span_totals", 1, "cpu", NULL);
  assert_derived (report, "span_totals", 2, "cpu", NULL);
  assert_derived_row (report, "span_totals", 3,
                      "span=4 name=n4 duration=7 cpu=3.5 cpu_completeness=estimated cpu_doubt=1.5 "
                      "memory_peak=50");
}

static void
test_work (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add (recording, "chunks", "{'ended': <int64 5>, 'events': <int64 10>, 'bytes_read': <int64 100>}");
  add (recording, "chunks", "{'ended': <int64 15>, 'events': <int64 20>}");
  add (recording, "chunks",
       "{'ended': <int64 16>, 'events': <int64 40>, 'bytes_read': <int64 7>, 'error': <'it broke'>}");
  add (recording, "chunks", "{'ended': <int64 20>, 'events': <int64 80>}");
  add_span (recording, "1", 0, 10);
  add_span (recording, "2", 10, 20);
  add_span (recording, "3", 20, 30);
  report = rows_aggregate (recording, "spans");

  assert_derived (report, "span_totals", 0, "events", "10");
  assert_derived (report, "span_totals", 0, "bytes_read", "100");
  assert_derived (report, "span_totals", 1, "events", "100"); /* what failed was not processed, but read */
  assert_derived (report, "span_totals", 1, "bytes_read", "7");
  assert_derived (report, "span_totals", 2, "events", NULL);
}

/* Without the start of the session nothing is known before the first sample, and nothing after the last. */
static void
test_unknown_start (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add_sample (recording, "a", 10 * S, 5, 30);
  add_sample (recording, "a", 20 * S, 9, 70);
  add (recording, "cluster_samples", "{'source': <'a'>, 'time': <int64 24000000>, 'cpu': <10.0>}");
  add_span (recording, "1", 5 * S, 15 * S);
  add_span (recording, "2", 10 * S, 20 * S);
  add_span (recording, "3", 12 * S, 17 * S);
  add_span (recording, "4", 20 * S, 22 * S);
  add_span (recording, "5", 21 * S, 30 * S);
  add_span (recording, "6", 10 * S, 24 * S);
  add (recording, "spans", "{'source': <'session-1'>, 'span': <'7'>, 'parent': <'6'>, 'ended': <int64 20000000>}");
  report = rows_aggregate (recording, "spans");

  assert_derived_row (report, "span_totals", 0, "span=1 name=n1 duration=10 memory_peak=30");
  assert_derived_row (report, "span_totals", 1,
                      "span=2 name=n2 duration=10 cpu=4 cpu_completeness=complete cpu_doubt=0 memory_peak=70");
  assert_derived_row (report, "span_totals", 2, "span=3 name=n3 duration=5");
  assert_derived_row (report, "span_totals", 3, "span=4 name=n4 duration=2 memory_peak=70");
  assert_derived_row (report, "span_totals", 4, "span=5 name=n5 duration=9");
  assert_derived_row (report, "span_totals", 5,
                      "span=6 name=n6 duration=14 cpu=5 cpu_completeness=complete cpu_doubt=0 memory_peak=70");
  assert_derived_row (report, "span_totals", 6, "span=7 parent=6");
  assert_derived (report, "span_totals", 6, "source", "session-1");
}

/* The session began with the first sample, whose CPU time is that of before. The second sample is older: it is left
 * out. */
static void
test_first_samples (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (10 * S));
  add_sample (recording, "a", 10 * S, 5, 30);
  add_sample (recording, "a", 9 * S, 8, 30);
  add_sample (recording, "a", 12 * S, 9, 30);
  add_span (recording, "1", 10 * S, 12 * S);
  add_span (recording, "2", 11 * S, 12 * S);
  report = rows_aggregate (recording, "spans");
  assert_derived_row (report, "span_totals", 0,
                      "span=1 name=n1 duration=2 cpu=4 cpu_completeness=complete cpu_doubt=0 memory_peak=30");
  assert_derived_row (report, "span_totals", 1, "span=2 name=n2 duration=1 memory_peak=30");
}

/* The session began after the first sample: it needs no other start. The first source counts. */
static void
test_late_start (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (11 * S));
  add_sample (recording, "a", 10 * S, 5, 30);
  add_sample (recording, "a", 12 * S, 9, 30);
  add_sample (recording, "b", 11 * S, 100, 20);
  add_sample (recording, "b", 12 * S, 104, 20);
  add_span (recording, "1", 10 * S, 12 * S);
  add_span (recording, "2", 11 * S, 12 * S);
  report = rows_aggregate (recording, "spans");
  assert_derived_row (report, "span_totals", 0,
                      "span=1 name=n1 duration=2 cpu=4 cpu_completeness=complete cpu_doubt=0 memory_peak=30");
  assert_derived_row (report, "span_totals", 1, "span=2 name=n2 duration=1 memory_peak=30");
}

/* What ended at an unknown time is in no span, and sums have no size where none was reported. */
static void
test_odd_chunks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add (recording, "chunks", "{'events': <int64 10>, 'bytes_read': <int64 100>}");
  add (recording, "chunks", "{'ended': <int64 5>, 'events': <int64 0>}");
  add_span (recording, "1", 0, 10);
  /* Spans without an end, and without a start. */
  add_span (recording, "2", 0, -1);
  add (recording, "spans", "{'source': <'session-1'>, 'span': <'3'>, 'ended': <int64 10>}");
  report = rows_aggregate (recording, "spans");
  assert_derived_row (report, "span_totals", 0, "span=1 name=n1 duration=1e-05 events=0");
  assert_derived_row (report, "span_totals", 1, "span=2 name=n2");
  assert_derived_row (report, "span_totals", 2, "span=3");
}

/* Chunks beyond the quota may be in any span that they overlap: its sum would be too low. */
static void
test_quota (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  add (recording, "chunks", "{'ended': <int64 5>, 'events': <int64 10>, 'bytes_read': <int64 100>}");
  add (recording, "chunks", "{'ended': <int64 15>, 'events': <int64 20>}");
  add (recording, "chunks", "{'ended': <int64 24>, 'events': <int64 5>}");
  add (recording, "program_sums",
       "{'table': <'chunks'>, 'events': <70.0>, 'started': <int64 12>, 'ended': <int64 18>}");
  add_span (recording, "1", 0, 10);
  add_span (recording, "2", 10, 20);
  /* They are in (12, 18]. */
  add_span (recording, "3", 2, 12);
  add_span (recording, "4", 18, 28);
  add_span (recording, "5", 17, 28);
  report = rows_aggregate (recording, "spans");

  assert_derived_row (report, "span_totals", 0, "span=1 name=n1 duration=1e-05 events=10 bytes_read=100");
  assert_derived_row (report, "span_totals", 1, "span=2 name=n2 duration=1e-05");
  assert_derived_row (report, "span_totals", 2, "span=3 name=n3 duration=1e-05 events=10 bytes_read=100");
  assert_derived_row (report, "span_totals", 3, "span=4 name=n4 duration=1e-05 events=5");
  assert_derived_row (report, "span_totals", 4, "span=5 name=n5 duration=1.1e-05");

  /* When the first of them started is unknown; rows of other tables, and what has not ended, are in no span. */
  add (recording, "program_sums", "{'table': <'chunks'>, 'events': <1.0>, 'ended': <int64 1>}");
  add (recording, "program_sums", "{'table': <'sections'>, 'started': <int64 0>, 'ended': <int64 99>}");
  add (recording, "program_sums", "{'table': <'chunks'>, 'started': <int64 18>}");
  add_span (recording, "6", -5, 0);
  g_clear_object (&report);
  report = rows_aggregate (recording, "spans");
  assert_derived_row (report, "span_totals", 0, "span=1 name=n1 duration=1e-05");
  assert_derived_row (report, "span_totals", 3, "span=4 name=n4 duration=1e-05 events=5");
  assert_derived_row (report, "span_totals", 5, "span=6 name=n6 duration=5e-06");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span-aggregator/nothing", test_nothing);
  g_test_add_func ("/span-aggregator/use", test_use);
  g_test_add_func ("/span-aggregator/source", test_source);
  g_test_add_func ("/span-aggregator/work", test_work);
  g_test_add_func ("/span-aggregator/unknown-start", test_unknown_start);
  g_test_add_func ("/span-aggregator/first-samples", test_first_samples);
  g_test_add_func ("/span-aggregator/late-start", test_late_start);
  g_test_add_func ("/span-aggregator/odd-chunks", test_odd_chunks);
  g_test_add_func ("/span-aggregator/quota", test_quota);

  return g_test_run ();
}
