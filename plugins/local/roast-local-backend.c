/* SPDX-License-Identifier: BSD-3-Clause */

/* Maps a process tree, as the supervising program tells of it, to the unified model. */

#include <gmodule.h>
#include <roast/roast.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define ROAST_TYPE_LOCAL_BACKEND (roast_local_backend_get_type ())
G_DECLARE_FINAL_TYPE (RoastLocalBackend, roast_local_backend, ROAST, LOCAL_BACKEND, GObject)

/* A process that may become a worker: it is one from its first sample on. */
typedef struct
{
  RoastProcess process;
  char *id;
  gboolean is_worker;
} Worker;

struct _RoastLocalBackend
{
  GObject parent_instance;

  RoastPssMode pss;
  RoastWaitMode wait;
  gint64 grace;
  RoastAccounting accounting;

  RoastRecording *recording;
  RoastLauncher *launcher; /* only when attached */
  GTask *stopping;
  int pid;
  gboolean over;

  char *source;
  double cores;
  GHashTable *workers; /* guint64 number of a process to Worker */

  RoastTable *workers_table;
  RoastRow *worker_row;
  RoastTable *samples_table;
  RoastRow *sample_row;
  RoastTable *tree_table;
  RoastRow *tree_row;
};

static void backend_iface_init (RoastMetricsBackendInterface *iface);
static void observer_iface_init (RoastProcessObserverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastLocalBackend,
                               roast_local_backend,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, backend_iface_init)
                                   G_IMPLEMENT_INTERFACE (ROAST_TYPE_PROCESS_OBSERVER, observer_iface_init))

#define COLUMN(table, name) ((guint) roast_table_find_column (table, name))

/* ---- cells: -1 is not available ---- */

static void
set_int64 (RoastRow *row, RoastTable *table, const char *column, gint64 value)
{
  if (value >= 0)
    roast_row_set_int64 (row, COLUMN (table, column), value);
}

static void
set_seconds (RoastRow *row, RoastTable *table, const char *column, gint64 us)
{
  if (us >= 0)
    roast_row_set_double (row, COLUMN (table, column), (double) us / G_USEC_PER_SEC);
}

static void
set_string (RoastRow *row, RoastTable *table, const char *column, const char *value)
{
  roast_row_set_string (row, COLUMN (table, column), value);
}

/* ---- the process tree ---- */

static void
worker_free (Worker *worker)
{
  g_free (worker->id);
  g_free (worker);
}

static void
local_tree_started (RoastProcessObserver *observer, const RoastTreeInfo *info)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  g_autofree char *address = NULL;

  if (self->recording == NULL || self->source != NULL)
    return;
  self->cores = info->cgroup_cores > 0 ? MIN (info->cores, info->cgroup_cores) : info->cores;
  address = self->pid > 0 ? g_strdup_printf ("pid %d", self->pid) : g_strdup ("launched by roast");
  self->source = roast_recording_add_source (self->recording, "local", address, NULL,
                                             "processes of this machine: CPU, memory, I/O, threads, waiting for a core; "
                                             "it knows nothing of tasks, spans or what a program computes");
}

static void
local_process_started (RoastProcessObserver *observer, const RoastProcess *process, const char *command_line)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  Worker *worker = g_hash_table_lookup (self->workers, &process->id);

  if (worker == NULL)
    {
      worker = g_new0 (Worker, 1);
      worker->id = g_strdup_printf ("%d.%" G_GUINT64_FORMAT, process->pid, process->id);
      g_hash_table_insert (self->workers, g_memdup2 (&process->id, sizeof process->id), worker);
    }
  worker->process = *process;
}

static void
begin_worker_row (RoastLocalBackend *self, const Worker *worker)
{
  roast_row_clear (self->worker_row);
  set_string (self->worker_row, self->workers_table, "source", self->source);
  set_string (self->worker_row, self->workers_table, "worker", worker->id);
}

static void
add_worker (RoastLocalBackend *self, Worker *worker)
{
  begin_worker_row (self, worker);
  set_string (self->worker_row, self->workers_table, "host", g_get_host_name ());
  set_int64 (self->worker_row, self->workers_table, "pid", worker->process.pid);
  set_int64 (self->worker_row, self->workers_table, "joined", worker->process.started);
  roast_row_set_double (self->worker_row, COLUMN (self->workers_table, "cores"), self->cores);
  roast_table_merge (self->workers_table, self->worker_row, NULL);
  worker->is_worker = TRUE;
}

