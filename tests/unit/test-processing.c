/* SPDX-License-Identifier: BSD-3-Clause */

/* Which chunks count, and how long the calls of an executor took: recordings made by hand, answers computed by hand. */

#include <math.h>
#include <roast/roast.h>

#include "rows.h"

static const char all[] = "processes workload windows spans";

static RoastRecording *
make_recording (void)
{
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (20000000));

  return recording;
}

static void
add_row (RoastRecording *recording, const char *table, const char *cells)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'program-1'>, %s}", cells);

  rows_add (recording, table, row);
}

/* One attempt of 1 s at entries from @start on, which read 100 B. */
static void
add_chunk (RoastRecording *recording, const char *id, const char *more, gint64 start)
{
  g_autofree char *cells =
      g_strdup_printf ("'chunk': <'%s'>, 'dataset': <'tt'>, 'file': <'f.root'>, 'tree': <'Events'>, 'entry_start': "
                       "<int64 %" G_GINT64_FORMAT ">, 'entry_stop': <int64 %" G_GINT64_FORMAT
                       ">, 'bytes_read': <int64 100>, 'started': <int64 1000000>, 'ended': <int64 2000000>, %s",
                       id, start, start + 10, more);

  add_row (recording, ROAST_TABLE_CHUNKS, cells);
}

static void
confirm (RoastRecording *recording, const char *id, const char *more)
{
  g_autofree char *cells = g_strdup_printf ("'chunk': <'%s'>%s", id, more);

  add_row (recording, ROAST_TABLE_CHUNK_RESULTS, cells);
}

#define CALL "'call': <'c1'>"
#define DONE CALL ", 'events': <int64 10>, 'requests': <int64 2>"

/* A worker died after it had reported “a”; one attempt failed and was repeated; one file was only prepared. */
static RoastRecording *
make_confirmed (void)
{
  RoastRecording *recording = make_recording ();

  add_row (recording, ROAST_TABLE_PROCESSING,
           CALL ", 'kind': <'processing'>, 'started': <int64 1000000>, 'ended': <int64 5000000>, 'confirmed': <true>");
  add_row (recording, ROAST_TABLE_PROCESSING,
           "'call': <'c0'>, 'kind': <'preprocessing'>, 'started': <int64 0>, 'ended': <int64 500000>");
  add_chunk (recording, "p", "'call': <'c0'>, 'events': <int64 1000>", 0);
  add_chunk (recording, "q", "'role': <'framework'>, 'error': <'OSError'>", 0);
  add_chunk (recording, "a", DONE, 0);
  add_chunk (recording, "a2", DONE, 0);
  add_chunk (recording, "b", CALL ", 'error': <'OSError'>", 10);
  add_chunk (recording, "b2", DONE, 10);
  add_chunk (recording, "c", DONE, 20);
  confirm (recording, "a2", ", " CALL);
  confirm (recording, "b2", ", " CALL);
  confirm (recording, "c", ", " CALL);

  return recording;
}

static void
test_confirmed (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  assert_metric (report, "events_total", "30");
  assert_metric (report, "chunks_total", "3");
  assert_metric (report, "chunks_failed_total", "1");
  assert_metric (report, "chunks_wasted_total", "2");
  assert_metric (report, "chunks_wasted_time_seconds", "2.0");
  assert_metric (report, "chunks_wasted_bytes_total", "200");
  assert_metric (report, "bytes_read_total", "300");
  assert_metric (report, "processing_time_seconds", "3.0");
  assert_derived_row (report, "per_dataset", 0,
                      "dataset=tt chunks=3 failed=1 events=30 bytes_read=300 processing_time=3 chunk_time_mean=1 "
                      "event_rate=10 wasted=2");
}

/* A worker that dies in the middle of a chunk reports nothing of it. */
static void
test_lost_attempt (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, ROAST_TABLE_TASKS, "{'source': <'x'>, 'task': <'1'>, 'attempt': <int64 1>, 'status': <'lost'>}");
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunks_total", "3");
  assert_metric (report, "chunks_wasted_total",
                 "2 partial: a lower bound: 1 attempt was lost with a worker, and may not have been reported");
}

/* A process of this machine that was killed while the call went on may have been at a chunk; not one that was killed
 * after it, and not another program. */
static void
test_killed_process (void)
{
  static const char *const harmless[] = {
    "'process': <int64 1>, 'pid': <int64 7>, 'command': <'python'>, 'ended': <int64 6000000>, 'signal': <int64 15>",
    "'process': <int64 2>, 'pid': <int64 8>, 'command': <'python'>, 'ended': <int64 2000000>, 'exit_code': <int64 0>",
    "'process': <int64 3>, 'pid': <int64 9>, 'command': <'helper'>, 'ended': <int64 2000000>, 'signal': <int64 9>",
  };
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) before = NULL;
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "k", DONE ", 'pid': <int64 7>", 0);
  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    add_row (recording, ROAST_TABLE_PROCESSES, harmless[i]);
  before = rows_aggregate (recording, "workload");
  assert_metric (before, "chunks_wasted_total", "3");
  add_row (recording, ROAST_TABLE_PROCESSES,
           "'process': <int64 4>, 'pid': <int64 10>, 'command': <'python'>, 'ended': <int64 2000000>, 'signal': <int64 "
           "9>");
  report = rows_aggregate (recording, "workload");
