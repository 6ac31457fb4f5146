/* SPDX-License-Identifier: BSD-3-Clause */

/* Where slot time went: recordings made by hand with answers computed by hand, and random ones against a simulation
 * that goes through the run second by second. */

#include <math.h>
#include <roast/roast.h>

#include "activities.h"
#include "rows.h"
#include "sanitized.h"

#define S ((gint64) G_USEC_PER_SEC)
#define AGGREGATORS "processes workload windows core-time"
#define N_PARTS ROAST_CORE_PART_N_WORDS

static RoastRecording *
make_recording (gint64 ended)
{
  RoastRecording *recording = roast_recording_new (NULL);

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (ended * S));

  return recording;
}

/* ---- reading ---- */

/* Core-seconds of a source by part, in all stretches of a window. */
static void
read_parts (RoastReport *report, const char *source, guint window, double parts[N_PARTS])
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (report, ROAST_TABLE_CORE_TIME, roast_core_time_columns, NULL);
  double shares = 0;

  for (guint i = 0; i < N_PARTS; i++)
    parts[i] = 0;
  while (roast_table_reader_next (table))
    {
      double seconds = roast_table_reader_get_double (table, ROAST_CORE_TIME_CORE_SECONDS);

      if (g_strcmp0 (roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE), source) != 0 ||
          roast_table_reader_get_word (table, ROAST_CORE_TIME_WINDOW) != (int) window)
        continue;
      g_assert_cmpfloat (seconds, >, 0);
      shares += roast_table_reader_get_double (table, ROAST_CORE_TIME_SHARE);
      parts[roast_table_reader_get_word (table, ROAST_CORE_TIME_PART)] += seconds;
    }
  if (shares > 0)
    g_assert_cmpfloat_with_epsilon (shares, 1, 1e-9);
}

static double
get_part (RoastReport *report, const char *source, guint part)
{
  double parts[N_PARTS];

  read_parts (report, source, ROAST_WINDOW_KIND_RUN, parts);

  return parts[part];
}

#define assert_part(report, part, expected)                                                                            \
  g_assert_cmpfloat_with_epsilon (get_part (report, "x", ROAST_CORE_PART_##part), expected, 1e-9)

static double
sum_up (const double parts[N_PARTS])
{
  double sum = 0;

  for (guint i = 0; i < N_PARTS; i++)
    sum += parts[i];

  return sum;
}

/* ---- by hand ---- */

static void
worker (RoastRecording *recording, const char *name, int cores, double joined, double left)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'x'>, 'worker': <'%s'>, 'cores': <%d.0>, 'joined': <int64 "
                                          "%d>, 'left': <int64 %d>}",
                                          name, cores, (int) (joined * S), (int) (left * S));

  rows_add (recording, "workers", row);
}

static void
task (RoastRecording *recording, const char *id, int attempt, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'x'>, 'task': <'%s'>, 'attempt': <int64 %d>, %s}", id, attempt, cells);

  rows_add (recording, "tasks", row);
}

/* Two slots for 10 s: one task, 2 to 6 s, that computes 3 s; another waits for a slot that is there, and one more for
 * its inputs. */
static void
test_slots (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 2, 0, 10);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 1000000>, 'started': <int64 2000000>, 'ended': <int64 6000000>, 'cpu': "
        "<3.0>, 'status': <'done'>");
  task (recording, "2", 1,
        "'worker': <'w'>, 'submitted': <int64 3000000>, 'dispatched': <int64 4000000>, 'delivered': <int64 5000000>, "
        "'started': <int64 5500000>, 'ended': <int64 8000000>, 'status': <'done'>");
  report = rows_aggregate (recording, AGGREGATORS);

  assert_part (report, TASK_CPU, 3);
  assert_part (report, TASK_WAIT, 1);
  assert_part (report, TASK_UNSPLIT, 2.5);
  /* 1 to 2 s for the first; 3 to 4 and 5 to 5.5 s for the second. */
  assert_part (report, IDLE_EXECUTOR, 2.5);
  assert_part (report, MOVE_IN, 1);
  assert_part (report, IDLE_NO_WORK, 10);
  rows_assert_value (report, "slot_cpu_ratio", 0.15);
  assert_derived_row (report, "stretches", 0, "name=startup started=0 ended=2000000 reason=the run started");
  assert_derived_row (report, "stretches", 1,
                      "name=ramp started=2000000 ended=5500000 reason=the first task of the analysis started");
  assert_derived_row (report, "stretches", 2,
                      "name=steady started=5500000 ended=6000000 reason=from here on, tasks held at least 90 % of 2 "
                      "slots, the largest number that tasks held for 1 % of the time between the first and the last "
                      "task");
  assert_derived_row (report, "stretches", 3,
                      "name=tail started=6000000 ended=8000000 reason=from here on, tasks never again held 90 % of 2 "
                      "slots, the largest number that tasks held for 1 % of the time between the first and the last "
                      "task");
  assert_derived_row (report, "stretches", 4,
                      "name=shutdown started=8000000 ended=10000000 reason=the last task of the analysis ended");
}

static void
test_losses (void)
{
  static const struct
  {
    const char *id, *status;
    int attempt;
  } attempts[] = { { "a", "failed", 1 },    { "b", "failed", 1 }, { "b", "done", 2 },
                   { "c", "cancelled", 1 }, { "d", "lost", 1 },   { "e", "exhausted", 1 } };
  g_autoptr (RoastRecording) recording = make_recording (20);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 20);
  for (guint i = 0; i < G_N_ELEMENTS (attempts); i++)
    {
      g_autofree char *cells = g_strdup_printf ("'worker': <'w'>, 'started': <int64 %u>, 'ended': <int64 %u>, "
                                                "'status': <'%s'>, 'cpu': <0.25>",
                                                i * 2000000, i * 2000000 + 1000000, attempts[i].status);

      task (recording, attempts[i].id, attempts[i].attempt, cells);
    }
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, LOST_FAILED, 1);
  assert_part (report, LOST_RETRIED, 1);
  assert_part (report, LOST_CANCELLED, 1);
  assert_part (report, LOST_WORKER, 1);
  assert_part (report, LOST_EXHAUSTED, 1);
  assert_part (report, TASK_CPU, 0.25);
  assert_part (report, TASK_WAIT, 0.75);
  assert_part (report, IDLE_NO_WORK, 14);
  rows_assert_value (report, "slot_lost_ratio", 0.25);
}

/* Attempts that were cancelled at their worker, where their start is unknown. The worker may report how long such ones
 * ran, which may be longer than until they were cancelled; without a report it is unknown whether they ran. */
static void
test_cancelled (void)
{
  static const struct
  {
    const char *worker, *cells;
  } attempts[] = { { "w", "'dispatched': <int64 2000000>" },
                   { "w", "'dispatched': <int64 2000000>" },
                   { "v", "'dispatched': <int64 1500000>, 'delivered': <int64 2000000>" },
                   { "u", "'dispatched': <int64 4000000>" } };
  g_autoptr (RoastRecording) recording = make_recording (20);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (attempts); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      g_autofree char *cells = g_strdup_printf ("'worker': <'%s'>, 'submitted': <int64 1000000>, %s, 'noticed': <int64 "
                                                "10000000>, 'status': <'cancelled'>",
                                                attempts[i].worker, attempts[i].cells);

      if (i != 1)
        worker (recording, attempts[i].worker, 1, 0, 20);
      task (recording, id, 1, cells);
    }
  task (recording, "5", 1,
        "'worker': <'v'>, 'started': <int64 12000000>, 'ended': <int64 14000000>, 'status': <'cancelled'>");
  activities_add (recording, "x", "w", "execute", "c", "cancelled", "seconds", 9);
  activities_add (recording, "x", "v", "execute", "c", "cancelled", "seconds", 5);
  report = rows_aggregate (recording, AGGREGATORS);

  /* At w until 10 s and one more; at v 3 of the 8 s, and the one with a known start. */
  assert_part (report, LOST_CANCELLED, 9 + 3 + 2);
  assert_part (report, UNKNOWN, 5 + 6);
  /* From 1 to 2 s four wait for three slots, and one goes on to wait until 4 s; the inputs of one come for 0.5 s. */
  g_assert_cmpfloat_with_epsilon (get_part (report, "x", ROAST_CORE_PART_IDLE_EXECUTOR) +
                                      get_part (report, "x", ROAST_CORE_PART_IDLE_NO_WORK),
                                  35, 1e-9);
  rows_assert_value (report, "slot_lost_ratio", 14.0 / 60);
}

