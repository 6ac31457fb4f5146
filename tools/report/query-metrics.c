/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics, notes and metadata as tables for SQL. */

#include "query-metrics.h"

#include "query-list.h"

const QueryMetricsTable query_metrics_tables[] = {
  { "metrics", "report",
    "name TEXT, value, unit TEXT, completeness TEXT, reason TEXT, note TEXT, source TEXT, label TEXT, \"group\" TEXT, "
    "description TEXT",
    "the metrics of the report; a value that is not available is NULL, and the reason says why" },
  { "notes", "report", "note TEXT", "what the report says below its metrics" },
  { "metadata", "recording", "key TEXT, value TEXT", "the run as a whole, as “roast-report show” prints it" },
  { NULL, NULL, NULL, NULL },
};

enum
{
  NAME,
  VALUE,
  UNIT,
  COMPLETENESS,
  REASON,
  NOTE,
  SOURCE,
  LABEL,
  GROUP,
  DESCRIPTION,
  N_CELLS
};

static GVariant *
text_cell (const char *text)
{
  return text != NULL ? g_variant_ref_sink (g_variant_new_string (text)) : NULL;
}

static void
put_info (GVariant **cells, RoastMetricInfo *info)
{
  cells[UNIT] = text_cell (roast_metric_info_get_unit (info));
  cells[SOURCE] = text_cell (roast_metric_info_get_source (info));
  cells[LABEL] = text_cell (roast_metric_info_get_label (info));
  cells[GROUP] = text_cell (roast_metric_info_get_group (info));
  cells[DESCRIPTION] = text_cell (roast_metric_info_get_description (info));
}

static GPtrArray *
make_metrics (gpointer data, GError **error)
{
  RoastReport *report = query_database_get_report (data, error);
  g_autoptr (GPtrArray) metrics = NULL;
  g_autoptr (GPtrArray) rows = query_list_new ();

  if (report == NULL)
    return NULL;
  metrics = roast_report_list_metrics (report);
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      const char *name = roast_metric_get_name (metric);
      RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (report), name, NULL);
      GVariant *value = roast_metric_get_value (metric);
      GVariant **cells = query_list_add_row (rows, N_CELLS);

      cells[NAME] = text_cell (name);
      cells[VALUE] = value != NULL ? g_variant_ref (value) : NULL;
      cells[COMPLETENESS] = text_cell (roast_completeness_words[roast_metric_get_completeness (metric)]);
      cells[REASON] = text_cell (roast_metric_get_reason (metric));
      cells[NOTE] = text_cell (roast_metric_get_note (metric));
      if (info != NULL)
        put_info (cells, info);
    }

  return g_steal_pointer (&rows);
}

static GPtrArray *
make_notes (gpointer data, GError **error)
{
  RoastReport *report = query_database_get_report (data, error);
  g_autoptr (GPtrArray) rows = query_list_new ();
  g_auto (GStrv) notes = NULL;

  if (report == NULL)
    return NULL;
  notes = roast_report_dup_notes (report);
  for (guint i = 0; notes[i] != NULL; i++)
    query_list_add_row (rows, 1)[0] = text_cell (notes[i]);

  return g_steal_pointer (&rows);
}

static GPtrArray *
make_metadata (gpointer data, GError **error)
{
  RoastRunFile *file = ((QueryDatabase *) data)->run->file;
  g_auto (GStrv) keys = roast_run_file_dup_meta_keys (file);
  GPtrArray *rows = query_list_new ();

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = roast_run_file_dup_meta (file, keys[i]);
      GVariant **cells = query_list_add_row (rows, 2);

      cells[0] = text_cell (keys[i]);
      cells[1] = text_cell (value);
    }

  return rows;
}

gboolean
query_metrics_add (QueryDatabase *database, GError **error)
{
  static const QueryListMake make[] = { make_metrics, make_notes, make_metadata };

  for (guint i = 0; query_metrics_tables[i].name != NULL; i++)
    if (!query_list_add (database->database, query_metrics_tables[i].name, query_metrics_tables[i].columns, make[i],
                         database, error))
      return FALSE;

  return TRUE;
}
