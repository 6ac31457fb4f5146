/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* One scheduler, as the probe in it tells: takes its lines and appends to the recording. Pure but for the recording, so
 * that a fuzzer can call it. What lines hold is in the README of this plugin. */
typedef struct _DaskScheduler DaskScheduler;

/* After @max_tasks attempts no rows of tasks. */
DaskScheduler *dask_scheduler_new (RoastRecording *recording, guint64 max_tasks);
void dask_scheduler_free (DaskScheduler *self);

/* A line that roast_json_check() has found good. FALSE if it, or part of it, does not count: that is remembered. */
gboolean dask_scheduler_take_line (DaskScheduler *self, const char *line, GError **error);
/* It runs on, but is not listened to any more. */
void dask_scheduler_leave (DaskScheduler *self);
/* Nothing more will come: tells what is missing. */
void dask_scheduler_finish (DaskScheduler *self);

/* Whether it said hello: then it is a source. */
gboolean dask_scheduler_is_known (DaskScheduler *self);
const char *dask_scheduler_get_address (DaskScheduler *self);
/* Whether its workers tell fine metrics. */
gboolean dask_scheduler_has_fine (DaskScheduler *self);
/* Number of the last flush that it answered, and how many workers were silent at it. */
guint64 dask_scheduler_get_flushed (DaskScheduler *self, guint *missing);
/* Whether it told its last data. */
gboolean dask_scheduler_is_over (DaskScheduler *self);

/* The sum of all workers and spans so far: "context\nprefix\nactivity\nunit" to double *. */
void dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskScheduler, dask_scheduler_free)

G_END_DECLS
