/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Which columns a scan of a table reads, and which comparisons of columns with values it uses to leave out rows. SQLite
 * checks all rows again: a plan leaves out only rows that are certainly not wanted. */

/* Chooses a plan: writes it to @info, from where SQLite gives it to the scan. SQLITE_OK, or why not. */
int query_plan_choose (sqlite3_index_info *info, RoastTableInfo *table, guint64 n_rows);

/* A comparison of a column. */
typedef struct
{
  guint column;
  char comparison; /* =, < (or equal) or > (or equal) */
} QueryPlanTerm;

#define QUERY_PLAN_MAX_TERMS 8

typedef struct
{
  guint64 mask; /* of the columns that are read; the last bit stands for all that have none */
  guint n_terms;
  QueryPlanTerm terms[QUERY_PLAN_MAX_TERMS];
} QueryPlan;

/* Reads what query_plan_choose () wrote. */
void query_plan_parse (QueryPlan *self, const char *text);
gboolean query_plan_reads (const QueryPlan *self, guint column);

G_END_DECLS
