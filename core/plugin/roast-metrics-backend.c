/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-metrics-backend.h"

#include "base/roast-task-private.h"
#include "roast-plugin-call-private.h"
#include "roast-plugin-private.h"
#include "roast/roast-enums.h"
#include "roast/roast-error.h"

/**
 * RoastMetricsBackend:
 *
 * Reads one executor and appends to a recording.
 *
 * Callers use the functions below, which check, guard and set deadlines; implementations fill the slots of the
 * interface: its virtual methods.
 *
 * Since: 0.9
 */
G_DEFINE_INTERFACE (RoastMetricsBackend, roast_metrics_backend, G_TYPE_OBJECT)

static guint signal_finished;
static guint signal_progress;

/* Set while it tracks, or is being started: so no backend needs to look itself. */
#define TRACKS "roast-metrics-backend-tracks"
#define DEADLINE "roast-metrics-backend-deadline" /* gint64; missing if there is none */

static gboolean
get_tracks (RoastMetricsBackend *self)
{
  return g_object_get_data (G_OBJECT (self), TRACKS) != NULL;
}

static void
set_tracks (RoastMetricsBackend *self, gboolean tracks)
{
  g_object_set_data (G_OBJECT (self), TRACKS, GINT_TO_POINTER (tracks));
}

static RoastBackendCapabilities
real_get_capabilities (RoastMetricsBackend *self)
{
  g_autoptr (GFlagsClass) flags = g_type_class_ref (ROAST_TYPE_BACKEND_CAPABILITIES);
  const char *const *names = roast_plugin_get_uses (G_OBJECT (self));
  guint capabilities = ROAST_BACKEND_CAPABILITIES_NOTHING;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      GFlagsValue *value = g_flags_get_value_by_nick (flags, names[i]);

      capabilities |= value != NULL ? value->value : 0;
    }

  return capabilities;
}

static gboolean
real_configure (RoastMetricsBackend *self, GVariant *options, GError **error)
{
  return roast_plugin_call_refuse_options (G_OBJECT (self), options, error);
}

static gboolean
real_prepare_launch (RoastMetricsBackend *self, RoastLaunchContext *context, GError **error)
{
  return TRUE;
}

static void
real_told (RoastMetricsBackend *self, int number)
{
}

static void
not_supported (RoastMetricsBackend *self, GTask *task, const char *what)
{
  g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_SUPPORTED, "%s cannot %s",
                           G_OBJECT_TYPE_NAME (self), what);
}

/**
 * RoastMetricsBackendInterface::attach:
 * @self: a backend
 * @address: where it is: what that means is the backend's: a pid, a URL, a directory, a file
 * @task: to be completed with a boolean
 *
 * Joins what already runs. Called once, before start_tracking, if there is an address; never for a program that roast
 * launches. Return %ROAST_BACKEND_ERROR_CONNECT if nothing answers there, and say what to do.
 *
 * Since: 0.9
 */
static void
real_attach (RoastMetricsBackend *self, const char *address, GTask *task)
{
  not_supported (self, task, "attach to an executor or a process");
}

/**
 * RoastMetricsBackendInterface::start_tracking:
 * @self: a backend
 * @recording: where what it measures goes
 * @interval: time between two samples, µs
 * @task: to be completed with a boolean
 *
 * Begins to append to the recording: keep a reference on it. Called before the program is launched, or after the
 * attach; never while it tracks.
 *
 * Since: 0.9
 */
static void
real_start_tracking (RoastMetricsBackend *self, RoastRecording *recording, gint64 interval, GTask *task)
{
  not_supported (self, task, "start tracking");
}

/**
 * RoastMetricsBackendInterface::stop_tracking:
 * @self: a backend
 * @task: to be completed with a boolean
 *
 * Appends what is missing, then stops to append. Called once the program has ended, or when the measurement is to end
 * before; never without a start that succeeded.
 *
 * Since: 0.9
 */
static void
real_stop_tracking (RoastMetricsBackend *self, GTask *task)
{
  not_supported (self, task, "stop tracking");
}

