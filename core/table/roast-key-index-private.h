/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-row-private.h"

G_BEGIN_DECLS

/* Which row of an entity table has which key. */
typedef struct _RoastKeyIndex RoastKeyIndex;

RoastKeyIndex *roast_key_index_new (void);
void roast_key_index_free (RoastKeyIndex *self);
gboolean roast_key_index_lookup (RoastKeyIndex *self, const char *key, guint64 *row);
/* Takes over the key. */
void roast_key_index_insert (RoastKeyIndex *self, char *key, guint64 row);
gsize roast_key_index_get_memory (RoastKeyIndex *self);

/* The key cells of a row as one text; NULL with an error if one is missing. */
char *roast_key_index_make_key (GPtrArray *columns, RoastRow *row, GError **error);

G_END_DECLS
