/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Return the smallest value that at least this share of the values does not exceed: exact, not interpolated. Changes
 * the order of the values; there must be at least one. */
double percentile_get (double *values, gsize n, double share);
