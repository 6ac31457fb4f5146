/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds workers whose threads together use about one core, however many tasks they run at a time. Threads of one Python
 * process behave like this because the GIL lets only one compute at a time. */

#include "findings.h"
#include "group-element.h"

#define LEAST_TASKS 1.5 /* at a time, on average */
#define LEAST_CPU 0.7   /* cores; workers that use less may wait for something else */
#define MOST_CPU 1.15   /* cores; workers that use more run several threads at once */
#define MOSTLY 0.5      /* share of the waiting */

typedef struct
{
  const char *name;
  double cores;
  double first, last; /* start of its first task and end of its last, µs */
  double time, cpu;   /* s, of its tasks */
} Worker;

/* Returns the workers with several slots, by name. */
static GHashTable *
read_workers (Findings *self)
{
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (self->model, &n);
  GHashTable *workers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < n; i++)
    {
      const Worker worker = { .name = all[i].worker, .cores = all[i].cores, .first = NAN, .last = NAN };

      if (all[i].worker != NULL && all[i].cores >= 2 && !all[i].is_process)
        g_hash_table_replace (workers, (gpointer) all[i].worker, g_memdup2 (&worker, sizeof worker));
    }

  return workers;
}

/* Returns the waiting of all tasks in s. Skips tasks with allocated cores when adding to workers: they run in their own
 * process. */
static double
add_tasks (Findings *self, GHashTable *workers)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  g_autoptr (GArray) codes = g_array_new (FALSE, FALSE, sizeof (Worker *));
  double waited = 0;

  while (roast_table_reader_next (tasks))
    {
      int code = roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER);
      double started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
      double ended = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED);
      double cpu = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);
      Worker **worker = NULL;

      if (code < 0 || isnan (ended - started + cpu))
        continue;
      waited += fmax ((ended - started) / G_USEC_PER_SEC - cpu, 0);
      worker = group_element_at (codes, (guint) code);
      if (*worker == NULL)
        *worker = g_hash_table_lookup (workers, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
      if (*worker == NULL || roast_table_reader_has (tasks, ROAST_TASKS_CORES_ALLOCATED))
        continue;
      (*worker)->first = fmin ((*worker)->first, started);
      (*worker)->last = fmax ((*worker)->last, ended);
      (*worker)->time += (ended - started) / G_USEC_PER_SEC;
      (*worker)->cpu += cpu;
    }

  return waited;
}

gboolean
findings_find_turns (Findings *self, FindingsTurns *turns)
{
  g_autoptr (GHashTable) workers = read_workers (self);
  double all = g_hash_table_size (workers) > 0 ? add_tasks (self, workers) : 0;
  double waited = 0;
  double most = 0;
  GHashTableIter iter;
  const Worker *worker = NULL;

  *turns = (FindingsTurns) { 0 };
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      double length = (worker->last - worker->first) / G_USEC_PER_SEC;

      /* A worker without tasks has the length NaN, for which each comparison is false. */
      if (!(worker->time >= LEAST_TASKS * length && worker->cpu >= LEAST_CPU * length &&
            worker->cpu <= MOST_CPU * length))
        continue;
      waited += worker->time - worker->cpu;
      if (worker->time - worker->cpu <= most)
        continue;
      most = worker->time - worker->cpu;
      turns->worker = worker->name;
      turns->threads = worker->cores;
      turns->cpu = worker->cpu / length;
    }

  return turns->worker != NULL && waited >= MOSTLY * all;
}
