/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-sql-private.h"

#include "table/roast-column-private.h"

char *
roast_store_sql_dup_name (RoastTableInfo *info)
{
  g_autofree char *name = g_strconcat ("rows_", roast_table_info_get_name (info), NULL);

  return roast_database_quote (name);
}

/* Create the SQL table for a table with Storage=rows. The SQL columns have no types, so that SQLite does not convert
 * values. */
static gboolean
declare_rows (RoastDatabase *database, RoastTableInfo *info, GError **error)
{
  g_autofree char *name = roast_store_sql_dup_name (info);
  g_autoptr (GString) create = g_string_new (NULL);

  g_string_append_printf (create, "CREATE TABLE %s (row INTEGER PRIMARY KEY", name);
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      g_autofree char *column = roast_database_quote (roast_column_get_name (roast_table_info_get_column (info, i)));

      g_string_append_printf (create, ", %s", column);
    }
  g_string_append_c (create, ')');

  return roast_database_exec (database, create->str, error);
}

gboolean
roast_store_sql_declare (RoastDatabase *database, RoastTableInfo *info, gint64 id, GError **error)
{
  gboolean by_rows = roast_table_info_get_storage (info) == ROAST_TABLE_STORAGE_ROWS;
  sqlite3_stmt *statement = roast_database_query (database, error, "INSERT INTO tables VALUES (?, ?, ?)", "iss", id,
                                                  roast_table_info_get_name (info), by_rows ? "rows" : "blocks");
  gboolean good = roast_database_run (database, statement, error);

  for (guint i = 0; good && i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      statement = roast_database_query (database, error, "INSERT INTO columns VALUES (?, ?, ?, ?, ?)", "iisss", id,
                                        (gint64) i, roast_column_get_name (column),
                                        roast_column_type_words[roast_table_info_type_of (info, i)],
                                        roast_column_get_unit (column));
      good = roast_database_run (database, statement, error);
    }

  return good && (!by_rows || declare_rows (database, info, error));
}

/* ---- rows ---- */

static char *
make_insert (RoastTableInfo *info)
{
  g_autofree char *name = roast_store_sql_dup_name (info);
  GString *insert = g_string_new (NULL);

  g_string_append_printf (insert, "INSERT OR REPLACE INTO %s VALUES (?", name);
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    g_string_append (insert, ", ?");
  g_string_append_c (insert, ')');

  return g_string_free (insert, FALSE);
}

static void
store_sql_bind_cell (sqlite3_stmt *statement, int at, RoastColumnType type, const RoastOpenRow *row, guint column,
                     GPtrArray *texts)
{
  RoastCell cell = { 0 };

  if (!roast_chunk_is_valid (row->chunk, row->in_chunk, column))
    return;
  cell = roast_chunk_get (row->chunk, row->in_chunk, column);
  switch (type)
    {
    case ROAST_COLUMN_TYPE_INT64:
      sqlite3_bind_int64 (statement, at, cell.int64);
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      sqlite3_bind_double (statement, at, cell.real);
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      sqlite3_bind_int64 (statement, at, cell.boolean);
      break;
    case ROAST_COLUMN_TYPE_CATEGORY:
      sqlite3_bind_text (statement, at, g_ptr_array_index (texts, cell.code), -1, SQLITE_STATIC);
      break;
    case ROAST_COLUMN_TYPE_STRING:
    default:
      sqlite3_bind_text (statement, at, cell.string, -1, SQLITE_STATIC);
      break;
    }
}

gboolean
roast_store_sql_write_rows (RoastDatabase *database, RoastTable *table, const guint *n_texts, GArray *rows,
                            GError **error)
{
  RoastTableInfo *info = roast_table_get_info (table);
  guint n_columns = roast_table_info_get_n_columns (info);
  g_autofree char *sql = make_insert (info);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (texts, roast_table_info_type_of (info, i) == ROAST_COLUMN_TYPE_CATEGORY
                                ? roast_table_list_texts (table, i, n_texts[i])
                                : g_ptr_array_new ());
  for (guint i = 0; i < rows->len; i++)
    {
      const RoastOpenRow *row = &g_array_index (rows, RoastOpenRow, i);
      sqlite3_stmt *statement = roast_database_query (database, error, sql, "i", (gint64) row->row);

      for (guint column = 0; statement != NULL && column < n_columns; column++)
        store_sql_bind_cell (statement, (int) column + 2, roast_table_info_type_of (info, column), row, column,
                             g_ptr_array_index (texts, column));
      if (!roast_database_run (database, statement, error))
        return FALSE;
    }

  return TRUE;
}
