/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sampler.h"

/* Reads the proportional set sizes that may have changed, within the budget of CPU time. */
void pss_read (Sampler *sampler, int64_t now);
