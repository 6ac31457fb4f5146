/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "roast-store-database-private.h"
#include "table/roast-table-follow-private.h"

/* Declare a table of a recording and its columns in the SQL tables of a run file. If the table is declared with
 * Storage=rows, create an SQL table for its rows. */
gboolean roast_store_sql_declare (RoastDatabase *database, RoastTableInfo *info, gint64 id, GError **error);
/* Return the quoted name of the SQL table for the rows of a table with Storage=rows. */
char *roast_store_sql_dup_name (RoastTableInfo *info);
/* Write @rows, an array of RoastOpenRow, into the SQL table of a table with Storage=rows. @n_texts: number of texts of
 * each category column that are in the file, so that rows can refer to them. */
gboolean roast_store_sql_write_rows (RoastDatabase *database, RoastTable *table, const guint *n_texts, GArray *rows,
                                     GError **error);
