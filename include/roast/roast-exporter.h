/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-output.h>
#include <roast/roast-recording-snapshot.h>
#include <roast/roast-report.h>

G_BEGIN_DECLS

/**
 * RoastExporterFlags:
 * @ROAST_EXPORTER_FLAGS_NONE: no flags
 * @ROAST_EXPORTER_FLAGS_DIRECTORY: writes several files, and therefore needs a directory
 * @ROAST_EXPORTER_FLAGS_TERMINAL: writes text for readers at a terminal
 * @ROAST_EXPORTER_FLAGS_BINARY: writes data that are not text
 * @ROAST_EXPORTER_FLAGS_LIVE: can write repeatedly during the run, and implements begin_live()
 *
 * The kind of output that an exporter writes.
 *
 * Since: 0.9
 */
typedef enum
{ /*< flags >*/
  ROAST_EXPORTER_FLAGS_NONE = 0,
  ROAST_EXPORTER_FLAGS_DIRECTORY = 1 << 0,
  ROAST_EXPORTER_FLAGS_TERMINAL = 1 << 1,
  ROAST_EXPORTER_FLAGS_BINARY = 1 << 2,
  ROAST_EXPORTER_FLAGS_LIVE = 1 << 3,
} RoastExporterFlags;

#define ROAST_TYPE_EXPORTER (roast_exporter_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_INTERFACE (RoastExporter, roast_exporter, ROAST, EXPORTER, GObject)

/**
 * RoastExporterInterface:
 * @g_iface: the parent
 * @get_flags: returns the kind of output; %ROAST_EXPORTER_FLAGS_NONE by default
 * @configure: sets the options; accepts only an empty set by default
 * @export_report: writes the recording and its report; fails by default
 * @begin_live: returns the interval at which to write during the run; 0 (never) by default
 *
 * Writes a recording and its report to a #RoastOutput. An exporter must not change the recording or the report.
 *
 * Since: 0.9
 */
struct _RoastExporterInterface
{
  GTypeInterface g_iface;

  RoastExporterFlags (*get_flags) (RoastExporter *self);
  gboolean (*configure) (RoastExporter *self, GVariant *options, GError **error);
  gboolean (*export_report) (RoastExporter *self, RoastRecordingSnapshot *recording, RoastReport *report,
                             RoastOutput *output, GCancellable *cancellable, GError **error);
  gint64 (*begin_live) (RoastExporter *self);

  /*< private >*/
  gpointer _reserved[7];
};

ROAST_AVAILABLE_IN_0_9
RoastExporterFlags roast_exporter_get_flags (RoastExporter *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_exporter_configure (RoastExporter *self, GVariant *options, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_exporter_export_report (RoastExporter *self, RoastRecordingSnapshot *recording, RoastReport *report,
                                       RoastOutput *output, GCancellable *cancellable, GError **error);
ROAST_AVAILABLE_IN_0_9
gint64 roast_exporter_begin_live (RoastExporter *self);

G_END_DECLS
