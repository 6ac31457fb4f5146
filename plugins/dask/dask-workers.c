/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-workers.h"

#include <math.h>

#include "dask-process.h"
#include "dask-row.h"

/* Limit that bounds the memory that a faulty scheduler can make roast use. No real cluster reaches it. */
#define MAX_WORKERS 1000000

/* Extra columns of the worker table in the wire protocol. They follow the columns of the table workers. */
enum
{
  WORKER_NUMBER = ROAST_WORKERS_N_COLUMNS,
  WORKER_ADDRESS,
};

const char *const dask_worker_columns[] = { "number", "address", NULL };

enum
{
  TOLD_WORKER,
  TOLD_TIME,
};
const char *const dask_told_columns[] = { "worker", "time", NULL };

typedef struct
{
  char *name;  /* name of the worker in the tables */
  gint64 told; /* time until which data of the worker have arrived */
  guint64 row;
  gint64 memory_limit; /* -1 if unknown */
  gboolean left;
  DaskProcess process;
} Worker;

struct _DaskWorkers
{
  GHashTable *workers;   /* maps the number of a worker to its Worker */
  GHashTable *addresses; /* maps an address to the number of workers that have used it so far */
  RoastTableWriter *writer, *samples;
  gint64 clock_offset; /* offset of the scheduler's clock, µs */
};

static void
worker_free (Worker *worker)
{
  g_free (worker->name);
  dask_process_clear (&worker->process);
  g_free (worker);
}

DaskWorkers *
dask_workers_new (RoastRecording *recording, const char *source, gint64 clock_offset)
{
  DaskWorkers *self = g_new0 (DaskWorkers, 1);

  self->clock_offset = clock_offset;
  self->workers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) worker_free);
  self->addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->writer = roast_workers_write (recording, source);
  self->samples = roast_worker_samples_write (recording, source);

  return self;
}

void
dask_workers_free (DaskWorkers *self)
{
  g_hash_table_unref (self->workers);
  g_hash_table_unref (self->addresses);
  g_clear_object (&self->writer);
  g_clear_object (&self->samples);
  g_free (self);
}

static gboolean
workers_find (DaskWorkers *self, RoastWireReader *row, guint slot, Worker **worker, GError **error)
{
  gint64 number;

  if (!dask_row_get_number (row, slot, G_MAXINT, &number, error))
    return FALSE;
  *worker = g_hash_table_lookup (self->workers, GINT_TO_POINTER (number));

  return *worker != NULL || dask_row_refuse (error, "there is no worker %" G_GINT64_FORMAT, number);
}

gboolean
dask_workers_find (DaskWorkers *self, RoastWireReader *row, guint slot, const char **name, GError **error)
{
  Worker *worker = NULL;

  if (!workers_find (self, row, slot, &worker, error))
    return FALSE;
  *name = worker->name;

  return TRUE;
}

/* ---- from join to leave ---- */

/* Returns the name of a worker, which is its address. If other workers used the same address before, a number is
 * added. */
static char *
dup_worker_name (DaskWorkers *self, const char *address)
{
  int n = GPOINTER_TO_INT (g_hash_table_lookup (self->addresses, address)) + 1;

  g_hash_table_insert (self->addresses, g_strdup (address), GINT_TO_POINTER (n));

  return n == 1 ? g_strdup (address) : g_strdup_printf ("%s#%d", address, n);
}

static gboolean
workers_add (DaskWorkers *self, RoastWireReader *row, gint64 number, Worker **worker, GError **error)
{
  const char *address = NULL;

  if (!dask_row_get_name (row, WORKER_ADDRESS, &address, error))
    return FALSE;
  if (g_hash_table_size (self->workers) >= MAX_WORKERS)
    return dask_row_refuse (error, "there are more than %d workers", MAX_WORKERS);
  *worker = g_new0 (Worker, 1);
  (*worker)->memory_limit = -1;
  (*worker)->name = dup_worker_name (self, address);
  dask_process_init (&(*worker)->process);
  g_hash_table_insert (self->workers, GINT_TO_POINTER (number), *worker);

  return TRUE;
}

