/* SPDX-License-Identifier: BSD-3-Clause */

/* The metrics that count tasks, and how long attempts took. */

#include <math.h>

#include "metric-add.h"
#include "task-counts.h"

#define WORD(name) (1u << ROAST_STATUS_##name)
#define ALL ~0u

/* Outcomes that a metric adds up. */
static const struct
{
  const char *name;
  guint statuses;
  gboolean is_open; /* it may be less than what is counted, if anything is missing */
} of_tasks[] = {
  { "tasks_submitted_total", ALL, FALSE },
  { "tasks_done_total", WORD (DONE), FALSE },
  { "tasks_failed_total", WORD (FAILED) | WORD (EXHAUSTED) | WORD (KILLED_WORKER), FALSE },
  { "tasks_killed_worker_total", WORD (KILLED_WORKER), FALSE },
  { "tasks_cancelled_total", WORD (CANCELLED), FALSE },
  { "tasks_lost_total", WORD (LOST), FALSE },
  { "tasks_never_ran_total", WORD (NEVER_RAN), TRUE },
  { "tasks_unfinished_total", WORD (UNFINISHED) | WORD (RUNNING), TRUE },
  { "tasks_waiting_total", WORD (WAITING), TRUE },
};

static const struct
{
  const char *name;
  guint statuses;
} of_attempts[] = {
  { "attempts_total", ALL },
  { "attempts_failed_total", WORD (FAILED) | WORD (KILLED_WORKER) },
  { "attempts_lost_total", WORD (LOST) },
  { "attempts_exhausted_total", WORD (EXHAUSTED) },
};

static TaskOutcome
sum (const TaskCounts *counts, guint statuses)
{
  TaskOutcome all = { 0 };

  for (guint i = 0; i < counts->categories->len; i++)
    for (guint k = 0; k < ROAST_STATUS_N_WORDS; k++)
      if ((statuses >> k & 1) != 0)
        task_outcome_accumulate (&all, &g_array_index (counts->categories, TaskCategory, i).outcomes[k]);

  return all;
}

/* @statuses: those that @value counts */
static void
add (RoastReport *report, const TaskCounts *counts, const char *name, guint statuses, gint64 value, gboolean is_open,
     const char *missing)
{
  gboolean has_failed = statuses != ALL && (statuses & WORD (FAILED)) != 0;

  metric_add_integer (report, name, missing == NULL ? (double) value : NAN,
                      is_open ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL,
                      has_failed ? counts->failed_note : counts->note, missing);
}

static void
add_attempts (RoastReport *report, const TaskCounts *counts, const char *missing)
{
  TaskOutcome all = sum (counts, ALL);
  gint64 ran = all.tasks - sum (counts, WORD (NEVER_RAN) | WORD (WAITING)).tasks;

  /* A task that was cancelled may have waited: cancelled tasks ran as far as there are attempts. */
  ran -= MAX (sum (counts, WORD (CANCELLED)).tasks - sum (counts, WORD (CANCELLED)).attempts, 0);
  for (guint i = 0; i < G_N_ELEMENTS (of_attempts); i++)
    add (report, counts, of_attempts[i].name, of_attempts[i].statuses, sum (counts, of_attempts[i].statuses).attempts,
         FALSE, missing);
  add (report, counts, "attempts_retried_total", ALL, MAX (all.attempts - ran, 0), FALSE, missing);
}

static void
add_times (RoastReport *report, const TaskCounts *counts)
{
  static const char no_times[] = "no attempt has both a start and an end time";
  gboolean is_known = counts->n_timed > 0;

  /* What is missing may have made the mean greater or less: it is not a lower bound. */
  metric_add (report, "task_time_mean_seconds", is_known ? counts->seconds / (double) counts->n_timed : NAN,
              ROAST_COMPLETENESS_ESTIMATED, counts->rows_note, no_times);
  metric_add (report, "task_time_max_seconds", is_known ? counts->longest : NAN, ROAST_COMPLETENESS_PARTIAL,
              counts->rows_note, no_times);
}

void
task_metrics_add (RoastReport *report, const TaskCounts *counts)
{
  static const char not_counted[] = "an executor does not count attempts";
  const char *missing = counts->categories->len == 0 ? "no task was seen" : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (of_tasks); i++)
    add (report, counts, of_tasks[i].name, of_tasks[i].statuses, sum (counts, of_tasks[i].statuses).tasks,
         of_tasks[i].is_open, missing);
  add (report, counts, "tasks_retried_total", ALL, sum (counts, ALL).retried, FALSE,
       missing != NULL || counts->has_retried ? missing : not_counted);
  add_attempts (report, counts, missing != NULL || counts->has_attempts ? missing : not_counted);
  add_times (report, counts);
}
