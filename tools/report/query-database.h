/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <sqlite3.h>

#include "report.h"

/* A read-only database in memory with the tables of a run and of its report. */
typedef struct
{
  ReportRun *run;
  RoastRegistry *registry;
  RoastSession *session; /* session that makes the report; NULL until a query names a table of the report */
  sqlite3 *database;
  const char *refused; /* forbidden action that the statement attempted; NULL if there was none */
  GHashTable *used;    /* set of the names of tables that statements use */
} QueryDatabase;

/* Opens the run with the name @run. If @run is NULL, opens the last run. */
QueryDatabase *query_database_open (const char *run, GError **error);
/* Creates the tables that the statement needs. Then makes the database read-only. Call this function only once. */
gboolean query_database_prepare (QueryDatabase *self, const char *statement, GError **error);
void query_database_free (QueryDatabase *self);
/* Returns the report of the run. The first call makes the report. */
RoastReport *query_database_get_report (QueryDatabase *self, GError **error);
/* Returns a RoastTableInfo for each table that the schemas declare. Measured tables come first, then derived tables;
 * both have the order of the schemas. */
GPtrArray *query_database_list_tables (QueryDatabase *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (QueryDatabase, query_database_free)