/* Nothing is said to be free while a cancelled attempt may have run, nor that none started. */
static void
test_cancelled_unknown (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 10);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'dispatched': <int64 1000000>, 'noticed': <int64 8000000>, 'status': "
        "<'cancelled'>");
  report = rows_aggregate (recording, AGGREGATORS " task-activity");
  assert_part (report, UNKNOWN, 7);
  assert_part (report, IDLE_EXECUTOR, 1);
  assert_part (report, IDLE_NO_WORK, 2);
  assert_derived_row (report, "stretches", 0,
                      "name=steady started=0 ended=10000000 reason=run not divided into stretches: attempts came to "
                      "workers, but no attempt has a start time");
  rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL, "70.0 % of the core time is unknown");
  rows_assert_note (report, "core_efficiency_ratio", ROAST_COMPLETENESS_ESTIMATED,
                    "70.0 % of the core time is unknown");
}

/* A cancelled attempt ended before its worker heard of that, and its time is in the worker's sums: no row is missing.
 */
static void
test_cancelled_ended (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 10);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'ready': <int64 0>, 'dispatched': <int64 0>, 'started': <int64 0>, "
        "'ended': <int64 2000000>, 'status': <'done'>");
  task (recording, "2", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'ready': <int64 0>, 'dispatched': <int64 2000000>, 'noticed': <int64 "
        "5000000>, 'status': <'cancelled'>");
  activities_add (recording, "x", "w", "execute", "c", "thread-noncpu", "seconds", 5);
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, UNKNOWN, 3);
  assert_part (report, IDLE_NO_WORK, 5);
}

/* Methods of actors hold no slot, but their time is not idle, nor that of other threads. */
static void
test_actors (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 10);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'ready': <int64 0>, 'dispatched': <int64 0>, 'started': <int64 0>, "
        "'ended': <int64 2000000>, 'cpu': <1.0>, 'status': <'done'>");
  activities_add (recording, "x", "w", "process", NULL, "other-threads", "seconds", 3);
  activities_add (recording, "x", "w", "actors", NULL, "thread-cpu", "seconds", 3);
  activities_add (recording, "x", "w", "actors", NULL, "thread-noncpu", "seconds", 1);
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_CPU, 1 + 3);
  assert_part (report, TASK_OTHER_THREADS, 0);
  assert_part (report, TASK_WAIT, 1 + 1);
  assert_part (report, IDLE_NO_WORK, 4);
}

/* Two tasks on one slot: one of them may have given it back, at any time. */
static void
test_crowded (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (10);
      g_autoptr (RoastReport) report = NULL;

      worker (recording, "w", 1, 0, 10);
      for (guint k = 0; k < 2; k++)
        {
          g_autofree char *id = g_strdup_printf ("%u", k);
          g_autofree char *cells =
              g_strdup_printf ("'worker': <'w'>, 'submitted': <int64 0>, 'ready': <int64 0>, 'dispatched': <int64 0>, "
                               "'started': <int64 %u000000>, 'ended': <int64 %u000000>, 'cpu': <0.0>, 'status': "
                               "<'done'>",
                               i * 4 * k, 4 + i * 4 * k);

          task (recording, id, 1, cells);
        }
      report = rows_aggregate (recording, AGGREGATORS);
      rows_assert_note (report, "slot_idle_ratio", i == 0 ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE,
                        i == 0 ? "some held no slot" : NULL);
    }
}

/* From sending an attempt until all inputs are there, its worker gets these, as far as it reports that; else the
 * attempt has not come to it. */
static void
test_fetching (void)
{
  static const struct
  {
    double fetch, move, executor;
    const char *coverage;
  } cases[] = {
    { 0, 0, 6, "all" }, { 1.5, 1.5, 4.5, "all" }, { 20, 6, 0, "all" }, { 1.5, 6, 0, "cpu" }, { 1.5, 1.5, 4.5, NULL }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (20);
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *source = g_strdup_printf ("{'source': <'x'>, 'activities': <'%s'>}",
                                                 cases[i].coverage != NULL ? cases[i].coverage : "");

      if (cases[i].coverage != NULL)
        rows_add (recording, "sources", source);
      worker (recording, "w", 1, 0, 20);
      task (recording, "1", 1,
            "'worker': <'w'>, 'submitted': <int64 2000000>, 'dispatched': <int64 2000000>, 'delivered': <int64 "
            "8000000>, 'started': <int64 8000000>, 'ended': <int64 10000000>, 'status': <'done'>");
      activities_add (recording, "x", "w", "execute", "c", "thread-noncpu", "seconds", 2);
      if (cases[i].fetch > 0)
        activities_add (recording, "x", "w", "fetch", NULL, "network", "seconds", cases[i].fetch);
      report = rows_aggregate (recording, AGGREGATORS);
      assert_part (report, MOVE_IN, cases[i].move);
      assert_part (report, IDLE_EXECUTOR, cases[i].executor);
      assert_part (report, IDLE_INPUTS, 0);
      assert_part (report, IDLE_NO_WORK, 12);
    }
}

/* A worker serializes for others beside its tasks: for 4 of 14 s after the start of the first, its slot is free. Of the
 * time in which inputs come, as much is deserializing as of all time in which the worker gets data. */
static void
test_serialising_for_others (void)
{
  g_autoptr (RoastRecording) recording = make_recording (20);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 20);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 2000000>, 'dispatched': <int64 2000000>, 'delivered': <int64 "
        "6000000>, 'started': <int64 6000000>, 'ended': <int64 16000000>, 'status': <'done'>");
  activities_add (recording, "x", "w", "fetch", NULL, "network", "seconds", 6);
  activities_add (recording, "x", "w", "fetch", NULL, "deserialize", "seconds", 2);
  activities_add (recording, "x", "w", "serve", NULL, "serialize", "seconds", 7);
  activities_add (recording, "x", "w", "serve", NULL, "compress", "seconds", 1);
  activities_add (recording, "x", "w", "serve", NULL, "network", "seconds", 50);
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_SERIALISE, 1 + 8.0 * 4 / 14);
  assert_part (report, MOVE_IN, 3);
  assert_part (report, IDLE_NO_WORK, 6 - 8.0 * 4 / 14);
  assert_part (report, TASK_UNSPLIT, 10);
  rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_ESTIMATED, "measured over the life of each worker");
}

/* Attempts that are given cores hold them while files are moved; others need more than is free. */
static void
test_reservations (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 4, 0, 10);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'dispatched': <int64 1000000>, 'started': <int64 2000000>, 'ended': "
        "<int64 7000000>, 'retrieved': <int64 8000000>, 'cores': <2.0>, 'cores_allocated': <2.0>, 'cores_requested': "
        "<2.0>, 'cpu': <4.0>, 'status': <'done'>");
  task (recording, "2", 1,
        "'submitted': <int64 3000000>, 'cores_requested': <3.0>, 'cores_allocated': <3.0>, 'cores': <3.0>, 'worker': "
        "<'w'>, 'dispatched': <int64 8000000>, 'started': <int64 8000000>, 'ended': <int64 9000000>, 'retrieved': "
        "<int64 9000000>, 'status': <'done'>");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, MOVE_IN, 2);
  assert_part (report, MOVE_OUT, 2);
  assert_part (report, TASK_CPU, 4);
  assert_part (report, TASK_WAIT, 1);
  assert_part (report, RESERVED_UNUSED, 5);
  assert_part (report, TASK_UNSPLIT, 3);
  /* The first second, two of four cores; 3 to 8 s: two cores where three are needed. */
  assert_part (report, IDLE_EXECUTOR, 2);
  assert_part (report, IDLE_NO_FIT, 10);
  assert_part (report, IDLE_NO_WORK, 11);
}

