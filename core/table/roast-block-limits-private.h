/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-snapshot-private.h"

/* Ranges of columns. A reader skips blocks in which no cell of a column is within the column's range. @limits is NULL
 * if no column has a range. */

/* Set the range of a column, or replace an earlier range. */
void roast_block_limits_set (GArray **limits, guint column, double min, double max);
/* Return the number of the first block that may have rows within all ranges. The search starts at @block. Return the
 * number of blocks if there is no such block. */
guint roast_block_limits_skip (GArray *limits, RoastTableSnapshot *blocks, guint block);
