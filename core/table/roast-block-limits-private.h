/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-blocks-private.h"

G_BEGIN_DECLS

/* Which blocks a reader need not load, because no cell of some column is in a range. */
typedef struct _RoastBlockLimits RoastBlockLimits;

RoastBlockLimits *roast_block_limits_new (void);
void roast_block_limits_free (RoastBlockLimits *self);
/* Replaces the range of a column. */
void roast_block_limits_set (RoastBlockLimits *self, guint column, double min, double max);
/* The first block from this one on that may have rows within all ranges; the number of blocks if there is none. */
guint roast_block_limits_skip (RoastBlockLimits *self, RoastTableBlocks *blocks, guint block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastBlockLimits, roast_block_limits_free)

G_END_DECLS
