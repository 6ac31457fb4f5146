/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-columns.h"

#include <string.h>

/* A column of a table in the report, beside how it is shown. */
typedef struct
{
  guint slot;
  gboolean has_values;
  GVariant *first; /* value of the first row, as long as all rows have it */
} Source;

static void
source_clear (Source *source)
{
  g_clear_pointer (&source->first, g_variant_unref);
}

static const char *
format_of_column (RoastColumn *column)
{
  static const struct
  {
    const char *unit, *format;
  } formats[] = { { "s", "duration" },      { "B", "bytes" },  { "B/s", "bytes-rate" },
                  { "bit/s", "bits-rate" }, { "1/s", "rate" }, { "ratio", "percent" } };
  const char *unit = roast_column_get_unit (column);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (unit, formats[i].unit) == 0)
      return formats[i].format;

  return roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_INT64 ? "count" : "number";
}

static char *
time_text (gint64 time)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_local (time / G_USEC_PER_SEC);

  return moment != NULL ? g_date_time_format (moment, "%H:%M:%S") : g_strdup ("-");
}

static char *
cell_text (const TextRenderer *page, RoastTableReader *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (table, slot);
  g_autoptr (GVariant) value = roast_table_reader_dup_value (table, slot);
  g_autofree char *text = NULL;

  if (value == NULL)
    return g_strdup ("-");
  if (g_strcmp0 (roast_column_get_unit (column), "us") == 0 && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return time_text (g_variant_get_int64 (value));
  text = roast_format_value (value, format_of_column (column));

  return text_renderer_printable (page, text);
}

static char *
human_name (const TextRenderer *page, const char *name)
{
  char *human = text_renderer_printable (page, name);

  return g_strdelimit (human, "_", ' ');
}

/* The backend of all sources of a run; NULL if there are several. */
static const char *
only_backend (const TextRenderer *page)
{
  const char *backend = NULL;
  const char *next = NULL;
  GHashTableIter iter;

  g_hash_table_iter_init (&iter, page->backends);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &next))
    {
      if (next == NULL || (backend != NULL && !g_str_equal (backend, next)))
        return NULL;
      backend = next;
    }

  return backend;
}

/* The backend that all rows come from; NULL if there are several. */
static const char *
backend_of (const TextRenderer *page, RoastTableReader *table)
{
  const char *source = NULL;
  const char *backend = NULL;
  guint slot = 0;

  if (!roast_table_info_find_column (roast_table_reader_get_info (table), "source", &slot))
    return only_backend (page);
  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      const char *next = roast_table_reader_get_string (table, slot);
      const char *its_backend = NULL;

      if (next != NULL && next == source)
        continue;
      its_backend = next != NULL ? g_hash_table_lookup (page->backends, next) : NULL;
      if (its_backend == NULL || (backend != NULL && !g_str_equal (backend, its_backend)))
        return NULL;
      source = next;
      backend = its_backend;
    }

  return backend;
}

/* Users of an executor know a column by the executor's own name for it. */
static char *
heading_of (const TextRenderer *page, const char *name, const char *backend)
{
  const char *label = backend != NULL ? roast_schema_get_label (page->schema, backend, name) : name;

  return g_str_equal (label, name) ? human_name (page, name) : text_renderer_printable (page, label);
}

/* What is used up first must be seen. */
static guint
rank_of (RoastColumn *column)
{
  return strstr (roast_column_get_name (column), "memory") != NULL ? 2 : 1;
}

static GPtrArray *
make_columns (const TextRenderer *page, RoastTableReader *table, GArray *sources)
{
  GPtrArray *columns = text_columns_new ();
  const char *backend = backend_of (page, table);

  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (table, i);
      RoastColumnType type = roast_column_get_column_type (column);
      g_autofree char *heading = heading_of (page, roast_column_get_name (column), backend);
      Source source = { .slot = i };

      text_columns_add (columns, heading, type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY)
          ->rank = rank_of (column);
      g_array_append_val (sources, source);
    }

  return columns;
}

static void
look_at_value (TextColumn *shown, Source *source, RoastTableReader *table, guint64 row)
{
  g_autoptr (GVariant) value = NULL;

  if (source->has_values && !shown->is_fixed)
    return;
  value = roast_table_reader_dup_value (table, source->slot);
  source->has_values = source->has_values || value != NULL;
  if (row == 0 && value != NULL)
    {
      source->first = g_variant_ref (value);
      shown->is_fixed = TRUE;
    }
  else if (shown->is_fixed)
    shown->is_fixed = value != NULL && g_variant_equal (value, source->first);
}

