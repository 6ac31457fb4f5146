/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-launch-context.h>
#include <roast/roast-recording.h>
#include <roast/roast-run-connection.h>
#include <roast/roast-span.h>

G_BEGIN_DECLS

/**
 * RoastBackendCapabilities:
 * @ROAST_BACKEND_CAPABILITIES_NOTHING: nothing
 * @ROAST_BACKEND_CAPABILITIES_LAUNCH: can measure a program that roast starts
 * @ROAST_BACKEND_CAPABILITIES_ATTACH: can attach to a running executor or process
 * @ROAST_BACKEND_CAPABILITIES_WORKER_METRICS: measures workers
 * @ROAST_BACKEND_CAPABILITIES_FINE_METRICS: measures how tasks spend their time
 * @ROAST_BACKEND_CAPABILITIES_SPANS: supports spans, which are named periods of the run
 * @ROAST_BACKEND_CAPABILITIES_LIVE: appends rows during the run
 * @ROAST_BACKEND_CAPABILITIES_READ: can read a run that has ended, for example its logs
 * @ROAST_BACKEND_CAPABILITIES_INSTRUMENT: inspects programs that use a certain framework; does nothing in other
 *   programs
 * @ROAST_BACKEND_CAPABILITIES_AUTO: measures an executor in programs that use this executor; does nothing in other
 *   programs
 *
 * What a backend can do with the current run.
 *
 * Since: 0.9
 */
typedef enum
{ /*< flags >*/
  ROAST_BACKEND_CAPABILITIES_NOTHING = 0,
  ROAST_BACKEND_CAPABILITIES_LAUNCH = 1 << 0,
  ROAST_BACKEND_CAPABILITIES_ATTACH = 1 << 1,
  ROAST_BACKEND_CAPABILITIES_WORKER_METRICS = 1 << 2,
  ROAST_BACKEND_CAPABILITIES_FINE_METRICS = 1 << 3,
  ROAST_BACKEND_CAPABILITIES_SPANS = 1 << 4,
  ROAST_BACKEND_CAPABILITIES_LIVE = 1 << 5,
  ROAST_BACKEND_CAPABILITIES_READ = 1 << 6,
  ROAST_BACKEND_CAPABILITIES_INSTRUMENT = 1 << 7,
  ROAST_BACKEND_CAPABILITIES_AUTO = 1 << 8,
} RoastBackendCapabilities;

#define ROAST_TYPE_METRICS_BACKEND (roast_metrics_backend_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_INTERFACE (RoastMetricsBackend, roast_metrics_backend, ROAST, METRICS_BACKEND, GObject)

/**
 * RoastMetricsBackendInterface:
 * @g_iface: the parent
 * @get_capabilities: returns the capabilities; by default the capabilities in the plugin's key file
 * @configure: sets the options; accepts only an empty set by default
 * @prepare_launch: may change the environment and add observers of a launch; does nothing by default
 * @launched: called when the program runs
 * @exited: called with the wait status when the program has ended
 * @attach: attaches to the executor or process at an address, or opens an ended run; completes the task with a boolean
 * @start_tracking: begins to append to the recording; completes the task with a boolean
 * @stop_tracking: appends the last data and stops tracking; completes the task with a boolean
 * @create_span: opens a span; completes the task with a #RoastSpan
 * @close_span: closes a span; completes the task with a boolean
 * @get_span_metrics: completes the task with the metrics of a span, a #GVariant of type `a{sv}`
 * @connected: called when code in the program has connected to the run's socket and named this backend; does nothing
 *   by default
 *
 * Reads data from one executor. Virtual methods that are not implemented fail with %ROAST_BACKEND_ERROR_NOT_SUPPORTED,
 * unless they have a default. An asynchronous method receives a #GTask that it must complete exactly once, now or
 * later; `docs/architecture.md` explains why.
 *
 * Since: 0.9
 */
struct _RoastMetricsBackendInterface
{
  GTypeInterface g_iface;

  RoastBackendCapabilities (*get_capabilities) (RoastMetricsBackend *self);
  gboolean (*configure) (RoastMetricsBackend *self, GVariant *options, GError **error);
  gboolean (*prepare_launch) (RoastMetricsBackend *self, RoastLaunchContext *context, GError **error);
  void (*launched) (RoastMetricsBackend *self, int pid);
  void (*exited) (RoastMetricsBackend *self, int wait_status);
  void (*attach) (RoastMetricsBackend *self, const char *address, GTask *task);
  void (*start_tracking) (RoastMetricsBackend *self, RoastRecording *recording, gint64 interval, GTask *task);
  void (*stop_tracking) (RoastMetricsBackend *self, GTask *task);
  void (*create_span) (RoastMetricsBackend *self, const char *name, GTask *task);
  void (*close_span) (RoastMetricsBackend *self, RoastSpan *span, GTask *task);
  void (*get_span_metrics) (RoastMetricsBackend *self, RoastSpan *span, GTask *task);
  void (*connected) (RoastMetricsBackend *self, RoastRunConnection *connection);

  /*< private >*/
  gpointer _reserved[8];
};

ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_emit_finished (RoastMetricsBackend *self);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_emit_progress (RoastMetricsBackend *self, double fraction);
ROAST_AVAILABLE_IN_0_9
RoastBackendCapabilities roast_metrics_backend_get_capabilities (RoastMetricsBackend *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_supports_fine_metrics (RoastMetricsBackend *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_configure (RoastMetricsBackend *self, GVariant *options, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_prepare_launch (RoastMetricsBackend *self, RoastLaunchContext *context, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_launched (RoastMetricsBackend *self, int pid);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_exited (RoastMetricsBackend *self, int wait_status);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_connected (RoastMetricsBackend *self, RoastRunConnection *connection);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_set_deadline (RoastMetricsBackend *self, gint64 deadline);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_attach_async (RoastMetricsBackend *self, const char *address, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_attach_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_start_tracking_async (RoastMetricsBackend *self, RoastRecording *recording, gint64 interval,
                                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                                 gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_start_tracking_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_stop_tracking_async (RoastMetricsBackend *self, GCancellable *cancellable,
                                                GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_stop_tracking_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_create_span_async (RoastMetricsBackend *self, const char *name, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
RoastSpan *roast_metrics_backend_create_span_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_close_span_async (RoastMetricsBackend *self, RoastSpan *span, GCancellable *cancellable,
                                             GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metrics_backend_close_span_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_metrics_backend_get_span_metrics_async (RoastMetricsBackend *self, RoastSpan *span,
                                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                                   gpointer user_data);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_metrics_backend_get_span_metrics_finish (RoastMetricsBackend *self, GAsyncResult *result,
                                                         GError **error);

G_END_DECLS
