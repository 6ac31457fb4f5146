/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* Rows that may still change, in the uncompressed format of the table open_row. Each row has its number (8 bytes),
 * the number of its cells (2 bytes), and for each cell the number of its column (2 bytes) and its value: 8 bytes for
 * an integer or a double, 4 for the code of a category, 1 for a boolean, a zero-terminated string. All numbers are
 * little-endian. */

GByteArray *roast_store_rows_encode (RoastTableInfo *info, GArray *rows);

/* A row within such bytes, which the caller must keep. */
typedef struct
{
  guint64 row;
  guint n_cells;
  const guint8 *cells;
  guint order; /* position in the input: of two rows with the same number, the later row counts */
} RoastStoreRow;

/* Append the rows in the bytes to an array of RoastStoreRow. Return FALSE if the bytes are damaged. */
gboolean roast_store_rows_parse (RoastTableInfo *info, GBytes *bytes, GArray *to);
/* Sort rows, and keep only the last row for each number. */
void roast_store_rows_sort (GArray *rows);
/* @n_texts: number of texts per category column; cells with other codes are missing. */
void roast_store_row_put (const RoastStoreRow *self, RoastTableInfo *info, const guint *n_texts, RoastChunk *chunk,
                          guint in_chunk);

G_END_DECLS
