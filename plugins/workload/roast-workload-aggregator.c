/* SPDX-License-Identifier: BSD-3-Clause */

/* What the program reported about its work. */

#include <gmodule.h>

#include "workload.h"

typedef struct
{
  GObject parent_instance;
} RoastWorkloadAggregator;

static const char *const provided[] = {
  "bytes_read_total",
  "data_rate_bits_per_second",
  "data_rate_bytes_per_second",
  "events_total",
  "event_rate_elapsed_per_second",
  "event_rate_cpu_per_second",
  "event_rate_core_per_second",
  "event_rate_processing_per_second",
  "chunks_total",
  "chunks_failed_total",
  "processing_time_seconds",
  "processing_concurrency_ratio",
  "chunk_time_mean_seconds",
  "chunk_time_min_seconds",
  "chunk_time_max_seconds",
  NULL,
};

static const char *const required[] = { "elapsed_time_seconds", "process_cpu_time_seconds", "cores_available", NULL };

static gboolean
workload_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                    GCancellable *cancellable, GError **error)
{
  return workload_add_datasets (recording, report, error) && workload_add_sections (recording, report, error);
}

static char **
workload_dup_requires (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) required);
}

static char **
workload_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

ROAST_DEFINE_AGGREGATOR (RoastWorkloadAggregator, roast_workload_aggregator,
                         iface->dup_requires = workload_dup_requires;
                         iface->dup_provides = workload_dup_provides; iface->aggregate = workload_aggregate)

ROAST_DEFINE_PLUGIN ("workload", PLUGIN_VERSION,
                     ROAST_PLUGIN_AGGREGATOR ("workload", roast_workload_aggregator_get_type))
