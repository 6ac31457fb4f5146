/* SPDX-License-Identifier: BSD-3-Clause */

/* How many tasks and attempts there were: recordings made by hand, answers computed by hand. */

#include <roast/roast.h>

#include "rows.h"

static void
task (RoastRecording *recording, const char *source, const char *id, int attempt, const char *cells)
{
  g_autofree char *row =
      g_strdup_printf ("{'source': <'%s'>, 'task': <'%s'>, 'attempt': <int64 %d>, 'category': <'p'>, %s}", source, id,
                       attempt, cells);

  rows_add (recording, "tasks", row);
}

/* @attempts: -1 if the executor does not count them */
static void
total (RoastRecording *recording, const char *category, const char *status, int tasks, int retried, int attempts)
{
  g_autofree char *counted =
      attempts >= 0 ? g_strdup_printf (", 'retried': <int64 %d>, 'attempts': <int64 %d>", retried, attempts)
                    : g_strdup ("");
  g_autofree char *row = g_strdup_printf ("{'source': <'x-1'>, 'time': <int64 1>, 'category': <'%s'>, 'status': "
                                          "<'%s'>, 'tasks': <int64 %d>%s}",
                                          category, status, tasks, counted);

  rows_add (recording, "task_totals", row);
}

static void
assert_counts (RoastReport *report, int submitted, int done, int failed, int never_ran, int unfinished)
{
  rows_assert_value (report, "tasks_submitted_total", submitted);
  rows_assert_value (report, "tasks_done_total", done);
  rows_assert_value (report, "tasks_failed_total", failed);
  rows_assert_value (report, "tasks_never_ran_total", never_ran);
  rows_assert_value (report, "tasks_unfinished_total", unfinished);
}

