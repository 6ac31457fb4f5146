/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* The process of one worker. Its values are written to columns of the table workers after the worker has left. */
typedef struct
{
  gint64 memory_peak, child_memory_peak;               /* peaks so far, bytes; -1 if unknown */
  gint64 memory_peak_before, child_memory_peak_before; /* peaks when roast began to read, bytes; -1 if unknown */
  gint64 started;                                      /* start of the process, µs since the epoch; -1 if unknown */
  gint64 workers;                                      /* number of workers in this process; -1 if unknown */
  gint64 computing;                       /* tasks that threads of this process ran at the last report; -1 if unknown */
  gboolean is_shared;                     /* the scheduler or the program runs in the same process */
  gboolean is_older;                      /* the process started before roast began to read */
  double cpu;                             /* CPU time since roast began to read, s; NaN if unknown */
  double clock_offset, clock_uncertainty; /* offset of the worker's clock, and its uncertainty, s; NaN if unknown */
  char *missing;                          /* reason why a value is unknown, or NULL */
} DaskProcess;

extern const char *const dask_process_columns[];
enum
{
  DASK_PROCESS_WORKER,
  DASK_PROCESS_MEMORY_PEAK,
  DASK_PROCESS_CHILD_MEMORY_PEAK,
  DASK_PROCESS_STARTED,
  DASK_PROCESS_WORKERS,
  DASK_PROCESS_SCHEDULER,
  DASK_PROCESS_MISSING,
  DASK_PROCESS_BEFORE,
  DASK_PROCESS_COMPUTING,
  DASK_PROCESS_CLOCK_OFFSET,
  DASK_PROCESS_CLOCK_UNCERTAINTY,
};

void dask_process_init (DaskProcess *self);
void dask_process_clear (DaskProcess *self);

/* Take the latest values of the process. */
gboolean dask_process_take (DaskProcess *self, RoastWireReader *row, gint64 clock_offset, GError **error);
void dask_process_add_cpu (DaskProcess *self, double seconds);
/* Set the cells of the process in a row of the table workers. @tail: time at the end of the worker without data, s; 0
 * or NaN if there was none */
void dask_process_write (const DaskProcess *self, RoastTableWriter *writer, double tail);
