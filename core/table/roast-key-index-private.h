/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* Which open row of an entity table has which key. */
typedef struct _RoastKeyIndex RoastKeyIndex;

RoastKeyIndex *roast_key_index_new (RoastTableInfo *info);
void roast_key_index_free (RoastKeyIndex *self);
gboolean roast_key_index_lookup (RoastKeyIndex *self, const char *key, guint64 *row);
/* Whether no row is open. */
gboolean roast_key_index_is_empty (RoastKeyIndex *self);
/* Whether a row is open. */
gboolean roast_key_index_contains (RoastKeyIndex *self, guint64 row);
/* Takes over the key. */
void roast_key_index_insert (RoastKeyIndex *self, char *key, guint64 row);
void roast_key_index_remove (RoastKeyIndex *self, guint64 row);
gsize roast_key_index_get_memory (RoastKeyIndex *self);

/* Whether a row has all cells of its key; @missing: the number of the first column that it lacks. */
gboolean roast_key_index_has_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells, guint *missing);
/* The key cells of a row that has them, categories by code, as one text. */
char *roast_key_index_make_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells);
