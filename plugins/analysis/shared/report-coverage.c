/* SPDX-License-Identifier: BSD-3-Clause */
#include "report-coverage.h"

static void
report_coverage_write (RoastReport *report, const char *metric, const char *table, const char *column,
                       RoastCompleteness completeness, const char *reason)
{
  g_autoptr (RoastTableWriter) rows = roast_report_coverage_write (report);

  roast_table_writer_set_string (rows, ROAST_REPORT_COVERAGE_METRIC, metric);
  roast_table_writer_set_string (rows, ROAST_REPORT_COVERAGE_TABLE, table);
  roast_table_writer_set_string (rows, ROAST_REPORT_COVERAGE_COLUMN, column);
  roast_table_writer_set_word (rows, ROAST_REPORT_COVERAGE_COMPLETENESS, completeness);
  roast_table_writer_set_string (rows, ROAST_REPORT_COVERAGE_REASON, reason);
  roast_table_writer_end (rows, NULL);
}

void
report_coverage_add (RoastReport *report, const char *table, const char *column, RoastCompleteness completeness,
                     const char *reason)
{
  report_coverage_write (report, NULL, table, column, completeness, reason);
}

void
report_coverage_add_note (RoastReport *report, const char *table, const char *column, RoastCompleteness otherwise,
                          const char *note)
{
  if (note != NULL)
    report_coverage_write (report, NULL, table, column, otherwise, note);
}

void
report_coverage_add_metric (RoastReport *report, const char *metric, RoastCompleteness otherwise, const char *note)
{
  report_coverage_write (report, metric, NULL, NULL, note != NULL ? otherwise : ROAST_COMPLETENESS_COMPLETE, note);
}

void
report_coverage_add_metrics (RoastReport *report, const char *const *metrics, RoastCompleteness otherwise,
                             const char *note)
{
  for (; *metrics != NULL; metrics++)
    report_coverage_add_metric (report, *metrics, otherwise, note);
}
