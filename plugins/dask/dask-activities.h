/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-categories.h"
#include "dask-workers.h"
#include "span-totals.h"

G_BEGIN_DECLS

/* Writes the table activities for one scheduler: the time and bytes that its workers spent on each activity. Values are
 * cumulative per worker and activity. Several Dask activities may map to one activity in the table. */
typedef struct _DaskActivities DaskActivities;

/* Extra columns of the wire's activity table. They follow the columns of the table activities. */
extern const char *const dask_activity_columns[];

DaskActivities *dask_activities_new (RoastRecording *recording, const char *source, DaskWorkers *workers,
                                     DaskCategories *categories);
void dask_activities_free (DaskActivities *self);

/* Take a row that assigns a number to an activity. */
gboolean dask_activities_take (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_activities_take_value (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
/* Take a value from before the measurement as the baseline of later values. */
gboolean dask_activities_take_base (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
/* Add the current value of each activity, summed over all workers and spans, to @totals. */
void dask_activities_add_totals (DaskActivities *self, GHashTable *totals);

G_END_DECLS
