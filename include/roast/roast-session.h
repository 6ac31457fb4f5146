/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-aggregator.h>
#include <roast/roast-exporter.h>
#include <roast/roast-launcher.h>
#include <roast/roast-metrics-backend.h>
#include <roast/roast-recording.h>
#include <roast/roast-registry.h>
#include <roast/roast-report.h>

G_BEGIN_DECLS

/**
 * RoastSessionState:
 * @ROAST_SESSION_STATE_IDLE: the session has not started
 * @ROAST_SESSION_STATE_STARTING: backends and the program are being started
 * @ROAST_SESSION_STATE_RUNNING: the program is being measured
 * @ROAST_SESSION_STATE_STOPPING: the last data are being collected
 * @ROAST_SESSION_STATE_FINISHED: the report is ready
 * @ROAST_SESSION_STATE_FAILED: the session could not be started
 *
 * The state of a session.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SESSION_STATE_IDLE,
  ROAST_SESSION_STATE_STARTING,
  ROAST_SESSION_STATE_RUNNING,
  ROAST_SESSION_STATE_STOPPING,
  ROAST_SESSION_STATE_FINISHED,
  ROAST_SESSION_STATE_FAILED,
} RoastSessionState;

#define ROAST_TYPE_SESSION (roast_session_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastSession, roast_session, ROAST, SESSION, GObject)

ROAST_AVAILABLE_IN_0_9
RoastSession *roast_session_new (RoastRegistry *registry);
ROAST_AVAILABLE_IN_0_9
void roast_session_add_backend (RoastSession *self, const char *name, RoastMetricsBackend *backend);
ROAST_AVAILABLE_IN_0_9
void roast_session_add_instruments (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
void roast_session_add_executors (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
void roast_session_add_exporter (RoastSession *self, RoastExporter *exporter, RoastOutput *output);
ROAST_AVAILABLE_IN_0_9
void roast_session_set_interval (RoastSession *self, gint64 interval);
ROAST_AVAILABLE_IN_0_9
void roast_session_set_deadline (RoastSession *self, gint64 deadline);
ROAST_AVAILABLE_IN_0_9
void roast_session_set_tag (RoastSession *self, const char *key, const char *value);
ROAST_AVAILABLE_IN_0_9
void roast_session_set_owns_process (RoastSession *self, gboolean owns_process);
ROAST_AVAILABLE_IN_0_9
RoastSessionState roast_session_get_state (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
RoastRecording *roast_session_get_recording (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
RoastLauncher *roast_session_get_launcher (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
RoastReport *roast_session_get_report (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
void roast_session_launch_async (RoastSession *self, RoastLaunchContext *context, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_launch_finish (RoastSession *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_session_attach_async (RoastSession *self, const char *address, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_attach_finish (RoastSession *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_session_wait_async (RoastSession *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_wait_finish (RoastSession *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_session_leave_out (RoastSession *self, const char *plugin);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_read (RoastSession *self, RoastRecording *recording, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_compare (RoastSession *self, GPtrArray *runs, GPtrArray *reference, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_session_stop (RoastSession *self);
ROAST_AVAILABLE_IN_0_9
void roast_session_open_span_async (RoastSession *self, const char *name, RoastSpan *parent, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
RoastSpan *roast_session_open_span_finish (RoastSession *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_session_close_span_async (RoastSession *self, RoastSpan *span, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_close_span_finish (RoastSession *self, GAsyncResult *result, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_prepare_outputs (RoastSession *self, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_session_export (RoastSession *self, GCancellable *cancellable, GError **error);

G_END_DECLS
