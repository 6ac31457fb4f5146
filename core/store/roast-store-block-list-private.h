/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-blocks-private.h"

G_BEGIN_DECLS

/* The blocks of a table in a run file. */

typedef struct
{
  guint64 first_row;
  guint n_rows;
} RoastBlockPlace;

/* Adds the places of all blocks to an array of RoastBlockPlace, in their order. FALSE with an error if some are lost;
 * the others are in the array. In the store's thread. */
gboolean roast_block_list_read (RoastStoreFile *file, gint64 table, guint n_columns, GArray *places, GError **error);

G_END_DECLS
