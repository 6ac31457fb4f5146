/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* On how many cores the program may run: the affinity masks of all threads of its processes together. A program may
 * change its own, as taskset does. */

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "tree.h"

typedef struct
{
  cpu_set_t own; /* cores that this process may use, as roast-run */
  int64_t now;   /* at the last reading; -1 unknown */
  int64_t least, most;
  int64_t time;     /* sum of cores x time, µs */
  int64_t duration; /* of that sum, µs */
  int64_t before;   /* when it was last read, monotonic; 0: never */
} Affinity;

void affinity_init (Affinity *self);
/* Reads the masks. What they are while the program is launched does not count: then @counts is false. */
void affinity_read (Affinity *self, const Tree *tree, int64_t now, bool counts);
/* The average over time, in millionths; -1 if it is unknown. */
int64_t affinity_average (const Affinity *self);
