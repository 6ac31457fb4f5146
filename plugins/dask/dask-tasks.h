/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-categories.h"
#include "dask-workers.h"

G_BEGIN_DECLS

/* Writes the tables tasks and task_phases for one scheduler. Each row of tasks is an attempt. */
typedef struct _DaskTasks DaskTasks;

/* Extra columns of the wire's attempt table, which follow the columns of the table tasks; and all columns of the wire's
 * phase table. */
extern const char *const dask_task_columns[];
extern const char *const dask_phase_columns[];

/* @max_tasks: number of attempts after which no rows are written */
DaskTasks *dask_tasks_new (RoastRecording *recording, const char *source, DaskWorkers *workers,
                           DaskCategories *categories, guint64 max_tasks);
void dask_tasks_free (DaskTasks *self);

gboolean dask_tasks_take (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Take a phase of the attempt in the previous row. */
gboolean dask_tasks_take_phase (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Take a task that waits or runs. A row without a task starts a new list. */
gboolean dask_tasks_take_open (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Write the tasks that still wait or run when no more attempts will end. Waiting tasks get the status @waiting. */
void dask_tasks_finish (DaskTasks *self, guint waiting);
/* Note that rows are missing: phases that follow do not belong to the previous attempt. */
void dask_tasks_break (DaskTasks *self);
/* Return how many attempts have no row. */
guint64 dask_tasks_get_left_out (DaskTasks *self);

G_END_DECLS
