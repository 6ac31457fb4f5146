/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks and attempts of all executors: how many there were, how they ended, and how long they took. */

#include "analysis.h"
#include "task-counts.h"
#include "tasks-tables.h"

static void
tasks_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (TaskCounts) counts = task_counts_new (recording);
  task_outcomes_add (report, counts);
  task_outcomes_add_failures (report, recording);
}

const Analysis analysis_tasks = { "tasks", tasks_aggregate, tasks_metrics, NULL, ROAST_TABLE_TASK_OUTCOMES };
