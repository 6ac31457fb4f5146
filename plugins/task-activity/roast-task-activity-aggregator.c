/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics and tables of what workers and tasks of an executor did. */

#include <gmodule.h>

#include "activity-report.h"

typedef struct
{
  GObject parent_instance;
} RoastTaskActivityAggregator;

/* Those of activity_times_get_metric () come on top. */
static const char *const provided[] = {
  "processor_cpu_time_seconds",
  "processor_wait_time_seconds",
  "processor_unsplit_time_seconds",
  "processor_cpu_ratio",
  "processor_wait_ratio",
  "overhead_cpu_time_seconds",
  "overhead_wait_time_seconds",
  "overhead_unsplit_time_seconds",
  "overhead_cpu_ratio",
  "overhead_wait_ratio",
  "worker_balance_ratio",
  "worker_memory_peak_bytes",
  "worker_memory_peak_ratio",
  "worker_cpu_seconds",
  "worker_startup_cpu_seconds",
  "worker_event_loop_cpu_seconds",
  "worker_task_threads_cpu_seconds",
  "worker_other_threads_cpu_seconds",
  "worker_children_cpu_seconds",
  "worker_shutdown_cpu_seconds",
  "worker_core_seconds",
  "worker_cores_average",
  "worker_cores_mean",
  "core_efficiency_ratio",
  "scheduler_lateness_max_seconds",
  "probe_cpu_seconds",
};

static gboolean
activity_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (ActivityReport) self = activity_report_new (recording, report);

  activity_report_add_times (self);
  activity_report_add_executor (self);

  return activity_report_add_workers (self, error) && activity_report_add_tables (self, error);
}

/* What comes from the table core_time. */
static char **
activity_dup_requires (RoastAggregator *aggregator)
{
  static const char *const required[] = { "slot_lost_ratio", NULL };

  return g_strdupv ((char **) required);
}

static char **
activity_dup_provides (RoastAggregator *aggregator)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (provided); i++)
    g_ptr_array_add (names, g_strdup (provided[i]));
  for (guint i = 0; activity_times_get_metric (i) != NULL; i++)
    g_ptr_array_add (names, g_strdup (activity_times_get_metric (i)));
  g_ptr_array_add (names, NULL);

  return (char **) g_ptr_array_free (names, FALSE);
}

ROAST_DEFINE_AGGREGATOR (RoastTaskActivityAggregator, roast_task_activity_aggregator,
                         iface->dup_requires = activity_dup_requires;
                         iface->dup_provides = activity_dup_provides; iface->aggregate = activity_aggregate)

ROAST_DEFINE_PLUGIN ("task-activity", PLUGIN_VERSION,
                     ROAST_PLUGIN_AGGREGATOR ("task-activity", roast_task_activity_aggregator_get_type))
