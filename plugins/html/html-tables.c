/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the tables of the report. Of the tables of the recording, puts only processes, tasks and events, and the tables
 * that plugins add. */

#include "html-page.h"
#include "page/page-table.h"

#define TABLES_BYTES 140000
#define LEAST_TABLE_BYTES 3000
#define MAX_ROWS 5000 /* maximum number of rows that are read; more rows never fit into the page */
#define END_BYTES 500 /* bytes reserved for the end of a table, and for the line with the number of rows left out */

/* Tables of the report that other parts of the page show. */
static const char *const elsewhere[] = { "findings", "finding_evidence", "rules", NULL };

static const char *const recorded[] = { "processes", "tasks", "events", NULL };

typedef struct
{
  RoastTableReader *table;
  const HtmlTop *top;
  gboolean *has_values; /* by column: TRUE if any shown row has a value; columns without values are left out */
  const char *backend;
  guint n_columns;
} Shown;

static void
find_values (Shown *shown)
{
  for (guint i = 0; i < shown->top->rows->len; i++)
    if (roast_table_reader_seek (shown->table, g_array_index (shown->top->rows, guint64, i)))
      for (guint j = 0; j < shown->n_columns; j++)
        shown->has_values[j] = shown->has_values[j] || roast_table_reader_has (shown->table, j);
}

static gboolean
tables_is_number (RoastColumn *column)
{
  RoastColumnType type = roast_column_get_column_type (column);

  return type == ROAST_COLUMN_TYPE_INT64 || type == ROAST_COLUMN_TYPE_DOUBLE;
}

static void
tables_put_headings (HtmlPage *self, const Shown *shown)
{
  html_put (self, "<thead><tr>");
  for (guint i = 0; i < shown->n_columns; i++)
    {
      RoastColumn *column = roast_table_reader_get_column (shown->table, i);
      g_autofree char *heading = NULL;

      if (!shown->has_values[i])
        continue;
      heading = page_column_heading (self->source, roast_column_get_name (column), shown->backend);
      html_printf (self, "<th scope=\"col\"%s title=\"", tables_is_number (column) ? " class=\"n\"" : "");
      if (roast_column_get_description (column) != NULL)
        html_text (self, roast_column_get_description (column), HTML_NAME);
      html_put (self, "\">");
      html_text (self, heading, HTML_NAME);
      html_put (self, "</th>");
    }
  html_put (self, "</tr></thead>\n<tbody>\n");
}

static void
tables_put_row (HtmlPage *self, const Shown *shown)
{
  html_put (self, "<tr>");
  for (guint i = 0; i < shown->n_columns; i++)
    if (shown->has_values[i])
      {
        g_autoptr (GVariant) value = roast_table_reader_dup_value (shown->table, i);
        g_autofree char *text = value != NULL ? page_cell_text (self->source, shown->table, i) : g_strdup ("");

        html_put_cell (self, value, text, "td");
      }
  html_put (self, "</tr>\n");
}

/* Put rows until the part of the page is full. Return the number of rows that were put. */
static guint
tables_put_rows (HtmlPage *self, const Shown *shown)
{
  const GArray *rows = shown->top->rows;

  for (guint i = 0; i < rows->len; i++)
    {
      gsize start = self->body->len;

      if (!roast_table_reader_seek (shown->table, g_array_index (rows, guint64, i)))
        return i;
      tables_put_row (self, shown);
      if (!html_fits (self, start))
        return i;
    }

  return rows->len;
}

static void
tables_put_left_out (HtmlPage *self, const Shown *shown, guint n)
{
  guint64 n_rows = roast_table_reader_get_n_rows (shown->table);
  g_autofree char *all = roast_format_number ((double) n_rows, "count");
  g_autofree char *column = shown->top->column != NULL ? page_human_name (self->source, shown->top->column) : NULL;

  if (n >= n_rows)
    return;
  html_put (self, "<p class=\"more\">");
  if (column != NULL)
    html_printf (self, "The %u rows with the largest “%s”, of %s rows", n, column, all);
  else
    html_printf (self, "The first %u of %s rows", n, all);
  html_put (self, "; <code>-e csv:DIR</code> and <code>-e json:FILE</code> have all rows, <code>-e "
                  "html:FILE,rows=N</code> shows more rows.</p>\n");
}

static void
put_caption (HtmlPage *self, RoastTableReader *table, const char *caption)
{
  const char *description = roast_table_info_get_description (roast_table_reader_get_info (table));

  html_put (self, "<caption>");
  html_text (self, caption, HTML_NAME);
  if (description != NULL)
    {
      html_put (self, "<span>: ");
      html_text (self, description, HTML_SENTENCE);
      html_put (self, "</span>");
    }
  html_put (self, "</caption>\n");
}

