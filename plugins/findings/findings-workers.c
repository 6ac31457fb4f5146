/* SPDX-License-Identifier: BSD-3-Clause */

/* Workers of executors. */

#include "findings.h"

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

static void
add_worker (Findings *self, RoastTableReader *table)
{
  FindingsWorkers *workers = &self->workers;
  const char *name = roast_table_reader_get_string (table, ROAST_WORKERS_WORKER);
  double cores = roast_table_reader_get_double (table, ROAST_WORKERS_CORES);
  double seconds = cores * get_lifetime (self, table);

  workers->n++;
  workers->cores += cores > 0 ? cores : 0;
  workers->first_joined = fmin (workers->first_joined, roast_table_reader_get_double (table, ROAST_WORKERS_JOINED));
  if (name == NULL || !(seconds > 0) || g_hash_table_contains (self->tasks.at, name))
    return;
  workers->n_idle++;
  workers->idle_seconds += seconds;
  if (workers->idle == NULL)
    {
      const char *label = roast_table_reader_get_string (table, ROAST_WORKERS_NAME);

      workers->idle = g_strdup (label != NULL ? label : name);
    }
}

/* Calls of libraries may have no row of their own. */
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

  self->workers.first_joined = NAN;
  if (self->is_tree)
    return;
  add_libraries (self);
  while (roast_table_reader_next (workers))
    /* The cores of a tree are those that the workers of the executor offer. */
    if (!g_hash_table_contains (self->trees, roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)) &&
        roast_table_reader_has (workers, ROAST_WORKERS_CORES))
      add_worker (self, workers);
}

void
findings_clear_workers (Findings *self)
{
  g_free (self->workers.idle);
}
