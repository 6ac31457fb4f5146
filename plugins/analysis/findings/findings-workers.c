/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the workers of executors. */

#include "findings.h"
#include "task-activity-tables.h"

/* Change of the number of cores when a worker joins or leaves. */
typedef struct
{
  double time; /* µs */
  double cores;
} Change;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *left = a;
  const Change *right = b;

  if (left->time < right->time || left->time > right->time)
    return left->time < right->time ? -1 : 1;

  /* A worker that joins when another leaves replaces it: subtract before adding. */
  return (left->cores > right->cores) - (left->cores < right->cores);
}

static void
add_change (GArray *changes, double time, double otherwise, double cores)
{
  Change change = { isnan (time) ? otherwise : time, cores };

  g_array_append_val (changes, change);
}

static double
get_most (GArray *changes)
{
  double cores = 0;
  double most = 0;

  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len; i++)
    {
      cores += g_array_index (changes, Change, i).cores;
      most = fmax (most, cores);
    }

  return most;
}

static double
get_lifetime (Findings *self, RoastTableReader *workers)
{
  double joined = roast_table_reader_get_double (workers, ROAST_WORKERS_JOINED);
  double left = roast_table_reader_get_double (workers, ROAST_WORKERS_LEFT);
  double end = NAN;

  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    end = fmax (end, self->bounds[i][1]);

  return ((isnan (left) ? end : left) - joined) / G_USEC_PER_SEC;
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
        workers->dead = g_strdup (roast_table_reader_get_string (table, ROAST_PER_WORKER_WORKER));
    }
}

static void
add_worker (Findings *self, RoastTableReader *table, GArray *changes)
{
  FindingsWorkers *workers = &self->workers;
  const char *name = roast_table_reader_get_string (table, ROAST_WORKERS_WORKER);
  double cores = roast_table_reader_get_double (table, ROAST_WORKERS_CORES);
  double seconds = cores * get_lifetime (self, table);

  workers->n++;
  workers->memory =
      fmax (workers->memory, (double) roast_table_reader_get_int64 (table, ROAST_WORKERS_MEMORY_LIMIT, 0));
  if (cores > 0)
    {
      add_change (changes, roast_table_reader_get_double (table, ROAST_WORKERS_JOINED), -INFINITY, cores);
      add_change (changes, roast_table_reader_get_double (table, ROAST_WORKERS_LEFT), INFINITY, -cores);
      workers->largest = fmax (workers->largest, cores);
    }
  workers->first_joined = fmin (workers->first_joined, roast_table_reader_get_double (table, ROAST_WORKERS_JOINED));
  if (name == NULL || !(seconds > 0) || g_hash_table_contains (self->tasks.at, name))
    return;
  /* Skip a worker that replaced a dead one and joined too late to receive a task. */
  if (self->tasks.n_lost > 0 && roast_table_reader_get_double (table, ROAST_WORKERS_JOINED) >= self->tasks.last_given)
    return;
  workers->n_idle++;
  workers->idle_seconds += seconds;
  if (workers->idle == NULL)
    {
      const char *label = roast_table_reader_get_string (table, ROAST_WORKERS_NAME);

      workers->idle = g_strdup (label != NULL ? label : name);
    }
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
        g_hash_table_add (self->tasks.at, g_strdup (worker));
    }
}

void
findings_read_workers (Findings *self)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));

  self->workers.first_joined = NAN;
  if (self->is_tree)
    return;
  add_libraries (self);
  while (roast_table_reader_next (workers))
    /* The executor's workers offer the cores of the process tree: do not count them twice. */
    if (!process_trees_contain (&self->trees, roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)) &&
        roast_table_reader_has (workers, ROAST_WORKERS_CORES))
      add_worker (self, workers, changes);
  self->workers.cores = get_most (changes);
  read_deaths (self);
}

void
findings_clear_workers (Findings *self)
{
  g_free (self->workers.idle);
  g_free (self->workers.dead);
}

char *
findings_describe_deaths (Findings *self)
{
  const FindingsWorkers *workers = &self->workers;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *killed = findings_count (workers->n_killed, "worker", "workers");
  g_autofree char *exited = findings_count (workers->n_exited, "worker", "workers");

  if (workers->n_killed > 0)
    g_string_append_printf (text, "signal %" G_GINT64_FORMAT " killed the process%s of %s", workers->signal,
                            workers->n_killed > 1 ? "es" : "", killed);
  if (workers->n_exited > 0)
    g_string_append_printf (text, "%sthe process%s of %s ended with exit code %" G_GINT64_FORMAT,
                            text->len > 0 ? ", and " : "", workers->n_exited > 1 ? "es" : "", exited,
                            workers->exit_code);

  return text->len > 0 ? g_strdup (text->str) : NULL;
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
