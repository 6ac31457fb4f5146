/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-shutdown.h"

#include <math.h>

#include "notes.h"

#define TICK 0.01 /* s: unit in which the kernel counts the CPU time of a process */

/* Return whether the worker ended and had its own process, so that the process ended with the worker. */
static gboolean
ended_with_process (const RoastRunWorker *worker)
{
  return worker->cause >= 0 && worker->process_workers == 1;
}

/* Return whether several workers shared the process. Unless the process is older than the measurement, this is the only
 * reason why its peak memory can be an upper bound. */
static gboolean
is_shared (const RoastRunWorker *worker, gboolean is_older)
{
  return !is_older && worker->memory_peak_bound == ROAST_BOUND_AT_MOST;
}

static double
add_end (ActivityShutdown *self, const RoastRunWorker *worker, const ActivitySum *sum)
{
  const RoastRunProcess *process = roast_run_worker_get_process (worker);
  gboolean is_older = !(sum->process[ACTIVITY_PROCESS_STARTUP] > 0);
  double cpu;

  if (!sum->has_process || !ended_with_process (worker) || is_shared (worker, is_older))
    return NAN;
  self->n++;
  if (process == NULL || is_older || !isfinite (process->cpu))
    {
      self->n_unobserved++;
      return NAN;
    }
  cpu = process->cpu - activity_sum_get_own_cpu (sum);
  self->difference += cpu;
  self->is_vague |= !process->is_final;
  cpu = fmax (cpu, 0);
  self->cpu += cpu;

  return cpu;
}

double
activity_shutdown_add (ActivityShutdown *self, const RoastRunWorker *worker, const ActivitySum *sum)
{
  double cpu = add_end (self, worker, sum);

  if (worker->computing > 0)
    {
      self->n_computing++;
      self->n_computing_unobserved += isnan (cpu);
      self->computing_cpu += isnan (cpu) ? 0 : cpu;
    }

  return cpu;
}

/* Return whether a row that stands for several processes may contain processes of workers. A row without a parent has a
 * name that comes from perf events, so compare its name with those of the workers. */
static gboolean
may_contain (RoastTableReader *processes, GHashTable *parents, GHashTable *commands)
{
  gint64 parent = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PARENT, -1);
  const char *command = roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND);
  int origin = roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN);

  if (origin != ROAST_PROCESS_ORIGIN_FOLDED && origin != ROAST_PROCESS_ORIGIN_SHARED)
    return FALSE;
  if (parent >= 0)
    return g_hash_table_contains (parents, &parent);

  return command == NULL || g_hash_table_contains (commands, command);
}

/* Return the CPU time in s, summed over all rows that stand for several processes and may contain processes of
 * workers. */
static double
sum_rest (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table = roast_processes_read (recording);
  g_autoptr (GHashTable) parents = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GHashTable) commands = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (roast_run_model_get (recording), &n);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      const RoastRunProcess *process = workers[i].is_process ? NULL : roast_run_worker_get_process (&workers[i]);

      if (process != NULL && !process->is_final && process->parent >= 0)
        g_hash_table_add (parents, (gpointer) &process->parent);
      if (process != NULL && !process->is_final && process->command != NULL)
        g_hash_table_add (commands, (gpointer) process->command);
    }
  while (g_hash_table_size (parents) > 0 && roast_table_reader_next (table))
    {
      double cpu = roast_table_reader_get_double (table, ROAST_PROCESSES_CPU_USER) +
                   roast_table_reader_get_double (table, ROAST_PROCESSES_CPU_SYSTEM);

      sum += isfinite (cpu) && may_contain (table, parents, commands) ? cpu : 0;
    }

  return sum;
}

/* Return an upper bound of the CPU time that workers' processes used after their last samples. */
static double
shutdown_get_rest (const ActivityShutdown *self, RoastRecordingSnapshot *recording)
{
  return self->is_vague ? self->difference + sum_rest (recording) - self->cpu : 0;
}

char *
activity_shutdown_dup_computing_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording)
{
  g_autofree char *most = NULL;

  if (self->n_computing == 0)
    return NULL;
  if (self->n_computing_unobserved > 0)
    most = g_strdup ("for an unknown time, because nothing observed the processes of these workers from outside");
  else
    most = g_strdup_printf ("at most %.2f s more of CPU time",
                            self->computing_cpu + fmax (shutdown_get_rest (self, recording), 0));

  return g_strdup_printf ("%u %s still ran tasks after sending the last data: %s", self->n_computing,
                          self->n_computing == 1 ? "worker" : "workers", most);
}

char *
activity_shutdown_dup_note (const ActivityShutdown *self, RoastRecordingSnapshot *recording)
{
  double more = shutdown_get_rest (self, recording);
  g_autofree char *unobserved = NULL;
  g_autofree char *vague = NULL;

  if (self->n_unobserved > 0)
    unobserved =
        g_strdup_printf ("%u of %u workers used an unknown CPU time after sending the last data: nothing observed "
                         "the processes of these workers from outside",
                         self->n_unobserved, self->n);
  if (more >= TICK)
    vague =
        g_strdup_printf ("workers used at most %.2f s more of CPU time after the last sample of their processes", more);

  return notes_join (unobserved, vague);
}
