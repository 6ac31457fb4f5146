/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* The state of a table in memory at one time. Implements RoastTableBlocks. */

#define ROAST_TYPE_TABLE_SNAPSHOT (roast_table_snapshot_get_type ())
G_DECLARE_FINAL_TYPE (RoastTableSnapshot, roast_table_snapshot, ROAST, TABLE_SNAPSHOT, GObject)

/* Take ownership of the arrays: chunks, the first row of each chunk, and dictionaries by column (NULL for columns
 * without a dictionary). */
RoastTableSnapshot *roast_table_snapshot_new (RoastTableInfo *info, guint64 n_rows, GPtrArray *chunks,
                                              GArray *first_rows, GPtrArray *dictionaries);
RoastTableInfo *roast_table_snapshot_get_info (RoastTableSnapshot *self);
