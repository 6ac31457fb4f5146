/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* The rows that a table had at one time, in blocks that are in memory or in a store. Immutable. */

#define ROAST_TYPE_TABLE_SNAPSHOT (roast_table_snapshot_get_type ())
G_DECLARE_FINAL_TYPE (RoastTableSnapshot, roast_table_snapshot, ROAST, TABLE_SNAPSHOT, GObject)

/* Make a snapshot. Take ownership of the arrays: the chunks, the number of the first row of each chunk, and the
 * dictionary of each column (NULL for a column without a dictionary). */
RoastTableSnapshot *roast_table_snapshot_new (RoastTableInfo *info, guint64 n_rows, GPtrArray *chunks,
                                              GArray *first_rows, GPtrArray *dictionaries);
/* Make a snapshot of a table without rows. */
RoastTableSnapshot *roast_table_snapshot_new_empty (RoastTableInfo *info);
RoastTableInfo *roast_table_snapshot_get_info (RoastTableSnapshot *self);
guint64 roast_table_snapshot_get_n_rows (RoastTableSnapshot *self);
guint roast_table_snapshot_get_n_blocks (RoastTableSnapshot *self);
/* Return the number of the first row of a block. For the block after the last block, return the number of rows. */
guint64 roast_table_snapshot_get_first_row (RoastTableSnapshot *self, guint block);
/* Get the minimum and maximum of the numbers or codes in a column of a block, without loading the block. Return FALSE
 * if the range is unknown. */
gboolean roast_table_snapshot_get_range (RoastTableSnapshot *self, guint block, guint column, double *min, double *max);
/* Return a block that has at least these columns. The strings in the block live as long as the snapshot. */
RoastChunk *roast_table_snapshot_load (RoastTableSnapshot *self, guint block, const guint *columns, guint n_columns);
/* Return the texts of a category column, indexed by code. The texts live as long as the snapshot. */
GPtrArray *roast_table_snapshot_get_texts (RoastTableSnapshot *self, guint column);
