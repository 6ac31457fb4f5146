/* SPDX-License-Identifier: BSD-3-Clause */
#include "query-plan.h"

#define MAX_MASK 63 /* SQLite marks this column and all later columns with one bit */

/* Returns the comparison that SQLite offers as a sign; '\0' if a scan cannot use it. */
static char
sign_of (guint8 operation)
{
  switch (operation)
    {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return '=';
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE:
      return '<';
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE:
      return '>';
    default:
      return '\0';
    }
}

/* SQLite before 3.38 cannot tell: there, a list costs one scan per value. */
static gboolean
is_list (sqlite3_index_info *info, int number)
{
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in (info, number, -1);
#else
  return FALSE;
#endif
}

/* Returns whether a scan can use the constraint: any comparison of numbers, and equality of categories. Refuse lists
 * (IN): they would cost one scan per value. */
static gboolean
can_use (sqlite3_index_info *info, int number, RoastTableInfo *table)
{
  const struct sqlite3_index_constraint *constraint = &info->aConstraint[number];
  char sign = sign_of (constraint->op);

  if (!constraint->usable || sign == '\0' || constraint->iColumn < 0 || is_list (info, number))
    return FALSE;
  switch (roast_column_get_column_type (roast_table_info_get_column (table, (guint) constraint->iColumn)))
    {
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
      return TRUE;
    case ROAST_COLUMN_TYPE_CATEGORY:
      return sign == '=' && sqlite3_stricmp (sqlite3_vtab_collation (info, number), "BINARY") == 0;
    case ROAST_COLUMN_TYPE_BOOLEAN:
    case ROAST_COLUMN_TYPE_STRING:
    default:
      return FALSE;
    }
}

int
query_plan_choose (sqlite3_index_info *info, RoastTableInfo *table, guint64 n_rows)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double wanted = (double) n_rows;
  int n_terms = 0;

  g_string_printf (text, "%" G_GINT64_MODIFIER "x", (guint64) info->colUsed);
  for (int i = 0; i < info->nConstraint && n_terms < QUERY_PLAN_MAX_TERMS; i++)
    {
      char sign = sign_of (info->aConstraint[i].op);

      if (!can_use (info, i, table))
        continue;
      info->aConstraintUsage[i].argvIndex = ++n_terms;
      g_string_append_printf (text, " %d%c", info->aConstraint[i].iColumn, sign);
      wanted /= sign == '=' ? 8 : 2;
    }
  info->idxStr = sqlite3_mprintf ("%s", text->str);
  info->needToFreeIdxStr = 1;
  info->estimatedRows = (sqlite3_int64) wanted;
  /* Skipped rows are cheap, but not free. */
  info->estimatedCost = wanted + (double) n_rows / 16 + 1;

  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

void
query_plan_parse (QueryPlan *self, const char *text)
{
  char *next = NULL;

  *self = (QueryPlan) { .mask = g_ascii_strtoull (text, &next, 16) };
  while (*next == ' ' && self->n_terms < QUERY_PLAN_MAX_TERMS)
    {
      QueryPlanTerm *term = &self->terms[self->n_terms++];

      term->column = (guint) g_ascii_strtoull (next + 1, &next, 10);
      term->comparison = *next++;
    }
}

gboolean
query_plan_reads (const QueryPlan *self, guint column)
{
  return (self->mask >> MIN (column, MAX_MASK)) & 1;
}