/**
 * RoastMetricsBackendInterface::create_span:
 * @self: a backend
 * @name: its name, as the application gave it
 * @task: to be completed with a #RoastSpan, transfer full
 *
 * Opens a span: a named stretch of the run that the executor knows, or that the backend takes the difference of.
 *
 * Since: 0.9
 */
static void
real_create_span (RoastMetricsBackend *self, const char *name, GTask *task)
{
  not_supported (self, task, "create spans");
}

/**
 * RoastMetricsBackendInterface::close_span:
 * @self: a backend
 * @span: a span that create_span made
 * @task: to be completed with a boolean
 *
 * Closes a span. One of another backend is %ROAST_BACKEND_ERROR_UNKNOWN_SPAN.
 *
 * Since: 0.9
 */
static void
real_close_span (RoastMetricsBackend *self, RoastSpan *span, GTask *task)
{
  not_supported (self, task, "close spans");
}

/**
 * RoastMetricsBackendInterface::get_span_metrics:
 * @self: a backend
 * @span: a span that create_span made
 * @task: to be completed with a #GVariant of type `a{sv}`, transfer full
 *
 * Gets the values measured in a span, by the name of a metric.
 *
 * Since: 0.9
 */
static void
real_get_span_metrics (RoastMetricsBackend *self, RoastSpan *span, GTask *task)
{
  not_supported (self, task, "report the metrics of a span");
}

/**
 * RoastMetricsBackendInterface::connected:
 * @self: a backend
 * @connection: a connection, whose lines arrive by its signal #RoastRunConnection::received
 *
 * A connection on the run's socket whose greeting names this backend. Keep a reference as long as it is needed. Called
 * between start_tracking and stop_tracking.
 *
 * Since: 0.9
 */
static void
real_connected (RoastMetricsBackend *self, RoastRunConnection *connection)
{
}

