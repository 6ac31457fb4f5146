/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-private.h"

/* The functions with which a store follows a table. The store collects and writes sealed chunks, and rows that have
 * changed since the last collection. The rows of a stored chunk are removed from memory. At most one store follows a
 * table, from one thread. */

/* A chunk whose rows will not change any more. */
typedef struct
{
  guint index;
  guint64 first_row;
  guint n_rows;
  RoastChunk *chunk;
} RoastSealedChunk;

/* A row in an unsealed chunk, with a reference to the chunk. */
typedef struct
{
  guint64 row;
  guint in_chunk;
  RoastChunk *chunk;
} RoastOpenRow;

typedef struct
{
  GArray *sealed; /* sealed chunks that are not stored yet, in the order of rows, of RoastSealedChunk */
  GArray *rows;   /* rows to store, in the order of their numbers, of RoastOpenRow */
} RoastTableChanges;

typedef enum
{
  ROAST_COLLECT_CHANGED, /* collect rows that have changed since the last call */
  ROAST_COLLECT_ALL,     /* collect all rows of unsealed chunks */
  ROAST_COLLECT_END,     /* the final call: regard all chunks as sealed */
} RoastCollect;

/* Called under the lock of the table for each chunk that becomes full. @memory: size of the chunk in bytes. */
typedef void (*RoastTableFullFunc) (gpointer data, gsize memory);

/* Begin to follow a table. @full may be NULL. */
void roast_table_follow (RoastTable *self, RoastTableFullFunc full, gpointer data);
void roast_table_unfollow (RoastTable *self);
/* Find the first chunk that is neither stored nor dropped. Return the number of rows from this chunk on. */
guint64 roast_table_count_unstored (RoastTable *self);
/* Return the changes to store. With @by_rows, list all changed rows and no sealed chunks. */
RoastTableChanges *roast_table_collect (RoastTable *self, RoastCollect what, gboolean by_rows);
void roast_table_changes_free (RoastTableChanges *self);
/* Mark a chunk as stored. Replace the chunk by @stored, which loads its rows from the store, or keep the chunk in
 * memory if @stored is NULL. */
void roast_table_set_stored (RoastTable *self, guint index, RoastChunk *stored);
/* Drop a chunk because the store keeps only sums of its rows. Readers no longer see the chunk. */
void roast_table_drop (RoastTable *self, guint index);
gint32 roast_table_get_n_texts (RoastTable *self, guint column);
/* Return the first @n_texts texts of a category column. The texts live as long as the table. */
GPtrArray *roast_table_list_texts (RoastTable *self, guint column, guint n_texts);

/* Append a chunk of rows to a table that is read from a store. */
void roast_table_append_chunk (RoastTable *self, RoastChunk *chunk, guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastTableChanges, roast_table_changes_free)