/* How much memory was free is unknown; that a task needs more cores than a worker has is not. */
static void
test_too_large (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (10);
      g_autofree char *cells = g_strdup_printf ("'submitted': <int64 2000000>, 'cores_requested': <%d.0>, "
                                                "'memory_requested': <int64 1000000>, 'status': <'waiting'>",
                                                i == 0 ? 16 : 2);
      g_autoptr (RoastReport) report = NULL;

      worker (recording, "w", 4, 0, 10);
      task (recording, "1", 1, cells);
      report = rows_aggregate (recording, AGGREGATORS);
      assert_part (report, IDLE_NO_FIT, i == 0 ? 32 : 0);
      assert_part (report, IDLE_UNDETERMINED, i == 0 ? 0 : 8);
    }
}

/* Assert how complete the parts are that the time “ready” of libraries divides. */
static void
assert_libraries (RoastReport *report, RoastCompleteness completeness)
{
  g_autoptr (RoastTableReader) table = roast_core_time_read (report);

  while (roast_table_reader_next (table))
    {
      int part = roast_table_reader_get_word (table, ROAST_CORE_TIME_PART);

      if (part == ROAST_CORE_PART_LIBRARY_START || part == ROAST_CORE_PART_LIBRARY_IDLE)
        g_assert_cmpint (roast_table_reader_get_word (table, ROAST_CORE_TIME_COMPLETE), ==, completeness);
    }
}

static void
test_libraries (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 2, 0, 10);
  worker (recording, "v", 2, 0, 10);
  rows_add (recording, "libraries",
            "{'source': <'x'>, 'library': <'1'>, 'worker': <'w'>, 'sent': <int64 1000000>, 'ready': <int64 3000000>, "
            "'ended': <int64 10000000>, 'status': <'done'>, 'cores': <2.0>}");
  rows_add (recording, "libraries",
            "{'source': <'x'>, 'library': <'2'>, 'worker': <'v'>, 'sent': <int64 1000000>, 'ended': <int64 "
            "5000000>, 'status': <'failed'>, 'cores': <2.0>}");
  task (recording, "1", 1,
        "'worker': <'w'>, 'started': <int64 4000000>, 'ended': <int64 8000000>, 'cores': <0.5>, 'status': <'done'>");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, LIBRARY_START, 4);
  assert_part (report, LIBRARY_FAILED, 8);
  assert_part (report, TASK_UNSPLIT, 2);
  assert_part (report, LIBRARY_IDLE, 12);
  assert_part (report, IDLE_NO_WORK, 14);
  assert_libraries (report, ROAST_COMPLETENESS_COMPLETE);
  g_clear_object (&report);

  /* Its worker may have reported the library too early. */
  rows_add (recording, "coverage",
            "{'source': <'x'>, 'table': <'libraries'>, 'column': <'ready'>, 'state': <'partial'>, 'reason': "
            "<'forked'>}");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_libraries (report, ROAST_COMPLETENESS_ESTIMATED);
}

/* What other threads of the worker compute is for its tasks, up to the slot; the rest is beyond. */
static void
test_other_threads (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 10);
  task (recording, "1", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 8000000>, 'cpu': <2.0>, 'status': <'done'>");
  rows_add (recording, "activities",
            "{'source': <'x'>, 'time': <int64 1>, 'worker': <'w'>, 'context': <'process'>, 'activity': "
            "<'other-threads'>, 'unit': <'seconds'>, 'value': <9.0>}");
  rows_add (recording, "activities",
            "{'source': <'x'>, 'time': <int64 1>, 'worker': <'w'>, 'context': <'execute'>, 'category': <'c'>, "
            "'activity': <'deserialize'>, 'unit': <'seconds'>, 'value': <0.5>}");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_CPU, 2);
  assert_part (report, TASK_OTHER_THREADS, 6);
  assert_part (report, TASK_SERIALISE, 0.5);
  assert_part (report, IDLE_NO_WORK, 1.5);
  rows_assert_value (report, "extra_core_seconds", 3);
}

/* Attempts that have no row, as their scheduler was killed, held slots from when these were free for the last time. */
static void
test_open (void)
{
  g_autoptr (RoastRecording) recording = make_recording (20);
  g_autoptr (RoastReport) report = NULL;

  rows_add (recording, "sources", "{'source': <'x'>, 'tasks_missing': <'the scheduler vanished'>}");
  worker (recording, "w", 1, 0, 19.5);
  worker (recording, "v", 2, 0, 19.5);
  worker (recording, "gone", 1, 0, 10);
  task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 4000000>, 'ended': <int64 9000000>, 'status': <'done'>");
  task (recording, "2", 1, "'worker': <'v'>, 'started': <int64 2000000>, 'ended': <int64 5000000>, 'status': <'done'>");
  task (recording, "3", 1, "'worker': <'v'>, 'started': <int64 4000000>, 'ended': <int64 8000000>, 'status': <'done'>");
  rows_add (recording, "task_totals",
            "{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'done'>, 'tasks': <int64 3>, "
            "'attempts': <int64 3>}");
  rows_add (recording, "task_totals",
            "{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'unfinished'>, 'tasks': <int64 2>, "
            "'attempts': <int64 0>}");
  report = rows_aggregate (recording, AGGREGATORS);
  /* At v one slot from 5 s and two from 8 s, and at w one from 9 s, but not more than two. */
  assert_part (report, UNKNOWN, 3 + 2 * 11.5);
  assert_part (report, TASK_UNSPLIT, 12);
  assert_part (report, IDLE_NO_WORK, 19.5 * 3 + 10 - 12 - 26);
  rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL,
                    "2 attempts that were under way at the end have no known start");
}

/* Attempts run when the recording ends. Executors with reservations report a start at the end only. */
static void
test_running (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 3, 0, 10);
  task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'status': <'running'>");
  task (recording, "2", 1,
        "'worker': <'w'>, 'dispatched': <int64 1000000>, 'delivered': <int64 2000000>, 'cores_allocated': <1.0>, "
        "'status': <'running'>");
  task (recording, "3", 1, "'submitted': <int64 4000000>, 'status': <'waiting'>");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_RUNNING, 10 + 8);
  assert_part (report, MOVE_IN, 1);
  assert_part (report, IDLE_NO_WORK, 4 + 1);
  assert_part (report, IDLE_EXECUTOR, 6);
}

/* While a run goes on, tasks that wait have no rows: they are known from counts. */
static void
test_waiting_without_rows (void)
{
  g_autoptr (RoastRecording) recording = make_recording (60);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 60);
  task (recording, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'started': <int64 10000000>, 'ended': <int64 60000000>, 'status': "
        "<'done'>");
  rows_add (recording, "category_states",
            "{'source': <'x'>, 'time': <int64 0>, 'category': <'c'>, 'state': <'queued'>, 'tasks': <int64 5>}");
  rows_add (recording, "category_states",
            "{'source': <'x'>, 'time': <int64 10000000>, 'category': <'c'>, 'state': <'running'>, 'tasks': <int64 1>}");
  rows_add (recording, "category_states",
            "{'source': <'x'>, 'time': <int64 10000000>, 'category': <'c'>, 'state': <'queued'>, 'tasks': <int64 4>}");
  /* The counts of a finished run may be older than its end. */
  report = rows_aggregate (recording, AGGREGATORS);
  assert_derived_row (report, "over_time", 9, "started=9000000 ended=10000000 running=0 waiting=1 workers=1 done=0");
  g_clear_object (&report);
  roast_recording_set_metadata (recording, "goes-on", g_variant_new_boolean (TRUE));
  report = rows_aggregate (recording, AGGREGATORS);
  assert_derived_row (report, "over_time", 9, "started=9000000 ended=10000000 running=0 waiting=5 workers=1 done=0");
  assert_derived_row (report, "over_time", 40, "started=40000000 ended=41000000 running=1 waiting=4 workers=1 done=0");
  /* Nothing else is known of these tasks. */
  assert_part (report, IDLE_EXECUTOR, 10);
  assert_part (report, IDLE_NO_WORK, 0);

  /* With a row for each, these count. */
  for (guint i = 2; i < 6; i++)
    task (recording,
          i == 2   ? "2"
          : i == 3 ? "3"
          : i == 4 ? "4"
                   : "5",
          1, "'submitted': <int64 30000000>, 'status': <'waiting'>");
  g_clear_object (&report);
  report = rows_aggregate (recording, AGGREGATORS);
  assert_derived_row (report, "over_time", 9, "started=9000000 ended=10000000 running=0 waiting=1 workers=1 done=0");
  assert_derived_row (report, "over_time", 40, "started=40000000 ended=41000000 running=1 waiting=4 workers=1 done=0");
}

