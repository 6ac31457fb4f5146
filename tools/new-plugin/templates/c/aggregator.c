/* SPDX-License-Identifier: BSD-3-Clause */

/* An aggregator reads a recording, adds metrics to a report, and does nothing else. This one finds the process that
 * used most CPU time. @name@.roast-schema declares its metric. */

#include <roast/roast.h>

typedef struct { GObject parent_instance; } @Type@Aggregator;

/* An aggregator runs after those that provide the metrics it requires: see also dup_requires. */
static char **dup_provides (RoastAggregator *aggregator)
{
  return g_strsplit ("@id@_busiest_cpu_seconds", ":", -1);
}

static gboolean aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                           GCancellable *cancellable, GError **error)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, NULL, error);
  double most = 0;
  guint64 known;
  if (processes == NULL)
    return FALSE;
  known = roast_table_reader_sum (processes, ROAST_PROCESSES_CPU_USER, NULL, &most);
  /* A metric that cannot be measured is not available, with a reason: never 0, never a guess. If some rows have no
   * value, the maximum is a lower bound. */
  if (known == 0)
    roast_report_add_unavailable (report, "@id@_busiest_cpu_seconds", "no process was measured");
  else
    roast_report_add_double (report, "@id@_busiest_cpu_seconds", most,
                             known < roast_table_reader_get_n_rows (processes) ? ROAST_COMPLETENESS_PARTIAL
                                                                               : ROAST_COMPLETENESS_COMPLETE,
                             NULL);
  return TRUE;
}

ROAST_DEFINE_AGGREGATOR (@Type@Aggregator, @id@_aggregator, iface->dup_provides = dup_provides;
                         iface->aggregate = aggregate)
ROAST_DEFINE_PLUGIN ("@name@", PLUGIN_VERSION, ROAST_PLUGIN_AGGREGATOR ("@name@", @id@_aggregator_get_type))
