/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-format.h"

/* Finds the unit for an axis with numbers up to @size: a unit in which the numbers on the labels are short. @format is
 * a format of roast_format_number (). A duration gets a single unit (µs, ms, s, min or h), never "2 min 30 s". Returns
 * the divisor that converts a number to the unit. */
double roast_format_find_unit (double size, const char *format, const char **unit);

/* Formats a number with the given number of decimals, without a unit. */
char *roast_format_decimals (double value, guint decimals);
