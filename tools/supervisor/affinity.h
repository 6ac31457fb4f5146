/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Counts the cores on which the program may run, from the affinity masks of all threads of its processes. The count may
 * change, because a program can change its own mask, as taskset does. */

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "tree.h"

typedef struct
{
  cpu_set_t own; /* cores that the supervisor may use, which are those that roast-run may use */
  int64_t now;   /* number of cores at the last reading; -1: unknown */
  int64_t least, most;
  int64_t time;     /* integral of the number of cores over time, µs */
  int64_t duration; /* duration over which time is the sum, µs */
  int64_t before;   /* time of the last reading, monotonic; 0: never */
} Affinity;

void affinity_init (Affinity *self);
/* Reads the masks. @counts is false while the program is launched, which leaves this reading out of the average,
 * minimum and maximum. */
void affinity_read (Affinity *self, const Tree *tree, int64_t now, bool counts);
/* Returns the number of cores averaged over time, in millionths; -1 if unknown. */
int64_t affinity_average (const Affinity *self);
