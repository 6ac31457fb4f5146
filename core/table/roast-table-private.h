/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-row-private.h"
#include "roast/roast-table.h"

G_BEGIN_DECLS

/* For snapshots of several tables at one time: code that locks more than one does it in the order of their addresses.
 */
void roast_table_lock (RoastTable *self);
void roast_table_unlock (RoastTable *self);
RoastTableSnapshot *roast_table_snapshot_locked (RoastTable *self);

RoastTable *roast_table_new_for_info (RoastTableInfo *info);
RoastTableInfo *roast_table_get_info (RoastTable *self);
/* The code of a text of a category column. */
gint32 roast_table_encode (RoastTable *self, guint column, const char *text);
/* Writes a row whose categories are encoded. @row: which open row is meant, as number + 1, or 0 if the cells have its
 * key; then which row it was. @column: the one that an error is about, or NULL. */
gboolean roast_table_write (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
                            const char **column, GError **error);
/* From now on every write is an error. */
void roast_table_seal (RoastTable *self);

G_END_DECLS
