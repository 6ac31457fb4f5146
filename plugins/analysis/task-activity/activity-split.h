/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

typedef struct _ActivitySum ActivitySum;

/* Splits the time in which the threads of tasks did not compute into two parts. The first part is as long as other
 * threads and child processes of the worker computed, possibly for the tasks. This part is called unsplit: it counts
 * neither as waiting nor as computing. In the second part, the tasks waited. */
typedef struct _ActivitySplit ActivitySplit;

ActivitySplit *activity_split_new (void);
void activity_split_free (ActivitySplit *self);

/* Record that the workers of @source report the CPU time of their processes. */
void activity_split_add_source (ActivitySplit *self, const char *source);
/* Add @worker. If @process is NULL, the worker has its own process. Otherwise it shares its process with all workers
 * that are added with the same @process. */
void activity_split_add_worker (ActivitySplit *self, ActivitySum *worker, const char *process);
/* Add @seconds in which threads ran tasks of @category in @worker. @is_cpu: whether the threads computed during this
 * time. */
void activity_split_add_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu,
                              double seconds);

/* Return the sum in s of all times that were added with the same arguments. */
double activity_split_get_time (ActivitySplit *self, ActivitySum *worker, ActivitySum *category, gboolean is_cpu);
/* Set the unsplit time of workers and categories. Store the unsplit time of each role in @unsplit. The categories of a
 * role may add up to more than that, because it is unknown for which category a process used its CPU time. */
void activity_split_finish (ActivitySplit *self, double unsplit[ROAST_ROLE_N_WORDS]);
