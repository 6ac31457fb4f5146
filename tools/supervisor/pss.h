/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sampler.h"

/* Reads the proportional set sizes that may have changed, within the budget of CPU time. */
void pss_read (Sampler *sampler, int64_t now);

/* Returns the last PSS reading, scaled by the change of the resident set since; -1 if there is no reading. */
int64_t pss_estimate (const Process *process);

/* Returns what a process that was not read yet adds to the PSS of the tree: its share of its parent's pages. */
int64_t pss_of_unread (const Sampler *sampler, const Process *process);
