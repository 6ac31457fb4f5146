/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* How the resources of the tree are accounted for. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

typedef struct
{
  bool perf, cgroup;
  const char *missing; /* why there is neither; NULL if there is one */
} Mechanisms;

/* The mechanisms in force, as ROAST_ACCOUNTING flags. */
uint32_t mechanisms_mask (const Mechanisms *self, const Options *options);
/* One sentence for a person: how exact the numbers are, and what they leave out. */
void mechanisms_describe (const Mechanisms *self, const Options *options, char *text, size_t size);
