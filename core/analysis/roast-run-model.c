/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-run-model-private.h"

#include <math.h>

#include "base/roast-type-private.h"
#include "recording/roast-recording-snapshot-private.h"
#include "roast-run-slots-private.h"
#include "roast/roast-tables.h"

/**
 * RoastRunModel:
 *
 * The parts of a run: its sources, workers, roles of tasks, and calls. A model reads these parts once from a
 * [class@Roast.RecordingSnapshot], so that all aggregators get the same results. Immutable.
 *
 * ```c
 * RoastRunModel *model = roast_run_model_get (recording);
 * guint n;
 * const RoastRunWorker *workers = roast_run_model_get_workers (model, &n);
 *
 * for (guint i = 0; i < n; i++)
 *   if (!workers[i].is_process)
 *     cores += workers[i].cores;
 * ```
 *
 * Since: 0.9
 */
ROAST_DEFINE_TYPE (RoastRunModel, roast_run_model)

/* Defines a boxed type for a part of a model. A copy of a part keeps the model alive, because the model owns the texts
 * of the part. */
#define DEFINE_PART(TypeName, PREFIX)                                                                                  \
  static TypeName *PREFIX##_copy (TypeName *self)                                                                      \
  {                                                                                                                    \
    g_object_ref (self->model);                                                                                        \
    return g_memdup2 (self, sizeof *self);                                                                             \
  }                                                                                                                    \
                                                                                                                       \
  static void PREFIX##_free (TypeName *self)                                                                           \
  {                                                                                                                    \
    g_object_unref (self->model);                                                                                      \
    g_free (self);                                                                                                     \
  }                                                                                                                    \
                                                                                                                       \
  G_DEFINE_BOXED_TYPE (TypeName, PREFIX, PREFIX##_copy, PREFIX##_free)

DEFINE_PART (RoastRunSource, roast_run_source)
DEFINE_PART (RoastRunWorker, roast_run_worker)
DEFINE_PART (RoastRunProcess, roast_run_process)
DEFINE_PART (RoastRunCall, roast_run_call)

static void
roast_run_model_init (RoastRunModel *self)
{
  self->strings = g_string_chunk_new (1024);
  self->sources = g_array_new (FALSE, FALSE, sizeof (RoastRunSource));
  self->workers = g_array_new (FALSE, FALSE, sizeof (RoastRunWorker));
  self->processes = g_array_new (FALSE, FALSE, sizeof (RoastRunProcess));
  self->calls = g_array_new (FALSE, FALSE, sizeof (RoastRunCall));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->framework = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
roast_run_model_release (RoastRunModel *self)
{
  g_clear_weak_pointer (&self->recording);
  g_array_unref (self->sources);
  g_array_unref (self->workers);
  g_array_unref (self->processes);
  g_array_unref (self->calls);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->framework);
  g_string_chunk_free (self->strings);
}

/* ---- reading ---- */

const char *
roast_run_model_get_text (RoastRunModel *self, RoastTableReader *table, guint slot)
{
  const char *text = roast_table_reader_get_string (table, slot);

  return text != NULL ? g_string_chunk_insert_const (self->strings, text) : NULL;
}

static char *
join_names (const char *source, const char *name)
{
  return g_strconcat (source != NULL ? source : "", "\n", name, NULL);
}

static RoastRunSource *
run_model_get_source (RoastRunModel *self, const char *name)
{
  const RoastRunSource one = { .name = name, .model = self };

  for (guint i = 0; i < self->sources->len; i++)
    if (g_str_equal (g_array_index (self->sources, RoastRunSource, i).name, name))
      return &g_array_index (self->sources, RoastRunSource, i);
  g_array_append_val (self->sources, one);

  return &g_array_index (self->sources, RoastRunSource, self->sources->len - 1);
}

static void
set_tree (RoastRunModel *self, RoastRunSource *source)
{
  source->is_process_tree = TRUE;
  if (self->tree == NULL)
    self->tree = source->name;
}

/* Add the sources of the table sources. Also add the accounting of processes if this table has no row for it. */
static void
add_sources (RoastRunModel *self)
{
  g_autoptr (RoastTableReader) sources = roast_sources_read (self->recording);
  g_autoptr (RoastTableReader) processes = roast_processes_read (self->recording);
  const char *accounting = NULL;

  while (roast_table_reader_next (sources))
    {
      const char *name = roast_run_model_get_text (self, sources, ROAST_SOURCES_SOURCE);
      RoastRunSource *source = name != NULL ? run_model_get_source (self, name) : NULL;

      if (source == NULL)
        continue;
      source->backend = roast_run_model_get_text (self, sources, ROAST_SOURCES_BACKEND);
      if (roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS)
        set_tree (self, source);
    }
  if (roast_table_reader_next (processes))
    accounting = roast_run_model_get_text (self, processes, ROAST_PROCESSES_SOURCE);
  if (accounting != NULL)
    set_tree (self, run_model_get_source (self, accounting));
}

static RoastRunWorker
read_worker (RoastRunModel *self, RoastTableReader *table)
{
  return (RoastRunWorker) {
    .index = self->workers->len,
    .source = roast_run_model_get_text (self, table, ROAST_WORKERS_SOURCE),
    .worker = roast_run_model_get_text (self, table, ROAST_WORKERS_WORKER),
    .name = roast_run_model_get_text (self, table, ROAST_WORKERS_NAME),
    .host = roast_run_model_get_text (self, table, ROAST_WORKERS_HOST),
    .pid_namespace = roast_table_reader_get_int64 (table, ROAST_WORKERS_PID_NAMESPACE, -1),
    .pid = roast_table_reader_get_int64 (table, ROAST_WORKERS_PID, -1),
    .process_workers = roast_table_reader_get_int64 (table, ROAST_WORKERS_PROCESS_WORKERS, 1),
    .cores = roast_table_reader_get_double (table, ROAST_WORKERS_CORES),
    .memory_limit = roast_table_reader_get_int64 (table, ROAST_WORKERS_MEMORY_LIMIT, -1),
    .memory_peak = roast_table_reader_get_int64 (table, ROAST_WORKERS_MEMORY_PEAK, -1),
    .memory_peak_bound = roast_table_reader_get_word (table, ROAST_WORKERS_MEMORY_PEAK_BOUND),
    .computing = roast_table_reader_get_int64 (table, ROAST_WORKERS_COMPUTING, 0),
    .started = roast_table_reader_get_double (table, ROAST_WORKERS_STARTED),
    .joined = roast_table_reader_get_double (table, ROAST_WORKERS_JOINED),
    .left = roast_table_reader_get_double (table, ROAST_WORKERS_LEFT),
    .tail_lost = roast_table_reader_get_double (table, ROAST_WORKERS_TAIL_LOST),
    .cause = roast_table_reader_get_word (table, ROAST_WORKERS_CAUSE),
    .exit_code = roast_table_reader_get_int64 (table, ROAST_WORKERS_EXIT_CODE, -1),
    .signal = roast_table_reader_get_int64 (table, ROAST_WORKERS_SIGNAL, -1),
    .oom_killed = roast_table_reader_has (table, ROAST_WORKERS_OOM_KILLED)
                      ? roast_table_reader_get_boolean (table, ROAST_WORKERS_OOM_KILLED)
                      : -1,
    .missing = roast_run_model_get_text (self, table, ROAST_WORKERS_MISSING),
    .model = self,
  };
}

static void
add_workers (RoastRunModel *self)
{
  g_autoptr (RoastTableReader) table = roast_workers_read (self->recording);

  while (roast_table_reader_next (table))
    {
      RoastRunWorker worker = read_worker (self, table);
      RoastRunSource *source = worker.source != NULL ? run_model_get_source (self, worker.source) : NULL;

      if (source != NULL)
        {
          g_autofree char *key = join_names (worker.source, worker.worker);

          g_hash_table_replace (self->by_name, g_string_chunk_insert (self->strings, key),
                                GUINT_TO_POINTER (self->workers->len + 1));
          source->n_workers++;
          worker.is_process = source->is_process_tree;
        }
      g_array_append_val (self->workers, worker);
    }
}

static void
add_roles (RoastRunModel *self)
{
  g_autoptr (RoastTableReader) table = roast_categories_read (self->recording);

  while (roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_CATEGORIES_ROLE) == ROAST_ROLE_FRAMEWORK)
      {
        g_autofree char *key = join_names (roast_table_reader_get_string (table, ROAST_CATEGORIES_SOURCE),
                                           roast_table_reader_get_string (table, ROAST_CATEGORIES_CATEGORY));

        g_hash_table_add (self->framework, g_string_chunk_insert (self->strings, key));
      }
}

