/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks and attempts of all executors: how many there were, how they ended, and how long they took. */

#include "analysis.h"
#include "task-counts.h"
#include "tasks-tables.h"

static gboolean
tasks_aggregate (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  g_autoptr (TaskCounts) counts = task_counts_new (recording);

  return task_outcomes_add (report, counts, error) && task_outcomes_add_failures (report, recording, error);
}

const Analysis analysis_tasks = { "tasks", tasks_aggregate, tasks_metrics, NULL };
