/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sampler.h"

/* Reads the proportional set size where it may have changed, as far as the budget of CPU time goes. */
void pss_read (Sampler *sampler, int64_t now);
