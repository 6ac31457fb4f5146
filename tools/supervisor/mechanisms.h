/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* How the resources of the process tree are accounted for. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

typedef struct
{
  bool perf, cgroup;
  const char *missing; /* why neither perf nor a cgroup is available; NULL if one is */
} Mechanisms;

/* Returns the mechanisms in use, as ROAST_ACCOUNTING flags. */
uint32_t mechanisms_mask (const Mechanisms *self, const Options *options);
/* Writes one sentence for the user: how exact the numbers are, and what they leave out. */
void mechanisms_describe (const Mechanisms *self, const Options *options, char *text, size_t size);
