/* SPDX-License-Identifier: BSD-3-Clause */

/* Backend that records each process in the process tree of the program as a worker. */

#include <gmodule.h>
#include <roast/roast.h>
#include <string.h>
#include <sys/wait.h>

G_DECLARE_FINAL_TYPE (RoastLocalBackend, roast_local_backend, ROAST, LOCAL_BACKEND, GObject)

/* A younger process does not count as having its own name: between fork and exec, it has the name of its parent. */
#define NAME_AGE 100000 /* µs */

/* A process of the tree. It becomes a worker as soon as its first sample is written. */
typedef struct
{
  RoastProcess *process;
  char *id;
  guint64 row; /* number of its row in the table workers */
  gboolean is_worker;
  gboolean is_named;
} Worker;

struct _RoastLocalBackend
{
  GObject parent_instance;

  RoastPssMode pss;
  RoastWaitMode wait;
  gint64 grace;
  RoastAccounting accounting;

  RoastRecording *recording;
  RoastLauncher *launcher; /* launcher that attaches to a process; NULL if roast does not attach to one */
  GTask *stopping;
  int pid;

  char *source;
  double cores;
  gint64 last_sample;  /* time of the last sample, µs since the epoch */
  gint64 final_cpu;    /* CPU time of processes that have ended, µs */
  gint64 final_system; /* part of @final_cpu that the processes spent in the kernel, µs */
  gboolean is_unsplit; /* @final_system is incomplete */
  GHashTable *workers; /* maps a RoastProcess to its Worker */
  RoastTableWriter *workers_writer;
  RoastTableWriter *samples_writer;
  RoastTableWriter *tree_writer;
};

static void backend_iface_init (RoastMetricsBackendInterface *iface);
static void observer_iface_init (RoastProcessObserverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastLocalBackend, roast_local_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, backend_iface_init)
                                   G_IMPLEMENT_INTERFACE (ROAST_TYPE_PROCESS_OBSERVER, observer_iface_init))

/* ---- cells; -1 means not available ---- */

/* A column of a table, and the field of a process or of the tree that fills the column. */
typedef struct
{
  guint slot;
  guint field;
} Cell;

static const Cell sample_cells[] = {
  { ROAST_WORKER_SAMPLES_MEMORY, ROAST_PROCESS_FIELD_MEMORY },
  { ROAST_WORKER_SAMPLES_MEMORY_PSS, ROAST_PROCESS_FIELD_MEMORY_PSS },
  { ROAST_WORKER_SAMPLES_THREADS, ROAST_PROCESS_FIELD_THREADS },
  { ROAST_WORKER_SAMPLES_READ_CHARS, ROAST_PROCESS_FIELD_READ_CHARS },
  { ROAST_WORKER_SAMPLES_WRITE_CHARS, ROAST_PROCESS_FIELD_WRITE_CHARS },
  { ROAST_WORKER_SAMPLES_DISK_READ, ROAST_PROCESS_FIELD_DISK_READ },
  { ROAST_WORKER_SAMPLES_DISK_WRITE, ROAST_PROCESS_FIELD_DISK_WRITE },
};

static const Cell tree_cells[] = {
  { ROAST_CLUSTER_SAMPLES_TIME, ROAST_PROCESS_TREE_FIELD_TIME },
  { ROAST_CLUSTER_SAMPLES_WORKERS, ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES },
  { ROAST_CLUSTER_SAMPLES_THREADS, ROAST_PROCESS_TREE_FIELD_THREADS },
  { ROAST_CLUSTER_SAMPLES_MEMORY, ROAST_PROCESS_TREE_FIELD_MEMORY },
  { ROAST_CLUSTER_SAMPLES_MEMORY_PSS, ROAST_PROCESS_TREE_FIELD_MEMORY_PSS },
  { ROAST_CLUSTER_SAMPLES_MEMORY_PSS_READ, ROAST_PROCESS_TREE_FIELD_MEMORY_PSS_READ },
};

static void
set_seconds (RoastTableWriter *writer, guint slot, gint64 microseconds)
{
  if (microseconds >= 0)
    roast_table_writer_set_double (writer, slot, (double) microseconds / G_USEC_PER_SEC);
}

/* ---- the process tree ---- */

static void
worker_free (Worker *worker)
{
  g_object_unref (worker->process);
  g_free (worker->id);
  g_free (worker);
}

/* Set the number of cores. Do this for each sample, because the program may change its CPU affinity. */
static void
set_cores (RoastLocalBackend *self, RoastProcessTree *tree)
{
  double quota = roast_process_tree_get_cgroup_cores (tree);

  self->cores = roast_process_tree_get_cores (tree);
  if (quota > 0)
    self->cores = MIN (self->cores, quota);
}

static void
local_tree_started (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  set_cores (ROAST_LOCAL_BACKEND (observer), tree);
}

