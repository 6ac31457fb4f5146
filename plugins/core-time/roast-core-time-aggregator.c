/* SPDX-License-Identifier: BSD-3-Clause */

/* Where the offered core time of each source went. */

#include <gmodule.h>

#include "core-tree.h"

typedef struct
{
  GObject parent_instance;
} RoastCoreTimeAggregator;

/* The working time of each source is in the table windows. */
static const char *const required[] = { "work_time_seconds", "cores_available", "elapsed_time_seconds",
                                        "process_cpu_time_seconds", NULL };

static const char *const provided[] = {
  "slot_cpu_ratio", "slot_idle_ratio", "slot_lost_ratio", "extra_core_seconds", NULL,
};

static gboolean
core_time_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) sources = core_sources_new (recording, report);
  g_autoptr (CoreSource) tree = core_tree_new (recording, report);

  for (guint i = 0; i < sources->len; i++)
    {
      core_source_find_open (g_ptr_array_index (sources, i));
      core_source_sweep (g_ptr_array_index (sources, i));
      core_source_split (g_ptr_array_index (sources, i));
    }
  if (tree != NULL)
    g_ptr_array_add (sources, g_steal_pointer (&tree));
  if (sources->len > 0 && !core_write_tables (report, sources, error))
    return FALSE;
  core_write_metrics (recording, report, sources);

  return core_write_over_time (recording, report, sources, error) && core_write_progress (report, sources, error) &&
         core_write_distributions (recording, report, error);
}

static char **
core_time_dup_requires (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) required);
}

static char **
core_time_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

ROAST_DEFINE_AGGREGATOR (RoastCoreTimeAggregator, roast_core_time_aggregator,
                         iface->dup_requires = core_time_dup_requires;
                         iface->dup_provides = core_time_dup_provides; iface->aggregate = core_time_aggregate)

ROAST_DEFINE_PLUGIN ("core-time", PLUGIN_VERSION,
                     ROAST_PLUGIN_AGGREGATOR ("core-time", roast_core_time_aggregator_get_type))