/* What came to its worker may have begun: a slot that seems free is not known to be. */
static void
test_running_since_when (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 1, 0, 10);
  task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
  task (recording, "2", 1, "'worker': <'w'>, 'dispatched': <int64 3000000>, 'status': <'running'>");
  rows_add (recording, "task_totals",
            "{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'running'>, 'tasks': <int64 1>, "
            "'attempts': <int64 1>}");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_UNSPLIT, 4);
  assert_part (report, UNKNOWN, 6);
  rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL,
                    "1 attempt that was under way at the end has no known start");
}

/* Workers said when these started, and not how they ended. */
static void
test_running_since_told (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 4, 0, 10);
  task (recording, "1", 1, "'worker': <'w'>, 'dispatched': <int64 0>, 'running_since': <int64 1000000>");
  task (recording, "4", 1,
        "'worker': <'w'>, 'dispatched': <int64 0>, 'running_since': <int64 6000000>, 'status': <'unfinished'>");
  task (recording, "2", 1,
        "'worker': <'w'>, 'dispatched': <int64 0>, 'running_since': <int64 2000000>, 'noticed': <int64 8000000>, "
        "'status': <'cancelled'>");
  task (recording, "3", 1,
        "'worker': <'w'>, 'dispatched': <int64 0>, 'running_since': <int64 3000000>, 'noticed': <int64 7000000>, "
        "'status': <'lost'>");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_RUNNING, 9 + 4);
  assert_part (report, LOST_CANCELLED, 6);
  assert_part (report, LOST_WORKER, 4);
  assert_part (report, UNKNOWN, 0);
}

/* A source that has no rows of attempts, such as an executor's status page: its slots are not known to be free. */
static void
test_not_covered (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 2, 0, 10);
  rows_add (recording, "coverage",
            "{'source': <'x'>, 'table': <'tasks'>, 'state': <'none'>, 'reason': <'a status page has no attempts'>}");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, UNKNOWN, 20);
  rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL, "a status page has no attempts");
}

/* Rows of attempts are missing, wherever they were: a slot that seems free is not known to be. */
static void
test_damaged (void)
{
  static const char *const damage[] = { "{'state': <'partial'>, 'reason': <'damaged'>}",
                                        "{'table': <'tasks'>, 'state': <'partial'>, 'reason': <'damaged'>}",
                                        "{'table': <'workers'>, 'state': <'partial'>, 'reason': <'damaged'>}",
                                        "{'from': <int64 9>, 'state': <'partial'>, 'reason': <'it ended early'>}" };

  for (guint i = 0; i < G_N_ELEMENTS (damage); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (10);
      g_autoptr (RoastReport) report = NULL;
      gboolean is_of_tasks = i < 2;

      worker (recording, "w", 1, 0, 10);
      task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
      rows_add (recording, "coverage", damage[i]);
      report = rows_aggregate (recording, AGGREGATORS);
      assert_part (report, TASK_UNSPLIT, 4);
      assert_part (report, IDLE_NO_WORK, is_of_tasks ? 0 : 6);
      assert_part (report, UNKNOWN, is_of_tasks ? 6 : 0);
    }
}

/* It is unknown where, or when, an attempt held a slot: the others may not be free. */
static void
test_unplaced (void)
{
  static const struct
  {
    const char *columns;
    gboolean is_unplaced;
  } cases[] = {
    { "'started': <int64 1000000>, 'ended': <int64 4000000>, 'status': <'done'>", TRUE },
    { "'worker': <'stranger'>, 'started': <int64 1000000>, 'ended': <int64 4000000>, 'status': <'done'>", TRUE },
    { "'worker': <'w'>, 'dispatched': <int64 1000000>, 'status': <'done'>", TRUE },
    { "'worker': <'w'>, 'started': <int64 5000000>, 'status': <'done'>", TRUE },
    { "'worker': <'w'>, 'started': <int64 5000000>, 'status': <'failed'>", TRUE },
    { "'started': <int64 5000000>, 'status': <'done'>", TRUE },
    { "'worker': <'w'>, 'dispatched': <int64 10000000>, 'status': <'done'>", FALSE },
    { "'status': <'cancelled'>", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (10);
      g_autoptr (RoastReport) report = NULL;

      worker (recording, "w", 1, 0, 10);
      task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
      task (recording, "2", 1, cases[i].columns);
      report = rows_aggregate (recording, AGGREGATORS);
      assert_part (report, TASK_UNSPLIT, 4);
      assert_part (report, UNKNOWN, cases[i].is_unplaced ? 6 : 0);
      if (cases[i].is_unplaced)
        rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL, "1 attempt has no known worker");
    }
}

/* The clock of the worker is wrong: its slots may not have been free. A second of difference is allowed. */
static void
test_misplaced (void)
{
  static const struct
  {
    int from, to; /* s */
    gboolean is_misplaced;
  } cases[] = {
    { 0, 1, FALSE }, { 0, 0, TRUE }, { 8, 9, FALSE }, { 10, 11, FALSE }, { 11, 12, TRUE }, { 13, 19, TRUE }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (20);
      g_autoptr (RoastReport) report = NULL;
      g_autofree char *cells =
          g_strdup_printf ("'worker': <'w'>, 'started': <int64 %d>, 'ended': <int64 %d>, 'status': <'done'>",
                           (int) (cases[i].from * S), (int) (cases[i].to * S));

      worker (recording, "w", 1, 2, 9);
      task (recording, "1", 1,
            "'worker': <'w'>, 'started': <int64 3000000>, 'ended': <int64 7000000>, 'status': <'done'>");
      task (recording, "2", 1, cells);
      report = rows_aggregate (recording, AGGREGATORS);
      if (cases[i].is_misplaced)
        rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL,
                          "1 attempt ran before the worker joined or after it left: clocks differ");
      else
        rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_COMPLETE, NULL);
    }
}

/* Workers changed their cores, or stayed for longer than known: no ratio to the core time is a bound. */
static void
test_rough (void)
{
  static const char *const columns[] = { "cores", "left" };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (RoastRecording) recording = make_recording (10);
      g_autofree char *gap = g_strdup_printf ("{'source': <'x'>, 'table': <'workers'>, 'column': <'%s'>, 'state': "
                                              "<'partial'>, 'reason': <'it grew'>}",
                                              columns[i]);
      g_autoptr (RoastReport) report = NULL;

      worker (recording, "w", 1, 0, 10);
      task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
      rows_add (recording, "coverage", gap);
      report = rows_aggregate (recording, AGGREGATORS);
      assert_part (report, IDLE_NO_WORK, 6);
      rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_ESTIMATED, "it grew");
      rows_assert_note (report, "slot_lost_ratio", ROAST_COMPLETENESS_ESTIMATED, "it grew");
    }
}

