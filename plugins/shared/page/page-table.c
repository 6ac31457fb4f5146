/* SPDX-License-Identifier: BSD-3-Clause */

#include "page-table.h"

#define SHORT 600 /* s; show times with milliseconds if the run is shorter than this */

const char *
page_unit_format (const char *unit)
{
  static const struct
  {
    const char *unit, *format;
  } formats[] = { { "s", "duration" }, { "B", "bytes" },       { "B/s", "bytes-rate" }, { "bit/s", "bits-rate" },
                  { "1/s", "rate" },   { "ratio", "percent" }, { "id", "id" } };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (unit, formats[i].unit) == 0)
      return formats[i].format;

  return NULL;
}

static const char *
page_column_format (RoastColumn *column)
{
  const char *format = page_unit_format (roast_column_get_unit (column));

  if (format != NULL)
    return format;

  return roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_INT64 ? "count" : "number";
}

/* Show milliseconds for a short run, because all rows would otherwise show the same time. */
static char *
time_text (const PageSource *source, gint64 time)
{
  g_autofree char *text = page_format_time (source, time, "%H:%M:%S");
  double elapsed = 0;

  if (text == NULL)
    return g_strdup ("-");
  if (time < 0 || !roast_report_get_double (source->report, "elapsed_time_seconds", &elapsed) || elapsed >= SHORT)
    return g_steal_pointer (&text);

  return g_strdup_printf ("%s.%03d", text, (int) (time / 1000 % 1000));
}

char *
page_cell_text (const PageSource *source, RoastTableReader *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (table, slot);
  g_autoptr (GVariant) value = roast_table_reader_dup_value (table, slot);

  if (value == NULL)
    return g_strdup ("-");
  if (g_strcmp0 (roast_column_get_unit (column), "us") == 0 && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return time_text (source, g_variant_get_int64 (value));

  return roast_format_value (value, page_column_format (column));
}

char *
page_human_name (const PageSource *source, const char *name)
{
  char *human = page_printable (source, name);

  return g_strdelimit (human, "_", ' ');
}

/* Return the backend of all sources of the run; NULL if sources have different backends. */
static const char *
only_backend (const PageSource *source)
{
  const char *backend = NULL;
  const char *next = NULL;
  GHashTableIter iter;

  g_hash_table_iter_init (&iter, source->backends);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &next))
    {
      if (next == NULL || (backend != NULL && !g_str_equal (backend, next)))
        return NULL;
      backend = next;
    }

  return backend;
}

const char *
page_table_backend (const PageSource *source, RoastTableReader *table)
{
  const char *before = NULL;
  const char *backend = NULL;
  guint slot = 0;

  if (!roast_table_info_find_column (roast_table_reader_get_info (table), "source", &slot))
    return only_backend (source);
  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      const char *next = roast_table_reader_get_string (table, slot);
      const char *its_backend = NULL;

      if (next != NULL && next == before)
        continue;
      its_backend = next != NULL ? g_hash_table_lookup (source->backends, next) : NULL;
      if (its_backend == NULL || (backend != NULL && !g_str_equal (backend, its_backend)))
        return NULL;
      before = next;
      backend = its_backend;
    }

  return backend;
}

char *
page_column_heading (const PageSource *source, const char *name, const char *backend)
{
  const char *label = backend != NULL ? roast_schema_get_label (source->schema, backend, name) : name;

  return g_str_equal (label, name) ? page_human_name (source, name) : page_printable (source, label);
}

gboolean
page_table_is_added (RoastSchema *core, RoastTableInfo *info)
{
  RoastTableInfo *known = roast_schema_lookup_table (core, roast_table_info_get_name (info));
  gboolean is_added = known == NULL;

  for (guint i = 0; !is_added && i < roast_table_info_get_n_columns (info); i++)
    is_added =
        !roast_table_info_find_column (known, roast_column_get_name (roast_table_info_get_column (info, i)), NULL);

  return is_added;
}
