/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-categories.h"
#include "dask-workers.h"

G_BEGIN_DECLS

/* The attempts of one scheduler: tables tasks and task_phases. */
typedef struct _DaskTasks DaskTasks;

/* Columns of the wire's tables: of attempts, beside those of tasks; of phases. */
extern const char *const dask_task_columns[];
extern const char *const dask_phase_columns[];

/* After @max_tasks attempts no rows. */
DaskTasks *dask_tasks_new (RoastRecording *recording, const char *source, DaskWorkers *workers,
                           DaskCategories *categories, guint64 max_tasks);
void dask_tasks_free (DaskTasks *self);

gboolean dask_tasks_take (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Of the attempt in the row before. */
gboolean dask_tasks_take_phase (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* A task that waits or runs; a row without a task begins the list again. */
gboolean dask_tasks_take_open (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* No more attempts will end: writes those that wait, with the status @waiting, and those that run. */
void dask_tasks_finish (DaskTasks *self, guint waiting);
/* Rows are missing here: no phase belongs to the attempt before. */
void dask_tasks_break (DaskTasks *self);
/* How many attempts have no row. */
guint64 dask_tasks_get_left_out (DaskTasks *self);

G_END_DECLS
