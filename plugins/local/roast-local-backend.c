/* SPDX-License-Identifier: BSD-3-Clause */

/* Maps a process tree, as the supervisor tells of it, to the unified model. */

#include <gmodule.h>
#include <roast/roast.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define ROAST_TYPE_LOCAL_BACKEND (roast_local_backend_get_type ())
G_DECLARE_FINAL_TYPE (RoastLocalBackend, roast_local_backend, ROAST, LOCAL_BACKEND, GObject)

/* How old a process is when its name is taken for its own: one that was just forked has its parent's until its exec. */
#define NAME_AGE 100000 /* µs */

/* A process that may become a worker: it is one from its first sample on. */
typedef struct
{
  RoastProcess *process;
  char *id;
  gboolean is_worker;
  gboolean is_named;
} Worker;

/* ---- columns of the tables that are filled ---- */

enum
{
  WORKER_SOURCE,
  WORKER_WORKER,
  WORKER_NAME,
  WORKER_HOST,
  WORKER_PID,
  WORKER_CORES,
  WORKER_JOINED,
  WORKER_LEFT,
  WORKER_LEAVE_REASON,
  WORKER_TAIL_LOST,
  N_WORKER
};

static const char *const worker_names[N_WORKER] = {
  "source", "worker", "name", "host", "pid", "cores", "joined", "left", "leave_reason", "tail_lost",
};

enum
{
  SAMPLE_SOURCE,
  SAMPLE_TIME,
  SAMPLE_WORKER,
  SAMPLE_MEMORY,
  SAMPLE_MEMORY_PSS,
  SAMPLE_MEMORY_PSS_AGE,
  SAMPLE_CPU,
  SAMPLE_THREADS,
  SAMPLE_RUN_QUEUE,
  SAMPLE_READ_CHARS,
  SAMPLE_WRITE_CHARS,
  SAMPLE_DISK_READ,
  SAMPLE_DISK_WRITE,
  N_SAMPLE
};

static const char *const sample_names[N_SAMPLE] = {
  "source",  "time",      "worker",     "memory",      "memory_pss", "memory_pss_age", "cpu",
  "threads", "run_queue", "read_chars", "write_chars", "disk_read",  "disk_write",
};

enum
{
  TREE_SOURCE,
  TREE_TIME,
  TREE_WORKERS,
  TREE_CORES,
  TREE_THREADS,
  TREE_MEMORY,
  TREE_MEMORY_PSS,
  TREE_MEMORY_PSS_READ,
  TREE_CPU,
  N_TREE
};

static const char *const tree_names[N_TREE] = {
  "source", "time", "workers", "cores", "threads", "memory", "memory_pss", "memory_pss_read", "cpu",
};

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
  gint64 last_sample;  /* when the tree was last seen as a whole, µs since the epoch */
  GHashTable *workers; /* RoastProcess to Worker */
  GHashTable *unnamed; /* of these, the workers whose name is not in the table yet */

  RoastTable *workers_table;
  RoastRow *worker_row;
  guint worker_columns[N_WORKER];
  RoastTable *samples_table;
  RoastRow *sample_row;
  guint sample_columns[N_SAMPLE];
  RoastTable *tree_table;
  RoastRow *tree_row;
  guint tree_columns[N_TREE];
};

static void backend_iface_init (RoastMetricsBackendInterface *iface);
static void observer_iface_init (RoastProcessObserverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastLocalBackend, roast_local_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, backend_iface_init)
                                   G_IMPLEMENT_INTERFACE (ROAST_TYPE_PROCESS_OBSERVER, observer_iface_init))

static void
find_columns (RoastTable *table, const char *const *names, guint *columns, guint n)
{
  for (guint i = 0; i < n; i++)
    columns[i] = (guint) roast_table_find_column (table, names[i]);
}

/* ---- cells: -1 is not available ---- */

static void
set_int64 (RoastRow *row, guint column, gint64 value)
{
  if (value >= 0)
    roast_row_set_int64 (row, column, value);
}

static void
set_seconds (RoastRow *row, guint column, gint64 us)
{
  if (us >= 0)
    roast_row_set_double (row, column, (double) us / G_USEC_PER_SEC);
}

static void
set_field (RoastRow *row, guint column, RoastProcess *process, RoastProcessField field)
{
  set_int64 (row, column, roast_process_get_field (process, field));
}

/* ---- the process tree ---- */

static void
worker_free (Worker *worker)
{
  g_object_unref (worker->process);
  g_free (worker->id);
  g_free (worker);
}

static void
local_tree_started (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  double quota = roast_process_tree_get_cgroup_cores (tree);

  self->cores = roast_process_tree_get_cores (tree);
  if (quota > 0)
    self->cores = MIN (self->cores, quota);
}

/* The first process is the one that was launched or attached to. */
static void
add_source (RoastLocalBackend *self, int pid)
{
  g_autofree char *address = g_strdup_printf ("pid %d", pid);

  self->source =
      roast_recording_add_source (self->recording, "local", address, NULL,
                                  "processes of this machine: CPU, memory, I/O, threads, waiting for a core; "
                                  "it knows nothing of tasks, spans or what a program computes");
}

