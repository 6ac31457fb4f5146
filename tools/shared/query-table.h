/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* The name in declarations of virtual tables, which SQLite ignores. */
#define QUERY_TABLE_DECLARED "roast_table"

/* Creates a reader of some columns of a table; all columns if @columns is NULL. Called when a query first names the
 * table, and for each scan. */
typedef RoastTableReader *(*QueryTableOpen) (const char *table, const char *const *columns, gpointer data,
                                             GError **error);

/* Returns the SQL type of a column. */
const char *query_table_type_name (RoastColumn *column);

/* Makes a table of roast available in the database under its name. */
gboolean query_table_add (sqlite3 *database, RoastTableInfo *info, QueryTableOpen open, gpointer data, GError **error);

G_END_DECLS
