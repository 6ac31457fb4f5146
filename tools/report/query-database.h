/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <sqlite3.h>

#include "report.h"

G_BEGIN_DECLS

/* A database in memory whose tables are those of a run and of its report. It only reads. */
typedef struct
{
  ReportRun *run;
  RoastRegistry *registry;
  RoastSession *session; /* made when a query names a table of the report */
  sqlite3 *database;
  const char *refused; /* what the statement would do and may not */
  GHashTable *used;    /* names of the tables that statements named */
} QueryDatabase;

/* Opens the run of this name, NULL for the last one. */
QueryDatabase *query_database_open (const char *run, GError **error);
/* Makes what the one statement needs; from then on the database only reads. */
gboolean query_database_prepare (QueryDatabase *self, const char *statement, GError **error);
void query_database_free (QueryDatabase *self);
/* The report of the run, made when it is first asked for. */
RoastReport *query_database_get_report (QueryDatabase *self, GError **error);
/* What the schemas declare of the tables that have rows by themselves, in their order: RoastTableInfo. */
GPtrArray *query_database_list_tables (QueryDatabase *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (QueryDatabase, query_database_free)

G_END_DECLS
