/* SPDX-License-Identifier: BSD-3-Clause */

/* How many workers there were: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

/* A worker from one time to another, s. It was last seen some time before it left. */
static void
worker (RoastRecording *recording, const char *source, const char *name, double joined, double left, double tail)
{
  g_autofree char *lost = tail >= 0 ? g_strdup_printf (", 'tail_lost': <%f>", tail) : g_strdup ("");
  g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'worker': <'%s'>, 'joined': <int64 %d>, 'left': <int64 "
                                          "%d>%s}",
                                          source, name, (int) (joined * 1000000), (int) (left * 1000000), lost);

  rows_add (recording, "workers", row);
}

static void
sample (RoastRecording *recording, const char *source, int second, int workers)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'time': <int64 %d000000>, 'workers': <int64 %d>}", source, second, workers);

  rows_add (recording, "cluster_samples", row);
}

static void
check (RoastRecording *recording, const char *peak, const char *average)
{
  g_autoptr (RoastReport) report = rows_aggregate (recording, "workers");

  assert_metric (report, "workers_peak", peak);
  assert_metric (report, "workers_average", average);
}

/* One that comes when another goes was not there together with it; one that comes and goes at once was there. */
static void
test_same_instant (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  worker (recording, "a", "1", 0, 2, 0);
  worker (recording, "a", "2", 2, 4, -1);
  check (recording, "1", "1.0");
  /* Whichever row comes first. */
  worker (recording, "a", "4", -2, 0, -1);
  check (recording, "1", "1.0");
  worker (recording, "a", "3", 3, 3, -1);
  check (recording, "2", "1.0");
}

#define PEAKS ": from 1 to 2, depending on when workers left"

/* Two may have been there together or not, whatever samples say. */
static void
test_vague (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  worker (recording, "a", "1", 0, 2, 1);
  worker (recording, "a", "2", 1.5, 4, 0);
  sample (recording, "a", 0, 0);
  check (recording, "2 estimated" PEAKS, "1.125 estimated: from 0.875 to 1.125, depending on when workers left");
}

static void
test_soon (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  /* Both are certain: the first was seen after the second had come. */
  worker (recording, "a", "1", 0, 2, 0.25);
  worker (recording, "a", "2", 1.5, 4, -1);
  check (recording, "2", "1.125 estimated: from 1.062 to 1.125, depending on when workers left");
}

static void
test_vague_sources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  worker (recording, "a", "1", 0, 2, 1);
  worker (recording, "b", "2", 1.5, 4, 0);
  check (recording, "2 estimated" PEAKS "; sum over 2 sources",
         "1.125 estimated: from 0.875 to 1.125, depending on when workers left; sum over 2 sources");
}

/* The program's one process is no worker beside those of an executor. */
static void
test_one_process (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  worker (recording, "l", "7", 0, 4, -1);
  check (recording, "1", "1.0");
  /* Nor is it a worker of an executor that has none. */
  rows_add (recording, "sources", "{'source': <'a'>}");
  sample (recording, "a", 0, 0);
  check (recording, "n/a: no worker of the executor was seen", "n/a: no worker of the executor was seen");
  worker (recording, "a", "1", 1, 3, -1);
  check (recording, "1: only workers of the executor are counted, not the program's 1 processes",
         "1.0: only workers of the executor are counted, not the program's 1 processes");
}

/* Workers that are not known to have joined are none; one that joined in the last microsecond is one. */
static void
test_unknown_times (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (9));
  rows_add (recording, "workers", "{'source': <'a'>, 'worker': <'1'>, 'left': <int64 9>}");
  check (recording, "n/a: the backend does not record when workers joined",
         "n/a: the backend does not record when workers joined");
  rows_add (recording, "workers", "{'source': <'a'>, 'worker': <'2'>, 'joined': <int64 8>}");
  check (recording, "1", "1.0");
}

static void
test_none (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "workers");

  rows_assert_unavailable (report, "workers_peak", "no worker was seen");
  rows_assert_unavailable (report, "workers_average", "no worker was seen");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/workers/same-instant", test_same_instant);
  g_test_add_func ("/workers/vague", test_vague);
  g_test_add_func ("/workers/soon", test_soon);
  g_test_add_func ("/workers/vague-sources", test_vague_sources);
  g_test_add_func ("/workers/one-process", test_one_process);
  g_test_add_func ("/workers/unknown-times", test_unknown_times);
  g_test_add_func ("/workers/none", test_none);

  return g_test_run ();
}
