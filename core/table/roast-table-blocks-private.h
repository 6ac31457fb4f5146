/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* Provides the blocks of one table, in order. Immutable. */

#define ROAST_TYPE_TABLE_BLOCKS (roast_table_blocks_get_type ())
G_DECLARE_INTERFACE (RoastTableBlocks, roast_table_blocks, ROAST, TABLE_BLOCKS, GObject)

struct _RoastTableBlocksInterface
{
  GTypeInterface g_iface;

  RoastTableInfo *(*get_info) (RoastTableBlocks *self);
  guint64 (*get_n_rows) (RoastTableBlocks *self);
  guint (*get_n_blocks) (RoastTableBlocks *self);
  /* Returns the first row of a block, or the number of rows for the block after the last. */
  guint64 (*get_first_row) (RoastTableBlocks *self, guint block);
  /* Gets the minimum and maximum number or code in a column of a block, without loading the block. Returns FALSE if
   * the range is unknown. */
  gboolean (*get_range) (RoastTableBlocks *self, guint block, guint column, double *min, double *max);
  /* Returns a block that has at least these columns. Its strings live as long as the blocks. */
  RoastChunk *(*load) (RoastTableBlocks *self, guint block, const guint *columns, guint n_columns);
  /* Returns the texts of a category column, indexed by code. They live as long as the blocks. */
  GPtrArray *(*get_texts) (RoastTableBlocks *self, guint column);
};
