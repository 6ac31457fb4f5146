/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Counts the cores on which the program may run, from the affinity masks of all threads of its processes. The count may
 * change, because a program can change its own mask, as taskset does. */

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "reader.h"
#include "tree.h"

typedef struct
{
  cpu_set_t own; /* cores that the supervisor is allowed to use, which are the cores of roast-run */
  int64_t now;   /* number of cores at the last reading; -1 if unknown */
  int64_t least, most;
  int64_t time;     /* integral of the number of cores over time, µs */
  int64_t duration; /* duration over which the number of cores was integrated, µs */
  int64_t before;   /* monotonic time of the last reading; 0 before the first reading */
  int64_t waited;   /* time for which bound threads waited for a core, µs: threads that may not use all cores in own */
  cpu_set_t bound;  /* cores that bound threads could use together when they waited */
} Affinity;

void affinity_init (Affinity *self);
/* Reads the masks. @counts: whether to include this reading in the average, minimum and maximum; false while the
 * program is being launched. */
void affinity_read (Affinity *self, const Tree *tree, int64_t now, bool counts);
/* Adds the waiting of bound threads of a process since the last reading. @before: their waiting at the last reading;
 * @most: waiting of all its threads since then, because a thread may have waited before it was bound */
void affinity_add_bound (Affinity *self, const BoundQueue *queue, int64_t before, int64_t most);
/* Returns the number of cores averaged over time, in millionths of a core; -1 if unknown. */
int64_t affinity_average (const Affinity *self);
