/* SPDX-License-Identifier: BSD-3-Clause */

/* Provides metrics, notes and metadata as tables for SQL. */

#include "query-metrics.h"

#include <string.h>

const QueryMetricsTable query_metrics_tables[] = {
  { "metrics", "report",
    "name TEXT, value, unit TEXT, completeness TEXT, reason TEXT, note TEXT, source TEXT, label TEXT, \"group\" TEXT, "
    "description TEXT",
    "the metrics of the report; an unavailable value is NULL, and the column reason says why" },
  { "notes", "report", "note TEXT", "the notes below the metrics of the report" },
  { "metadata", "recording", "key TEXT, value TEXT", "properties of the run, as “roast-report show” prints them" },
  { NULL, NULL, NULL, NULL },
};

#define VALUE 1 /* index of the cell with the value of a metric */

static sqlite3_stmt *
begin_rows (QueryDatabase *self, const char *sql)
{
  sqlite3_stmt *rows = NULL;

  sqlite3_prepare_v2 (self->database, sql, -1, &rows, NULL);

  return rows;
}

/* Sets the cells of a row. NULL stands for a missing cell. */
static void
set_texts (sqlite3_stmt *rows, const char *const *cells)
{
  for (int i = 0; i < sqlite3_bind_parameter_count (rows); i++)
    sqlite3_bind_text (rows, i + 1, cells[i], -1, SQLITE_TRANSIENT);
}

static void
set_value (sqlite3_stmt *rows, GVariant *value)
{
  if (value == NULL)
    return;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    sqlite3_bind_int64 (rows, VALUE + 1, g_variant_get_int64 (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    sqlite3_bind_double (rows, VALUE + 1, g_variant_get_double (value));
  else
    sqlite3_bind_text (rows, VALUE + 1, g_variant_get_string (value, NULL), -1, SQLITE_TRANSIENT);
}

/* Abort if the row cannot be inserted. The database is in memory, so this happens only if there is no more memory. */
static void
end_row (sqlite3_stmt *rows)
{
  if (sqlite3_step (rows) != SQLITE_DONE)
    g_error ("a table for SQL: %s", sqlite3_errmsg (sqlite3_db_handle (rows)));
  sqlite3_reset (rows);
}

static void
fill_metrics (QueryDatabase *self, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  sqlite3_stmt *rows = begin_rows (self, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      const char *name = roast_metric_get_name (metric);
      RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (report), name, NULL);
      const char *const cells[] = { name,
                                    NULL,
                                    info != NULL ? roast_metric_info_get_unit (info) : NULL,
                                    roast_completeness_words[roast_metric_get_completeness (metric)],
                                    roast_metric_get_reason (metric),
                                    roast_metric_get_note (metric),
                                    info != NULL ? roast_metric_info_get_source (info) : NULL,
                                    info != NULL ? roast_metric_info_get_label (info) : NULL,
                                    info != NULL ? roast_metric_info_get_group (info) : NULL,
                                    info != NULL ? roast_metric_info_get_description (info) : NULL };

      set_texts (rows, cells);
      set_value (rows, roast_metric_get_value (metric));
      end_row (rows);
    }
  sqlite3_finalize (rows);
}

static void
fill_notes (QueryDatabase *self, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);
  sqlite3_stmt *rows = begin_rows (self, "INSERT INTO notes VALUES (?)");

  for (guint i = 0; notes[i] != NULL; i++)
    {
      set_texts (rows, (const char *const *) &notes[i]);
      end_row (rows);
    }
  sqlite3_finalize (rows);
}

static void
fill_metadata (QueryDatabase *self)
{
  g_auto (GStrv) keys = roast_run_file_dup_meta_keys (self->run->file);
  sqlite3_stmt *rows = begin_rows (self, "INSERT INTO metadata VALUES (?, ?)");

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = roast_run_file_dup_meta (self->run->file, keys[i]);

      set_texts (rows, (const char *const[]) { keys[i], value });
      end_row (rows);
    }
  sqlite3_finalize (rows);
}

void
query_metrics_create (QueryDatabase *self)
{
  for (guint i = 0; query_metrics_tables[i].name != NULL; i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("CREATE TABLE %s (%s)", query_metrics_tables[i].name, query_metrics_tables[i].columns);

      sqlite3_exec (self->database, sql, NULL, NULL, NULL);
    }
}

gboolean
query_metrics_add (QueryDatabase *self, const char *statement, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (statement, -1);
  gboolean names_report = strstr (lower, "metrics") != NULL || strstr (lower, "notes") != NULL;
  RoastReport *report = names_report ? query_database_get_report (self, error) : NULL;

  if (names_report && report == NULL)
    return FALSE;
  query_metrics_create (self);
  fill_metadata (self);
  if (report != NULL)
    {
      fill_metrics (self, report);
      fill_notes (self, report);
    }

  return TRUE;
}
