/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-snapshot-private.h"
#include "roast/roast-table-reader.h"

/* Make a reader of a snapshot. @columns: names of the columns to read, or NULL for all columns. Return NULL with
 * ROAST_TABLE_ERROR_COLUMN. */
RoastTableReader *roast_table_reader_new (RoastTableSnapshot *blocks, const char *const *columns, GError **error);

/* Called when a column that lacks cells is read, with the names of its table and of the column. */
typedef void (*RoastTableReaderWatch) (GObject *watcher, const char *table, const char *column);
/* Watch the columns whose cells the schema expects; with @watches_all, every column. */
void roast_table_reader_set_watch (RoastTableReader *self, RoastTableReaderWatch watch, GObject *watcher,
                                   gboolean watches_all);
