/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Returns lines of text that give the factor by which the data rate of the run must grow to reach 200 Gbps, or why
 * the factor is not available. */
char **plots_rate_dup_lines (RoastReport *report);
