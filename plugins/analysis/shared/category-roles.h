/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Whether tasks are the analysis or a framework's: a word of the vocabulary role. A name may be that of the analysis at
 * one source, and of a framework's tasks at another. */
typedef struct _CategoryRoles CategoryRoles;

CategoryRoles *category_roles_new (RoastRecordingSnapshot *recording);
void category_roles_free (CategoryRoles *self);

/* Of tasks without a role of their own. The analysis if nothing is known; @source and @category may be NULL. */
guint category_roles_get (CategoryRoles *self, const char *source, const char *category);
/* Of the current row of @tasks, which has all columns. */
guint category_roles_get_of_task (CategoryRoles *self, RoastTableReader *tasks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CategoryRoles, category_roles_free)

G_END_DECLS
