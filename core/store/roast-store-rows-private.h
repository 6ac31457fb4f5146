/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

/* Converts rows that may still change to bytes and back, in the uncompressed format of the SQL table open_row. Each row
 * has its number (8 bytes), its number of cells (2 bytes), and its cells. Each cell has the number of its column (2
 * bytes) and its value: an integer or a double (8 bytes), the code of a category (4 bytes), a boolean (1 byte), or a
 * zero-terminated string. All numbers are little-endian. */

GByteArray *roast_store_rows_encode (RoastTableInfo *info, GArray *rows);

/* A row within encoded bytes, which the caller must keep. */
typedef struct
{
  guint64 row;
  guint n_cells;
  const guint8 *cells;
  guint order; /* position of the row in the input, because the last of several rows with the same number is kept */
} RoastStoreRow;

/* Append the rows in encoded bytes to @to, an array of RoastStoreRow. Return FALSE if the bytes are damaged. */
gboolean roast_store_rows_parse (RoastTableInfo *info, GBytes *bytes, GArray *to);
/* Sort rows by number, and keep only the last row with each number. */
void roast_store_rows_sort (GArray *rows);
/* Put the cells of a row into row @in_chunk of a chunk. @n_texts: number of texts per category column; cells with other
 * codes become missing. */
void roast_store_row_put (const RoastStoreRow *self, RoastTableInfo *info, const guint *n_texts, RoastChunk *chunk,
                          guint in_chunk);
