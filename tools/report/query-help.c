/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists the tables and columns available to SQL, and suggests names for misspelt ones. */

#include "query-help.h"

#include <string.h>

#include "core/base/roast-fail-private.h"
#include "core/base/roast-suggest-private.h"
#include "query-metrics.h"
#include "query-table.h"
#include "rows-output.h"

/* Returns the names or the types of the columns in a CREATE TABLE declaration. */
static char **
split_columns (const char *declaration, gboolean with_type)
{
  char **columns = g_strsplit (declaration, ", ", -1);

  for (guint i = 0; columns[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (columns[i], " ", 2);
      const char *word = words[with_type ? 1 : 0];

      g_free (columns[i]);
      columns[i] = g_strdup (word != NULL ? word : "");
      g_strdelimit (columns[i], "\"", ' ');
      g_strstrip (columns[i]);
    }

  return columns;
}

static char **
dup_column_names (RoastTableInfo *info)
{
  guint n = roast_table_info_get_n_columns (info);
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = g_strdup (roast_column_get_name (roast_table_info_get_column (info, i)));

  return names;
}

static RoastTableInfo *
find_table (GPtrArray *infos, const char *name)
{
  for (guint i = 0; i < infos->len; i++)
    if (g_ascii_strcasecmp (roast_table_info_get_name (g_ptr_array_index (infos, i)), name) == 0)
      return g_ptr_array_index (infos, i);

  return NULL;
}

static const QueryMetricsTable *
find_other (const char *name)
{
  for (guint i = 0; query_metrics_tables[i].name != NULL; i++)
    if (g_ascii_strcasecmp (query_metrics_tables[i].name, name) == 0)
      return &query_metrics_tables[i];

  return NULL;
}

/* ---- lists ---- */

static void
add_n_rows (RowsOutput *rows, QueryDatabase *database, RoastTableInfo *info)
{
  const char *none[] = { NULL };
  g_autoptr (RoastTableReader) reader = NULL;
  g_autofree char *n_rows = NULL;

  if (roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
    reader = roast_recording_read_table (database->run->recording, roast_table_info_get_name (info), none, NULL);
  if (reader != NULL)
    n_rows = g_strdup_printf ("%" G_GUINT64_FORMAT, roast_table_reader_get_n_rows (reader));
  rows_output_add_cell (rows, n_rows != NULL ? ROWS_CELL_NUMBER : ROWS_CELL_MISSING, n_rows);
}

/* Adds a row for a table. Leaves the number of rows empty for tables of the report: counting them would require making
 * the report. */
static gboolean
add_table (RowsOutput *rows, QueryDatabase *database, const char *name, const char *of, RoastTableInfo *info,
           char **columns, GError **error)
{
  g_autofree char *list = g_strjoinv (", ", columns);

  rows_output_add_text (rows, name);
  rows_output_add_text (rows, of);
  if (info != NULL)
    add_n_rows (rows, database, info);
  else
    rows_output_add_text (rows, NULL);
  rows_output_add_text (rows, list);

  return rows_output_end_row (rows, error);
}

gboolean
query_help_tables (QueryDatabase *database, ReportFormat format, GError **error)
{
  static const char *const head[] = { "table", "of", "rows", "columns", NULL };
  g_autoptr (RowsOutput) rows = rows_output_new (format, head);
  g_autoptr (GPtrArray) infos = query_database_list_tables (database);

  for (guint i = 0; query_metrics_tables[i].name != NULL; i++)
    {
      g_auto (GStrv) columns = split_columns (query_metrics_tables[i].columns, FALSE);

      if (!add_table (rows, database, query_metrics_tables[i].name, query_metrics_tables[i].of, NULL, columns, error))
        return FALSE;
    }
  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);
      gboolean is_measured = roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED;
      g_auto (GStrv) columns = dup_column_names (info);

      if (!add_table (rows, database, roast_table_info_get_name (info), is_measured ? "recording" : "report", info,
                      columns, error))
        return FALSE;
    }

  return rows_output_end (rows, error);
}

static gboolean
add_column (RowsOutput *rows, const char *table, const char *name, const char *type, const char *unit,
            const char *description, GError **error)
{
  rows_output_add_text (rows, table);
  rows_output_add_text (rows, name);
  rows_output_add_text (rows, *type != '\0' ? type : NULL);
  rows_output_add_text (rows, unit);
  rows_output_add_text (rows, description);

  return rows_output_end_row (rows, error);
}

