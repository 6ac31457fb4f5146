/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

G_BEGIN_DECLS

/* Prints all tables with the numbers of their rows and their columns. */
gboolean query_help_tables (QueryDatabase *database, ReportFormat format, GError **error);
/* Prints the columns of a table, NULL for all, with type, unit and meaning. */
gboolean query_help_columns (QueryDatabase *database, const char *table, ReportFormat format, GError **error);
/* What to add to the message of SQLite about a statement that names what is not there; "" if it does not. */
char *query_help_advise (QueryDatabase *database, const char *message);

G_END_DECLS
