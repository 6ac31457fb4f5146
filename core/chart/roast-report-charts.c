/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists the charts of a run. */

#include "roast/roast-chart-info.h"
#include "roast/roast-report.h"

/**
 * roast_report_list_charts:
 * @self: a report
 * @recording: the recording of the report
 *
 * Lists the charts of a run. First come the charts of the report's schema, which installed plugins declare. Then come
 * the charts that only the schema of the recording has: a run file contains the schemas of all plugins that were
 * installed where it was made.
 *
 * Returns: (transfer container) (element-type RoastChartInfo): the charts, in the order of their declaration
 *
 * Since: 0.9
 */
GPtrArray *
roast_report_list_charts (RoastReport *self, RoastRecordingSnapshot *recording)
{
  RoastSchema *schema = NULL;
  GPtrArray *charts = NULL;
  g_autoptr (GPtrArray) recorded = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), NULL);

  schema = roast_report_get_schema (self);
  charts = roast_schema_list_charts (schema);
  recorded = roast_schema_list_charts (roast_recording_snapshot_get_schema (recording));
  for (guint i = 0; i < recorded->len; i++)
    {
      RoastChartInfo *info = g_ptr_array_index (recorded, i);

      if (roast_schema_get_chart (schema, roast_chart_info_get_name (info)) == NULL)
        g_ptr_array_add (charts, g_object_ref (info));
    }

  return charts;
}
