/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-declare-private.h"

static const char *
type_name (RoastColumnType type)
{
  static const char *const names[] = {
    [ROAST_COLUMN_TYPE_INT64] = "int64",     [ROAST_COLUMN_TYPE_DOUBLE] = "double",
    [ROAST_COLUMN_TYPE_STRING] = "string",   [ROAST_COLUMN_TYPE_CATEGORY] = "category",
    [ROAST_COLUMN_TYPE_BOOLEAN] = "boolean",
  };

  return names[type];
}

static gboolean
declare_column (RoastDatabase *database, RoastTableInfo *info, gint64 id, guint i, GError **error)
{
  RoastColumn *column = roast_table_info_get_column (info, i);
  sqlite3_stmt *statement = roast_database_prepare (database, "INSERT INTO columns VALUES (?, ?, ?, ?, ?)", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  sqlite3_bind_int64 (statement, 2, i);
  sqlite3_bind_text (statement, 3, roast_column_get_name (column), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 4, type_name (roast_column_get_column_type (column)), -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 5, roast_column_get_unit (column), -1, SQLITE_TRANSIENT);

  return roast_database_run (database, statement, error);
}

/* An SQL table for a table whose rows are few. Its columns have no types, so that each value stays what it is. */
static gboolean
declare_rows (RoastDatabase *database, RoastTableInfo *info, GError **error)
{
  g_autofree char *name = g_strconcat ("rows_", roast_table_info_get_name (info), NULL);
  g_autofree char *quoted = roast_database_quote (name);
  g_autoptr (GString) create = g_string_new (NULL);
  guint n_columns = roast_table_info_get_n_columns (info);

  g_string_append_printf (create, "CREATE TABLE %s (row INTEGER PRIMARY KEY", quoted);
  for (guint i = 0; i < n_columns; i++)
    {
      g_autofree char *column = roast_database_quote (roast_column_get_name (roast_table_info_get_column (info, i)));

      g_string_append_printf (create, ", %s", column);
    }
  g_string_append_c (create, ')');

  return roast_database_exec (database, create->str, error);
}

gboolean
roast_store_declare_table (RoastDatabase *database, RoastTableInfo *info, gint64 id, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (database, "INSERT INTO tables VALUES (?, ?, ?)", error);
  gboolean by_rows = roast_table_info_get_storage (info) == ROAST_TABLE_STORAGE_ROWS;
  guint n_columns = roast_table_info_get_n_columns (info);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  sqlite3_bind_text (statement, 2, roast_table_info_get_name (info), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 3, by_rows ? "rows" : "blocks", -1, SQLITE_STATIC);
  if (!roast_database_run (database, statement, error))
    return FALSE;
  for (guint i = 0; i < n_columns; i++)
    if (!declare_column (database, info, id, i, error))
      return FALSE;

  return !by_rows || declare_rows (database, info, error);
}
