/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"

/* Finds open rows of an entity table by their keys. */
typedef struct _RoastKeyIndex RoastKeyIndex;

RoastKeyIndex *roast_key_index_new (RoastTableInfo *info);
void roast_key_index_free (RoastKeyIndex *self);
gboolean roast_key_index_lookup (RoastKeyIndex *self, const char *key, guint64 *row);
/* Return whether a row is open. */
gboolean roast_key_index_contains (RoastKeyIndex *self, guint64 row);
void roast_key_index_insert (RoastKeyIndex *self, const char *key, guint64 row);
/* Note that a row is closed. */
void roast_key_index_remove (RoastKeyIndex *self, guint64 row);
/* From now on, remember the keys of rows that are closed. */
void roast_key_index_set_remembers (RoastKeyIndex *self);
/* Return whether the index needs the key of a row that is written and closed at once. */
gboolean roast_key_index_needs_key (RoastKeyIndex *self);
/* Remember the key of a row that was written and closed at once. */
void roast_key_index_add_closed (RoastKeyIndex *self, const char *key);
/* Return whether the index remembers that a row with this key was closed. */
gboolean roast_key_index_was_closed (RoastKeyIndex *self, const char *key);
gsize roast_key_index_get_memory (RoastKeyIndex *self);

/* Return whether a row has all cells of its key. Set @missing to the number of the first key column whose cell is
 * missing. */
gboolean roast_key_index_has_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells, guint *missing);
/* Return a text made of all key cells of a row, with categories as codes. No key cell may be missing. The text is valid
 * until the next call. */
const char *roast_key_index_make_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells);
