/* SPDX-License-Identifier: BSD-3-Clause */

/* A plugin that was built with the headers of 1.0 and is never built again: all three roles, each doing a little of
 * everything. */

#include <roast/roast.h>

typedef struct { GObject parent_instance; } FrozenBackend;
typedef struct { GObject parent_instance; } FrozenAggregator;
typedef struct { GObject parent_instance; } FrozenExporter;

static RoastBackendCapabilities
get_capabilities (RoastMetricsBackend *backend)
{
  return ROAST_BACKEND_LAUNCH | ROAST_BACKEND_SPANS | ROAST_BACKEND_FINE_METRICS;
}

static void
start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  g_autofree char *source = NULL;
  g_autoptr (RoastTable) table = roast_table_new ("frozen", ROAST_TABLE_LOG, "one row");
  g_autoptr (RoastRow) row = NULL;

  source = roast_recording_add_source (recording, "frozen", NULL, NULL, NULL);
  roast_recording_add_event (recording, source, ROAST_SEVERITY_INFO, "frozen", "still here");
  roast_table_add_column (table, "x", ROAST_COLUMN_DOUBLE, "s", NULL, NULL);
  roast_recording_add_table (recording, table, NULL);
  row = roast_row_new (table);
  roast_row_set_double (row, 0, 1.5);
  roast_table_append (table, row, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
create_span (RoastMetricsBackend *backend, const char *name, GTask *task)
{
  g_task_return_pointer (task, roast_span_new ("1", name, ROAST_SPAN_NATIVE), g_object_unref);
}

static void
close_span (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
get_span_metrics (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  g_task_return_pointer (task, g_variant_ref_sink (g_variant_new ("a{sv}", NULL)), (GDestroyNotify) g_variant_unref);
}

ROAST_DEFINE_BACKEND (FrozenBackend, frozen_backend, iface->get_capabilities = get_capabilities;
                      iface->start_tracking = start_tracking; iface->stop_tracking = stop_tracking;
                      iface->create_span = create_span; iface->close_span = close_span;
                      iface->get_span_metrics = get_span_metrics)

static char **
dup_provides (RoastAggregator *aggregator)
{
  return g_strsplit ("frozen_total", ":", -1);
}

static gboolean
aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report, GCancellable *cancellable,
           GError **error)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_int64 ("frozen_total", 42);

  roast_report_add_metric (report, metric);
  return TRUE;
}

ROAST_DEFINE_AGGREGATOR (FrozenAggregator, frozen_aggregator, iface->dup_provides = dup_provides; iface->aggregate = aggregate)

static gboolean
export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report, RoastOutput *output,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (GOutputStream) stream = roast_output_open (output, NULL, error);
  double value = 0;
  g_autofree char *text = NULL;

  text = g_strdup_printf ("frozen %s\n", roast_report_get_double (report, "frozen_total", &value) && value == 42 ? "42" : "none");
  return stream != NULL && g_output_stream_write_all (stream, text, strlen (text), NULL, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

ROAST_DEFINE_EXPORTER (FrozenExporter, frozen_exporter, iface->export_report = export_report)

ROAST_DEFINE_PLUGIN ("frozen", "1.0", ROAST_PLUGIN_BACKEND ("frozen", frozen_backend_get_type),
                     ROAST_PLUGIN_AGGREGATOR ("frozen", frozen_aggregator_get_type),
                     ROAST_PLUGIN_EXPORTER ("frozen", frozen_exporter_get_type))
