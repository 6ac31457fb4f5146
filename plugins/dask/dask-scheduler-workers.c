/* SPDX-License-Identifier: BSD-3-Clause */

/* What the probe tells of workers. */

#include <math.h>
#include <string.h>

#include "dask-scheduler-private.h"

enum
{
  WORKER_SOURCE,
  WORKER_WORKER,
  WORKER_NAME,
  WORKER_HOST,
  WORKER_PID,
  WORKER_CORES,
  WORKER_MEMORY_LIMIT,
  WORKER_JOINED,
  WORKER_LEFT,
  WORKER_REASON,
  WORKER_TAIL
};
static const char *const worker_columns[] = { "source",       "worker", "name", "host",         "pid",       "cores",
                                              "memory_limit", "joined", "left", "leave_reason", "tail_lost", NULL };

enum
{
  SAMPLE_SOURCE,
  SAMPLE_TIME,
  SAMPLE_WORKER,
  SAMPLE_LAST_SEEN,
  SAMPLE_MEMORY,
  SAMPLE_MANAGED,
  SAMPLE_SPILLED_MEMORY,
  SAMPLE_SPILLED_DISK,
  SAMPLE_CPU,
  SAMPLE_NBYTES,
  SAMPLE_ACTIVE,
  SAMPLE_EXECUTING,
  SAMPLE_OCCUPANCY,
  SAMPLE_NET_READ,
  SAMPLE_NET_WRITE,
  SAMPLE_DISK_READ,
  SAMPLE_DISK_WRITE,
  SAMPLE_LATENESS
};
static const char *const sample_columns[] = { "source",
                                              "time",
                                              "worker",
                                              "last_seen",
                                              "memory",
                                              "managed",
                                              "spilled_memory",
                                              "spilled_disk",
                                              "cpu_percent",
                                              "nbytes",
                                              "active_tasks",
                                              "executing_tasks",
                                              "occupancy",
                                              "net_read_rate",
                                              "net_write_rate",
                                              "disk_read_rate",
                                              "disk_write_rate",
                                              "lateness",
                                              NULL };

void
dask_scheduler_open_workers (DaskScheduler *self)
{
  sheet_open (&self->sheet_workers, self->recording, "workers", worker_columns);
  sheet_open (&self->sheet_samples, self->recording, "worker_samples", sample_columns);
}

Worker *
dask_scheduler_get_worker (DaskScheduler *self, DaskCells *cells, guint i)
{
  gint64 number = dask_cells_get_count (cells, i);
  Worker *worker =
      number > 0 && number < G_MAXINT ? g_hash_table_lookup (self->workers, GINT_TO_POINTER (number)) : NULL;

  if (worker == NULL)
    cells->bad = TRUE;

  return worker;
}

/* The worker's part of the row's key, in sheets where it is the second column. */
static void
begin_worker (DaskScheduler *self, Worker *worker)
{
  sheet_begin (&self->sheet_workers, self->source);
  sheet_set_text (&self->sheet_workers, WORKER_WORKER, worker->name);
}

static void
set_pid (DaskScheduler *self, Worker *worker, gint64 pid)
{
  if (pid <= 0 || worker->named_pid)
    return;
  worker->named_pid = TRUE;
  begin_worker (self, worker);
  sheet_set_count (&self->sheet_workers, WORKER_PID, pid);
  sheet_end (&self->sheet_workers);
}

/* An address can be used again, by another worker. */
static char *
dup_worker_name (DaskScheduler *self, const char *address)
{
  int n = GPOINTER_TO_INT (g_hash_table_lookup (self->addresses, address)) + 1;

  g_hash_table_insert (self->addresses, g_strdup (address), GINT_TO_POINTER (n));

  return n == 1 ? g_strdup (address) : g_strdup_printf ("%s#%d", address, n);
}

/* [number, address, name, host, pid, threads, memory limit, joined] */
void
dask_scheduler_on_join (DaskScheduler *self, DaskCells *cells)
{
  Sheet *sheet = &self->sheet_workers;
  gint64 number = dask_cells_get_count (cells, 0);
  const char *address = dask_cells_get_text (cells, 1);
  Worker *worker = NULL;

  if (number <= 0 || number >= G_MAXINT || address == NULL || strlen (address) > DASK_MAX_NAME)
    {
      cells->bad = TRUE;
      return;
    }
  /* After a gap all are told once more. */
  if (g_hash_table_contains (self->workers, GINT_TO_POINTER (number)))
    return;
  if (g_hash_table_size (self->workers) >= MAX_WORKERS)
    {
      cells->bad = TRUE;
      return;
    }
  worker = g_new0 (Worker, 1);
  worker->name = dup_worker_name (self, address);
  g_hash_table_insert (self->workers, GINT_TO_POINTER (number), worker);
  begin_worker (self, worker);
  sheet_set_text (sheet, WORKER_NAME, dask_cells_get_text (cells, 2));
  sheet_set_text (sheet, WORKER_HOST, dask_cells_get_text (cells, 3));
  sheet_set_number (sheet, WORKER_CORES, dask_cells_get_number (cells, 5));
  sheet_set_count (sheet, WORKER_MEMORY_LIMIT, dask_cells_get_count (cells, 6));
  sheet_set_count (sheet, WORKER_JOINED, dask_cells_get_time (cells, 7));
  sheet_end (sheet);
  set_pid (self, worker, dask_cells_get_count (cells, 4));
}

