/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast-table-snapshot-private.h"
#include "roast/roast-table-info.h"

/* A table in memory: rows with typed columns, for writers and readers. Any thread may write rows. The rows are stored
 * by column, in chunks of up to 4096 rows. */

#define ROAST_TYPE_TABLE (roast_table_get_type ())
G_DECLARE_FINAL_TYPE (RoastTable, roast_table, ROAST, TABLE, GObject)

RoastTable *roast_table_new (RoastTableInfo *info);
/* Return the table with this name in an array of tables, or NULL if the array has no such table. */
RoastTable *roast_table_find (GPtrArray *tables, const char *name);
RoastTableInfo *roast_table_get_info (RoastTable *self);
const char *roast_table_get_name (RoastTable *self);
/* Return a number that grows with each change, including changes of existing rows. */
guint64 roast_table_get_serial (RoastTable *self);
/* Return the memory of the table in bytes: the rows, the free space in the last chunk, the texts of categories, and the
 * index of open rows. The overhead of the allocator is not included. */
gsize roast_table_get_memory (RoastTable *self);

/* Return the code of a text in a category column. */
gint32 roast_table_encode (RoastTable *self, guint column, const char *text);
/* Write a row whose categories are codes. @row: on entry, the number + 1 of the open row to write into, or 0 if the
 * cells contain the key; on return, the number + 1 of the written row. @column: on return, the name of the column that
 * caused an error, or NULL. */
gboolean roast_table_write (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
                            const char **column, GError **error);
/* From now on, refuse rows with the key of a closed row. Do not call this function for a table that is copied from
 * another recording, because the copied rows may repeat keys. */
void roast_table_refuse_repeated (RoastTable *self);
/* Refuse all later writes. */
void roast_table_seal (RoastTable *self);

/* Return the current state of the table. This function is cheap, because it shares chunks instead of copying them. */
RoastTableSnapshot *roast_table_snapshot (RoastTable *self);
/* Lock a table, so that snapshots of several tables show the same time. Code that locks several tables locks them in
 * the order of their addresses. */
void roast_table_lock (RoastTable *self);
void roast_table_unlock (RoastTable *self);
RoastTableSnapshot *roast_table_snapshot_locked (RoastTable *self);
