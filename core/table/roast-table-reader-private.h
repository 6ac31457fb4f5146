/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-snapshot-private.h"
#include "roast/roast-table-reader.h"

/* @columns: NULL for all columns. Return NULL with ROAST_TABLE_ERROR_COLUMN. */
RoastTableReader *roast_table_reader_new (RoastTableSnapshot *blocks, const char *const *columns, GError **error);

/* Call @watch with the name of the table and of each column that is read and lacks cells. */
typedef void (*RoastTableReaderWatch) (GObject *watcher, const char *table, const char *column);
void roast_table_reader_set_watch (RoastTableReader *self, RoastTableReaderWatch watch, GObject *watcher);
