/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-session.h"

#include <sys/resource.h>

#include "roast-aggregator-chain-private.h"
#include "roast-model-private.h"
#include "roast-run-socket-private.h"
#include "roast-waiters-private.h"
#include "roast/roast-enums.h"
#include "roast/roast-error.h"
#include "roast/roast-version.h"

#define DEFAULT_INTERVAL G_USEC_PER_SEC
#define MIN_INTERVAL 10000         /* µs */
#define START_TIMEOUT 30000        /* ms that a backend may take to start */
#define STOP_TIMEOUT 10000         /* ms that it may take for its last data */
#define ROWS_ADDED_INTERVAL 100    /* ms between two rows-added */

/**
 * RoastSession:
 *
 * The life of one measurement: backends, a recording, aggregators and exporters.
 *
 * A session either launches a program or attaches to what already runs; it ends when that ends, or by
 * [method@Roast.Session.stop]; then the report is ready. It works in the thread-default main context in which it was made,
 * and has no loop of its own.
 *
 * Since: 1.0
 */
struct _RoastSession
{
  GObject parent_instance;

  RoastRegistry *registry;
  RoastRecording *recording;
  RoastReport *report;
  RoastLauncher *launcher;
  RoastRunSocket *socket;
  GMainContext *context;

  GPtrArray *backends;      /* of RoastMetricsBackend */
  GPtrArray *backend_names; /* of char * */
  GPtrArray *aggregators;
  GPtrArray *exporters;
  GPtrArray *outputs; /* beside exporters */
  GVariantDict *tags;

  RoastSessionState state;
  gint64 interval;
  GTask *starting;
  RoastLaunchContext *launch_context;
  char *address;
  guint next_backend; /* that is to be started */
  guint pending;      /* that are being stopped */
  guint n_started;
  double cpu_before;
  RoastWaiters *waiters;
  GError *failure;

  GSource *rows_source;
  GHashTable *rows_serials; /* name of a table to its serial when last told */
};

enum
{
  PROP_0,
  PROP_STATE,
  PROP_INTERVAL,
  PROP_RECORDING,
  PROP_REPORT,
  PROP_REGISTRY,
  N_PROPS
};

enum
{
  SIGNAL_ROWS_ADDED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastSession, roast_session, G_TYPE_OBJECT)

static void start_next_backend (RoastSession *self);
static void stop_backends (RoastSession *self);

static void
roast_session_dispose (GObject *object)
{
  RoastSession *self = ROAST_SESSION (object);

  if (self->rows_source != NULL)
    {
      g_source_destroy (self->rows_source);
      g_clear_pointer (&self->rows_source, g_source_unref);
    }
  if (self->socket != NULL)
    roast_run_socket_close (self->socket);
  g_clear_object (&self->socket);

  G_OBJECT_CLASS (roast_session_parent_class)->dispose (object);
}

static void
roast_session_finalize (GObject *object)
{
  RoastSession *self = ROAST_SESSION (object);

  g_clear_object (&self->registry);
  g_clear_object (&self->recording);
  g_clear_object (&self->report);
  g_clear_object (&self->launcher);
  g_clear_object (&self->launch_context);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_ptr_array_unref (self->backends);
  g_ptr_array_unref (self->backend_names);
  g_ptr_array_unref (self->aggregators);
  g_ptr_array_unref (self->exporters);
  g_ptr_array_unref (self->outputs);
  g_variant_dict_unref (self->tags);
  g_clear_pointer (&self->waiters, roast_waiters_free);
  g_clear_pointer (&self->rows_serials, g_hash_table_unref);
  g_clear_error (&self->failure);
  g_free (self->address);

  G_OBJECT_CLASS (roast_session_parent_class)->finalize (object);
}

