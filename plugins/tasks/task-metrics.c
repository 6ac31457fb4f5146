/* SPDX-License-Identifier: BSD-3-Clause */

/* The metrics that count tasks, and how long attempts took. */

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
  { "tasks_unfinished_total", WORD (UNFINISHED), TRUE },
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

static void
add (RoastReport *report, const TaskCounts *counts, const char *name, gint64 value, gboolean is_open)
{
  RoastCompleteness completeness = counts->note == NULL ? ROAST_COMPLETENESS_COMPLETE
                                   : is_open            ? ROAST_COMPLETENESS_ESTIMATED
                                                        : ROAST_COMPLETENESS_PARTIAL;

  roast_report_add_int64 (report, name, value, completeness, counts->note);
}

static void
add_attempts (RoastReport *report, const TaskCounts *counts, const char *missing)
{
  TaskOutcome all = sum (counts, ALL);
  gint64 ran = all.tasks - sum (counts, WORD (NEVER_RAN)).tasks;

  /* A task that was cancelled may have waited: cancelled tasks ran as far as there are attempts. */
  ran -= MAX (sum (counts, WORD (CANCELLED)).tasks - sum (counts, WORD (CANCELLED)).attempts, 0);
  for (guint i = 0; i < G_N_ELEMENTS (of_attempts); i++)
    if (missing == NULL)
      add (report, counts, of_attempts[i].name, sum (counts, of_attempts[i].statuses).attempts, FALSE);
    else
      roast_report_add_unavailable (report, of_attempts[i].name, missing);
  if (missing == NULL)
    add (report, counts, "attempts_retried_total", MAX (all.attempts - ran, 0), FALSE);
  else
    roast_report_add_unavailable (report, "attempts_retried_total", missing);
}

static void
add_times (RoastReport *report, const TaskCounts *counts)
{
  static const char no_times[] = "no attempt has both a start and an end time";
  const char *note = counts->rows_note;

  if (counts->n_timed == 0)
    {
      roast_report_add_unavailable (report, "task_time_mean_seconds", no_times);
      roast_report_add_unavailable (report, "task_time_max_seconds", no_times);
      return;
    }
  /* What is missing may have made the mean greater or less: it is not a lower bound. */
  roast_report_add_double (report, "task_time_mean_seconds", counts->seconds / (double) counts->n_timed,
                           note != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE, note);
  roast_report_add_double (report, "task_time_max_seconds", counts->longest,
                           note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, note);
}

void
task_metrics_add (RoastReport *report, const TaskCounts *counts)
{
  static const char not_counted[] = "an executor does not count attempts";
  const char *missing = counts->categories->len == 0 ? "no task was seen" : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (of_tasks); i++)
    if (missing == NULL)
      add (report, counts, of_tasks[i].name, sum (counts, of_tasks[i].statuses).tasks, of_tasks[i].is_open);
    else
      roast_report_add_unavailable (report, of_tasks[i].name, missing);
  if (missing == NULL && counts->has_retried)
    add (report, counts, "tasks_retried_total", sum (counts, ALL).retried, FALSE);
  else
    roast_report_add_unavailable (report, "tasks_retried_total", missing != NULL ? missing : not_counted);
  add_attempts (report, counts, missing != NULL || counts->has_attempts ? missing : not_counted);
  add_times (report, counts);
}
