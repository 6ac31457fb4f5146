/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The kernel mechanisms that account for the resources of the process tree. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

typedef struct
{
  bool perf, cgroup;
  const char *missing; /* reason why neither perf nor a cgroup is available; NULL if perf or a cgroup is available */
} Mechanisms;

/* Returns the mechanisms in use, as ROAST_ACCOUNTING flags. */
uint32_t mechanisms_mask (const Mechanisms *self, const Options *options);
/* Writes one sentence for the user that says how exact the numbers are, and which processes are not included in
 * them. */
void mechanisms_describe (const Mechanisms *self, const Options *options, char *text, size_t size);