/* Rows that lack cells: an attempt that ended may have any result, and one without a start took an unknown time. */
static void
test_lacks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) untimed = NULL;
  g_autoptr (RoastReport) unknown = NULL;

  task (recording, "x-1", "a", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 1000000>, 'status': <'done'>");
  task (recording, "x-1", "b", 1, "'worker': <'w'>, 'ended': <int64 1000000>, 'status': <'done'>");
  task (recording, "x-1", "c", 1, "'worker': <'w'>, 'status': <'failed'>");
  untimed = rows_aggregate (recording, "tasks");
  rows_assert_note (untimed, "tasks_done_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_note (untimed, "task_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "1 of 2 attempts with a result");
  rows_assert_note (untimed, "task_time_max_seconds", ROAST_COMPLETENESS_PARTIAL, "1 attempt(s) without a result");
  task (recording, "x-1", "d", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 1000000>");
  unknown = rows_aggregate (recording, "tasks");
  rows_assert_note (unknown, "tasks_done_total", ROAST_COMPLETENESS_PARTIAL, "1 attempt ended, but");
  rows_assert_note (unknown, "tasks_unfinished_total", ROAST_COMPLETENESS_ESTIMATED, "no status");
}

/* Add an attempt that ends after the run, and counts whose times go back: numbers from them are estimates. */
static void
test_impossible (void)
{
  g_autoptr (RoastRecording) late = roast_recording_new (NULL);
  g_autoptr (RoastRecording) back = roast_recording_new (NULL);
  g_autoptr (RoastReport) late_report = NULL;
  g_autoptr (RoastReport) back_report = NULL;

  roast_recording_set_times (late, 1000000, 9000000);
  task (late, "x-1", "a", 1,
        "'worker': <'w'>, 'started': <int64 1000000>, 'ended': <int64 9000000000>, 'status': <'done'>");
  late_report = rows_aggregate (late, "tasks");
  rows_assert_note (late_report, "tasks_done_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_note (late_report, "task_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "1 attempt ended more than");
  rows_assert_note (late_report, "task_time_max_seconds", ROAST_COMPLETENESS_ESTIMATED, "a minute after the run");

  for (int i = 0; i < 3; i++)
    {
      static const int times[] = { 5, 10, 7 };
      g_autofree char *row = g_strdup_printf ("{'source': <'x-1'>, 'time': <int64 %d>, 'category': <'p'>, 'status': "
                                              "<'done'>, 'tasks': <int64 %d>, 'retried': <int64 0>, 'attempts': <int64 "
                                              "%d>}",
                                              times[i], times[i], times[i]);

      rows_add (back, "task_totals", row);
    }
  back_report = rows_aggregate (back, "tasks");
  rows_assert_note (back_report, "tasks_done_total", ROAST_COMPLETENESS_ESTIMATED, "not in the order of time");
}

/* Each task counts once, under the status of its last attempt. */
static void
test_rows (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 1000000>, 'status': <'failed'>");
  task (recording, "x-1", "a", 2,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 3000000>, 'status': <'done'>");
  task (recording, "x-1", "b", 1, "'worker': <'w'>, 'status': <'lost'>");
  task (recording, "x-1", "b", 2, "'worker': <'w'>, 'status': <'killed_worker'>, 'error': <'KilledWorker'>");
  task (recording, "x-1", "c", 1, "'worker': <'w'>, 'status': <'exhausted'>");
  task (recording, "x-1", "d", 1, "'status': <'never_ran'>");
  task (recording, "x-1", "e", 1, "'worker': <'w'>");
  task (recording, "x-1", "f", 1, "'submitted': <int64 1>");
  task (recording, "x-1", "g", 1, "'status': <'cancelled'>");
  task (recording, "x-1", "h", 1, "'worker': <'w'>, 'status': <'cancelled'>");
  /* To be tried again, but not given to a worker before the end. */
  task (recording, "x-1", "i", 1, "'worker': <'w'>, 'status': <'lost'>");
  task (recording, "x-1", "i", 2, "'status': <'never_ran'>");
  /* The same name at another executor is another task. */
  task (recording, "x-2", "a", 1, "'worker': <'w'>, 'status': <'done'>");
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 10, 2, 2, 2, 2);
  rows_assert_value (report, "tasks_killed_worker_total", 1);
  rows_assert_value (report, "tasks_cancelled_total", 2);
  rows_assert_value (report, "tasks_lost_total", 0);
  rows_assert_value (report, "tasks_retried_total", 2);
  rows_assert_value (report, "attempts_total", 9);
  rows_assert_value (report, "attempts_failed_total", 2);
  rows_assert_value (report, "attempts_lost_total", 2);
  rows_assert_value (report, "attempts_exhausted_total", 1);
  rows_assert_value (report, "attempts_retried_total", 2);
  rows_assert_value (report, "task_time_mean_seconds", 2);
  rows_assert_value (report, "task_time_max_seconds", 3);
  rows_assert_note (report, "tasks_submitted_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  g_assert_cmpuint (rows_count_derived (report, "task_outcomes"), ==, 8);
  for (guint i = 0; i < 8; i++)
    {
      static const char *const expected[] = {
        "status=done tasks=2 retried=1 attempts=2",          "status=failed tasks=0 retried=0 attempts=1",
        "status=killed_worker tasks=1 retried=1 attempts=1", "status=lost tasks=0 retried=0 attempts=2",
        "status=exhausted tasks=1 retried=0 attempts=1",     "status=cancelled tasks=2 retried=0 attempts=1",
        "status=never_ran tasks=2 retried=0 attempts=0",     "status=unfinished tasks=2 retried=0 attempts=1",
      };
      guint found = 0;

      for (guint k = 0; k < G_N_ELEMENTS (expected); k++)
        {
          g_autofree char *row = rows_show_derived_row (report, "task_outcomes", i);
          g_autofree char *all = g_strconcat ("category=p ", expected[k], NULL);

          found += g_str_equal (row, all) ? 1 : 0;
        }
      g_assert_cmpuint (found, ==, 1);
    }
  /* An attempt without an error word failed as well. */
  g_assert_cmpuint (rows_count_derived (report, "failures"), ==, 3);
  assert_derived (report, "failures", 0, "error", NULL);
  assert_derived (report, "failures", 2, "error", "KilledWorker");
}

/* The executor's own counts are what counts, whatever rows there are; the last of each category and status. */
static void
test_totals (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "never_ran", 1000, 0, 0);
  total (recording, "p", "done", 12, 1, 12);
  total (recording, "p", "failed", 2, 1, 5);
  total (recording, "p", "never_ran", 986, 0, 0);
  total (recording, "q", "done", 3, 0, 3);
  task (recording, "x-1", "a", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 1000000>, 'status': <'done'>");
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 1003, 15, 2, 986, 0);
  rows_assert_value (report, "tasks_retried_total", 2);
  rows_assert_value (report, "attempts_total", 20);
  rows_assert_value (report, "attempts_retried_total", 3);
  rows_assert_note (report, "tasks_submitted_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  /* What is computed from rows is not. */
  rows_assert_note (report, "task_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "19 of 20 attempts have no row");
  g_assert_cmpuint (rows_count_derived (report, "task_outcomes"), ==, 4);
}

/* Neither rows nor counts are complete if they differ, or if the source reports so. */
static void
test_differ (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "done", 1, 0, 1);
  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'done'>");
  task (recording, "x-1", "b", 1, "'worker': <'w'>, 'status': <'done'>");
  report = rows_aggregate (recording, "tasks");
  rows_assert_note (report, "tasks_done_total", ROAST_COMPLETENESS_PARTIAL,
                    "counted fewer attempts (1) than have a row (2)");
  g_clear_object (&report);

  rows_add (recording, "sources", "{'source': <'x-1'>, 'tasks_missing': <'it died'>}");
  report = rows_aggregate (recording, "tasks");
  rows_assert_note (report, "tasks_done_total", ROAST_COMPLETENESS_PARTIAL, "it died");
  /* What is missing may have ended what was under way. */
  rows_assert_note (report, "tasks_unfinished_total", ROAST_COMPLETENESS_ESTIMATED, "it died");
}

/* An executor that counts no attempts: those with a row are what is known. */
static void
test_no_attempts (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "done", 5, 0, -1);
  report = rows_aggregate (recording, "tasks");
  rows_assert_value (report, "tasks_done_total", 5);
  rows_assert_unavailable (report, "attempts_total", "does not count attempts");
  rows_assert_unavailable (report, "tasks_retried_total", "does not count attempts");
  g_clear_object (&report);

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      task (recording, "x-1", name, 1, "'worker': <'w'>, 'status': <'done'>");
    }
  task (recording, "x-1", "4", 2, "'worker': <'w'>, 'status': <'done'>");
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 5, 5, 0, 0, 0);
  rows_assert_value (report, "attempts_total", 6);
  rows_assert_value (report, "tasks_retried_total", 1);
}