static void
add_sample (RoastLocalBackend *self, gint64 time, const RoastProcessSample *sample)
{
  Worker *worker = g_hash_table_lookup (self->workers, &sample->id);
  RoastRow *row = self->sample_row;
  RoastTable *table = self->samples_table;

  if (worker == NULL)
    return;
  if (!worker->is_worker)
    add_worker (self, worker);

  roast_row_clear (row);
  set_string (row, table, "source", self->source);
  set_int64 (row, table, "time", time);
  set_string (row, table, "worker", worker->id);
  set_int64 (row, table, "memory", sample->rss);
  set_int64 (row, table, "memory_pss", sample->pss);
  set_seconds (row, table, "memory_pss_age", sample->pss_age);
  set_seconds (row, table, "cpu", sample->usage.user + sample->usage.system);
  set_int64 (row, table, "threads", sample->threads);
  set_seconds (row, table, "run_queue", sample->usage.run_queue);
  set_int64 (row, table, "read_chars", sample->usage.read_chars);
  set_int64 (row, table, "write_chars", sample->usage.write_chars);
  set_int64 (row, table, "disk_read", sample->usage.read_bytes);
  set_int64 (row, table, "disk_write", sample->usage.write_bytes);
  roast_table_append (table, row, NULL);
}

static void
local_sampled (RoastProcessObserver     *observer,
               const RoastTreeSample    *tree,
               const RoastProcessSample *samples,
               guint                     n_samples)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  RoastRow *row = self->tree_row;
  RoastTable *table = self->tree_table;

  if (self->source == NULL)
    return;
  roast_row_clear (row);
  set_string (row, table, "source", self->source);
  set_int64 (row, table, "time", tree->time);
  set_int64 (row, table, "workers", tree->processes);
  roast_row_set_double (row, COLUMN (table, "cores"), self->cores);
  set_int64 (row, table, "threads", tree->threads);
  set_int64 (row, table, "memory", tree->rss);
  set_int64 (row, table, "memory_pss", tree->pss);
  set_int64 (row, table, "memory_pss_read", tree->pss_known);
  set_seconds (row, table, "cpu", tree->cpu);
  roast_table_append (table, row, NULL);

  for (guint i = 0; i < n_samples; i++)
    add_sample (self, tree->time, &samples[i]);
}

static char *
leave_reason (const RoastProcessEnd *end)
{
  if (end->origin == ROAST_PROCESS_RUNNING)
    return g_strdup ("still running");
  if (!end->status_known)
    return g_strdup ("ended");
  if (WIFSIGNALED (end->wait_status))
    return g_strdup_printf ("killed by signal %d (%s)", WTERMSIG (end->wait_status), strsignal (WTERMSIG (end->wait_status)));

  return g_strdup_printf ("exited %d", WEXITSTATUS (end->wait_status));
}

static void
local_process_ended (RoastProcessObserver *observer, const RoastProcessEnd *end)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  Worker *worker = end->id != 0 ? g_hash_table_lookup (self->workers, &end->id) : NULL;

  if (worker == NULL)
    return;
  if (worker->is_worker && self->source != NULL)
    {
      g_autofree char *reason = leave_reason (end);

      begin_worker_row (self, worker);
      set_string (self->worker_row, self->workers_table, "name", worker->process.command);
      set_int64 (self->worker_row, self->workers_table, "left", end->ended);
      set_string (self->worker_row, self->workers_table, "leave_reason", reason);
      roast_table_merge (self->workers_table, self->worker_row, NULL);
    }
  g_hash_table_remove (self->workers, &end->id);
}

static void
observer_iface_init (RoastProcessObserverInterface *iface)
{
  iface->tree_started = local_tree_started;
  iface->process_started = local_process_started;
  iface->sampled = local_sampled;
  iface->process_ended = local_process_ended;
}

/* ---- the backend ---- */

static RoastBackendCapabilities
local_get_capabilities (RoastMetricsBackend *backend)
{
  return ROAST_BACKEND_LAUNCH | ROAST_BACKEND_ATTACH | ROAST_BACKEND_WORKER_METRICS | ROAST_BACKEND_LIVE;
}

static gboolean
local_configure (RoastMetricsBackend *backend, GVariant *options, GError **error)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (backend);
  const char *pss = "auto";
  const char *wait = "main";
  gboolean perf = TRUE;
  gboolean cgroup = TRUE;
  double grace = 2;

  g_variant_lookup (options, "pss", "&s", &pss);
  g_variant_lookup (options, "wait", "&s", &wait);
  g_variant_lookup (options, "grace", "d", &grace);
  g_variant_lookup (options, "perf", "b", &perf);
  g_variant_lookup (options, "cgroup", "b", &cgroup);
  if (grace < 0 || grace > 86400)
    {
      g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                   "grace=%g: the seconds to wait for processes left behind are from 0 to 86400", grace);
      return FALSE;
    }

  self->pss = g_str_equal (pss, "exact") ? ROAST_PSS_EXACT : g_str_equal (pss, "off") ? ROAST_PSS_OFF : ROAST_PSS_AUTO;
  self->wait = g_str_equal (wait, "tree") ? ROAST_WAIT_TREE : ROAST_WAIT_MAIN;
  self->grace = (gint64) (grace * G_USEC_PER_SEC);
  self->accounting = ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_RECONCILE | ROAST_ACCOUNTING_IO | ROAST_ACCOUNTING_PSS |
                     ROAST_ACCOUNTING_RUN_QUEUE | ROAST_ACCOUNTING_CHILDREN | (perf ? ROAST_ACCOUNTING_PERF : 0) |
                     (cgroup ? ROAST_ACCOUNTING_CGROUP : 0);

  return TRUE;
}