#define KILLED                                                                                                         \
  " partial: a lower bound: a signal ended 1 process of the analysis; the attempts at chunks that were under "         \
  "way in these processes are missing"
  assert_metric (report, "chunks_total", "3");
  assert_metric (report, "chunks_wasted_total", "3" KILLED);
  assert_metric (report, "chunks_wasted_time_seconds", "3.0" KILLED);
  assert_metric (report, "chunks_wasted_bytes_total", "300" KILLED);
#undef KILLED
}

static void
test_tasks_lost (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_PROCESSING,
           "'call': <'c4'>, 'kind': <'processing'>, 'confirmed': <true>, 'tasks_lost': <int64 3>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunks_wasted_total",
                 "2 partial: a lower bound: workers were lost with 3 tasks; the attempts at chunks that were under way "
                 "in these tasks are missing");
}

#define MADE(call, time, more)                                                                                         \
  "'call': <'" call "'>, 'kind': <'processing'>, 'started': <int64 " #time ">, 'task': <'t'>, 'items': <int64 2>" more

/* The task “t” was executed three times, and made two calls each time: of each the last counts, whatever the order of
 * rows. */
static RoastRecording *
make_repeated_task (const char *confirmed)
{
  static const char *const chunks[][2] = {
    { "a", "c1" }, { "b", "c1" }, { "d", "c2" }, { "a3", "c5" }, { "b3", "c5" }, { "d3", "c6" }, { "a2", "c3" },
  };
  g_autofree char *first = g_strconcat (MADE ("c1", 1, ", 'task_call': <int64 1>, 'pid': <int64 7>"), confirmed, NULL);
  RoastRecording *recording = make_recording ();

  add_row (recording, ROAST_TABLE_PROCESSING, MADE ("c5", 5, ", 'task_call': <int64 1>, 'confirmed': <true>"));
  add_row (recording, ROAST_TABLE_PROCESSING, first);
  add_row (recording, ROAST_TABLE_PROCESSING, MADE ("c2", 2, ", 'task_call': <int64 2>"));
  add_row (recording, ROAST_TABLE_PROCESSING, MADE ("c3", 3, ", 'task_call': <int64 1>"));
  add_row (recording, ROAST_TABLE_PROCESSING,
           MADE ("c6", 6, ", 'ended': <int64 10>, 'task_call': <int64 2>, 'confirmed': <true>"));
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autofree char *more = g_strdup_printf ("'call': <'%s'>, 'events': <int64 10>", chunks[i][1]);
      g_autofree char *call = g_strdup_printf (", 'call': <'%s'>", chunks[i][1]);

      add_chunk (recording, chunks[i][0], more, i * 10);
      confirm (recording, chunks[i][0], call);
    }
  add_chunk (recording, "a", "'call': <'c1'>, 'events': <int64 10>", 0);

  return recording;
}

static void
test_repeated_task (void)
{
  g_autoptr (RoastRecording) recording = make_repeated_task ("");
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  assert_metric (report, "events_total", "30");
  assert_metric (report, "chunks_total", "3");
  assert_metric (report, "chunks_skipped_total", "1");
  assert_metric (report, "chunks_wasted_total",
                 "4 partial: a lower bound: attempts that were under way when calls ended without a result may be "
                 "missing");
}

/* A call that returned counted, unless its process was gone before the last call ended: somebody may have used
 * both results. */
static void
test_repeated_call (void)
{
  g_autoptr (RoastRecording) recording = make_repeated_task (", 'confirmed': <true>");
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);
  g_autoptr (RoastReport) lived = NULL;
  g_autoptr (RoastReport) killed = NULL;

  assert_metric (report, "events_total",
                 "30 estimated: 1 call is not counted, because the same task was executed again");
  add_row (recording, ROAST_TABLE_PROCESSES,
           "'process': <int64 2>, 'pid': <int64 7>, 'command': <'python'>, 'ended': <int64 12>");
  lived = rows_aggregate (recording, all);
  rows_assert_note (lived, "events_total", ROAST_COMPLETENESS_ESTIMATED, "executed again");
  add_row (recording, ROAST_TABLE_PROCESSES,
           "'process': <int64 1>, 'pid': <int64 7>, 'command': <'python'>, 'ended': <int64 9>");
  killed = rows_aggregate (recording, all);
  assert_metric (killed, "events_total", "30");
}

/* The same for a worker on another machine, whose process nobody observed. */
static void
test_repeated_call_of_worker (void)
{
  static const struct
  {
    const char *cells;
    const char *events;
  } workers[] = {
    { "'pid': <int64 7>, 'left': <int64 12>",
      "30 estimated: 1 call is not counted, because the same task was executed again" },
    { "'pid': <int64 7>, 'left': <int64 9>, 'process_workers': <int64 2>",
      "30 estimated: 1 call is not counted, because the same task was executed again" },
    { "'pid': <int64 7>, 'left': <int64 9>", "30" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    {
      g_autoptr (RoastRecording) recording = make_repeated_task (", 'confirmed': <true>");
      g_autofree char *cells = g_strdup_printf ("'source': <'s'>, 'worker': <'w'>, %s", workers[i].cells);
      g_autoptr (RoastReport) report = NULL;

      add_row (recording, ROAST_TABLE_WORKERS, cells);
      report = rows_aggregate (recording, all);
      assert_metric (report, "events_total", workers[i].events);
    }
}

static void
test_repeated_row (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "c", DONE, 20);
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total", "30");
  assert_metric (report, "chunks_wasted_total", "2");
}

static void
test_unreported (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  confirm (recording, "d", ", " CALL);
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total",
                 "30 partial: a lower bound: for 1 of 4 chunks in the result, only the identity is known");
  assert_metric (report, "read_requests_total",
                 "6 partial: a lower bound: for 1 of 4 chunks in the result, only the identity is known");
  rows_assert_note (report, "chunk_time_p50_seconds", ROAST_COMPLETENESS_ESTIMATED, "only the identity is known");
  /* Rows of failed attempts may be lost, too. */
  assert_metric (report, "chunks_failed_total",
                 "1 partial: a lower bound: for 1 of 4 chunks in the result, only the identity is known");
}

