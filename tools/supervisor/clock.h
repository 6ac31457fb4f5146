/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Clocks in µs. Times for the library are the monotonic time plus a constant, so that they do not go backwards when the
 * wall clock is set back. */

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

typedef struct
{
  int64_t epoch;     /* wall clock - monotonic clock */
  int64_t boot;      /* wall clock at boot */
  int64_t suspended; /* boot-time clock - monotonic clock; grows while the machine is suspended */
} Clocks;

void clocks_init (Clocks *self);
/* Converts a monotonic time to µs since the epoch. */
int64_t clocks_epoch (const Clocks *self, int64_t monotonic);
/* Gets the time for which the machine was suspended, and by how much the wall clock was set, since clocks_init(), both
 * in µs. */
void clocks_compare (const Clocks *self, int64_t *suspended, int64_t *jump);

int64_t clock_us (clockid_t id);
int64_t monotonic_us (void);
int64_t timeval_us (struct timeval t);