/* Counts by state are the least that an executor records. */
static void
test_states (void)
{
  static const struct
  {
    const char *category, *state;
    int n;
  } counts[] = {
    { "p", "done", 3 }, { "p", "done", 8 },     { "q", "done", 4 },   { "p", "failed", 1 },
    { "p", "lost", 2 }, { "p", "waiting", 50 }, { "p", "queued", 5 }, { "p", "running", 6 },
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *row =
          g_strdup_printf ("{'source': <'x-1'>, 'time': <int64 1>, 'category': <'%s'>, 'state': <'%s'>, "
                           "'tasks': <int64 %d>}",
                           counts[i].category, counts[i].state, counts[i].n);

      rows_add (recording, "category_states", row);
    }
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 74, 12, 1, 55, 6);
  rows_assert_value (report, "attempts_total", 21);
  rows_assert_value (report, "attempts_lost_total", 2);
  rows_assert_unavailable (report, "tasks_retried_total", "does not count attempts");
  g_clear_object (&report);
  /* While the run goes on, these wait. */
  roast_recording_set_metadata (recording, "goes-on", g_variant_new_boolean (TRUE));
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 74, 12, 1, 0, 6);
  rows_assert_value (report, "tasks_waiting_total", 55);
}

/* Rows that were left out make counts of rows partial; each reason is named. */
static void
test_dropped (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1, "'started': <int64 0>, 'ended': <int64 3000000>, 'status': <'done'>");
  roast_recording_add_event (recording, "x-1", -1, ROAST_SEVERITY_WARNING, "frames-dropped", "7 tasks have no row");
  report = rows_aggregate (recording, "tasks");
  rows_assert_note (report, "tasks_submitted_total", ROAST_COMPLETENESS_PARTIAL, "7 tasks have no row");
  rows_assert_note (report, "task_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "7 tasks have no row");
  rows_assert_note (report, "task_time_max_seconds", ROAST_COMPLETENESS_PARTIAL, "7 tasks have no row");
}

