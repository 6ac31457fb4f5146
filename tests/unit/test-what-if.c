/* SPDX-License-Identifier: BSD-3-Clause */

/* Times on other slots: of runs that an independent simulation made, and of runs whose times can be told by hand. */

#include <math.h>
#include <roast/roast.h>

#include "rows.h"

#define SECOND 1e6

/* ---- runs ---- */

typedef struct
{
  RoastRecording *recording;
  guint n;
} Made;

static void
add_worker (Made *self, double cores, double joined)
{
  g_autofree char *row = g_strdup_printf ("{'source': <'x'>, 'worker': <'w%u'>, 'cores': <%f>, 'joined': <int64 %.0f>}",
                                          self->n++, cores, joined * SECOND);

  rows_add (self->recording, "workers", row);
}

/* Times in s; @ready: when it could start. Returns its end. */
static double
add_task (Made *self, const char *category, const char *worker, double submitted, double ready, double started,
          double seconds)
{
  g_autofree char *row = g_strdup_printf (
      "{'source': <'x'>, 'task': <'%s-%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'worker': <'%s'>, "
      "'submitted': <int64 %.0f>, 'ready': <int64 %.0f>, 'dispatched': <int64 %.0f>, 'started': <int64 %.0f>, "
      "'ended': <int64 %.0f>, 'noticed': <int64 %.0f>, 'status': <'done'>}",
      category, self->n++, category, worker, submitted * SECOND, ready * SECOND, ready * SECOND, started * SECOND,
      (started + seconds) * SECOND, (started + seconds) * SECOND);

  rows_add (self->recording, "tasks", row);

  return started + seconds;
}

static Made
begin (void)
{
  Made made = { roast_recording_new (NULL), 0 };

  rows_add (made.recording, "sources", "{'source': <'x'>, 'backend': <'x'>, 'version': <'executor 1.0'>}");

  return made;
}

static RoastReport *
report (Made *self, double ended)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (RoastRecording) recording = self->recording;
  g_autoptr (GError) error = NULL;

  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (0));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 ((gint64) (ended * SECOND)));
  roast_recording_finish (recording);
  g_assert_true (roast_session_read (session, recording, &error));
  g_assert_no_error (error);

  return g_object_ref (roast_session_get_report (session));
}

/* List scheduling: each task takes the slot that is free first. Returns the end of the last one. */
static double
schedule (const double *seconds, guint n, guint n_slots, Made *made, double delay)
{
  g_autofree double *free_at = g_new0 (double, n_slots);
  double last = 0;

  for (guint i = 0; i < n; i++)
    {
      guint slot = 0;
      g_autofree char *worker = NULL;

      for (guint k = 1; k < n_slots; k++)
        if (free_at[k] < free_at[slot])
          slot = k;
      worker = g_strdup_printf ("w%u", slot);
      if (made != NULL)
        add_task (made, "fit", worker, 0, 0, free_at[slot] + delay, seconds[i]);
      free_at[slot] += seconds[i] + delay;
      last = fmax (last, free_at[slot]);
    }

  return last;
}

/* ---- rows of the table ---- */

typedef struct
{
  double elapsed, low, high;
  char *limit, *reason;
} Row;

static void
row_clear (Row *row)
{
  g_free (row->limit);
  g_free (row->reason);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Row, row_clear)

/* @slots: 0 for any. All NaN if there is no such row. */
static Row
find (RoastReport *self, const char *scenario, double slots)
{
  g_autoptr (RoastTableReader) table = roast_report_read_table (self, ROAST_TABLE_WHAT_IF, roast_what_if_columns, NULL);

  while (table != NULL && roast_table_reader_next (table))
    if (g_strcmp0 (roast_table_reader_get_string (table, ROAST_WHAT_IF_SCENARIO), scenario) == 0 &&
        (slots == 0 || roast_table_reader_get_double (table, ROAST_WHAT_IF_SLOTS) == slots))
      return (Row) { roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED),
                     roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED_LOW),
                     roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED_HIGH),
                     g_strdup (roast_table_reader_get_string (table, ROAST_WHAT_IF_LIMIT)),
                     g_strdup (roast_table_reader_get_string (table, ROAST_WHAT_IF_REASON)) };

  return (Row) { NAN, NAN, NAN, NULL, NULL };
}

static void
check (RoastReport *self, const char *scenario, double slots, double expected, const char *limit)
{
  g_auto (Row) row = find (self, scenario, slots);

  g_assert_cmpfloat_with_epsilon (row.elapsed, expected, 1e-4);
  g_assert_cmpstr (row.limit, ==, limit);
  g_assert_cmpfloat (row.low, <, row.elapsed);
  g_assert_cmpfloat (row.high, >, row.elapsed);
}