static void
local_process_started (RoastProcessObserver *observer, RoastProcess *process)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  int pid = (int) roast_process_get_field (process, ROAST_PROCESS_FIELD_PID);
  Worker *worker;

  if (self->recording == NULL)
    return;
  if (self->source == NULL)
    add_source (self, pid);
  if (g_hash_table_contains (self->workers, process))
    return;
  worker = g_new0 (Worker, 1);
  worker->process = g_object_ref (process);
  worker->id = g_strdup_printf ("%d.%" G_GUINT64_FORMAT, pid, roast_process_get_id (process));
  g_hash_table_insert (self->workers, process, worker);
}

static void
begin_worker_row (RoastLocalBackend *self, const Worker *worker)
{
  roast_row_clear (self->worker_row);
  roast_row_set_string (self->worker_row, self->worker_columns[WORKER_SOURCE], self->source);
  roast_row_set_string (self->worker_row, self->worker_columns[WORKER_WORKER], worker->id);
}

static void
add_worker (RoastLocalBackend *self, Worker *worker)
{
  begin_worker_row (self, worker);
  roast_row_set_string (self->worker_row, self->worker_columns[WORKER_HOST], g_get_host_name ());
  set_field (self->worker_row, self->worker_columns[WORKER_PID], worker->process, ROAST_PROCESS_FIELD_PID);
  set_field (self->worker_row, self->worker_columns[WORKER_JOINED], worker->process, ROAST_PROCESS_FIELD_STARTED);
  roast_row_set_double (self->worker_row, self->worker_columns[WORKER_CORES], self->cores);
  roast_table_merge (self->workers_table, self->worker_row, NULL);
  worker->is_worker = TRUE;
  g_hash_table_add (self->unnamed, worker);
}

/* A cell is set once: a later exec does not change it. The last name of each process is in `processes`. */
static void
set_name (RoastLocalBackend *self, Worker *worker)
{
  const char *name = roast_process_get_command (worker->process);

  if (worker->is_named)
    return;
  roast_row_set_string (self->worker_row, self->worker_columns[WORKER_NAME], name);
  worker->is_named = TRUE;
}

static gboolean
name_if_old_enough (Worker *worker, RoastLocalBackend *self, gint64 time)
{
  if (time - roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_STARTED) < NAME_AGE)
    return FALSE;
  begin_worker_row (self, worker);
  set_name (self, worker);
  roast_table_merge (self->workers_table, self->worker_row, NULL);

  return TRUE;
}

static void
name_workers (RoastLocalBackend *self, gint64 time)
{
  GHashTableIter iter;
  Worker *worker;

  g_hash_table_iter_init (&iter, self->unnamed);
  while (g_hash_table_iter_next (&iter, (gpointer *) &worker, NULL))
    if (name_if_old_enough (worker, self, time))
      g_hash_table_iter_remove (&iter);
}

static gint64
cpu_of (RoastProcess *process)
{
  gint64 user = roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_USER);
  gint64 system = roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_SYSTEM);

  return user >= 0 && system >= 0 ? user + system : -1;
}

static void
add_sample (RoastLocalBackend *self, gint64 time, RoastProcess *process)
{
  Worker *worker = g_hash_table_lookup (self->workers, process);
  const guint *columns = self->sample_columns;
  RoastRow *row = self->sample_row;

  if (worker == NULL)
    return;
  if (!worker->is_worker)
    add_worker (self, worker);

  roast_row_clear (row);
  roast_row_set_string (row, columns[SAMPLE_SOURCE], self->source);
  set_int64 (row, columns[SAMPLE_TIME], time);
  roast_row_set_string (row, columns[SAMPLE_WORKER], worker->id);
  set_field (row, columns[SAMPLE_MEMORY], process, ROAST_PROCESS_FIELD_MEMORY);
  set_field (row, columns[SAMPLE_MEMORY_PSS], process, ROAST_PROCESS_FIELD_MEMORY_PSS);
  set_seconds (row, columns[SAMPLE_MEMORY_PSS_AGE],
               roast_process_get_field (process, ROAST_PROCESS_FIELD_MEMORY_PSS_AGE));
  set_seconds (row, columns[SAMPLE_CPU], cpu_of (process));
  set_field (row, columns[SAMPLE_THREADS], process, ROAST_PROCESS_FIELD_THREADS);
  set_seconds (row, columns[SAMPLE_RUN_QUEUE], roast_process_get_field (process, ROAST_PROCESS_FIELD_RUN_QUEUE));
  set_field (row, columns[SAMPLE_READ_CHARS], process, ROAST_PROCESS_FIELD_READ_CHARS);
  set_field (row, columns[SAMPLE_WRITE_CHARS], process, ROAST_PROCESS_FIELD_WRITE_CHARS);
  set_field (row, columns[SAMPLE_DISK_READ], process, ROAST_PROCESS_FIELD_DISK_READ);
  set_field (row, columns[SAMPLE_DISK_WRITE], process, ROAST_PROCESS_FIELD_DISK_WRITE);
  roast_table_append (self->samples_table, row, NULL);
}

