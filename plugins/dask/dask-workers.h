/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Writes the tables workers and worker_samples for one scheduler. */
typedef struct _DaskWorkers DaskWorkers;

/* Extra columns of the worker table in the wire protocol. They follow the columns of the table workers. The sample
 * table in the wire protocol has the columns of the table worker_samples. */
extern const char *const dask_worker_columns[];
extern const char *const dask_told_columns[];

DaskWorkers *dask_workers_new (RoastRecording *recording, const char *source, gint64 clock_offset);
void dask_workers_free (DaskWorkers *self);

/* Take a row about one worker. The first row announces the worker. The last row contains the time when the worker
 * left. */
gboolean dask_workers_take (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_workers_take_sample (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* Get the name in tables of the worker whose number is in the cell. */
gboolean dask_workers_find (DaskWorkers *self, RoastWireReader *row, guint slot, const char **name, GError **error);
/* Take a row about a worker's process. */
gboolean dask_workers_take_process (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* Add CPU time that the worker's process used. */
void dask_workers_add_cpu (DaskWorkers *self, gint64 number, double seconds);
/* Take the time until which data of a worker have arrived. */
gboolean dask_workers_take_told (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* Write the ends of the workers that have not left, and return the number of these workers. Call this function after
 * the last row. @left: time when they left, or -1; @reason: may be NULL; @cause: a word of worker_end, or -1; @tail:
 * set to the longest time without data before a worker's end, in s; NULL if all data arrived */
guint dask_workers_finish (DaskWorkers *self, gint64 left, const char *reason, int cause, double *tail);
