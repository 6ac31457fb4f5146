/* SPDX-License-Identifier: BSD-3-Clause */

/* Backend for Dask. A probe in each scheduler reports data about its workers. This file starts, flushes and stops the
 * measurement. dask-transport.h receives the lines of the probe, and dask-scheduler.h turns them into rows. */

#include <gmodule.h>
#include <roast/roast.h>

#include "dask-environment.h"
#include "dask-transport.h"
#include "each.h"
#include "launch-words.h"
#include "source-attach.h"
#include "span-totals.h"

#define FLUSH_TIMEOUT 6000 /* ms until a flush completes without a response; the probe waits 2 s for a worker */
/* Name of all tasks that coffea does not wrap. coffea wraps a task only if it compresses the result of the task. */
#define UNNAMED "automatic_retries"
#define MAX_FUNCTION_NAME 50 /* number of characters to which Dask shortens the name of a function */

G_DECLARE_FINAL_TYPE (RoastDaskBackend, roast_dask_backend, ROAST, DASK_BACKEND, GObject)

struct _RoastDaskBackend
{
  GObject parent_instance;

  /* options */
  char *processor, *span, *python, *ca_file;
  gboolean tasks;
  gboolean is_automatic; /* roast chose this backend, not the user: it is unknown whether the program uses Dask */
  guint64 max_tasks;

  char *address; /* address to which roast attached, or NULL */
  RoastRecording *recording;
  FrameworkTasks *roles;
  GPtrArray *transports;
  GTask *starting; /* pending until the hello of the attached scheduler has arrived; or NULL */
  gboolean stopped;
  guint64 n_flushes;  /* number of the last flush */
  GPtrArray *waiting; /* Flush entries that are pending */
  SpanTotals *spans;
};

/* A GTask that completes after the data of all schedulers have arrived. */
typedef struct
{
  RoastDaskBackend *backend;
  guint64 number;
  GPtrArray *asked; /* transports to which the flush was sent */
  GTask *task;
  void (*done) (RoastDaskBackend *self, GTask *task);
  GSource *timeout;
} Flush;

static void backend_iface_init (RoastMetricsBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastDaskBackend, roast_dask_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, backend_iface_init))

/* ---- flushes ---- */

static void
flush_free (Flush *flush)
{
  source_clear (&flush->timeout);
  g_ptr_array_unref (flush->asked);
  g_clear_object (&flush->task);
  g_free (flush);
}

static gboolean
is_flushed (const Flush *flush)
{
  FOR_EACH_POINTER (DaskTransport, transport, flush->asked)
    if (dask_transport_is_open (transport) &&
        dask_scheduler_get_flushed (dask_transport_get_scheduler (transport)) < flush->number)
      return FALSE;

  return TRUE;
}

static void
settle_flush (Flush *flush)
{
  RoastDaskBackend *self = g_object_ref (flush->backend);
  g_autoptr (GTask) task = g_steal_pointer (&flush->task);
  void (*done) (RoastDaskBackend *, GTask *) = flush->done;

  g_ptr_array_remove (self->waiting, flush);
  done (self, task);
  g_object_unref (self);
}

static void
settle_flushes (RoastDaskBackend *self)
{
  guint i = 0;

  while (i < self->waiting->len)
    {
      Flush *flush = g_ptr_array_index (self->waiting, i++);

      if (!is_flushed (flush))
        continue;
      /* Search from the start again, because settle_flush() removes elements from the array. */
      settle_flush (flush);
      i = 0;
    }
}

static gboolean
on_flush_timeout (gpointer user_data)
{
  Flush *flush = user_data;

  roast_recording_add_event (flush->backend->recording, NULL, -1, ROAST_SEVERITY_WARNING, "flush",
                             "a scheduler did not answer in time: activities of workers since their last heartbeats "
                             "may be missing");
  settle_flush (flush);

  return G_SOURCE_REMOVE;
}

/* Request the data of all schedulers. Then call @done, at the latest after FLUSH_TIMEOUT. @done may be called before
 * this function returns. */
