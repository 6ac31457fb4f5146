/* SPDX-License-Identifier: BSD-3-Clause */

/* Estimates how long tasks waited for a core from the kernel's counts for worker processes. A starting worker has one
 * thread, so until its first task it can wait at most for its start-up time less its CPU time. The rest of its waiting
 * happened while it had tasks. */

#include "findings.h"
#include "group-element.h"
#include "process-twins.h"

#define MOST 0.5 /* share of the program's waiting; below that, other processes compute for tasks */

/* A worker that is a process of the program. */
typedef struct
{
  double started, first; /* start of its process and of its first task, µs; NaN if it had no task */
  double joined;         /* when it was ready for tasks, µs; NaN if unknown */
  double early;          /* s its process had waited for a core by the first sample after that; NaN if unknown */
  gint64 pid;
  double cpu, queue; /* s, of its process */
  double tasks;      /* s, CPU time of its tasks */
} Worker;

/* Returns workers by name. Workers that share a process share one Worker. */
static GHashTable *
read_workers (Findings *self, GPtrArray *all)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  g_autoptr (ProcessTwins) twins = process_twins_new (self->recording);
  g_autoptr (GHashTable) of_process = g_hash_table_new (NULL, NULL);
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (workers))
    {
      const char *name = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
      const ProcessTwin *twin = process_twins_find (twins, workers);
      Worker *worker = twin != NULL ? g_hash_table_lookup (of_process, twin) : NULL;

      if (name == NULL || twin == NULL || isnan (twin->cpu + twin->queue) ||
          !roast_table_reader_has (workers, ROAST_WORKERS_CORES) ||
          process_trees_contain (&self->trees, roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)))
        continue;
      if (worker == NULL)
        {
          worker = g_new0 (Worker, 1);
          *worker = (Worker) { .started = (double) twin->started,
                               .first = NAN,
                               .joined = NAN,
                               .early = NAN,
                               .cpu = twin->cpu,
                               .queue = twin->queue };
          worker->pid = roast_table_reader_get_int64 (workers, ROAST_WORKERS_PID, -1);
          g_ptr_array_add (all, worker);
          g_hash_table_insert (of_process, (gpointer) twin, worker);
        }
      worker->joined = fmax (worker->joined, roast_table_reader_get_double (workers, ROAST_WORKERS_JOINED));
      g_hash_table_replace (found, g_strdup (name), worker);
    }

  return found;
}

/* Returns FALSE if a task ran on a worker whose process is unknown. */
static gboolean
add_tasks (Findings *self, GHashTable *workers)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  g_autoptr (GArray) codes = g_array_new (FALSE, FALSE, sizeof (Worker *));

  while (roast_table_reader_next (tasks))
    {
      int code = roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER);
      double started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
      double cpu = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);
      Worker **worker = NULL;

      if (code < 0 || isnan (started))
        continue;
      worker = group_element_at (codes, (guint) code);
      if (*worker == NULL)
        *worker = g_hash_table_lookup (workers, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
      if (*worker == NULL)
        return FALSE;
      (*worker)->first = fmin ((*worker)->first, started);
      (*worker)->tasks += isnan (cpu) ? 0 : cpu;
    }

  return TRUE;
}

/* Returns when the worker was ready for tasks. From then on it sleeps until its first task arrives. */
static double
get_ready (const Worker *worker)
{
  return worker->joined < worker->first ? worker->joined : worker->first;
}

/* Returns the worker that runs in the tree process of the current row of @workers; NULL if there is none. */
static Worker *
find_worker (GPtrArray *all, RoastTableReader *workers)
{
  gint64 pid = roast_table_reader_get_int64 (workers, ROAST_WORKERS_PID, -1);
  double started = roast_table_reader_get_double (workers, ROAST_WORKERS_JOINED);

  for (guint i = 0; pid >= 0 && i < all->len; i++)
    {
      Worker *worker = g_ptr_array_index (all, i);

      if (worker->pid == pid && !(fabs (worker->started - started) > G_USEC_PER_SEC))
        return worker;
    }

  return NULL;
}

/* Returns workers by the name of their process in samples of the tree. */
static GHashTable *
name_processes (Findings *self, GPtrArray *all)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  GHashTable *processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (workers))
    {
      const char *name = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
      Worker *worker = name != NULL && g_strcmp0 (roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE),
                                                  self->trees.sampled) == 0
                           ? find_worker (all, workers)
                           : NULL;

      if (worker != NULL)
        g_hash_table_replace (processes, g_strdup (name), worker);
    }

  return processes;
}

/* The first sample after a worker was ready includes all its waiting before it was ready. */
static void
read_early (Findings *self, GPtrArray *all)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns,
                                           NULL);
  g_autoptr (GHashTable) processes = name_processes (self, all);

  while (g_hash_table_size (processes) > 0 && roast_table_reader_next (samples))
    {
      const char *name = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);
      Worker *worker = name != NULL ? g_hash_table_lookup (processes, name) : NULL;
      double queue = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_RUN_QUEUE);

      if (worker != NULL && isnan (worker->early) && !isnan (queue) &&
          roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME) >= get_ready (worker))
        worker->early = queue;
    }
}

/* Returns the time in s that the worker waited for a core while it had tasks. */
static double
get_queue (const Worker *worker)
{
  double start_up = (get_ready (worker) - worker->started) / G_USEC_PER_SEC;
  double most = fmax (start_up - (worker->cpu - worker->tasks), 0);

  return isnan (start_up) ? 0 : fmax (worker->queue - fmin (most, worker->early), 0);
}

double
findings_get_queue_of_tasks (Findings *self, double queue)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) workers = read_workers (self, all);
  double sum = 0, total = 0;

  if (all->len == 0 || !add_tasks (self, workers))
    return NAN;
  read_early (self, all);
  for (guint i = 0; i < all->len; i++)
    {
      const Worker *worker = g_ptr_array_index (all, i);

      total += worker->queue;
      sum += get_queue (worker);
    }

  return total >= MOST * queue ? sum : NAN;
}

char *
findings_find_queue (Findings *self, const char *name, double *own, double *others, guint *n_others)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) workers = read_workers (self, all);
  const Worker *most = NULL;
  const char *found = NULL;
  double sum = 0;
  GHashTableIter iter;
  gpointer key, value;

  if (all->len < 2 || !add_tasks (self, workers))
    return NULL;
  read_early (self, all);
  for (guint i = 0; i < all->len; i++)
    sum += get_queue (g_ptr_array_index (all, i));
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (name != NULL ? g_str_equal (key, name) : most == NULL || get_queue (value) > get_queue (most))
      {
        most = value;
        found = key;
      }
  if (most == NULL)
    return NULL;
  *own = get_queue (most);
  *others = sum - *own;
  *n_others = all->len - 1;

  return g_strdup (found);
}
