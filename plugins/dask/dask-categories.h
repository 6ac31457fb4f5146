/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

G_BEGIN_DECLS

/* The task categories of one scheduler, which Dask calls prefixes. Writes the tables category_states and task_totals,
 * and passes names to FrameworkTasks for the table categories. On the wire a prefix has a separate number for each span
 * in which it occurs. */
typedef struct _DaskCategories DaskCategories;

extern const char *const dask_category_columns[];
extern const char *const dask_state_columns[];
extern const char *const dask_total_columns[];

DaskCategories *dask_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles);
void dask_categories_free (DaskCategories *self);

/* Take a row that assigns a number to a category. */
gboolean dask_categories_take (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_categories_take_states (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Take the scheduler's counts of tasks and attempts. */
gboolean dask_categories_take_totals (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Take the counts from before the measurement as the baseline of later counts. */
gboolean dask_categories_take_base (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Return how many tasks had ended with @status before the measurement. */
gint64 dask_categories_count_base (DaskCategories *self, guint status);
/* Count an attempt that ended after the scheduler's last counts of its category. @again: whether its task is retried */
void dask_categories_count (DaskCategories *self, RoastWireReader *row, guint slot, guint status, gboolean again);
/* Write the totals that have changed. Tasks that wait or run get the statuses @waiting and @running. */
void dask_categories_write (DaskCategories *self, gint64 now, guint waiting, guint running);
gboolean dask_categories_parse_status (const char *word, guint *status, GError **error);
/* Return the span of the category whose number is in the cell, or NULL if it has no span. */
const char *dask_categories_get_span (DaskCategories *self, RoastWireReader *row, guint slot);
/* Get the name of the category whose number is in the cell, and mark the category as used. */
gboolean dask_categories_find (DaskCategories *self, RoastWireReader *row, guint slot, const char **name,
                               GError **error);
/* Mark a category as used, by name. */
void dask_categories_use (DaskCategories *self, const char *name);

G_END_DECLS
