/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-blocks-private.h"

/* Which blocks a reader need not load, because no cell of some column is in a range. The limits are an array, or NULL
 * if there are none. */

/* Replaces the range of a column. */
void roast_block_limits_set (GArray **limits, guint column, double min, double max);
/* The first block from this one on that may have rows within all ranges; the number of blocks if there is none. */
guint roast_block_limits_skip (GArray *limits, RoastTableBlocks *blocks, guint block);