/* ---- tests ---- */

/* Two programs that compute the same: one from durations, the other from a recording on other slots. */
static void
test_schedules (void)
{
  static const guint slots[] = { 1, 2, 3, 4, 6, 8, 12, 16 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261127);

  for (guint run = 0; run < 20; run++)
    {
      guint n = (guint) g_rand_int_range (rand, 30, 200);
      double delay = run % 2 == 0 ? 0 : 0.01;
      g_autofree double *seconds = g_new (double, n);
      Made made = begin ();
      g_autoptr (RoastReport) made_report = NULL;
      double ended;

      for (guint i = 0; i < n; i++)
        seconds[i] = round (g_rand_double_range (rand, 0.5, 2) * SECOND) / SECOND;
      for (guint i = 0; i < 4; i++)
        add_worker (&made, 1, 0);
      ended = schedule (seconds, n, 4, &made, delay);
      made_report = report (&made, ended);
      for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
        if (slots[i] != 4)
          {
            g_auto (Row) row = find (made_report, "slots", slots[i]);

            g_assert_cmpfloat_with_epsilon (row.elapsed, schedule (seconds, n, slots[i], NULL, delay), 1e-3);
          }
      g_clear_pointer (&made_report, g_object_unref);
    }
}

/* The replay does not know of a gap between two tasks. Fewer slots still do not save time. */
static void
test_unknown_gap (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended = 0;

  for (guint i = 0; i < 2; i++)
    add_worker (&made, 1, 0);
  for (guint i = 0; i < 10; i++)
    ended = add_task (&made, "step", "w0", 0, ended, ended + (i == 5 ? 3 : 0), 2);
  made_report = report (&made, ended);
  check (made_report, "slots", 1, 23, "chain");
  check (made_report, "slots", 4, 20, "chain");
}

static void
test_chain (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended = 0;

  for (guint i = 0; i < 4; i++)
    add_worker (&made, 1, 0);
  for (guint i = 0; i < 10; i++)
    ended = add_task (&made, "step", "w0", 0, ended, ended, 2);
  made_report = report (&made, ended);
  check (made_report, "slots", 8, 20, "chain");
  check (made_report, "slots", 1, 20, "chain");
  check (made_report, "enough", 1, 20, "chain");
  check (made_report, "half", 4, 10, "chain");
}

/* One task at a time becomes ready late: the program waits for nothing, and is slower than its workers. */
static void
test_late_submission (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended = 0;

  add_worker (&made, 4, 0);
  for (guint i = 0; i < 30; i++)
    ended = add_task (&made, "fit", "w0", i, i, i, i % 3 == 0 ? 1.5 : 0.5);
  made_report = report (&made, ended);
  check (made_report, "slots", 8, 29.5, "arrival");
  check (made_report, "slots", 2, 29.5, "arrival");
}

/* Phases of 8 tasks on 4 slots: the program submits the next ones 0.1 s after all are done. */
static void
test_waiting_program (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended = 0;

  add_worker (&made, 4, 0);
  for (guint phase = 0; phase < 8; phase++)
    {
      double submitted = phase == 0 ? 0 : ended + 0.1;
      double seconds = phase % 2 == 0 ? 1 : 4;

      for (guint i = 0; i < 8; i++)
        ended = add_task (&made, "fit", "w0", submitted, submitted, submitted + (i / 4) * seconds, seconds);
    }
  made_report = report (&made, ended);
  check (made_report, "slots", 8, 4 * 1 + 4 * 4 + 7 * 0.1, "chain");
  check (made_report, "slots", 1, 8 * (4 * 1 + 4 * 4) + 7 * 0.1, "work");
}

/* Two phases are enough if the second one follows the first at once, even if the submission of a phase takes a while.
 */
static void
test_two_phases (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended = 0;

  add_worker (&made, 4, 0);
  for (guint phase = 0; phase < 2; phase++)
    {
      double began = phase == 0 ? 0 : ended + 0.05;

      for (guint i = 0; i < 16; i++)
        {
          double submitted = began + (i / 8) * 0.4; /* in two bursts */

          ended = add_task (&made, "fit", "w0", submitted, submitted, began + (i / 4), 1);
        }
    }
  made_report = report (&made, ended);
  check (made_report, "slots", 8, 2 * 2 + 0.05, "work");
  check (made_report, "slots", 1, 2 * 16 + 0.05, "work");
}

