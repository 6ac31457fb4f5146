/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Roles of task categories, as words of the vocabulary role: analysis or framework. A name may be a category of the
 * analysis at one source and of a framework at another. */
typedef struct _CategoryRoles CategoryRoles;

CategoryRoles *category_roles_new (RoastRecordingSnapshot *recording);
void category_roles_free (CategoryRoles *self);

/* Return the role of tasks without a role of their own; analysis if unknown. @source and @category may be NULL. */
guint category_roles_get (CategoryRoles *self, const char *source, const char *category);
/* Return the role of the current row of @tasks, which must have all columns. */
guint category_roles_get_of_task (CategoryRoles *self, RoastTableReader *tasks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CategoryRoles, category_roles_free)

G_END_DECLS