static gboolean
add_columns (RowsOutput *rows, RoastTableInfo *info, GError **error)
{
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      if (!add_column (rows, roast_table_info_get_name (info), roast_column_get_name (column),
                       query_table_type_name (column), roast_column_get_unit (column),
                       roast_column_get_description (column), error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
add_other_columns (RowsOutput *rows, const QueryMetricsTable *table, GError **error)
{
  g_auto (GStrv) names = split_columns (table->columns, FALSE);
  g_auto (GStrv) types = split_columns (table->columns, TRUE);

  for (guint i = 0; names[i] != NULL; i++)
    if (!add_column (rows, table->name, names[i], types[i], NULL, i == 0 ? table->description : NULL, error))
      return FALSE;

  return TRUE;
}

static GPtrArray *
query_help_list_names (GPtrArray *infos)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; query_metrics_tables[i].name != NULL; i++)
    g_ptr_array_add (names, (char *) query_metrics_tables[i].name);
  for (guint i = 0; i < infos->len; i++)
    g_ptr_array_add (names, (char *) roast_table_info_get_name (g_ptr_array_index (infos, i)));
  g_ptr_array_add (names, NULL);

  return names;
}

gboolean
query_help_columns (QueryDatabase *database, const char *table, ReportFormat format, GError **error)
{
  static const char *const head[] = { "table", "column", "type", "unit", "meaning", NULL };
  g_autoptr (RowsOutput) rows = rows_output_new (format, head);
  g_autoptr (GPtrArray) infos = query_database_list_tables (database);
  g_autoptr (GPtrArray) names = query_help_list_names (infos);

  if (table != NULL && find_table (infos, table) == NULL && find_other (table) == NULL)
    {
      g_autofree char *known =
          roast_suggest_sentence (table, (const char *const *) names->pdata, "the tables are", "there are none");

      return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "no table “%s”; %s", table, known);
    }
  for (guint i = 0; i + 1 < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      RoastTableInfo *info = find_table (infos, name);

      if (table != NULL && g_ascii_strcasecmp (name, table) != 0)
        continue;
      if (!(info != NULL ? add_columns (rows, info, error) : add_other_columns (rows, find_other (name), error)))
        return FALSE;
    }

  return rows_output_end (rows, error);
}

/* ---- advice ---- */

static char *
advise_table (GPtrArray *infos, const char *name)
{
  g_autoptr (GPtrArray) names = query_help_list_names (infos);
  const char *dot = strrchr (name, '.');
  const char *near = roast_suggest (dot != NULL ? dot + 1 : name, (const char *const *) names->pdata);

  return near != NULL ? g_strdup_printf ("; did you mean %s? “roast-report query” lists the tables", near)
                      : g_strdup ("; “roast-report query” lists the tables");
}

/* Suggests columns of the tables that the statement names. @name may be alias.column. */
static char *
advise_column (QueryDatabase *database, GPtrArray *infos, const char *name)
{
  const char *dot = strrchr (name, '.');
  const char *bare = dot != NULL ? dot + 1 : name;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);
      const char *table = roast_table_info_get_name (info);
      g_auto (GStrv) columns = dup_column_names (info);
      g_autofree char *sentence = NULL;

      if (!g_hash_table_contains (database->used, table))
        continue;
      sentence = roast_suggest_sentence (bare, (const char *const *) columns, "has", "has none");
      g_string_append_printf (text, "; table %s %s", table, sentence);
    }
  if (text->len == 0)
    g_string_append (text, "; “roast-report query .columns” lists all columns");

  return g_string_free (text, FALSE);
}

char *
query_help_advise (QueryDatabase *database, const char *message)
{
  static const char no_table[] = "no such table: ";
  static const char no_column[] = "no such column: ";
  g_autoptr (GPtrArray) infos = query_database_list_tables (database);

  if (g_str_has_prefix (message, no_table))
    return advise_table (infos, message + strlen (no_table));
  if (g_str_has_prefix (message, no_column))
    return advise_column (database, infos, message + strlen (no_column));

  return g_strdup ("");
}