/* Of each executor its own counts are taken, else its rows, else its counts by state; the most tasks first. */
static void
test_best_of_each (void)
{
  static const char *const states[] = {
    "{'source': <'x-1'>, 'time': <int64 1>, 'category': <'p'>, 'state': <'done'>, 'tasks': <int64 70>}",
    "{'source': <'x-2'>, 'time': <int64 1>, 'category': <'p'>, 'state': <'done'>, 'tasks': <int64 50>}",
    "{'source': <'x-3'>, 'time': <int64 1>, 'category': <'q'>, 'state': <'done'>, 'tasks': <int64 4>}",
    "{'source': <'x-3'>, 'time': <int64 1>, 'category': <'o'>, 'state': <'done'>, 'tasks': <int64 4>}",
    "{'source': <'x-3'>, 'time': <int64 1>, 'state': <'done'>, 'tasks': <int64 1>}",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "done", 3, 0, 3);
  for (guint i = 0; i < 3; i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      task (recording, "x-1", name, 1, "'worker': <'w'>, 'status': <'done'>");
      task (recording, "x-2", name, 1, i == 0 ? "'status': <'failed'>" : "'status': <'done'>");
    }
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    rows_add (recording, "category_states", states[i]);
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 15, 14, 1, 0, 0);
  rows_assert_value (report, "attempts_total", 15);
  rows_assert_value (report, "attempts_retried_total", 0);
  rows_assert_note (report, "tasks_submitted_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_unavailable (report, "tasks_retried_total", "does not count attempts");
  g_assert_cmpuint (rows_count_derived (report, "task_outcomes"), ==, 5);
  assert_derived_row (report, "task_outcomes", 0, "category=p status=done tasks=5 attempts=5");
  assert_derived_row (report, "task_outcomes", 1, "category=p status=failed tasks=1 attempts=1");
  assert_derived_row (report, "task_outcomes", 2, "category=o status=done tasks=4 attempts=4");
  assert_derived_row (report, "task_outcomes", 3, "category=q status=done tasks=4 attempts=4");
  assert_derived_row (report, "task_outcomes", 4, "category=? status=done tasks=1 attempts=1");
}

/* One of two executors counts no attempts: its rows have them, and those of the other count once. */
static void
test_borrowed (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "done", 2, 0, -1);
  rows_add (recording, "task_totals",
            "{'source': <'x-2'>, 'time': <int64 1>, 'category': <'p'>, 'status': <'done'>, 'tasks': <int64 1>, "
            "'retried': "
            "<int64 0>, 'attempts': <int64 1>}");
  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'failed'>");
  task (recording, "x-1", "a", 2, "'worker': <'w'>, 'status': <'done'>");
  task (recording, "x-1", "b", 1, "'worker': <'w'>, 'status': <'done'>");
  task (recording, "x-2", "c", 1, "'worker': <'w'>, 'status': <'done'>");
  task (recording, "x-3", "d", 1, "'worker': <'w'>, 'status': <'done'>");
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 4, 4, 0, 0, 0);
  rows_assert_value (report, "attempts_total", 5);
  rows_assert_value (report, "attempts_failed_total", 1);
  rows_assert_value (report, "attempts_retried_total", 1);
  rows_assert_value (report, "tasks_retried_total", 1);
  rows_assert_note (report, "attempts_total", ROAST_COMPLETENESS_COMPLETE, NULL);
  rows_assert_unavailable (report, "task_time_mean_seconds", "no attempt has both");
}

/* A task that was cancelled while it waited was not tried. */
static void
test_cancelled (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "cancelled", 5, 0, 2);
  total (recording, "p", "done", 1, 0, 1);
  total (recording, "p", "never_ran", 7, 0, 0);
  total (recording, "p", "unfinished", 2, 1, 4);
  report = rows_aggregate (recording, "tasks");
  rows_assert_value (report, "tasks_submitted_total", 15);
  rows_assert_value (report, "attempts_total", 7);
  rows_assert_value (report, "attempts_retried_total", 2);
  rows_assert_note (report, "attempts_retried_total", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* A task that was given back by its worker may be cancelled while it waits for another attempt. The executor counts
 * only its end. */
static void
test_given_up (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "cancelled", 2, 0, 0);
  total (recording, "p", "lost", 0, 0, 1);
  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'lost'>");
  task (recording, "x-1", "a", 2, "'status': <'cancelled'>");
  task (recording, "x-1", "b", 1, "'status': <'cancelled'>");
  report = rows_aggregate (recording, "tasks");
  rows_assert_value (report, "attempts_total", 1);
  rows_assert_note (report, "attempts_retried_total", ROAST_COMPLETENESS_ESTIMATED,
                    "cancelled before another attempt (1)");
}

