/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

/* A table for SQL that is not declared in any schema. */
typedef struct
{
  const char *name;
  const char *of;      /* part of the run to which the table belongs: "report" or "recording" */
  const char *columns; /* list of columns, as in CREATE TABLE */
  const char *description;
} QueryMetricsTable;

/* The tables of the report's metrics, of its notes, and of the run's properties. The last element has the name NULL. */
extern const QueryMetricsTable query_metrics_tables[];

/* Creates the tables in query_metrics_tables, unless they already exist. */
void query_metrics_create (QueryDatabase *database);
/* Creates the tables in query_metrics_tables, and fills them for a statement. Fills the tables of the report only if
 * the statement names one of them, because making the report takes longer than most queries. */
gboolean query_metrics_add (QueryDatabase *database, const char *statement, GError **error);
