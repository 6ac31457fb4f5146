/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

G_BEGIN_DECLS

/* Which open row of an entity table has which key. */
typedef struct _RoastKeyIndex RoastKeyIndex;

RoastKeyIndex *roast_key_index_new (RoastTableInfo *info);
void roast_key_index_free (RoastKeyIndex *self);
gboolean roast_key_index_lookup (RoastKeyIndex *self, const char *key, guint64 *row);
/* Whether a row is open. */
gboolean roast_key_index_contains (RoastKeyIndex *self, guint64 row);
/* Takes over the key. */
void roast_key_index_insert (RoastKeyIndex *self, char *key, guint64 row);
void roast_key_index_remove (RoastKeyIndex *self, guint64 row);
gsize roast_key_index_get_memory (RoastKeyIndex *self);

/* The key cells of a row, categories by code, as one text; NULL and the number of the column if one is missing. */
char *roast_key_index_make_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells, guint *missing);

G_END_DECLS
