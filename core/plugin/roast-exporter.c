/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-exporter.h"

#include <errno.h>

#include "base/roast-fail-private.h"
#include "roast-plugin-call-private.h"

/**
 * RoastExporter:
 *
 * Writes a recording and its report. An exporter must change neither the recording nor the report.
 *
 * Since: 0.9
 */
G_DEFINE_INTERFACE (RoastExporter, roast_exporter, G_TYPE_OBJECT)

static RoastExporterFlags
real_get_flags (RoastExporter *self)
{
  return ROAST_EXPORTER_FLAGS_NONE;
}

static gboolean
exporter_real_configure (RoastExporter *self, GVariant *options, GError **error)
{
  return roast_plugin_call_refuse_options (G_OBJECT (self), options, error);
}

static gboolean
real_export_report (RoastExporter *self, RoastRecordingSnapshot *recording, RoastReport *report, RoastOutput *output,
                    GCancellable *cancellable, GError **error)
{
  return roast_fail (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION,
                     "%s does not implement export_report()", G_OBJECT_TYPE_NAME (self));
}

static gint64
real_begin_live (RoastExporter *self)
{
  return 0;
}

static void
roast_exporter_default_init (RoastExporterInterface *iface)
{
  iface->get_flags = real_get_flags;
  iface->configure = exporter_real_configure;
  iface->export_report = real_export_report;
  iface->begin_live = real_begin_live;
}

static gboolean
exporter_settle (RoastExporter *self, gboolean ok, GError *local, const char *slot, GError **error)
{
  return roast_plugin_call_settle (G_OBJECT (self), ok, local, slot, ROAST_EXPORT_ERROR,
                                   ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION, error);
}

/* Add the name of the output to an error of its stream, because exporters return errors of the stream unchanged. */
static GError *
exporter_explain (GError *local, RoastOutput *output)
{
  GError *better = NULL;
  const char *why = NULL;

  if (local == NULL || local->domain != G_IO_ERROR || local->code == G_IO_ERROR_CANCELLED)
    return local;
  /* Replace the message of the stream, which would repeat "Error writing to file descriptor: ". */
  why = local->code == G_IO_ERROR_NO_SPACE      ? g_strerror (ENOSPC)
        : local->code == G_IO_ERROR_BROKEN_PIPE ? g_strerror (EPIPE)
                                                : local->message;
  better = g_error_new (ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT, "cannot write %s: %s",
                        roast_output_get_name (output), why);
  g_error_free (local);

  return better;
}

/**
 * roast_exporter_get_flags:
 * @self: an exporter
 *
 * Gets the kind of output that the exporter needs.
 *
 * Returns: the flags
 *
 * Since: 0.9
 */
RoastExporterFlags
roast_exporter_get_flags (RoastExporter *self)
{
  g_return_val_if_fail (ROAST_IS_EXPORTER (self), ROAST_EXPORTER_FLAGS_NONE);

  return ROAST_EXPORTER_GET_IFACE (self)->get_flags (self);
}

/**
 * roast_exporter_configure:
 * @self: an exporter
 * @options: (nullable): options of the exporter by name, as `a{sv}`; consumed if floating
 * @error: return location for an error
 *
 * Sets the options of the exporter. Call this function before the first export.
 *
 * Returns: %TRUE on success; %FALSE with an error, such as %ROAST_OPTION_ERROR_UNKNOWN
 *
 * Since: 0.9
 */
gboolean
roast_exporter_configure (RoastExporter *self, GVariant *options, GError **error)
{
  g_autoptr (GVariant) owned = NULL;
  GError *local = NULL;
  gboolean ok = FALSE;

  g_return_val_if_fail (ROAST_IS_EXPORTER (self), FALSE);

  owned = roast_plugin_call_take_options (options);
  ROAST_IN_PLUGIN (self, "configure", ok = ROAST_EXPORTER_GET_IFACE (self)->configure (self, owned, &local));

  return exporter_settle (self, ok, local, "configure", error);
}

/**
 * roast_exporter_export_report:
 * @self: an exporter
 * @recording: the measurements
 * @report: the report of the recording
 * @output: the destination, which the caller commits
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes the recording and its report. Errors of a stream become %ROAST_EXPORT_ERROR_OUTPUT, with the name of the
 * output in the message.
 *
 * Returns: %TRUE on success; %FALSE with an error, which is always set
 *
 * Since: 0.9
 */
gboolean
roast_exporter_export_report (RoastExporter *self, RoastRecordingSnapshot *recording, RoastReport *report,
                              RoastOutput *output, GCancellable *cancellable, GError **error)
{
  GError *local = NULL;
  gboolean ok = FALSE;

  g_return_val_if_fail (ROAST_IS_EXPORTER (self), FALSE);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), FALSE);
  g_return_val_if_fail (ROAST_IS_REPORT (report), FALSE);
  g_return_val_if_fail (ROAST_IS_OUTPUT (output), FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  ROAST_IN_PLUGIN (self, "export_report",
                   ok = ROAST_EXPORTER_GET_IFACE (self)->export_report (self, recording, report, output, cancellable,
                                                                        &local));

  return exporter_settle (self, ok, exporter_explain (local, output), "export_report", error);
}

/**
 * roast_exporter_begin_live:
 * @self: an exporter with %ROAST_EXPORTER_FLAGS_LIVE
 *
 * Allows an exporter to write during the run, and gets the interval that the exporter's options request. Afterwards the
 * caller calls roast_exporter_export_report() of this exporter with each new report, and runs the default main context
 * between these calls. The last report is the report of the finished run. A caller that exports only once does not need
 * this function.
 *
 * Returns: the time between two reports in µs; 0 if the exporter wants only the final report
 *
 * Since: 0.9
 */
gint64
roast_exporter_begin_live (RoastExporter *self)
{
  gint64 interval = 0;

  g_return_val_if_fail (ROAST_IS_EXPORTER (self), 0);

  ROAST_IN_PLUGIN (self, "begin_live", interval = ROAST_EXPORTER_GET_IFACE (self)->begin_live (self));

  return MAX (interval, 0);
}
