/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs SQL on a database in memory, which contains the tables of the recording and of the report. */

#include <math.h>
#include <string.h>

#include "core/base/roast-fail-private.h"
#include "exact-number.h"
#include "query-database.h"
#include "query-help.h"
#include "report.h"
#include "rows-output.h"

static gboolean
fail (QueryDatabase *database, GError **error)
{
  g_autofree char *message = g_strdup (sqlite3_errmsg (database->database));
  g_autofree char *advice = query_help_advise (database, message);

  if (database->refused != NULL)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "the query failed: this query would %s, but a query may only read this run", database->refused);

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "the query failed: %s%s", message, advice);
}

static sqlite3_stmt *
query_prepare (QueryDatabase *database, const char *sql, GError **error)
{
  const char *rest = NULL;
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (database->database, sql, -1, &statement, &rest) != SQLITE_OK)
    {
      fail (database, error);
      return NULL;
    }
  if (statement != NULL && rest[strspn (rest, "; \t\n")] == '\0' && sqlite3_column_count (statement) > 0)
    return statement;
  sqlite3_finalize (statement);
  return roast_fail_null (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                          "a query is one statement that returns rows, such as “SELECT * FROM workers”");
}

static void
add_double (RowsOutput *rows, double value, ReportFormat format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  /* Infinity does not occur in recordings, but SQL can compute it. */
  if (isfinite (value) && format == REPORT_FORMAT_TABLE)
    g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.9g", value));
  else if (isfinite (value))
    exact_number_append_double (text, value);
  rows_output_add_cell (rows, text->len > 0 ? ROWS_CELL_NUMBER : ROWS_CELL_MISSING, text->str);
}

static void
add_cell (RowsOutput *rows, sqlite3_stmt *statement, int column, ReportFormat format)
{
  g_autofree char *text = NULL;

  switch (sqlite3_column_type (statement, column))
    {
    case SQLITE_NULL:
      rows_output_add_cell (rows, ROWS_CELL_MISSING, NULL);
      break;
    case SQLITE_INTEGER:
      rows_output_add_cell (rows, ROWS_CELL_NUMBER, (const char *) sqlite3_column_text (statement, column));
      break;
    case SQLITE_FLOAT:
      add_double (rows, sqlite3_column_double (statement, column), format);
      break;
    default:
      text = g_utf8_make_valid ((const char *) sqlite3_column_text (statement, column), -1);
      rows_output_add_cell (rows, ROWS_CELL_TEXT, text);
    }
}

/* Prints the rows of the statement. Takes ownership of the statement. @statement is NULL after an error. */
static gboolean
put_rows (QueryDatabase *database, sqlite3_stmt *statement, ReportFormat format, GError **error)
{
  gboolean ok = statement != NULL;
  int n = sqlite3_column_count (statement);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (RowsOutput) rows = NULL;
  int result = SQLITE_DONE;

  for (int i = 0; i < n; i++)
    g_ptr_array_add (names, (char *) sqlite3_column_name (statement, i));
  g_ptr_array_add (names, NULL);
  rows = rows_output_new (format, (const char *const *) names->pdata);
  while (ok && (result = sqlite3_step (statement)) == SQLITE_ROW)
    {
      for (int i = 0; i < n; i++)
        add_cell (rows, statement, i, format);
      ok = rows_output_end_row (rows, error);
    }
  if (ok && result != SQLITE_DONE)
    ok = fail (database, error);
  sqlite3_finalize (statement);

  return ok && rows_output_end (rows, error);
}

static gboolean
run_sql (QueryDatabase *database, const char *sql, ReportFormat format, GError **error)
{
  if (!query_database_prepare (database, sql, error))
    {
      g_prefix_error (error, "the query failed: ");
      return FALSE;
    }

  return put_rows (database, query_prepare (database, sql, error), format, error);
}

/* Runs ".tables", ".columns [TABLE]" or ".schema [TABLE]", as in the SQLite shell. */
static gboolean
run_command (QueryDatabase *database, const char *text, ReportFormat format, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 2);
  const char *argument = words[1] != NULL && *g_strstrip (words[1]) != '\0' ? words[1] : NULL;

  if (g_str_equal (words[0], ".tables") && argument == NULL)
    return put_rows (database, query_help_tables (database), format, error);
  if (g_str_equal (words[0], ".columns") || g_str_equal (words[0], ".schema"))
    return put_rows (database, query_help_columns (database, argument, error), format, error);

  return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                     "unknown command “%s”: use .tables, .columns or “.columns TABLE”", text);
}

static gboolean
is_command (const char *text)
{
  return text != NULL && text[0] == '.' && g_ascii_isalpha (text[1]) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

/* Returns whether @text is a query. A text is a query if it contains blanks, parentheses or semicolons, and no file has
 * this name. */
static gboolean
is_query (const char *text)
{
  return text != NULL &&
         (is_command (text) || (strpbrk (text, " \t\n(;") != NULL && !g_file_test (text, G_FILE_TEST_EXISTS)));
}

gboolean
report_query (ReportOptions *options, GError **error)
{
  /* Accept the run and the query in either order, because users often type the run first. */
  gboolean swapped = options->arguments[0] != NULL && !is_query (options->arguments[0]);
  const char *first = options->arguments[0];
  const char *second = first != NULL ? options->arguments[1] : NULL;
  const char *query = swapped ? second : first;
  g_autoptr (QueryDatabase) database = NULL;

  if (query != NULL && !is_query (query))
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "neither “%s” nor “%s” is a query such as “SELECT * FROM workers”", first, second);
  database = query_database_open (swapped ? first : second, error);
  if (database == NULL)
    {
      if (swapped && second == NULL)
        g_prefix_error (error, "“%s” is neither a query, such as “SELECT * FROM workers”, nor a run: ", first);
      return FALSE;
    }

  return query == NULL || is_command (query)
             ? run_command (database, query != NULL ? query : ".tables", options->format, error)
             : run_sql (database, query, options->format, error);
}