static void
roast_metrics_backend_default_init (RoastMetricsBackendInterface *iface)
{
  iface->get_capabilities = real_get_capabilities;
  iface->configure = real_configure;
  iface->prepare_launch = real_prepare_launch;
  iface->launched = real_told;
  iface->exited = real_told;
  iface->attach = real_attach;
  iface->start_tracking = real_start_tracking;
  iface->stop_tracking = real_stop_tracking;
  iface->create_span = real_create_span;
  iface->close_span = real_close_span;
  iface->get_span_metrics = real_get_span_metrics;
  iface->connected = real_connected;

  /**
   * RoastMetricsBackend::finished:
   * @self: the backend
   *
   * What the backend attached to has come to its end: there is nothing more to measure.
   *
   * Since: 0.9
   */
  signal_finished =
      g_signal_new ("finished", ROAST_TYPE_METRICS_BACKEND, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * RoastMetricsBackend::progress:
   * @self: the backend
   * @fraction: from 0 to 1
   *
   * The backend has read this part of what is over.
   *
   * Since: 0.9
   */
  signal_progress = g_signal_new ("progress", ROAST_TYPE_METRICS_BACKEND, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

/**
 * roast_metrics_backend_emit_finished:
 * @self: a backend
 *
 * Emits [signal@Roast.MetricsBackend::finished]: for implementations.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_emit_finished (RoastMetricsBackend *self)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));

  g_signal_emit (self, signal_finished, 0);
}

/**
 * roast_metrics_backend_emit_progress:
 * @self: a backend
 * @fraction: how much of what is over has been read, from 0 to 1
 *
 * Emits [signal@Roast.MetricsBackend::progress]: for implementations that read long logs. roast-run shows it on a
 * terminal.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_emit_progress (RoastMetricsBackend *self, double fraction)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (fraction >= 0 && fraction <= 1);

  g_signal_emit (self, signal_progress, 0, fraction);
}

/**
 * roast_metrics_backend_get_capabilities:
 * @self: a backend
 *
 * Gets the capabilities of a backend; there may be more once it is attached or tracking.
 *
 * Returns: what it can do on what it measures now
 *
 * Since: 0.9
 */
RoastBackendCapabilities
roast_metrics_backend_get_capabilities (RoastMetricsBackend *self)
{
  RoastBackendCapabilities capabilities = ROAST_BACKEND_CAPABILITIES_NOTHING;

  g_return_val_if_fail (ROAST_IS_METRICS_BACKEND (self), ROAST_BACKEND_CAPABILITIES_NOTHING);

  ROAST_IN_PLUGIN (self, "get_capabilities",
                   capabilities = ROAST_METRICS_BACKEND_GET_IFACE (self)->get_capabilities (self));

  return capabilities;
}

/**
 * roast_metrics_backend_supports_fine_metrics:
 * @self: a backend
 *
 * Looks for %ROAST_BACKEND_CAPABILITIES_FINE_METRICS among the capabilities.
 *
 * Returns: whether it says what tasks spent their time on
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_supports_fine_metrics (RoastMetricsBackend *self)
{
  return (roast_metrics_backend_get_capabilities (self) & ROAST_BACKEND_CAPABILITIES_FINE_METRICS) != 0;
}

static gboolean
settle (RoastMetricsBackend *self, gboolean ok, GError *local, const char *slot, GError **error)
{
  return roast_plugin_call_settle (G_OBJECT (self), ok, local, slot, ROAST_BACKEND_ERROR,
                                   ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION, error);
}

/**
 * roast_metrics_backend_configure:
 * @self: a backend
 * @options: (nullable): its options by name, as `a{sv}`; consumed if floating
 * @error: return location for an error
 *
 * Gives it its options, before anything else.
 *
 * Returns: %FALSE with an error, as %ROAST_OPTION_ERROR_UNKNOWN
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_configure (RoastMetricsBackend *self, GVariant *options, GError **error)
{
  g_autoptr (GVariant) owned = NULL;
  GError *local = NULL;
  gboolean ok = FALSE;

  g_return_val_if_fail (ROAST_IS_METRICS_BACKEND (self), FALSE);

  owned = roast_plugin_call_take_options (options);
  ROAST_IN_PLUGIN (self, "configure", ok = ROAST_METRICS_BACKEND_GET_IFACE (self)->configure (self, owned, &local));

  return settle (self, ok, local, "configure", error);
}

/**
 * roast_metrics_backend_prepare_launch:
 * @self: a backend
 * @context: what will be launched
 * @error: return location for an error
 *
 * Lets it add to the environment of a program that is about to be launched, and observe its processes.
 *
 * Fails with the backend's own error, or %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it failed without saying why.
 *
 * Returns: %TRUE if the program may be launched
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_prepare_launch (RoastMetricsBackend *self, RoastLaunchContext *context, GError **error)
{
  GError *local = NULL;
  gboolean ok = FALSE;

  g_return_val_if_fail (ROAST_IS_METRICS_BACKEND (self), FALSE);
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (context), FALSE);

  ROAST_IN_PLUGIN (self, "prepare_launch",
                   ok = ROAST_METRICS_BACKEND_GET_IFACE (self)->prepare_launch (self, context, &local));

  return settle (self, ok, local, "prepare_launch", error);
}

/**
 * roast_metrics_backend_launched:
 * @self: a backend
 * @pid: the program
 *
 * Tells it that the program runs.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_launched (RoastMetricsBackend *self, int pid)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));

  ROAST_IN_PLUGIN (self, "launched", ROAST_METRICS_BACKEND_GET_IFACE (self)->launched (self, pid));
}

/**
 * roast_metrics_backend_exited:
 * @self: a backend
 * @wait_status: as `waitpid()` gives it; -1 if unknown
 *
 * Tells it that the program ended.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_exited (RoastMetricsBackend *self, int wait_status)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));

  ROAST_IN_PLUGIN (self, "exited", ROAST_METRICS_BACKEND_GET_IFACE (self)->exited (self, wait_status));
}

/**
 * roast_metrics_backend_connected:
 * @self: a backend
 * @connection: a connection
 *
 * Hands over a connection on the run's socket whose greeting names the backend.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_connected (RoastMetricsBackend *self, RoastRunConnection *connection)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_RUN_CONNECTION (connection));

  ROAST_IN_PLUGIN (self, "connected", ROAST_METRICS_BACKEND_GET_IFACE (self)->connected (self, connection));
}

static gint64
get_deadline (RoastMetricsBackend *self)
{
  const gint64 *deadline = g_object_get_data (G_OBJECT (self), DEADLINE);

  return deadline != NULL ? *deadline : 0;
}

/**
 * roast_metrics_backend_set_deadline:
 * @self: a backend
 * @deadline: how long each operation may take, in µs; 0 for as long as it likes
 *
 * Limits the time of every operation of the backend: one that takes longer fails with %ROAST_BACKEND_ERROR_TIMED_OUT. A
 * session sets its own deadline on its backends.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_set_deadline (RoastMetricsBackend *self, gint64 deadline)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (deadline >= 0);

  g_object_set_data_full (G_OBJECT (self), DEADLINE, g_memdup2 (&deadline, sizeof deadline), g_free);
}

/* Begins an operation; returns the task for the slot that implements it. */
static GTask *
begin (RoastMetricsBackend *self, gpointer tag, GType type, const char *slot, GCancellable *cancellable,
       GAsyncReadyCallback callback, gpointer user_data)
{
  return roast_guarded_task_new (self, tag, type, slot, get_deadline (self), cancellable, callback, user_data);
}

/**
 * roast_metrics_backend_attach_async:
 * @self: a backend
 * @address: where it is: what that means is the backend's: a pid, a URL, a directory
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for @callback
 *
 * Joins what already runs.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_attach_async (RoastMetricsBackend *self, const char *address, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) inner = NULL;

  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (address != NULL);

  inner = begin (self, roast_metrics_backend_attach_async, G_TYPE_BOOLEAN, "attach", cancellable, callback, user_data);
  ROAST_IN_PLUGIN (self, "attach", ROAST_METRICS_BACKEND_GET_IFACE (self)->attach (self, address, inner));
}

/**
 * roast_metrics_backend_attach_finish:
 * @self: a backend
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what [method@Roast.MetricsBackend.attach_async] began.
 *
 * Fails with %ROAST_BACKEND_ERROR_CONNECT if nothing answers there, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend
 * does not offer it, %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it
 * broke the rules of the interface, or the backend's own error.
 *
 * Returns: whether it joined
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_attach_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_metrics_backend_start_tracking_async:
 * @self: a backend
 * @recording: where what it measures goes
 * @interval: time between two samples, µs
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for @callback
 *
 * Begins to append to a recording. Called before a program is launched, or after an attach.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_start_tracking_async (RoastMetricsBackend *self, RoastRecording *recording, gint64 interval,
                                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) inner = NULL;

  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_RECORDING (recording));
  g_return_if_fail (interval > 0);

  if (get_tracks (self))
    {
      g_task_report_new_error (self, callback, user_data, NULL, ROAST_BACKEND_ERROR,
                               ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "%s is already tracking: stop it first, or create another one",
                               G_OBJECT_TYPE_NAME (self));
      return;
    }
  set_tracks (self, TRUE);
  inner = begin (self, roast_metrics_backend_start_tracking_async, G_TYPE_BOOLEAN, "start_tracking", cancellable,
                 callback, user_data);
  ROAST_IN_PLUGIN (self, "start_tracking",
                   ROAST_METRICS_BACKEND_GET_IFACE (self)->start_tracking (self, recording, interval, inner));
}

/**
 * roast_metrics_backend_start_tracking_finish:
 * @self: a backend
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what [method@Roast.MetricsBackend.start_tracking_async] began.
 *
 * Fails with %ROAST_BACKEND_ERROR_ALREADY_TRACKING, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not offer
 * it, %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it broke the rules
 * of the interface, or the backend's own error.
 *
 * Returns: whether it tracks
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_start_tracking_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  gboolean ok = FALSE;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  ok = g_task_propagate_boolean (G_TASK (result), error);
  /* One that was refused changes nothing: it has no tag. */
  if (!ok && g_async_result_is_tagged (result, roast_metrics_backend_start_tracking_async))
    set_tracks (self, FALSE);

  return ok;
}

/**
 * roast_metrics_backend_stop_tracking_async:
 * @self: a backend
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for @callback
 *
 * Appends what is missing and ends. The data are in the recording.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_stop_tracking_async (RoastMetricsBackend *self, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) inner = NULL;

  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));

  if (!get_tracks (self))
    {
      g_task_report_new_error (self, callback, user_data, roast_metrics_backend_stop_tracking_async,
                               ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING,
                               "%s is not tracking: start it first", G_OBJECT_TYPE_NAME (self));
      return;
    }
  set_tracks (self, FALSE);
  inner = begin (self, roast_metrics_backend_stop_tracking_async, G_TYPE_BOOLEAN, "stop_tracking", cancellable,
                 callback, user_data);
  ROAST_IN_PLUGIN (self, "stop_tracking", ROAST_METRICS_BACKEND_GET_IFACE (self)->stop_tracking (self, inner));
}

/**
 * roast_metrics_backend_stop_tracking_finish:
 * @self: a backend
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what [method@Roast.MetricsBackend.stop_tracking_async] began.
 *
 * Fails with %ROAST_BACKEND_ERROR_NOT_TRACKING, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not offer it,
 * %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it broke the rules of
 * the interface, or the backend's own error.
 *
 * Returns: whether everything was appended
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_stop_tracking_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_metrics_backend_create_span_async:
 * @self: a backend
 * @name: its name
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for @callback
 *
 * Opens a span.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_create_span_async (RoastMetricsBackend *self, const char *name, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) inner = NULL;

  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (name != NULL);

  inner = begin (self, roast_metrics_backend_create_span_async, ROAST_TYPE_SPAN, "create_span", cancellable, callback,
                 user_data);
  ROAST_IN_PLUGIN (self, "create_span", ROAST_METRICS_BACKEND_GET_IFACE (self)->create_span (self, name, inner));
}

/**
 * roast_metrics_backend_create_span_finish:
 * @self: a backend
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what [method@Roast.MetricsBackend.create_span_async] began.
 *
 * Fails with %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not offer it, %ROAST_BACKEND_ERROR_TIMED_OUT after
 * the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it broke the rules of the interface, or the backend's own
 * error.
 *
 * Returns: (transfer full): the span; %NULL with an error
 *
 * Since: 0.9
 */
RoastSpan *
roast_metrics_backend_create_span_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * roast_metrics_backend_close_span_async:
 * @self: a backend
 * @span: a span of this backend
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for @callback
 *
 * Closes a span.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_close_span_async (RoastMetricsBackend *self, RoastSpan *span, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) inner = NULL;

  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_SPAN (span));

  inner = begin (self, roast_metrics_backend_close_span_async, G_TYPE_BOOLEAN, "close_span", cancellable, callback,
                 user_data);
  ROAST_IN_PLUGIN (self, "close_span", ROAST_METRICS_BACKEND_GET_IFACE (self)->close_span (self, span, inner));
}

