/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-file-private.h"
#include "roast/roast-recording.h"
#include "table/roast-table-chunk-private.h"

/* A table in a run file, from which the cells of stored chunks are loaded. The address of a chunk is the number of its
 * first row. */

#define ROAST_TYPE_STORE_TABLE (roast_store_table_get_type ())
G_DECLARE_FINAL_TYPE (RoastStoreTable, roast_store_table, ROAST, STORE_TABLE, GObject)

/* Make the object for a table in a file. @n_columns: number of columns that the table has in the file; in other columns
 * of @info, all cells are missing. */
RoastStoreTable *roast_store_table_new (RoastStoreFile *file, gint64 id, RoastTableInfo *info, guint n_columns);
/* Prepare a table of a file that is open for reading. If rows turn out to be damaged, add events to the recording.
 * @n_texts: number of texts of each category column; cells with other codes become missing. Without this call, every
 * code is accepted. */
void roast_store_table_set_reader (RoastStoreTable *self, RoastRecording *recording, const guint *n_texts);
RoastChunk *roast_store_table_new_chunk (RoastStoreTable *self, guint64 first_row, guint n_rows);
/* Return whether all columns of a block can be decoded. Call this function in the store's thread. */
gboolean roast_store_table_check (RoastStoreTable *self, guint64 first_row, guint n_rows, GError **error);
