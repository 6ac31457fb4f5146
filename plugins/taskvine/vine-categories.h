/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "framework-tasks.h"
#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* The categories of a manager's tasks, in the tables categories, category_states and task_totals. */
typedef struct _VineCategories VineCategories;

typedef struct
{
  char *name;
  gint64 tasks[ROAST_TASK_STATE_N_WORDS]; /* by state */
  struct
  {
    gint64 tasks, retried, attempts;
  } outcomes[ROAST_STATUS_N_WORDS];
  gboolean written[ROAST_STATUS_N_WORDS];
  gboolean changed;
  double longest; /* execution time of its longest task, s */
} VineCategory;

/* @roles: receives each category; may be NULL */
VineCategories *vine_categories_new (RoastRecording *recording, const char *source, FrameworkTasks *roles);
void vine_categories_free (VineCategories *self);
VineCategory *vine_categories_get (VineCategories *self, VineToken name);
/* Take the rest of a CATEGORY record. Returns FALSE if it is malformed. */
gboolean vine_categories_take (VineCategories *self, VineToken rest);
/* Return the category of tasks whose category is missing from the log. Libraries also belong to it, but are not
 * counted. */
VineCategory *vine_categories_get_unknown (VineCategories *self);
/* Write the categories that have changed. */
void vine_categories_write (VineCategories *self, gint64 time);

/* Move a task from one outcome to another (ROAST_STATUS_…; negative for none). @was_retried, @is_retried: whether it
 * had several attempts */
void vine_category_move (VineCategory *category, int from, int to, gboolean was_retried, gboolean is_retried);
/* Count an attempt that was given to a worker and ended. */
void vine_category_count_attempt (VineCategory *category, guint status);
/* Add @change to the number of tasks in @state (ROAST_TASK_STATE_…). */
void vine_category_count (VineCategory *category, guint state, int change);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VineCategories, vine_categories_free)

G_END_DECLS
