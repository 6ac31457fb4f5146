/* SPDX-License-Identifier: BSD-3-Clause */

#include "clock.h"

#include <stdlib.h>

/* Differences between two clocks below these limits are ignored, because they are measurement errors or drift. */
#define LEAST_SUSPENDED 1000 /* µs */
#define LEAST_JUMP 100000    /* µs */

int64_t
clock_us (clockid_t id)
{
  struct timespec t;

  clock_gettime (id, &t);

  return (int64_t) t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t
monotonic_us (void)
{
  return clock_us (CLOCK_MONOTONIC);
}

int64_t
timeval_us (struct timeval t)
{
  return (int64_t) t.tv_sec * 1000000 + t.tv_usec;
}

void
clocks_init (Clocks *self)
{
  self->epoch = clock_us (CLOCK_REALTIME) - monotonic_us ();
  self->boot = clock_us (CLOCK_REALTIME) - clock_us (CLOCK_BOOTTIME);
  self->suspended = clock_us (CLOCK_BOOTTIME) - monotonic_us ();
}

int64_t
clocks_epoch (const Clocks *self, int64_t monotonic)
{
  return self->epoch + monotonic;
}

void
clocks_compare (const Clocks *self, int64_t *suspended, int64_t *jump)
{
  Clocks now;

  clocks_init (&now);
  *suspended = now.suspended - self->suspended;
  if (llabs (*suspended) < LEAST_SUSPENDED)
    *suspended = 0;
  *jump = now.boot - self->boot;
  if (llabs (*jump) < LEAST_JUMP)
    *jump = 0;
}
