/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

/* One scheduler. Passes each row from the scheduler's probe to the object that writes the table. Changes nothing but
 * the recording, so that a fuzzer can call it. The README of the plugin describes the tables of the wire protocol. */
typedef struct _DaskScheduler DaskScheduler;

/* Create a scheduler, and add the tables of the wire protocol to @reader. @reader: reads the lines of one connection;
 * @roles: owned by the backend; @max_tasks: largest number of attempts that get a row */
DaskScheduler *dask_scheduler_new (RoastRecording *recording, RoastWireReader *reader, FrameworkTasks *roles,
                                   guint64 max_tasks);
void dask_scheduler_free (DaskScheduler *self);

/* Set by how much the clock of the scheduler is ahead of the clock of this machine, and the uncertainty of this offset,
 * in s. Call this function before the hello of the scheduler arrives. Times are corrected only if the offset is larger
 * than its uncertainty. Impossible values are ignored. */
void dask_scheduler_set_clock (DaskScheduler *self, double offset, double uncertainty);
/* Take the line that the reader has just read. Returns FALSE if the line is refused. Refused lines are counted. */
gboolean dask_scheduler_take_line (DaskScheduler *self, GError **error);
/* Count a line that the reader refused. */
void dask_scheduler_note_refused (DaskScheduler *self, const GError *error);
/* Stop measuring a scheduler that keeps running. @flush: number of the flush that requested its last data */
void dask_scheduler_leave (DaskScheduler *self, guint64 flush);
/* Finish the source after the last line. Missing data are reported as events. */
void dask_scheduler_finish (DaskScheduler *self);

/* Return whether the hello of the scheduler has arrived. Only then is it a source of the recording. */
gboolean dask_scheduler_is_known (DaskScheduler *self);
/* Return whether the hello of the scheduler says that its workers measure no activities. */
gboolean dask_scheduler_lacks_activities (DaskScheduler *self);
/* Note that this run requested a flush. Flushes with numbers before its first or after its last one are those of other
 * runs. */
void dask_scheduler_expect_flush (DaskScheduler *self, guint64 number);
/* Return the number of the last flush to which the scheduler responded. */
guint64 dask_scheduler_get_flushed (DaskScheduler *self);
/* Return whether the last data of the scheduler have arrived. */
gboolean dask_scheduler_is_over (DaskScheduler *self);

/* Add the current value of each activity to @totals (see span-totals.h), summed over all workers and spans. */
void dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskScheduler, dask_scheduler_free)
