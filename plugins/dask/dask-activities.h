/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-categories.h"
#include "dask-workers.h"
#include "span-totals.h"

/* Writes the table activities for one scheduler: the time and bytes that each worker spent on each activity. The values
 * are cumulative. Several Dask activities may map to the same activity in the table. */
typedef struct _DaskActivities DaskActivities;

/* Extra columns of the activity table in the wire protocol. They follow the columns of the table activities. */
extern const char *const dask_activity_columns[];

DaskActivities *dask_activities_new (RoastRecording *recording, const char *source, DaskWorkers *workers,
                                     DaskCategories *categories);
void dask_activities_free (DaskActivities *self);

/* Take a row that gives a number to an activity. */
gboolean dask_activities_take (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_activities_take_value (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
/* Take a value from before the measurement. It is subtracted from all later values. */
gboolean dask_activities_take_base (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
/* Add the current value of each activity to @totals, summed over all workers and spans. */
void dask_activities_add_totals (DaskActivities *self, GHashTable *totals);
