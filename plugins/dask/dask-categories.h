/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

G_BEGIN_DECLS

/* The categories of tasks of one scheduler, which Dask calls prefixes: tables categories, category_states and
 * task_totals. A prefix has a number on the wire for each span that it occurs in. */
typedef struct _DaskCategories DaskCategories;

/* Columns of the wire's tables. */
extern const char *const dask_category_columns[];
extern const char *const dask_state_columns[];
extern const char *const dask_total_columns[];

DaskCategories *dask_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles);
void dask_categories_free (DaskCategories *self);

/* The name of a number. */
gboolean dask_categories_take (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
gboolean dask_categories_take_states (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Counts of tasks and attempts so far. */
gboolean dask_categories_take_totals (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Those before the measurement: later ones count from there. */
gboolean dask_categories_take_base (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* Tasks that had ended so before the measurement. */
gint64 dask_categories_count_base (DaskCategories *self, guint status);
/* An attempt that ended since the last counts of its category, and whether its task is tried again. */
void dask_categories_count (DaskCategories *self, RoastWireReader *row, guint slot, guint status, gboolean again);
/* No more counts will come after @now. Tasks that wait or run get these statuses. */
void dask_categories_finish (DaskCategories *self, gint64 now, guint waiting, guint running);
gboolean dask_categories_parse_status (const char *word, guint *status, GError **error);
/* The span of a category whose number is in a cell; NULL if there is none. */
const char *dask_categories_get_span (DaskCategories *self, RoastWireReader *row, guint slot);
/* The name of the category whose number is in a cell: a task of it ran. */
gboolean dask_categories_find (DaskCategories *self, RoastWireReader *row, guint slot, const char **name,
                               GError **error);
/* The same of a category by name. */
void dask_categories_use (DaskCategories *self, const char *name);

G_END_DECLS