static void
roast_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  RoastSession *self = ROAST_SESSION (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_enum (value, self->state);
      break;
    case PROP_INTERVAL:
      g_value_set_int64 (value, self->interval);
      break;
    case PROP_RECORDING:
      g_value_set_object (value, self->recording);
      break;
    case PROP_REPORT:
      g_value_set_object (value, self->report);
      break;
    case PROP_REGISTRY:
      g_value_set_object (value, self->registry);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
roast_session_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  RoastSession *self = ROAST_SESSION (object);

  switch (id)
    {
    case PROP_INTERVAL:
      roast_session_set_interval (self, g_value_get_int64 (value));
      break;
    case PROP_REGISTRY:
      self->registry = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
roast_session_constructed (GObject *object)
{
  RoastSession *self = ROAST_SESSION (object);

  G_OBJECT_CLASS (roast_session_parent_class)->constructed (object);
  if (self->registry == NULL)
    self->registry = g_object_ref (roast_registry_get_default ());
}

static void
roast_session_class_init (RoastSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = roast_session_constructed;
  object_class->dispose = roast_session_dispose;
  object_class->finalize = roast_session_finalize;
  object_class->get_property = roast_session_get_property;
  object_class->set_property = roast_session_set_property;

  /**
   * RoastSession:state:
   *
   * How far the session has come.
   *
   * Since: 1.0
   */
  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, ROAST_TYPE_SESSION_STATE, ROAST_SESSION_IDLE,
                                              G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * RoastSession:interval:
   *
   * Time between two samples, µs.
   *
   * Since: 1.0
   */
  properties[PROP_INTERVAL] =
      g_param_spec_int64 ("interval", NULL, NULL, MIN_INTERVAL, G_MAXINT64, DEFAULT_INTERVAL,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * RoastSession:recording:
   *
   * What is measured.
   *
   * Since: 1.0
   */
  properties[PROP_RECORDING] = g_param_spec_object ("recording", NULL, NULL, ROAST_TYPE_RECORDING,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * RoastSession:report:
   *
   * What follows, once the session has finished.
   *
   * Since: 1.0
   */
  properties[PROP_REPORT] = g_param_spec_object ("report", NULL, NULL, ROAST_TYPE_REPORT,
                                                 G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * RoastSession:registry:
   *
   * Where aggregators and the catalogue come from.
   *
   * Since: 1.0
   */
  properties[PROP_REGISTRY] = g_param_spec_object ("registry", NULL, NULL, ROAST_TYPE_REGISTRY,
                                                   G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * RoastSession::rows-added:
   * @self: the session
   * @tables: (array zero-terminated=1): names of the tables that changed
   *
   * Rows were added or completed, a batch at a time: at most ten times a second.
   *
   * Since: 1.0
   */
  signals[SIGNAL_ROWS_ADDED] = g_signal_new ("rows-added", ROAST_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 1, G_TYPE_STRV);
}

static void
roast_session_init (RoastSession *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->recording = roast_recording_new ();
  self->interval = DEFAULT_INTERVAL;
  self->backends = g_ptr_array_new_with_free_func (g_object_unref);
  self->backend_names = g_ptr_array_new_null_terminated (4, g_free, TRUE);
  self->aggregators = g_ptr_array_new_with_free_func (g_object_unref);
  self->exporters = g_ptr_array_new_with_free_func (g_object_unref);
  self->outputs = g_ptr_array_new_with_free_func (g_object_unref);
  self->tags = g_variant_dict_new (NULL);
  self->waiters = roast_waiters_new ();
  self->rows_serials = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * roast_session_new:
 * @registry: (nullable): where aggregators and the catalogue come from; %NULL for the default one
 *
 * Makes a session for the thread-default main context of the caller.
 *
 * Returns: (transfer full): a session
 *
 * Since: 1.0
 */
RoastSession *
roast_session_new (RoastRegistry *registry)
{
  g_return_val_if_fail (registry == NULL || ROAST_IS_REGISTRY (registry), NULL);

  return g_object_new (ROAST_TYPE_SESSION, "registry", registry, NULL);
}

static void
set_state (RoastSession *self, RoastSessionState state)
{
  if (self->state == state)
    return;
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

/**
 * roast_session_add_backend:
 * @self: an idle session
 * @name: what the backend is called
 * @backend: (transfer none): a backend, configured
 *
 * Adds what to measure with. Several can measure the same run.
 *
 * Since: 1.0
 */
void
roast_session_add_backend (RoastSession *self, const char *name, RoastMetricsBackend *backend)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (backend));
  g_return_if_fail (self->state == ROAST_SESSION_IDLE);

  g_ptr_array_add (self->backends, g_object_ref (backend));
  g_ptr_array_add (self->backend_names, g_strdup (name));
}

/**
 * roast_session_add_aggregator:
 * @self: a session
 * @aggregator: (transfer none): an aggregator
 *
 * Adds an aggregator to those that the registry has.
 *
 * Since: 1.0
 */
void
roast_session_add_aggregator (RoastSession *self, RoastAggregator *aggregator)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (ROAST_IS_AGGREGATOR (aggregator));

  g_ptr_array_add (self->aggregators, g_object_ref (aggregator));
}

/**
 * roast_session_add_exporter:
 * @self: a session
 * @exporter: (transfer none): an exporter, configured
 * @output: (transfer none): where it writes to
 *
 * Adds an exporter for [method@Roast.Session.export].
 *
 * Since: 1.0
 */
void
roast_session_add_exporter (RoastSession *self, RoastExporter *exporter, RoastOutput *output)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (ROAST_IS_EXPORTER (exporter));
  g_return_if_fail (ROAST_IS_OUTPUT (output));

  g_ptr_array_add (self->exporters, g_object_ref (exporter));
  g_ptr_array_add (self->outputs, g_object_ref (output));
}

/**
 * roast_session_get_interval:
 * @self: a session
 *
 * Returns: time between two samples, µs
 *
 * Since: 1.0
 */
gint64
roast_session_get_interval (RoastSession *self)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), 0);

  return self->interval;
}

/**
 * roast_session_set_interval:
 * @self: an idle session
 * @interval: time between two samples, µs; 10000 at least
 *
 * Sets the time between two samples.
 *
 * Since: 1.0
 */
void
roast_session_set_interval (RoastSession *self, gint64 interval)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (interval >= MIN_INTERVAL);

  if (self->interval == interval)
    return;
  self->interval = interval;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_INTERVAL]);
}

