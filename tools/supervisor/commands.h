/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* CPU time, grouped by command name, of processes that no sample saw or that ran on after their last sample. */

#include <stddef.h>
#include <stdint.h>

#include "perf-ring.h"

typedef struct
{
  char name[PERF_NAME_LENGTH];
  uint32_t processes; /* processes without a row of their own */
  int64_t ns;
} Command;

typedef struct
{
  Command *all;
  size_t n, capacity;
  int64_t ns; /* sum over all names */
} Commands;

/* Adds CPU time to a name. If name is empty, or the table of names is full, adds it only to the sum. */
void commands_add (Commands *self, const char *name, uint32_t processes, int64_t ns);