/* Without rows of some attempts it is unknown what is free. */
static void
test_missing (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastRecording) vanished = make_recording (10);
  g_autoptr (RoastRecording) unfinished = make_recording (10);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (RoastReport) lost = NULL;
  g_autoptr (RoastReport) open = NULL;

  worker (recording, "w", 1, 0, 10);
  task (recording, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
  rows_add (recording, "task_totals",
            "{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'done'>, 'tasks': <int64 3>, "
            "'attempts': <int64 3>}");
  report = rows_aggregate (recording, AGGREGATORS);
  assert_part (report, TASK_UNSPLIT, 4);
  assert_part (report, UNKNOWN, 6);
  rows_assert_note (report, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL, "2 of 3 attempts have no row");

  worker (unfinished, "w", 2, 0, 10);
  task (unfinished, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
  rows_add (unfinished, "task_totals",
            "{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'done'>, 'tasks': <int64 1>, "
            "'attempts': <int64 1>}");
  rows_add (unfinished, "task_totals",
            "{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'unfinished'>, 'tasks': <int64 1>, "
            "'attempts': <int64 1>}");
  open = rows_aggregate (unfinished, AGGREGATORS);
  assert_part (open, TASK_UNSPLIT, 4);
  assert_part (open, UNKNOWN, 10);
  assert_part (open, IDLE_NO_WORK, 6);
  rows_assert_note (open, "slot_idle_ratio", ROAST_COMPLETENESS_PARTIAL, "1 attempt that was under way");

  rows_add (vanished, "workers",
            "{'source': <'x'>, 'worker': <'w'>, 'cores': <2.0>, 'joined': <int64 0>, 'left': <int64 8000000>, "
            "'tail_lost': <3.0>}");
  task (vanished, "1", 1,
        "'worker': <'w'>, 'submitted': <int64 0>, 'dispatched': <int64 1000000>, 'noticed': <int64 8000000>, "
        "'status': <'lost'>");
  lost = rows_aggregate (vanished, AGGREGATORS);
  assert_part (lost, LOST_WORKER, 7);
  assert_part (lost, UNKNOWN, 3);
}

/* No rows rather than wrong ones. */
static void
test_nothing (void)
{
  g_autoptr (RoastRecording) empty = roast_recording_new (NULL);
  g_autoptr (RoastRecording) coreless = make_recording (10);
  g_autoptr (RoastReport) nothing = rows_aggregate (empty, AGGREGATORS);
  g_autoptr (RoastReport) report = NULL;

  g_assert_false (rows_has_derived (nothing, "core_time"));
  rows_assert_unavailable (nothing, "slot_cpu_ratio", "no executor in this run has workers");
  rows_add (coreless, "workers", "{'source': <'x'>, 'worker': <'w'>, 'joined': <int64 0>}");
  task (coreless, "1", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
  report = rows_aggregate (coreless, AGGREGATORS);
  g_assert_false (rows_has_derived (report, "core_time"));
  g_assert_false (rows_has_derived (report, "stretches"));
}

/* ---- random recordings ---- */

#define LENGTH 60
#define N_WORKERS 5
#define MAX_ATTEMPTS 60

typedef struct
{
  int cores, joined, left;
} RandomWorker;

typedef struct
{
  int worker; /* -1: none */
  int submitted, ready, dispatched, delivered, started, ended, retrieved;
  int cores, status;
  gboolean holds, is_framework;
  gboolean is_vague; /* its start is unknown */
  double cpu;        /* NaN if unknown */
} RandomAttempt;

typedef struct
{
  RandomWorker workers[N_WORKERS];
  RandomAttempt attempts[MAX_ATTEMPTS];
  int n_attempts;
} RandomRun;

static int
after (int time, int most)
{
  return MIN (time + g_test_rand_int_range (0, most), LENGTH + 5);
}

static RandomRun
make_run (void)
{
  static const int statuses[] = {
    ROAST_STATUS_DONE, ROAST_STATUS_DONE,      ROAST_STATUS_DONE, ROAST_STATUS_FAILED,
    ROAST_STATUS_LOST, ROAST_STATUS_EXHAUSTED, ROAST_STATUS_DONE, ROAST_STATUS_CANCELLED
  };
  RandomRun run = { .n_attempts = g_test_rand_int_range (0, MAX_ATTEMPTS) };

  for (guint i = 0; i < N_WORKERS; i++)
    {
      RandomWorker *one = &run.workers[i];

      one->cores = g_test_rand_int_range (1, 5);
      one->joined = g_test_rand_int_range (-5, LENGTH);
      one->left = after (one->joined, LENGTH) + 1;
    }
  for (int i = 0; i < run.n_attempts; i++)
    {
      RandomAttempt *one = &run.attempts[i];

      one->worker = g_test_rand_int_range (0, N_WORKERS);
      one->status = statuses[g_test_rand_int_range (0, G_N_ELEMENTS (statuses))];
      one->holds = g_test_rand_bit ();
      one->cores = one->holds ? g_test_rand_int_range (1, 4) : 1;
      one->is_framework = g_test_rand_int_range (0, 5) == 0;
      one->submitted = g_test_rand_int_range (0, LENGTH);
      one->ready = after (one->submitted, 5);
      one->dispatched = after (one->ready, 10);
      one->delivered = after (one->dispatched, 4);
      one->started = after (one->delivered, 4);
      one->ended = after (one->started, 25);
      one->retrieved = after (one->ended, 4);
      /* A result from a time when the worker was not there would make its slots unknown. */
      if (one->started > run.workers[one->worker].left + 1 || one->ended < run.workers[one->worker].joined - 1)
        one->status = ROAST_STATUS_LOST;
      one->is_vague = one->status == ROAST_STATUS_CANCELLED && !one->holds && g_test_rand_bit ();
      one->cpu = g_test_rand_bit () ? g_test_rand_double_range (0, 2) * (one->ended - one->started) : NAN;
    }

  return run;
}

/* Times from @shift on, for a source; rows in the order of @order. */
static void
write_run (RoastRecording *recording, const RandomRun *run, const char *source, const int *order)
{
  static const char *const statuses[ROAST_STATUS_N_WORDS] = {
    [ROAST_STATUS_DONE] = "done",           [ROAST_STATUS_FAILED] = "failed",       [ROAST_STATUS_LOST] = "lost",
    [ROAST_STATUS_EXHAUSTED] = "exhausted", [ROAST_STATUS_CANCELLED] = "cancelled",
  };

  for (guint i = 0; i < N_WORKERS; i++)
    {
      const RandomWorker *one = &run->workers[i];
      g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'worker': <'%u'>, 'cores': <%d.0>, 'joined': <int64 "
                                              "%" G_GINT64_FORMAT ">, 'left': <int64 %" G_GINT64_FORMAT ">}",
                                              source, i, one->cores, one->joined * S, one->left * S);

      rows_add (recording, "workers", row);
    }
  for (int i = 0; i < run->n_attempts; i++)
    {
      const RandomAttempt *one = &run->attempts[order[i]];
      g_autofree char *held = one->holds ? g_strdup_printf (", 'cores_allocated': <%d.0>, 'cores_requested': <%d.0>",
                                                            one->cores, one->cores)
                                         : g_strdup ("");
      g_autofree char *ran = one->is_vague ? g_strdup_printf ("'noticed': <int64 %" G_GINT64_FORMAT ">", one->ended * S)
                                           : g_strdup_printf ("'started': <int64 %" G_GINT64_FORMAT
                                                              ">, 'ended': <int64 %" G_GINT64_FORMAT ">",
                                                              one->started * S, one->ended * S);
      g_autofree char *cpu = isnan (one->cpu) ? g_strdup ("") : g_strdup_printf (", 'cpu': <%.17g>", one->cpu + 1e-7);
      g_autofree char *row = g_strdup_printf (
          "{'source': <'%s'>, 'task': <'%d'>, 'attempt': <int64 1>, 'worker': <'%d'>, 'submitted': <int64 "
          "%" G_GINT64_FORMAT ">, 'ready': <int64 %" G_GINT64_FORMAT ">, 'dispatched': <int64 %" G_GINT64_FORMAT
          ">, 'delivered': <int64 %" G_GINT64_FORMAT ">, %s, 'retrieved': <int64 %" G_GINT64_FORMAT
          ">, 'status': <'%s'>, 'role': <'%s'>, 'cores': <%d.0>%s%s}",
          source, order[i], one->worker, one->submitted * S, one->ready * S, one->dispatched * S, one->delivered * S,
          ran, one->retrieved * S, statuses[one->status], one->is_framework ? "framework" : "analysis", one->cores,
          held, cpu);

      rows_add (recording, "tasks", row);
    }
}

/* What a slot may be used for at one time, in order of precedence. */
enum
{
  USE_FAILED,
  USE_CANCELLED,
  USE_EXHAUSTED,
  USE_LOST,
  USE_TASK,
  USE_UNSPLIT,
  USE_FRAMEWORK,
  USE_FRAMEWORK_UNSPLIT,
  USE_IN,
  USE_OUT,
  USE_PERHAPS,
  USE_FETCH,
  USE_N
};

static gboolean
is_in (int second, int from, int to)
{
  return from <= second && second < to;
}

/* The use of an attempt in one second; USE_N for none. */
static int
get_use (const RandomAttempt *one, int second)
{
  int loss = one->status == ROAST_STATUS_FAILED      ? USE_FAILED
             : one->status == ROAST_STATUS_CANCELLED ? USE_CANCELLED
             : one->status == ROAST_STATUS_EXHAUSTED ? USE_EXHAUSTED
             : one->status == ROAST_STATUS_LOST      ? USE_LOST
                                                     : -1;

  if (one->is_vague)
    return is_in (second, one->delivered, one->ended) ? USE_PERHAPS : USE_N;
  if (loss >= 0)
    return is_in (second, one->holds ? one->dispatched : one->started, one->holds ? one->retrieved : one->ended)
               ? loss
               : USE_N;
  if (is_in (second, one->started, one->ended))
    return (one->is_framework ? USE_FRAMEWORK : USE_TASK) + (isnan (one->cpu) ? 1 : 0);
  if (one->holds && is_in (second, one->dispatched, one->started))
    return USE_IN;
  if (one->holds && is_in (second, one->ended, one->retrieved))
    return USE_OUT;

  return USE_N;
}

typedef struct
{
  double uses[USE_N], executor, no_fit, inputs, no_work, offered;
} Truth;

static void
simulate_second (const RandomRun *run, int second, Truth *truth)
{
  int rests[N_WORKERS];
  int rest = 0;
  int too_small = 0;
  int wanted = 0;
  int blocked = 0;
  int least = 1000;
  int taken;

  for (int w = 0; w < N_WORKERS; w++)
    {
      const RandomWorker *one = &run->workers[w];
      int free = is_in (second, one->joined, one->left) ? one->cores : 0;
      int wants[USE_N + 1] = { 0 };

      truth->offered += free;
      for (int i = 0; i < run->n_attempts; i++)
        if (run->attempts[i].worker == w)
          {
            const RandomAttempt *attempt = &run->attempts[i];

            wants[get_use (attempt, second)] += attempt->cores;
            if (!attempt->holds && is_in (second, attempt->dispatched, attempt->delivered))
              wants[USE_FETCH] += 1;
          }
      for (int use = 0; use < USE_N; use++)
        {
          taken = MIN (free, wants[use]);
          truth->uses[use] += taken;
          free -= taken;
        }
      rests[w] = free;
      rest += free;
    }
  for (int i = 0; i < run->n_attempts; i++)
    {
      const RandomAttempt *one = &run->attempts[i];
      gboolean waits = is_in (second, one->ready, one->holds ? one->dispatched : one->started) &&
                       (one->holds || !is_in (second, one->dispatched, one->delivered)) &&
                       (!one->is_vague || second < one->dispatched);

      wanted += waits ? one->cores : 0;
      least = waits ? MIN (least, one->cores) : least;
      blocked += is_in (second, one->submitted, one->ready) ? 1 : 0;
    }
  for (int w = 0; w < N_WORKERS; w++)
    too_small += rests[w] < least ? rests[w] : 0;
  if (wanted > 0)
    {
      taken = MIN (rest - too_small, wanted);
      truth->executor += taken;
      rest -= taken;
      taken = MIN (MIN (too_small, rest), wanted - taken);
      truth->no_fit += taken;
      rest -= taken;
    }
  taken = MIN (rest, blocked);
  truth->inputs += taken;
  truth->no_work += rest - taken;
}

static void
shuffle (int *order, int n)
{
  for (int i = n - 1; i > 0; i--)
    {
      int k = g_test_rand_int_range (0, i + 1);
      int kept = order[i];

      order[i] = order[k];
      order[k] = kept;
    }
}

static void
assert_truth (const RandomRun *run, const double parts[N_PARTS])
{
  Truth truth = { 0 };

  for (int second = 0; second < LENGTH; second++)
    simulate_second (run, second, &truth);

#define assert_seconds(value, expected) g_assert_cmpfloat_with_epsilon (value, expected, 1e-6)
  assert_seconds (sum_up (parts), truth.offered);
  assert_seconds (parts[ROAST_CORE_PART_LOST_FAILED], truth.uses[USE_FAILED]);
  assert_seconds (parts[ROAST_CORE_PART_LOST_CANCELLED], truth.uses[USE_CANCELLED]);
  assert_seconds (parts[ROAST_CORE_PART_LOST_EXHAUSTED], truth.uses[USE_EXHAUSTED]);
  assert_seconds (parts[ROAST_CORE_PART_LOST_WORKER], truth.uses[USE_LOST]);
  assert_seconds (parts[ROAST_CORE_PART_TASK_CPU] + parts[ROAST_CORE_PART_TASK_WAIT] +
                      parts[ROAST_CORE_PART_RESERVED_UNUSED],
                  truth.uses[USE_TASK]);
  assert_seconds (parts[ROAST_CORE_PART_TASK_UNSPLIT], truth.uses[USE_UNSPLIT] + truth.uses[USE_FRAMEWORK_UNSPLIT]);
  assert_seconds (parts[ROAST_CORE_PART_FRAMEWORK_CPU] + parts[ROAST_CORE_PART_FRAMEWORK_WAIT],
                  truth.uses[USE_FRAMEWORK]);
  assert_seconds (parts[ROAST_CORE_PART_MOVE_IN], truth.uses[USE_IN] + truth.uses[USE_FETCH]);
  assert_seconds (parts[ROAST_CORE_PART_MOVE_OUT], truth.uses[USE_OUT]);
  assert_seconds (parts[ROAST_CORE_PART_IDLE_EXECUTOR], truth.executor);
  assert_seconds (parts[ROAST_CORE_PART_IDLE_NO_FIT], truth.no_fit);
  assert_seconds (parts[ROAST_CORE_PART_IDLE_INPUTS], truth.inputs);
  assert_seconds (parts[ROAST_CORE_PART_IDLE_NO_WORK], truth.no_work);
  assert_seconds (parts[ROAST_CORE_PART_UNKNOWN], truth.uses[USE_PERHAPS]);
}

/* The stretches of each source have no gaps and make up the run. */
static void
assert_partition (RoastReport *report, const char *source)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (report, ROAST_TABLE_STRETCHES, roast_stretches_columns, NULL);
  gint64 last = 0;
  int name = -1;

  while (roast_table_reader_next (table))
    {
      if (g_strcmp0 (roast_table_reader_get_string (table, ROAST_STRETCHES_SOURCE), source) != 0)
        continue;
      g_assert_cmpint (roast_table_reader_get_int64 (table, ROAST_STRETCHES_STARTED, -1), ==, last);
      g_assert_cmpint (roast_table_reader_get_word (table, ROAST_STRETCHES_NAME), >, name);
      g_assert_nonnull (roast_table_reader_get_string (table, ROAST_STRETCHES_REASON));
      name = roast_table_reader_get_word (table, ROAST_STRETCHES_NAME);
      last = roast_table_reader_get_int64 (table, ROAST_STRETCHES_ENDED, -1);
    }
  g_assert_cmpint (last, ==, LENGTH * S);
}

