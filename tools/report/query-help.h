/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

G_BEGIN_DECLS

/* Return a statement whose rows are: all tables with their numbers of rows and their columns; and the columns of a
 * table, or of all tables if @table is NULL, with type, unit and meaning. No other statement may follow. */
sqlite3_stmt *query_help_tables (QueryDatabase *self);
sqlite3_stmt *query_help_columns (QueryDatabase *self, const char *table, GError **error);
/* Returns a suggestion to append to SQLite's message about an unknown table or column; "" for other messages. */
char *query_help_advise (QueryDatabase *self, const char *message);

G_END_DECLS
