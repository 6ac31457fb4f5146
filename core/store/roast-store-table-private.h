/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* One table of a recording as it is written into a file; in the store's thread. */
typedef struct _RoastStoredTable RoastStoredTable;

RoastStoredTable *roast_stored_table_new (RoastStoreFile *file, RoastTable *table, gint64 id, RoastTableFullFunc full,
                                          gpointer data);
void roast_stored_table_free (RoastStoredTable *self);
RoastTable *roast_stored_table_get_table (RoastStoredTable *self);
/* Whether the file has no more than sums of some of its rows. */
gboolean roast_stored_table_lacks_rows (RoastStoredTable *self);
/* Rows that the file does not have as blocks. */
guint64 roast_stored_table_count_unwritten (RoastStoredTable *self);
/* The last time a table is written. */
typedef struct
{
  guint64 max_pages;    /* when the file has so many, of further chunks only sums are written; 0 for any number */
  guint64 more_pages;   /* that a table with few further rows may use beyond them */
  gint64 missing_since; /* of rows from then on; -1 if there are none */
} RoastStoreEnd;

/* Writes what has changed since the last time, in the transaction that is open. @end is NULL if more will come. */
gboolean roast_stored_table_write (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error);
/* The transaction is in the file: sealed chunks leave memory. */
void roast_stored_table_commit (RoastStoredTable *self);
/* The transaction failed: all is written again next time. */
void roast_stored_table_rollback (RoastStoredTable *self);
/* Of the chunks that the last failed transaction had, gives up those that are beyond the bound, of which the bytes of
 * earlier tables are counted already. @since: the time of the first row that is given up; -1 if there is none yet. */
void roast_stored_table_give_up (RoastStoredTable *self, gsize *memory, gsize bound, gint64 *since);

G_END_DECLS