/* A recording of one run, one of the same rows in another order, and one of two runs together say the same. */
static void
test_random (void)
{
  for (guint round = 0; round < ROUNDS (150); round++)
    {
      const RandomRun runs[] = { make_run (), make_run () };
      int order[MAX_ATTEMPTS];
      g_autoptr (RoastRecording) alone = make_recording (LENGTH);
      g_autoptr (RoastRecording) merged = make_recording (LENGTH);
      g_autoptr (RoastReport) report = NULL;
      g_autoptr (RoastReport) both = NULL;
      double parts[N_PARTS], same[N_PARTS];

      for (int i = 0; i < MAX_ATTEMPTS; i++)
        order[i] = i;
      write_run (alone, &runs[0], "x", order);
      report = rows_aggregate (alone, AGGREGATORS);
      read_parts (report, "x", ROAST_WINDOW_KIND_RUN, parts);
      assert_truth (&runs[0], parts);
      assert_partition (report, "x");

      shuffle (order, runs[1].n_attempts);
      write_run (merged, &runs[1], "y", order);
      for (int i = 0; i < MAX_ATTEMPTS; i++)
        order[i] = i;
      shuffle (order, runs[0].n_attempts);
      write_run (merged, &runs[0], "x", order);
      both = rows_aggregate (merged, AGGREGATORS);
      read_parts (both, "x", ROAST_WINDOW_KIND_RUN, same);
      for (guint i = 0; i < N_PARTS; i++)
        g_assert_cmpfloat_with_epsilon (parts[i], same[i], 1e-9);
      read_parts (both, "y", ROAST_WINDOW_KIND_RUN, parts);
      assert_truth (&runs[1], parts);
      read_parts (report, "x", ROAST_WINDOW_KIND_WORK, parts);
      read_parts (both, "x", ROAST_WINDOW_KIND_WORK, same);
      for (guint i = 0; i < N_PARTS; i++)
        g_assert_cmpfloat_with_epsilon (parts[i], same[i], 1e-9);
    }
}

