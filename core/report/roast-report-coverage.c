/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-report-coverage-private.h"

#include "roast-report-private.h"
#include "roast/roast-tables.h"

/* Find the first row with these words, where NULL stands for a missing cell. */
static int
coverage_find (RoastReport *report, const char *metric, const char *table, const char *column, char **reason)
{
  g_autoptr (RoastTableReader) rows =
      roast_report_peek_table (report, ROAST_TABLE_REPORT_COVERAGE, roast_report_coverage_columns, NULL);

  while (rows != NULL && roast_table_reader_next (rows))
    if (g_strcmp0 (roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_METRIC), metric) == 0 &&
        g_strcmp0 (roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_TABLE), table) == 0 &&
        g_strcmp0 (roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_COLUMN), column) == 0)
      {
        if (reason != NULL)
          *reason = g_strdup (roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_REASON));
        return roast_table_reader_get_word (rows, ROAST_REPORT_COVERAGE_COMPLETENESS);
      }

  return -1;
}

int
roast_report_coverage_find (RoastReport *report, const char *table, const char *column, char **reason)
{
  return coverage_find (report, NULL, table, column, reason);
}

int
roast_report_coverage_find_metric (RoastReport *report, const char *metric, char **reason)
{
  return coverage_find (report, metric, NULL, NULL, reason);
}

gboolean
roast_report_coverage_has_metric (RoastReport *report, const char *metric)
{
  return roast_report_coverage_find_metric (report, metric, NULL) >= 0;
}