/* A task may exceed its limit of time before any worker gets it. */
static void
test_never_given (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "exhausted", 2, 0, 1);
  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'exhausted'>");
  task (recording, "x-1", "b", 1, "'status': <'exhausted'>");
  report = rows_aggregate (recording, "tasks");
  rows_assert_value (report, "attempts_total", 1);
  rows_assert_note (report, "attempts_exhausted_total", ROAST_COMPLETENESS_COMPLETE, NULL);
}

/* Rows may come in any order, and an attempt without a status may have begun. */
static void
test_order (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 3, "'worker': <'w'>, 'status': <'done'>");
  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'failed'>");
  task (recording, "x-1", "a", 2, "'worker': <'w'>, 'status': <'lost'>");
  task (recording, "x-1", "b", 1, "'dispatched': <int64 1>");
  task (recording, "x-1", "c", 1, "'started': <int64 1>");
  task (recording, "x-1", "d", 1, "'dispatched': <int64 1>, 'status': <'cancelled'>");
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 4, 1, 0, 0, 2);
  rows_assert_value (report, "tasks_cancelled_total", 1);
  rows_assert_value (report, "tasks_retried_total", 1);
  rows_assert_value (report, "attempts_total", 6);
  rows_assert_value (report, "attempts_retried_total", 2);
}

/* Nothing ends before it starts: such a row has no time. */
static void
test_backwards (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1, "'started': <int64 5000000>, 'ended': <int64 1000000>, 'status': <'done'>");
  task (recording, "x-1", "b", 1, "'started': <int64 5000000>, 'ended': <int64 7000000>, 'status': <'done'>");
  report = rows_aggregate (recording, "tasks");
  rows_assert_value (report, "tasks_done_total", 2);
  rows_assert_value (report, "task_time_mean_seconds", 2);
  rows_assert_value (report, "task_time_max_seconds", 2);
}

/* The most frequent first, with the message of the first of each. What is done did not fail. */
static void
test_failures (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1, "'status': <'failed'>, 'error': <'ValueError'>, 'message': <'first'>");
  task (recording, "x-1", "b", 1, "'status': <'failed'>, 'error': <'ValueError'>, 'message': <'second'>");
  task (recording, "x-1", "c", 1, "'status': <'failed'>, 'error': <'OSError'>");
  task (recording, "x-1", "d", 1, "'status': <'lost'>, 'error': <'KeyError'>");
  task (recording, "x-1", "e", 1, "'status': <'done'>, 'error': <'Warning'>");
  task (recording, "x-1", "f", 1, "'error': <'Odd'>");
  task (recording, "x-1", "g", 1, "'status': <'failed'>");
  rows_add (recording, "tasks",
            "{'source': <'x-1'>, 'task': <'h'>, 'attempt': <int64 1>, 'category': <'o'>, 'status': <'failed'>, "
            "'error': "
            "<'ValueError'>}");
  report = rows_aggregate (recording, "tasks");
  g_assert_cmpuint (rows_count_derived (report, "failures"), ==, 5);
  assert_derived (report, "failures", 0, "category", "p");
  assert_derived (report, "failures", 0, "error", "ValueError");
  assert_derived (report, "failures", 0, "message", "first");
  assert_derived (report, "failures", 0, "attempts", "2");
  assert_derived (report, "failures", 0, "status", "failed");
  assert_derived (report, "failures", 1, "category", "o");
  assert_derived (report, "failures", 1, "attempts", "1");
  assert_derived (report, "failures", 2, "error", NULL);
  assert_derived (report, "failures", 2, "status", "failed");
  assert_derived (report, "failures", 3, "error", "KeyError");
  assert_derived (report, "failures", 3, "status", "lost");
  assert_derived (report, "failures", 4, "error", "OSError");
}