/* Write the row of a worker, or set its cells again. A cell that was already set must get the same value again. */
static gboolean
write_worker (DaskWorkers *self, Worker *worker, RoastWireReader *row, gint64 joined, gint64 left, GError **error)
{
  RoastTableWriter *writer = self->writer;

  if (worker->row != 0)
    roast_table_writer_select_row (writer, worker->row);
  else
    roast_table_writer_set_string (writer, ROAST_WORKERS_WORKER, worker->name);
  dask_row_copy (row, writer, ROAST_WORKERS_N_COLUMNS,
                 1 << ROAST_WORKERS_SOURCE | 1 << ROAST_WORKERS_WORKER | 1 << ROAST_WORKERS_JOINED |
                     1 << ROAST_WORKERS_LEFT);
  worker->memory_limit = roast_wire_reader_get_count (row, ROAST_WORKERS_MEMORY_LIMIT);
  roast_table_writer_set_count (writer, ROAST_WORKERS_JOINED, joined);
  roast_table_writer_set_count (writer, ROAST_WORKERS_LEFT, left);
  worker->left = left >= 0;
  if (worker->left)
    {
      dask_process_write (&worker->process, writer, roast_wire_reader_get_double (row, ROAST_WORKERS_TAIL_LOST));
      return dask_row_close (row, writer, error);
    }
  if (!dask_row_end (row, writer, error))
    return FALSE;
  worker->row = roast_table_writer_get_row (writer);

  return TRUE;
}

gboolean
dask_workers_take (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error)
{
  Worker *worker = NULL;
  gint64 number, joined, left;

  if (!dask_row_get_number (row, WORKER_NUMBER, G_MAXINT, &number, error) ||
      !dask_row_get_time (row, ROAST_WORKERS_JOINED, self->clock_offset, &joined, error) ||
      !dask_row_get_time (row, ROAST_WORKERS_LEFT, self->clock_offset, &left, error))
    return FALSE;
  worker = g_hash_table_lookup (self->workers, GINT_TO_POINTER (number));
  if (worker == NULL && !workers_add (self, row, number, &worker, error))
    return FALSE;

  worker->told = MAX (worker->told, joined);

  return worker->left || write_worker (self, worker, row, joined, left, error);
}

gboolean
dask_workers_take_process (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error)
{
  Worker *worker = NULL;

  return workers_find (self, row, DASK_PROCESS_WORKER, &worker, error) &&
         dask_process_take (&worker->process, row, self->clock_offset, error);
}

void
dask_workers_add_cpu (DaskWorkers *self, gint64 number, double seconds)
{
  Worker *worker = g_hash_table_lookup (self->workers, GINT_TO_POINTER (number));

  if (worker != NULL)
    dask_process_add_cpu (&worker->process, seconds);
}

gboolean
dask_workers_take_told (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error)
{
  Worker *worker = NULL;
  gint64 time;

  if (!workers_find (self, row, TOLD_WORKER, &worker, error) ||
      !dask_row_get_time_after (row, TOLD_TIME, now, &time, error) || !roast_wire_reader_check_row (row, error))
    return FALSE;
  worker->told = MAX (worker->told, time);

  return TRUE;
}

guint
dask_workers_finish (DaskWorkers *self, gint64 left, const char *reason, int cause, double *longest)
{
  GHashTableIter iter;
  Worker *worker;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      double tail = NAN;

      if (worker->left || worker->row == 0)
        continue;
      worker->left = TRUE;
      n++;
      if (longest != NULL)
        {
          tail = (double) MAX (left - worker->told, 0) / G_USEC_PER_SEC;
          *longest = MAX (*longest, tail);
        }
      roast_table_writer_select_row (self->writer, worker->row);
      roast_table_writer_set_count (self->writer, ROAST_WORKERS_LEFT, left);
      roast_table_writer_set_string (self->writer, ROAST_WORKERS_LEAVE_REASON, reason);
      roast_table_writer_set_double (self->writer, ROAST_WORKERS_TAIL_LOST, tail);
      if (cause >= 0)
        roast_table_writer_set_word (self->writer, ROAST_WORKERS_CAUSE, (guint) cause);
      dask_process_write (&worker->process, self->writer, tail);
      roast_table_writer_close (self->writer, NULL);
    }

  return n;
}

/* ---- samples ---- */

gboolean
dask_workers_take_sample (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error)
{
  RoastTableWriter *writer = self->samples;
  Worker *worker = NULL;
  gint64 time;

  if (!workers_find (self, row, ROAST_WORKER_SAMPLES_WORKER, &worker, error) ||
      !dask_row_get_time_after (row, ROAST_WORKER_SAMPLES_TIME, now, &time, error))
    return FALSE;
  time = time < 0 ? now : time;
  dask_row_copy (row, writer, ROAST_WORKER_SAMPLES_N_COLUMNS,
                 1 << ROAST_WORKER_SAMPLES_WORKER | 1 << ROAST_WORKER_SAMPLES_TIME);
  roast_table_writer_set_string (writer, ROAST_WORKER_SAMPLES_WORKER, worker->name);
  roast_table_writer_set_int64 (writer, ROAST_WORKER_SAMPLES_TIME, time);
  roast_table_writer_set_int64 (writer, ROAST_WORKER_SAMPLES_LAST_SEEN, time);
  roast_table_writer_set_count (writer, ROAST_WORKER_SAMPLES_MEMORY_LIMIT, worker->memory_limit);

  return dask_row_end (row, writer, error);
}