/* Begin the recording. @pid: process ID of the main process, which starts before all other processes */
static void
begin (RoastLocalBackend *self, int pid)
{
  g_autofree char *address = g_strdup_printf ("pid %d", pid);
  g_autoptr (RoastTableWriter) sources = NULL;

  self->source = roast_recording_add_source (self->recording, "local", address, NULL,
                                             "processes of this machine with CPU time, memory, I/O, threads and "
                                             "waiting for a core; no tasks and no spans");
  /* Declare that the workers of this source are processes, so that they do not count as additional workers if the run
   * also has an executor. */
  sources = roast_sources_write (self->recording, self->source);
  roast_table_writer_set_word (sources, ROAST_SOURCES_WORKER_KIND, ROAST_WORKER_KIND_PROCESS);
  roast_table_writer_end (sources, NULL);
  self->workers_writer = roast_workers_write (self->recording, self->source);
  self->samples_writer = roast_worker_samples_write (self->recording, self->source);
  self->tree_writer = roast_cluster_samples_write (self->recording, self->source);
  g_return_if_fail (self->workers_writer != NULL && self->samples_writer != NULL && self->tree_writer != NULL);
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
    begin (self, pid);
  if (g_hash_table_contains (self->workers, process))
    return;
  worker = g_new0 (Worker, 1);
  worker->process = g_object_ref (process);
  worker->id = g_strdup_printf ("%d.%" G_GUINT64_FORMAT, pid, roast_process_get_id (process));
  g_hash_table_insert (self->workers, process, worker);
}

static void
add_worker (RoastLocalBackend *self, Worker *worker)
{
  RoastTableWriter *writer = self->workers_writer;

  roast_table_writer_set_string (writer, ROAST_WORKERS_WORKER, worker->id);
  roast_table_writer_set_string (writer, ROAST_WORKERS_HOST, g_get_host_name ());
  roast_table_writer_set_count (writer, ROAST_WORKERS_PID,
                                roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_PID));
  /* The process ID belongs to roast's own PID namespace. Write this namespace, unless the process also has an ID in
   * another namespace. */
  if (roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_NAMESPACE_PID) < 0)
    roast_table_writer_set_count (writer, ROAST_WORKERS_PID_NAMESPACE,
                                  roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_PID_NAMESPACE));
  roast_table_writer_set_count (writer, ROAST_WORKERS_JOINED,
                                roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_STARTED));
  roast_table_writer_set_double (writer, ROAST_WORKERS_CORES, self->cores);
  roast_table_writer_end (writer, NULL);
  worker->row = roast_table_writer_get_row (writer);
  worker->is_worker = TRUE;
}

/* Set the name of a worker. It is set only once, so a later exec does not change it. The table processes contains the
 * name that the process had at its end. */
static void
set_name (RoastLocalBackend *self, Worker *worker)
{
  if (!worker->is_named)
    roast_table_writer_set_string (self->workers_writer, ROAST_WORKERS_NAME,
                                   roast_process_get_command (worker->process));
  worker->is_named = TRUE;
}

static void
name_workers (RoastLocalBackend *self, gint64 time)
{
  GHashTableIter iter;
  Worker *worker;

  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      if (!worker->is_worker || worker->is_named ||
          time - roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_STARTED) < NAME_AGE)
        continue;
      roast_table_writer_select_row (self->workers_writer, worker->row);
      set_name (self, worker);
      roast_table_writer_end (self->workers_writer, NULL);
    }
}

static void
add_sample (RoastLocalBackend *self, gint64 time, RoastProcess *process)
{
  Worker *worker = g_hash_table_lookup (self->workers, process);
  RoastTableWriter *writer = self->samples_writer;
  gint64 user = roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_USER);
  gint64 system = roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_SYSTEM);

  if (worker == NULL)
    return;
  if (!worker->is_worker)
    add_worker (self, worker);

  roast_table_writer_set_int64 (writer, ROAST_WORKER_SAMPLES_TIME, time);
  roast_table_writer_set_string (writer, ROAST_WORKER_SAMPLES_WORKER, worker->id);
  for (guint i = 0; i < G_N_ELEMENTS (sample_cells); i++)
    roast_table_writer_set_count (writer, sample_cells[i].slot,
                                  roast_process_get_field (process, sample_cells[i].field));
  set_seconds (writer, ROAST_WORKER_SAMPLES_MEMORY_PSS_AGE,
               roast_process_get_field (process, ROAST_PROCESS_FIELD_MEMORY_PSS_AGE));
  set_seconds (writer, ROAST_WORKER_SAMPLES_CPU, user >= 0 && system >= 0 ? user + system : -1);
  set_seconds (writer, ROAST_WORKER_SAMPLES_RUN_QUEUE,
               roast_process_get_field (process, ROAST_PROCESS_FIELD_RUN_QUEUE));
  roast_table_writer_end (writer, NULL);
}

