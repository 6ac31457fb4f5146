/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-recording-snapshot.h>
#include <roast/roast-report.h>

G_BEGIN_DECLS

#define ROAST_TYPE_AGGREGATOR (roast_aggregator_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_INTERFACE (RoastAggregator, roast_aggregator, ROAST, AGGREGATOR, GObject)

/**
 * RoastAggregatorInterface:
 * @g_iface: the parent
 * @dup_requires: names of the metrics that the aggregator reads from the report; none by default
 * @dup_provides: names of the metrics that the aggregator adds; none by default
 * @aggregate: reads the snapshot and the required metrics, and adds metrics and derived tables to the report
 *
 * Computes metrics from a recording. An aggregator must not have side effects or do I/O. By default @aggregate fails.
 *
 * Since: 0.9
 */
struct _RoastAggregatorInterface
{
  GTypeInterface g_iface;

  char **(*dup_requires) (RoastAggregator *self);
  char **(*dup_provides) (RoastAggregator *self);
  gboolean (*aggregate) (RoastAggregator *self, RoastRecordingSnapshot *recording, RoastReport *report,
                         GCancellable *cancellable, GError **error);

  /*< private >*/
  gpointer _reserved[8];
};

ROAST_AVAILABLE_IN_0_9
char **roast_aggregator_dup_requires (RoastAggregator *self);
ROAST_AVAILABLE_IN_0_9
char **roast_aggregator_dup_provides (RoastAggregator *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_aggregator_aggregate (RoastAggregator *self, RoastRecordingSnapshot *recording, RoastReport *report,
                                     GCancellable *cancellable, GError **error);

G_END_DECLS