/* More identities than are looked up at once, in another order than they are confirmed; of each three attempts the
 * first is wasted, and the row of each tenth that counts comes twice. */
static void
test_batches (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  guint n_counted = 0, n_wasted = 0;

  add_row (recording, ROAST_TABLE_PROCESSING,
           CALL ", 'kind': <'processing'>, 'started': <int64 1000000>, 'ended': <int64 5000000>, 'confirmed': <true>");
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *id = g_strdup_printf ("chunk-%u", i);
      g_autofree char *other = g_strdup_printf ("chunk-%u", 299 - i);

      add_chunk (recording, id, DONE, i * 10);
      if (i % 3 == 0)
        n_wasted++;
      else if (n_counted++ % 10 == 0)
        add_chunk (recording, id, DONE, i * 10);
      if ((299 - i) % 3 != 0)
        confirm (recording, other, ", " CALL);
    }
  report = rows_aggregate (recording, all);
  g_assert_cmpuint (n_counted, ==, 200);
  g_assert_cmpuint (n_wasted, ==, 100);
  assert_metric (report, "chunks_total", "200");
  assert_metric (report, "events_total", "2000");
  assert_metric (report, "chunks_wasted_total", "100");
}

#define BROKEN(number)                                                                                                 \
  number " partial: a lower bound: attempts that were under way when a call ended without a result may be missing"

/* Of two attempts at the same entries one would have been in the result. */
static void
test_open (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_PROCESSING, CALL ", 'kind': <'processing'>, 'started': <int64 1000000>");
  add_chunk (recording, "a", DONE, 0);
  add_chunk (recording, "a", DONE, 0);
  add_chunk (recording, "a2", DONE, 0);
  add_chunk (recording, "b", DONE, 10);
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total", "20 partial: a lower bound: no result came back for the call of 2 chunks");
  assert_metric (report, "chunks_total", "2 partial: a lower bound: no result came back for the call of 2 chunks");
  assert_metric (report, "read_requests_total",
                 "4 partial: a lower bound: no result came back for the call of 2 chunks");
  assert_metric (report, "chunks_wasted_total", BROKEN ("1"));
  rows_assert_note (report, "processing_elapsed_seconds", ROAST_COMPLETENESS_ESTIMATED,
                    "the end of 1 call was not reported: such a call counts until the end of the run");
}

/* A call that failed after two chunks and was made again: what it had processed is in the result only where the second
 * call took it from a checkpoint. Where no call returned, it shows how far the program came. */
static void
test_made_again (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) first = NULL, report = NULL;

  add_row (recording, ROAST_TABLE_PROCESSING,
           CALL ", 'kind': <'processing'>, 'started': <int64 1000000>, 'ended': <int64 5000000>, 'error': <'OSError'>");
  add_chunk (recording, "a", DONE, 0);
  add_chunk (recording, "b", DONE, 10);
  add_chunk (recording, "c", CALL ", 'error': <'OSError'>", 20);
  first = rows_aggregate (recording, all);
  assert_metric (first, "events_total", "20 partial: a lower bound: no result came back for the call of 2 chunks");
  add_row (recording, ROAST_TABLE_PROCESSING,
           "'call': <'c2'>, 'kind': <'processing'>, 'started': <int64 6000000>, 'ended': <int64 9000000>, 'confirmed': "
           "<true>");
  add_chunk (recording, "a2", "'call': <'c2'>, 'events': <int64 0>, 'cached': <true>", 0);
  add_chunk (recording, "b2", "'call': <'c2'>, 'events': <int64 10>", 10);
  add_chunk (recording, "c2", "'call': <'c2'>, 'events': <int64 10>", 20);
  confirm (recording, "a2", ", 'call': <'c2'>");
  confirm (recording, "b2", ", 'call': <'c2'>");
  confirm (recording, "c2", ", 'call': <'c2'>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunks_total", "3");
  assert_metric (report, "events_total", "30");
  assert_metric (report, "bytes_read_total", "300");
  assert_metric (report, "chunks_failed_total", "1");
}

/* A program without calls may confirm; then its other chunks do not count. Without it all count. */
static void
test_without_call (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) before = NULL;
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "a", "'events': <int64 10>", 0);
  add_chunk (recording, "a2", "'events': <int64 10>", 0);
  add_chunk (recording, "b", "'error': <'E'>", 10);
  before = rows_aggregate (recording, all);
  assert_metric (before, "events_total", "20");
  assert_metric (before, "chunks_total", "3");
  assert_metric (before, "chunks_wasted_total", "n/a: the program did not report which chunks are in its result");
  confirm (recording, "a2", "");
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total", "10");
  assert_metric (report, "chunks_total", "2");
  assert_metric (report, "chunks_wasted_total", "1");
}

