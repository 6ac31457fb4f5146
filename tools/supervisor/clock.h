/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Clocks in µs. Times told to the library are an anchor on the wall clock plus monotonic time, so that they never run
 * backwards when the wall clock is set. */

#include <stdint.h>
#include <time.h>

static inline int64_t
clock_us (clockid_t id)
{
  struct timespec t;

  clock_gettime (id, &t);

  return (int64_t) t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static inline int64_t
monotonic_us (void)
{
  return clock_us (CLOCK_MONOTONIC);
}
