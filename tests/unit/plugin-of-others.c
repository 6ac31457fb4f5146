/* SPDX-License-Identifier: BSD-3-Clause */

/* What a plugin of others uses of the public headers, with its own GLib alone: core/base/roast-glib-compat.h is for
 * roast. It is compiled, and that is the test. */

#include <roast/roast.h>

typedef struct
{
  GObject parent_instance;
} OthersBackend;
typedef struct
{
  GObject parent_instance;
} OthersAggregator;
typedef struct
{
  GObject parent_instance;
} OthersExporter;

static void
stop (RoastMetricsBackend *backend, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static gboolean
aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
           GCancellable *cancellable, GError **error)
{
  return TRUE;
}

static gboolean
export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report, RoastOutput *output,
               GCancellable *cancellable, GError **error)
{
  return TRUE;
}

ROAST_DEFINE_BACKEND (OthersBackend, others_backend, iface->stop_tracking = stop)
ROAST_DEFINE_AGGREGATOR (OthersAggregator, others_aggregator, iface->aggregate = aggregate)
ROAST_DEFINE_EXPORTER (OthersExporter, others_exporter, iface->export_report = export_report)
ROAST_DEFINE_PLUGIN ("others", "1.0", ROAST_PLUGIN_BACKEND ("others", others_backend_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("others", others_aggregator_get_type),
                     ROAST_PLUGIN_EXPORTER ("others", others_exporter_get_type))
