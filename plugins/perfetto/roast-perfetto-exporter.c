/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <roast/roast.h>

#include "exporter.h"
#include "perfetto.h"

G_DECLARE_FINAL_TYPE (RoastPerfettoExporter, roast_perfetto_exporter, ROAST, PERFETTO_EXPORTER, GObject)

struct _RoastPerfettoExporter
{
  GObject parent_instance;

  gboolean compress;
};

static void
write_trace (Export *export, Tasks *tasks)
{
  g_autoptr (Details) details = details_new (export);

  run_write (export);
  workers_write_lives (export);
  tasks_write (tasks, details);
  details_arrange (details);
  chunks_write (export, details);
  transfers_write (export);
  processes_write (export);
  samples_write (export);
  run_write_left_out (export);
}

static gboolean
perfetto_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                        RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastPerfettoExporter *self = ROAST_PERFETTO_EXPORTER (exporter);
  g_autoptr (GOutputStream) stream = roast_output_open (output, "report.perfetto-trace", error);
  g_autoptr (GArray) left_out = g_array_new (FALSE, FALSE, sizeof (LeftOut));
  Export export = { .recording = recording, .report = report, .left_out = left_out };
  g_autoptr (Tasks) tasks = NULL;
  gboolean ok;

  if (stream == NULL)
    return FALSE;
  export.workers = workers_new (&export);
  tasks = tasks_new (&export);
  g_variant_lookup (roast_recording_snapshot_get_metadata (recording), "started", "x", &export.started);
  if (!trace_is_time (export.started))
    export.started = tasks_get_first (tasks) != G_MAXINT64 ? tasks_get_first (tasks) : 1;
  export.trace = trace_new (stream, MIN (export.started, tasks_get_first (tasks)), self->compress, cancellable);
  write_trace (&export, tasks);
  ok = trace_close (export.trace, error);
  trace_free (export.trace);
  workers_free (export.workers);

  return ok;
}

static gboolean
perfetto_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  g_variant_lookup (options, "compress", "b", &ROAST_PERFETTO_EXPORTER (exporter)->compress);

  return TRUE;
}

EXPORTER_DEFINE_TYPE (RoastPerfettoExporter, roast_perfetto_exporter, perfetto, ROAST_EXPORTER_FLAGS_BINARY)

static void
roast_perfetto_exporter_init (RoastPerfettoExporter *self)
{
  self->compress = TRUE;
}

ROAST_DEFINE_PLUGIN ("perfetto", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("perfetto", roast_perfetto_exporter_get_type))
