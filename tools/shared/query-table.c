/* SPDX-License-Identifier: BSD-3-Clause */

/* Provides a table of a recording or report as a virtual table of SQLite (https://sqlite.org/vtab.html). A scan reads
 * only the columns that the query uses, block by block. */

#include "query-table.h"

#include "core/base/roast-fail-private.h"
#include "query-filter.h"

typedef struct
{
  RoastTableInfo *info;
  QueryTableOpen open;
  gpointer data;
} QueryTable;

typedef struct
{
  sqlite3_vtab base;
  const QueryTable *table;
  guint64 n_rows;
} Vtab;

typedef struct
{
  sqlite3_vtab_cursor base;
  RoastTableReader *reader;
  char *text; /* the plan as text */
  QueryPlan plan;
  QueryFilter *filter;
  guint *slots;  /* slots of the reader, by column */
  gboolean more; /* whether the cursor is at a row */
} Cursor;

static void
query_table_free (gpointer data)
{
  QueryTable *self = data;

  g_object_unref (self->info);
  g_free (self);
}

const char *
query_table_type_name (RoastColumn *column)
{
  static const char *const names[] = {
    [ROAST_COLUMN_TYPE_INT64] = "INTEGER",   [ROAST_COLUMN_TYPE_DOUBLE] = "REAL",
    [ROAST_COLUMN_TYPE_BOOLEAN] = "INTEGER", [ROAST_COLUMN_TYPE_STRING] = "TEXT",
    [ROAST_COLUMN_TYPE_CATEGORY] = "TEXT",
  };

  return names[roast_column_get_column_type (column)];
}

static char *
make_declaration (RoastTableInfo *info)
{
  GString *text = g_string_new ("CREATE TABLE " QUERY_TABLE_DECLARED " (");

  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      g_string_append_printf (text, "%s\"%s\" %s", i > 0 ? ", " : "", roast_column_get_name (column),
                              query_table_type_name (column));
    }
  g_string_append_c (text, ')');

  return g_string_free (text, FALSE);
}

static int
table_connect (sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **vtab, char **message)
{
  const QueryTable *table = data;
  const char *none[] = { NULL };
  g_autofree char *declaration = make_declaration (table->info);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastTableReader) reader =
      table->open (roast_table_info_get_name (table->info), none, table->data, &error);
  Vtab *self = NULL;

  if (reader == NULL)
    {
      *message = sqlite3_mprintf ("%s", error->message);
      return SQLITE_ERROR;
    }
  self = g_new0 (Vtab, 1);
  self->table = table;
  self->n_rows = roast_table_reader_get_n_rows (reader);
  *vtab = &self->base;

  return sqlite3_declare_vtab (database, declaration);
}

static int
table_disconnect (sqlite3_vtab *vtab)
{
  g_free (vtab);

  return SQLITE_OK;
}

static int
table_best_index (sqlite3_vtab *vtab, sqlite3_index_info *info)
{
  const Vtab *self = (const Vtab *) vtab;

  return query_plan_choose (info, self->table->info, self->n_rows);
}

static int
table_open (sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  *cursor = &self->base;

  return SQLITE_OK;
}

static int
table_close (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  g_clear_pointer (&self->filter, query_filter_free);
  g_clear_object (&self->reader);
  g_free (self->text);
  g_free (self->slots);
  g_free (self);

  return SQLITE_OK;
}

static RoastTableReader *
bind (const QueryTable *table, Cursor *self, GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  guint n = roast_table_info_get_n_columns (table->info);

  self->slots = g_renew (guint, self->slots, n);
  for (guint i = 0; i < n; i++)
    if (query_plan_reads (&self->plan, i))
      {
        self->slots[i] = columns->len;
        g_ptr_array_add (columns, (char *) roast_column_get_name (roast_table_info_get_column (table->info, i)));
      }
  g_ptr_array_add (columns, NULL);

  return table->open (roast_table_info_get_name (table->info), (const char *const *) columns->pdata, table->data,
                      error);
}

static gboolean
query_table_prepare (Cursor *self, const QueryTable *table, const char *text, GError **error)
{
  g_clear_pointer (&self->filter, query_filter_free);
  g_clear_object (&self->reader);
  g_free (self->text);
  self->text = g_strdup (text);
  query_plan_parse (&self->plan, text);
  self->reader = bind (table, self, error);
  if (self->reader != NULL)
    self->filter = query_filter_new (&self->plan, self->reader, self->slots);

  return self->reader != NULL;
}

/* Reuse the reader if the plan is unchanged: a join scans its inner table once per row of the outer table. */
static int
table_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  const Vtab *vtab = (const Vtab *) cursor->pVtab;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (self->text, text) != 0 && !query_table_prepare (self, vtab->table, text, &error))
    {
      g_clear_pointer (&self->text, g_free);
      sqlite3_free (cursor->pVtab->zErrMsg);
      cursor->pVtab->zErrMsg = sqlite3_mprintf ("%s", error->message);
      return SQLITE_ERROR;
    }
  query_filter_start (self->filter, argv);
  self->more = query_filter_next (self->filter);

  return SQLITE_OK;
}

static int
table_next (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  self->more = query_filter_next (self->filter);

  return SQLITE_OK;
}

static int
table_eof (sqlite3_vtab_cursor *cursor)
{
  return !((Cursor *) cursor)->more;
}

static int
table_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  Cursor *self = (Cursor *) cursor;
  RoastTableInfo *info = ((const Vtab *) cursor->pVtab)->table->info;
  guint slot = self->slots[column];

  if (!query_plan_reads (&self->plan, (guint) column) || !roast_table_reader_has (self->reader, slot))
    return SQLITE_OK;
  switch (roast_column_get_column_type (roast_table_info_get_column (info, (guint) column)))
    {
    case ROAST_COLUMN_TYPE_INT64:
      sqlite3_result_int64 (context, roast_table_reader_get_int64 (self->reader, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      sqlite3_result_double (context, roast_table_reader_get_double (self->reader, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      sqlite3_result_int (context, roast_table_reader_get_boolean (self->reader, slot));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      sqlite3_result_text (context, roast_table_reader_get_string (self->reader, slot), -1, SQLITE_TRANSIENT);
    }

  return SQLITE_OK;
}

static int
table_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  *rowid = (sqlite3_int64) roast_table_reader_get_row (((Cursor *) cursor)->reader);

  return SQLITE_OK;
}

/* Leave out xCreate: this makes the table available under the name of its module, and SQLite connects it when a query
 * names it. */
static const sqlite3_module module = {
  .xConnect = table_connect,
  .xBestIndex = table_best_index,
  .xDisconnect = table_disconnect,
  .xOpen = table_open,
  .xClose = table_close,
  .xFilter = table_filter,
  .xNext = table_next,
  .xEof = table_eof,
  .xColumn = table_column,
  .xRowid = table_rowid,
};

gboolean
query_table_add (sqlite3 *database, RoastTableInfo *info, QueryTableOpen open, gpointer data, GError **error)
{
  QueryTable *self = g_new0 (QueryTable, 1);

  self->info = g_object_ref (info);
  self->open = open;
  self->data = data;
  if (sqlite3_create_module_v2 (database, roast_table_info_get_name (info), &module, self, query_table_free) ==
      SQLITE_OK)
    return TRUE;

  return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot create the SQL table %s: %s",
                     roast_table_info_get_name (info), sqlite3_errmsg (database));
}
