/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-metrics-backend.h"

#include "base/roast-task-private.h"
#include "base/roast-type-private.h"
#include "roast-plugin-call-private.h"
#include "roast-plugin-private.h"
#include "roast/roast-enums.h"
#include "roast/roast-error.h"

/**
 * RoastMetricsBackend:
 *
 * Reads data from one executor and appends the data to a recording.
 *
 * Callers use the functions below, which check arguments, guard against faulty implementations and enforce deadlines.
 * Plugins implement the virtual methods of the interface.
 *
 * Since: 0.9
 */
G_DEFINE_INTERFACE (RoastMetricsBackend, roast_metrics_backend, G_TYPE_OBJECT)

static guint signal_finished;
static guint signal_progress;

/* Key of object data that is set while the backend tracks or is being started. The functions below check this key, so
 * that implementations need not check whether they track. */
#define TRACKS "roast-metrics-backend-tracks"
#define DEADLINE "roast-metrics-backend-deadline" /* key of a gint64; not set if there is no deadline */

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
metrics_backend_real_configure (RoastMetricsBackend *self, GVariant *options, GError **error)
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
 * @address: an address, whose meaning depends on the backend: a pid, a URL, a directory, a file
 * @task: the task to complete with a boolean
 *
 * Attaches to a running executor or process. This method is called once, before start_tracking, if there is an address.
 * It is never called for a program that roast launches. If nothing answers at the address, return
 * %ROAST_BACKEND_ERROR_CONNECT with a message that tells the user what to do.
 *
 * Since: 0.9
 */
/**
 * RoastMetricsBackendInterface::start_tracking:
 * @self: a backend
 * @recording: the recording to append to
 * @interval: time between two samples, in µs
 * @task: the task to complete with a boolean
 *
 * Begins to append to the recording. The backend must keep a reference to the recording. This method is called before
 * the program is launched, or after attach, and never while the backend tracks.
 *
 * Since: 0.9
 */
/**
 * RoastMetricsBackendInterface::stop_tracking:
 * @self: a backend
 * @task: the task to complete with a boolean
 *
 * Appends the last data and stops tracking. This method is called once after each successful start_tracking: when the
 * program or the measurement has ended, whichever is first.
 *
 * Since: 0.9
 */
/**
 * RoastMetricsBackendInterface::create_span:
 * @self: a backend
 * @name: name of the span, from the application
 * @task: the task to complete with a #RoastSpan, transfer full
 *
 * Opens a span: a named period of the run. If the executor does not support spans, the backend subtracts the values at
 * the start of the span from the values at the end of the span.
 *
 * Since: 0.9
 */
/**
 * RoastMetricsBackendInterface::close_span:
 * @self: a backend
 * @span: a span from create_span
 * @task: the task to complete with a boolean
 *
 * Closes a span. Return %ROAST_BACKEND_ERROR_UNKNOWN_SPAN for a span of another backend.
 *
 * Since: 0.9
 */
/**
 * RoastMetricsBackendInterface::get_span_metrics:
 * @self: a backend
 * @span: a span from create_span
 * @task: the task to complete with a #GVariant of type `a{sv}`, transfer full
 *
 * Gets the values that were measured in a span, by metric name.
 *
 * Since: 0.9
 */