/* Equals are in the order of the alphabet, in whichever order they came. */
static void
test_equals (void)
{
  static const char *const errors[] = { "b", "c", "a" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    for (guint k = 0; k < G_N_ELEMENTS (errors); k++)
      {
        g_autofree char *row =
            g_strdup_printf ("{'source': <'x'>, 'task': <'%u'>, 'attempt': <int64 1>, 'category': <'%s'>, 'status': "
                             "<'failed'>, 'error': <'%s'>}",
                             3 * i + k, errors[i], errors[k]);

        rows_add (recording, "tasks", row);
      }
  report = rows_aggregate (recording, "tasks");
  for (guint i = 0; i < 9; i++)
    {
      const char category[] = { (char) ('a' + i / 3), '\0' };
      const char error[] = { (char) ('a' + i % 3), '\0' };

      assert_derived (report, "failures", i, "category", category);
      assert_derived (report, "failures", i, "error", error);
    }
  for (guint i = 0; i < 3; i++)
    {
      const char category[] = { (char) ('a' + i), '\0' };

      assert_derived (report, "task_outcomes", i, "category", category);
    }
}

/* Each source may lack something. */
/* Tasks under way at the end: they count with those of older recordings, whose status is unfinished. */
static void
test_open (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'running'>");
  task (recording, "x-1", "b", 1, "'worker': <'w'>, 'status': <'unfinished'>");
  task (recording, "x-1", "c", 1, "'status': <'waiting'>");
  task (recording, "x-1", "d", 1, "'worker': <'w'>, 'status': <'lost'>");
  task (recording, "x-1", "d", 2, "'status': <'waiting'>");
  report = rows_aggregate (recording, "tasks");
  assert_counts (report, 4, 0, 0, 0, 3);
  rows_assert_value (report, "tasks_waiting_total", 1);
  rows_assert_value (report, "attempts_total", 3);
}

static void
test_missing (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  total (recording, "p", "done", 4, 0, 4);
  task (recording, "x-1", "a", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
  task (recording, "x-1", "b", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 2000000>, 'status': <'done'>");
  /* It is still running: it is not missing in the counts of what ended. */
  task (recording, "x-1", "c", 1, "'worker': <'w'>, 'status': <'unfinished'>");
  rows_add (recording, "sources", "{'source': <'x-1'>, 'tasks_missing': <'it died'>}");
  rows_add (recording, "sources", "{'source': <'x-2'>, 'tasks_missing': <'so did it'>}");
  rows_add (recording, "sources", "{'source': <'x-3'>}");
  /* Of an executor that counts, rows that were dropped do not matter for the counts. */
  roast_recording_add_event (recording, "x-1", -1, ROAST_SEVERITY_WARNING, "frames-dropped", "2 tasks have no row");
  report = rows_aggregate (recording, "tasks");
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "tasks_done_total")), ==, "it died; so did it");
  g_assert_cmpstr (roast_metric_get_note (rows_get_metric (report, "task_time_max_seconds")), ==,
                   "it died; so did it; 2 of 4 attempts have no row; "
                   "1 attempt(s) without a result have no start or no end");
  rows_assert_value (report, "task_time_max_seconds", 4);
  rows_assert_value (report, "task_time_mean_seconds", 3);
}

