/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the workers of executors. */

#include "findings.h"
#include "task-activity-tables.h"

static double
get_lifetime (Findings *self, const RoastRunWorker *worker)
{
  double end = NAN;

  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    end = fmax (end, self->bounds[i][1]);

  return ((isnan (worker->left) ? end : worker->left) - worker->joined) / G_USEC_PER_SEC;
}

/* The table per_worker has the signal of a worker that the executor merely lost, if roast observed its process. */
static void
read_deaths (Findings *self)
{
  FindingsWorkers *workers = &self->workers;
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_PER_WORKER, roast_per_worker_columns, NULL);

  while (table != NULL && roast_table_reader_next (table))
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

static void
add_worker (Findings *self, const RoastRunWorker *worker)
{
  FindingsWorkers *workers = &self->workers;
  double seconds = worker->cores * get_lifetime (self, worker);

  workers->n++;
  workers->memory = fmax (workers->memory, (double) worker->memory_limit);
  workers->largest = fmax (workers->largest, worker->cores);
  workers->first_joined = fmin (workers->first_joined, worker->joined);
  if (worker->worker == NULL || !(seconds > 0) || g_hash_table_contains (self->tasks.at, worker->worker))
    return;
  /* Skip a worker that replaced a dead one and joined too late to receive a task. */
  if (self->tasks.n_lost > 0 && worker->joined >= self->tasks.last_given)
    return;
  workers->n_idle++;
  workers->idle_seconds += seconds;
  if (workers->idle == NULL)
    workers->idle = worker->name != NULL ? worker->name : worker->worker;
}

/* Library calls may have no task row, so count a worker with a library as used. */
static void
add_libraries (Findings *self)
{
  g_autoptr (RoastTableReader) libraries =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_LIBRARIES, roast_libraries_columns, NULL);

  while (roast_table_reader_next (libraries))
    {
      const char *worker = roast_table_reader_get_string (libraries, ROAST_LIBRARIES_WORKER);

      if (worker != NULL)
        g_hash_table_add (self->tasks.at, (gpointer) findings_keep (self, worker));
    }
}

void
findings_read_workers (Findings *self)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  self->workers.first_joined = NAN;
  if (self->is_tree)
    return;
  add_libraries (self);
  /* The executor's workers offer the cores of the process tree: do not count them twice. */
  for (guint i = 0; i < n; i++)
    if (!workers[i].is_process && !isnan (workers[i].cores))
      add_worker (self, &workers[i]);
  self->workers.cores = fmax (roast_run_model_count_slots (self->model, NULL, NULL, NULL), 0);
  read_deaths (self);
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

/* Leave out workers that received no task, and a long start-up: other rules explain these. */
double
findings_get_not_assigned (Findings *self)
{
  guint first = findings_has_spoken (self, "start-up") ? ROAST_STRETCH_RAMP : ROAST_STRETCH_STARTUP;
  double idle = findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_EXECUTOR, first,
                                    ROAST_STRETCH_N_WORDS - 1);

  return self->offered > 0 ? fmax (idle - self->workers.idle_seconds / self->offered, 0) : idle;
}
