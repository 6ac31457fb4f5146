/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the workers of executors. */

#include "findings.h"
#include "task-activity-tables.h"

/* Use the table per_worker: if roast observed the process of a worker, this table contains the signal that killed it.
 * The executor may know only that the worker is lost. */
static void
read_deaths (Findings *self)
{
  FindingsWorkers *workers = &self->workers;
  g_autoptr (RoastTableReader) table = roast_per_worker_read (self->report);

  while (roast_table_reader_next (table))
    {
      int cause = roast_table_reader_get_word (table, ROAST_PER_WORKER_CAUSE);
      gint64 signal = roast_table_reader_get_int64 (table, ROAST_PER_WORKER_SIGNAL, 0);
      gint64 code = roast_table_reader_get_int64 (table, ROAST_PER_WORKER_EXIT_CODE, 0);

      if (cause == ROAST_WORKER_END_SIGNAL && signal > 0)
        {
          workers->n_killed++;
          workers->signal = signal;
        }
      else if (cause == ROAST_WORKER_END_EXITED && code > 0)
        {
          workers->n_exited++;
          workers->exit_code = code;
        }
      else
        continue;
      if (workers->dead == NULL)
        workers->dead = findings_keep (self, roast_table_reader_get_string (table, ROAST_PER_WORKER_WORKER));
    }
}

void
findings_read_workers (Findings *self)
{
  FindingsWorkers *workers = &self->workers;
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (self->model, &n);

  workers->first_joined = NAN;
  if (self->is_tree)
    return;
  /* Count only the executor's workers: they offer the cores that the process tree offers, too. */
  for (guint i = 0; i < n; i++)
    {
      if (all[i].is_process || isnan (all[i].cores))
        continue;
      workers->n++;
      workers->memory = fmax (workers->memory, (double) all[i].memory_limit);
      workers->largest = fmax (workers->largest, all[i].cores);
      workers->first_joined = fmin (workers->first_joined, all[i].joined);
    }
  workers->cores = fmax (roast_run_model_count_slots (self->model, NULL, NULL, NULL), 0);
  read_deaths (self);
}

/* Count a worker with a library as used, because library calls may have no row in the table tasks. */
static void
add_libraries (Findings *self)
{
  g_autoptr (RoastTableReader) libraries = roast_libraries_read (self->recording);

  while (roast_table_reader_next (libraries))
    if (roast_table_reader_has (libraries, ROAST_LIBRARIES_WORKER))
      findings_add_place (self, roast_table_reader_get_string (libraries, ROAST_LIBRARIES_WORKER));
}

void
findings_find_idle_workers (Findings *self)
{
  FindingsWorkers *workers = &self->workers;
  guint n;
  const RoastRunWorker *all = roast_run_model_get_workers (self->model, &n);

  if (self->is_tree)
    return;
  add_libraries (self);
  for (guint i = 0; i < n; i++)
    {
      const RoastRunWorker *worker = &all[i];
      double left = isnan (worker->left) ? self->end : worker->left;
      double seconds = worker->cores * (left - worker->joined) / G_USEC_PER_SEC;

      if (worker->is_process || worker->worker == NULL || !(seconds > 0) ||
          findings_find_place (self, worker->worker) != NULL)
        continue;
      /* Skip a worker that replaced a dead worker and joined too late to receive a task. */
      if (self->tasks.n_lost > 0 && worker->joined >= self->tasks.last_given)
        continue;
      workers->n_idle++;
      workers->idle_seconds += seconds;
      if (workers->idle == NULL)
        workers->idle = worker->name != NULL ? worker->name : worker->worker;
    }
}

const char *
findings_describe_deaths (Findings *self)
{
  const FindingsWorkers *workers = &self->workers;
  g_autoptr (GString) text = g_string_new (NULL);

  if (workers->n_killed > 0)
    g_string_append_printf (text, "signal %" G_GINT64_FORMAT " killed the process%s of %s", workers->signal,
                            workers->n_killed > 1 ? "es" : "",
                            findings_count (self, workers->n_killed, "worker", "workers"));
  if (workers->n_exited > 0)
    g_string_append_printf (text, "%sthe process%s of %s ended with exit code %" G_GINT64_FORMAT,
                            text->len > 0 ? ", and " : "", workers->n_exited > 1 ? "es" : "",
                            findings_count (self, workers->n_exited, "worker", "workers"), workers->exit_code);

  return text->len > 0 ? findings_keep (self, text->str) : NULL;
}

/* Leave out workers that received no task, and the core time of a long start-up, because the rules idle-workers and
 * start-up report these. */
double
findings_get_not_assigned (Findings *self)
{
  guint first = findings_has_spoken (self, "start-up") ? ROAST_STRETCH_RAMP : ROAST_STRETCH_STARTUP;
  double idle = findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_EXECUTOR, first,
                                    ROAST_STRETCH_N_WORDS - 1);

  return self->offered > 0 ? fmax (idle - self->workers.idle_seconds / self->offered, 0) : idle;
}

double
findings_get_usable_cores (Findings *self)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    if (workers[i].worker != NULL && !workers[i].is_process && roast_run_worker_get_process (&workers[i]) == NULL)
      return self->workers.cores;

  return fmin (self->workers.cores, findings_get_metric (self, "cores_available"));
}
