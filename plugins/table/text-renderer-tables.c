/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-renderer.h"

#include <string.h>

#define GAP 2 /* between columns */
#define GOOD_TEXT 24
#define MIN_TEXT 12

/* A column as it is shown. */
typedef struct
{
  guint slot;
  gboolean is_text;
  gboolean has_values;
  char *heading;
  GPtrArray *cells;
  gsize width;
} Shown;

static void
shown_free (Shown *shown)
{
  g_free (shown->heading);
  g_ptr_array_unref (shown->cells);
  g_free (shown);
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

static GPtrArray *
make_columns (const TextRenderer *page, RoastTableReader *table)
{
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) shown_free);
  const char *backend = backend_of (page, table);

  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (table, i);
      RoastColumnType type = roast_column_get_column_type (column);
      Shown *shown = g_new0 (Shown, 1);

      shown->slot = i;
      shown->is_text = type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY;
      shown->heading = heading_of (page, roast_column_get_name (column), backend);
      shown->width = text_width (shown->heading);
      shown->cells = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (columns, shown);
    }

  return columns;
}

/* Cells of the first rows; a column counts as empty only if all rows are. */
static void
fill_columns (const TextRenderer *page, GPtrArray *columns, RoastTableReader *table, guint64 n_shown)
{
  guint64 row = 0;

  for (roast_table_reader_rewind (table); roast_table_reader_next (table); row++)
    for (guint i = 0; i < columns->len; i++)
      {
        Shown *shown = g_ptr_array_index (columns, i);

        shown->has_values = shown->has_values || roast_table_reader_has (table, shown->slot);
        if (row < n_shown)
          {
            char *text = cell_text (page, table, shown->slot);

            g_ptr_array_add (shown->cells, text);
            shown->width = MAX (shown->width, text_width (text));
          }
      }
  for (guint i = columns->len; i > 0; i--)
    if (!((Shown *) g_ptr_array_index (columns, i - 1))->has_values)
      g_ptr_array_remove_index (columns, i - 1);
}

static gsize
total_width (GPtrArray *columns)
{
  gsize width = 0;

  for (guint i = 0; i < columns->len; i++)
    width += ((Shown *) g_ptr_array_index (columns, i))->width + (i > 0 ? GAP : 0);

  return width;
}

/* Narrows the widest texts as far as needed, but none below @least. */
static void
narrow_texts (GPtrArray *columns, gsize width, gsize least)
{
  gsize total = total_width (columns);

  while (total > width)
    {
      Shown *widest = NULL;

      for (guint i = 0; i < columns->len; i++)
        {
          Shown *shown = g_ptr_array_index (columns, i);

          if (shown->is_text && shown->width > least && (widest == NULL || shown->width > widest->width))
            widest = shown;
        }
      if (widest == NULL)
        return;
      widest->width--;
      total--;
    }
}

/* Wraps headings: a column is then as wide as its cells and the longest word of its heading. */
static void
narrow_headings (GPtrArray *columns)
{
  for (guint i = 0; i < columns->len; i++)
    {
      Shown *shown = g_ptr_array_index (columns, i);
      g_auto (GStrv) words = g_strsplit (shown->heading, " ", -1);
      gsize width = 0;

      for (guint j = 0; words[j] != NULL; j++)
        width = MAX (width, text_width (words[j]));
      for (guint j = 0; j < shown->cells->len; j++)
        width = MAX (width, text_width (g_ptr_array_index (shown->cells, j)));
      shown->width = MIN (shown->width, width);
    }
}

/* Gives the number of columns that do not fit. */
static guint
fit (GPtrArray *columns, gsize width)
{
  guint left_out = 0;

  narrow_texts (columns, width, GOOD_TEXT);
  if (total_width (columns) > width)
    narrow_headings (columns);
  narrow_texts (columns, width, MIN_TEXT);
  while (columns->len > 1 && total_width (columns) > width)
    {
      g_ptr_array_remove_index (columns, columns->len - 1);
      left_out++;
    }

  return left_out;
}

static void
add_headings (struct libscols_table *table, GPtrArray *columns)
{
  g_autoptr (GPtrArray) wrapped = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint height = 0;

  for (guint i = 0; i < columns->len; i++)
    {
      Shown *shown = g_ptr_array_index (columns, i);
      char **lines = text_wrap (shown->heading, shown->width);

      g_ptr_array_add (wrapped, lines);
      height = MAX (height, g_strv_length (lines));
    }
  for (guint i = 0; i < height; i++)
    {
      struct libscols_line *line = scols_table_new_line (table, NULL);

      scols_line_set_color (line, DIM);
      for (guint j = 0; j < columns->len; j++)
        {
          char **lines = g_ptr_array_index (wrapped, j);
          guint n = g_strv_length (lines);

          /* Short headings stand on the last line. */
          if (i + n >= height)
            scols_line_set_data (line, j, lines[i + n - height]);
        }
    }
}

static void
print_columns (TextRenderer *page, GPtrArray *columns, guint64 n_rows)
{
  struct libscols_table *table = text_renderer_new_table (page, "  ");

  for (guint i = 0; i < columns->len; i++)
    text_renderer_add_column (table, ((Shown *) g_ptr_array_index (columns, i))->is_text ? 0 : SCOLS_FL_RIGHT);
  add_headings (table, columns);
  for (guint64 row = 0; row < n_rows; row++)
    {
      struct libscols_line *line = scols_table_new_line (table, NULL);

      for (guint i = 0; i < columns->len; i++)
        {
          Shown *shown = g_ptr_array_index (columns, i);
          g_autofree char *text = text_cut (page, g_ptr_array_index (shown->cells, row), shown->width);

          scols_line_set_data (line, i, text);
        }
    }
  text_renderer_print_table (page, table);
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

static void
put_table (TextRenderer *page, RoastTableReader *table)
{
  guint64 n_rows = roast_table_reader_get_n_rows (table);
  guint64 n_shown = page->rows > 0 ? MIN (n_rows, page->rows) : n_rows;
  g_autofree char *title = human_name (page, roast_table_info_get_name (roast_table_reader_get_info (table)));
  g_autoptr (GPtrArray) columns = NULL;
  guint left_out = 0;

  if (n_rows == 0)
    return;
  *title = g_ascii_toupper (*title);
  text_renderer_heading (page, title);
  columns = make_columns (page, table);
  fill_columns (page, columns, table, n_shown);
  left_out = fit (columns, page->width);
  print_columns (page, columns, n_shown);
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
        put_table (page, table);
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
        put_table (page, table);
    }
}