/* The program keeps four tasks under way: more slots do not help. */
static void
test_closed_program (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended[4] = { 0 }, last = 0;
  g_auto (Row) row = { 0 }, fewer = { 0 };

  add_worker (&made, 4, 0);
  for (guint i = 0; i < 60; i++)
    {
      guint slot = 0;

      for (guint k = 1; k < 4; k++)
        if (ended[k] < ended[slot])
          slot = k;
      ended[slot] += 0.001;
      ended[slot] = add_task (&made, "fit", "w0", ended[slot], ended[slot], ended[slot], 1 + 0.1 * (i % 7));
      last = fmax (last, ended[slot]);
    }
  made_report = report (&made, last);
  row = find (made_report, "slots", 8);
  g_assert_cmpfloat_with_epsilon (row.elapsed, last, 0.01);
  g_assert_cmpstr (row.limit, ==, "chain");
  fewer = find (made_report, "slots", 2);
  g_assert_cmpfloat (fewer.elapsed, >, 1.8 * last);
}

static void
test_stragglers (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  g_auto (Row) row = { 0 };

  add_worker (&made, 2, 0);
  for (guint i = 0; i < 20; i++)
    add_task (&made, "fit", "w0", 0, 0, i / 2, 1);
  add_task (&made, "fit", "w0", 0, 0, 10, 30);
  made_report = report (&made, 40);
  check (made_report, "slots", 8, 30 + 2, "chain");
  check (made_report, "no_stragglers", 2, 11, "work");
  row = find (made_report, "no_stragglers", 2);
  g_assert_cmpstr (row.reason, ==, "without “fit-21” (30.0 s)");
}

/* Return a run of @n tasks of 0.1 s on each of two slots, with 0.1 s between them, and the time that it took. */
static Made
make_short_tasks (guint n, double *ended)
{
  Made made = begin ();

  add_worker (&made, 2, 0);
  for (guint i = 0; i < 2 * n; i++)
    *ended = add_task (&made, "fit", "w0", 0, 0, (i / 2) * 0.2, 0.1);

  return made;
}

/* 100 tasks on each slot: 32 of them in one would leave slots without work at the end. */
static void
test_merged (void)
{
  double ended = 0;
  Made made = make_short_tasks (100, &ended), few = make_short_tasks (1, &ended);
  g_autoptr (RoastReport) few_report = report (&few, 0.1);
  g_autoptr (RoastReport) made_report = NULL;
  g_auto (Row) row = { 0 };

  ended = 99 * 0.2 + 0.1;
  made_report = report (&made, ended);
  row = find (made_report, "merged", 2);
  g_test_message ("%f %s", row.elapsed, row.reason);
  /* 16 tasks in one: 6 of 1.6 s on each slot, and one of the 8 tasks that are left. */
  g_assert_cmpfloat_with_epsilon (row.elapsed, 6 * 1.6 + 0.8 + 6 * 0.1, 1e-3);
  g_assert_true (g_str_has_prefix (row.reason,
                                   "16 neighbouring “fit” tasks are merged into one: each removed task saves 100 ms "
                                   "between tasks; the start-up of a task is not available, because no chunk "));
  g_assert_true (isnan (find (few_report, "merged", 0).elapsed));
}

/* Tasks take 0.5 s, and 1 s for each 1000 events. */
static void
test_merged_start_up (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  g_auto (Row) row = { 0 };
  double ended[2] = { 0 };

  add_worker (&made, 2, 0);
  for (guint i = 0; i < 80; i++)
    {
      guint events = 100 * (1 + i / 2 % 5);
      g_autofree char *chunk =
          g_strdup_printf ("{'source': <'x'>, 'task': <'fit-%u'>, 'events': <int64 %u>}", made.n, events);

      rows_add (made.recording, "chunks", chunk);
      ended[i % 2] = add_task (&made, "fit", "w0", 0, 0, ended[i % 2], 0.5 + events / 1000.0);
    }
  made_report = report (&made, ended[0]);
  row = find (made_report, "merged", 2);
  g_test_message ("%f of %f: %s", row.elapsed, ended[0], row.reason);
  g_assert_nonnull (strstr (row.reason, ": each removed task saves 500 ms of start-up and 0 s between tasks"));
  /* 40 tasks on each slot, 8 in one: 5 times the start-up instead of 40 times. */
  g_assert_cmpfloat_with_epsilon (row.elapsed, ended[0] - 35 * 0.5, 0.6);
}

/* Tasks that each wait for the one before cannot be one. */
static void
test_not_merged (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  double ended = 0;

  add_worker (&made, 1, 0);
  for (guint i = 0; i < 40; i++)
    ended = add_task (&made, "step", "w0", 0, ended, ended + 0.1, 0.1);
  made_report = report (&made, ended);
  g_assert_true (isnan (find (made_report, "merged", 0).elapsed));
}

