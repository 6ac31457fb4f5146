/* SPDX-License-Identifier: BSD-3-Clause */

/* Estimates how long tasks waited for a core from the kernel's counts for worker processes. A starting worker has one
 * thread, so until its first task it can wait at most for its start-up time less its CPU time. The rest of its waiting
 * happened while it had tasks. */

#include "findings.h"

#define MOST 0.5 /* share of the program's waiting; below that, other processes compute for tasks */

/* A process of the program, mostly one with workers. */
typedef struct
{
  double started, first; /* start of the process and of its first task, µs; NaN if it had no task */
  double joined;         /* when it was ready for tasks, µs; NaN if unknown */
  double early;          /* s it had waited for a core by the first sample after that; NaN if unknown */
  double cpu, queue;     /* s */
  double tasks;          /* s, CPU time of its tasks */
  gboolean is_worker;
} Worker;

struct _FindingsQueues
{
  GHashTable *of_observed;          /* Worker by RoastRunProcess */
  GHashTable *by_name, *by_process; /* of these, by the executor's names and by the names in samples of the tree */
  guint n;                          /* number of processes with workers; 0 if their waiting is unknown */
  double total, tasks;              /* s that they waited, and part of it while they had tasks */
};

static Worker *
get_worker (FindingsQueues *self, const RoastRunProcess *process)
{
  Worker *worker = g_hash_table_lookup (self->of_observed, process);

  if (worker == NULL)
    {
      worker = g_new (Worker, 1);
      *worker = (Worker) { .started = process->started,
                           .first = NAN,
                           .joined = NAN,
                           .early = NAN,
                           .cpu = process->cpu,
                           .queue = process->run_queue };
      g_hash_table_insert (self->of_observed, (gpointer) process, worker);
    }

  return worker;
}

/* Workers that share a process share one Worker. */
static void
read_workers (Findings *self, FindingsQueues *queues)
{
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    {
      const RoastRunProcess *process = roast_run_worker_get_process (&all[i]);
      const FindingsPlace *place = NULL;
      Worker *worker = NULL;

      if (all[i].worker == NULL || process == NULL || isnan (process->cpu + process->run_queue) ||
          !(all[i].is_process ? g_str_equal (all[i].source, self->tree) : !isnan (all[i].cores)))
        continue;
      worker = get_worker (queues, process);
      g_hash_table_replace (all[i].is_process ? queues->by_process : queues->by_name, (gpointer) all[i].worker, worker);
      if (all[i].is_process)
        continue;
      queues->n += worker->is_worker ? 0 : 1;
      worker->is_worker = TRUE;
      worker->joined = fmax (worker->joined, all[i].joined);
      place = findings_find_place (self, all[i].worker);
      if (place == NULL)
        continue;
      worker->first = fmin (worker->first, place->started);
      worker->tasks += place->cpu;
    }
}

/* Returns whether an attempt started on a worker whose process is unknown. */
static gboolean
has_strangers (Findings *self, GHashTable *workers)
{
  GHashTableIter iter;
  gpointer name, place;

  g_hash_table_iter_init (&iter, self->places);
  while (g_hash_table_iter_next (&iter, &name, &place))
    if (!isnan (((const FindingsPlace *) place)->started) && !g_hash_table_contains (workers, name))
      return TRUE;

  return FALSE;
}

/* Returns when the worker was ready for tasks. From then on it sleeps until its first task arrives. */
static double
get_ready (const Worker *worker)
{
  return worker->joined < worker->first ? worker->joined : worker->first;
}

/* The first sample after a worker was ready includes all its waiting before it was ready. */
static void
read_early (Findings *self, GHashTable *processes)
{
  g_autoptr (RoastTableReader) samples = findings_read (self, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns);

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

static const FindingsQueues *
get_queues (Findings *self)
{
  FindingsQueues *queues = self->queues;
  GHashTableIter iter;
  gpointer value;

  if (queues != NULL)
    return queues;
  self->queues = queues = g_new0 (FindingsQueues, 1);
  queues->of_observed = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  queues->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  queues->by_process = g_hash_table_new (g_str_hash, g_str_equal);
  read_workers (self, queues);
  if (queues->n == 0 || has_strangers (self, queues->by_name))
    {
      queues->n = 0;
      return queues;
    }
  read_early (self, queues->by_process);
  g_hash_table_iter_init (&iter, queues->of_observed);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((const Worker *) value)->is_worker)
      {
        queues->total += ((const Worker *) value)->queue;
        queues->tasks += get_queue (value);
      }

  return queues;
}

double
findings_get_queue_of_tasks (Findings *self, double queue)
{
  const FindingsQueues *queues = get_queues (self);

  return queues->n > 0 && queues->total >= MOST * queue ? queues->tasks : NAN;
}

const char *
findings_find_queue (Findings *self, double *own, double *others, guint *n_others)
{
  const FindingsQueues *queues = get_queues (self);
  const char *found = NULL;
  GHashTableIter iter;
  gpointer key, value;

  if (queues->n < 2)
    return NULL;
  g_hash_table_iter_init (&iter, queues->by_name);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (found == NULL || get_queue (value) > *own)
      {
        found = key;
        *own = get_queue (value);
      }
  *others = queues->tasks - *own;
  *n_others = queues->n - 1;

  return found;
}

void
findings_clear_queues (Findings *self)
{
  if (self->queues == NULL)
    return;
  g_hash_table_unref (self->queues->of_observed);
  g_hash_table_unref (self->queues->by_name);
  g_hash_table_unref (self->queues->by_process);
  g_clear_pointer (&self->queues, g_free);
}
