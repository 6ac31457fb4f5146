/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables task_outcomes and failures. */

#include "group-element.h"
#include "notes.h"
#include "order.h"
#include "report-coverage.h"
#include "task-counts.h"
#include "tasks-tables.h"

/* Merge categories of different sources if they have the same name. */
static GPtrArray *
task_outcomes_merge (const TaskCounts *counts)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *merged = g_ptr_array_new_with_free_func (g_free);

  FOR_EACH (const TaskCategory, one, counts->categories)
    {
      const char *name = one->category != NULL ? one->category : "?";
      TaskCategory *sum = g_hash_table_lookup (by_name, name);

      if (sum == NULL)
        {
          sum = g_new0 (TaskCategory, 1);
          sum->category = name;
          g_hash_table_insert (by_name, (gpointer) name, sum);
          g_ptr_array_add (merged, sum);
        }
      for (guint k = 0; k < ROAST_STATUS_N_WORDS; k++)
        task_outcome_accumulate (&sum->outcomes[k], &one->outcomes[k]);
    }

  return merged;
}

static gint64
count_tasks (const TaskCategory *category)
{
  gint64 n = 0;

  for (guint k = 0; k < ROAST_STATUS_N_WORDS; k++)
    n += category->outcomes[k].tasks;

  return n;
}

static int
task_outcomes_compare_categories (const TaskCategory **a, const TaskCategory **b)
{
  return order_rows ((double) count_tasks (*a), (double) count_tasks (*b), (*a)->category, (*b)->category);
}

/* Report how complete the tables and columns are that formulas of metrics read. */
static void
task_outcomes_add_coverage (RoastReport *report, const TaskCounts *counts)
{
  static const char *const failed[] = { "tasks_failed_total", "attempts_failed_total", NULL };
  /* Metrics whose true values may be smaller if counts are missing, because the tasks that were not counted may have
   * run or ended. */
  static const char *const open[] = { "tasks_never_ran_total", "tasks_unfinished_total", "tasks_waiting_total", NULL };
  static const char not_counted[] = "at least one executor does not count attempts";
  static const char go_back[] =
      "the counts of the executor are not in the order of time: the last row may not be the latest";
  g_autofree char *times_note = notes_join (counts->rows_note, counts->late_note);
  g_autofree char *longest_note = notes_join (counts->longest_note, counts->late_note);

  report_coverage_add_note (report, ROAST_TABLE_TASK_OUTCOMES, NULL, ROAST_COMPLETENESS_PARTIAL, counts->note);
  if (!counts->has_attempts)
    report_coverage_add (report, ROAST_TABLE_TASK_OUTCOMES, "attempts", ROAST_COMPLETENESS_UNAVAILABLE, not_counted);
  if (!counts->has_retried)
    report_coverage_add (report, ROAST_TABLE_TASK_OUTCOMES, "retried", ROAST_COMPLETENESS_UNAVAILABLE, not_counted);
  if (counts->failed_note != NULL)
    report_coverage_add_metrics (report, failed, ROAST_COMPLETENESS_PARTIAL, counts->failed_note);
  if (counts->note != NULL)
    report_coverage_add_metrics (report, open, ROAST_COMPLETENESS_ESTIMATED, counts->note);
  if (counts->totals_go_back)
    report_coverage_add (report, ROAST_TABLE_TASK_OUTCOMES, NULL, ROAST_COMPLETENESS_ESTIMATED, go_back);
  if (counts->retried_note != NULL)
    report_coverage_add_metric (report, "attempts_retried_total", ROAST_COMPLETENESS_ESTIMATED, counts->retried_note);
  if (times_note != NULL)
    report_coverage_add_metric (report, "task_time_mean_seconds", ROAST_COMPLETENESS_ESTIMATED, times_note);
  if (longest_note != NULL)
    report_coverage_add_metric (report, "task_time_max_seconds",
                                counts->late_note != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL,
                                longest_note);
}

