/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-snapshot-private.h"

/* Lets a reader skip blocks in which no cell of a column is within a range. The limits are an array, or NULL if
 * there are none. */

/* Set or replace the range of a column. */
void roast_block_limits_set (GArray **limits, guint column, double min, double max);
/* Return the first block from @block on that may have rows within all ranges; the number of blocks if there is none. */
guint roast_block_limits_skip (GArray *limits, RoastTableSnapshot *blocks, guint block);
