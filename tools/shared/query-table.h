/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <sqlite3.h>

/* The table name in the declaration of a virtual table. SQLite ignores this name. */
#define QUERY_TABLE_DECLARED "roast_table"

/* Creates a reader of a table. @columns: names of the columns to read; NULL for all columns. Called when a query first
 * names the table, and when a scan starts. */
typedef RoastTableReader *(*QueryTableOpen) (const char *table, const char *const *columns, gpointer data,
                                             GError **error);

/* Returns the SQL type of a column. */
const char *query_table_type_name (RoastColumn *column);

/* Makes a table of roast available to SQL queries of the database, under the name of the table. */
gboolean query_table_add (sqlite3 *database, RoastTableInfo *info, QueryTableOpen open, gpointer data, GError **error);
