/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-format.h"

/* Axes name their unit once. The unit in which numbers of this size are short, for a format of roast_format_number ();
 * durations are never "2 min 30 s", but in one of µs, ms, s, min and h. Returns what the numbers are divided by. */
double roast_format_find_unit (double size, const char *format, const char **unit);

/* A number with so many decimals, without a unit. */
char *roast_format_decimals (double value, guint decimals);
