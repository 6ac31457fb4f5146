/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

G_BEGIN_DECLS

/* Prints all tables with their numbers of rows and their columns. */
gboolean query_help_tables (QueryDatabase *database, ReportFormat format, GError **error);
/* Prints the columns of a table, or of all tables if @table is NULL, with type, unit and meaning. */
gboolean query_help_columns (QueryDatabase *database, const char *table, ReportFormat format, GError **error);
/* Returns a suggestion to append to SQLite's message about an unknown table or column; "" for other messages. */
char *query_help_advise (QueryDatabase *database, const char *message);

G_END_DECLS
