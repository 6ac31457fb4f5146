/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

/* The task categories of one scheduler; Dask calls them prefixes. Writes the tables category_states and task_totals.
 * Passes the names of categories to FrameworkTasks, which writes the table categories. In the wire protocol, a prefix
 * has a different number in each span in which it occurs. */
typedef struct _DaskCategories DaskCategories;

extern const char *const dask_category_columns[];
extern const char *const dask_state_columns[];
extern const char *const dask_total_columns[];

DaskCategories *dask_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles);
void dask_categories_free (DaskCategories *self);

/* Take a row that gives a number to a category. */
gboolean dask_categories_take (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_categories_take_states (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Take the numbers of tasks and attempts that the scheduler counted. */
gboolean dask_categories_take_totals (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Take counts from before the measurement. They are subtracted from all later counts. */
gboolean dask_categories_take_base (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Return how many tasks had ended with @status before the measurement. */
gint64 dask_categories_count_base (DaskCategories *self, guint status);
/* Count an attempt that ended after the scheduler's last counts of its category. @again: whether the task of this
 * attempt is retried */
void dask_categories_count (DaskCategories *self, RoastWireReader *row, guint slot, guint status, gboolean again);
/* Write the totals that have changed. Tasks that are waiting get the status @waiting, and tasks that are running get
 * the status @running. @is_last: the scheduler has sent its last counts, which also say how many tasks it still knows
 */
void dask_categories_write (DaskCategories *self, gint64 now, guint waiting, guint running, gboolean is_last);
gboolean dask_categories_parse_status (const char *word, guint *status, GError **error);
/* Return the span of the category whose number is in the cell; NULL if the category has no span. */
const char *dask_categories_get_span (DaskCategories *self, RoastWireReader *row, guint slot);
/* Get the name of the category whose number is in the cell. Mark this category as used. */
gboolean dask_categories_find (DaskCategories *self, RoastWireReader *row, guint slot, const char **name,
                               GError **error);
/* Mark the category with this name as used. */
void dask_categories_use (DaskCategories *self, const char *name);