/**
 * roast_session_set_tag:
 * @self: an idle session
 * @key: what it is about
 * @value: a text
 *
 * Adds a remark that is kept with the results.
 *
 * Since: 1.0
 */
void
roast_session_set_tag (RoastSession *self, const char *key, const char *value)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (key != NULL && value != NULL);

  g_variant_dict_insert (self->tags, key, "s", value);
}

/**
 * roast_session_get_state:
 * @self: a session
 *
 * Returns: how far it has come
 *
 * Since: 1.0
 */
RoastSessionState
roast_session_get_state (RoastSession *self)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), ROAST_SESSION_FAILED);

  return self->state;
}

/**
 * roast_session_get_recording:
 * @self: a session
 *
 * Returns: (transfer none): what is measured, from the first moment
 *
 * Since: 1.0
 */
RoastRecording *
roast_session_get_recording (RoastSession *self)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), NULL);

  return self->recording;
}

/**
 * roast_session_get_launcher:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the launcher of its program; %NULL if it attaches, or has launched nothing yet
 *
 * Since: 1.0
 */
RoastLauncher *
roast_session_get_launcher (RoastSession *self)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), NULL);

  return self->launcher;
}

/**
 * roast_session_get_report:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the report; %NULL until the session has finished
 *
 * Since: 1.0
 */
RoastReport *
roast_session_get_report (RoastSession *self)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), NULL);

  return self->report;
}

/* ---- rows-added ---- */

static gboolean
on_rows_timeout (gpointer user_data)
{
  RoastSession *self = user_data;
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (GPtrArray) changed = NULL;

  if (!g_signal_has_handler_pending (self, signals[SIGNAL_ROWS_ADDED], 0, TRUE))
    return G_SOURCE_CONTINUE;

  tables = roast_recording_list_tables (self->recording);
  changed = g_ptr_array_new ();
  for (guint i = 0; i < tables->len; i++)
    {
      RoastTable *table = g_ptr_array_index (tables, i);
      const char *name = roast_table_get_name (table);
      guint64 serial = roast_table_get_serial (table);
      guint64 *before = g_hash_table_lookup (self->rows_serials, name);

      if (roast_table_get_n_rows (table) == 0 || (before != NULL && *before == serial))
        continue;
      g_hash_table_insert (self->rows_serials, g_strdup (name), g_memdup2 (&serial, sizeof serial));
      g_ptr_array_add (changed, (char *) name);
    }
  if (changed->len > 0)
    {
      g_ptr_array_add (changed, NULL);
      g_signal_emit (self, signals[SIGNAL_ROWS_ADDED], 0, changed->pdata);
    }

  return G_SOURCE_CONTINUE;
}

static void
watch_rows (RoastSession *self)
{
  self->rows_source = g_timeout_source_new (ROWS_ADDED_INTERVAL);
  g_source_set_callback (self->rows_source, on_rows_timeout, self, NULL);
  g_source_attach (self->rows_source, self->context);
}