/* Of a category of its own, a task that was tried twice; of each other source what it counts, and no more. */
static void
test_categories (void)
{
  static const char *const rows[] = {
    "{'source': <'r'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'p'>, 'worker': <'w'>, 'status': <'done'>}",
    "{'source': <'r'>, 'task': <'2'>, 'attempt': <int64 1>, 'category': <'q'>, 'worker': <'w'>, 'status': <'lost'>}",
    "{'source': <'r'>, 'task': <'2'>, 'attempt': <int64 2>, 'category': <'q'>, 'worker': <'w'>, 'status': <'done'>}",
    /* It counts attempts, but not how many tasks were retried. */
    "{'source': <'s'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'s'>, 'worker': <'w'>, 'status': <'failed'>}",
    "{'source': <'s'>, 'task': <'1'>, 'attempt': <int64 2>, 'category': <'s'>, 'worker': <'w'>, 'status': <'failed'>}",
    "{'source': <'s'>, 'task': <'2'>, 'attempt': <int64 1>, 'category': <'t'>, 'worker': <'w'>, 'status': <'failed'>}",
    /* It counts how many tasks were retried, but no attempts. */
    "{'source': <'v'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'v'>, 'worker': <'w'>, 'status': <'done'>}",
    /* It counts both: its rows add nothing. */
    "{'source': <'u'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'u'>, 'worker': <'w'>, 'status': <'lost'>}",
    "{'source': <'u'>, 'task': <'1'>, 'attempt': <int64 2>, 'category': <'u'>, 'worker': <'w'>, 'status': <'done'>}",
  };
  static const char *const totals[] = {
    "{'source': <'s'>, 'category': <'s'>, 'status': <'failed'>, 'tasks': <int64 1>, 'attempts': <int64 2>}",
    "{'source': <'s'>, 'category': <'t'>, 'status': <'failed'>, 'tasks': <int64 1>, 'attempts': <int64 1>}",
    ("{'source': <'u'>, 'category': <'u'>, 'status': <'done'>, 'tasks': <int64 1>, 'attempts': <int64 1>, 'retried': "
     "<int64 1>}"),
    "{'source': <'v'>, 'category': <'v'>, 'status': <'done'>, 'tasks': <int64 1>, 'retried': <int64 0>}",
    /* How many tasks is missing. */
    "{'source': <'u'>, 'category': <'u'>, 'status': <'lost'>, 'attempts': <int64 1>, 'retried': <int64 0>}",
  };
  static const char *const expected[] = {
    "category=q status=done tasks=1 retried=1 attempts=1",   "category=q status=lost tasks=0 retried=0 attempts=1",
    "category=s status=failed tasks=1 retried=1 attempts=2", "category=t status=failed tasks=1 retried=0 attempts=1",
    "category=u status=done tasks=1 retried=1 attempts=1",   "category=u status=lost tasks=0 retried=0 attempts=1",
    "category=v status=done tasks=1 retried=0 attempts=1",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    rows_add (recording, "tasks", rows[i]);
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    rows_add (recording, "task_totals", totals[i]);
  report = rows_aggregate (recording, "tasks");
  assert_metric (report, "tasks_submitted_total", "6");
  assert_metric (report, "tasks_failed_total", "2");
  assert_metric (report, "tasks_retried_total", "3");
  assert_metric (report, "attempts_total", "9");
  assert_metric (report, "attempts_failed_total", "3");
  g_assert_cmpuint (rows_count_derived (report, "task_outcomes"), ==, G_N_ELEMENTS (expected) + 1);
  assert_derived_row (report, "task_outcomes", 0, "category=p status=done tasks=1 retried=0 attempts=1");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_derived_row (report, "task_outcomes", i + 1, expected[i]);
}

/* An executor that counted no attempt, and has a row of one; and one whose counts have all rows. */
static void
test_no_attempt_counted (void)
{
  g_autoptr (RoastRecording) none = roast_recording_new (NULL);
  g_autoptr (RoastRecording) all = roast_recording_new (NULL);
  g_autoptr (RoastReport) of_none = NULL;
  g_autoptr (RoastReport) of_all = NULL;

  total (none, "p", "never_ran", 5, 0, 0);
  task (none, "x-1", "a", 1, "'worker': <'w'>, 'status': <'done'>");
  of_none = rows_aggregate (none, "tasks");
  assert_metric (of_none, "tasks_submitted_total",
                 "5 partial: executors counted fewer attempts (0) than have a row (1)");

  total (all, "p", "done", 1, 0, 1);
  task (all, "x-1", "a", 1, "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 500000>, 'status': <'done'>");
  of_all = rows_aggregate (all, "tasks");
  assert_metric (of_all, "tasks_submitted_total", "1");
  assert_metric (of_all, "task_time_mean_seconds", "0.5");
  assert_metric (of_all, "task_time_max_seconds", "0.5");
}

/* If something is missing, what is counted is a lower bound, but what is under way may have ended. */
static void
test_bounds (void)
{
  static const char *const open[] = { "tasks_never_ran_total", "tasks_unfinished_total", "tasks_waiting_total" };
  static const char *const closed[] = {
    "tasks_submitted_total", "tasks_done_total",    "tasks_failed_total",       "tasks_killed_worker_total",
    "tasks_cancelled_total", "tasks_lost_total",    "tasks_retried_total",      "attempts_total",
    "attempts_failed_total", "attempts_lost_total", "attempts_exhausted_total", "attempts_retried_total",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1, "'worker': <'w'>, 'status': <'done'>");
  rows_add (recording, "sources", "{'source': <'x-1'>, 'tasks_missing': <'it died'>}");
  report = rows_aggregate (recording, "tasks");
  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    assert_metric (report, open[i], "0 estimated: it died");
  for (guint i = 0; i < G_N_ELEMENTS (closed); i++)
    rows_assert_note (report, closed[i], ROAST_COMPLETENESS_PARTIAL, "it died");
}

/* A backend or program that lost rows says so in the table coverage: each number that follows from such rows is not
 * complete. */
static void
test_coverage (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = NULL;

  task (recording, "x-1", "a", 1,
        "'worker': <'w'>, 'started': <int64 0>, 'ended': <int64 4000000>, 'status': <'done'>");
  rows_add (recording, "coverage",
            "{'source': <'x-1'>, 'table': <'tasks'>, 'column': <'cpu'>, 'state': <'none'>, 'reason': <'no clock'>}");
  rows_add (recording, "coverage", "{'source': <'x-1'>, 'table': <'chunks'>, 'state': <'partial'>, 'reason': <'no'>}");
  rows_add (recording, "coverage", "{'source': <'x-1'>, 'table': <'tasks'>, 'state': <'complete'>}");
  report = rows_aggregate (recording, "tasks");
  g_assert_cmpint (roast_metric_get_completeness (rows_get_metric (report, "tasks_done_total")), ==,
                   ROAST_COMPLETENESS_COMPLETE);
  g_clear_object (&report);

  rows_add (recording, "coverage",
            "{'source': <'x-1'>, 'table': <'tasks'>, 'state': <'partial'>, 'reason': <'the log was cut'>}");
  report = rows_aggregate (recording, "tasks");
  rows_assert_note (report, "tasks_done_total", ROAST_COMPLETENESS_PARTIAL, "the log was cut");
  rows_assert_note (report, "tasks_never_ran_total", ROAST_COMPLETENESS_ESTIMATED, "the log was cut");
  rows_assert_note (report, "task_time_max_seconds", ROAST_COMPLETENESS_PARTIAL, "the log was cut");
  rows_assert_note (report, "task_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, "the log was cut");
}

static void
test_empty (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastReport) report = rows_aggregate (recording, "tasks");
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  g_assert_cmpuint (metrics->len, ==, 17);
  for (guint i = 0; i < metrics->len; i++)
    g_assert_false (roast_metric_is_available (g_ptr_array_index (metrics, i)));
  g_assert_false (rows_has_derived (report, "task_outcomes"));
  g_assert_false (rows_has_derived (report, "failures"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tasks/rows", test_rows);
  g_test_add_func ("/tasks/lacks", test_lacks);
  g_test_add_func ("/tasks/impossible", test_impossible);
  g_test_add_func ("/tasks/totals", test_totals);
  g_test_add_func ("/tasks/differ", test_differ);
  g_test_add_func ("/tasks/no-attempts", test_no_attempts);
  g_test_add_func ("/tasks/states", test_states);
  g_test_add_func ("/tasks/dropped", test_dropped);
  g_test_add_func ("/tasks/best-of-each", test_best_of_each);
  g_test_add_func ("/tasks/borrowed", test_borrowed);
  g_test_add_func ("/tasks/cancelled", test_cancelled);
  g_test_add_func ("/tasks/given-up", test_given_up);
  g_test_add_func ("/tasks/never-given", test_never_given);
  g_test_add_func ("/tasks/order", test_order);
  g_test_add_func ("/tasks/failures", test_failures);
  g_test_add_func ("/tasks/backwards", test_backwards);
  g_test_add_func ("/tasks/equals", test_equals);
  g_test_add_func ("/tasks/open", test_open);
  g_test_add_func ("/tasks/coverage", test_coverage);
  g_test_add_func ("/tasks/missing", test_missing);
  g_test_add_func ("/tasks/categories", test_categories);
  g_test_add_func ("/tasks/no-attempt-counted", test_no_attempt_counted);
  g_test_add_func ("/tasks/bounds", test_bounds);
  g_test_add_func ("/tasks/empty", test_empty);

  return g_test_run ();
}
