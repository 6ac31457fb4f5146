/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Writes the table categories, which says for each category of tasks whether it is the analysis or was added by a
 * framework. The role of some categories depends on which other categories the run has. These roles are written at the
 * end. */
typedef struct _FrameworkTasks FrameworkTasks;

/* @processor: name of the analysis, or NULL. With a name, all other categories are the framework's. With NULL, only
 * categories with known framework names are the framework's.
 * @unnamed: category of all tasks that the framework does not name, including those of the analysis; or NULL
 * @max_name: number of characters of a name that the executor keeps as the category; 0: all. If this number is not 0,
 * the executor also strips punctuation from both ends of a name that does not begin with a letter */
FrameworkTasks *framework_tasks_new (RoastRecording *recording, const char *processor, const char *unnamed,
                                     guint max_name);
void framework_tasks_free (FrameworkTasks *self);

/* Adds a category that has at least one task. Adding the same category again does nothing. */
void framework_tasks_add (FrameworkTasks *self, const char *source, const char *category);
/* Decides the roles that are still undecided. Categories that are added after this call are ignored. */
void framework_tasks_finish (FrameworkTasks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FrameworkTasks, framework_tasks_free)
