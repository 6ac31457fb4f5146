/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"
#include "roast-store-codec-private.h"
#include "table/roast-table-follow-private.h"

/* A table of a recording that is being written into a file. Use this object only in the store's thread. */
typedef struct _RoastStoredTable RoastStoredTable;

RoastStoredTable *roast_stored_table_new (RoastStoreFile *file, RoastTable *table, gint64 id, RoastTableFullFunc full,
                                          gpointer data);
void roast_stored_table_free (RoastStoredTable *self);
RoastTable *roast_stored_table_get_table (RoastStoredTable *self);
/* Return whether the file lacks rows of the table and has only the sums of these rows. */
gboolean roast_stored_table_lacks_rows (RoastStoredTable *self);
/* Return the number of rows that are not in blocks of the file yet. */
guint64 roast_stored_table_count_unwritten (RoastStoredTable *self);
/* Parameters of the final write of a table. */
typedef struct
{
  guint64 max_pages;    /* maximum number of pages of the file; beyond it, only the sums of chunks are written; 0 for no
                           limit */
  guint64 more_pages;   /* number of pages in addition to max_pages for tables with few unwritten rows */
  gint64 missing_since; /* time from which rows are missing; -1 if no rows are missing */
} RoastStoreEnd;

/* Write all changes of the table since the last call, within the open transaction. @end: NULL unless this is the final
 * write. */
gboolean roast_stored_table_write (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error);
/* Note that the transaction was committed. Remove chunks that were written as blocks from memory. */
void roast_stored_table_commit (RoastStoredTable *self);
/* Note that the transaction failed, so that the next transaction writes all data of the failed transaction again. */
void roast_stored_table_rollback (RoastStoredTable *self);
/* After a failed transaction, drop unwritten chunks that do not fit into @bound bytes. @memory: bytes of the unwritten
 * chunks that all tables have kept so far; this call adds the chunks that it keeps. @since: time of the earliest
 * dropped row of all tables so far, -1 if there is none; updated by this call. */
void roast_stored_table_give_up (RoastStoredTable *self, gsize *memory, gsize bound, gint64 *since);