static void
set_tree_field (RoastLocalBackend *self, guint column, RoastProcessTree *tree, RoastProcessTreeField field)
{
  set_int64 (self->tree_row, self->tree_columns[column], roast_process_tree_get_field (tree, field));
}

static void
add_tree_sample (RoastLocalBackend *self, RoastProcessTree *tree)
{
  RoastRow *row = self->tree_row;

  roast_row_clear (row);
  roast_row_set_string (row, self->tree_columns[TREE_SOURCE], self->source);
  roast_row_set_double (row, self->tree_columns[TREE_CORES], self->cores);
  set_tree_field (self, TREE_TIME, tree, ROAST_PROCESS_TREE_FIELD_TIME);
  set_tree_field (self, TREE_WORKERS, tree, ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES);
  set_tree_field (self, TREE_THREADS, tree, ROAST_PROCESS_TREE_FIELD_THREADS);
  set_tree_field (self, TREE_MEMORY, tree, ROAST_PROCESS_TREE_FIELD_MEMORY);
  set_tree_field (self, TREE_MEMORY_PSS, tree, ROAST_PROCESS_TREE_FIELD_MEMORY_PSS);
  set_tree_field (self, TREE_MEMORY_PSS_READ, tree, ROAST_PROCESS_TREE_FIELD_MEMORY_PSS_READ);
  set_seconds (row, self->tree_columns[TREE_CPU], roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_CPU));
  roast_table_append (self->tree_table, row, NULL);
}

static void
local_sampled (RoastProcessObserver *observer, RoastProcessTree *tree, GPtrArray *changed)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);

  if (self->source == NULL)
    return;
  self->last_sample = roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_TIME);
  add_tree_sample (self, tree);
  for (guint i = 0; i < changed->len; i++)
    add_sample (self, self->last_sample, g_ptr_array_index (changed, i));
  name_workers (self, self->last_sample);
}

static char *
leave_reason (RoastProcess *process)
{
  int status;

  if (roast_process_get_origin (process) == ROAST_PROCESS_ORIGIN_RUNNING)
    return g_strdup ("still running");
  if (!roast_process_get_wait_status (process, &status))
    return g_strdup ("ended");
  if (WIFSIGNALED (status))
    return g_strdup_printf ("killed by signal %d (%s)", WTERMSIG (status), strsignal (WTERMSIG (status)));

  return g_strdup_printf ("exited %d", WEXITSTATUS (status));
}

static void
end_worker (RoastLocalBackend *self, Worker *worker)
{
  g_autofree char *reason = leave_reason (worker->process);
  gint64 ended = roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_ENDED);

  begin_worker_row (self, worker);
  set_name (self, worker);
  set_int64 (self->worker_row, self->worker_columns[WORKER_LEFT], ended);
  roast_row_set_string (self->worker_row, self->worker_columns[WORKER_LEAVE_REASON], reason);
  if (roast_process_get_origin (worker->process) == ROAST_PROCESS_ORIGIN_SAMPLED)
    set_seconds (self->worker_row, self->worker_columns[WORKER_TAIL_LOST], ended - self->last_sample);
  roast_table_merge (self->workers_table, self->worker_row, NULL);
}

static void
local_process_ended (RoastProcessObserver *observer, RoastProcess *process)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  Worker *worker = g_hash_table_lookup (self->workers, process);

  if (worker == NULL)
    return;
  if (worker->is_worker)
    end_worker (self, worker);
  g_hash_table_remove (self->unnamed, worker);
  g_hash_table_remove (self->workers, process);
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
  return ROAST_BACKEND_CAPABILITIES_LAUNCH | ROAST_BACKEND_CAPABILITIES_ATTACH |
         ROAST_BACKEND_CAPABILITIES_WORKER_METRICS | ROAST_BACKEND_CAPABILITIES_LIVE;
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

  self->pss = g_str_equal (pss, "exact") ? ROAST_PSS_MODE_EXACT
              : g_str_equal (pss, "off") ? ROAST_PSS_MODE_OFF
                                         : ROAST_PSS_MODE_AUTO;
  self->wait = g_str_equal (wait, "tree") ? ROAST_WAIT_MODE_TREE : ROAST_WAIT_MODE_MAIN;
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
                               "“%s” is no process: the local backend attaches to the number of one, as in "
                               "--attach=4711",
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
  find_columns (self->workers_table, worker_names, self->worker_columns, N_WORKER);
  find_columns (self->samples_table, sample_names, self->sample_columns, N_SAMPLE);
  find_columns (self->tree_table, tree_names, self->tree_columns, N_TREE);
}

static void
local_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (backend);
  g_autoptr (RoastLaunchContext) context = NULL;

  /* Once only, also after a stop: the tables and what they were told of belong to one run. */
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
  g_hash_table_unref (self->unnamed);
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
  self->workers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) worker_free);
  self->unnamed = g_hash_table_new (NULL, NULL);
  self->grace = 2 * G_USEC_PER_SEC;
  self->accounting = ~(RoastAccounting) 0;
}

ROAST_DEFINE_PLUGIN ("local", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("local", roast_local_backend_get_type))