static void
flush (RoastDaskBackend *self, GTask *task, gboolean is_last, void (*done) (RoastDaskBackend *self, GTask *task))
{
  Flush *entry = g_new0 (Flush, 1);

  entry->backend = self;
  entry->number = ++self->n_flushes;
  entry->asked = g_ptr_array_new_with_free_func (g_object_unref);
  entry->task = g_object_ref (task);
  entry->done = done;
  entry->timeout = source_attach (g_timeout_source_new (FLUSH_TIMEOUT), on_flush_timeout, entry);
  FOR_EACH_POINTER (DaskTransport, transport, self->transports)
    if (dask_scheduler_is_known (dask_transport_get_scheduler (transport)) &&
        !dask_scheduler_is_over (dask_transport_get_scheduler (transport)) &&
        dask_transport_flush (transport, entry->number, is_last))
      g_ptr_array_add (entry->asked, g_object_ref (transport));
  g_ptr_array_add (self->waiting, entry);
  settle_flushes (self);
}

static GHashTable *
get_totals (RoastDaskBackend *self)
{
  GHashTable *totals = span_totals_totals_new ();

  for (guint i = 0; i < self->transports->len; i++)
    dask_scheduler_add_totals (dask_transport_get_scheduler (g_ptr_array_index (self->transports, i)), totals);

  return totals;
}

/* ---- transports ---- */

static DaskOutput
get_output (RoastDaskBackend *self)
{
  return (DaskOutput) { self->recording, self->roles, self->tasks ? self->max_tasks : 0 };
}

/* Complete the start after the hello of the attached scheduler has arrived. If the transport was closed before that,
 * let the start fail. */
static void
settle_start (RoastDaskBackend *self, DaskTransport *transport)
{
  g_autoptr (GTask) task = NULL;

  if (self->starting == NULL)
    return;
  if (dask_scheduler_is_known (dask_transport_get_scheduler (transport)))
    {
      task = g_steal_pointer (&self->starting);
      g_task_return_boolean (task, TRUE);
    }
  else if (!dask_transport_is_open (transport))
    {
      const GError *error = dask_transport_get_error (transport);

      task = g_steal_pointer (&self->starting);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                                 "%s closed the connection before the probe's hello", self->address);
    }
}

static void
on_transport_changed (DaskTransport *transport, RoastDaskBackend *self)
{
  const GError *error = dask_transport_get_error (transport);

  g_object_ref (self);
  settle_start (self, transport);
  settle_flushes (self);
  if (!dask_transport_is_open (transport) && !self->stopped)
    {
      /* If the attached scheduler has not said hello, skip this error, because settle_start() has already reported
       * it. */
      if (error != NULL &&
          (self->address == NULL || dask_scheduler_is_known (dask_transport_get_scheduler (transport))))
        roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "connection", error->message);
      if (self->address != NULL)
        roast_metrics_backend_emit_finished (ROAST_METRICS_BACKEND (self));
    }
  g_object_unref (self);
}

static void
add_transport (RoastDaskBackend *self, DaskTransport *transport)
{
  g_signal_connect_object (transport, "changed", G_CALLBACK (on_transport_changed), self, 0);
  g_ptr_array_add (self->transports, transport);
}

static void
dask_connected (RoastMetricsBackend *backend, RoastRunConnection *connection)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);
  DaskOutput output = get_output (self);

  if (self->recording != NULL && !self->stopped)
    add_transport (self, dask_transport_new_for_connection (connection, &output));
}

/* ---- the backend ---- */

static RoastBackendCapabilities
dask_get_capabilities (RoastMetricsBackend *backend)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);
  RoastBackendCapabilities all = ROAST_BACKEND_CAPABILITIES_LAUNCH | ROAST_BACKEND_CAPABILITIES_ATTACH |
                                 ROAST_BACKEND_CAPABILITIES_WORKER_METRICS | ROAST_BACKEND_CAPABILITIES_FINE_METRICS |
                                 ROAST_BACKEND_CAPABILITIES_SPANS | ROAST_BACKEND_CAPABILITIES_LIVE;

  for (guint i = 0; i < self->transports->len; i++)
    if (!dask_scheduler_lacks_activities (dask_transport_get_scheduler (g_ptr_array_index (self->transports, i))))
      return all;

  return self->transports->len == 0
             ? all
             : all & ~(ROAST_BACKEND_CAPABILITIES_FINE_METRICS | ROAST_BACKEND_CAPABILITIES_SPANS);
}

static void
take_text (GVariant *options, const char *name, char **value)
{
  const char *text = NULL;

  if (!g_variant_lookup (options, name, "&s", &text))
    return;
  g_free (*value);
  *value = *text != '\0' ? g_strdup (text) : NULL;
}

