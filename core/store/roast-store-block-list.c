/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-block-list-private.h"

#include "roast-store-codec-private.h"

/* FALSE if the block is not behind those that are in the list. */
static gboolean
add (GArray *places, gint64 first, gint64 n)
{
  const RoastBlockPlace *last = places->len > 0 ? &g_array_index (places, RoastBlockPlace, places->len - 1) : NULL;
  RoastBlockPlace place = { .first_row = (guint64) first, .n_rows = (guint) n };

  if (first < 0 || n <= 0 || n > ROAST_STORE_MAX_ROWS || first >= G_MAXINT64 - n ||
      (last != NULL && place.first_row < last->first_row + last->n_rows))
    return FALSE;
  g_array_append_val (places, place);

  return TRUE;
}

static sqlite3_stmt *
select_blocks (RoastDatabase *database, const char *sql, gint64 table, guint column, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (database, sql, error);

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, table);
  sqlite3_bind_int64 (statement, 2, column);

  return statement;
}

/* ---- what is left of a damaged list ---- */

/* The numbers of the first rows, which the index has for each column. FALSE if some are lost. */
static gboolean
find_first_rows (RoastDatabase *database, gint64 table, guint column, GArray *rows)
{
  sqlite3_stmt *statement =
      select_blocks (database,
                     "SELECT seq FROM block WHERE \"table\" = ? AND \"column\" = ? AND level = 0 ORDER BY seq", table,
                     column, NULL);
  g_autoptr (GError) error = NULL;

  g_array_set_size (rows, 0);
  while (statement != NULL && roast_database_next (database, statement, &error))
    {
      gint64 row = sqlite3_column_int64 (statement, 0);

      g_array_append_val (rows, row);
    }

  return statement != NULL && error == NULL;
}

/* All columns have the number of rows; 0 if none can be read. */
static gint64
find_n_rows (RoastDatabase *database, gint64 table, guint n_columns, gint64 first)
{
  gint64 n = 0;

  for (guint column = 0; n == 0 && column < n_columns; column++)
    {
      sqlite3_stmt *statement =
          select_blocks (database,
                         "SELECT n FROM block WHERE \"table\" = ? AND \"column\" = ? AND level = 0 AND seq = ?", table,
                         column, NULL);
      g_autoptr (GError) error = NULL;

      if (statement == NULL)
        return 0;
      sqlite3_bind_int64 (statement, 3, first);
      if (roast_database_next (database, statement, &error))
        n = sqlite3_column_int64 (statement, 0);
      sqlite3_reset (statement);
    }

  return n;
}

static void
read_what_is_left (RoastDatabase *database, gint64 table, guint n_columns, GArray *places)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) most = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint column = 0; column < n_columns; column++)
    {
      gboolean is_whole = find_first_rows (database, table, column, rows);

      if (rows->len > most->len)
        {
          g_array_set_size (most, 0);
          g_array_append_vals (most, rows->data, rows->len);
        }
      if (is_whole)
        break;
    }
  for (guint i = 0; i < most->len; i++)
    {
      gint64 first = g_array_index (most, gint64, i);

      add (places, first, find_n_rows (database, table, n_columns, first));
    }
}

gboolean
roast_block_list_read (RoastStoreFile *file, gint64 table, guint n_columns, GArray *places, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (file);
  sqlite3_stmt *statement =
      select_blocks (database,
                     "SELECT seq, n FROM block WHERE \"table\" = ? AND \"column\" = ? AND level = 0 ORDER BY seq",
                     table, 0, error);
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (good && roast_database_next (database, statement, &local))
    good = add (places, sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1));
  sqlite3_reset (statement);
  if (!good)
    return roast_store_file_fail (file, error, "the list of blocks of a table cannot be read");
  if (local == NULL)
    return TRUE;
  g_array_set_size (places, 0);
  read_what_is_left (database, table, n_columns, places);
  g_propagate_error (error, local);

  return FALSE;
}
