/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* A table of a recording that is being written into a file. Use it only in the store's thread. */
typedef struct _RoastStoredTable RoastStoredTable;

RoastStoredTable *roast_stored_table_new (RoastStoreFile *file, RoastTable *table, gint64 id, RoastTableFullFunc full,
                                          gpointer data);
void roast_stored_table_free (RoastStoredTable *self);
RoastTable *roast_stored_table_get_table (RoastStoredTable *self);
/* Return whether the file has only sums for some rows. */
gboolean roast_stored_table_lacks_rows (RoastStoredTable *self);
/* Return the number of rows that the file does not have as blocks. */
guint64 roast_stored_table_count_unwritten (RoastStoredTable *self);
/* Parameters of the final write of a table. */
typedef struct
{
  guint64 max_pages;    /* number of pages from which on only sums of further chunks are written; 0 for no limit */
  guint64 more_pages;   /* pages beyond max_pages that a table with few unwritten rows may use */
  gint64 missing_since; /* time from which rows are missing; -1 if none are */
} RoastStoreEnd;

/* Write all changes since the last call, within the open transaction. @end: NULL unless this is the final write. */
gboolean roast_stored_table_write (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error);
/* Call this after a commit. Sealed chunks leave memory. */
void roast_stored_table_commit (RoastStoredTable *self);
/* Call this after a failed transaction. The next transaction writes everything again. */
void roast_stored_table_rollback (RoastStoredTable *self);
/* Drop chunks of the last failed transaction that do not fit into @bound bytes. @memory already counts the chunks of
 * earlier tables. @since: time of the first dropped row; -1 if there is none yet. */
void roast_stored_table_give_up (RoastStoredTable *self, gsize *memory, gsize bound, gint64 *since);

G_END_DECLS