static gboolean
dask_configure (RoastMetricsBackend *backend, GVariant *options, GError **error)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);
  gint64 max_tasks = 1000000;

  take_text (options, "processor", &self->processor);
  take_text (options, "span", &self->span);
  take_text (options, "python", &self->python);
  take_text (options, "ca-file", &self->ca_file);
  g_variant_lookup (options, "tasks", "b", &self->tasks);
  g_variant_lookup (options, "auto", "b", &self->is_automatic);
  g_variant_lookup (options, "max-tasks", "x", &max_tasks);
  if (max_tasks < 1 || max_tasks > 1000000000)
    {
      g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                   "max-tasks=%" G_GINT64_FORMAT " must be from 1 to 1000000000; use tasks=false to record no rows",
                   max_tasks);
      return FALSE;
    }
  self->max_tasks = (guint64) max_tasks;

  return TRUE;
}

static gboolean
dask_prepare_launch (RoastMetricsBackend *backend, RoastLaunchContext *context, GError **error)
{
  static const char *const words[] = { "dask", "Dask", "distributed", NULL };
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);

  /* Turn perf events off. They cost time at each thread switch, and Dask switches threads several times per task: for
   * short tasks, this costs 5 % of the time of the run. They are not needed for the CPU time: Dask reaps its own
   * processes, and a control group has the sum for all other processes. */
  if (!self->is_automatic || launch_words_find (context, words))
    roast_launch_context_set_accounting (context,
                                         roast_launch_context_get_accounting (context) & ~ROAST_ACCOUNTING_PERF);

  return dask_environment_prepare (context, self->span, self->tasks, error);
}

static gboolean
is_web_address (const char *address)
{
  return g_str_has_prefix (address, "http://") || g_str_has_prefix (address, "https://");
}

static void
dask_attach (RoastMetricsBackend *backend, const char *address, GTask *task)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);

  if (strstr (address, "://") == NULL)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                               "“%s” is not the address of a scheduler: use tcp://HOST:8786 (through a client of "
                               "Dask), or http://HOST:8787 (if roast's probe is already in the scheduler; set "
                               "ROAST_TOKEN)",
                               address);
      return;
    }
  if (is_web_address (address) && (g_getenv ("ROAST_TOKEN") == NULL || *g_getenv ("ROAST_TOKEN") == '\0'))
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                               "%s: set ROAST_TOKEN to the token of the probe in that scheduler; roast-attach "
                               "tcp://HOST:PORT puts a probe there",
                               address);
      return;
    }
  self->address = g_strdup (address);
  g_task_return_boolean (task, TRUE);
}

static void
start_attached (RoastDaskBackend *self, gint64 interval, GTask *task)
{
  DaskOutput output = get_output (self);
  GError *error = NULL;
  DaskTransport *transport = NULL;

  if (is_web_address (self->address))
    transport = dask_transport_new_for_url (self->address, g_getenv ("ROAST_TOKEN"), self->ca_file, &output, &error);
  else
    transport = dask_transport_new_for_address (self->address, self->python, interval, &output, &error);
  if (transport == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->starting = g_object_ref (task);
  add_transport (self, transport);
}

static void
dask_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);

  if (self->recording != NULL)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "this Dask backend already tracks a run: create another backend");
      return;
    }
  self->recording = g_object_ref (recording);
  self->roles = framework_tasks_new (recording, self->processor, UNNAMED, MAX_FUNCTION_NAME);
  if (self->address != NULL)
    start_attached (self, interval, task);
  else
    g_task_return_boolean (task, TRUE);
}

static void
stopped (RoastDaskBackend *self, GTask *task)
{
  gboolean is_any_known = FALSE;

  self->stopped = TRUE;
  FOR_EACH_POINTER (DaskTransport, transport, self->transports)
    {
      DaskScheduler *scheduler = dask_transport_get_scheduler (transport);

      is_any_known |= dask_scheduler_is_known (scheduler);
      /* The scheduler keeps running. It has sent all of its data with the flush, unless the flush took too long. */
      if (dask_transport_is_open (transport))
        dask_scheduler_leave (scheduler, self->n_flushes);
      dask_transport_shut (transport);
    }
  if (self->address == NULL && !self->is_automatic && !is_any_known)
    roast_recording_add_event (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "no-scheduler",
                               "no Dask scheduler was seen. Possible reasons: the program started no scheduler and "
                               "connected no Client to a scheduler; the program's Python has no Dask (distributed); "
                               "the program sets distributed.scheduler.preload itself, or calls dask.config.refresh "
                               "with env=, which drops roast-run's settings: call it without env=, or measure the "
                               "scheduler with roast-attach; or a roast-run inside this program measured the scheduler "
                               "instead: use only one roast-run");
  framework_tasks_finish (self->roles);
  g_task_return_boolean (task, TRUE);
}

