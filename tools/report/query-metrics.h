/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

G_BEGIN_DECLS

/* A table for SQL that no schema declares. */
typedef struct
{
  const char *name;
  const char *of;      /* owner of the table: "report" or "recording" */
  const char *columns; /* list of columns, as in CREATE TABLE */
  const char *description;
} QueryMetricsTable;

/* The tables for the metrics of the report, its notes, and the properties of the run. In the last element, the name is
 * NULL. */
extern const QueryMetricsTable query_metrics_tables[];

/* Creates the tables in query_metrics_tables, unless they exist. */
void query_metrics_create (QueryDatabase *database);
/* Creates and fills the tables in query_metrics_tables for a statement. Fills those of the report only if the statement
 * names them, because making the report takes longer than most queries. */
gboolean query_metrics_add (QueryDatabase *database, const char *statement, GError **error);

G_END_DECLS
