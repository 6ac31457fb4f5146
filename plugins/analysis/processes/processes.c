/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics and tables of the resources that the whole process tree used. */

#include "analysis.h"
#include "events.h"
#include "metadata.h"
#include "process-tree.h"
#include "processes-tables.h"

static gboolean
processes_are_running (RoastRecordingSnapshot *recording)
{
  g_autofree char *source = metadata_dup_string (recording, "tree-source");
  g_autofree char *lost = events_describe (recording, "supervisor");
  gint64 elapsed;

  return source != NULL && lost == NULL && !metadata_get_int64 (recording, "tree-elapsed", &elapsed);
}

/* Return whether the supervisor followed the tree to the end, but no process has a CPU time, because /proc showed no
 * processes. */
static gboolean
is_without_numbers (RoastRecordingSnapshot *recording, RoastTableReader *processes)
{
  static const guint columns[] = { ROAST_PROCESSES_CPU_USER, ROAST_PROCESSES_CPU_SYSTEM, ROAST_PROCESSES_CPU_UNSPLIT };
  gint64 elapsed;
  guint64 n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    n += roast_table_reader_sum (processes, columns[i], NULL, NULL);

  return n == 0 && metadata_get_int64 (recording, "tree-elapsed", &elapsed);
}

/* Return the reason why the processes have no values: there is no process tree, the supervisor could not read /proc,
 * the program still runs, or the supervisor was lost. */
static const char *
get_missing_reason (const ProcessTree *self)
{
  g_autofree char *source = metadata_dup_string (self->recording, "tree-source");

  if (source == NULL)
    return "the program's processes cannot be observed: the program runs elsewhere, or roast did not launch it";
  if (is_without_numbers (self->recording, self->processes))
    return ROAST_PROCESSES_NO_PROC;

  return self->is_running ? "the data do not reach the end of the program: the numbers of a process "
                            "are known when the process ends"
                          : "the supervisor was lost before it reported its numbers";
}

gboolean
process_tree_has_mechanism (ProcessTree *self, RoastAccounting mechanism)
{
  gint64 mask;

  return !metadata_get_int64 (self->recording, "tree-accounting", &mask) || (mask & mechanism) != 0;
}

guint64
process_tree_count (ProcessTree *self, const char *condition)
{
  g_autofree char *formula = g_strdup_printf ("count (over processes where %s)", condition);
  g_autoptr (RoastMetric) count = roast_report_evaluate (self->report, self->recording, "count", formula, NULL);

  return count != NULL && roast_metric_is_available (count) ? (guint64) roast_metric_get_double (count) : 0;
}

ProcessSum
process_tree_sum (ProcessTree *self, guint slot)
{
  ProcessSum result;

  result.n = roast_table_reader_sum (self->processes, slot, &result.sum, &result.max);
  result.missing = roast_table_reader_get_n_rows (self->processes) - result.n;

  return result;
}

static void
processes_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) processes = roast_processes_read (recording);
  g_autoptr (RoastTableReader) samples = roast_cluster_samples_read (recording);
  g_autofree char *imported = metadata_dup_string (recording, "processes-missing");
  ProcessTree tree = { recording, report, processes, samples, imported, imported, processes_are_running (recording) };

  if (imported == NULL)
    tree.missing = get_missing_reason (&tree);
  process_tree_add_run (&tree);
  process_tree_cover_sums (&tree);
  process_tree_add_memory (&tree);
  process_tree_add_commands (&tree);
}

const Analysis analysis_processes = { "processes", processes_aggregate, processes_metrics, NULL,
                                      ROAST_TABLE_PER_COMMAND };