/**
 * roast_metrics_backend_close_span_finish:
 * @self: a backend
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what [method@Roast.MetricsBackend.close_span_async] began.
 *
 * Fails with %ROAST_BACKEND_ERROR_UNKNOWN_SPAN, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not offer it,
 * %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it broke the rules of
 * the interface, or the backend's own error.
 *
 * Returns: whether it is closed
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_close_span_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_metrics_backend_get_span_metrics_async:
 * @self: a backend
 * @span: a span of this backend
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for @callback
 *
 * Gets the values measured in a span.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_get_span_metrics_async (RoastMetricsBackend *self, RoastSpan *span, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) inner = NULL;

  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_SPAN (span));

  inner = begin (self, roast_metrics_backend_get_span_metrics_async, G_TYPE_VARIANT, "get_span_metrics", cancellable,
                 callback, user_data);
  ROAST_IN_PLUGIN (self, "get_span_metrics",
                   ROAST_METRICS_BACKEND_GET_IFACE (self)->get_span_metrics (self, span, inner));
}

/**
 * roast_metrics_backend_get_span_metrics_finish:
 * @self: a backend
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what [method@Roast.MetricsBackend.get_span_metrics_async] began.
 *
 * Fails with %ROAST_BACKEND_ERROR_UNKNOWN_SPAN, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not offer it,
 * %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if it broke the rules of
 * the interface, or the backend's own error.
 *
 * Returns: (transfer full): metrics by name, as `a{sv}`; %NULL with an error
 *
 * Since: 0.9
 */
GVariant *
roast_metrics_backend_get_span_metrics_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
