/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-private.h"

/* How a store follows a table: it collects chunks that never change any more, whose rows then leave memory, and rows
 * that have changed since the last time. One store at most follows a table, from one thread. */

/* A chunk whose rows do not change any more. */
typedef struct
{
  guint index;
  guint64 first_row;
  guint n_rows;
  RoastChunk *chunk;
} RoastSealedChunk;

/* A row in another chunk, with a reference to it. */
typedef struct
{
  guint64 row;
  guint in_chunk;
  RoastChunk *chunk;
} RoastOpenRow;

typedef struct
{
  GArray *sealed; /* RoastSealedChunk that are not stored, in their order */
  GArray *rows;   /* RoastOpenRow, in their order */
} RoastTableChanges;

typedef enum
{
  ROAST_COLLECT_CHANGED, /* rows that have changed since the last time */
  ROAST_COLLECT_ALL,     /* all rows that are in no sealed chunk */
  ROAST_COLLECT_END,     /* nothing is written any more: all chunks count as sealed */
} RoastCollect;

/* Hears of each chunk that is full, under the lock of the table, with its bytes. */
typedef void (*RoastTableFullFunc) (gpointer data, gsize memory);

/* @full may be NULL. */
void roast_table_follow (RoastTable *self, RoastTableFullFunc full, gpointer data);
void roast_table_unfollow (RoastTable *self);
/* Rows from the first chunk on that is neither stored nor dropped. */
guint64 roast_table_count_unstored (RoastTable *self);
/* What is to be stored. With @by_rows nothing is sealed: all rows that have changed are listed. */
RoastTableChanges *roast_table_collect (RoastTable *self, RoastCollect what, gboolean by_rows);
void roast_table_changes_free (RoastTableChanges *self);
/* A chunk is in the store. @stored takes its place in memory; NULL lets it stay there. */
void roast_table_set_stored (RoastTable *self, guint index, RoastChunk *stored);
/* A chunk is given up: only its sums are known. Readers do not see it any more. */
void roast_table_drop (RoastTable *self, guint index);
gint32 roast_table_get_n_texts (RoastTable *self, guint column);
/* The first texts of a category column; they live as long as the table. */
GPtrArray *roast_table_list_texts (RoastTable *self, guint column, guint n_texts);

/* For a table that is read from a store: adds a chunk of rows behind the others. */
void roast_table_append_chunk (RoastTable *self, RoastChunk *chunk, guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastTableChanges, roast_table_changes_free)
