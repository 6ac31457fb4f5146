/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"

G_BEGIN_DECLS

/* The least and greatest cells of the blocks of one table, as they are in the file. They are read column by column,
 * when they are first asked for. */
typedef struct _RoastStoreRanges RoastStoreRanges;

RoastStoreRanges *roast_store_ranges_new (void);
void roast_store_ranges_free (RoastStoreRanges *self);
/* The range of a column in the block that begins with a row. A block of which no cell is there has a least one above
 * the greatest. FALSE if the range is not known. */
gboolean roast_store_ranges_get (RoastStoreRanges *self, RoastStoreFile *file, gint64 table, guint64 first_row,
                                 guint column, double *min, double *max);

G_END_DECLS
