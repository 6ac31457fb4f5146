/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-aggregator.h"

#include "base/roast-fail-private.h"
#include "report/roast-report-private.h"
#include "roast-plugin-call-private.h"
#include "roast-plugin-private.h"

/**
 * RoastAggregator:
 *
 * Computes metrics from measurements. An aggregator has no side effects: it only reads a snapshot and the metrics that
 * it requires, and adds its results to a report.
 *
 * Since: 0.9
 */
G_DEFINE_INTERFACE (RoastAggregator, roast_aggregator, G_TYPE_OBJECT)

static char **
real_dup_nothing (RoastAggregator *self)
{
  return g_new0 (char *, 1);
}

static gboolean
real_aggregate (RoastAggregator *self, RoastRecordingSnapshot *recording, RoastReport *report,
                GCancellable *cancellable, GError **error)
{
  return roast_fail (error, ROAST_AGGREGATE_ERROR, ROAST_AGGREGATE_ERROR_BAD_IMPLEMENTATION,
                     "%s does not implement aggregate()", G_OBJECT_TYPE_NAME (self));
}

static void
roast_aggregator_default_init (RoastAggregatorInterface *iface)
{
  iface->dup_requires = real_dup_nothing;
  iface->dup_provides = real_dup_nothing;
  iface->aggregate = real_aggregate;
}

/**
 * roast_aggregator_dup_requires:
 * @self: an aggregator
 *
 * Lists the metrics of other aggregators that this aggregator reads. This aggregator runs after the aggregators that
 * provide these metrics.
 *
 * Returns: (transfer full): names of the required metrics
 *
 * Since: 0.9
 */
char **
roast_aggregator_dup_requires (RoastAggregator *self)
{
  char **names = NULL;

  g_return_val_if_fail (ROAST_IS_AGGREGATOR (self), NULL);

  ROAST_IN_PLUGIN (self, "dup_requires", names = ROAST_AGGREGATOR_GET_IFACE (self)->dup_requires (self));

  return names != NULL ? names : g_new0 (char *, 1);
}

/**
 * roast_aggregator_dup_provides:
 * @self: an aggregator
 *
 * Lists the metrics that this aggregator adds. Aggregators that read these metrics run later.
 *
 * Returns: (transfer full): names of the provided metrics
 *
 * Since: 0.9
 */
char **
roast_aggregator_dup_provides (RoastAggregator *self)
{
  char **names = NULL;

  g_return_val_if_fail (ROAST_IS_AGGREGATOR (self), NULL);

  ROAST_IN_PLUGIN (self, "dup_provides", names = ROAST_AGGREGATOR_GET_IFACE (self)->dup_provides (self));

  return names != NULL ? names : g_new0 (char *, 1);
}

/* Evaluate the formulas in the schema for metrics that the aggregator provides but has not added. */
static void
aggregator_add_formulas (RoastAggregator *self, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_auto (GStrv) names = roast_aggregator_dup_provides (self);

  roast_report_add_formulas (report, recording, (const char *const *) names);
  roast_report_check_agreements (report, recording);
}

/**
 * roast_aggregator_aggregate:
 * @self: an aggregator
 * @recording: the measurements
 * @report: the report to add metrics to
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs the aggregator, then evaluates the formulas of the metrics that it provides but has not added.
 *
 * Fails with an error of the domain #RoastAggregateError: %ROAST_AGGREGATE_ERROR_NO_DATA if the recording lacks the
 * data that the aggregator needs, %ROAST_AGGREGATE_ERROR_BAD_IMPLEMENTATION if the implementation failed without
 * setting an error.
 *
 * Returns: %TRUE on success; %FALSE with an error, which is always set
 *
 * Since: 0.9
 */
gboolean
roast_aggregator_aggregate (RoastAggregator *self, RoastRecordingSnapshot *recording, RoastReport *report,
                            GCancellable *cancellable, GError **error)
{
  GError *local = NULL;
  gboolean computed = FALSE;

  g_return_val_if_fail (ROAST_IS_AGGREGATOR (self), FALSE);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), FALSE);
  g_return_val_if_fail (ROAST_IS_REPORT (report), FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  roast_report_begin (report, roast_plugin_name_maker (G_OBJECT (self)), recording);
  ROAST_IN_PLUGIN (self, "aggregate",
                   computed =
                       ROAST_AGGREGATOR_GET_IFACE (self)->aggregate (self, recording, report, cancellable, &local));
  roast_report_end (report);
  if (computed && local == NULL)
    aggregator_add_formulas (self, recording, report);

  return roast_plugin_call_settle (G_OBJECT (self), computed && local == NULL, local, "aggregate",
                                   ROAST_AGGREGATE_ERROR, ROAST_AGGREGATE_ERROR_BAD_IMPLEMENTATION, error);
}
