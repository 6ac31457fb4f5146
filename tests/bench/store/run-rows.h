/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Rows of a run on Dask beside samples of workers. */

#define RUN_SOURCE "dask-1"
#define RUN_MEMORY_LIMIT ((gint64) 4 << 30) /* of a worker */

/* Its source, and its workers: all of the run. @names: by worker */
void run_rows_add_workers (RoastRecording *recording, const char *const *names, guint n_workers, gint64 started,
                           gint64 ended);
/* Where the seconds of workers went: ten activities of five categories of tasks, at the end of the run. */
void run_rows_add_activities (RoastRecording *recording, const char *const *names, guint n_workers, gint64 ended);

/* Tasks as coffea on Dask has them, in the order in which they end: names with 128 random bits, five categories, of
 * which one has nine tenths; eight threads in each worker, which is never idle; 2 to 60 s each. One of 1000 fails, and
 * is tried again. */
typedef struct _RunTasks RunTasks;

RunTasks *run_tasks_new (const char *const *names, guint n_workers);
void run_tasks_free (RunTasks *self);
void run_tasks_write (RunTasks *self, RoastTableWriter *writer, guint n);
/* When the last of them ended. */
gint64 run_tasks_get_end (RunTasks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunTasks, run_tasks_free)

G_END_DECLS
