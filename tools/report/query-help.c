/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists the tables and columns available to SQL, and suggests names for misspelt ones. */

#include "query-help.h"

#include <string.h>

#include "core/base/roast-fail-private.h"
#include "core/base/roast-suggest-private.h"
#include "query-metrics.h"
#include "query-table.h"

/* Table of all columns, in the order of their tables. For tables of the report, "rows" is NULL, because the report
 * would have to be made to count their rows. */
static const char declaration[] =
    "CREATE TEMP TABLE known (\"table\", \"of\", \"rows\", position, \"column\", type, unit, meaning)";

static void
bind_text (sqlite3_stmt *statement, int parameter, const char *text)
{
  sqlite3_bind_text (statement, parameter, text, -1, SQLITE_TRANSIENT);
}

/* Adds the tables that are not declared in any schema. Their columns are read from SQLite. */
static void
add_other_tables (sqlite3 *database)
{
  sqlite3_stmt *insert = NULL;

  sqlite3_prepare_v2 (database,
                      "INSERT INTO known SELECT ?1, ?2, NULL, cid, name, nullif (type, ''), NULL, CASE cid WHEN 0 "
                      "THEN ?3 END FROM pragma_table_info (?1)",
                      -1, &insert, NULL);
  for (guint i = 0; query_metrics_tables[i].name != NULL; i++)
    {
      bind_text (insert, 1, query_metrics_tables[i].name);
      bind_text (insert, 2, query_metrics_tables[i].of);
      bind_text (insert, 3, query_metrics_tables[i].description);
      sqlite3_step (insert);
      sqlite3_reset (insert);
    }
  sqlite3_finalize (insert);
}

static void
add_table (QueryDatabase *self, sqlite3_stmt *insert, RoastTableInfo *info)
{
  const char *none[] = { NULL };
  const char *table = roast_table_info_get_name (info);
  gboolean is_measured = roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED;
  g_autoptr (RoastTableReader) reader = NULL;

  if (is_measured)
    reader = roast_recording_read_table (self->run->recording, table, none, NULL);
  bind_text (insert, 1, table);
  bind_text (insert, 2, is_measured ? "recording" : "report");
  sqlite3_bind_null (insert, 3);
  if (reader != NULL)
    sqlite3_bind_int64 (insert, 3, (sqlite3_int64) roast_table_reader_get_n_rows (reader));
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      sqlite3_bind_int (insert, 4, (int) i);
      bind_text (insert, 5, roast_column_get_name (column));
      bind_text (insert, 6, query_table_type_name (column));
      bind_text (insert, 7, roast_column_get_unit (column));
      bind_text (insert, 8, roast_column_get_description (column));
      sqlite3_step (insert);
      sqlite3_reset (insert);
    }
}

static void
add_tables (QueryDatabase *self)
{
  g_autoptr (GPtrArray) infos = query_database_list_tables (self);
  sqlite3_stmt *insert = NULL;

  query_metrics_create (self);
  add_other_tables (self->database);
  sqlite3_prepare_v2 (self->database, "INSERT INTO known VALUES (?, ?, ?, ?, ?, ?, ?, ?)", -1, &insert, NULL);
  for (guint i = 0; i < infos->len; i++)
    add_table (self, insert, g_ptr_array_index (infos, i));
  sqlite3_finalize (insert);
}

/* Prepares a statement about the table of columns, and binds the only parameter of the statement. The first call fills
 * this table. */
static sqlite3_stmt *
query_help_prepare (QueryDatabase *self, const char *sql, const char *parameter)
{
  sqlite3_stmt *statement = NULL;

  /* Allow all actions. The restrictions were meant for the user's statement, which has ended. */
  sqlite3_set_authorizer (self->database, NULL, NULL);
  if (sqlite3_exec (self->database, declaration, NULL, NULL, NULL) == SQLITE_OK)
    add_tables (self);
  sqlite3_prepare_v2 (self->database, sql, -1, &statement, NULL);
  bind_text (statement, 1, parameter);

  return statement;
}

/* Runs @sql with @parameter. Returns the texts in the first column of the result. */
static char **
list_names (QueryDatabase *self, const char *sql, const char *parameter)
{
  GPtrArray *names = g_ptr_array_new ();
  sqlite3_stmt *statement = query_help_prepare (self, sql, parameter);

  while (sqlite3_step (statement) == SQLITE_ROW)
    g_ptr_array_add (names, g_strdup ((const char *) sqlite3_column_text (statement, 0)));
  g_ptr_array_add (names, NULL);
  sqlite3_finalize (statement);

  return (char **) g_ptr_array_free (names, FALSE);
}

static char **
list_tables (QueryDatabase *self)
{
  return list_names (self, "SELECT \"table\" FROM known WHERE position = 0", NULL);
}

sqlite3_stmt *
query_help_tables (QueryDatabase *self)
{
  return query_help_prepare (self,
                             "SELECT \"table\", \"of\", \"rows\", (SELECT group_concat (\"column\", ', ') FROM known c "
                             "WHERE c.\"table\" = known.\"table\") AS columns FROM known WHERE position = 0",
                             NULL);
}

sqlite3_stmt *
query_help_columns (QueryDatabase *self, const char *table, GError **error)
{
  static const char selection[] = "SELECT \"table\", \"column\", type, unit, meaning FROM known "
                                  "WHERE ifnull (\"table\" = ?1 COLLATE NOCASE, TRUE)";
  g_auto (GStrv) found = list_names (self, selection, table);
  g_auto (GStrv) names = *found == NULL ? list_tables (self) : NULL;
  g_autofree char *known = NULL;

  if (*found != NULL)
    return query_help_prepare (self, selection, table);
  known = roast_suggest_sentence (table, (const char *const *) names, "the tables are", "there are no tables");
  return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "there is no table “%s”; %s", table,
                          known);
}

/* ---- advice ---- */

/* Suggests a name similar to @name, from the names of tables, or of columns in the tables that the statement uses.
 * @name may have the form schema.table or alias.column. */
static char *
advise (QueryDatabase *self, const char *name, gboolean is_column)
{
  const char *dot = strrchr (name, '.');
  const char *bare = dot != NULL ? dot + 1 : name;
  g_auto (GStrv) tables = list_tables (self);
  const char *near = is_column ? NULL : roast_suggest (bare, (const char *const *) tables);
  GString *text = g_string_new (NULL);

  for (guint i = 0; is_column && tables[i] != NULL; i++)
    if (g_hash_table_contains (self->used, tables[i]))
      {
        g_auto (GStrv) columns = list_names (self, "SELECT \"column\" FROM known WHERE \"table\" = ?", tables[i]);
        g_autofree char *sentence =
            roast_suggest_sentence (bare, (const char *const *) columns, "are", "are not known");

        g_string_append_printf (text, "; the columns of table %s %s", tables[i], sentence);
      }
  if (near != NULL)
    g_string_append_printf (text, "; did you mean %s? “roast-report query” lists the tables", near);
  else if (text->len == 0)
    g_string_append (text, is_column ? "; “roast-report query .columns” lists all columns"
                                     : "; “roast-report query” lists the tables");

  return g_string_free (text, FALSE);
}

char *
query_help_advise (QueryDatabase *self, const char *message)
{
  static const char no_table[] = "no such table: ";
  static const char no_column[] = "no such column: ";

  if (g_str_has_prefix (message, no_table))
    return advise (self, message + strlen (no_table), FALSE);
  if (g_str_has_prefix (message, no_column))
    return advise (self, message + strlen (no_column), TRUE);

  return g_strdup ("");
}
