/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

typedef struct _ActivitySum ActivitySum;

/* Splits the time in which threads of tasks did not compute. If nothing else of their worker computed, the tasks
 * waited. Other threads and child processes of the worker may have computed for the tasks. That much of the time is
 * unsplit: neither waiting nor computing. */
typedef struct _ActivitySplit ActivitySplit;

ActivitySplit *activity_split_new (void);
void activity_split_free (ActivitySplit *self);

/* Note that the workers of @source report the CPU time of their processes. */
void activity_split_add_source (ActivitySplit *self, const char *source);
/* Add @worker. It has a process of its own if @process is NULL. Otherwise all workers with the same @process share a
 * process. */
void activity_split_add_worker (ActivitySplit *self, ActivitySum *worker, const char *process);
/* Add time in threads that ran tasks of @category in @worker, computing or not. */
void activity_split_add_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu,
                              double seconds);

/* Return the time added so far, in s. */
double activity_split_get_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu);
/* Set the unsplit time of workers and categories, and return that of all tasks of each role in @unsplit. The sum over
 * categories may be larger: the same CPU time may have been for one category or another. */
void activity_split_finish (ActivitySplit *self, double unsplit[ROAST_ROLE_N_WORDS]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivitySplit, activity_split_free)

G_END_DECLS
