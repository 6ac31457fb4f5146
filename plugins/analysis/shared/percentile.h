/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Return a percentile: the smallest value such that at least @share of all values are less than or equal to this value.
 * The result is never interpolated. There must be at least one value. The function changes the order of the values. */
double percentile_get (double *values, gsize n, double share);