/* Half of the workers joined late. */
static void
test_late_workers (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;

  add_worker (&made, 2, 10);
  add_worker (&made, 2, 20);
  for (guint i = 0; i < 40; i++)
    add_task (&made, "fit", i < 20 || i % 4 < 2 ? "w0" : "w1", 0, 0, i < 20 ? 10 + i / 2 : 20 + (i - 20) / 4, 1);
  made_report = report (&made, 25);
  check (made_report, "slots", 8, 10 + 10, "start_up");
  check (made_report, "slots", 2, 10 + 10 + 15, "work");
}

static void
test_refusals (void)
{
  Made late = begin (), nowhere = begin ();
  g_autoptr (RoastReport) late_report = NULL;
  g_autoptr (RoastReport) nowhere_report = NULL;
  g_auto (Row) row = { 0 }, other = { 0 };

  add_worker (&late, 4, 0);
  for (guint i = 0; i < 20; i++)
    add_task (&late, "fit", "w0", 0, 0, 5 * i, 1);
  late_report = report (&late, 96);
  row = find (late_report, "recorded", 4);
  g_assert_cmpfloat (row.elapsed, ==, 96);
  g_assert_nonnull (strstr (row.reason, "something that was not recorded decided when tasks started"));
  g_assert_true (isnan (find (late_report, "slots", 0).elapsed));

  add_task (&nowhere, "fit", "w0", 0, 0, 0, 1);
  nowhere_report = report (&nowhere, 1);
  other = find (nowhere_report, "recorded", 0);
  g_assert_true (isnan (other.elapsed));
}

/* Tasks of 4 cores on workers of 8, beside some of one core. */
static void
test_large_tasks (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;

  add_worker (&made, 8, 0);
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *row =
          g_strdup_printf ("{'source': <'x'>, 'task': <'t%u'>, 'attempt': <int64 1>, 'category': "
                           "<'fit'>, 'worker': <'w0'>, 'submitted': <int64 0>, 'started': <int64 "
                           "%u000000>, 'ended': <int64 %u000000>, 'cores': <4.0>, 'status': <'done'>}",
                           i, i / 2, i / 2 + 1);

      rows_add (made.recording, "tasks", row);
    }
  made_report = report (&made, 4);
  check (made_report, "slots", 16, 2, "work");
  check (made_report, "slots", 4, 8, "work");
}

/* A task of 4 cores beside some of one, on fewer than 4. */
static void
test_task_that_does_not_fit (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  g_auto (Row) row = { 0 };

  add_worker (&made, 8, 0);
  for (guint i = 0; i < 8; i++)
    add_task (&made, "fit", "w0", 0, 0, i / 4, 1);
  rows_add (made.recording, "tasks",
            "{'source': <'x'>, 'task': <'large'>, 'attempt': <int64 1>, 'category': <'fit'>, 'worker': <'w0'>, "
            "'submitted': <int64 0>, 'started': <int64 0>, 'ended': <int64 1000000>, 'cores': <4.0>, 'status': "
            "<'done'>}");
  made_report = report (&made, 2);
  row = find (made_report, "slots", 2);
  g_assert_true (isnan (row.elapsed) && isnan (row.low));
  g_assert_cmpstr (row.reason, ==, "some tasks need more slots than this row has");
  check (made_report, "slots", 16, 1, "chain");
}

/* Some tasks are missing: what the others would have taken says nothing about the run. */
static void
test_missing_rows (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  g_auto (Row) row = { 0 };

  add_worker (&made, 4, 0);
  for (guint i = 0; i < 20; i++)
    add_task (&made, "fit", "w0", 0, 0, i / 4, 1);
  rows_add (made.recording, "coverage",
            "{'source': <'x'>, 'table': <'tasks'>, 'from': <int64 2000000>, 'state': <'partial'>, 'reason': <'lost'>}");
  made_report = report (&made, 5);
  row = find (made_report, "recorded", 4);
  g_assert_true (g_str_has_prefix (row.reason, "not all tasks are known"));
  g_assert_true (isnan (find (made_report, "slots", 0).elapsed));
}

/* A task that never ended: how long it takes is unknown. */
static void
test_unfinished (void)
{
  Made made = begin ();
  g_autoptr (RoastReport) made_report = NULL;
  g_auto (Row) row = { 0 };

  add_worker (&made, 4, 0);
  for (guint i = 0; i < 20; i++)
    add_task (&made, "fit", "w0", 0, 0, i / 4, 1);
  rows_add (made.recording, "tasks",
            "{'source': <'x'>, 'task': <'hung'>, 'attempt': <int64 1>, 'category': <'fit'>, 'worker': <'w0'>, "
            "'submitted': <int64 0>, 'started': <int64 4000000>, 'status': <'running'>}");
  made_report = report (&made, 5);
  row = find (made_report, "recorded", 4);
  g_assert_nonnull (strstr (row.reason, "1 task that did not end is left out"));
}

