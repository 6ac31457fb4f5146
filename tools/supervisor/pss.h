/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sampler.h"

/* Reads the proportional set sizes that may have changed, within the budget of CPU time. */
void pss_read (Sampler *sampler, int64_t now);

/* The last reading, scaled by the resident set since; -1 if there is none. */
int64_t pss_estimate (const Process *process);

/* What a process that was not read yet adds to the sum over the tree: its share of the pages of its parent. */
int64_t pss_of_unread (const Sampler *sampler, const Process *process);