static void
unwatch_rows (RoastSession *self)
{
  if (self->rows_source == NULL)
    return;
  on_rows_timeout (self);
  g_source_destroy (self->rows_source);
  g_clear_pointer (&self->rows_source, g_source_unref);
}

/* ---- start ---- */

static double
own_cpu (void)
{
  struct rusage usage;

  if (getrusage (RUSAGE_SELF, &usage) != 0)
    return 0;

  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / G_USEC_PER_SEC;
}

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
set_metadata (RoastSession *self, const char *run_id)
{
  roast_recording_set_metadata (self->recording, "run-id", g_variant_new_string (run_id));
  roast_recording_set_metadata (self->recording, "host", g_variant_new_string (g_get_host_name ()));
  roast_recording_set_metadata (self->recording, "started", g_variant_new_int64 (g_get_real_time ()));
  roast_recording_set_metadata (self->recording, "interval", g_variant_new_int64 (self->interval));
  roast_recording_set_metadata (self->recording, "roast-version", g_variant_new_string (ROAST_VERSION_S));
  roast_recording_set_metadata (self->recording, "backends",
                                g_variant_new_strv ((const char *const *) self->backend_names->pdata,
                                                    (gssize) self->backend_names->len));
  roast_recording_set_metadata (self->recording, "tags", tags_variant (self));
  if (self->launch_context != NULL)
    {
      const char *const *argv = roast_launch_context_get_argv (self->launch_context);
      g_autoptr (GPtrArray) valid = g_ptr_array_new_null_terminated (8, g_free, TRUE);

      for (guint i = 0; argv[i] != NULL; i++)
        g_ptr_array_add (valid, g_utf8_make_valid (argv[i], -1));
      roast_recording_set_metadata (self->recording, "command",
                                    g_variant_new_strv ((const char *const *) valid->pdata, (gssize) valid->len));
    }
}

/* Nothing was started, or what was is stopped again: the session ends with an error. Takes it. */
static void
fail_start (RoastSession *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->starting);

  self->failure = error;
  if (self->socket != NULL)
    roast_run_socket_close (self->socket);
  set_state (self, ROAST_SESSION_FAILED);
  /* Their data are of no use: nobody waits for these. */
  for (guint i = 0; i < self->n_started; i++)
    roast_metrics_backend_stop_tracking_async (g_ptr_array_index (self->backends, i), STOP_TIMEOUT, NULL, NULL, NULL);
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
  stop_backends (self);
}

static void
started (RoastSession *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->starting);

  set_state (self, ROAST_SESSION_RUNNING);
  watch_rows (self);
  g_task_return_boolean (task, TRUE);
}

static void
on_launched (GObject *object, GAsyncResult *result, gpointer user_data)
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
  roast_launcher_launch_async (self->launcher, self->launch_context, g_task_get_cancellable (self->starting), on_launched,
                               g_object_ref (self));
}

static void
on_backend_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  GError *error = NULL;

  if (!roast_metrics_backend_start_tracking_finish (ROAST_METRICS_BACKEND (object), result, &error))
    {
      fail_start (self, error);
      return;
    }
  self->n_started++;
  self->next_backend++;
  start_next_backend (self);
}

