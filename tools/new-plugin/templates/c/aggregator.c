/* SPDX-License-Identifier: BSD-3-Clause */

/* An aggregator: what was recorded goes in, metrics come out, and nothing else happens. This one finds the process that
 * used most CPU time. What its metric means stands in @name@.roast-metrics. */

#include <roast/roast.h>

typedef struct
{
  GObject parent_instance;
} @Type @Aggregator;

/* Aggregators run in the order in which they need each other's metrics; see dup_requires for the other half. */
static char **
dup_provides (RoastAggregator *aggregator)
{
  return g_strsplit ("@id@_busiest_cpu_seconds", ":", -1);
}

static gboolean
aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
           GCancellable *cancellable, GError **error)
{
  RoastTableSnapshot *processes = roast_recording_snapshot_get_table (recording, "processes");
  int user = processes != NULL ? roast_table_snapshot_find_column (processes, "cpu_user") : -1;
  double most = -1;
  g_autoptr (RoastMetric) metric = NULL;
  for (guint64 row = 0; user >= 0 && row < roast_table_snapshot_get_n_rows (processes); row++)
    most = MAX (most, roast_table_snapshot_get_double (processes, row, (guint) user));
  /* What cannot be measured is not available, because: never 0, never a guess. */
  metric = most >= 0 ? roast_metric_new_double ("@id@_busiest_cpu_seconds", most)
                     : roast_metric_new_unavailable ("@id@_busiest_cpu_seconds", "no process was seen");
  roast_report_add_metric (report, metric);
  return TRUE;
}

ROAST_DEFINE_AGGREGATOR (@Type @Aggregator, @id @_aggregator, iface->dup_provides = dup_provides;
                         iface->aggregate = aggregate)
ROAST_DEFINE_PLUGIN ("@name@", PLUGIN_VERSION, ROAST_PLUGIN_AGGREGATOR ("@name@", @id @_aggregator_get_type))
