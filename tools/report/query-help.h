/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

G_BEGIN_DECLS

/* query_help_tables() returns a statement with a row for each table: its number of rows and its columns.
 * query_help_columns() returns a statement with a row for each column of a table: its type, unit and meaning. If @table
 * is NULL, the rows describe the columns of all tables. After these calls, the database must run no other statement of
 * the user. */
sqlite3_stmt *query_help_tables (QueryDatabase *self);
sqlite3_stmt *query_help_columns (QueryDatabase *self, const char *table, GError **error);
/* Returns a suggestion to append to @message if that is SQLite's message about an unknown table or column; "" for other
 * messages. */
char *query_help_advise (QueryDatabase *self, const char *message);

G_END_DECLS
