/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-report-coverage-private.h"

#include "roast-report-private.h"
#include "roast/roast-tables.h"
#include "table/roast-table-private.h"

/* How complete the table calls a metric, a table or a column. */
typedef struct
{
  int completeness;
  char *reason;
} Covered;

struct _RoastReportCoverage
{
  GHashTable *rows;     /* metric, table and column to Covered */
  GHashTable *subjects; /* the metrics and tables of all rows, to ask for others quickly */
  guint64 serial;       /* of the table when its rows were read */
};

static void
covered_free (Covered *self)
{
  g_free (self->reason);
  g_free (self);
}

RoastReportCoverage *
roast_report_coverage_new (void)
{
  RoastReportCoverage *self = g_new0 (RoastReportCoverage, 1);

  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) covered_free);
  self->subjects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
roast_report_coverage_free (RoastReportCoverage *self)
{
  g_hash_table_unref (self->rows);
  g_hash_table_unref (self->subjects);
  g_free (self);
}

/* Join the words that name what a row covers, where NULL stands for a missing cell. */
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

/* Keep the first row with the same words. */
static void
coverage_read_rows (RoastReportCoverage *self, RoastReport *report)
{
  g_autoptr (RoastTableReader) rows =
      roast_report_peek_table (report, ROAST_TABLE_REPORT_COVERAGE, roast_report_coverage_columns, NULL);

  g_hash_table_remove_all (self->rows);
  while (roast_table_reader_next (rows))
    {
      const char *metric = roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_METRIC);
      const char *table = roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_TABLE);
      g_autofree char *key =
          coverage_make_key (metric, table, roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_COLUMN));
      Covered *covered = NULL;

      if (g_hash_table_contains (self->rows, key))
        continue;
      covered = g_new0 (Covered, 1);
      covered->completeness = roast_table_reader_get_word (rows, ROAST_REPORT_COVERAGE_COMPLETENESS);
      covered->reason = g_strdup (roast_table_reader_get_string (rows, ROAST_REPORT_COVERAGE_REASON));
      g_hash_table_insert (self->rows, g_steal_pointer (&key), covered);
      g_hash_table_add (self->subjects, g_strdup (coverage_get_subject (metric, table)));
    }
}

static int
coverage_find (RoastReport *report, const char *metric, const char *table, const char *column, char **reason)
{
  RoastReportCoverage *self = roast_report_get_coverage (report);
  RoastTable *rows = roast_report_find_table (report, ROAST_TABLE_REPORT_COVERAGE);
  g_autofree char *key = NULL;
  const Covered *covered = NULL;

  if (rows == NULL)
    return -1;
  if (self->serial != roast_table_get_serial (rows))
    {
      self->serial = roast_table_get_serial (rows);
      coverage_read_rows (self, report);
    }
  if (!g_hash_table_contains (self->subjects, coverage_get_subject (metric, table)))
    return -1;
  key = coverage_make_key (metric, table, column);
  covered = g_hash_table_lookup (self->rows, key);
  if (covered != NULL && reason != NULL)
    *reason = g_strdup (covered->reason);

  return covered != NULL ? covered->completeness : -1;
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