static void
set_up_context (RoastLocalBackend *self, RoastLaunchContext *context)
{
  roast_launch_context_set_pss_mode (context, self->pss);
  roast_launch_context_set_wait_mode (context, self->wait);
  roast_launch_context_set_grace (context, self->grace);
  roast_launch_context_set_accounting (context, self->accounting);
  roast_launch_context_add_observer (context, ROAST_PROCESS_OBSERVER (self));
}

static gboolean
local_prepare_launch (RoastMetricsBackend *backend, RoastLaunchContext *context, GError **error)
{
  set_up_context (ROAST_LOCAL_BACKEND (backend), context);

  return TRUE;
}

static void
local_attach (RoastMetricsBackend *backend, const char *address, GTask *task)
{
  guint64 pid = 0;

  if (!g_ascii_string_to_unsigned (address, 10, 1, G_MAXINT, &pid, NULL))
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                               "“%s” is no process: the local backend attaches to the number of one, as in --attach=4711",
                               address);
      return;
    }
  ROAST_LOCAL_BACKEND (backend)->pid = (int) pid;
  g_task_return_boolean (task, TRUE);
}

static void
on_target_over (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastLocalBackend) self = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&self->stopping);

  self->over = TRUE;
  roast_launcher_wait_finish (self->launcher, result, NULL);
  /* It holds us as its observer. */
  g_clear_object (&self->launcher);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
  else
    roast_metrics_backend_emit_finished (ROAST_METRICS_BACKEND (self));
}

static void
on_attached (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  RoastLocalBackend *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!roast_launcher_attach_finish (self->launcher, result, &error))
    {
      g_clear_object (&self->launcher);
      g_task_return_error (task, error);
      return;
    }
  roast_launcher_wait_async (self->launcher, NULL, on_target_over, g_object_ref (self));
  g_task_return_boolean (task, TRUE);
}

static void
open_tables (RoastLocalBackend *self, RoastRecording *recording)
{
  self->recording = g_object_ref (recording);
  self->workers_table = roast_recording_get_table (recording, "workers");
  self->worker_row = roast_row_new (self->workers_table);
  self->samples_table = roast_recording_get_table (recording, "worker_samples");
  self->sample_row = roast_row_new (self->samples_table);
  self->tree_table = roast_recording_get_table (recording, "cluster_samples");
  self->tree_row = roast_row_new (self->tree_table);
}

static void
local_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (backend);
  g_autoptr (RoastLaunchContext) context = NULL;

  if (self->recording != NULL)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "the local backend is tracking already: make another one");
      return;
    }
  open_tables (self, recording);
  if (self->pid == 0)
    {
      /* The tree will be launched, and told of as to any observer. */
      g_task_return_boolean (task, TRUE);
      return;
    }

  context = roast_launch_context_new (NULL);
  roast_launch_context_set_interval (context, interval);
  set_up_context (self, context);
  self->launcher = roast_launcher_new (recording);
  roast_launcher_attach_async (self->launcher, self->pid, context, g_task_get_cancellable (task), on_attached,
                               g_object_ref (task));
}

static void
local_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (backend);

  if (self->recording == NULL)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING,
                               "the local backend is not tracking");
      return;
    }
  if (self->launcher == NULL || self->over)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  self->stopping = g_object_ref (task);
  roast_launcher_detach (self->launcher);
}

static void
backend_iface_init (RoastMetricsBackendInterface *iface)
{
  iface->get_capabilities = local_get_capabilities;
  iface->configure = local_configure;
  iface->prepare_launch = local_prepare_launch;
  iface->attach = local_attach;
  iface->start_tracking = local_start_tracking;
  iface->stop_tracking = local_stop_tracking;
}

static void
roast_local_backend_finalize (GObject *object)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (object);

  g_clear_object (&self->launcher);
  g_clear_object (&self->stopping);
  g_clear_pointer (&self->worker_row, roast_row_unref);
  g_clear_pointer (&self->sample_row, roast_row_unref);
  g_clear_pointer (&self->tree_row, roast_row_unref);
  g_clear_object (&self->recording);
  g_hash_table_unref (self->workers);
  g_free (self->source);

  G_OBJECT_CLASS (roast_local_backend_parent_class)->finalize (object);
}

static void
roast_local_backend_class_init (RoastLocalBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_local_backend_finalize;
}

static void
roast_local_backend_init (RoastLocalBackend *self)
{
  self->workers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) worker_free);
  self->grace = 2 * G_USEC_PER_SEC;
  self->accounting = ~(RoastAccounting) 0;
}

ROAST_DEFINE_PLUGIN ("local", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("local", roast_local_backend_get_type))