static double
read_time (RoastRunModel *self, const char *key)
{
  g_autoptr (GVariant) time = roast_recording_snapshot_lookup_metadata (self->recording, key, G_VARIANT_TYPE_INT64);

  return time != NULL ? (double) g_variant_get_int64 (time) : NAN;
}

static RoastRunModel *
make_model (RoastRecordingSnapshot *recording)
{
  RoastRunModel *self = g_object_new (ROAST_TYPE_RUN_MODEL, NULL);
  const char *gap = roast_recording_snapshot_get_gap (recording);
  RoastCells cells = roast_recording_snapshot_get_cells (recording);

  g_set_weak_pointer (&self->recording, recording);
  self->started = read_time (self, "started");
  self->ended = read_time (self, "ended");
  add_sources (self);
  add_workers (self);
  add_roles (self);
  roast_run_model_add_processes (self);
  roast_run_model_add_calls (self);
  /* Restore the gap that was noted before the model read its tables. An aggregator depends on the gaps of a table only
   * if it asks for a part of the model that was read from this table: notice () notes these gaps later. */
  roast_recording_snapshot_set_gap (recording, gap, cells);

  return self;
}

/**
 * roast_run_model_get:
 * @recording: a snapshot
 *
 * Gets the model of a run. The first call makes the model, which belongs to the snapshot.
 *
 * Returns: (transfer none): the model
 *
 * Since: 0.9
 */
