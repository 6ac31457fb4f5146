/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sampler.h"

/* Reads the proportional set sizes (PSS) that may have changed, until the budget of CPU time is used up. */
void pss_read (Sampler *sampler, int64_t now);

/* Returns an estimate of the PSS: the last value that was read, scaled by the change of the resident set since that
 * time; -1 if the PSS was never read. */
int64_t pss_estimate (const Process *process);

/* Returns an estimate of the PSS of a process whose PSS was not read yet: its share of its parent's pages. */
int64_t pss_of_unread (const Sampler *sampler, const Process *process);
