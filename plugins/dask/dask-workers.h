/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The workers of one scheduler: tables workers and worker_samples. */
typedef struct _DaskWorkers DaskWorkers;

/* Columns of the wire's table of workers, beside those of workers. That of samples has those of worker_samples. */
extern const char *const dask_worker_columns[];
extern const char *const dask_told_columns[];

DaskWorkers *dask_workers_new (RoastRecording *recording, const char *source, gint64 clock_offset);
void dask_workers_free (DaskWorkers *self);

/* All that is known of one worker: the first row announces it, the last has the time when it left. */
gboolean dask_workers_take (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_workers_take_sample (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* The name, in tables, of the worker whose number is in a cell. */
gboolean dask_workers_find (DaskWorkers *self, RoastWireReader *row, guint slot, const char **name, GError **error);
/* What is known of the process of a worker. */
gboolean dask_workers_take_process (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* CPU time that its process used. */
void dask_workers_add_cpu (DaskWorkers *self, gint64 number, double seconds);
/* Up to when a worker's data are known. */
gboolean dask_workers_take_told (DaskWorkers *self, RoastWireReader *row, gint64 now, GError **error);
/* No more rows will come: closes the rows of those that are left, which may have a time (else -1), a reason and the
 * cause, which is a word of worker_end (else -1). Returns how many these are. @tail: the longest time without data
 * before their end, s; NULL if all their data came. */
guint dask_workers_finish (DaskWorkers *self, gint64 left, const char *reason, int cause, double *tail);

G_END_DECLS
