/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* A plan says which columns a scan of a table reads and which comparisons it uses to skip rows. SQLite checks all rows
 * again, so a plan skips only rows that certainly do not match. */

/* Chooses a plan and writes it to @info. SQLite passes it to the scan. Returns SQLITE_OK or an SQLite error code. */
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
  guint64 mask; /* columns that are read; the last bit stands for all columns without their own bit */
  guint n_terms;
  QueryPlanTerm terms[QUERY_PLAN_MAX_TERMS];
} QueryPlan;

/* Parses the text that query_plan_choose () wrote. */
void query_plan_parse (QueryPlan *self, const char *text);
gboolean query_plan_reads (const QueryPlan *self, guint column);

G_END_DECLS
