/* SPDX-License-Identifier: BSD-3-Clause */

/* How many tasks there were, and how long they took. */

#include "activity-report.h"

/* Counts by state are exact also where no rows of tasks were kept: the last of each category counts. Lost ones are
 * attempts as well. */
static gboolean
count_states (ActivityReport *self, gint64 *all, gint64 *failed)
{
  static const guint key[] = { ROAST_CATEGORY_STATES_SOURCE, ROAST_CATEGORY_STATES_CATEGORY,
                               ROAST_CATEGORY_STATES_STATE };
  g_autoptr (RoastTableReader) states =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_CATEGORY_STATES, roast_category_states_columns,
                                           NULL);

  if (states == NULL || roast_table_reader_get_n_rows (states) == 0)
    return FALSE;
  roast_table_reader_last_per (states, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (states))
    {
      gint64 tasks = roast_table_reader_get_int64 (states, ROAST_CATEGORY_STATES_TASKS, 0);
      int state = roast_table_reader_get_word (states, ROAST_CATEGORY_STATES_STATE);

      if (state == ROAST_TASK_STATE_DONE || state == ROAST_TASK_STATE_FAILED || state == ROAST_TASK_STATE_LOST)
        *all += tasks;
      if (state == ROAST_TASK_STATE_FAILED)
        *failed += tasks;
    }

  return TRUE;
}

void
activity_report_add_tasks (ActivityReport *self)
{
  static const char no_times[] = "no task has both a start and an end time";
  gint64 tasks = 0, failed = 0, timed = 0;
  double total = 0, longest = 0;
  const char *note = self->tasks_note;

  for (guint i = 0; i < self->sums->categories->len; i++)
    {
      const ActivitySum *sum = g_ptr_array_index (self->sums->categories, i);

      tasks += sum->tasks;
      failed += sum->failed;
      timed += sum->timed;
      total += sum->in_tasks;
      longest = MAX (longest, sum->longest);
    }
  activity_report_add_ratio (self, "task_time_mean_seconds", total, (double) timed, note, no_times);
  if (timed > 0)
    activity_report_add (self, "task_time_max_seconds", longest, FALSE, note);
  else
    roast_report_add_unavailable (self->report, "task_time_max_seconds", no_times);
  if (tasks == 0 && count_states (self, &tasks, &failed))
    {
      note = self->states_note;
    }
  else if (tasks == 0)
    {
      roast_report_add_unavailable (self->report, "tasks_total", "no task was seen");
      roast_report_add_unavailable (self->report, "tasks_failed_total", "no task was seen");
      return;
    }
  activity_report_add (self, "tasks_total", (double) tasks, TRUE, note);
  activity_report_add (self, "tasks_failed_total", (double) failed, TRUE, note);
}