/**
 * RoastMetricsBackendInterface::connected:
 * @self: a backend
 * @connection: a connection, which emits #RoastRunConnection::received for each line
 *
 * Hands over a connection to the run's socket whose greeting names this backend. Keep a reference to the connection as
 * long as it is needed. This method is called between start_tracking and stop_tracking.
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
  iface->configure = metrics_backend_real_configure;
  iface->prepare_launch = real_prepare_launch;
  iface->launched = real_told;
  iface->exited = real_told;
  iface->connected = real_connected;

  /**
   * RoastMetricsBackend::finished:
   * @self: the backend
   *
   * Emitted when the attached executor or process has ended, and there is nothing more to measure.
   *
   * Since: 0.9
   */
  signal_finished =
      g_signal_new ("finished", ROAST_TYPE_METRICS_BACKEND, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * RoastMetricsBackend::progress:
   * @self: the backend
   * @fraction: the fraction of the past run that was read, from 0 to 1
   *
   * Emitted when the backend has read a part of a past run.
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
 * Emits [signal@Roast.MetricsBackend::finished]. Only implementations call this function.
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
 * @fraction: the fraction of the past run that was read, from 0 to 1
 *
 * Emits [signal@Roast.MetricsBackend::progress]. Only implementations that read long logs call this function. roast-run
 * shows the progress on a terminal.
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
 * Gets the capabilities of a backend. A backend may get more capabilities when it attaches or starts to track.
 *
 * Returns: the capabilities for the current target
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
 * Checks whether the backend has %ROAST_BACKEND_CAPABILITIES_FINE_METRICS.
 *
 * Returns: whether the backend reports the activities on which tasks spent their time
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_supports_fine_metrics (RoastMetricsBackend *self)
{
  return (roast_metrics_backend_get_capabilities (self) & ROAST_BACKEND_CAPABILITIES_FINE_METRICS) != 0;
}

static gboolean
metrics_backend_settle (RoastMetricsBackend *self, gboolean ok, GError *local, const char *slot, GError **error)
{
  return roast_plugin_call_settle (G_OBJECT (self), ok, local, slot, ROAST_BACKEND_ERROR,
                                   ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION, error);
}

/**
 * roast_metrics_backend_configure:
 * @self: a backend
 * @options: (nullable): options of the backend by name, as `a{sv}`; consumed if floating
 * @error: return location for an error
 *
 * Sets the options of the backend. Call this function before any other function of the backend.
 *
 * Returns: %TRUE on success; %FALSE with an error, such as %ROAST_OPTION_ERROR_UNKNOWN
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

  return metrics_backend_settle (self, ok, local, "configure", error);
}

/**
 * roast_metrics_backend_prepare_launch:
 * @self: a backend
 * @context: the program that will be launched
 * @error: return location for an error
 *
 * Lets the backend change the environment of a program that is about to be launched, and add observers of its
 * processes.
 *
 * Fails with the backend's own error, or with %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if the backend failed without
 * setting an error.
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

  return metrics_backend_settle (self, ok, local, "prepare_launch", error);
}

/**
 * roast_metrics_backend_launched:
 * @self: a backend
 * @pid: process id of the program
 *
 * Tells the backend that the program runs.
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
 * @wait_status: the status from `waitpid()`; -1 if unknown
 *
 * Tells the backend that the program has ended.
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
 * Hands over a connection to the run's socket whose greeting names the backend.
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
 * @deadline: maximum time of each operation, in µs; 0 for no limit
 *
 * Limits the time of every operation of the backend. An operation that takes longer fails with
 * %ROAST_BACKEND_ERROR_TIMED_OUT. A session sets its own deadline on its backends.
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

/* Begins an operation: calls the virtual method @slot with the other arguments and the task that the method must
 * complete. @WHAT says what a backend without this method does not support. */
#define ASK_BACKEND(slot, TYPE, WHAT, ...)                                                                             \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autoptr (GTask) task = roast_guarded_task_new (self, roast_metrics_backend_##slot##_async, TYPE, #slot,          \
                                                     get_deadline (self), cancellable, callback, user_data);           \
                                                                                                                       \
    if (ROAST_METRICS_BACKEND_GET_IFACE (self)->slot == NULL)                                                          \
      not_supported (self, task, WHAT);                                                                                \
    else                                                                                                               \
      ROAST_IN_PLUGIN (self, #slot, ROAST_METRICS_BACKEND_GET_IFACE (self)->slot (__VA_ARGS__, task));                 \
  }                                                                                                                    \
  G_STMT_END

/**
 * roast_metrics_backend_attach_async:
 * @self: a backend
 * @address: an address, whose meaning depends on the backend: a pid, a URL, a directory
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the operation is done
 * @user_data: data for @callback
 *
 * Attaches to a running executor or process.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_attach_async (RoastMetricsBackend *self, const char *address, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (address != NULL);

  ASK_BACKEND (attach, G_TYPE_BOOLEAN, "attach to an executor or a process", self, address);
}

/**
 * roast_metrics_backend_attach_finish:
 * @self: a backend
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.MetricsBackend.attach_async].
 *
 * Fails with %ROAST_BACKEND_ERROR_CONNECT if nothing answers at the address, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the
 * backend cannot attach, %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if
 * the backend broke the rules of the interface, or the backend's own error.
 *
 * Returns: whether the backend attached
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (MetricsBackend, gboolean, roast_metrics_backend_attach_finish, boolean)

/**
 * roast_metrics_backend_start_tracking_async:
 * @self: a backend
 * @recording: the recording to append to
 * @interval: time between two samples, in µs
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the operation is done
 * @user_data: data for @callback
 *
 * Begins to append to a recording. Call this function before a program is launched, or after the backend has attached.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_start_tracking_async (RoastMetricsBackend *self, RoastRecording *recording, gint64 interval,
                                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_RECORDING (recording));
  g_return_if_fail (interval > 0);

  if (get_tracks (self))
    {
      g_task_report_new_error (self, callback, user_data, NULL, ROAST_BACKEND_ERROR,
                               ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "%s is already tracking: stop tracking first, or create another backend",
                               G_OBJECT_TYPE_NAME (self));
      return;
    }
  set_tracks (self, TRUE);
  ASK_BACKEND (start_tracking, G_TYPE_BOOLEAN, "start tracking", self, recording, interval);
}

/**
 * roast_metrics_backend_start_tracking_finish:
 * @self: a backend
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.MetricsBackend.start_tracking_async].
 *
 * Fails with %ROAST_BACKEND_ERROR_ALREADY_TRACKING, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend cannot track,
 * %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if the backend broke the
 * rules of the interface, or the backend's own error.
 *
 * Returns: whether the backend tracks
 *
 * Since: 0.9
 */