/* A worker ran tasks on an unknown number of cores: the run had more slots than those that are known. */
static void
test_unknown_cores (void)
{
  for (guint unknown = 0; unknown < 2; unknown++)
    {
      Made made = begin ();
      g_autoptr (RoastReport) made_report = NULL;
      g_auto (Row) row = { 0 };

      add_worker (&made, 4, 0);
      for (guint i = 0; i < 20; i++)
        add_task (&made, "fit", i > 0 || unknown == 0 ? "w0" : "x", 0, 0, i / 4, 1);
      rows_add (made.recording, "workers", "{'source': <'x'>, 'worker': <'x'>}");
      made_report = report (&made, 5);
      row = find (made_report, "recorded", 0);
      g_assert_cmpint (isnan (row.elapsed), ==, unknown);
    }
}

/* Report 40 tasks of 1 s on 4 slots. Processes computed for 4 s and waited for a core for @queue s. */
static Row
find_beside_load (double queue)
{
  Made made = begin ();
  double seconds[40], ended;
  g_autofree char *process =
      g_strdup_printf ("{'source': <'tree'>, 'process': <int64 1>, 'pid': <int64 1>, 'cpu_user': <4.0>, "
                       "'cpu_system': <0.0>, 'run_queue': <%f>}",
                       queue);
  g_autoptr (RoastReport) made_report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    seconds[i] = 1;
  for (guint i = 0; i < 4; i++)
    add_worker (&made, 1, 0);
  ended = schedule (seconds, G_N_ELEMENTS (seconds), 4, &made, 0);
  rows_add (made.recording, "processes", process);
  roast_recording_set_metadata (made.recording, "tree-wait-status", g_variant_new_int64 (0));
  made_report = report (&made, ended);

  return find (made_report, queue > 16 ? "recorded" : "slots", queue > 16 ? 4 : 2);
}

/* Where processes wait for cores, the time between tasks varies with the load: the bounds are wider, or there are
 * none. */
static void
test_load (void)
{
  g_auto (Row) idle = find_beside_load (0);
  g_auto (Row) half = find_beside_load (4);
  g_auto (Row) busy = find_beside_load (12);
  g_auto (Row) most = find_beside_load (36);

  g_assert_cmpfloat_with_epsilon (idle.elapsed, 20, 1e-4);
  g_assert_cmpfloat_with_epsilon (log (idle.high / idle.elapsed), 0.05, 1e-6);
  g_assert_cmpfloat_with_epsilon (half.high, idle.high, 1e-6);
  g_assert_cmpfloat_with_epsilon (log (busy.high / busy.elapsed), 0.1, 1e-6);
  g_assert_cmpfloat_with_epsilon (log (busy.low / busy.elapsed), -0.1, 1e-6);
  g_assert_true (g_str_has_prefix (most.reason, "the processes of the run waited for a core for 90 % of the time"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/what-if/schedules", test_schedules);
  g_test_add_func ("/what-if/chain", test_chain);
  g_test_add_func ("/what-if/unknown-gap", test_unknown_gap);
  g_test_add_func ("/what-if/unknown-cores", test_unknown_cores);
  g_test_add_func ("/what-if/late-submission", test_late_submission);
  g_test_add_func ("/what-if/waiting-program", test_waiting_program);
  g_test_add_func ("/what-if/two-phases", test_two_phases);
  g_test_add_func ("/what-if/closed-program", test_closed_program);
  g_test_add_func ("/what-if/stragglers", test_stragglers);
  g_test_add_func ("/what-if/merged", test_merged);
  g_test_add_func ("/what-if/merged-start-up", test_merged_start_up);
  g_test_add_func ("/what-if/not-merged", test_not_merged);
  g_test_add_func ("/what-if/late-workers", test_late_workers);
  g_test_add_func ("/what-if/refusals", test_refusals);
  g_test_add_func ("/what-if/large-tasks", test_large_tasks);

  g_test_add_func ("/what-if/task-that-does-not-fit", test_task_that_does_not_fit);
  g_test_add_func ("/what-if/missing-rows", test_missing_rows);
  g_test_add_func ("/what-if/unfinished", test_unfinished);
  g_test_add_func ("/what-if/load", test_load);

  return g_test_run ();
}
