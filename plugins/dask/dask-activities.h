/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-categories.h"
#include "dask-workers.h"
#include "span-totals.h"

G_BEGIN_DECLS

/* What workers of one scheduler spent time and bytes on: table activities. Values are cumulative per worker and
 * activity, and several of Dask's activities may be one of the table. */
typedef struct _DaskActivities DaskActivities;

/* Columns of the wire's table of meanings, beside those of activities. */
extern const char *const dask_activity_columns[];

DaskActivities *dask_activities_new (RoastRecording *recording, const char *source, DaskWorkers *workers,
                                     DaskCategories *categories);
void dask_activities_free (DaskActivities *self);

/* The meaning of a number. */
gboolean dask_activities_take (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_activities_take_value (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
/* A value from before the measurement: later ones count from there. */
gboolean dask_activities_take_base (DaskActivities *self, RoastWireReader *row, gint64 now, GError **error);
/* Adds the sums of all workers and spans so far. */
void dask_activities_add_totals (DaskActivities *self, GHashTable *totals);

G_END_DECLS
