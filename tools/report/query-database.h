/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <sqlite3.h>

#include "report.h"

G_BEGIN_DECLS

/* A read-only database in memory with the tables of a run and of its report. */
typedef struct
{
  ReportRun *run;
  RoastRegistry *registry;
  RoastSession *session; /* session that makes the report; created when a query names a table of the report */
  sqlite3 *database;
  const char *refused; /* forbidden action that the statement attempted; NULL if it attempted none */
  GHashTable *used;    /* names of the tables used by statements */
} QueryDatabase;

/* Opens the run with this name, or the last run if @run is NULL. */
QueryDatabase *query_database_open (const char *run, GError **error);
/* Creates the tables that the statement needs, then makes the database read-only. Must be called only once. */
gboolean query_database_prepare (QueryDatabase *self, const char *statement, GError **error);
void query_database_free (QueryDatabase *self);
/* Returns the report of the run. Makes it at the first call. */
RoastReport *query_database_get_report (QueryDatabase *self, GError **error);
/* Returns a RoastTableInfo for each table that the schemas declare. Measured tables come first, then derived tables,
 * each in the order of the schemas. */
GPtrArray *query_database_list_tables (QueryDatabase *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (QueryDatabase, query_database_free)

G_END_DECLS
