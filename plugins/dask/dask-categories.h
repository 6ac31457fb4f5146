/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"

G_BEGIN_DECLS

/* The categories of tasks of one scheduler, which Dask calls prefixes: tables categories and category_states. */
typedef struct _DaskCategories DaskCategories;

/* Columns of the wire's tables. */
extern const char *const dask_category_columns[];
extern const char *const dask_state_columns[];

DaskCategories *dask_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles,
                                     GError **error);
void dask_categories_free (DaskCategories *self);

/* The name of a number. */
gboolean dask_categories_take (DaskCategories *self, RoastWireReader *row, GError **error);
gboolean dask_categories_take_states (DaskCategories *self, RoastWireReader *row, gint64 now, GError **error);
/* The name of the category whose number is in a cell: a task of it ran. */
gboolean dask_categories_find (DaskCategories *self, RoastWireReader *row, guint slot, const char **name,
                               GError **error);
/* The same of a category by name. */
void dask_categories_use (DaskCategories *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DaskCategories, dask_categories_free)

G_END_DECLS
