/* SPDX-License-Identifier: BSD-3-Clause */

/* What the program reported about its work. */

#include <gmodule.h>

#include "workload-files.h"
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
  "event_rate_chunk_time_per_second",
  "chunks_total",
  "chunks_failed_total",
  "chunks_wasted_total",
  "chunks_wasted_time_seconds",
  "chunks_wasted_bytes_total",
  "processing_time_seconds",
  "processing_concurrency_ratio",
  "chunk_time_mean_seconds",
  "chunk_time_min_seconds",
  "chunk_time_max_seconds",
  "chunk_time_deviation_seconds",
  "chunk_time_p50_seconds",
  "chunk_time_p90_seconds",
  "chunk_time_p99_seconds",
  "chunk_open_time_seconds",
  "chunk_function_time_seconds",
  "chunk_thread_cpu_seconds",
  "read_requests_total",
  "needed_bytes_total",
  "chunk_outside_function_ratio",
  "chunk_cpu_ratio",
  "event_rate_thread_cpu_per_second",
  "read_amplification_ratio",
  "chunk_memory_change_mean_bytes",
  "chunk_memory_change_min_bytes",
  "chunk_memory_change_max_bytes",
  "time_per_event_seconds",
  "time_per_event_deviation_seconds",
  "memory_per_event_bytes",
  "memory_per_event_deviation_bytes",
  "preprocessing_files_total",
  "preprocessing_files_failed_total",
  "preprocessing_time_seconds",
  "preprocessing_bytes_total",
  "chunks_cached_total",
  "chunks_skipped_total",
  "branches_read_total",
  "uncompressed_bytes_total",
  "read_compression_ratio",
  NULL,
};

static const char *const required[] = { "elapsed_time_seconds", "process_cpu_time_seconds", "cores_available", NULL };

static gboolean
workload_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                    GCancellable *cancellable, GError **error)
{
  return workload_add_datasets (recording, report, error) && workload_add_branches (recording, report, error) &&
         workload_add_failures (recording, report, error) && workload_add_processes (recording, report, error) &&
         workload_add_sections (recording, report, error);
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
