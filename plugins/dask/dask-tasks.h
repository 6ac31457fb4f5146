/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-categories.h"
#include "dask-workers.h"

/* Writes the tables tasks and task_phases for one scheduler. Each row of the table tasks is an attempt. */
typedef struct _DaskTasks DaskTasks;

/* First array: extra columns of the attempt table in the wire protocol, which follow the columns of the table tasks.
 * Second array: all columns of the phase table in the wire protocol. */
extern const char *const dask_task_columns[];
extern const char *const dask_phase_columns[];

/* @max_tasks: largest number of attempts that get a row */
DaskTasks *dask_tasks_new (RoastRecording *recording, const char *source, DaskWorkers *workers,
                           DaskCategories *categories, guint64 max_tasks);
void dask_tasks_free (DaskTasks *self);

gboolean dask_tasks_take (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Take a phase of the attempt that the previous row was about. */
gboolean dask_tasks_take_phase (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Take a task that is waiting or running. A row without a task begins a new list of such tasks. */
gboolean dask_tasks_take_open (DaskTasks *self, RoastWireReader *row, gint64 now, GError **error);
/* Write the tasks that are still waiting or running after the last row. Waiting tasks get the status @waiting. */
void dask_tasks_finish (DaskTasks *self, guint waiting);
/* Report that rows are missing. The next phases then do not belong to the attempt of the previous row. */
void dask_tasks_break (DaskTasks *self);
/* Return the number of attempts that have no row. */
guint64 dask_tasks_get_left_out (DaskTasks *self);