RoastRunModel *
roast_run_model_get (RoastRecordingSnapshot *recording)
{
  static const char key[] = "roast-run-model";
  static GMutex mutex;
  g_autoptr (GMutexLocker) locker = NULL;
  RoastRunModel *self = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), NULL);

  locker = g_mutex_locker_new (&mutex);
  self = g_object_get_data (G_OBJECT (recording), key);
  if (self == NULL)
    {
      self = make_model (recording);
      g_object_set_data_full (G_OBJECT (recording), key, self, g_object_unref);
    }

  return self;
}

/* ---- answers ---- */

/* Note that an aggregator asks for a part of the model that was read from these tables. The results of the aggregator
 * therefore depend on the completeness of the tables. */
static void
notice (RoastRunModel *self, const char *table, const char *other)
{
  if (self->recording == NULL)
    return;
  roast_recording_snapshot_notice_gap (self->recording, table);
  if (other != NULL)
    roast_recording_snapshot_notice_gap (self->recording, other);
}

static void
notice_columns (RoastRunModel *self, const char *table, const char *const *columns)
{
  for (; self->recording != NULL && *columns != NULL; columns++)
    roast_recording_snapshot_notice_column (self->recording, table, *columns);
}

/* Note that an aggregator asks for numbers of slots, which also depend on the columns with the times of workers. */
static void
notice_lives (RoastRunModel *self)
{
  static const char *const columns[] = { "cores", "joined", "left", NULL };

  notice (self, ROAST_TABLE_WORKERS, NULL);
  notice_columns (self, ROAST_TABLE_WORKERS, columns);
}

/**
 * roast_run_model_get_times:
 * @self: a model
 * @started: (out): when the run started, in µs since the epoch; NaN if unknown
 * @ended: (out): when the run ended; NaN if the run goes on
 *
 * Gets the bounds of the run.
 *
 * Returns: %TRUE if both times are known and the run took time
 *
 * Since: 0.9
 */
gboolean
roast_run_model_get_times (RoastRunModel *self, double *started, double *ended)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), FALSE);

  *started = self->started;
  *ended = self->ended;

  return *ended > *started;
}

