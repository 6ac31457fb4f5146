/* SPDX-License-Identifier: BSD-3-Clause */

/* Shows what is known about the thing that a line of a view names, such as a worker, a category, a task or a process:
 * the rows of all tables that contain its name. */

#include "top.h"

#include <string.h>

#include "page/page-table.h"

#define DETAILS_MOST_ROWS 3 /* number of rows of each table that are shown: the newest */

/* Returns whether @shown is the text of a cell that contains @cell. A cell that is too wide is cut: its end or its
 * middle is replaced by a mark. */
static gboolean
is_cell (const char *shown, const char *cell)
{
  static const char *const marks[] = { "\xe2\x80\xa6", "..", ">" };

  if (g_str_equal (shown, cell))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      const char *mark = strstr (shown, marks[i]);
      g_autofree char *start = mark != NULL ? g_strndup (shown, (gsize) (mark - shown)) : NULL;

      if (mark != NULL && strlen (shown) > 2 * strlen (marks[i]) &&
          strlen (cell) >= strlen (shown) - strlen (marks[i]) && g_str_has_prefix (cell, start) &&
          g_str_has_suffix (cell, mark + strlen (marks[i])))
        return TRUE;
    }

  return FALSE;
}

/* Returns whether the column contains names of the things that rows are about. The words of a vocabulary are no names,
 * and many rows share a source. */
static gboolean
has_names (RoastColumn *column)
{
  RoastColumnType type = roast_column_get_column_type (column);

  return (type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY) &&
         roast_column_get_vocabulary (column) == NULL && !g_str_equal (roast_column_get_name (column), "source");
}

/* Returns whether a cell of the current row is @name, or the ID of the process is @pid. */
static gboolean
names (RoastTableReader *table, const char *name, gint64 pid)
{
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (table, i);
      const char *cell = has_names (column) ? roast_table_reader_get_string (table, i) : NULL;

      if (cell != NULL && *cell != '\0' && is_cell (name, cell))
        return TRUE;
      if (pid > 0 && g_str_equal (roast_column_get_name (column), "pid") &&
          roast_table_reader_get_int64 (table, i, -1) == pid)
        return TRUE;
    }

  return FALSE;
}

static void
append_row (const PageSource *source, RoastTableReader *table, const char *backend, int width, GPtrArray *lines)
{
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    {
      RoastColumn *column = roast_table_reader_get_column (table, i);
      g_autofree char *heading = page_column_heading (source, roast_column_get_name (column), backend);
      g_autofree char *cell = roast_table_reader_has (table, i) ? page_cell_text (source, table, i) : NULL;
      g_autofree char *text = cell != NULL ? g_strdup_printf ("  %-22s %s", heading, cell) : NULL;

      if (text != NULL)
        g_ptr_array_add (lines, top_fit (text, width));
    }
}

/* Appends the last rows of a table that contain @name, and their number. */
static void
append_table (const PageSource *source, RoastTableReader *table, const char *name, int width, GPtrArray *lines)
{
  g_autofree char *title = page_human_name (source, roast_table_info_get_name (roast_table_reader_get_info (table)));
  gint64 pid = g_ascii_strtoll (name, NULL, 10);
  const char *backend = page_table_backend (source, table);
  g_autofree char *heading = NULL;
  guint n = 0, skipped;

  roast_table_reader_rewind (table);
  while (roast_table_reader_next (table))
    n += names (table, name, pid);
  if (n == 0)
    return;
  skipped = n - MIN (n, DETAILS_MOST_ROWS);
  *title = g_ascii_toupper (*title);
  heading =
      skipped > 0 ? g_strdup_printf ("%s (the last %d of %u rows)", title, DETAILS_MOST_ROWS, n) : g_strdup (title);
  g_ptr_array_add (lines, g_strdup (""));
  g_ptr_array_add (lines, top_fit (heading, width));
  roast_table_reader_rewind (table);
  for (guint row = 0; roast_table_reader_next (table);)
    if (names (table, name, pid) && row++ >= skipped)
      {
        if (row > skipped + 1)
          g_ptr_array_add (lines, g_strdup (""));
        append_row (source, table, backend, width, lines);
      }
}

/* Appends rows of the report's tables. @sums: take only the tables with a row for each category, worker and so on, or
 * only the other tables */
static void
append_report_tables (const TopLook *look, const PageSource *source, const char *name, gboolean sums, int width,
                      GPtrArray *lines)
{
  g_auto (GStrv) tables = roast_report_dup_table_names (look->report);

  for (char **table = tables; *table != NULL; table++)
    {
      g_autoptr (RoastTableReader) reader = roast_report_read_table (look->report, *table, NULL, NULL);

      if (reader != NULL && g_str_has_prefix (*table, "per_") == sums)
        append_table (source, reader, name, width, lines);
    }
}

static void
append_tables (const TopLook *look, const PageSource *source, const char *name, int width, GPtrArray *lines)
{
  g_auto (GStrv) tables = roast_recording_snapshot_dup_table_names (look->snapshot);

  append_report_tables (look, source, name, TRUE, width, lines);
  for (char **table = tables; *table != NULL; table++)
    {
      g_autoptr (RoastTableReader) reader = roast_recording_snapshot_read_table (look->snapshot, *table, NULL, NULL);

      if (reader != NULL &&
          roast_table_info_get_origin (roast_table_reader_get_info (reader)) == ROAST_TABLE_ORIGIN_MEASURED)
        append_table (source, reader, name, width, lines);
    }
  append_report_tables (look, source, name, FALSE, width, lines);
}

/* Returns recorded text as it is, because each line is made harmless when it is fitted. */
static char *
keep_text (gconstpointer data, const char *text)
{
  return g_strdup (text);
}

void
top_details_append (const TopLook *look, const char *line, int width, GPtrArray *lines)
{
  PageSource source;
  g_auto (GStrv) cells = g_strsplit (line, "  ", -1);
  guint before;

  page_source_init (&source, look->snapshot, look->report);
  source.printable = keep_text;
  g_ptr_array_add (lines, g_strdup (""));
  g_ptr_array_add (lines, top_fit (line, width));
  before = lines->len;
  /* The first cell that names something says which row it is. The first word of a row may be its kind. */
  for (char **cell = cells; *cell != NULL && lines->len == before; cell++)
    if (*g_strstrip (*cell) != '\0')
      append_tables (look, &source, *cell, width, lines);
  if (lines->len == before)
    g_ptr_array_add (lines, top_fit ("No table has a row about this line. Escape goes back.", width));
  page_source_clear (&source);
}