/* Three calls: two at the same time, one later. */
static void
test_windows (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_PROCESSING,
           "'call': <'c3'>, 'kind': <'processing'>, 'started': <int64 9000000>, 'ended': <int64 10000000>");
  add_row (recording, ROAST_TABLE_PROCESSING,
           "'call': <'c2'>, 'kind': <'processing'>, 'started': <int64 2000000>, 'ended': <int64 6000000>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "processing_elapsed_seconds", "6.0");
  assert_metric (report, "preprocessing_elapsed_seconds", "0.5");
  assert_metric (report, "merging_elapsed_seconds",
                 "n/a: the program reported no call of an executor that only merged results");
  assert_metric (report, "data_rate_processing_bytes_per_second", "50.0");
  assert_metric (report, "data_rate_processing_bits_per_second", "400.0");
  assert_metric (report, "event_rate_processing_per_second", "5.0");
  assert_derived_row (report, "windows", 2,
                      "kind=processing started=1000000 ended=5000000 why=the start and the end of a "
                      "call of the analysis' executor");
  g_assert_cmpuint (rows_count_derived (report, "windows"), ==, 5);
}

/* A span has what is in the result. */
static void
test_spans (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_SPANS,
           "'span': <'s'>, 'name': <'s'>, 'started': <int64 0>, 'ended': <int64 3000000>");
  report = rows_aggregate (recording, all);
  assert_derived_row (report, "span_totals", 0, "span=s name=s duration=3 events=30 bytes_read=300");
}

#define NEEDS(all, own) "'events': <int64 10>, 'needed_bytes': <int64 " #all ">, 'needed_bytes_own': <int64 " #own ">"

/* Two chunks share a basket of 30 B; the third lacks its predecessor. None says which branches it read. */
static void
test_needed_estimated (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
#define ESTIMATED " estimated: chunks did not report which baskets they have in common"

  add_chunk (recording, "b", NEEDS (80, 50), 10);
  add_chunk (recording, "a", NEEDS (70, 70), 0);
  add_chunk (recording, "c", NEEDS (50, 20), 40);
  add_row (recording, ROAST_TABLE_FILES, "'file': <'f.root'>, 'bytes': <int64 1000>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "needed_bytes_total", "170" ESTIMATED);
  rows_assert_value (report, "read_amplification_ratio", 300.0 / 170);
  rows_assert_note (report, "read_amplification_ratio", ROAST_COMPLETENESS_ESTIMATED,
                    "chunks did not report which baskets they have in common");
  assert_derived (report, "per_file", 0, "needed_bytes", "170");
  assert_derived (report, "per_file", 0, "amplification", "1.76470588");
  assert_derived (report, "per_file", 0, "read_share", "0.17");
#undef ESTIMATED
}

/* Baskets that begin within their chunk, and are not of the same entries, are different ones. */
static void
test_needed_apart (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) twice = NULL;

  add_chunk (recording, "a", NEEDS (70, 70), 0);
  add_chunk (recording, "b", NEEDS (50, 50), 30);
  report = rows_aggregate (recording, all);
  assert_metric (report, "needed_bytes_total", "120");
  add_chunk (recording, "a2", NEEDS (70, 70), 0);
  twice = rows_aggregate (recording, all);
  rows_assert_note (twice, "needed_bytes_total", ROAST_COMPLETENESS_ESTIMATED, "in common");
}

static void
add_branch (RoastRecording *recording, const char *chunk, const char *branch, gint64 offset, gint64 bytes)
{
  g_autofree char *cells =
      g_strdup_printf ("'chunk': <'%s'>, 'file': <'f.root'>, 'branch': <'%s'>, 'offset': <int64 %" G_GINT64_FORMAT
                       ">, 'bytes': <int64 %" G_GINT64_FORMAT ">",
                       chunk, branch, offset, bytes);

  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES, cells);
}

/* x has one basket of 60 B, y two of 10 B and 30 B. The chunk at 10 is not in the result, the first did not read y, and
 * rows of branches come in another order than those of chunks. */
static RoastRecording *
make_needed (void)
{
  RoastRecording *recording = make_recording ();

  add_chunk (recording, "c", NEEDS (100, 30), 20);
  add_chunk (recording, "a", NEEDS (60, 60), 0);
  add_chunk (recording, "d", NEEDS (90, 0), 40);
  add_chunk (recording, "b", NEEDS (60, 60) ", 'call': <'c1'>, 'error': <'E'>", 10);
  add_branch (recording, "a", "x", 0, 60);
  add_branch (recording, "b", "x", 0, 60);
  add_branch (recording, "b", "z", 0, 7000);
  add_branch (recording, "d", "x", 0, 60);
  add_branch (recording, "d", "y", 10, 30);
  add_branch (recording, "c", "x", 0, 60);
  add_branch (recording, "c", "y", 0, 40);

  return recording;
}

static void
test_needed (void)
{
  g_autoptr (RoastRecording) recording = make_needed ();
  g_autoptr (RoastReport) report = rows_aggregate (recording, all);

  assert_metric (report, "needed_bytes_total", "100");
  assert_metric (report, "read_amplification_ratio", "3.0");
  assert_derived (report, "per_file", 0, "amplification", "3");
}

/* Ranges that overlap, touch, lie within one another and apart, in any order; another tree has baskets of its own, and
 * a chunk that does not report what it read is not compared with what was read. */
