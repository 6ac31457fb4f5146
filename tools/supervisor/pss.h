/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sampler.h"

/* Reads the proportional set sizes (PSS) that may have changed, until the budget of CPU time is used up. */
void pss_read (Sampler *sampler, int64_t now);

/* Returns an estimate of the PSS: the last reading, scaled by the change of the resident set since then; -1 without a
 * reading. */
int64_t pss_estimate (const Process *process);

/* Returns an estimate of the PSS of a process whose PSS was not read yet: its share of its parent's pages. */
int64_t pss_of_unread (const Sampler *sampler, const Process *process);
