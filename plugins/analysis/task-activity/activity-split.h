/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

typedef struct _ActivitySum ActivitySum;

/* Splits the time in which threads of tasks did not compute. In as much of this time as other threads and child
 * processes of the worker computed, they may have computed for the tasks. This part is unsplit: it counts neither as
 * waiting nor as computing. In the rest, the tasks waited. */
typedef struct _ActivitySplit ActivitySplit;

ActivitySplit *activity_split_new (void);
void activity_split_free (ActivitySplit *self);

/* Note that the workers of @source report the CPU time of their processes. */
void activity_split_add_source (ActivitySplit *self, const char *source);
/* Add @worker. If @process is NULL, the worker has a process of its own. Else it shares a process with all workers that
 * are added with the same @process. */
void activity_split_add_worker (ActivitySplit *self, ActivitySum *worker, const char *process);
/* Add @seconds in which threads ran tasks of @category in @worker. @is_cpu says whether the threads computed during
 * this time. */
void activity_split_add_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu,
                              double seconds);

/* Return the time in s that was added so far with the same arguments. */
double activity_split_get_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu);
/* Set the unsplit time of workers and categories. Store in @unsplit the unsplit time of each role. The sum over the
 * categories of a role may be larger, because it is unknown for which category a process used its CPU time. */
void activity_split_finish (ActivitySplit *self, double unsplit[ROAST_ROLE_N_WORDS]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivitySplit, activity_split_free)

G_END_DECLS
