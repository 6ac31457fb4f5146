/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-session-private.h"

#include "base/roast-type-private.h"

#include <sys/resource.h>

#include "plugin/roast-registry-schema-private.h"
#include "roast/roast-enums.h"

#define SESSION_DEFAULT_INTERVAL G_USEC_PER_SEC
#define SESSION_MIN_INTERVAL 10000 /* µs; a shorter interval is refused */
#define DEFAULT_DEADLINE (30 * G_USEC_PER_SEC)

/**
 * RoastSession:
 *
 * One measurement from start to end: backends, a recording, aggregators and exporters.
 *
 * A session either launches a program or attaches to a running program. The session ends when the program ends, or when
 * [method@Roast.Session.stop] is called. After the end, the report is available. The session works in the
 * thread-default main context in which it was created, and does not run its own main loop.
 *
 * Since: 0.9
 */
enum
{
  PROP_0,
  PROP_STATE,
  PROP_REPORT,
  PROP_REGISTRY,
  N_PROPS
};

enum
{
  SESSION_SIGNAL_ROWS_ADDED,
  SESSION_SIGNAL_PROGRESS,
  SESSION_N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint session_signals[SESSION_N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastSession, roast_session, G_TYPE_OBJECT)

static void
roast_session_dispose (GObject *object)
{
  RoastSession *self = ROAST_SESSION (object);

  roast_source_clear (&self->rows_source);
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
  g_ptr_array_unref (self->instruments);
  g_ptr_array_unref (self->left_out);
  g_ptr_array_unref (self->exporters);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->spans);
  g_clear_object (&self->span_writer);
  g_variant_dict_unref (self->tags);
  g_clear_pointer (&self->waiters, roast_waiters_free);
  g_clear_pointer (&self->rows_serials, g_hash_table_unref);
  g_clear_error (&self->failure);
  g_free (self->address);
  g_rec_mutex_clear (&self->report_lock);

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
    case PROP_REPORT:
      g_value_set_object (value, roast_session_make_report (self));
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
  self->recording = roast_recording_new (roast_registry_get_unread_schema (self->registry));
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
   * The state of the session.
   *
   * Since: 0.9
   */
  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, ROAST_TYPE_SESSION_STATE, ROAST_SESSION_STATE_IDLE,
                                              G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * RoastSession:report:
   *
   * The report, available once the session has finished.
   *
   * Since: 0.9
   */
  properties[PROP_REPORT] = g_param_spec_object ("report", NULL, NULL, ROAST_TYPE_REPORT,
                                                 G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * RoastSession:registry:
   *
   * The registry that provides the aggregators and the schema.
   *
   * Since: 0.9
   */
  properties[PROP_REGISTRY] = g_param_spec_object ("registry", NULL, NULL, ROAST_TYPE_REGISTRY,
                                                   G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * RoastSession::rows-added:
   * @self: the session
   * @tables: (array zero-terminated=1): names of the tables that changed
   *
   * Emitted when rows have been added to tables, or existing rows have got more cells. One signal reports all changes
   * of 0.1 s, so there are at most ten signals per second.
   *
   * Since: 0.9
   */
  session_signals[SESSION_SIGNAL_ROWS_ADDED] = g_signal_new ("rows-added", ROAST_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0,
                                                             NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRV);

  /**
   * RoastSession::progress:
   * @self: the session
   * @fraction: the fraction of the past run that was read, from 0 to 1
   *
   * Emitted when a backend has read a part of a past run, such as long logs.
   *
   * Since: 0.9
   */
  session_signals[SESSION_SIGNAL_PROGRESS] = g_signal_new ("progress", ROAST_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL,
                                                           NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

static void
roast_session_init (RoastSession *self)
{
  g_rec_mutex_init (&self->report_lock);
  self->context = g_main_context_ref_thread_default ();
  self->interval = SESSION_DEFAULT_INTERVAL;
  self->deadline = DEFAULT_DEADLINE;
  self->backends = g_ptr_array_new_with_free_func (g_object_unref);
  self->backend_names = g_ptr_array_new_with_free_func (g_free);
  self->instruments = g_ptr_array_new ();
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  self->exporters = g_ptr_array_new_with_free_func (g_object_unref);
  self->outputs = g_ptr_array_new_with_free_func (g_object_unref);
  self->spans = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_session_span_free);
  self->tags = g_variant_dict_new (NULL);
  self->waiters = roast_waiters_new ();
  self->rows_serials = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/**
 * roast_session_new:
 * @registry: (nullable): the registry that provides the aggregators and the schema; %NULL for the default registry
 *
 * Creates a session for the caller's thread-default main context.
 *
 * Returns: (transfer full): a session
 *
 * Since: 0.9
 */
RoastSession *
roast_session_new (RoastRegistry *registry)
{
  g_return_val_if_fail (registry == NULL || ROAST_IS_REGISTRY (registry), NULL);

  return g_object_new (ROAST_TYPE_SESSION, "registry", registry, NULL);
}

/* Get the user and system time of this process so far, in s. */
double
roast_session_get_own_cpu (void)
{
  struct rusage usage;

  if (getrusage (RUSAGE_SELF, &usage) != 0)
    return 0;

  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / G_USEC_PER_SEC;
}

void
roast_session_set_state (RoastSession *self, RoastSessionState state)
{
  if (self->state == state)
    return;
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

/**
 * roast_session_add_backend:
 * @self: an idle session
 * @name: name of the backend
 * @backend: (transfer none): a backend, configured
 *
 * Adds a backend. Several backends can measure the same run.
 *
 * Since: 0.9
 */
void
roast_session_add_backend (RoastSession *self, const char *name, RoastMetricsBackend *backend)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (ROAST_IS_METRICS_BACKEND (backend));
  g_return_if_fail (self->state == ROAST_SESSION_STATE_IDLE);

  roast_metrics_backend_set_deadline (backend, self->deadline);
  g_ptr_array_add (self->backends, g_object_ref (backend));
  g_ptr_array_add (self->backend_names, g_strdup (name));
}

/**
 * roast_session_leave_out:
 * @self: a session
 * @plugin: name of a plugin, or of one of its aggregators
 *
 * Leaves out one aggregator, or all aggregators of a plugin, when the report is made, for example because an aggregator
 * crashes. The report lacks the metrics of these aggregators.
 *
 * Since: 0.9
 */
void
roast_session_leave_out (RoastSession *self, const char *plugin)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (plugin != NULL);

  g_ptr_array_add (self->left_out, g_strdup (plugin));
}

/**
 * roast_session_add_exporter:
 * @self: a session
 * @exporter: (transfer none): an exporter, configured
 * @output: (transfer none): destination of the exporter
 *
 * Adds an exporter for [method@Roast.Session.export].
 *
 * Since: 0.9
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
 * roast_session_set_interval:
 * @self: an idle session
 * @interval: the interval in µs, at least 10000
 *
 * Sets the time between two samples.
 *
 * Since: 0.9
 */
void
roast_session_set_interval (RoastSession *self, gint64 interval)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (interval >= SESSION_MIN_INTERVAL);
  g_return_if_fail (self->state == ROAST_SESSION_STATE_IDLE);

  self->interval = interval;
}

/**
 * roast_session_set_deadline:
 * @self: a session
 * @deadline: the time, in µs; 0 for no limit
 *
 * Limits how long a backend may take for one operation. If a backend takes longer to start, the start fails. If a
 * backend takes longer to stop, its last data are lost, and the recording gets an event.
 *
 * Since: 0.9
 */
void
roast_session_set_deadline (RoastSession *self, gint64 deadline)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (deadline >= 0);

  self->deadline = deadline;
  for (guint i = 0; i < self->backends->len; i++)
    roast_metrics_backend_set_deadline (g_ptr_array_index (self->backends, i), deadline);
}

/**
 * roast_session_set_tag:
 * @self: an idle session
 * @key: name of the tag
 * @value: text of the tag
 *
 * Adds a tag that is kept with the results.
 *
 * Since: 0.9
 */
void
roast_session_set_tag (RoastSession *self, const char *key, const char *value)
{
  g_return_if_fail (ROAST_IS_SESSION (self));
  g_return_if_fail (key != NULL && value != NULL);
  g_return_if_fail (self->state == ROAST_SESSION_STATE_IDLE);

  g_variant_dict_insert (self->tags, key, "s", value);
}

/**
 * roast_session_set_owns_process:
 * @self: an idle session
 * @owns_process: whether this process only measures
 *
 * Sets whether this process does nothing but measure, as roast-run does. In this case, all resources that the process
 * uses are the cost of the measurement. If the process also does other work, its use of resources for the measurement
 * is unknown, and only the cost of the supervisor is reported.
 *
 * Since: 0.9
 */
void
roast_session_set_owns_process (RoastSession *self, gboolean owns_process)
{
  g_return_if_fail (ROAST_IS_SESSION (self));

  self->owns_process = owns_process;
}

/**
 * roast_session_get_state:
 * @self: a session
 *
 * Gets the state of the session.
 *
 * Returns: the state
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Session, SESSION, RoastSessionState, roast_session_get_state, ROAST_SESSION_STATE_FAILED,
                     self->state)

/**
 * roast_session_get_recording:
 * @self: a session
 *
 * Gets the recording that the backends write to.
 *
 * Returns: (transfer none): the recording, which exists from the start
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Session, SESSION, RoastRecording *, roast_session_get_recording, NULL, self->recording)

/**
 * roast_session_get_launcher:
 * @self: a session
 *
 * Gets the launcher, which can send signals to the program and get its status.
 *
 * Returns: (transfer none) (nullable): the launcher of the program; %NULL if the session attaches, or has not launched
 *   a program yet
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Session, SESSION, RoastLauncher *, roast_session_get_launcher, NULL, self->launcher)

/**
 * roast_session_get_report:
 * @self: a session
 *
 * Gets the report. The first call loads and runs the aggregators.
 *
 * Returns: (transfer none) (nullable): the report; %NULL until the session has finished
 *
 * Since: 0.9
 */
RoastReport *
roast_session_get_report (RoastSession *self)
{
  g_return_val_if_fail (ROAST_IS_SESSION (self), NULL);

  return roast_session_make_report (self);
}

gboolean
roast_session_has_rows_handler (RoastSession *self)
{
  return g_signal_has_handler_pending (self, session_signals[SESSION_SIGNAL_ROWS_ADDED], 0, TRUE);
}

void
roast_session_emit_progress (RoastSession *self, double fraction)
{
  g_signal_emit (self, session_signals[SESSION_SIGNAL_PROGRESS], 0, fraction);
}
