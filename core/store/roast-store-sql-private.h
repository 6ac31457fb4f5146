/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "roast-store-database-private.h"
#include "table/roast-table-follow-private.h"

G_BEGIN_DECLS

/* Declares a table and its columns in the SQL tables of a run file. A table with Storage=rows gets an SQL table of its
 * own, */
gboolean roast_store_sql_declare (RoastDatabase *database, RoastTableInfo *info, gint64 id, GError **error);
/* whose name in quotation marks is this. */
char *roast_store_sql_dup_name (RoastTableInfo *info);
/* Writes rows, an array of RoastOpenRow, into it. @n_texts: by column, how many texts of categories the rows may have.
 */
gboolean roast_store_sql_write_rows (RoastDatabase *database, RoastTable *table, const guint *n_texts, GArray *rows,
                                     GError **error);

G_END_DECLS
