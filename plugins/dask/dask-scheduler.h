/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

G_BEGIN_DECLS

/* One scheduler: passes each row from its probe to the object that writes the table. Has no side effects except on the
 * recording, so that a fuzzer can call it. The plugin's README describes the wire tables. */
typedef struct _DaskScheduler DaskScheduler;

/* Add the wire tables to @reader, which reads the lines of one connection. @roles belongs to the backend. @max_tasks:
 * number of attempts after which no task rows are written */
DaskScheduler *dask_scheduler_new (RoastRecording *recording, RoastWireReader *reader, FrameworkTasks *roles,
                                   guint64 max_tasks);
void dask_scheduler_free (DaskScheduler *self);

/* Set the scheduler's clock minus this machine's, and the uncertainty, in s. Call it before the scheduler's hello.
 * Times are shifted if the clocks are known to differ. Impossible values are ignored. */
void dask_scheduler_set_clock (DaskScheduler *self, double offset, double uncertainty);
/* Take the line that the reader has just read. Returns FALSE if the line is refused, and counts it as refused. */
gboolean dask_scheduler_take_line (DaskScheduler *self, GError **error);
/* Count a line that the reader refused. */
void dask_scheduler_note_refused (DaskScheduler *self, const GError *error);
/* Stop measuring a scheduler that keeps running. @flush: number of the flush that asked for its last data */
void dask_scheduler_leave (DaskScheduler *self, guint64 flush);
/* Finish when no more lines will come, and report missing data. */
void dask_scheduler_finish (DaskScheduler *self);

/* Whether it said hello, and so became a source. */
gboolean dask_scheduler_is_known (DaskScheduler *self);
/* Return whether its hello says that its workers measure no activities. */
gboolean dask_scheduler_lacks_activities (DaskScheduler *self);
/* Return the number of the last flush that it answered. */
guint64 dask_scheduler_get_flushed (DaskScheduler *self);
/* Whether its last data arrived. */
gboolean dask_scheduler_is_over (DaskScheduler *self);

/* Add the sums so far over all workers and spans, for span-totals.h. */
void dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskScheduler, dask_scheduler_free)

G_END_DECLS
