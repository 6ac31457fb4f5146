/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* Rows that may still change, one after another, as they are in the table open_row before compression:
 * number of the row (8 bytes), number of its cells (2), and for each cell the number of its column (2) and its value:
 * 8 bytes for an integer or a double, 4 for the code of a category, 1 for a boolean, a string with a zero byte at its
 * end. All numbers are little-endian. */

GByteArray *roast_store_rows_encode (RoastTableInfo *info, GArray *rows);

/* A row in such bytes, which must stay. */
typedef struct
{
  guint64 row;
  guint n_cells;
  const guint8 *cells;
  guint order; /* of two rows with one number, the later one counts */
} RoastStoreRow;

/* Adds what is in the bytes to an array of RoastStoreRow. FALSE if they are damaged. */
gboolean roast_store_rows_parse (RoastTableInfo *info, GBytes *bytes, GArray *to);
/* Sorts rows and leaves the last of each number. */
void roast_store_rows_sort (GArray *rows);
/* @n_texts: by column, how many texts a category has; cells with other codes are missing. */
void roast_store_row_put (const RoastStoreRow *self, RoastTableInfo *info, const guint *n_texts, RoastChunk *chunk,
                          guint in_chunk);

G_END_DECLS
