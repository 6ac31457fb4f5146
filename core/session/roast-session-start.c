/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-session-private.h"

#include "base/roast-redact-private.h"
#include "base/roast-settings-private.h"
#include "base/roast-type-private.h"
#include "plugin/roast-plugin-private.h"

#include "roast/roast-error.h"
#include "roast/roast-version.h"

static void start_next_backend (RoastSession *self);

static GVariant *
tags_variant (RoastSession *self)
{
  g_autoptr (GVariant) all = g_variant_ref_sink (g_variant_dict_end (self->tags));
  GVariantBuilder builder;
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    g_variant_builder_add (&builder, "{ss}", key, g_variant_get_string (value, NULL));

  return g_variant_builder_end (&builder);
}

static void
session_start_set_metadata (RoastSession *self, const char *run_id)
{
  roast_recording_set_metadata (self->recording, "run-id", g_variant_new_string (run_id));
  roast_recording_set_metadata (self->recording, "host", g_variant_new_string (g_get_host_name ()));
  roast_recording_set_metadata (self->recording, "started", g_variant_new_int64 (g_get_real_time ()));
  roast_recording_set_metadata (self->recording, "interval", g_variant_new_int64 (self->interval));
  roast_recording_set_metadata (self->recording, "roast-version", g_variant_new_string (ROAST_VERSION_S));
  roast_session_note_found (self);
  roast_recording_set_metadata (self->recording, "tags", tags_variant (self));
  roast_session_describe_machine (self->recording, self->launch_context);
  if (self->address != NULL)
    {
      g_autofree char *valid = g_utf8_make_valid (self->address, -1);

      roast_recording_set_metadata (self->recording, "attached-to",
                                    g_variant_new_take_string (roast_redact_text (valid)));
    }
  if (self->launch_context != NULL)
    {
      const char *const *argv = roast_launch_context_get_argv (self->launch_context);
      g_autoptr (GPtrArray) valid = g_ptr_array_new_with_free_func (g_free);
      g_auto (GStrv) redacted = NULL;

      for (guint i = 0; argv[i] != NULL; i++)
        g_ptr_array_add (valid, g_utf8_make_valid (argv[i], -1));
      g_ptr_array_add (valid, NULL);
      redacted = roast_redact_argv ((const char *const *) valid->pdata);
      roast_recording_set_metadata (self->recording, "command",
                                    g_variant_new_strv ((const char *const *) redacted, (gssize) valid->len - 1));
    }
}

/* End the session with an error, and stop the backends that have been started. Takes ownership of the error. */
static void
fail_start (RoastSession *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->starting);

  self->failure = error;
  if (self->socket != NULL)
    roast_run_socket_close (self->socket);
  roast_session_set_state (self, ROAST_SESSION_STATE_FAILED);
  /* Do not wait until these backends have stopped, because their data are not needed. */
  for (guint i = 0; i < self->n_started; i++)
    roast_metrics_backend_stop_tracking_async (g_ptr_array_index (self->backends, i), NULL, NULL, NULL);
  roast_waiters_complete (self->waiters, self->failure);
  g_task_return_error (task, g_error_copy (error));
}

static void
on_program_exited (RoastLauncher *launcher, int wait_status, RoastSession *self)
{
  for (guint i = 0; i < self->backends->len; i++)
    roast_metrics_backend_exited (g_ptr_array_index (self->backends, i), wait_status);
}

static void
on_launcher_done (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!roast_launcher_wait_finish (self->launcher, result, &error))
    self->failure = g_steal_pointer (&error);
  roast_session_collect (self);
}

static void
started (RoastSession *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->starting);

  roast_session_set_state (self, ROAST_SESSION_STATE_RUNNING);
  roast_session_watch_rows (self);
  g_task_return_boolean (task, TRUE);
  /* Stop now if a stop was requested during the start, by the caller or by a backend that emitted “finished”. */
  if (self->stop_asked)
    roast_session_stop (self);
}

