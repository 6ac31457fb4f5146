/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <string.h>

static RoastTableReader *
read_table (RoastRecording *recording, const char *table)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_recording_read_table (recording, table, NULL, &error);

  g_assert_no_error (error);

  return reader;
}

static guint
find_slot (RoastTableReader *reader, const char *column)
{
  for (guint i = 0; i < roast_table_reader_get_n_columns (reader); i++)
    if (g_str_equal (roast_column_get_name (roast_table_reader_get_column (reader, i)), column))
      return i;
  g_error ("no column %s", column);
}

/* Of the current row. NULL if it is missing. */
static char *
show_cell (RoastTableReader *reader, guint slot)
{
  if (!roast_table_reader_has (reader, slot))
    return NULL;
  switch (roast_column_get_column_type (roast_table_reader_get_column (reader, slot)))
    {
    case ROAST_COLUMN_TYPE_INT64:
      return g_strdup_printf ("%" G_GINT64_FORMAT, roast_table_reader_get_int64 (reader, slot, 0));
    case ROAST_COLUMN_TYPE_DOUBLE:
      return g_strdup_printf ("%.9g", roast_table_reader_get_double (reader, slot));
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return g_strdup (roast_table_reader_get_boolean (reader, slot) ? "true" : "false");
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      return g_strdup (roast_table_reader_get_string (reader, slot));
    }
}

static char *
show_row (RoastTableReader *reader, guint64 row)
{
  GString *out = g_string_new (NULL);
  gboolean found = roast_table_reader_seek (reader, row);

  if (!found)
    g_string_append (out, "(no such row)");
  for (guint i = 0; found && i < roast_table_reader_get_n_columns (reader); i++)
    {
      const char *name = roast_column_get_name (roast_table_reader_get_column (reader, i));
      g_autofree char *value = show_cell (reader, i);

      if (value != NULL && !g_str_equal (name, "source"))
        g_string_append_printf (out, "%s%s=%s", out->len > 0 ? " " : "", name, value);
    }

  return g_string_free (out, FALSE);
}

char *
rows_show (RoastRecording *recording, const char *table, guint64 row)
{
  g_autoptr (RoastTableReader) reader = read_table (recording, table);

  return show_row (reader, row);
}

char *
rows_show_cell (RoastRecording *recording, const char *table, guint64 row, const char *column)
{
  g_autoptr (RoastTableReader) reader = read_table (recording, table);

  g_assert_true (roast_table_reader_seek (reader, row));

  return show_cell (reader, find_slot (reader, column));
}

guint64
rows_count (RoastRecording *recording, const char *table)
{
  g_autoptr (RoastTableReader) reader = read_table (recording, table);

  return roast_table_reader_get_n_rows (reader);
}

guint64
rows_count_with (RoastRecording *recording, const char *table, const char *column, const char *value)
{
  g_autoptr (RoastTableReader) reader = read_table (recording, table);
  guint slot = find_slot (reader, column);
  guint64 n = 0;

  while (roast_table_reader_next (reader))
    {
      g_autofree char *cell = show_cell (reader, slot);

      n += g_strcmp0 (cell, value) == 0 ? 1 : 0;
    }

  return n;
}

gboolean
rows_has_event (RoastRecording *recording, const char *kind, const char *part)
{
  g_autoptr (RoastTableReader) events =
      roast_recording_read_table (recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);

  while (roast_table_reader_next (events))
    if (g_str_equal (roast_table_reader_get_string (events, ROAST_EVENTS_KIND), kind) &&
        strstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), part) != NULL)
      return TRUE;

  return FALSE;
}

void
rows_add (RoastRecording *recording, const char *table, const char *row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) cells = g_variant_parse (G_VARIANT_TYPE_VARDICT, row, NULL, NULL, &error);
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  g_autoptr (RoastTableWriter) writer = NULL;
  GVariantIter iter;
  const char *column = NULL;
  GVariant *cell = NULL;

  g_assert_no_error (error);
  g_variant_iter_init (&iter, cells);
  while (g_variant_iter_loop (&iter, "{&sv}", &column, NULL))
    g_ptr_array_add (columns, (gpointer) column);
  g_ptr_array_add (columns, NULL);
  writer = roast_recording_write_table (recording, table, NULL, (const char *const *) columns->pdata, &error);
  g_assert_no_error (error);
  g_variant_iter_init (&iter, cells);
  for (guint i = 0; g_variant_iter_loop (&iter, "{&sv}", NULL, &cell); i++)
    roast_table_writer_set_variant (writer, i, cell);
  roast_table_writer_end (writer, &error);
  g_assert_no_error (error);
}

