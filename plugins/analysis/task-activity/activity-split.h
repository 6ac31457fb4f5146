/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

typedef struct _ActivitySum ActivitySum;

/* Time in which threads of tasks did not compute. If nothing else of their worker computed, they waited. What other
 * threads and children of the worker computed may have been for them: so much of that time is neither waiting nor
 * computing, but unsplit. */
typedef struct _ActivitySplit ActivitySplit;

ActivitySplit *activity_split_new (void);
void activity_split_free (ActivitySplit *self);

/* The workers of @source report the CPU time of their processes. */
void activity_split_add_source (ActivitySplit *self, const char *source);
/* @worker has a process of its own, or one with all workers of the same @process, which may be NULL. */
void activity_split_add_worker (ActivitySplit *self, ActivitySum *worker, const char *process);
/* Time in threads that ran tasks of @category in @worker, computing or not. */
void activity_split_add_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu,
                              double seconds);

/* What was added so far, s. */
double activity_split_get_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu);
/* Sets what is unsplit of workers and categories, and returns that of all tasks of each role. The sum over categories
 * may be greater: the same CPU time may have been for one or the other. */
void activity_split_finish (ActivitySplit *self, double unsplit[ROAST_ROLE_N_WORDS]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivitySplit, activity_split_free)

G_END_DECLS