static void
start_backend (RoastSession *self, RoastMetricsBackend *backend)
{
  roast_metrics_backend_start_tracking_async (backend, self->recording, self->interval, START_TIMEOUT,
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

/* One after the other: whoever fails, fails before anything else was disturbed. */
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
  roast_metrics_backend_attach_async (backend, self->address, START_TIMEOUT, g_task_get_cancellable (self->starting),
                                      on_backend_attached, g_object_ref (self));
}

static void
open_socket (RoastSession *self, const char *run_id)
{
  g_autoptr (GError) error = NULL;

  self->socket = roast_run_socket_new (self->recording, run_id, &error);
  if (self->socket != NULL)
    roast_run_socket_export (self->socket, self->launch_context);
  else
    roast_recording_add_event (self->recording, NULL, ROAST_SEVERITY_WARNING, "socket", error->message);
}

static gboolean
prepare_launch (RoastSession *self, GError **error)
{
  roast_launch_context_set_interval (self->launch_context, self->interval);
  for (guint i = 0; i < self->backends->len; i++)
    {
      if (!roast_metrics_backend_prepare_launch (g_ptr_array_index (self->backends, i), self->launch_context, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
begin (RoastSession *self, GTask *task)
{
  g_autofree char *run_id = NULL;
  GError *error = NULL;

  self->starting = task;
  self->cpu_before = own_cpu ();
  set_state (self, ROAST_SESSION_STARTING);
  run_id = g_uuid_string_random ();
  set_metadata (self, run_id);
  if (self->launch_context == NULL)
    return TRUE;

  open_socket (self, run_id);
  if (prepare_launch (self, &error))
    return TRUE;
  fail_start (self, error);

  return FALSE;
}

/**
 * roast_session_launch_async:
 * @self: an idle session
 * @context: what to launch, and how; its interval is set to that of the session
 * @cancellable: (nullable): a cancellable, for the start
 * @callback: (scope async): called when the program runs, or could not be started
 * @user_data: data for @callback
 *
 * Starts the backends, then the program. What fails, fails before the program is started.
 *
 * Since: 1.0
 */
void
roast_session_launch_async (RoastSession        *self,
                            RoastLaunchContext  *context,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  GTask *task = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (context));
  g_return_if_fail (self->state == ROAST_SESSION_IDLE);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_session_launch_async);
  self->launch_context = g_object_ref (context);
  if (begin (self, task))
    start_next_backend (self);
}

/**
 * roast_session_launch_finish:
 * @self: a session
 * @result: what the callback got
 * @error: return location for an error: %ROAST_LAUNCH_ERROR if it is the program's
 *
 * Returns: whether the program runs
 *
 * Since: 1.0
 */
gboolean
roast_session_launch_finish (RoastSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_session_attach_async:
 * @self: an idle session
 * @address: where it is: for the local backend, a pid
 * @cancellable: (nullable): a cancellable, for the start
 * @callback: (scope async): called when it is measured, or cannot be
 * @user_data: data for @callback
 *
 * Lets all backends attach to what already runs.
 *
 * Since: 1.0
 */
void
roast_session_attach_async (RoastSession        *self,
                            const char          *address,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  GTask *task = NULL;

  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (address != NULL);
  g_return_if_fail (self->state == ROAST_SESSION_IDLE);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_session_attach_async);
  self->address = g_strdup (address);
  if (begin (self, task))
    start_next_backend (self);
}

/**
 * roast_session_attach_finish:
 * @self: a session
 * @result: what the callback got
 * @error: return location for an error
 *
 * Returns: whether it is measured
 *
 * Since: 1.0
 */
gboolean
roast_session_attach_finish (RoastSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- stop ---- */

static void
collect_aggregators (RoastSession *self, GPtrArray *all)
{
  g_auto (GStrv) names = roast_registry_dup_names (self->registry, ROAST_ROLE_AGGREGATOR);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      RoastAggregator *aggregator = roast_registry_create_aggregator (self->registry, names[i], &error);

      if (aggregator != NULL)
        g_ptr_array_add (all, aggregator);
      else
        roast_recording_add_event (self->recording, NULL, ROAST_SEVERITY_WARNING, "aggregator", error->message);
    }
  for (guint i = 0; i < self->aggregators->len; i++)
    g_ptr_array_add (all, g_object_ref (g_ptr_array_index (self->aggregators, i)));
}

static void
aggregate (RoastSession *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  collect_aggregators (self, all);
  roast_recording_set_metadata (self->recording, "ended", g_variant_new_int64 (g_get_real_time ()));
  roast_recording_set_metadata (self->recording, "own-cpu", g_variant_new_double (own_cpu () - self->cpu_before));
  snapshot = roast_recording_snapshot (self->recording);
  self->report = roast_report_new (roast_registry_get_catalogue (self->registry));
  if (!roast_aggregator_chain_run (all, snapshot, self->report, NULL, &error))
    {
      roast_recording_add_event (self->recording, NULL, ROAST_SEVERITY_ERROR, "aggregator", error->message);
      roast_report_add_note (self->report, error->message);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REPORT]);
}

static void
finish (RoastSession *self)
{
  aggregate (self);
  unwatch_rows (self);
  set_state (self, ROAST_SESSION_FINISHED);
  roast_waiters_complete (self->waiters, self->failure);
}

static void
on_backend_stopped (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastSession) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!roast_metrics_backend_stop_tracking_finish (ROAST_METRICS_BACKEND (object), result, &error))
    {
      g_autofree char *message = g_strdup_printf ("the last data may be missing: %s", error->message);

      roast_recording_add_event (self->recording, NULL, ROAST_SEVERITY_WARNING, "backend", message);
    }
  if (--self->pending == 0)
    finish (self);
}