/* Whatever workers report beside their attempts, each slot is in one part: nothing is offered twice, or taken twice. */
static void
test_random_sums (void)
{
  static const struct
  {
    const char *context, *category, *activity;
  } sums[] = { { "execute", "c", "cancelled" },      { "execute", "c", "deserialize" }, { "execute", "c", "disk-read" },
               { "fetch", NULL, "network" },         { "fetch", NULL, "deserialize" },  { "serve", NULL, "serialize" },
               { "process", NULL, "other-threads" }, { "actors", NULL, "thread-cpu" } };

  for (guint round = 0; round < ROUNDS (100); round++)
    {
      const RandomRun run = make_run ();
      g_autofree char *unfinished =
          g_strdup_printf ("{'source': <'x'>, 'time': <int64 1>, 'category': <'c'>, 'status': <'unfinished'>, 'tasks': "
                           "<int64 %d>, 'attempts': <int64 0>}",
                           g_test_rand_int_range (0, 6));
      g_autoptr (RoastRecording) recording = make_recording (LENGTH);
      g_autoptr (RoastReport) report = NULL;
      Truth truth = { 0 };
      int order[MAX_ATTEMPTS];
      double parts[N_PARTS];

      for (int i = 0; i < MAX_ATTEMPTS; i++)
        order[i] = i;
      rows_add (recording, "sources", "{'source': <'x'>, 'tasks_missing': <'the scheduler vanished'>}");
      rows_add (recording, "task_totals", unfinished);
      write_run (recording, &run, "x", order);
      for (guint w = 0; w < N_WORKERS; w++)
        for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
          {
            const char name[] = { (char) ('0' + w), '\0' };

            if (g_test_rand_bit ())
              activities_add (recording, "x", name, sums[i].context, sums[i].category, sums[i].activity, "seconds",
                              g_test_rand_double_range (0, 40));
          }
      report = rows_aggregate (recording, AGGREGATORS);
      for (int second = 0; second < LENGTH; second++)
        simulate_second (&run, second, &truth);
      read_parts (report, "x", ROAST_WINDOW_KIND_WORK, parts);
      read_parts (report, "x", ROAST_WINDOW_KIND_RUN, parts);
      g_assert_cmpfloat_with_epsilon (sum_up (parts), truth.offered, 1e-6);
    }
}

/* ---- tables beside core_time ---- */

/* Four attempts of 1, 1, 2 and 4 s in a run of 60 s: each second is an interval. */
static void
test_over_time (void)
{
  g_autoptr (RoastRecording) recording = make_recording (60);
  g_autoptr (RoastReport) report = NULL;

  worker (recording, "w", 2, 0, 30);
  task (recording, "1", 1,
        "'category': <'a'>, 'worker': <'w'>, 'submitted': <int64 500000>, 'started': <int64 2000000>, 'ended': <int64 "
        "3000000>, 'status': <'done'>");
  task (recording, "2", 1,
        "'category': <'a'>, 'worker': <'w'>, 'submitted': <int64 3000000>, 'started': <int64 3000000>, 'ended': <int64 "
        "4000000>, 'status': <'done'>");
  task (recording, "3", 1,
        "'category': <'a'>, 'worker': <'w'>, 'started': <int64 4000000>, 'ended': <int64 6000000>, 'status': <'done'>");
  task (recording, "4", 1,
        "'category': <'b'>, 'worker': <'w'>, 'started': <int64 5500000>, 'ended': <int64 9500000>, 'status': <'done'>");
  rows_add (recording, "chunks",
            "{'source': <'p'>, 'dataset': <'d'>, 'events': <int64 30>, 'started': <int64 10000000>, 'ended': <int64 "
            "13000000>}");
  rows_add (recording, "chunks",
            "{'source': <'q'>, 'bytes_read': <int64 4000>, 'started': <int64 20000000>, 'ended': <int64 24000000>}");
  rows_add (recording, "chunks",
            "{'source': <'q'>, 'bytes_read': <int64 300>, 'started': <int64 23500000>, 'ended': <int64 24500000>}");
  report = rows_aggregate (recording, AGGREGATORS);

  g_assert_cmpuint (rows_count_derived (report, "over_time"), ==, 180);
  assert_derived_row (report, "over_time", 0, "started=0 ended=1000000 running=0 waiting=0.5 workers=1 done=0");
  assert_derived_row (report, "over_time", 1, "started=1000000 ended=2000000 running=0 waiting=1 workers=1 done=0");
  assert_derived_row (report, "over_time", 5, "started=5000000 ended=6000000 running=1.5 waiting=0 workers=1 done=0");
  assert_derived_row (report, "over_time", 6, "started=6000000 ended=7000000 running=1 waiting=0 workers=1 done=1");
  assert_derived_row (report, "over_time", 9, "started=9000000 ended=10000000 running=0.5 waiting=0 workers=1 done=1");
  assert_derived_row (report, "over_time", 40, "started=40000000 ended=41000000 running=0 waiting=0 workers=0 done=0");
  assert_derived_row (report, "over_time", 72, "started=12000000 ended=13000000 event_rate=10");
  assert_derived_row (report, "over_time", 73, "started=13000000 ended=14000000 event_rate=0");
  /* One chunk of 1000 B/s, and in the middle of the interval another one of 300 B/s. Events are unknown. */
  assert_derived_row (report, "over_time", 142, "started=22000000 ended=23000000 data_rate=1000");
  assert_derived_row (report, "over_time", 143, "started=23000000 ended=24000000 data_rate=1150");
  assert_derived_row (report, "over_time", 144, "started=24000000 ended=25000000 data_rate=150");

  g_assert_cmpuint (rows_count_derived (report, "progress"), ==, 4);
  assert_derived_row (report, "progress", 0, "share=0.5 time=6000000 elapsed=6");
  assert_derived_row (report, "progress", 1, "share=0.9 time=9500000 elapsed=9.5");
  assert_derived_row (report, "progress", 3, "share=1 time=9500000 elapsed=9.5");
}