static void
test_needed_ranges (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "a", NEEDS (10, 10), 0);
  add_chunk (recording, "b", NEEDS (10, 10), 10);
  add_chunk (recording, "c", NEEDS (30, 30), 20);
  add_chunk (recording, "d", NEEDS (20, 10), 30);
  add_chunk (recording, "e", NEEDS (5, 5), 40);
  add_row (recording, ROAST_TABLE_CHUNKS,
           "'chunk': <'f'>, 'dataset': <'tt'>, 'file': <'f.root'>, 'tree': <'Other'>, 'events': <int64 10>, "
           "'needed_bytes': <int64 50>, 'needed_bytes_own': <int64 50>");
  add_branch (recording, "a", "x", 100, 10);
  add_branch (recording, "b", "x", 0, 10);
  add_branch (recording, "c", "x", 50, 30);
  add_branch (recording, "d", "x", 10, 20);
  add_branch (recording, "e", "x", 55, 5);
  add_branch (recording, "f", "x", 0, 50);
  report = rows_aggregate (recording, all);
  assert_metric (report, "needed_bytes_total", "120");
  assert_metric (report, "read_amplification_ratio", "7.14285714 estimated: missing for 1 chunk");
  assert_derived (report, "per_file", 0, "needed_bytes", "120");
}

/* Two calls need the same basket: the file is needed once, but each call has to read it. */
static void
test_needed_calls (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "a", NEEDS (60, 60) ", 'call': <'c1'>", 0);
  add_chunk (recording, "b", NEEDS (60, 60) ", 'call': <'c2'>", 0);
  add_branch (recording, "a", "x", 0, 60);
  add_branch (recording, "b", "x", 0, 60);
  report = rows_aggregate (recording, all);
  rows_assert_value (report, "needed_bytes_total", 60);
  rows_assert_value (report, "read_amplification_ratio", 200.0 / 120);
}

/* What the report says of each file and of all is the same quantity. */
static void
test_needed_files (void)
{
  g_autoptr (RoastRecording) recording = make_needed ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_CHUNKS,
           "'chunk': <'g'>, 'dataset': <'tt'>, 'file': <'g.root'>, 'tree': <'Events'>, 'events': <int64 10>, "
           "'bytes_read': <int64 60>, 'needed_bytes': <int64 50>, 'needed_bytes_own': <int64 50>");
  add_branch (recording, "g", "x", 0, 50);
  report = rows_aggregate (recording, all);
  assert_metric (report, "needed_bytes_total", "150");
  assert_derived (report, "per_file", 0, "needed_bytes", "100");
  assert_derived (report, "per_file", 0, "amplification", "3");
  assert_derived (report, "per_file", 1, "needed_bytes", "50");
  assert_derived (report, "per_file", 1, "amplification", "1.2");
  rows_assert_value (report, "read_amplification_ratio", (100 * 3 + 50 * 1.2) / 150);
}

/* Branches of attempts that are not in the result do not count, as their bytes do not. */
static void
test_wasted_branches (void)
{
  static const char *const attempts[] = { "a", "a2", "b", "b2", "c" }; /* “a” and “b” are not in the result */
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (attempts); i++)
    {
      g_autofree char *cells = g_strdup_printf ("'chunk': <'%s'>, 'file': <'f.root'>, 'branch': <'Jet_pt'>, 'bytes': "
                                                "<int64 100>, 'uncompressed': <int64 300>",
                                                attempts[i]);

      add_row (recording, ROAST_TABLE_CHUNK_BRANCHES, cells);
    }
  report = rows_aggregate (recording, all);
  assert_metric (report, "bytes_read_total", "300");
  assert_metric (report, "uncompressed_bytes_total", "900");
  assert_derived_row (report, "per_branch", 0,
                      "branch=Jet_pt chunks=3 bytes=300 uncompressed=900 share=1 compression=3");
}

/* A reader of other formats counts no bytes while it prepares files. */
static void
test_uncounted_preparation (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_CHUNKS,
           "'chunk': <'q'>, 'role': <'framework'>, 'started': <int64 1000000>, 'ended': <int64 2000000>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "preprocessing_files_total", "1");
  rows_assert_unavailable (report, "preprocessing_bytes_total", "a reader that counts no bytes");
  add_row (recording, ROAST_TABLE_CHUNKS,
           "'chunk': <'q'>, 'role': <'framework'>, 'started': <int64 3000000>, 'ended': <int64 4000000>, 'bytes_read': "
           "<int64 7>");
  g_clear_object (&report);
  report = rows_aggregate (recording, all);
  assert_metric (report, "preprocessing_bytes_total", "7 partial: missing for 1 attempt");
}

