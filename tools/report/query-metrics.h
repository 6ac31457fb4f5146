/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-database.h"

G_BEGIN_DECLS

/* A table for SQL that no schema declares. */
typedef struct
{
  const char *name;
  const char *of;      /* "report" or "recording" */
  const char *columns; /* as in CREATE TABLE */
  const char *description;
} QueryMetricsTable;

/* The metrics of the report, its notes, and what is known of the run as a whole. The last one has no name. */
extern const QueryMetricsTable query_metrics_tables[];

/* Makes these tables for a statement. Those of the report have rows only if the statement names them, since the report
 * takes longer than most queries. */
gboolean query_metrics_add (QueryDatabase *database, const char *statement, GError **error);

G_END_DECLS