/* [number, time, reason, tail, pid] */
void
dask_scheduler_on_leave (DaskScheduler *self, DaskCells *cells)
{
  Sheet *sheet = &self->sheet_workers;
  Worker *worker = dask_scheduler_get_worker (self, cells, 0);

  if (worker == NULL || worker->left)
    return;
  worker->left = TRUE;
  set_pid (self, worker, dask_cells_get_count (cells, 4));
  begin_worker (self, worker);
  sheet_set_count (sheet, WORKER_LEFT, dask_cells_get_time (cells, 1));
  sheet_set_text (sheet, WORKER_REASON, dask_cells_get_text (cells, 2));
  sheet_set_number (sheet, WORKER_TAIL, dask_cells_get_number (cells, 3));
  sheet_end (sheet);
}

/* [number, heartbeat - now (s), memory, managed, spilled (memory, disk), cpu, nbytes, processing, executing, occupancy,
 *  network (read, write), disk (read, write), event loop's interval, pid] */
void
dask_scheduler_on_row (DaskScheduler *self, DaskCells *cells)
{
  Sheet *sheet = &self->sheet_samples;
  Worker *worker = dask_scheduler_get_worker (self, cells, 0);
  double age = dask_cells_get_number (cells, 1);
  gint64 time = dask_time ((double) self->now / G_USEC_PER_SEC + (isnan (age) ? 0 : age));

  if (worker == NULL)
    return;
  sheet_begin (sheet, self->source);
  sheet_set_count (sheet, SAMPLE_TIME, time);
  sheet_set_text (sheet, SAMPLE_WORKER, worker->name);
  sheet_set_count (sheet, SAMPLE_LAST_SEEN, time);
  sheet_set_count (sheet, SAMPLE_MEMORY, dask_cells_get_count (cells, 2));
  sheet_set_count (sheet, SAMPLE_MANAGED, dask_cells_get_count (cells, 3));
  sheet_set_count (sheet, SAMPLE_SPILLED_MEMORY, dask_cells_get_count (cells, 4));
  sheet_set_count (sheet, SAMPLE_SPILLED_DISK, dask_cells_get_count (cells, 5));
  sheet_set_number (sheet, SAMPLE_CPU, dask_cells_get_number (cells, 6));
  sheet_set_count (sheet, SAMPLE_NBYTES, dask_cells_get_count (cells, 7));
  sheet_set_count (sheet, SAMPLE_ACTIVE, dask_cells_get_count (cells, 8));
  sheet_set_count (sheet, SAMPLE_EXECUTING, dask_cells_get_count (cells, 9));
  sheet_set_number (sheet, SAMPLE_OCCUPANCY, dask_cells_get_number (cells, 10));
  sheet_set_number (sheet, SAMPLE_NET_READ, dask_cells_get_number (cells, 11));
  sheet_set_number (sheet, SAMPLE_NET_WRITE, dask_cells_get_number (cells, 12));
  sheet_set_number (sheet, SAMPLE_DISK_READ, dask_cells_get_number (cells, 13));
  sheet_set_number (sheet, SAMPLE_DISK_WRITE, dask_cells_get_number (cells, 14));
  sheet_set_number (sheet, SAMPLE_LATENESS, dask_cells_get_number (cells, 15));
  sheet_end (sheet);
  set_pid (self, worker, dask_cells_get_count (cells, 16));
}

/* Workers do not outlive their scheduler. @tail is the time of which nothing is known, or NaN. */
guint
dask_scheduler_end_workers (DaskScheduler *self, gint64 end, const char *reason, double tail)
{
  GHashTableIter iter;
  Worker *worker;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->workers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &worker))
    {
      if (worker->left)
        continue;
      worker->left = TRUE;
      n++;
      begin_worker (self, worker);
      sheet_set_count (&self->sheet_workers, WORKER_LEFT, end);
      sheet_set_text (&self->sheet_workers, WORKER_REASON, reason);
      sheet_set_number (&self->sheet_workers, WORKER_TAIL, tail);
      sheet_end (&self->sheet_workers);
    }

  return n;
}
