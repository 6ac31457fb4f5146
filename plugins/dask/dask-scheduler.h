/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

G_BEGIN_DECLS

/* One scheduler. Passes each row from its probe to the object that writes the table. Changes nothing but the recording,
 * so that a fuzzer can call it. The plugin's README describes the wire tables. */
typedef struct _DaskScheduler DaskScheduler;

/* Create a scheduler and add the wire tables to @reader. @reader: reads the lines of one connection; @roles: owned by
 * the backend; @max_tasks: number of attempts after which no task rows are written */
DaskScheduler *dask_scheduler_new (RoastRecording *recording, RoastWireReader *reader, FrameworkTasks *roles,
                                   guint64 max_tasks);
void dask_scheduler_free (DaskScheduler *self);

/* Set by how much the scheduler's clock is ahead of this machine's clock, and the uncertainty of this offset, in s.
 * Call it before the scheduler's hello. Times are shifted if the offset exceeds its uncertainty. Impossible values are
 * ignored. */
void dask_scheduler_set_clock (DaskScheduler *self, double offset, double uncertainty);
/* Take the line that the reader has just read. Returns FALSE if the line is refused; refused lines are counted. */
gboolean dask_scheduler_take_line (DaskScheduler *self, GError **error);
/* Count a line that the reader refused. */
void dask_scheduler_note_refused (DaskScheduler *self, const GError *error);
/* Stop measuring a scheduler that keeps running. @flush: number of the flush that asked for its last data */
void dask_scheduler_leave (DaskScheduler *self, guint64 flush);
/* Finish the source when no more lines will come. Missing data are reported as events. */
void dask_scheduler_finish (DaskScheduler *self);

/* Return whether the scheduler said hello, so that it is a source of the recording. */
gboolean dask_scheduler_is_known (DaskScheduler *self);
/* Return whether the scheduler said in its hello that its workers measure no activities. */
gboolean dask_scheduler_lacks_activities (DaskScheduler *self);
/* Return the number of the last flush that the scheduler answered. */
guint64 dask_scheduler_get_flushed (DaskScheduler *self);
/* Return whether the scheduler's last data arrived. */
gboolean dask_scheduler_is_over (DaskScheduler *self);

/* Add the current value of each activity, summed over all workers and spans, to @totals of span-totals.h. */
void dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskScheduler, dask_scheduler_free)

G_END_DECLS
