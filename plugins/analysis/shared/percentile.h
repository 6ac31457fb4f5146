/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The smallest of the values that at least this share of them does not exceed: exact, not interpolated. Changes their
 * order; there must be at least one. */
double percentile_get (double *values, gsize n, double share);