void
html_put_table (HtmlPage *self, RoastTableReader *table, const char *id, const char *caption, gsize n_bytes)
{
  HtmlTop top;
  gsize start = self->body->len;
  gsize rows = 0;
  gsize limit = self->limit;
  guint n_columns = roast_table_reader_get_n_columns (table);
  g_autofree gboolean *has_values = g_new0 (gboolean, MAX (n_columns, 1));
  Shown shown = { table, &top, has_values, page_table_backend (self->source, table), n_columns };
  guint n = 0;

  html_top_init (&top, table, self->rows > 0 ? MIN (self->rows, MAX_ROWS) : MAX_ROWS);
  self->limit = MIN (limit, start + n_bytes) - END_BYTES;
  find_values (&shown);
  html_printf (self, "<div class=\"scroll\" id=\"%s\"><table class=\"sortable\">", id);
  put_caption (self, table, caption);
  tables_put_headings (self, &shown);
  rows = self->body->len;
  n = tables_put_rows (self, &shown);
  if (n > 0 && n < top.rows->len && top.column == NULL)
    {
      /* All rows should be shown, but only @n of them fit, so show the @n costliest rows instead of the first
       * @n rows. */
      html_top_clear (&top);
      html_top_init (&top, table, n);
      g_string_truncate (self->body, rows);
      n = tables_put_rows (self, &shown);
    }
  html_put (self, "</tbody></table></div>\n");
  tables_put_left_out (self, &shown, n);
  self->limit = limit;
  html_top_clear (&top);
  if (html_fits (self, start))
    return;
  html_printf (self, "<p class=\"more\" id=\"%s\">", id);
  html_text (self, caption, HTML_NAME);
  html_put (self, " did not fit into this page: <code>-e csv:DIR</code> and <code>-e json:FILE</code> write this "
                  "table</p>\n");
}

/* ---- choice of tables ---- */

static void
add_report_tables (const HtmlPage *self, GPtrArray *tables)
{
  g_auto (GStrv) names = roast_report_dup_table_names (self->source->report);

  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastTableReader *table = roast_report_read_table (self->source->report, names[i], NULL, NULL);

      if (table != NULL && roast_table_reader_get_n_rows (table) > 0 && !g_strv_contains (elsewhere, names[i]))
        g_ptr_array_add (tables, table);
      else
        g_clear_object (&table);
    }
}

static void
add_recorded_tables (const HtmlPage *self, GPtrArray *tables)
{
  g_autoptr (RoastSchema) core = roast_schema_new ();
  g_auto (GStrv) names = roast_recording_snapshot_dup_table_names (self->source->recording);

  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastTableReader *table = roast_recording_snapshot_read_table (self->source->recording, names[i], NULL, NULL);

      if (table != NULL && roast_table_reader_get_n_rows (table) > 0 &&
          (g_strv_contains (recorded, names[i]) || page_table_is_added (core, roast_table_reader_get_info (table))))
        g_ptr_array_add (tables, table);
      else
        g_clear_object (&table);
    }
}

static char *
title_of (const HtmlPage *self, RoastTableReader *table)
{
  char *title = page_human_name (self->source, roast_table_info_get_name (roast_table_reader_get_info (table)));

  *title = g_ascii_toupper (*title);

  return title;
}

static void
put_list (HtmlPage *self, GPtrArray *tables, GPtrArray *ids)
{
  html_put (self, "<ul class=\"tables\">\n");
  for (guint i = 0; i < tables->len; i++)
    {
      gsize start = self->body->len;
      g_autofree char *title = title_of (self, g_ptr_array_index (tables, i));
      g_autofree char *rows =
          roast_format_number ((double) roast_table_reader_get_n_rows (g_ptr_array_index (tables, i)), "count");

      html_printf (self, "<li><a href=\"#%s\">", (const char *) g_ptr_array_index (ids, i));
      html_text (self, title, HTML_NAME);
      html_printf (self, "</a> %s</li>\n", rows);
      if (!html_fits (self, start))
        break;
    }
  html_put (self, "</ul>\n");
}

void
html_put_tables (HtmlPage *self)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  add_report_tables (self, tables);
  add_recorded_tables (self, tables);
  if (tables->len == 0)
    return;
  html_begin_part (self, TABLES_BYTES);
  html_begin_section (self, "tables", "Tables");
  for (guint i = 0; i < tables->len; i++)
    g_ptr_array_add (ids,
                     html_new_id (self, "table-",
                                  roast_table_info_get_name (roast_table_reader_get_info (g_ptr_array_index (tables,
                                                                                                             i)))));
  put_list (self, tables, ids);
  for (guint i = 0; i < tables->len; i++)
    {
      g_autofree char *title = title_of (self, g_ptr_array_index (tables, i));
      gsize left = self->limit > self->body->len ? self->limit - self->body->len : 0;

      /* Let each of the remaining tables have an equal share of the bytes that are left. */
      html_put_table (self, g_ptr_array_index (tables, i), g_ptr_array_index (ids, i), title,
                      MAX (left / (tables->len - i), LEAST_TABLE_BYTES));
    }
  html_end_section (self);
}
