/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-file-private.h"
#include "roast/roast-recording.h"
#include "table/roast-table-chunk-private.h"

G_BEGIN_DECLS

/* A table in the file: a chunk that is stored has it as its store, and the number of its first row as its address. */

#define ROAST_TYPE_STORE_TABLE (roast_store_table_get_type ())
G_DECLARE_FINAL_TYPE (RoastStoreTable, roast_store_table, ROAST, STORE_TABLE, GObject)

/* @n_columns: how many of the columns the file has; the others are missing. */
RoastStoreTable *roast_store_table_new (RoastStoreFile *file, gint64 id, RoastTableInfo *info, guint n_columns);
/* For a file that is read: the recording learns which rows turn out to be damaged. @n_texts: by column, how many texts
 * a category has; without this call, all that a block names. */
void roast_store_table_set_reader (RoastStoreTable *self, RoastRecording *recording, const guint *n_texts);
RoastChunk *roast_store_table_new_chunk (RoastStoreTable *self, guint64 first_row, guint n_rows);
/* Whether all columns of a block can be decoded. In the store's thread. */
gboolean roast_store_table_check (RoastStoreTable *self, guint64 first_row, guint n_rows, GError **error);

G_END_DECLS
