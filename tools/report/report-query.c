/* SPDX-License-Identifier: BSD-3-Clause */

/* SQL on a run: a database in memory whose tables are those of the recording and of the report. */

#include <math.h>
#include <string.h>

#include "exact-number.h"
#include "query-table.h"
#include "report.h"
#include "rows-output.h"

typedef struct
{
  ReportRun *run;
  RoastRegistry *registry;
  RoastSession *session; /* made when a query names a table of the report */
  sqlite3 *database;
  sqlite3_stmt *statement;
} Query;

static void
query_clear (Query *self)
{
  sqlite3_finalize (self->statement);
  sqlite3_close (self->database);
  g_clear_object (&self->session);
  g_clear_object (&self->registry);
  g_clear_pointer (&self->run, report_run_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static RoastTableReader *
open_measured (const char *table, const char *const *columns, gpointer data, GError **error)
{
  return roast_recording_read_table (((Query *) data)->run->recording, table, columns, error);
}

static RoastTableReader *
open_derived (const char *table, const char *const *columns, gpointer data, GError **error)
{
  Query *self = data;

  if (self->session == NULL)
    {
      self->session = roast_session_new (self->registry);
      if (!roast_session_read (self->session, self->run->recording, error))
        return NULL;
    }

  return roast_report_read_table (roast_session_get_report (self->session), table, columns, error);
}

static gboolean
add_tables (Query *self, RoastSchema *schema, RoastTableOrigin origin, GError **error)
{
  g_autoptr (GPtrArray) infos = roast_schema_list_tables (schema);

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (infos, i);

      if (roast_table_info_get_origin (info) == origin &&
          !query_table_add (self->database, info, origin == ROAST_TABLE_ORIGIN_MEASURED ? open_measured : open_derived,
                            self, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
fail (Query *self, GError **error)
{
  const char *message = sqlite3_errmsg (self->database);

  g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "the query failed: %s%s", message,
               g_str_has_prefix (message, "no such table") || g_str_has_prefix (message, "no such column")
                   ? "; “roast-inspect --tables” lists tables and columns"
                   : "");

  return FALSE;
}

static gboolean
prepare (Query *self, const char *sql, GError **error)
{
  const char *rest = NULL;

  if (sqlite3_prepare_v2 (self->database, sql, -1, &self->statement, &rest) != SQLITE_OK)
    return fail (self, error);
  if (self->statement != NULL && rest[strspn (rest, "; \t\n")] == '\0' && sqlite3_column_count (self->statement) > 0)
    return TRUE;
  g_set_error_literal (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE,
                       "a query is one statement that returns rows, as “SELECT * FROM workers”");

  return FALSE;
}

static void
add_double (RowsOutput *rows, double value, ReportFormat format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  /* SQL can compute what roast never stores. */
  if (!isfinite (value))
    g_string_append (text, "");
  else if (format == REPORT_FORMAT_TABLE)
    g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.9g", value));
  else
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

static gboolean
put_rows (Query *self, ReportFormat format, GError **error)
{
  int n = sqlite3_column_count (self->statement);
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (0, NULL, TRUE);
  g_autoptr (RowsOutput) rows = NULL;
  int result;

  for (int i = 0; i < n; i++)
    g_ptr_array_add (names, (char *) sqlite3_column_name (self->statement, i));
  rows = rows_output_new (format, (const char *const *) names->pdata);
  while ((result = sqlite3_step (self->statement)) == SQLITE_ROW)
    {
      for (int i = 0; i < n; i++)
        add_cell (rows, self->statement, i, format);
      if (!rows_output_end_row (rows, error))
        return FALSE;
    }
  if (result != SQLITE_DONE)
    return fail (self, error);

  return rows_output_end (rows, error);
}

/* A query has blanks. A run has none, unless it is a file with such a name. */
static gboolean
is_query (const char *text)
{
  return text != NULL && strpbrk (text, " \t\n") != NULL;
}

gboolean
report_query (ReportOptions *options, GError **error)
{
  g_auto (Query) self = { 0 };
  /* Sooner or later everybody types the run first. */
  gboolean swapped = !is_query (options->arguments[0]) && is_query (options->arguments[1]);
  const char *query = options->arguments[swapped ? 1 : 0];

  self.run = report_run_open (options->arguments[swapped ? 0 : 1], error);
  if (self.run == NULL)
    return FALSE;
  self.registry = roast_registry_new ();
  if (sqlite3_open (":memory:", &self.database) != SQLITE_OK)
    return fail (&self, error);
  /* A query reads this run and nothing else. */
  sqlite3_limit (self.database, SQLITE_LIMIT_ATTACHED, 0);

  return add_tables (&self, roast_recording_get_schema (self.run->recording), ROAST_TABLE_ORIGIN_MEASURED, error) &&
         add_tables (&self, roast_registry_get_schema (self.registry), ROAST_TABLE_ORIGIN_DERIVED, error) &&
         prepare (&self, query, error) && put_rows (&self, options->format, error);
}
