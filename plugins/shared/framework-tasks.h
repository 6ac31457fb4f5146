/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Which categories of tasks are the analysis, and which a framework added to it: table categories. Whether a category
 * is the analysis may depend on what other categories the run has, so that the role of some is written at the end. */
typedef struct _FrameworkTasks FrameworkTasks;

/* @processor: name of the analysis, if the user gave it. Then all other categories are the framework's; else those that
 * are known to be.
 * @unnamed: category of all tasks where the framework does not name them, also of those of the analysis; or NULL
 * @max_name: characters of a name that the executor keeps in a category. Of a longer name, and one that does not begin
 * with a letter, it also takes punctuation off both ends. 0 if it keeps names as they are */
FrameworkTasks *framework_tasks_new (RoastRecording *recording, const char *processor, const char *unnamed,
                                     guint max_name);
void framework_tasks_free (FrameworkTasks *self);

/* A category of which a task ran; it may be added again. */
void framework_tasks_add (FrameworkTasks *self, const char *source, const char *category);
/* No more categories will come. */
void framework_tasks_finish (FrameworkTasks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FrameworkTasks, framework_tasks_free)

G_END_DECLS