static void
test_distributions (void)
{
  g_autoptr (RoastRecording) recording = make_recording (1000);
  g_autoptr (RoastReport) report = NULL;
  int order[200];

  for (int i = 0; i < 200; i++)
    order[i] = i;
  shuffle (order, 200);
  for (int i = 0; i < 200; i++)
    {
      g_autofree char *id = g_strdup_printf ("%d", i);
      g_autofree char *cells = g_strdup_printf ("'category': <'a'>, 'submitted': <int64 0>, 'dispatched': <int64 "
                                                "1000000>, 'started': <int64 "
                                                "2000000>, 'ended': <int64 %d>, 'status': <'done'>",
                                                2000000 + (order[i] + 1) * 1000000);

      task (recording, id, 1, cells);
    }
  rows_add (recording, "chunks",
            "{'source': <'p'>, 'dataset': <'d'>, 'started': <int64 10000000>, 'ended': <int64 13000000>}");
  report = rows_aggregate (recording, AGGREGATORS);
  g_assert_cmpuint (rows_count_derived (report, "distributions"), ==, 3);
  assert_derived_row (report, "distributions", 0, "kind=chunk category=d n=1 p50=3 p90=3 p99=3 max=3 total=3");
  assert_derived_row (report, "distributions", 1,
                      "kind=task category=a n=200 p50=100 p90=180 p99=198 max=200 total=20100");
  assert_derived_row (report, "distributions", 2,
                      "kind=phase category=a phase=queue n=200 p50=1 p90=1 p99=1 max=1 total=200");
}

/* ---- a process tree ---- */

static void
test_tree (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;
  double parts[N_PARTS];

  roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 (10 * S));
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (8));
  roast_recording_set_metadata (recording, "tree-cgroup-cores", g_variant_new_double (2));
  rows_add (recording, "sources", "{'source': <'l'>, 'worker_kind': <'process'>}");
  rows_add (recording, "processes",
            "{'source': <'p'>, 'process': <int64 1>, 'command': <'cc'>, 'count': <int64 1>, 'origin': <'exact'>, "
            "'cpu_user': <6.0>, 'cpu_system': <1.0>}");
  rows_add (recording, "processes",
            "{'source': <'p'>, 'process': <int64 2>, 'command': <'ld'>, 'count': <int64 1>, 'origin': <'exact'>, "
            "'cpu_user': <1.0>, 'cpu_system': <0.0>}");
  /* 5 s with one core free, in which 3 s were spent in the run queue; then 5 s with 9 s of free cores and none. */
  rows_add (recording, "worker_samples",
            "{'source': <'l'>, 'time': <int64 5000000>, 'worker': <'1'>, 'run_queue': <3.0>}");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 5000000>, 'cpu': <7.5>}");
  rows_add (recording, "worker_samples",
            "{'source': <'l'>, 'time': <int64 10000000>, 'worker': <'1'>, 'run_queue': <3.0>}");
  rows_add (recording, "cluster_samples", "{'source': <'l'>, 'time': <int64 10000000>, 'cpu': <8.0>}");
  report = rows_aggregate (recording, AGGREGATORS);

  read_parts (report, "l", ROAST_WINDOW_KIND_RUN, parts);
  g_assert_cmpfloat_with_epsilon (sum_up (parts), 20, 1e-9);
  g_assert_cmpfloat_with_epsilon (parts[ROAST_CORE_PART_TASK_CPU], 8, 1e-9);
  g_assert_cmpfloat_with_epsilon (parts[ROAST_CORE_PART_TASK_WAIT], 2.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (parts[ROAST_CORE_PART_IDLE_NO_WORK], 9.5, 1e-9);
  assert_derived_row (report, "core_time", 0,
                      "window=run stretch=steady part=task.cpu detail=cc core_seconds=7 share=0.35 complete=complete");
  assert_derived_row (report, "core_time", 1,
                      "window=run stretch=steady part=task.cpu detail=ld core_seconds=1 share=0.05 complete=complete");
  assert_derived_row (report, "core_time", 2,
                      "window=run stretch=steady part=task.wait detail=run queue core_seconds=2.5 share=0.125 "
                      "complete=estimated reason=from samples");
  rows_assert_value (report, "slot_cpu_ratio", 0.4);
  rows_assert_value (report, "cpu_efficiency_ratio", 0.4);
}

/* Where /proc cannot be read, there is a row without numbers: nothing is known about idle cores. */
static void
test_tree_without_cpu (void)
{
  g_autoptr (RoastRecording) recording = make_recording (10);
  g_autoptr (RoastReport) report = NULL;

  roast_recording_set_metadata (recording, "tree-source", g_variant_new_string ("p"));
  roast_recording_set_metadata (recording, "tree-elapsed", g_variant_new_int64 (10 * S));
  roast_recording_set_metadata (recording, "tree-cores", g_variant_new_double (8));
  roast_recording_set_metadata (recording, "tree-ticks", g_variant_new_int64 (5));
  rows_add (recording, "processes",
            "{'source': <'p'>, 'process': <int64 -1>, 'command': <'cc'>, 'count': <int64 1>, 'origin': <'shared'>}");
  report = rows_aggregate (recording, AGGREGATORS);
  rows_assert_unavailable (report, "slot_idle_ratio", "");
  rows_assert_unavailable (report, "process_cpu_time_seconds", "/proc could not be read");
  rows_assert_unavailable (report, "memory_peak_bytes", "/proc could not be read");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core-time/slots", test_slots);
  g_test_add_func ("/core-time/losses", test_losses);
  g_test_add_func ("/core-time/cancelled", test_cancelled);
  g_test_add_func ("/core-time/cancelled-unknown", test_cancelled_unknown);
  g_test_add_func ("/core-time/cancelled-ended", test_cancelled_ended);
  g_test_add_func ("/core-time/actors", test_actors);
  g_test_add_func ("/core-time/crowded", test_crowded);
  g_test_add_func ("/core-time/fetching", test_fetching);
  g_test_add_func ("/core-time/serialising-for-others", test_serialising_for_others);
  g_test_add_func ("/core-time/reservations", test_reservations);
  g_test_add_func ("/core-time/too-large", test_too_large);
  g_test_add_func ("/core-time/libraries", test_libraries);
  g_test_add_func ("/core-time/other-threads", test_other_threads);
  g_test_add_func ("/core-time/missing", test_missing);
  g_test_add_func ("/core-time/open", test_open);
  g_test_add_func ("/core-time/running", test_running);
  g_test_add_func ("/core-time/not-covered", test_not_covered);
  g_test_add_func ("/core-time/damaged", test_damaged);
  g_test_add_func ("/core-time/rough", test_rough);
  g_test_add_func ("/core-time/unplaced", test_unplaced);
  g_test_add_func ("/core-time/misplaced", test_misplaced);
  g_test_add_func ("/core-time/running-since-when", test_running_since_when);
  g_test_add_func ("/core-time/running-since-told", test_running_since_told);
  g_test_add_func ("/core-time/nothing", test_nothing);
  g_test_add_func ("/core-time/waiting-without-rows", test_waiting_without_rows);
  g_test_add_func ("/core-time/over-time", test_over_time);
  g_test_add_func ("/core-time/distributions", test_distributions);
  g_test_add_func ("/core-time/tree", test_tree);
  g_test_add_func ("/core-time/tree-without-cpu", test_tree_without_cpu);
  g_test_add_func ("/core-time/random", test_random);
  g_test_add_func ("/core-time/random-sums", test_random_sums);

  return g_test_run ();
}
