/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast-table-snapshot-private.h"
#include "roast/roast-table-info.h"

/* Rows of typed columns in memory: what writers write and readers read. Rows may be written from any thread. They are
 * kept in chunks of up to 4096, column by column. */

#define ROAST_TYPE_TABLE (roast_table_get_type ())
G_DECLARE_FINAL_TYPE (RoastTable, roast_table, ROAST, TABLE, GObject)

RoastTable *roast_table_new (RoastTableInfo *info);
/* The table of that name among these; NULL if there is none. */
RoastTable *roast_table_find (GPtrArray *tables, const char *name);
RoastTableInfo *roast_table_get_info (RoastTable *self);
const char *roast_table_get_name (RoastTable *self);
/* Grows with each change, also of rows that are there already. */
guint64 roast_table_get_serial (RoastTable *self);
/* Bytes of the rows, of room for more in the last chunk and of the index of open rows; not what the allocator adds. */
gsize roast_table_get_memory (RoastTable *self);

/* The code of a text of a category column. */
gint32 roast_table_encode (RoastTable *self, guint column, const char *text);
/* Writes a row whose categories are encoded. @row: which open row is meant, as number + 1, or 0 if the cells have its
 * key; then which row it was. @column: the one that an error is about, or NULL. */
gboolean roast_table_write (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
                            const char **column, GError **error);
/* From now on every write is an error. */
void roast_table_seal (RoastTable *self);

/* The table as it is now: cheap, since chunks are shared, not copied. */
RoastTableSnapshot *roast_table_snapshot (RoastTable *self);
/* For snapshots of several tables at one time: code that locks more than one does it in the order of their addresses.
 */
void roast_table_lock (RoastTable *self);
void roast_table_unlock (RoastTable *self);
RoastTableSnapshot *roast_table_snapshot_locked (RoastTable *self);
