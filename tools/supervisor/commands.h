/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* CPU time by the name of processes that no sample saw, or that ran on after their last sample. */

#include <stddef.h>
#include <stdint.h>

#include "perf-ring.h"

typedef struct
{
  char name[PERF_NAME_LENGTH];
  uint32_t processes; /* that have no row of their own */
  int64_t ns;
} Command;

typedef struct
{
  Command *all;
  size_t n, capacity;
  int64_t ns; /* of all names */
} Commands;

/* Without a name, or beyond a number of names, only the sum grows. */
void commands_add (Commands *self, const char *name, uint32_t processes, int64_t ns);
