/* SPDX-License-Identifier: BSD-3-Clause */

#include "page/page-table.h"
#include "text-columns.h"

#include <string.h>

/* Column of the table that a shown column gets its cells from. */
typedef struct
{
  guint slot;
  gboolean has_values;
  GVariant *first; /* value in the first row, with which the values in all other rows are compared */
} Source;

static void
source_clear (Source *source)
{
  g_clear_pointer (&source->first, g_variant_unref);
}

/* Return the rank of a column. Memory columns are left out last, because memory is usually the resource that runs out
 * first. */
static guint
rank_of (RoastColumn *column)
{
  return strstr (roast_column_get_name (column), "memory") != NULL ? 2 : 1;
}

static GPtrArray *
text_renderer_tables_make_columns (const TextRenderer *page, RoastTableReader *table, GArray *sources)
{
  GPtrArray *columns = text_columns_new ();
  const char *backend = page_table_backend (page->source, table);

  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (table, i);
      RoastColumnType type = roast_column_get_column_type (column);
      g_autofree char *heading = page_column_heading (page->source, roast_column_get_name (column), backend);
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

static void
add_cell (const TextRenderer *page, TextColumn *shown, RoastTableReader *table, guint slot)
{
  g_autofree char *text = page_cell_text (page->source, table, slot);

  text_columns_add_cell (shown, text_renderer_printable (page, text));
}

/* Fill in the cells of the first @n_shown rows. Read all other rows, too, to find out which columns are empty or
 * constant. */
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
          add_cell (page, shown, table, source->slot);
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
  g_autofree char *name =
      page_human_name (page->source, roast_table_info_get_name (roast_table_reader_get_info (table)));
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (Source));
  g_autoptr (GPtrArray) columns = NULL;
  g_autofree char *fixed = NULL;
  g_autofree char *title = NULL;
  guint left_out = 0;

  if (n_rows == 0)
    return;
  g_array_set_clear_func (sources, (GDestroyNotify) source_clear);
  *name = g_ascii_toupper (*name);
  columns = text_renderer_tables_make_columns (page, table, sources);
  fill_columns (page, columns, sources, table, n_shown);
  fixed = text_columns_take_fixed (columns);
  title = *fixed != '\0' ? g_strdup_printf ("%s (all: %s)", name, fixed) : g_strdup (name);
  text_renderer_wrapped_heading (page, title);
  left_out = text_columns_fit (page, columns, page->width);
  text_columns_print (page, columns, n_shown);
  put_left_out (page, n_rows - n_shown, left_out);
}

void
text_renderer_put_tables (TextRenderer *page)
{
  RoastReport *report = page->source->report;
  g_auto (GStrv) names = roast_report_dup_table_names (report);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) table = roast_report_read_table (report, names[i], NULL, NULL);

      if (table != NULL)
        text_renderer_put_table (page, table);
    }
}

void
text_renderer_put_added_tables (TextRenderer *page)
{
  RoastRecordingSnapshot *recording = page->source->recording;
  g_autoptr (RoastSchema) core = roast_schema_new ();
  g_auto (GStrv) names = roast_recording_snapshot_dup_table_names (recording);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) table = roast_recording_snapshot_read_table (recording, names[i], NULL, NULL);

      if (table != NULL && page_table_is_added (core, roast_table_reader_get_info (table)))
        text_renderer_put_table (page, table);
    }
}
