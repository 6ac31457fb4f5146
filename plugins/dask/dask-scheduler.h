/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

G_BEGIN_DECLS

/* One scheduler: hands the rows that the probe in it sends to those who write the tables. Pure but for the recording,
 * so that a fuzzer can call it. The README of this plugin has the tables of the wire. */
typedef struct _DaskScheduler DaskScheduler;

/* Adds its tables to @reader, which reads the lines of one connection. @roles belongs to the backend. After @max_tasks
 * attempts no rows of tasks. */
DaskScheduler *dask_scheduler_new (RoastRecording *recording, RoastWireReader *reader, FrameworkTasks *roles,
                                   guint64 max_tasks);
void dask_scheduler_free (DaskScheduler *self);

/* Before its hello: its clock minus that of this machine, and the uncertainty, s. Its times are shifted if the clocks
 * are known to differ. Ignores numbers that cannot be. */
void dask_scheduler_set_clock (DaskScheduler *self, double offset, double uncertainty);
/* The line that the reader has read. FALSE if it does not count, which is remembered. */
gboolean dask_scheduler_take_line (DaskScheduler *self, GError **error);
/* A line that the reader refused. */
void dask_scheduler_note_refused (DaskScheduler *self, const GError *error);
/* It runs on, but is not measured any more. */
void dask_scheduler_leave (DaskScheduler *self);
/* No more lines will come: reports what is missing. */
void dask_scheduler_finish (DaskScheduler *self);

/* Whether it said hello: then it is a source. */
gboolean dask_scheduler_is_known (DaskScheduler *self);
const char *dask_scheduler_get_address (DaskScheduler *self);
/* Whether its workers measure activities. */
gboolean dask_scheduler_has_activities (DaskScheduler *self);
/* Number of the last flush that it answered. */
guint64 dask_scheduler_get_flushed (DaskScheduler *self);
/* Whether its last data came. */
gboolean dask_scheduler_is_over (DaskScheduler *self);

/* The sum of all workers and spans so far, for span-totals.h. */
void dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskScheduler, dask_scheduler_free)

G_END_DECLS