static void
session_start_on_launched (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  GError *error = NULL;

  if (!roast_launcher_launch_finish (self->launcher, result, &error))
    {
      fail_start (self, error);
      return;
    }
  for (guint i = 0; i < self->backends->len; i++)
    roast_metrics_backend_launched (g_ptr_array_index (self->backends, i), roast_launcher_get_pid (self->launcher));
  started (self);
  roast_launcher_wait_async (self->launcher, NULL, on_launcher_done, g_object_ref (self));
}

static void
launch_program (RoastSession *self)
{
  self->launcher = roast_launcher_new (self->recording);
  g_signal_connect_object (self->launcher, "exited", G_CALLBACK (on_program_exited), self, 0);
  roast_launcher_launch_async (self->launcher, self->launch_context, g_task_get_cancellable (self->starting),
                               session_start_on_launched, g_object_ref (self));
}

static void
on_backend_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  GError *error = NULL;

  if (roast_metrics_backend_start_tracking_finish (ROAST_METRICS_BACKEND (object), result, &error))
    {
      self->n_started++;
      self->next_backend++;
    }
  else if (!roast_session_drop_instrument (self, ROAST_METRICS_BACKEND (object), error))
    {
      fail_start (self, error);
      return;
    }
  g_clear_error (&error);
  start_next_backend (self);
}

static void
start_backend (RoastSession *self, RoastMetricsBackend *backend)
{
  roast_metrics_backend_start_tracking_async (backend, self->recording, self->interval,
                                              g_task_get_cancellable (self->starting), on_backend_started,
                                              g_object_ref (self));
}

static void
on_backend_attached (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  GError *error = NULL;

  if (!roast_metrics_backend_attach_finish (ROAST_METRICS_BACKEND (object), result, &error))
    {
      fail_start (self, error);
      return;
    }
  start_backend (self, ROAST_METRICS_BACKEND (object));
}

/* Start the next backend. Only one backend starts at a time, so that no other backend is being started if a backend
 * fails to start. */
static void
start_next_backend (RoastSession *self)
{
  RoastMetricsBackend *backend = NULL;

  if (self->next_backend >= self->backends->len)
    {
      if (self->launch_context != NULL)
        launch_program (self);
      else
        started (self);
      return;
    }

  backend = g_ptr_array_index (self->backends, self->next_backend);
  if (self->launch_context != NULL)
    {
      start_backend (self, backend);
      return;
    }
  g_signal_connect_object (backend, "finished", G_CALLBACK (roast_session_stop), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "progress", G_CALLBACK (roast_session_emit_progress), self, G_CONNECT_SWAPPED);
  roast_metrics_backend_attach_async (backend, self->address, g_task_get_cancellable (self->starting),
                                      on_backend_attached, g_object_ref (self));
}

static gboolean
on_connected (RoastSession *self, const char *name, RoastRunConnection *connection)
{
  for (guint i = 0; i < self->backends->len; i++)
    if (g_str_equal (g_ptr_array_index (self->backend_names, i), name))
      {
        roast_metrics_backend_connected (g_ptr_array_index (self->backends, i), connection);
        return TRUE;
      }

  return FALSE;
}

static void
open_socket (RoastSession *self, const char *run_id)
{
  g_autoptr (GError) error = NULL;

  self->socket = roast_run_socket_new (self->recording, run_id, &error);
  if (self->socket != NULL)
    {
      roast_run_socket_export (self->socket, self->launch_context);
      g_signal_connect_object (self->socket, "connected", G_CALLBACK (on_connected), self, G_CONNECT_SWAPPED);
    }
  else
    roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "socket", error->message);
}

static gboolean
prepare_launch (RoastSession *self, GError **error)
{
  roast_launch_context_set_interval (self->launch_context, self->interval);
  for (guint i = 0; i < self->backends->len;)
    {
      RoastMetricsBackend *backend = g_ptr_array_index (self->backends, i);
      GError *failure = NULL;

      if (roast_metrics_backend_prepare_launch (backend, self->launch_context, &failure))
        i++;
      else if (roast_session_drop_instrument (self, backend, failure))
        g_clear_error (&failure);
      else
        {
          g_propagate_error (error, failure);
          return FALSE;
        }
    }

  return TRUE;
}

