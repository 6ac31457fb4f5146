/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* What provides the blocks of one table, in their order. It never changes. */

#define ROAST_TYPE_TABLE_BLOCKS (roast_table_blocks_get_type ())
G_DECLARE_INTERFACE (RoastTableBlocks, roast_table_blocks, ROAST, TABLE_BLOCKS, GObject)

struct _RoastTableBlocksInterface
{
  GTypeInterface g_iface;

  RoastTableInfo *(*get_info) (RoastTableBlocks *self);
  guint64 (*get_n_rows) (RoastTableBlocks *self);
  guint (*get_n_blocks) (RoastTableBlocks *self);
  /* The first row of a block; that of the block after the last is the number of rows. */
  guint64 (*get_first_row) (RoastTableBlocks *self, guint block);
  /* The least and greatest number or code in a column of a block, without loading it; FALSE if that is not known. */
  gboolean (*get_range) (RoastTableBlocks *self, guint block, guint column, double *min, double *max);
  /* A block that has at least these columns. Its strings live as long as the blocks. */
  RoastChunk *(*load) (RoastTableBlocks *self, guint block, const guint *columns, guint n_columns);
  /* The texts of a category column by code, which live as long as the blocks. */
  GPtrArray *(*get_texts) (RoastTableBlocks *self, guint column);
};
