/* SPDX-License-Identifier: BSD-3-Clause */

/* How work flows through an executor: phases of attempts, wasted core time, transfers, and the executor's own time. */

#include <gmodule.h>

#include "lifecycle.h"

typedef struct
{
  GObject parent_instance;
} RoastTaskLifecycleAggregator;

static const char *const provided[] = {
  "wasted_core_seconds",
  "wasted_ratio",
  "queue_time_mean_seconds",
  "queue_time_max_seconds",
  "libraries_total",
  "libraries_failed_total",
  "library_start_mean_seconds",
  "library_start_max_seconds",
  "library_core_seconds",
  "library_calls_total",
  "transfer_in_bytes",
  "transfer_in_rate",
  "transfer_out_bytes",
  "transfer_out_rate",
  "transfer_cached_bytes",
  "executor_busy_ratio",
  "executor_application_ratio",
  "executor_verdict",
  "recovery_tasks_total",
  "task_memory_peak_bytes",
  "committed_memory_peak_ratio",
  NULL,
};

static gboolean
lifecycle_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                     GCancellable *cancellable, GError **error)
{
  return lifecycle_add_attempts (report, recording, error) && lifecycle_add_resources (report, recording, error) &&
         lifecycle_add_libraries (report, recording, error) && lifecycle_add_transfers (report, recording, error) &&
         lifecycle_add_executor (report, recording, error);
}

/* What comes from the table core_time. */
static char **
lifecycle_dup_requires (RoastAggregator *aggregator)
{
  static const char *const required[] = { "slot_lost_ratio", NULL };

  return g_strdupv ((char **) required);
}

static char **
lifecycle_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

ROAST_DEFINE_AGGREGATOR (RoastTaskLifecycleAggregator, roast_task_lifecycle_aggregator,
                         iface->dup_requires = lifecycle_dup_requires;
                         iface->dup_provides = lifecycle_dup_provides; iface->aggregate = lifecycle_aggregate)

ROAST_DEFINE_PLUGIN ("task-lifecycle", PLUGIN_VERSION,
                     ROAST_PLUGIN_AGGREGATOR ("task-lifecycle", roast_task_lifecycle_aggregator_get_type))