static void
stop_backends (RoastSession *self)
{
  if (self->state != ROAST_SESSION_RUNNING && self->state != ROAST_SESSION_STOPPING)
    return;
  set_state (self, ROAST_SESSION_STOPPING);
  if (self->socket != NULL)
    roast_run_socket_close (self->socket);

  self->pending = self->backends->len;
  if (self->pending == 0)
    {
      finish (self);
      return;
    }
  for (guint i = 0; i < self->backends->len; i++)
    roast_metrics_backend_stop_tracking_async (g_ptr_array_index (self->backends, i), STOP_TIMEOUT, NULL,
                                               on_backend_stopped, g_object_ref (self));
}

/**
 * roast_session_stop:
 * @self: a session
 *
 * Ends the measurement now. What was launched or attached to lives on. Wait for the report with
 * [method@Roast.Session.wait_async].
 *
 * Since: 1.0
 */
void
roast_session_stop (RoastSession *self)
{
  g_return_if_fail (ROAST_IS_SESSION (self));

  if (self->state != ROAST_SESSION_RUNNING)
    return;
  if (self->launcher != NULL)
    roast_launcher_detach (self->launcher);
  else
    stop_backends (self);
}

/**
 * roast_session_wait_async:
 * @self: a session
 * @cancellable: (nullable): a cancellable, for the waiting only
 * @callback: (scope async): called when the report is ready
 * @user_data: data for @callback
 *
 * Waits for the end. Any number may wait.
 *
 * Since: 1.0
 */
void
roast_session_wait_async (RoastSession *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
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
 * @result: what the callback got
 * @error: return location for an error
 *
 * Tells how it ended. With an error there may be a report all the same, of what was measured until then.
 *
 * Returns: whether it ended well
 *
 * Since: 1.0
 */
gboolean
roast_session_wait_finish (RoastSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- export ---- */

/**
 * roast_session_prepare_outputs:
 * @self: a session
 * @error: return location for an error
 *
 * Opens all outputs now, so that what is wrong with them is known before anything is measured.
 *
 * Returns: %FALSE with %ROAST_EXPORT_ERROR_OUTPUT
 *
 * Since: 1.0
 */
gboolean
roast_session_prepare_outputs (RoastSession *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), FALSE);

  for (guint i = 0; i < self->outputs->len; i++)
    {
      if (!roast_output_prepare (g_ptr_array_index (self->outputs, i), error))
        return FALSE;
    }

  return TRUE;
}

/* One exporter; its error is added to those of others. */
static void
export_one (RoastSession           *self,
            guint                   index,
            RoastRecordingSnapshot *snapshot,
            GCancellable           *cancellable,
            GError                **errors)
{
  RoastOutput *output = g_ptr_array_index (self->outputs, index);
  GError *error = NULL;

  if (roast_exporter_export_report (g_ptr_array_index (self->exporters, index), snapshot, self->report, output, cancellable,
                                    &error) &&
      roast_output_commit (output, &error))
    return;

  roast_output_discard (output);
  if (*errors == NULL)
    {
      *errors = error;
      return;
    }
  g_prefix_error (errors, "%s; ", error->message);
  g_error_free (error);
}

/**
 * roast_session_export:
 * @self: a session that has finished
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Lets all exporters write. One that fails does not keep the others from it.
 *
 * Returns: %FALSE with the errors of all that failed
 *
 * Since: 1.0
 */
gboolean
roast_session_export (RoastSession *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  GError *errors = NULL;

  g_return_val_if_fail (ROAST_IS_SESSION (self), FALSE);

  if (self->report == NULL)
    {
      g_set_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_NO_DATA, "there is no report yet: the session has not finished");
      return FALSE;
    }
  snapshot = roast_recording_snapshot (self->recording);
  for (guint i = 0; i < self->exporters->len; i++)
    export_one (self, i, snapshot, cancellable, &errors);
  if (errors == NULL)
    return TRUE;
  g_propagate_error (error, errors);

  return FALSE;
}
