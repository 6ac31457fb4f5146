/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-report-private.h"
#include "roast/roast-tables.h"

/* Make a key from the cells metric, table and column of a coverage row. NULL stands for a missing cell. */
static char *
coverage_make_key (const char *metric, const char *table, const char *column)
{
  return g_strjoin ("\n", metric != NULL ? metric : "", table != NULL ? table : "", column != NULL ? column : "", NULL);
}

static const char *
coverage_get_subject (const char *metric, const char *table)
{
  return metric != NULL ? metric : table != NULL ? table : "";
}

/* Read the coverage rows, and index the rows by key. If several rows have the same key, only the first row is used. */
static void
coverage_read_rows (RoastReport *self)
{
  RoastTableReader *rows =
      roast_report_peek_table (self, ROAST_TABLE_REPORT_COVERAGE, roast_report_coverage_columns, NULL);

  g_clear_object (&self->coverage);
  self->coverage = rows;
  g_hash_table_remove_all (self->covered);
  g_hash_table_remove_all (self->covered_subjects);
  for (guint row = 1; roast_table_reader_next (rows); row++)
    {
      const char *metric = roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_METRIC);
      const char *table = roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_TABLE);
      g_autofree char *key =
          coverage_make_key (metric, table, roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_COLUMN));

      if (g_hash_table_contains (self->covered, key))
        continue;
      g_hash_table_insert (self->covered, g_steal_pointer (&key), GUINT_TO_POINTER (row));
      g_hash_table_add (self->covered_subjects, g_strdup (coverage_get_subject (metric, table)));
    }
}

static int
coverage_find (RoastReport *self, const char *metric, const char *table, const char *column, char **reason)
{
  RoastTable *rows = roast_table_find (self->tables, ROAST_TABLE_REPORT_COVERAGE);
  g_autofree char *key = NULL;
  guint row = 0;

  if (rows == NULL)
    return -1;
  if (self->coverage_serial != roast_table_get_serial (rows))
    {
      self->coverage_serial = roast_table_get_serial (rows);
      coverage_read_rows (self);
    }
  if (!g_hash_table_contains (self->covered_subjects, coverage_get_subject (metric, table)))
    return -1;
  key = coverage_make_key (metric, table, column);
  row = GPOINTER_TO_UINT (g_hash_table_lookup (self->covered, key));
  if (row == 0 || !roast_table_reader_seek (self->coverage, row - 1))
    return -1;
  if (reason != NULL)
    *reason = g_strdup (roast_table_reader_get_string (self->coverage, ROAST_REPORT_COVERAGE_REASON));

  return roast_table_reader_get_word (self->coverage, ROAST_REPORT_COVERAGE_COMPLETENESS);
}

int
roast_report_coverage_find (RoastReport *self, const char *table, const char *column, char **reason)
{
  return coverage_find (self, NULL, table, column, reason);
}

int
roast_report_coverage_find_metric (RoastReport *self, const char *metric, char **reason)
{
  return coverage_find (self, metric, NULL, NULL, reason);
}
