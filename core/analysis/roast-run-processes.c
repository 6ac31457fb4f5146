/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the process of each worker in the table processes. */

#include "roast-run-model-private.h"

#include <math.h>

#include "roast/roast-tables.h"

/* A process id alone does not identify a process, because ids are reused, and other machines use the same ids.
 * Therefore compare the start time, too. Both the worker and roast compute the start time from the same number of 10 ms
 * ticks. */
#define SAME_START 20000 /* start times whose difference is at most this, in µs, are regarded as equal */

static RoastRunProcess
read_process (RoastRunModel *self, RoastTableReader *table)
{
  gint64 pid = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, -1);

  return (RoastRunProcess) {
    .row = roast_table_reader_get_row (table),
    .parent = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PARENT, -1),
    .command = roast_run_model_get_text (self, table, ROAST_PROCESSES_COMMAND),
    .started = roast_table_reader_get_double (table, ROAST_PROCESSES_STARTED),
    .cpu = roast_table_reader_get_double (table, ROAST_PROCESSES_CPU_USER) +
           roast_table_reader_get_double (table, ROAST_PROCESSES_CPU_SYSTEM),
    .run_queue = roast_table_reader_get_double (table, ROAST_PROCESSES_RUN_QUEUE),
    .is_final = roast_table_reader_get_word (table, ROAST_PROCESSES_ORIGIN) == ROAST_PROCESS_ORIGIN_EXACT,
    .memory_peak = roast_table_reader_get_int64 (table, ROAST_PROCESSES_MEMORY_PEAK, -1),
    .memory_peak_bound = roast_table_reader_get_word (table, ROAST_PROCESSES_MEMORY_PEAK_BOUND),
    .exit_code = roast_table_reader_get_int64 (table, ROAST_PROCESSES_EXIT_CODE, -1),
    .signal = roast_table_reader_get_int64 (table, ROAST_PROCESSES_SIGNAL, -1),
    .pid = pid,
    .pid_namespace = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID_NAMESPACE, -1),
    .namespace_pid = roast_table_reader_get_int64 (table, ROAST_PROCESSES_NAMESPACE_PID, pid),
    .model = self,
  };
}

/* Return the start time of a worker's process. If the worker is a process of a tree, this is the time when the worker
 * joined. */
static double
get_start (const RoastRunWorker *worker)
{
  return worker->is_process ? worker->joined : worker->started;
}

/* Return whether a process may be the process of a worker. A worker reports its process id in its own pid namespace. If
 * a namespace is unknown, compare the id with the process id in roast's namespace. @is_sure: set to whether both
 * namespaces are known. */
static gboolean
may_be_of (const RoastRunProcess *process, const RoastRunWorker *worker, gboolean *is_sure)
{
  *is_sure = process->pid_namespace >= 0 && worker->pid_namespace >= 0;

  return fabs (process->started - get_start (worker)) <= SAME_START &&
         (*is_sure ? process->pid_namespace == worker->pid_namespace && process->namespace_pid == worker->pid
                   : process->pid == worker->pid);
}

/* Return the index + 1 of the process of a worker. Return 0 if no process matches, or if several processes match and
 * the namespaces are not known for any of them. @same: indices of the processes with the worker's process id. */
static guint
find_process (RoastRunModel *self, const RoastRunWorker *worker, GArray *same)
{
  guint found = 0, n = 0;

  for (guint i = 0; i < same->len; i++)
    {
      guint index = g_array_index (same, guint, i);
      gboolean is_sure;

      if (!may_be_of (&g_array_index (self->processes, RoastRunProcess, index), worker, &is_sure))
        continue;
      if (is_sure)
        return index + 1;
      found = index + 1;
      n++;
    }

  return n == 1 ? found : 0;
}

/* Add a process if its process id, in roast's pid namespace or in the process's own pid namespace, is the process id of
 * a worker. */
static void
add_process (RoastRunModel *self, GHashTable *by_pid, RoastTableReader *table)
{
  gint64 pid = roast_table_reader_get_int64 (table, ROAST_PROCESSES_PID, -1);
  gint64 inner = roast_table_reader_get_int64 (table, ROAST_PROCESSES_NAMESPACE_PID, pid);
  GArray *same = g_hash_table_lookup (by_pid, GINT_TO_POINTER ((int) pid));
  GArray *same_inner = inner != pid ? g_hash_table_lookup (by_pid, GINT_TO_POINTER ((int) inner)) : NULL;
  RoastRunProcess process;

  if ((same == NULL && same_inner == NULL) || !roast_table_reader_has (table, ROAST_PROCESSES_STARTED))
    return;
  process = read_process (self, table);
  if (same != NULL)
    g_array_append_val (same, self->processes->len);
  if (same_inner != NULL)
    g_array_append_val (same_inner, self->processes->len);
  g_array_append_val (self->processes, process);
}

/* If workers on several hosts seem to have the same process, forget the process of all these workers, because at most
 * one of them can be right. The match is possible because other machines use the same process ids, and the same number
 * for the pid namespace outside of containers. */
static void
drop_ambiguous (RoastRunModel *self)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) ambiguous = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->workers->len; i++)
    {
      const RoastRunWorker *worker = &g_array_index (self->workers, RoastRunWorker, i);
      gpointer key = GUINT_TO_POINTER (worker->process), host;

      if (worker->process == 0 || worker->is_process)
        continue;
      if (!g_hash_table_lookup_extended (hosts, key, NULL, &host))
        g_hash_table_insert (hosts, key, (gpointer) worker->host);
      else if (g_strcmp0 (host, worker->host) != 0)
        g_hash_table_add (ambiguous, key);
    }
  for (guint i = 0; g_hash_table_size (ambiguous) > 0 && i < self->workers->len; i++)
    {
      RoastRunWorker *worker = &g_array_index (self->workers, RoastRunWorker, i);

      if (!worker->is_process && g_hash_table_contains (ambiguous, GUINT_TO_POINTER (worker->process)))
        worker->process = 0;
    }
}

void
roast_run_model_add_processes (RoastRunModel *self)
{
  g_autoptr (GHashTable) by_pid = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (RoastTableReader) table = NULL;

  for (guint i = 0; i < self->workers->len; i++)
    {
      gint64 pid = g_array_index (self->workers, RoastRunWorker, i).pid;

      if (pid >= 0)
        g_hash_table_insert (by_pid, GINT_TO_POINTER ((int) pid), g_array_new (FALSE, FALSE, sizeof (guint)));
    }
  if (g_hash_table_size (by_pid) == 0)
    return;
  table = roast_processes_read (self->recording);
  while (roast_table_reader_next (table))
    add_process (self, by_pid, table);
  for (guint i = 0; i < self->workers->len; i++)
    {
      RoastRunWorker *worker = &g_array_index (self->workers, RoastRunWorker, i);
      GArray *same = worker->pid >= 0 ? g_hash_table_lookup (by_pid, GINT_TO_POINTER ((int) worker->pid)) : NULL;

      worker->process = same != NULL ? find_process (self, worker, same) : 0;
    }
  drop_ambiguous (self);
}
