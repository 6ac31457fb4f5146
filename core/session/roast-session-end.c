/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-session-private.h"

#include "analysis/roast-aggregator-chain-private.h"
#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "plugin/roast-plugin-private.h"
#include "recording/roast-recording-private.h"
#include "report/roast-report-private.h"
#include "table/roast-metric-info-private.h"

static gboolean
is_left_out (RoastSession *self, const char *name)
{
  RoastPlugin *plugin = roast_registry_find_provider (self->registry, ROAST_ROLE_AGGREGATOR, name);

  return plugin != NULL &&
         (g_ptr_array_find_with_equal_func (self->left_out, roast_plugin_get_name (plugin), g_str_equal, NULL) ||
          g_ptr_array_find_with_equal_func (self->left_out, name, g_str_equal, NULL));
}

/* Add an event about aggregators. Do not add the event if the session only reads a recording, because the recording
 * already has the event. */
static void
session_end_add_event (RoastSession *self, RoastSeverity severity, const char *message)
{
  if (!self->reading)
    roast_recording_add_event (self->recording, NULL, -1, severity, "aggregator", message);
}

/* Create the aggregators. @only: names of the aggregators that apply to the recording; NULL if all aggregators
 * apply. */
static void
collect_aggregators (RoastSession *self, const char *const *only, GPtrArray *all)
{
  g_auto (GStrv) names = roast_registry_dup_names (self->registry, ROAST_ROLE_AGGREGATOR);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      RoastAggregator *aggregator = NULL;

      if (is_left_out (self, names[i]) || (only != NULL && !g_strv_contains (only, names[i])))
        continue;
      aggregator = roast_registry_create_aggregator (self->registry, names[i], &error);
      if (aggregator != NULL)
        g_ptr_array_add (all, aggregator);
      /* note_broken_plugins () names a plugin that cannot be opened, once for all its aggregators. */
      else if (error->domain != ROAST_PLUGIN_ERROR)
        session_end_add_event (self, ROAST_SEVERITY_WARNING, error->message);
    }
}

/* Set the end time, unless a backend that reads a past run has already set it. */
static void
set_end (RoastSession *self)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);

  if (!g_variant_lookup (metadata, "ended", "x", NULL))
    roast_recording_set_metadata (self->recording, "ended", g_variant_new_int64 (g_get_real_time ()));
}

/* Add the CPU time of roast. What reads a run that has ended is no cost of the run. */
static void
set_own_cpu (RoastSession *self)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);
  gint64 ended = 0;

  if (g_variant_lookup (metadata, "ended", "x", &ended) && ended < self->began)
    roast_recording_set_metadata (self->recording, "own-cpu-missing",
                                  g_variant_new_string ("the run had ended before roast read it"));
  else if (self->owns_process)
    roast_recording_set_metadata (self->recording, "own-cpu",
                                  g_variant_new_double (roast_session_get_own_cpu () - self->cpu_before));
}

/* Return whether a schema belongs to a plugin or aggregator that is left out. */
static gboolean
is_schema_left_out (RoastSession *self, const char *path)
{
  for (guint i = 0; i < self->left_out->len; i++)
    {
      const char *name = g_ptr_array_index (self->left_out, i);
      RoastPlugin *plugin = roast_registry_lookup_plugin (self->registry, name);
      g_auto (GStrv) paths = plugin != NULL ? roast_plugin_dup_schema_paths (plugin) : NULL;
      g_autofree char *own = g_strdup_printf ("%c%s.roast-schema", G_DIR_SEPARATOR, name);

      if (g_str_has_suffix (path, own) || (paths != NULL && g_strv_contains ((const char *const *) paths, path)))
        return TRUE;
    }

  return FALSE;
}

/* Add metrics that schemas define by formulas instead of by an aggregator. */
static void
session_end_add_formulas (RoastSession *self, RoastRecordingSnapshot *snapshot, RoastReport *report)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_metrics (roast_report_get_schema (report));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < infos->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (infos, i);

      if (roast_metric_info_get_value (info) != NULL &&
          !is_schema_left_out (self, roast_metric_info_get_declared_by (info)))
        g_ptr_array_add (names, (gpointer) roast_metric_info_get_name (info));
    }
  g_ptr_array_add (names, NULL);
  roast_report_add_formulas (report, snapshot, (const char *const *) names->pdata);
  roast_report_check_agreements (report, snapshot);
}

/* Name plugins that cannot be used, because the report lacks what they would add. */
static void
note_broken_plugins (RoastReport *report, GPtrArray *broken)
{
  for (guint i = 0; i < broken->len; i++)
    {
      RoastPlugin *plugin = g_ptr_array_index (broken, i);
      g_autofree char *note = g_strdup_printf ("the plugin %s is not used: %s", roast_plugin_get_name (plugin),
                                               roast_plugin_get_error (plugin)->message);

      roast_report_add_note (report, note);
    }
}

