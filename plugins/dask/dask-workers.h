/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Writes the tables workers and worker_samples for one scheduler. */
typedef struct _DaskWorkers DaskWorkers;

/* Extra columns of the wire's worker table, which follow the columns of the table workers. The wire's sample table has
 * the columns of the table worker_samples. */
extern const char *const dask_worker_columns[];
extern const char *const dask_told_columns[];

DaskWorkers *dask_workers_new (RoastRecording *recording, const char *source, gint64 clock_offset);
void dask_workers_free (DaskWorkers *self);

/* Take a row about one worker. The first row announces the worker; the last row has the time when it left. */
gboolean dask_workers_take (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_workers_take_sample (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* Get the name that the worker with the number in the cell has in tables. */
gboolean dask_workers_find (DaskWorkers *self, RoastWireReader *row, guint slot, const char **name, GError **error);
/* Take a row about a worker's process. */
gboolean dask_workers_take_process (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* Add CPU time that the worker's process used. */
void dask_workers_add_cpu (DaskWorkers *self, gint64 number, double seconds);
/* Take the time up to which a worker's data are known. */
gboolean dask_workers_take_told (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* Close the rows of the remaining workers when no more rows will come, and return the number of these workers. @left:
 * time when they left, or -1; @reason: may be NULL; @cause: a word of worker_end, or -1; @tail: longest time without
 * data before a worker's end, in s; NULL if all data arrived */
guint dask_workers_finish (DaskWorkers *self, gint64 left, const char *reason, int cause, double *tail);

G_END_DECLS
