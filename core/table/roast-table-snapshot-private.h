/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* A table in memory as it was at one time; implements RoastTableBlocks. */

#define ROAST_TYPE_TABLE_SNAPSHOT (roast_table_snapshot_get_type ())
G_DECLARE_FINAL_TYPE (RoastTableSnapshot, roast_table_snapshot, ROAST, TABLE_SNAPSHOT, GObject)

/* Takes over the arrays: chunks, the first row of each, and the dictionaries by column (NULL where there is none). */
RoastTableSnapshot *roast_table_snapshot_new (RoastTableInfo *info, guint64 n_rows, GPtrArray *chunks,
                                              GArray *first_rows, GPtrArray *dictionaries);
RoastTableInfo *roast_table_snapshot_get_info (RoastTableSnapshot *self);