/**
 * roast_run_model_get_sources:
 * @self: a model
 * @n_sources: (out): number of sources
 *
 * Lists the sources: the rows of the table sources, the accounting of processes, and sources that only the table
 * workers names.
 *
 * Returns: (transfer none) (array length=n_sources): the sources
 *
 * Since: 0.9
 */
const RoastRunSource *
roast_run_model_get_sources (RoastRunModel *self, guint *n_sources)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), NULL);

  notice (self, ROAST_TABLE_SOURCES, ROAST_TABLE_WORKERS);
  *n_sources = self->sources->len;

  return (gconstpointer) self->sources->data;
}

/**
 * roast_run_model_is_process_tree:
 * @self: a model
 * @source: (nullable): name of a source
 *
 * Checks whether a source is a process tree and not an executor.
 *
 * Returns: %TRUE if the workers of the source are processes
 *
 * Since: 0.9
 */
gboolean
roast_run_model_is_process_tree (RoastRunModel *self, const char *source)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), FALSE);

  notice (self, ROAST_TABLE_SOURCES, ROAST_TABLE_PROCESSES);
  for (guint i = 0; source != NULL && i < self->sources->len; i++)
    if (g_str_equal (g_array_index (self->sources, RoastRunSource, i).name, source))
      return g_array_index (self->sources, RoastRunSource, i).is_process_tree;

  return FALSE;
}

/**
 * roast_run_model_get_process_tree:
 * @self: a model
 *
 * Gets the process tree of the program: the source that sampled the processes, or, without such a source, the
 * accounting of processes.
 *
 * Returns: (transfer none) (nullable): name of the source; %NULL if the recording has no process tree
 *
 * Since: 0.9
 */
const char *
roast_run_model_get_process_tree (RoastRunModel *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), NULL);

  notice (self, ROAST_TABLE_SOURCES, ROAST_TABLE_PROCESSES);

  return self->tree;
}

/**
 * roast_run_model_has_only_processes:
 * @self: a model
 *
 * Checks whether the recording has process trees, and no other source.
 *
 * Returns: whether all sources are process trees
 *
 * Since: 0.9
 */
gboolean
roast_run_model_has_only_processes (RoastRunModel *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), FALSE);

  notice (self, ROAST_TABLE_SOURCES, ROAST_TABLE_PROCESSES);
  for (guint i = 0; i < self->sources->len; i++)
    if (!g_array_index (self->sources, RoastRunSource, i).is_process_tree)
      return FALSE;

  return self->sources->len > 0;
}

/**
 * roast_run_model_get_workers:
 * @self: a model
 * @n_workers: (out): number of workers
 *
 * Lists the workers of all sources, in the order of the rows of the table workers.
 *
 * Returns: (transfer none) (array length=n_workers): the workers
 *
 * Since: 0.9
 */
const RoastRunWorker *
roast_run_model_get_workers (RoastRunModel *self, guint *n_workers)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), NULL);

  notice_lives (self);
  *n_workers = self->workers->len;

  return (gconstpointer) self->workers->data;
}

/**
 * roast_run_model_find_worker:
 * @self: a model
 * @source: (nullable): name of a source
 * @worker: (nullable): identity of a worker of this source
 *
 * Finds a worker.
 *
 * Returns: (transfer none) (nullable): the worker
 *
 * Since: 0.9
 */
const RoastRunWorker *
roast_run_model_find_worker (RoastRunModel *self, const char *source, const char *worker)
{
  g_autofree char *key = join_names (source, worker);
  guint index = 0;

  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), NULL);

  notice (self, ROAST_TABLE_WORKERS, NULL);
  index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, key));

  return index > 0 ? &g_array_index (self->workers, RoastRunWorker, index - 1) : NULL;
}

/**
 * roast_run_worker_get_process:
 * @self: a worker
 *
 * Gets the process of a worker as it was observed from outside the worker. A process is the process of the worker if it
 * has the same process id in the same pid namespace and the same start time. If a namespace is unknown, the result is
 * %NULL unless exactly one process has the same process id and start time.
 *
 * Returns: (transfer none) (nullable): the process; %NULL if the worker ran on another machine, or if nothing observed
 *   its process
 *
 * Since: 0.9
 */