static RoastReport *
aggregate (RoastSession *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);
  g_autofree const char **only = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (GPtrArray) broken = NULL;
  RoastReport *report = roast_report_new (roast_registry_get_schema (self->registry));
  g_autoptr (GError) error = NULL;

  g_variant_lookup (metadata, "aggregators", "^a&s", &only);
  collect_aggregators (self, only, all);
  snapshot = roast_recording_snapshot (self->recording);
  broken = roast_registry_list_broken (self->registry);
  if (all->len == 0 && broken->len == 0)
    roast_report_add_note (report, "no aggregator plugin found, so there are no metrics: install roast's base plugins, "
                                   "or set ROAST_PLUGIN_PATH");
  if (!roast_aggregator_chain_run (all, snapshot, report, NULL, &error))
    {
      session_end_add_event (self, ROAST_SEVERITY_ERROR, error->message);
      roast_report_add_note (report, error->message);
    }
  if (only == NULL || g_strv_contains (only, "formulas"))
    session_end_add_formulas (self, snapshot, report);
  note_broken_plugins (report, broken);
  roast_session_explain_missing (report, snapshot);

  return report;
}

RoastReport *
roast_session_make_report (RoastSession *self)
{
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = g_rec_mutex_locker_new (&self->report_lock);

  /* Return NULL if an aggregator of the application asks for the report while the report is being made. */
  if (self->report != NULL || self->state != ROAST_SESSION_STATE_FINISHED || self->making_report)
    return self->report;
  self->making_report = TRUE;
  self->report = aggregate (self);
  self->making_report = FALSE;

  return self->report;
}

static void
session_end_finish (RoastSession *self)
{
  if (self->socket != NULL)
    roast_run_socket_close (self->socket);
  set_end (self);
  set_own_cpu (self);
  if (!self->reading)
    roast_session_note_found (self);
  roast_recording_finish (self->recording);
  roast_session_unwatch_rows (self);
  roast_session_set_state (self, ROAST_SESSION_STATE_FINISHED);
  g_object_notify (G_OBJECT (self), "report");
  roast_waiters_complete (self->waiters, self->failure);
}

static void
on_backend_stopped (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (object), result, &error))
    {
      g_autofree char *message = g_strdup_printf ("the last data of a backend may be missing: %s", error->message);

      roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "backend", message);
      roast_recording_add_gap (self->recording, NULL, g_get_real_time (), TRUE, message);
    }
  if (--self->pending == 0)
    session_end_finish (self);
}

void
roast_session_collect (RoastSession *self)
{
  if (self->state != ROAST_SESSION_STATE_RUNNING)
    return;
  roast_session_set_state (self, ROAST_SESSION_STATE_STOPPING);
  /* Read all pending messages. Keep the socket open, because a backend may request more data from the program. */
  if (self->socket != NULL)
    roast_run_socket_drain (self->socket);

  self->pending = self->backends->len;
  if (self->pending == 0)
    {
      session_end_finish (self);
      return;
    }
  for (guint i = 0; i < self->backends->len; i++)
    roast_metrics_backend_stop_tracking_async (g_ptr_array_index (self->backends, i), NULL, on_backend_stopped,
                                               g_object_ref (self));
}

/**
 * roast_session_stop:
 * @self: a session
 *
 * Ends the measurement now. The launched or attached program continues to run. Wait for the report with
 * [method@Roast.Session.wait_async].
 *
 * Since: 0.9
 */
void
roast_session_stop (RoastSession *self)
{
  g_return_if_fail (ROAST_IS_SESSION (self));

  if (self->state == ROAST_SESSION_STATE_STARTING)
    self->stop_asked = TRUE;
  if (self->state != ROAST_SESSION_STATE_RUNNING)
    return;
  if (self->launcher != NULL)
    roast_launcher_detach (self->launcher);
  else
    roast_session_collect (self);
}

/**
 * roast_session_read:
 * @self: an idle session
 * @recording: a finished recording, such as one from [func@Roast.Recording.open]
 * @error: return location for an error
 *
 * Makes the report of a recording, instead of launching a program or attaching to a program. The session adds nothing
 * to the recording, so the report of a run file has the same bytes each time.
 *
 * Returns: %TRUE if the report was made; %FALSE with %ROAST_BACKEND_ERROR_ALREADY_TRACKING if the session is not idle
 *
 * Since: 0.9
 */
gboolean
roast_session_read (RoastSession *self, RoastRecording *recording, GError **error)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), FALSE);
  g_return_val_if_fail (ROAST_IS_RECORDING (recording), FALSE);

  if (self->state != ROAST_SESSION_STATE_IDLE)
    return roast_fail (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                       "this session already has a recording: create a new session to read another recording");
  g_set_object (&self->recording, recording);
  self->reading = TRUE;
  roast_session_set_state (self, ROAST_SESSION_STATE_FINISHED);
  g_object_notify (G_OBJECT (self), "report");
  roast_waiters_complete (self->waiters, NULL);

  return TRUE;
}

/**
 * roast_session_wait_async:
 * @self: a session
 * @cancellable: (nullable): a cancellable, which cancels only the wait
 * @callback: (scope async): called when the report is ready
 * @user_data: data for @callback
 *
 * Waits for the end of the session. Several callers may wait at once.
 *
 * Since: 0.9
 */
void
roast_session_wait_async (RoastSession *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_session_wait_async);
  roast_waiters_add (self->waiters, task);
}

/**
 * roast_session_wait_finish:
 * @self: a session
 * @result: the result that the callback received
 * @error: return location for an error
 *
 * Gets the outcome of the session. Even after an error there may be a report of the data that were measured.
 *
 * Fails with the error of a start that failed, or with %ROAST_LAUNCH_ERROR_SUPERVISOR if the supervisor was lost.
 *
 * Returns: whether the session ended without an error
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Session, gboolean, roast_session_wait_finish, boolean)