/* Parts of the time, CPU and memory of chunks that are instrumented; what is wasted or prepared is apart. */
static void
test_details (void)
{
  g_autoptr (RoastRecording) recording = make_confirmed ();
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "d",
             DONE
             ", 'process_time': <0.75>, 'open_time': <0.125>, 'thread_cpu': <0.5>, 'requests': <int64 3>, 'memory': "
             "<int64 4096>, 'branches_read': <int64 2>",
             30);
  confirm (recording, "d", ", " CALL);
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunk_function_time_seconds", "0.75 partial: missing for 3 chunks");
  assert_metric (report, "chunk_outside_function_ratio", "0.25 estimated: missing for 3 chunks");
  assert_metric (report, "chunk_cpu_ratio", "0.5 estimated: missing for 3 chunks");
  assert_metric (report, "event_rate_thread_cpu_per_second", "20.0 estimated: missing for 3 chunks");
  assert_metric (report, "read_requests_total", "9");
  assert_metric (report, "chunk_memory_change_max_bytes", "4096 partial: missing for 3 chunks");
  assert_metric (report, "chunk_time_p90_seconds", "1.0");
  assert_metric (report, "preprocessing_files_total", "2");
  /* One attempt failed, and the next one succeeded. */
  assert_metric (report, "preprocessing_files_failed_total", "0");
  assert_metric (report, "preprocessing_time_seconds", "2.0");
  assert_metric (report, "preprocessing_bytes_total", "200");
  assert_metric (report, "chunks_skipped_total",
                 "n/a: no call that returned a result reported how many chunks it was given");
  assert_derived_row (report, "per_file", 0,
                      "dataset=tt file=f.root chunks=4 failed=2 wasted=1 events=40 bytes_read=400 requests=9 "
                      "processing_time=4 function_time=0.75 thread_cpu=0.5 event_rate=10 branches_read=2");
  g_assert_cmpuint (rows_count_derived (report, "slowest_chunks"), ==, 4);
  g_assert_false (rows_has_derived (report, "per_site"));
}

/* Two chunks of 1 s each: 0.1 s and 0.25 s per event; one without events, and one without memory. A fourth
 * has an unknown number of events. */
static void
test_per_event (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_chunk (recording, "a", "'events': <int64 10>, 'memory': <int64 4000>", 0);
  add_chunk (recording, "b", "'events': <int64 4>", 10);
  add_chunk (recording, "c", "'events': <int64 0>, 'memory': <int64 9000>", 20);
  report = rows_aggregate (recording, all);
  assert_metric (report, "time_per_event_seconds", "0.142857143");
  rows_assert_value (report, "time_per_event_deviation_seconds", 0.15 / sqrt (2));
  assert_metric (report, "memory_per_event_bytes", "400.0 estimated: missing for 1 chunk");
  assert_metric (report, "memory_per_event_deviation_bytes", "0.0 estimated: missing for 1 chunk");

  add_chunk (recording, "d", "'memory': <int64 1>", 30);
  g_clear_object (&report);
  report = rows_aggregate (recording, all);
  assert_metric (report, "time_per_event_seconds", "0.142857143 estimated: missing for 1 chunk");
}

static void
test_quantiles (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *cells = g_strdup_printf ("'started': <int64 0>, 'ended': <int64 %u>", 1000000 * (100 - i));

      add_row (recording, ROAST_TABLE_CHUNKS, cells);
    }
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunk_time_p50_seconds", "50.0");
  assert_metric (report, "chunk_time_p90_seconds", "90.0");
  assert_metric (report, "chunk_time_p99_seconds", "99.0");
  rows_assert_value (report, "chunk_time_deviation_seconds", 29.011491975882016); /* Python's statistics.stdev() */
}

/* A range that succeeded later, or a file that was prepared later, need not be done again. */
static void
test_failures (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

#define ERROR ", 'error': <'OSError'>, 'error_message': <'no such file'>"
  add_row (recording, ROAST_TABLE_PROCESSING,
           CALL ", 'kind': <'processing'>, 'started': <int64 0>, 'ended': <int64 1>, 'items': <int64 3>, "
                "'confirmed': <true>");
  add_chunk (recording, "a", CALL ERROR, 0);
  add_chunk (recording, "b", CALL ERROR, 10);
  add_chunk (recording, "b2", CALL ERROR, 10);
  add_chunk (recording, "a2", DONE, 0);
  add_row (recording, ROAST_TABLE_CHUNKS,
           "'dataset': <'tt'>, 'file': <'root://site.org:1094//x.root'>, 'role': <'framework'>" ERROR);
  add_row (recording, ROAST_TABLE_CHUNKS,
           "'dataset': <'tt'>, 'file': <'root://site.org:1094//x.root'>, 'role': <'framework'>" ERROR);
  add_row (recording, ROAST_TABLE_CHUNKS, "'dataset': <'tt'>, 'file': <'f.root'>, 'role': <'framework'>" ERROR);
  confirm (recording, "a2", ", " CALL);
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunks_skipped_total", "2");
  assert_metric (report, "preprocessing_files_total", "3");
  assert_metric (report, "preprocessing_files_failed_total", "2");
  assert_derived_row (report, "failed_files", 0,
                      "dataset=tt file=f.root tree=Events entry_start=10 entry_stop=20 attempts=2 error=OSError "
                      "error_message=no such file");
  assert_derived_row (report, "failed_files", 1,
                      "dataset=tt file=root://site.org:1094//x.root attempts=2 error=OSError error_message=no such "
                      "file");
  g_assert_cmpuint (rows_count_derived (report, "failed_files"), ==, 2);
  assert_derived (report, "per_site", 0, "site", "(local path)");
  assert_derived (report, "per_site", 1, "site", "site.org");
}

/* No file could be prepared, so no chunk exists. */
static void
test_prepared_only (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_CHUNKS, "'dataset': <'tt'>, 'file': <'f.root'>, 'role': <'framework'>" ERROR);
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total",
                 "n/a: the program reported no events to roast (the program only prepared files)");
  assert_metric (report, "chunks_total",
                 "n/a: the program reported no chunks to roast (the program only prepared files)");
  assert_metric (report, "preprocessing_bytes_total", "n/a: no file could be prepared");
}

