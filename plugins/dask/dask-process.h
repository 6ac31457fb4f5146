/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The process of one worker: columns of the table workers that are written when the worker is over. */
typedef struct
{
  gint64 memory_peak, child_memory_peak;               /* bytes; -1 if not known */
  gint64 memory_peak_before, child_memory_peak_before; /* when reading began; -1 if not known then */
  gint64 started;                                      /* µs since the epoch, or -1 */
  gint64 workers;                                      /* in it, or -1 */
  gint64 computing;                                    /* tasks in its threads at its last data, or -1 */
  gboolean is_shared;                                  /* also by what is not a worker */
  gboolean is_older;                                   /* it ran before reading began */
  double cpu;                                          /* s since then; NaN if not known */
  double clock_offset, clock_uncertainty;              /* s; NaN if not known */
  char *missing;                                       /* why something is not known, or NULL */
} DaskProcess;

/* Columns of the wire's table. */
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

/* The latest that is known. */
gboolean dask_process_take (DaskProcess *self, RoastWireReader *row, gint64 clock_offset, GError **error);
void dask_process_add_cpu (DaskProcess *self, double seconds);
/* Sets cells of a row of workers. @tail: time before its end of which nothing is known, s; 0 or NaN if there is none.
 */
void dask_process_write (const DaskProcess *self, RoastTableWriter *writer, double tail);

G_END_DECLS
