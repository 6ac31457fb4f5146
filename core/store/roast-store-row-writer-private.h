/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-database-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* Writes rows of a table with Storage=rows. */

/* The statement that writes a row. */
char *roast_store_row_writer_make_sql (RoastTableInfo *info);
/* @n_texts: by column, how many texts of categories the rows may have. */
gboolean roast_store_row_writer_write (RoastDatabase *database, RoastTable *table, const char *sql,
                                       const guint *n_texts, GArray *rows, GError **error);

G_END_DECLS