const RoastRunProcess *
roast_run_worker_get_process (const RoastRunWorker *self)
{
  RoastRunModel *model = self->model;

  notice (model, ROAST_TABLE_WORKERS, ROAST_TABLE_PROCESSES);
  notice_columns (model, ROAST_TABLE_PROCESSES, roast_processes_columns);

  return self->process > 0 ? &g_array_index (model->processes, RoastRunProcess, self->process - 1) : NULL;
}

/**
 * roast_run_model_count_slots:
 * @self: a model
 * @source: (nullable): name of a source; %NULL for all executors
 * @first: (out) (optional): when the first slot appeared, in µs since the epoch; NaN if unknown
 * @last: (out) (optional): when the last slot left, in µs since the epoch; NaN if slots were there until the end
 *
 * Counts the slots that existed at the same time. Slots are the cores of workers.
 *
 * Returns: the largest number of slots at one time; NaN if no worker has slots
 *
 * Since: 0.9
 */
double
roast_run_model_count_slots (RoastRunModel *self, const char *source, double *first, double *last)
{
  g_autoptr (GArray) changes = roast_run_slots_new ();
  RoastRunSlots slots;

  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), NAN);

  notice_lives (self);
  for (guint i = 0; i < self->workers->len; i++)
    {
      const RoastRunWorker *worker = &g_array_index (self->workers, RoastRunWorker, i);
      gboolean counts = source != NULL ? g_strcmp0 (worker->source, source) == 0 : !worker->is_process;

      if (counts && worker->cores > 0)
        roast_run_slots_add (changes, worker->joined, worker->left, worker->cores);
    }
  slots = roast_run_slots_count (changes);
  if (first != NULL)
    *first = slots.first;
  if (last != NULL)
    *last = slots.last;

  return slots.most;
}

/**
 * roast_run_model_get_role:
 * @self: a model
 * @source: (nullable): name of a source
 * @category: (nullable): name of a category of tasks of this source
 *
 * Gets the role of a category, for tasks that do not have their own role. The role depends on the source, because the
 * same name may be a category of the analysis in one source and a category of a framework in another source.
 *
 * Returns: a word of the vocabulary role: `framework` if the category is known to belong to a framework, else
 * `analysis`
 *
 * Since: 0.9
 */
guint
roast_run_model_get_role (RoastRunModel *self, const char *source, const char *category)
{
  g_autofree char *key = join_names (source, category);

  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), ROAST_ROLE_ANALYSIS);

  notice (self, ROAST_TABLE_CATEGORIES, NULL);

  return g_hash_table_contains (self->framework, key) ? ROAST_ROLE_FRAMEWORK : ROAST_ROLE_ANALYSIS;
}

/**
 * roast_run_model_get_role_of_task:
 * @self: a model
 * @tasks: a reader of all columns of the table tasks, at a row
 *
 * Gets the role of a task. A task that does not have its own role has the role of its category.
 *
 * Returns: a word of the vocabulary role
 *
 * Since: 0.9
 */
guint
roast_run_model_get_role_of_task (RoastRunModel *self, RoastTableReader *tasks)
{
  int role = roast_table_reader_get_word (tasks, ROAST_TASKS_ROLE);

  return role >= 0 ? (guint) role
                   : roast_run_model_get_role (self, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE),
                                               roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
}

/**
 * roast_run_model_get_calls:
 * @self: a model
 * @n_calls: (out): number of calls
 *
 * Lists the calls of the analysis' executor, in the order of the rows of the table processing.
 *
 * Returns: (transfer none) (array length=n_calls): the calls
 *
 * Since: 0.9
 */
const RoastRunCall *
roast_run_model_get_calls (RoastRunModel *self, guint *n_calls)
{
  g_return_val_if_fail (ROAST_IS_RUN_MODEL (self), NULL);

  notice (self, ROAST_TABLE_PROCESSING, NULL);
  *n_calls = self->calls->len;

  return (gconstpointer) self->calls->data;
}
