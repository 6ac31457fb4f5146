/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-private.h"

/* How a store follows a table. The store collects sealed chunks, whose rows then leave memory, and rows that have
 * changed since the last call. At most one store follows a table, from one thread. */

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
  GArray *sealed; /* RoastSealedChunk that are not stored yet, in order */
  GArray *rows;   /* RoastOpenRow, in order */
} RoastTableChanges;

typedef enum
{
  ROAST_COLLECT_CHANGED, /* rows that have changed since the last call */
  ROAST_COLLECT_ALL,     /* all rows of unsealed chunks */
  ROAST_COLLECT_END,     /* the final call: all chunks count as sealed */
} RoastCollect;

/* Called for each chunk that becomes full, with its size in bytes, under the lock of the table. */
typedef void (*RoastTableFullFunc) (gpointer data, gsize memory);

/* @full may be NULL. */
void roast_table_follow (RoastTable *self, RoastTableFullFunc full, gpointer data);
void roast_table_unfollow (RoastTable *self);
/* Return the number of rows from the first chunk on that is neither stored nor dropped. */
guint64 roast_table_count_unstored (RoastTable *self);
/* Return the changes to store. With @by_rows no chunk is sealed, and all changed rows are listed. */
RoastTableChanges *roast_table_collect (RoastTable *self, RoastCollect what, gboolean by_rows);
void roast_table_changes_free (RoastTableChanges *self);
/* Mark a chunk as stored. @stored replaces it in memory; NULL keeps it in memory. */
void roast_table_set_stored (RoastTable *self, guint index, RoastChunk *stored);
/* Drop a chunk, of which only sums are known. Readers no longer see it. */
void roast_table_drop (RoastTable *self, guint index);
gint32 roast_table_get_n_texts (RoastTable *self, guint column);
/* Return the first @n_texts texts of a category column. They live as long as the table. */
GPtrArray *roast_table_list_texts (RoastTable *self, guint column, guint n_texts);

/* Append a chunk of rows to a table that is read from a store. */
void roast_table_append_chunk (RoastTable *self, RoastChunk *chunk, guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastTableChanges, roast_table_changes_free)
