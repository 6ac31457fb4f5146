/* SPDX-License-Identifier: BSD-3-Clause */

/* What the whole process tree used. */

#include <gmodule.h>

#include "metadata.h"
#include "process-tree.h"

typedef struct
{
  GObject parent_instance;
} RoastProcessesAggregator;

static const char *const provided[] = {
  "elapsed_time_seconds",
  "exit_status",
  "stopped_time_seconds",
  "suspended_time_seconds",
  "process_cpu_time_seconds",
  "process_cpu_user_seconds",
  "process_cpu_system_seconds",
  "cores_available",
  "cores_used_average",
  "cpu_efficiency_ratio",
  "run_queue_seconds",
  "processes_total",
  "threads_peak",
  "memory_peak_bytes",
  "memory_average_bytes",
  "memory_rss_peak_bytes",
  "process_memory_peak_bytes",
  "memory_limit_bytes",
  "cgroup_memory_peak_bytes",
  "oom_kills_total",
  "io_read_chars_bytes",
  "io_write_chars_bytes",
  "io_storage_read_bytes",
  "io_storage_write_bytes",
  "voluntary_switches_total",
  "involuntary_switches_total",
  "minor_faults_total",
  "major_faults_total",
  "accounting",
  "samples_total",
  "samples_missed_total",
  "leftover_processes",
  "own_cpu_seconds",
  "own_cpu_ratio",
  "own_memory_peak_bytes",
  NULL,
};

/* The supervisor followed the tree to the end, but the kernel showed it no process. */
static gboolean
is_without_numbers (RoastRecordingSnapshot *recording, RoastTableReader *processes)
{
  static const guint columns[] = { ROAST_PROCESSES_CPU_USER, ROAST_PROCESSES_CPU_SYSTEM, ROAST_PROCESSES_CPU_UNSPLIT };
  gint64 elapsed;
  guint64 n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    n += roast_table_reader_sum (processes, columns[i], NULL, NULL);

  return n == 0 && roast_table_reader_get_n_rows (processes) > 0 &&
         metadata_get_int64 (recording, "tree-elapsed", &elapsed);
}

/* There is no tree, or the supervisor could not follow it, or it was lost. */
static const char *
get_missing_reason (RoastRecordingSnapshot *recording, RoastTableReader *processes)
{
  g_autoptr (GVariant) source =
      roast_recording_snapshot_lookup_metadata (recording, "tree-source", G_VARIANT_TYPE_STRING);

  if (source == NULL)
    return "its processes cannot be observed: the program runs elsewhere, or roast did not launch it";
  if (is_without_numbers (recording, processes))
    return ROAST_PROCESSES_NO_PROC;

  return "the supervisor was lost before it reported";
}

gboolean
process_tree_has_mechanism (ProcessTree *self, RoastAccounting mechanism)
{
  gint64 mask;

  return !metadata_get_int64 (self->recording, "tree-accounting", &mask) || (mask & mechanism) != 0;
}

ProcessSum
process_tree_sum (ProcessTree *self, guint slot)
{
  ProcessSum result;

  result.n = roast_table_reader_sum (self->processes, slot, &result.sum, &result.max);
  result.missing = roast_table_reader_get_n_rows (self->processes) - result.n;

  return result;
}

static gboolean
processes_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, error);
  g_autoptr (RoastTableReader) samples = NULL;
  g_autofree char *imported = metadata_dup_string (recording, "processes-missing");
  ProcessTree tree = { recording, report, processes, NULL, imported, imported };

  if (processes == NULL)
    return FALSE;
  if (imported == NULL)
    tree.missing = get_missing_reason (recording, processes);
  tree.samples = samples = roast_recording_snapshot_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES,
                                                                roast_cluster_samples_columns, error);
  if (samples == NULL)
    return FALSE;
  process_tree_add_run (&tree);
  process_tree_add_sums (&tree);
  process_tree_add_memory (&tree);

  return process_tree_add_commands (&tree, error);
}

static char **
processes_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

ROAST_DEFINE_AGGREGATOR (RoastProcessesAggregator, roast_processes_aggregator,
                         iface->dup_provides = processes_dup_provides;
                         iface->aggregate = processes_aggregate)

ROAST_DEFINE_PLUGIN ("processes", PLUGIN_VERSION,
                     ROAST_PLUGIN_AGGREGATOR ("processes", roast_processes_aggregator_get_type))
