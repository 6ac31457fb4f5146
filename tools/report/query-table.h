/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* The name under which virtual tables are declared: SQLite ignores it. */
#define QUERY_TABLE_DECLARED "roast_table"

/* Makes a reader of some columns of a table, NULL for all; called when a query first names the table, and for each scan
 * of it. */
typedef RoastTableReader *(*QueryTableOpen) (const char *table, const char *const *columns, gpointer data,
                                             GError **error);

/* The type of a column for SQL. */
const char *query_table_type_name (RoastColumn *column);

/* Lets a database read a table of roast under its name. */
gboolean query_table_add (sqlite3 *database, RoastTableInfo *info, QueryTableOpen open, gpointer data, GError **error);

G_END_DECLS
