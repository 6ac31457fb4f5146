/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <string.h>

static RoastTableSnapshot *
get (RoastRecording *recording, const char *table)
{
  RoastTable *found = roast_recording_get_table (recording, table);

  g_assert_nonnull (found);

  return roast_table_snapshot (found);
}

/* NULL if it is missing. */
static char *
show_cell (RoastTableSnapshot *table, guint64 row, guint column)
{
  RoastColumnType type = roast_column_get_column_type (roast_table_snapshot_get_column (table, column));

  if (!roast_table_snapshot_is_valid (table, row, column))
    return NULL;
  if (type == ROAST_COLUMN_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, roast_table_snapshot_get_int64 (table, row, column));
  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    return g_strdup_printf ("%.9g", roast_table_snapshot_get_double (table, row, column));
  if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    return g_strdup (roast_table_snapshot_get_boolean (table, row, column) ? "true" : "false");

  return g_strdup (roast_table_snapshot_get_string (table, row, column));
}

char *
rows_show (RoastRecording *recording, const char *table, guint64 row)
{
  g_autoptr (RoastTableSnapshot) snapshot = get (recording, table);
  GString *out = g_string_new (NULL);

  if (row >= roast_table_snapshot_get_n_rows (snapshot))
    g_string_append (out, "(no such row)");
  for (guint i = 0;
       row < roast_table_snapshot_get_n_rows (snapshot) && i < roast_table_snapshot_get_n_columns (snapshot); i++)
    {
      const char *name = roast_column_get_name (roast_table_snapshot_get_column (snapshot, i));
      g_autofree char *value = show_cell (snapshot, row, i);

      if (value != NULL && !g_str_equal (name, "source"))
        g_string_append_printf (out, "%s%s=%s", out->len > 0 ? " " : "", name, value);
    }

  return g_string_free (out, FALSE);
}

char *
rows_show_cell (RoastRecording *recording, const char *table, guint64 row, const char *column)
{
  g_autoptr (RoastTableSnapshot) snapshot = get (recording, table);
  int i = roast_table_snapshot_find_column (snapshot, column);

  g_assert_cmpint (i, >=, 0);
  g_assert_cmpuint (row, <, roast_table_snapshot_get_n_rows (snapshot));

  return show_cell (snapshot, row, (guint) i);
}

guint64
rows_count (RoastRecording *recording, const char *table)
{
  g_autoptr (RoastTableSnapshot) snapshot = get (recording, table);

  return roast_table_snapshot_get_n_rows (snapshot);
}

guint64
rows_count_with (RoastRecording *recording, const char *table, const char *column, const char *value)
{
  g_autoptr (RoastTableSnapshot) snapshot = get (recording, table);
  int i = roast_table_snapshot_find_column (snapshot, column);
  guint64 n = 0;

  g_assert_cmpint (i, >=, 0);
  for (guint64 row = 0; row < roast_table_snapshot_get_n_rows (snapshot); row++)
    {
      g_autofree char *cell = show_cell (snapshot, row, (guint) i);

      n += g_strcmp0 (cell, value) == 0 ? 1 : 0;
    }

  return n;
}

gboolean
rows_has_event (RoastRecording *recording, const char *kind, const char *part)
{
  g_autoptr (RoastTableSnapshot) events = get (recording, "events");
  guint of = (guint) roast_table_snapshot_find_column (events, "kind");
  guint message = (guint) roast_table_snapshot_find_column (events, "message");

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (events); i++)
    if (g_str_equal (roast_table_snapshot_get_string (events, i, of), kind) &&
        strstr (roast_table_snapshot_get_string (events, i, message), part) != NULL)
      return TRUE;

  return FALSE;
}

void
rows_add (RoastRecording *recording, const char *table, const char *row)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) variant = g_variant_parse (G_VARIANT_TYPE_VARDICT, row, NULL, NULL, &error);

  g_assert_no_error (error);
  roast_table_add_variant (roast_recording_get_table (recording, table), variant, &error);
  g_assert_no_error (error);
}

RoastReport *
rows_aggregate (RoastRecording *recording, const char *aggregator)
{
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  RoastReport *report = roast_report_new (roast_registry_get_schema (registry));
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastAggregator) created = roast_registry_create_aggregator (registry, aggregator, &error);

  g_assert_no_error (error);
  roast_aggregator_aggregate (created, snapshot, report, NULL, &error);
  g_assert_no_error (error);

  return report;
}
