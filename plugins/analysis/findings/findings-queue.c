/* SPDX-License-Identifier: BSD-3-Clause */

/* How long tasks waited for a core, where the kernel counted it for the processes of workers: a worker that starts is
 * one thread, which computes or waits at most until its first task starts. What it waited beyond that, it waited while
 * it had tasks. */

#include "findings.h"
#include "group-element.h"

#define MOST 0.5 /* of what the program waited: else other processes compute for tasks */

/* A worker that is one process of the program. */
typedef struct
{
  double started, first; /* µs: its process, and its first task; NaN if it got none */
  double cpu, queue;     /* s, of its process */
  double tasks;          /* s, CPU time of its tasks */
} Worker;

static GHashTable *
read_pids (Findings *self)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  GHashTable *pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (workers))
    {
      const char *name = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
      gint64 pid = roast_table_reader_get_int64 (workers, ROAST_WORKERS_PID, 0);

      if (name != NULL && pid > 0 && roast_table_reader_has (workers, ROAST_WORKERS_CORES) &&
          !process_trees_contain (&self->trees, roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)))
        g_hash_table_replace (pids, g_strdup (name), GINT_TO_POINTER ((int) pid));
    }

  return pids;
}

/* By pid. */
static GHashTable *
read_processes (Findings *self, GHashTable *pids)
{
  g_autoptr (RoastTableReader) processes =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  GHashTable *found = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer pid = NULL;

  g_hash_table_iter_init (&iter, pids);
  while (g_hash_table_iter_next (&iter, NULL, &pid))
    g_hash_table_add (wanted, pid);
  while (roast_table_reader_next (processes))
    {
      double user = roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER);
      double system = roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_SYSTEM);
      double queue = roast_table_reader_get_double (processes, ROAST_PROCESSES_RUN_QUEUE);
      double started = roast_table_reader_get_double (processes, ROAST_PROCESSES_STARTED);
      Worker *worker = NULL;

      pid = GINT_TO_POINTER ((int) roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, 0));
      if (isnan (user + system + queue + started) || !g_hash_table_contains (wanted, pid))
        continue;
      worker = g_new0 (Worker, 1);
      *worker = (Worker) { .started = started, .first = NAN, .cpu = user + system, .queue = queue };
      g_hash_table_replace (found, pid, worker);
    }

  return found;
}

/* FALSE if a task ran at a worker whose process is unknown. */
static gboolean
add_tasks (Findings *self, GHashTable *pids, GHashTable *processes)
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
        *worker =
            g_hash_table_lookup (processes,
                                 g_hash_table_lookup (pids, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER)));
      if (*worker == NULL)
        return FALSE;
      (*worker)->first = fmin ((*worker)->first, started);
      (*worker)->tasks += isnan (cpu) ? 0 : cpu;
    }

  return TRUE;
}

double
findings_get_queue_of_tasks (Findings *self, double queue)
{
  g_autoptr (GHashTable) pids = read_pids (self);
  g_autoptr (GHashTable) processes = read_processes (self, pids);
  double sum = 0, all = 0;
  GHashTableIter iter;
  Worker *worker = NULL;

  if (g_hash_table_size (processes) == 0 || !add_tasks (self, pids, processes))
    return NAN;
  g_hash_table_iter_init (&iter, processes);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      double start_up = (worker->first - worker->started) / G_USEC_PER_SEC;

      all += worker->queue;
      if (!isnan (start_up))
        sum += fmax (worker->queue - fmax (start_up - (worker->cpu - worker->tasks), 0), 0);
    }

  return all >= MOST * queue ? sum : NAN;
}