static void
local_sampled (RoastProcessObserver *observer, RoastProcessTree *tree, GPtrArray *changed)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  RoastTableWriter *writer = self->tree_writer;

  if (self->source == NULL)
    return;
  self->last_sample = roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_TIME);
  set_cores (self, tree);
  roast_table_writer_set_double (writer, ROAST_CLUSTER_SAMPLES_CORES, self->cores);
  for (guint i = 0; i < G_N_ELEMENTS (tree_cells); i++)
    roast_table_writer_set_count (writer, tree_cells[i].slot, roast_process_tree_get_field (tree, tree_cells[i].field));
  set_seconds (writer, ROAST_CLUSTER_SAMPLES_CPU, roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_CPU));
  set_seconds (writer, ROAST_CLUSTER_SAMPLES_CPU_SYSTEM,
               roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_CPU_SYSTEM));
  roast_table_writer_end (writer, NULL);
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
  RoastTableWriter *writer = self->workers_writer;
  g_autofree char *reason = leave_reason (worker->process);
  gint64 ended = roast_process_get_field (worker->process, ROAST_PROCESS_FIELD_ENDED);

  roast_table_writer_select_row (writer, worker->row);
  set_name (self, worker);
  roast_table_writer_set_count (writer, ROAST_WORKERS_LEFT, ended);
  roast_table_writer_set_string (writer, ROAST_WORKERS_LEAVE_REASON, reason);
  if (roast_process_get_origin (worker->process) == ROAST_PROCESS_ORIGIN_SAMPLED)
    set_seconds (writer, ROAST_WORKERS_TAIL_LOST, ended - self->last_sample);
  roast_table_writer_close (writer, NULL);
}

static void
local_process_ended (RoastProcessObserver *observer, RoastProcess *process)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  Worker *worker = g_hash_table_lookup (self->workers, process);
  /* Use 0 for a field that is not available. */
  gint64 user = MAX (roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_USER), 0);
  gint64 system = MAX (roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_SYSTEM), 0);
  gint64 unsplit = MAX (roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_UNSPLIT), 0);

  self->final_cpu += user + system + unsplit;
  self->final_system += system;
  self->is_unsplit |= unsplit > 0;
  if (worker == NULL)
    return;
  if (worker->is_worker)
    end_worker (self, worker);
  g_hash_table_remove (self->workers, process);
}

/* Write the last sample. It comes from the final accounting, which covers all processes and is exact for processes that
 * were reaped. At this time, the memory and the threads of the processes are unknown. */
static void
local_tree_ended (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (observer);
  RoastTableWriter *writer = self->tree_writer;
  gint64 ended = roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_ENDED);

  if (self->source == NULL || ended < 0)
    return;
  roast_table_writer_set_int64 (writer, ROAST_CLUSTER_SAMPLES_TIME, ended);
  roast_table_writer_set_count (writer, ROAST_CLUSTER_SAMPLES_WORKERS,
                                roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_LEFTOVER));
  roast_table_writer_set_double (writer, ROAST_CLUSTER_SAMPLES_CORES, self->cores);
  set_seconds (writer, ROAST_CLUSTER_SAMPLES_CPU, self->final_cpu);
  if (!self->is_unsplit)
    set_seconds (writer, ROAST_CLUSTER_SAMPLES_CPU_SYSTEM, self->final_system);
  roast_table_writer_end (writer, NULL);
}

static void
observer_iface_init (RoastProcessObserverInterface *iface)
{
  iface->tree_started = local_tree_started;
  iface->process_started = local_process_started;
  iface->sampled = local_sampled;
  iface->process_ended = local_process_ended;
  iface->tree_ended = local_tree_ended;
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
  double grace = 0.2;

  g_variant_lookup (options, "pss", "&s", &pss);
  g_variant_lookup (options, "wait", "&s", &wait);
  g_variant_lookup (options, "grace", "d", &grace);
  g_variant_lookup (options, "perf", "b", &perf);
  g_variant_lookup (options, "cgroup", "b", &cgroup);
  if (grace < 0 || grace > 86400)
    {
      g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                   "grace=%g is out of range: give 0 to 86400 seconds", grace);
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
                               "“%s” is not a process id: the local backend attaches to a process, as in "
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

  roast_launcher_wait_finish (self->launcher, result, NULL);
  /* Break the reference cycle: the launcher has a reference to this backend, which is its observer. */
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
local_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  RoastLocalBackend *self = ROAST_LOCAL_BACKEND (backend);
  g_autoptr (RoastLaunchContext) context = NULL;

  /* Refuse to track a second time, even after a stop, because all rows of a backend must belong to one run. */
  if (self->recording != NULL)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "this local backend already tracks a run: create another backend");
      return;
    }
  self->recording = g_object_ref (recording);
  if (self->pid == 0)
    {
      /* Do nothing but observe, because the session launches the processes. */
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

  if (self->launcher == NULL)
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
  g_clear_object (&self->workers_writer);
  g_clear_object (&self->samples_writer);
  g_clear_object (&self->tree_writer);
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
  self->workers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) worker_free);
  self->grace = G_USEC_PER_SEC / 5;
  self->accounting = ~(RoastAccounting) 0;
}

ROAST_DEFINE_PLUGIN ("local", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("local", roast_local_backend_get_type))