void
task_outcomes_add (RoastReport *report, const TaskCounts *counts)
{
  g_autoptr (GPtrArray) categories = task_outcomes_merge (counts);
  g_autoptr (RoastTableWriter) table = NULL;

  if (categories->len == 0)
    return;
  task_outcomes_add_coverage (report, counts);
  table = roast_task_outcomes_write (report);
  g_ptr_array_sort (categories, (GCompareFunc) task_outcomes_compare_categories);
  FOR_EACH_POINTER (const TaskCategory, category, categories)
    {
      for (guint k = 0; k < ROAST_STATUS_N_WORDS; k++)
        {
          const TaskOutcome *outcome = &category->outcomes[k];

          if (outcome->tasks == 0 && outcome->attempts == 0)
            continue;
          roast_table_writer_set_string (table, ROAST_TASK_OUTCOMES_CATEGORY, category->category);
          roast_table_writer_set_word (table, ROAST_TASK_OUTCOMES_STATUS, k);
          roast_table_writer_set_int64 (table, ROAST_TASK_OUTCOMES_TASKS, outcome->tasks);
          if (counts->has_retried)
            roast_table_writer_set_int64 (table, ROAST_TASK_OUTCOMES_RETRIED, outcome->retried);
          if (counts->has_attempts)
            roast_table_writer_set_int64 (table, ROAST_TASK_OUTCOMES_ATTEMPTS, outcome->attempts);
          roast_table_writer_end (table, NULL);
        }
    }
}

/* ---- failures ---- */

typedef struct
{
  const char *category, *error;
  int status;
  char *message;
  gint64 n;
  gint64 exit_code; /* exit code of all these attempts; -1 if they have none, or if their exit codes differ */
} TaskOutcomesFailure;

static void
failure_clear (gpointer failure)
{
  g_free (((TaskOutcomesFailure *) failure)->message);
}

static GArray *
read_failures (RoastTableReader *tasks)
{
  GArray *failures = g_array_new (FALSE, FALSE, sizeof (TaskOutcomesFailure));

  g_array_set_clear_func (failures, failure_clear);
  GROUP_BY (tasks, ROAST_TASKS_CATEGORY, ROAST_TASKS_STATUS, ROAST_TASKS_ERROR, ROAST_TASKS_EXIT_CODE);
  while (roast_table_reader_next (tasks))
    {
      TaskOutcomesFailure *failure = NULL;
      gint64 exit_code;

      if (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE)
        continue;
      failure = group_element (failures, tasks);
      exit_code = roast_table_reader_get_int64 (tasks, ROAST_TASKS_EXIT_CODE, -1);
      if (failure->n++ > 0)
        {
          failure->exit_code = exit_code == failure->exit_code ? exit_code : -1;
          continue;
        }
      failure->exit_code = exit_code;
      failure->category = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
      failure->error = roast_table_reader_get_string (tasks, ROAST_TASKS_ERROR);
      failure->status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
      failure->message = g_strdup (roast_table_reader_get_string (tasks, ROAST_TASKS_MESSAGE));
    }

  return failures;
}

/* Return whether these attempts failed. Without an error, attempts count as failed only if their status is a failure:
 * failed, exhausted or killed-worker. With another status, they may simply have no result. */
static gboolean
task_outcomes_is_failure (const TaskOutcomesFailure *self)
{
  if (self->error != NULL)
    return self->status >= 0;

  return self->status == ROAST_STATUS_FAILED || self->status == ROAST_STATUS_EXHAUSTED ||
         self->status == ROAST_STATUS_KILLED_WORKER;
}

/* Return the error of a failure; its exit code if it has no error; NULL if it has neither. */
static char *
dup_error (const TaskOutcomesFailure *self)
{
  return self->error == NULL && self->exit_code > 0 ? g_strdup_printf ("exit code %" G_GINT64_FORMAT, self->exit_code)
                                                    : g_strdup (self->error);
}

static int
compare_failures (const TaskOutcomesFailure *a, const TaskOutcomesFailure *b)
{
  int order = order_rows ((double) a->n, (double) b->n, a->category, b->category);

  return order != 0 ? order : g_strcmp0 (a->error, b->error);
}

void
task_outcomes_add_failures (RoastReport *report, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (recording);
  g_autoptr (RoastTableWriter) table = NULL;
  g_autoptr (GArray) failures = read_failures (tasks);

  g_array_sort (failures, (GCompareFunc) compare_failures);
  FOR_EACH (const TaskOutcomesFailure, failure, failures)
    {
      g_autofree char *error_word = dup_error (failure);

      if (!task_outcomes_is_failure (failure))
        continue;
      if (table == NULL)
        table = roast_failures_write (report);
      roast_table_writer_set_string (table, ROAST_FAILURES_CATEGORY, failure->category);
      roast_table_writer_set_word (table, ROAST_FAILURES_STATUS, (guint) failure->status);
      roast_table_writer_set_string (table, ROAST_FAILURES_ERROR, error_word);
      roast_table_writer_set_string (table, ROAST_FAILURES_MESSAGE, failure->message);
      roast_table_writer_set_int64 (table, ROAST_FAILURES_ATTEMPTS, failure->n);
      roast_table_writer_end (table, NULL);
    }
}
