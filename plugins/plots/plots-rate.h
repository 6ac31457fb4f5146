/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* What the data rate of a run would have to be multiplied by to reach 200 Gbps: lines of text, or why that is not
 * available. */
char **plots_rate_dup_lines (RoastReport *report);