static void
dask_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  flush (ROAST_DASK_BACKEND (backend), task, TRUE, stopped);
}

/* ---- spans ---- */

static void
span_opened (RoastDaskBackend *self, GTask *task)
{
  RoastSpan *span = span_totals_open (self->spans, g_task_get_task_data (task), get_totals (self));

  g_task_return_pointer (task, span, g_object_unref);
}

static void
dask_create_span (RoastMetricsBackend *backend, const char *name, GTask *task)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);

  if (!span_totals_check_tracking (self->spans, self->recording != NULL && !self->stopped, task))
    return;
  g_task_set_task_data (task, g_strdup (name), g_free);
  flush (self, task, FALSE, span_opened);
}

static void
span_closed (RoastDaskBackend *self, GTask *task)
{
  span_totals_close (self->spans, g_task_get_task_data (task), get_totals (self), self->recording);
  g_task_return_boolean (task, TRUE);
}

static void
dask_close_span (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);

  if (!span_totals_check_tracking (self->spans, self->recording != NULL && !self->stopped, task) ||
      !span_totals_check_span (self->spans, span, task))
    return;
  g_task_set_task_data (task, g_object_ref (span), g_object_unref);
  flush (self, task, FALSE, span_closed);
}

static void
span_measured (RoastDaskBackend *self, GTask *task)
{
  g_autoptr (GHashTable) totals = get_totals (self);
  GVariant *metrics = span_totals_get_metrics (self->spans, g_task_get_task_data (task), totals);

  g_task_return_pointer (task, g_variant_ref_sink (metrics), (GDestroyNotify) g_variant_unref);
}

static void
dask_get_span_metrics (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (backend);

  if (!span_totals_check_span (self->spans, span, task))
    return;
  g_task_set_task_data (task, g_object_ref (span), g_object_unref);
  if (roast_span_get_ended (span) >= 0)
    span_measured (self, task);
  else
    flush (self, task, FALSE, span_measured);
}

static void
backend_iface_init (RoastMetricsBackendInterface *iface)
{
  iface->get_capabilities = dask_get_capabilities;
  iface->configure = dask_configure;
  iface->prepare_launch = dask_prepare_launch;
  iface->connected = dask_connected;
  iface->attach = dask_attach;
  iface->start_tracking = dask_start_tracking;
  iface->stop_tracking = dask_stop_tracking;
  iface->create_span = dask_create_span;
  iface->close_span = dask_close_span;
  iface->get_span_metrics = dask_get_span_metrics;
}

static void
transport_free (DaskTransport *transport)
{
  dask_transport_shut (transport);
  g_object_unref (transport);
}

static void
roast_dask_backend_finalize (GObject *object)
{
  RoastDaskBackend *self = ROAST_DASK_BACKEND (object);

  g_ptr_array_unref (self->waiting);
  g_ptr_array_unref (self->transports);
  g_clear_object (&self->starting);
  g_clear_pointer (&self->roles, framework_tasks_free);
  g_clear_object (&self->recording);
  span_totals_free (self->spans);
  g_free (self->processor);
  g_free (self->span);
  g_free (self->python);
  g_free (self->ca_file);
  g_free (self->address);

  G_OBJECT_CLASS (roast_dask_backend_parent_class)->finalize (object);
}

static void
roast_dask_backend_class_init (RoastDaskBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_dask_backend_finalize;
}

/* Read the variable that roast-attach reads, too. Python sessions set it to the path of their own interpreter. */
static const char *
default_python (void)
{
  const char *python = g_getenv ("ROAST_PYTHON");

  return python != NULL && *python != '\0' ? python : "python3";
}

static void
roast_dask_backend_init (RoastDaskBackend *self)
{
  self->tasks = TRUE;
  self->max_tasks = 1000000;
  self->python = g_strdup (default_python ());
  self->transports = g_ptr_array_new_with_free_func ((GDestroyNotify) transport_free);
  self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) flush_free);
  /* Begin with a number that no other run uses, because all readers of a probe receive the answers to all flushes. */
  self->n_flushes = (guint64) g_random_int () << 16;
  self->spans = span_totals_new ("dask");
}

ROAST_DEFINE_PLUGIN ("dask", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("dask", roast_dask_backend_get_type))