/* Check that each backend supports the launch or attach. Check all backends before any of them prepares the launch, so
 * that no preparation must be undone. */
static gboolean
check_uses (RoastSession *self, GError **error)
{
  for (guint i = 0; i < self->backends->len; i++)
    if (!roast_plugin_check_use (g_ptr_array_index (self->backends, i), g_ptr_array_index (self->backend_names, i),
                                 self->launch_context != NULL, error))
      return FALSE;

  return TRUE;
}

static void
session_start_begin (RoastSession *self)
{
  g_autofree char *run_id = NULL;
  GError *error = NULL;

  /* If this process does nothing but measure, the CPU time of its own start is also a cost of the measurement. */
  self->began = g_get_real_time ();
  self->cpu_before = self->owns_process ? 0 : roast_session_get_own_cpu ();
  roast_session_set_state (self, ROAST_SESSION_STATE_STARTING);
  run_id = g_uuid_string_random ();
  /* Load the settings with the redaction patterns before the first row is written. */
  if (roast_settings_get (&error) == NULL || !check_uses (self, &error))
    {
      fail_start (self, error);
      return;
    }
  session_start_set_metadata (self, run_id);
  if (self->launch_context != NULL)
    {
      open_socket (self, run_id);
      if (!prepare_launch (self, &error))
        {
          fail_start (self, error);
          return;
        }
    }
  start_next_backend (self);
}

/* Launch the program of a context, or attach to an address. Fail if the session has already been started. */
static void
start_once (RoastSession *self, RoastLaunchContext *context, const char *address, GTask *task)
{
  if (self->state != ROAST_SESSION_STATE_IDLE)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "this session has already launched or attached: create a new session for each "
                               "measurement");
      g_object_unref (task);
      return;
    }
  self->starting = task;
  g_set_object (&self->launch_context, context);
  self->address = g_strdup (address);
  session_start_begin (self);
}

/**
 * roast_session_launch_async:
 * @self: an idle session
 * @context: the program to launch; the interval of the context is set to the session's interval
 * @cancellable: (nullable): a cancellable, for the start
 * @callback: (scope async): called when the program runs, or has failed to start
 * @user_data: data for @callback
 *
 * Starts the backends, then the program. If a backend fails, the program is not started. Fails with
 * %ROAST_BACKEND_ERROR_ALREADY_TRACKING if the session is not idle.
 *
 * Since: 0.9
 */
void
roast_session_launch_async (RoastSession *self, RoastLaunchContext *context, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (context));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_session_launch_async);
  start_once (self, context, NULL, task);
}

/**
 * roast_session_launch_finish:
 * @self: a session
 * @result: the result that the callback received
 * @error: return location for an error; %ROAST_LAUNCH_ERROR if the program failed to start
 *
 * Finishes [method@Roast.Session.launch_async].
 *
 * Returns: whether the program runs
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Session, gboolean, roast_session_launch_finish, boolean)

/**
 * roast_session_attach_async:
 * @self: an idle session
 * @address: the address of the running program: a pid for the local backend
 * @cancellable: (nullable): a cancellable, for the start
 * @callback: (scope async): called when the program is measured, or the attach has failed
 * @user_data: data for @callback
 *
 * Attaches all backends to a running program.
 *
 * Since: 0.9
 */
void
roast_session_attach_async (RoastSession *self, const char *address, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (address != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_session_attach_async);
  start_once (self, NULL, address, task);
}

/**
 * roast_session_attach_finish:
 * @self: a session
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Finishes [method@Roast.Session.attach_async].
 *
 * Fails with an error of the domain #RoastBackendError, or with an error of the backend.
 *
 * Returns: whether the program is measured
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Session, gboolean, roast_session_attach_finish, boolean)