/* The only chunk failed, and its error reached the program. */
static void
test_failed_only (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_CHUNKS, "'chunk': <'c'>, 'call': <'1'>" ERROR);
  add_row (recording, ROAST_TABLE_PROCESSING, "'call': <'1'>, 'kind': <'processing'>, 'ended': <int64 9000000>" ERROR);
  report = rows_aggregate (recording, all);
  assert_metric (report, "chunks_total", "0");
  assert_metric (report, "events_total", "n/a: the program reported no events to roast (no chunk is in a result)");
}

/* What another processor did with the same entries, or what is not in a result, repairs nothing. */
static void
test_failures_of_processors (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

#define PROCESSING(call, processor)                                                                                    \
  "'call': <'" call "'>, 'kind': <'processing'>, 'processor': <'" processor "'>, 'confirmed': <true>"
  add_row (recording, ROAST_TABLE_PROCESSING, PROCESSING ("c1", "Muons"));
  add_row (recording, ROAST_TABLE_PROCESSING, PROCESSING ("c2", "Jets"));
  add_row (recording, ROAST_TABLE_PROCESSING, PROCESSING ("c3", "Muons"));
  add_chunk (recording, "a", CALL ERROR, 0);
  add_chunk (recording, "b", CALL ERROR, 10);
  add_chunk (recording, "c", CALL ERROR, 20);
  add_chunk (recording, "c2", DONE, 20);
  add_chunk (recording, "a2", "'call': <'c2'>, 'events': <int64 10>", 0);
  confirm (recording, "a2", ", 'call': <'c2'>");
  add_chunk (recording, "b2", "'call': <'c3'>, 'events': <int64 10>", 10);
  confirm (recording, "b2", ", 'call': <'c3'>");
  report = rows_aggregate (recording, all);
  g_assert_cmpuint (rows_count_derived (report, "failed_files"), ==, 2);
  assert_derived_row (report, "failed_files", 0,
                      "dataset=tt file=f.root tree=Events entry_start=0 entry_stop=10 attempts=1 error=OSError "
                      "error_message=no such file processor=Muons");
  assert_derived_row (report, "failed_files", 1,
                      "dataset=tt file=f.root tree=Events entry_start=20 entry_stop=30 attempts=1 error=OSError "
                      "error_message=no such file processor=Muons");
}

/* Two analyses with the same class: the second did all entries, but the first still lacks some. A call that did only
 * what failed repairs it, and so does one after a call without a result. */
static void
test_failures_of_analyses (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) apart = NULL;
  g_autoptr (RoastReport) report = NULL;
#define IN(call) "'call': <'" call "'>, 'events': <int64 10>"

  add_row (recording, ROAST_TABLE_PROCESSING, PROCESSING ("c1", "Muons"));
  add_row (recording, ROAST_TABLE_PROCESSING, PROCESSING ("c2", "Muons"));
  add_row (recording, ROAST_TABLE_PROCESSING, PROCESSING ("c3", "Muons"));
  add_row (recording, ROAST_TABLE_PROCESSING, "'call': <'c0'>, 'kind': <'processing'>, 'processor': <'Muons'>");
  add_chunk (recording, "z", "'call': <'c0'>" ERROR, 20);
  add_chunk (recording, "y", IN ("c0"), 0);
  add_chunk (recording, "a", DONE, 0);
  add_chunk (recording, "b", CALL ERROR, 10);
  add_chunk (recording, "a2", IN ("c2"), 0);
  add_chunk (recording, "b2", IN ("c2"), 10);
  add_chunk (recording, "c2", IN ("c2"), 20);
  confirm (recording, "a", ", " CALL);
  confirm (recording, "a2", ", 'call': <'c2'>");
  confirm (recording, "b2", ", 'call': <'c2'>");
  confirm (recording, "c2", ", 'call': <'c2'>");
  apart = rows_aggregate (recording, all);
  g_assert_cmpuint (rows_count_derived (apart, "failed_files"), ==, 1);
  assert_derived (apart, "failed_files", 0, "entry_start", "10");
  add_chunk (recording, "b3", IN ("c3"), 10);
  confirm (recording, "b3", ", 'call': <'c3'>");
  report = rows_aggregate (recording, all);
  g_assert_false (rows_has_derived (report, "failed_files"));
}

static void
test_branches (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES,
           "'branch': <'Jet_pt'>, 'bytes': <int64 100>, 'uncompressed': <int64 300>");
  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES,
           "'branch': <'MET_pt'>, 'bytes': <int64 200>, 'uncompressed': <int64 200>");
  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES,
           "'branch': <'Jet_pt'>, 'bytes': <int64 200>, 'uncompressed': <int64 500>");
  report = rows_aggregate (recording, all);
  assert_metric (report, "branches_read_total", "2");
  assert_metric (report, "uncompressed_bytes_total", "1000");
  assert_metric (report, "read_compression_ratio", "2.0");
  assert_derived_row (report, "per_branch", 0,
                      "branch=Jet_pt chunks=2 bytes=300 uncompressed=800 share=0.6 compression=2.66666667");
}

