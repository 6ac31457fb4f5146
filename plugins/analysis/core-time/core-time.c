/* SPDX-License-Identifier: BSD-3-Clause */

/* Account for the core time that each source offered. */

#include "analysis.h"
#include "core-time-tables.h"
#include "core-tree.h"

/* The first metric comes from the same aggregator as the table windows, from which the working time of each source is
 * read. */
static const char *const core_time_required[] = { "work_time_seconds", "cores_available", "elapsed_time_seconds",
                                                  "process_cpu_time_seconds", NULL };

static void
core_time_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
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
  if (sources->len > 0)
    core_write_tables (report, sources);
  core_write_metrics (recording, report, sources);
  core_write_over_time (recording, report, sources);
  core_write_progress (report, sources);
  core_write_distributions (recording, report);
}

const Analysis analysis_core_time = { "core-time", core_time_aggregate, core_time_metrics, core_time_required };
