/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-row.h"

G_BEGIN_DECLS

/* A cell of a row as it was set: the type is that of the column. */
typedef struct
{
  guint column;
  RoastColumnType type;
  RoastCell cell; /* strings are owned by the row */
} RoastRowCell;

RoastTable *roast_row_get_table (RoastRow *self);
const RoastRowCell *roast_row_get_cells (RoastRow *self, guint *n_cells);
const RoastRowCell *roast_row_find_cell (RoastRow *self, guint column);
void roast_row_refuse (RoastRow *self, guint column, const char *value);
void roast_row_set_variant (RoastRow *self, guint column, GVariant *value);
/* FALSE with an error if a cell was set that the table cannot take. */
gboolean roast_row_check (RoastRow *self, GError **error);

G_END_DECLS