/* What is known of the whole branch holds for its baskets in proportion; of an unknown branch nothing is known. */
static void
test_branches_estimated (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) unknown = NULL;

  add_row (recording, ROAST_TABLE_BRANCHES,
           "'file': <'f'>, 'branch': <'Jet_pt'>, 'bytes': <int64 1000>, 'uncompressed': <int64 4000>");
  add_row (recording, ROAST_TABLE_BRANCHES,
           "'file': <'g'>, 'branch': <'Jet_pt'>, 'bytes': <int64 1000>, 'uncompressed': <int64 1000>");
  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES, "'file': <'f'>, 'branch': <'Jet_pt'>, 'bytes': <int64 100>");
  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES, "'file': <'g'>, 'branch': <'Jet_pt'>, 'bytes': <int64 300>");
  report = rows_aggregate (recording, all);
  assert_derived_row (report, "per_branch", 0,
                      "branch=Jet_pt chunks=2 bytes=400 uncompressed=700 share=1 compression=1.75");
  rows_assert_note (report, "uncompressed_bytes_total", ROAST_COMPLETENESS_ESTIMATED,
                    "from the size of whole branches");
  add_row (recording, ROAST_TABLE_CHUNK_BRANCHES, "'file': <'h'>, 'branch': <'Jet_pt'>, 'bytes': <int64 300>");
  unknown = rows_aggregate (recording, all);
  assert_derived_row (unknown, "per_branch", 0, "branch=Jet_pt chunks=3 bytes=700 share=1 compression=1.75");
  assert_metric (unknown, "uncompressed_bytes_total", "n/a: not all branches reported their size");
}

/* What the first chunk loads once is not growth. Rows come in any order. */
static void
test_memory (void)
{
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

#define MEMORY(time, before, after)                                                                                    \
  "'host': <'h'>, 'pid': <int64 7>, 'started': <int64 " #time "000>, 'ended': <int64 " #time                           \
  "500>, 'memory_start': <int64 " #before ">, 'memory_end': <int64 " #after ">, 'memory_peak': <int64 " #after ">"
  add_row (recording, ROAST_TABLE_CHUNKS, MEMORY (3, 550, 700));
  add_row (recording, ROAST_TABLE_CHUNKS, MEMORY (1, 100, 500));
  add_row (recording, ROAST_TABLE_CHUNKS, MEMORY (2, 500, 900));
  add_row (recording, ROAST_TABLE_CHUNKS, "'host': <'h'>, 'pid': <int64 8>, 'events': <int64 1>");
  report = rows_aggregate (recording, all);
  g_assert_cmpuint (rows_count_derived (report, "chunk_processes"), ==, 1);
  assert_derived_row (report, "chunk_processes", 0,
                      "host=h pid=7 chunks=3 memory_start=100 memory_end=700 memory_peak=900 growth=100");
}

/* So many that the sets of identities grow, with texts that differ little. */
static void
test_many (void)
{
  enum
  {
    MANY = 5000
  };
  g_autoptr (RoastRecording) recording = make_recording ();
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < MANY; i++)
    {
      g_autofree char *id = g_strdup_printf ("%x", i);

      add_chunk (recording, id, "'events': <int64 1>", i);
      if (i % 5 != 0)
        confirm (recording, id, "");
    }
  report = rows_aggregate (recording, all);
  assert_metric (report, "events_total", "4000");
  assert_metric (report, "chunks_wasted_total", "1000");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/processing/confirmed", test_confirmed);
  g_test_add_func ("/processing/lost-attempt", test_lost_attempt);
  g_test_add_func ("/processing/killed-process", test_killed_process);
  g_test_add_func ("/processing/tasks-lost", test_tasks_lost);
  g_test_add_func ("/processing/repeated-task", test_repeated_task);
  g_test_add_func ("/processing/repeated-call", test_repeated_call);
  g_test_add_func ("/processing/repeated-call-of-worker", test_repeated_call_of_worker);
  g_test_add_func ("/processing/repeated-row", test_repeated_row);
  g_test_add_func ("/processing/batches", test_batches);
  g_test_add_func ("/processing/unreported", test_unreported);
  g_test_add_func ("/processing/open", test_open);
  g_test_add_func ("/processing/made-again", test_made_again);
  g_test_add_func ("/processing/without-call", test_without_call);
  g_test_add_func ("/processing/windows", test_windows);
  g_test_add_func ("/processing/spans", test_spans);
  g_test_add_func ("/processing/needed", test_needed);
  g_test_add_func ("/processing/needed/estimated", test_needed_estimated);
  g_test_add_func ("/processing/needed/apart", test_needed_apart);
  g_test_add_func ("/processing/needed/ranges", test_needed_ranges);
  g_test_add_func ("/processing/needed/calls", test_needed_calls);
  g_test_add_func ("/processing/needed/files", test_needed_files);
  g_test_add_func ("/processing/details", test_details);
  g_test_add_func ("/processing/uncounted-preparation", test_uncounted_preparation);
  g_test_add_func ("/processing/wasted-branches", test_wasted_branches);
  g_test_add_func ("/processing/per-event", test_per_event);
  g_test_add_func ("/processing/quantiles", test_quantiles);
  g_test_add_func ("/processing/failures", test_failures);
  g_test_add_func ("/processing/prepared-only", test_prepared_only);
  g_test_add_func ("/processing/failed-only", test_failed_only);
  g_test_add_func ("/processing/failures/processors", test_failures_of_processors);
  g_test_add_func ("/processing/failures/analyses", test_failures_of_analyses);
  g_test_add_func ("/processing/branches", test_branches);
  g_test_add_func ("/processing/branches/estimated", test_branches_estimated);
  g_test_add_func ("/processing/memory", test_memory);
  g_test_add_func ("/processing/many", test_many);

  return g_test_run ();
}
