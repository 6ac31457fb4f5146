/* SPDX-License-Identifier: BSD-3-Clause */

/* Counts attempts that exceeded their memory limit or another limit. */

#include "findings.h"
#include "tasks-tables.h"

static gboolean
is_over (RoastTableReader *tasks, guint peak, guint allocated)
{
  double given = roast_table_reader_get_double (tasks, allocated);

  return given > 0 && roast_table_reader_get_double (tasks, peak) >= given;
}

/* Some executors have one error name for each limit, others one for all limits. */
static gboolean
names_memory (const char *error)
{
  g_autofree char *lower = error != NULL ? g_utf8_strdown (error, -1) : NULL;

  return lower != NULL && strstr (lower, "memory") != NULL;
}

static void
add_attempt (Findings *findings, RoastTableReader *tasks)
{
  FindingsLimits *self = &findings->limits;
  const char *error = roast_table_reader_get_string (tasks, ROAST_TASKS_ERROR);
  gboolean is_disk = is_over (tasks, ROAST_TASKS_DISK_PEAK, ROAST_TASKS_DISK_ALLOCATED);

  if (is_over (tasks, ROAST_TASKS_MEMORY_PEAK, ROAST_TASKS_MEMORY_ALLOCATED) || (names_memory (error) && !is_disk))
    {
      self->n_memory++;
      return;
    }
  self->n_disk += is_disk ? 1 : 0;
  if (self->n_other++ > 0)
    return;
  self->category = findings_keep (findings, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
  self->error = findings_keep (findings, error);
}

/* Counts the tasks whose last attempt exceeded a limit. */
static gint64
read_failed (Findings *self)
{
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_TASK_OUTCOMES, roast_task_outcomes_columns, NULL);
  gint64 n = 0;

  while (table != NULL && roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_TASK_OUTCOMES_STATUS) == ROAST_STATUS_EXHAUSTED)
      n += roast_table_reader_get_int64 (table, ROAST_TASK_OUTCOMES_TASKS, 0);

  return n;
}

void
findings_read_limits (Findings *self)
{
  g_autoptr (RoastTableReader) tasks = NULL;

  if (!(findings_get_metric (self, "attempts_exhausted_total") > 0))
    return;
  self->limits.n_failed = read_failed (self);
  tasks = roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  while (roast_table_reader_next (tasks))
    if (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_EXHAUSTED)
      add_attempt (self, tasks);
}