gboolean
roast_metrics_backend_start_tracking_finish (RoastMetricsBackend *self, GAsyncResult *result, GError **error)
{
  gboolean ok = FALSE;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  ok = g_task_propagate_boolean (G_TASK (result), error);
  /* If the start was refused because the backend already tracks, the result has no tag, and the backend still
   * tracks. */
  if (!ok && g_async_result_is_tagged (result, roast_metrics_backend_start_tracking_async))
    set_tracks (self, FALSE);

  return ok;
}

/**
 * roast_metrics_backend_stop_tracking_async:
 * @self: a backend
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the operation is done
 * @user_data: data for @callback
 *
 * Appends the last data to the recording, and stops tracking.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_stop_tracking_async (RoastMetricsBackend *self, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));

  if (!get_tracks (self))
    {
      g_task_report_new_error (self, callback, user_data, roast_metrics_backend_stop_tracking_async,
                               ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING,
                               "%s is not tracking: start tracking first", G_OBJECT_TYPE_NAME (self));
      return;
    }
  set_tracks (self, FALSE);
  ASK_BACKEND (stop_tracking, G_TYPE_BOOLEAN, "stop tracking", self);
}

/**
 * roast_metrics_backend_stop_tracking_finish:
 * @self: a backend
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.MetricsBackend.stop_tracking_async].
 *
 * Fails with %ROAST_BACKEND_ERROR_NOT_TRACKING, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend cannot stop tracking,
 * %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if the backend broke the
 * rules of the interface, or the backend's own error.
 *
 * Returns: whether all data were appended
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (MetricsBackend, gboolean, roast_metrics_backend_stop_tracking_finish, boolean)

/**
 * roast_metrics_backend_create_span_async:
 * @self: a backend
 * @name: name of the span
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the operation is done
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
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (name != NULL);

  ASK_BACKEND (create_span, ROAST_TYPE_SPAN, "create spans", self, name);
}

/**
 * roast_metrics_backend_create_span_finish:
 * @self: a backend
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.MetricsBackend.create_span_async].
 *
 * Fails with %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend has no spans, %ROAST_BACKEND_ERROR_TIMED_OUT after the
 * deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if the backend broke the rules of the interface, or the backend's
 * own error.
 *
 * Returns: (transfer full): the span; %NULL with an error
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (MetricsBackend, RoastSpan *, roast_metrics_backend_create_span_finish, pointer)

/**
 * roast_metrics_backend_close_span_async:
 * @self: a backend
 * @span: a span of this backend
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the operation is done
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
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_SPAN (span));

  ASK_BACKEND (close_span, G_TYPE_BOOLEAN, "close spans", self, span);
}

/**
 * roast_metrics_backend_close_span_finish:
 * @self: a backend
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.MetricsBackend.close_span_async].
 *
 * Fails with %ROAST_BACKEND_ERROR_UNKNOWN_SPAN, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not support the
 * operation, %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if the backend
 * broke the rules of the interface, or the backend's own error.
 *
 * Returns: whether the span is closed
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (MetricsBackend, gboolean, roast_metrics_backend_close_span_finish, boolean)

/**
 * roast_metrics_backend_get_span_metrics_async:
 * @self: a backend
 * @span: a span of this backend
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the operation is done
 * @user_data: data for @callback
 *
 * Gets the values that were measured in a span.
 *
 * Since: 0.9
 */
void
roast_metrics_backend_get_span_metrics_async (RoastMetricsBackend *self, RoastSpan *span, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (self));
  g_return_if_fail (ROAST_IS_SPAN (span));

  ASK_BACKEND (get_span_metrics, G_TYPE_VARIANT, "report the metrics of a span", self, span);
}

/**
 * roast_metrics_backend_get_span_metrics_finish:
 * @self: a backend
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.MetricsBackend.get_span_metrics_async].
 *
 * Fails with %ROAST_BACKEND_ERROR_UNKNOWN_SPAN, %ROAST_BACKEND_ERROR_NOT_SUPPORTED if the backend does not support the
 * operation, %ROAST_BACKEND_ERROR_TIMED_OUT after the deadline, %ROAST_BACKEND_ERROR_BAD_IMPLEMENTATION if the backend
 * broke the rules of the interface, or the backend's own error.
 *
 * Returns: (transfer full): metrics by name, as `a{sv}`; %NULL with an error
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (MetricsBackend, GVariant *, roast_metrics_backend_get_span_metrics_finish, pointer)
