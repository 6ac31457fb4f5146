/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-row-writer-private.h"

static RoastColumnType
type_of (RoastTableInfo *info, guint column)
{
  return roast_column_get_column_type (roast_table_info_get_column (info, column));
}

char *
roast_store_row_writer_make_sql (RoastTableInfo *info)
{
  g_autofree char *name = g_strconcat ("rows_", roast_table_info_get_name (info), NULL);
  g_autofree char *quoted = roast_database_quote (name);
  GString *insert = g_string_new (NULL);
  guint n_columns = roast_table_info_get_n_columns (info);

  g_string_append_printf (insert, "INSERT OR REPLACE INTO %s VALUES (?", quoted);
  for (guint i = 0; i < n_columns; i++)
    g_string_append (insert, ", ?");
  g_string_append_c (insert, ')');

  return g_string_free (insert, FALSE);
}

static void
bind_cell (sqlite3_stmt *statement, int at, RoastColumnType type, const RoastOpenRow *row, guint column,
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

static void
unref_texts (gpointer texts)
{
  if (texts != NULL)
    g_ptr_array_unref (texts);
}

gboolean
roast_store_row_writer_write (RoastDatabase *database, RoastTable *table, const char *sql, const guint *n_texts,
                              GArray *rows, GError **error)
{
  RoastTableInfo *info = roast_table_get_info (table);
  guint n_columns = roast_table_info_get_n_columns (info);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (unref_texts);

  for (guint i = 0; i < n_columns; i++)
    g_ptr_array_add (texts, type_of (info, i) == ROAST_COLUMN_TYPE_CATEGORY
                                ? roast_table_list_texts (table, i, n_texts[i])
                                : NULL);
  for (guint i = 0; i < rows->len; i++)
    {
      const RoastOpenRow *row = &g_array_index (rows, RoastOpenRow, i);
      sqlite3_stmt *statement = roast_database_prepare (database, sql, error);

      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int64 (statement, 1, (gint64) row->row);
      for (guint column = 0; column < n_columns; column++)
        bind_cell (statement, (int) column + 2, type_of (info, column), row, column, g_ptr_array_index (texts, column));
      if (!roast_database_run (database, statement, error))
        return FALSE;
    }

  return TRUE;
}