static void
add_formulas (RoastReport *report, RoastRecordingSnapshot *snapshot)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_metrics (roast_report_get_schema (report));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < infos->len; i++)
    g_ptr_array_add (names, (gpointer) roast_metric_info_get_name (g_ptr_array_index (infos, i)));
  g_ptr_array_add (names, NULL);
  roast_report_add_formulas (report, snapshot, (const char *const *) names->pdata);
}

RoastReport *
rows_aggregate (RoastRecording *recording, const char *aggregators)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastReport *report = roast_report_new (roast_registry_get_schema (registry));
  g_auto (GStrv) names = g_strsplit (aggregators, " ", -1);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastAggregator) aggregator = NULL;

      if (g_str_equal (*name, "formulas"))
        {
          add_formulas (report, snapshot);
          continue;
        }
      aggregator = roast_registry_create_aggregator (registry, *name, &error);
      g_assert_no_error (error);
      roast_aggregator_aggregate (aggregator, snapshot, report, NULL, &error);
      g_assert_no_error (error);
    }

  return report;
}

/* ---- reports ---- */

gboolean
rows_has_derived (RoastReport *report, const char *table)
{
  g_auto (GStrv) names = roast_report_dup_table_names (report);

  return g_strv_contains ((const char *const *) names, table);
}

static RoastTableReader *
read_derived (RoastReport *report, const char *table)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_report_read_table (report, table, NULL, &error);

  g_assert_no_error (error);

  return reader;
}

guint64
rows_count_derived (RoastReport *report, const char *table)
{
  g_autoptr (RoastTableReader) reader = read_derived (report, table);

  return roast_table_reader_get_n_rows (reader);
}

char *
rows_show_derived (RoastReport *report, const char *table, guint64 row, const char *column)
{
  g_autoptr (RoastTableReader) reader = read_derived (report, table);

  g_assert_true (roast_table_reader_seek (reader, row));

  return show_cell (reader, find_slot (reader, column));
}

char *
rows_show_derived_row (RoastReport *report, const char *table, guint64 row)
{
  g_autoptr (RoastTableReader) reader = read_derived (report, table);

  return show_row (reader, row);
}

RoastMetric *
rows_get_metric (RoastReport *report, const char *name)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  if (metric == NULL)
    g_error ("no metric %s", name);

  return metric;
}

void
rows_assert_value (RoastReport *report, const char *name, double expected)
{
  RoastMetric *metric = rows_get_metric (report, name);
  double value = 0;

  if (!roast_report_get_double (report, name, &value))
    g_error ("%s is not available: %s", name, roast_metric_get_reason (metric));
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-9 * MAX (1, ABS (expected)));
}

static void
assert_contains (const char *text, const char *part)
{
  if (text == NULL || strstr (text, part) == NULL)
    g_error ("“%s” is not in “%s”", part, text != NULL ? text : "");
}

void
rows_assert_unavailable (RoastReport *report, const char *name, const char *part)
{
  RoastMetric *metric = rows_get_metric (report, name);

  g_assert_false (roast_metric_is_available (metric));
  assert_contains (roast_metric_get_reason (metric), part);
}

void
rows_assert_note (RoastReport *report, const char *name, RoastCompleteness completeness, const char *part)
{
  RoastMetric *metric = rows_get_metric (report, name);

  g_assert_true (roast_metric_is_available (metric));
  g_assert_cmpint (roast_metric_get_completeness (metric), ==, completeness);
  if (part == NULL)
    g_assert_cmpstr (roast_metric_get_note (metric), ==, NULL);
  else
    assert_contains (roast_metric_get_note (metric), part);
}

char *
rows_show_metric (RoastReport *report, const char *name)
{
  RoastMetric *metric = rows_get_metric (report, name);
  RoastCompleteness completeness = roast_metric_get_completeness (metric);
  const char *note = roast_metric_get_note (metric);
  GVariant *value = roast_metric_get_value (metric);
  g_autoptr (GString) out = g_string_new (NULL);

  if (!roast_metric_is_available (metric))
    return g_strconcat ("n/a: ", roast_metric_get_reason (metric), NULL);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    g_string_printf (out, "%.9g", g_variant_get_double (value));
  if (out->len > 0 && strpbrk (out->str, ".e") == NULL)
    g_string_append (out, ".0");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    g_string_printf (out, "%" G_GINT64_FORMAT, g_variant_get_int64 (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    g_string_assign (out, g_variant_get_string (value, NULL));
  if (completeness != ROAST_COMPLETENESS_COMPLETE)
    g_string_append (out, completeness == ROAST_COMPLETENESS_PARTIAL ? " partial" : " estimated");
  if (note != NULL)
    g_string_append_printf (out, ": %s", note);

  return g_string_free (g_steal_pointer (&out), FALSE);
}
