/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

/* query_help_tables() returns a statement with a row for each table, which contains the number of its rows and its
 * columns. query_help_columns() returns a statement with a row for each column of a table, which contains its type,
 * unit and meaning. If @table is NULL, there are rows for the columns of all tables. After these calls, the database
 * must not run another statement of the user. */
sqlite3_stmt *query_help_tables (QueryDatabase *self);
sqlite3_stmt *query_help_columns (QueryDatabase *self, const char *table, GError **error);
/* If @message is a message of SQLite about an unknown table or column, returns a suggestion to append to it. Otherwise
 * returns "". */
char *query_help_advise (QueryDatabase *self, const char *message);