/* Cells of the first rows; a column counts as empty, or as the same in all rows, only if all rows are. */
static void
fill_columns (const TextRenderer *page, GPtrArray *columns, GArray *sources, RoastTableReader *table, guint64 n_shown)
{
  guint64 row = 0;

  for (roast_table_reader_rewind (table); roast_table_reader_next (table); row++)
    for (guint i = 0; i < columns->len; i++)
      {
        TextColumn *shown = g_ptr_array_index (columns, i);
        Source *source = &g_array_index (sources, Source, i);

        look_at_value (shown, source, table, row);
        if (row < n_shown)
          text_columns_add_cell (shown, cell_text (page, table, source->slot));
      }
  for (guint i = columns->len; i > 0; i--)
    if (!g_array_index (sources, Source, i - 1).has_values)
      g_ptr_array_remove_index (columns, i - 1);
}

static void
put_left_out (TextRenderer *page, guint64 rows, guint columns)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *safe = NULL;

  if (rows > 0)
    {
      g_autofree char *number = roast_format_number ((double) rows, "count");

      g_string_append_printf (text, "and %s more %s", number, rows > 1 ? "rows" : "row");
    }
  if (columns > 0)
    g_string_append_printf (text, "%s%u %s did not fit", rows > 0 ? "; " : "", columns,
                            columns > 1 ? "columns" : "column");
  if (text->len == 0)
    return;
  safe = text_renderer_printable (page, text->str);
  text_renderer_line (page, DIM, safe);
}

void
text_renderer_put_table (TextRenderer *page, RoastTableReader *table)
{
  guint64 n_rows = roast_table_reader_get_n_rows (table);
  guint64 n_shown = page->rows > 0 ? MIN (n_rows, page->rows) : n_rows;
  g_autofree char *name = human_name (page, roast_table_info_get_name (roast_table_reader_get_info (table)));
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (Source));
  g_autoptr (GPtrArray) columns = NULL;
  g_autofree char *fixed = NULL;
  g_autofree char *title = NULL;
  guint left_out = 0;

  if (n_rows == 0)
    return;
  g_array_set_clear_func (sources, (GDestroyNotify) source_clear);
  *name = g_ascii_toupper (*name);
  columns = make_columns (page, table, sources);
  fill_columns (page, columns, sources, table, n_shown);
  fixed = text_columns_take_fixed (columns);
  title = *fixed != '\0' ? g_strdup_printf ("%s (all: %s)", name, fixed) : g_strdup (name);
  text_renderer_wrapped_heading (page, title);
  left_out = text_columns_fit (page, columns, page->width);
  text_columns_print (page, columns, n_shown);
  put_left_out (page, n_rows - n_shown, left_out);
}

/* Its rows say what metrics are relative to. */
static gboolean
is_detail (const char *table)
{
  return g_str_equal (table, "windows");
}

void
text_renderer_put_tables (TextRenderer *page, RoastReport *report)
{
  g_auto (GStrv) names = roast_report_dup_table_names (report);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) table = roast_report_read_table (report, names[i], NULL, NULL);

      if (table != NULL && (page->detail || !is_detail (names[i])))
        text_renderer_put_table (page, table);
    }
}

/* A plugin declared the table, or one of its columns. */
static gboolean
is_added (RoastSchema *core, RoastTableInfo *info)
{
  RoastTableInfo *known = roast_schema_lookup_table (core, roast_table_info_get_name (info));
  gboolean is_added = known == NULL;

  for (guint i = 0; !is_added && i < roast_table_info_get_n_columns (info); i++)
    is_added =
        !roast_table_info_find_column (known, roast_column_get_name (roast_table_info_get_column (info, i)), NULL);

  return is_added;
}

void
text_renderer_put_added_tables (TextRenderer *page, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastSchema) core = roast_schema_new ();
  g_auto (GStrv) names = roast_recording_snapshot_dup_table_names (recording);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) table = roast_recording_snapshot_read_table (recording, names[i], NULL, NULL);

      if (table != NULL && is_added (core, roast_table_reader_get_info (table)))
        text_renderer_put_table (page, table);
    }
}
