/* SPDX-License-Identifier: BSD-3-Clause */

/* A table of few rows, which are made when a query first names it, as a virtual table of SQLite. */

#include "query-list.h"

#include "query-table.h"

typedef struct
{
  const char *name;
  const char *columns;
  QueryListMake make;
  gpointer data;
} QueryList;

typedef struct
{
  sqlite3_vtab base;
  GPtrArray *rows;
} Vtab;

typedef struct
{
  sqlite3_vtab_cursor base;
  guint row;
} Cursor;

typedef struct
{
  guint n_cells;
  GVariant *cells[];
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;

  for (guint i = 0; i < row->n_cells; i++)
    g_clear_pointer (&row->cells[i], g_variant_unref);
  g_free (row);
}

GPtrArray *
query_list_new (void)
{
  return g_ptr_array_new_with_free_func (row_free);
}

GVariant **
query_list_add_row (GPtrArray *rows, guint n_columns)
{
  Row *row = g_malloc0 (sizeof *row + n_columns * sizeof row->cells[0]);

  row->n_cells = n_columns;
  g_ptr_array_add (rows, row);

  return row->cells;
}

static int
list_connect (sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **vtab, char **message)
{
  const QueryList *list = data;
  g_autofree char *declaration = g_strdup_printf ("CREATE TABLE " QUERY_TABLE_DECLARED " (%s)", list->columns);
  g_autoptr (GError) error = NULL;
  Vtab *self = g_new0 (Vtab, 1);

  self->rows = list->make (list->data, &error);
  *vtab = &self->base;
  if (self->rows != NULL)
    return sqlite3_declare_vtab (database, declaration);
  *message = sqlite3_mprintf ("%s", error->message);
  g_free (self);
  *vtab = NULL;

  return SQLITE_ERROR;
}

static int
list_disconnect (sqlite3_vtab *vtab)
{
  g_ptr_array_unref (((Vtab *) vtab)->rows);
  g_free (vtab);

  return SQLITE_OK;
}

static int
list_best_index (sqlite3_vtab *vtab, sqlite3_index_info *info)
{
  info->estimatedRows = ((Vtab *) vtab)->rows->len;
  info->estimatedCost = (double) info->estimatedRows + 1;

  return SQLITE_OK;
}

static int
list_open (sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  *cursor = &self->base;

  return SQLITE_OK;
}

static int
list_close (sqlite3_vtab_cursor *cursor)
{
  g_free (cursor);

  return SQLITE_OK;
}

static int
list_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
  ((Cursor *) cursor)->row = 0;

  return SQLITE_OK;
}

static int
list_next (sqlite3_vtab_cursor *cursor)
{
  ((Cursor *) cursor)->row++;

  return SQLITE_OK;
}

static int
list_eof (sqlite3_vtab_cursor *cursor)
{
  return ((Cursor *) cursor)->row >= ((Vtab *) cursor->pVtab)->rows->len;
}

static int
list_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  const Row *row = g_ptr_array_index (((Vtab *) cursor->pVtab)->rows, ((Cursor *) cursor)->row);
  GVariant *cell = row->cells[column];

  if (cell == NULL)
    sqlite3_result_null (context);
  else if (g_variant_is_of_type (cell, G_VARIANT_TYPE_INT64))
    sqlite3_result_int64 (context, g_variant_get_int64 (cell));
  else if (g_variant_is_of_type (cell, G_VARIANT_TYPE_DOUBLE))
    sqlite3_result_double (context, g_variant_get_double (cell));
  else
    sqlite3_result_text (context, g_variant_get_string (cell, NULL), -1, SQLITE_TRANSIENT);

  return SQLITE_OK;
}

static int
list_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  *rowid = ((Cursor *) cursor)->row;

  return SQLITE_OK;
}

static const sqlite3_module module = {
  .xConnect = list_connect,
  .xBestIndex = list_best_index,
  .xDisconnect = list_disconnect,
  .xOpen = list_open,
  .xClose = list_close,
  .xFilter = list_filter,
  .xNext = list_next,
  .xEof = list_eof,
  .xColumn = list_column,
  .xRowid = list_rowid,
};

gboolean
query_list_add (sqlite3 *database, const char *name, const char *columns, QueryListMake make, gpointer data,
                GError **error)
{
  QueryList *list = g_new (QueryList, 1);

  *list = (QueryList) { name, columns, make, data };
  if (sqlite3_create_module_v2 (database, name, &module, list, g_free) == SQLITE_OK)
    return TRUE;
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot make the table %s for SQL: %s", name,
               sqlite3_errmsg (database));

  return FALSE;
}
