/* SPDX-License-Identifier: BSD-3-Clause */

/* How many tasks and attempts there were, how they ended, and how long they took: for every executor. */

#include <gmodule.h>

#include "task-counts.h"

typedef struct
{
  GObject parent_instance;
} RoastTasksAggregator;

static const char *const provided[] = {
  "tasks_submitted_total",
  "tasks_done_total",
  "tasks_failed_total",
  "tasks_killed_worker_total",
  "tasks_cancelled_total",
  "tasks_lost_total",
  "tasks_never_ran_total",
  "tasks_unfinished_total",
  "tasks_retried_total",
  "attempts_total",
  "attempts_failed_total",
  "attempts_lost_total",
  "attempts_exhausted_total",
  "attempts_retried_total",
  "task_time_mean_seconds",
  "task_time_max_seconds",
  NULL,
};

static gboolean
tasks_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                 GCancellable *cancellable, GError **error)
{
  g_autoptr (TaskCounts) counts = task_counts_new (recording);

  task_metrics_add (report, counts);

  return task_outcomes_add (report, counts, error) && task_outcomes_add_failures (report, recording, error);
}

static char **
tasks_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

ROAST_DEFINE_AGGREGATOR (RoastTasksAggregator, roast_tasks_aggregator, iface->dup_provides = tasks_dup_provides;
                         iface->aggregate = tasks_aggregate)

ROAST_DEFINE_PLUGIN ("tasks", PLUGIN_VERSION, ROAST_PLUGIN_AGGREGATOR ("tasks", roast_tasks_aggregator_get_type))
