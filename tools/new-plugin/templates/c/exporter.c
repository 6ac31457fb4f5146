/* SPDX-License-Identifier: BSD-3-Clause */

/* An exporter reads a recording and a report, and writes to an output. This one writes a line for each metric that is
 * available. */

#include <roast/roast.h>

typedef struct { GObject parent_instance; } @Type@Exporter;

static gboolean export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                               RoastOutput *output, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GOutputStream) stream = NULL;
  for (guint i = 0; i < metrics->len; i++)
    if (roast_metric_is_available (metrics->pdata[i]))
      {
        g_autofree char *value = g_variant_print (roast_metric_get_value (metrics->pdata[i]), FALSE);
        g_string_append_printf (text, "%s = %s\n", roast_metric_get_name (metrics->pdata[i]), value);
      }
  /* The output is a stream, a file or memory. Errors are passed on; roast adds the name of the output. */
  stream = roast_output_open (output, NULL, error);
  return stream != NULL && g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error) &&
         g_output_stream_close (stream, cancellable, error);
}

ROAST_DEFINE_EXPORTER (@Type@Exporter, @id@_exporter, iface->export_report = export_report)
ROAST_DEFINE_PLUGIN ("@name@", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("@name@", @id@_exporter_get_type))
