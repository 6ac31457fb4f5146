/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-layout-private.h"

#include "roast/roast-error.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF (number)

gboolean
roast_store_layout_prepare (RoastDatabase *database, GError **error)
{
  return roast_database_exec (database,
                              "PRAGMA page_size = 4096; PRAGMA synchronous = OFF; BEGIN;"
                              "PRAGMA application_id = " TEXT (
                                  ROAST_STORE_APPLICATION) ";"
                                                           "PRAGMA user_version = " TEXT (
                                                               ROAST_STORE_FORMAT) ";"
                                                                                   "COMMIT; PRAGMA journal_mode = WAL;",
                              error);
}

gboolean
roast_store_layout_create (RoastDatabase *database, GError **error)
{
  return roast_database_exec (
      database,
      "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "CREATE TABLE schema (origin TEXT, text TEXT);"
      "CREATE TABLE tables (id INTEGER PRIMARY KEY, name TEXT, storage TEXT);"
      "CREATE TABLE columns (\"table\" INTEGER, \"column\" INTEGER, name TEXT, type TEXT, unit TEXT,"
      " PRIMARY KEY (\"table\", \"column\")) WITHOUT ROWID;"
      "CREATE TABLE dictionary (\"table\" INTEGER, \"column\" INTEGER, code INTEGER, text TEXT,"
      " PRIMARY KEY (\"table\", \"column\", code)) WITHOUT ROWID;"
      "CREATE TABLE block (\"table\" INTEGER, seq INTEGER, level INTEGER, \"column\" INTEGER, n INTEGER, t0 INTEGER,"
      " t1 INTEGER, encoding TEXT, min REAL, max REAL, sum REAL, valid BLOB, data BLOB,"
      " PRIMARY KEY (\"table\", \"column\", level, seq));"
      "CREATE TABLE open_row (id INTEGER PRIMARY KEY, \"table\" INTEGER, n INTEGER, data BLOB);",
      error);
}

gboolean
roast_store_layout_finish (RoastDatabase *database, GError **error)
{
  sqlite3_stmt *statement = NULL;
  const char *mode = NULL;
  GError *local = NULL;

  /* Who reads the file meanwhile is not waited for: the file stays in WAL mode then. */
  if (!roast_database_exec (database, "PRAGMA busy_timeout = 200; PRAGMA wal_checkpoint (TRUNCATE)", error))
    return FALSE;
  statement = roast_database_prepare (database, "PRAGMA journal_mode = DELETE", error);
  if (statement == NULL)
    return FALSE;
  while (roast_database_next (database, statement, &local))
    mode = (const char *) sqlite3_column_text (statement, 0);
  g_debug ("journal mode %s", mode != NULL ? mode : "unknown");
  g_clear_error (&local);

  return TRUE;
}

static gboolean
get_number (RoastDatabase *database, const char *sql, gint64 *number, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (database, sql, error);
  GError *local = NULL;

  *number = 0;
  if (statement == NULL)
    return FALSE;
  if (roast_database_next (database, statement, &local))
    *number = sqlite3_column_int64 (statement, 0);
  sqlite3_reset (statement);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);

  return FALSE;
}

gboolean
roast_store_layout_check (RoastDatabase *database, const char *path, GError **error)
{
  gint64 application = 0;
  gint64 version = 0;

  if (!get_number (database, "PRAGMA application_id", &application, error) ||
      !get_number (database, "PRAGMA user_version", &version, error))
    return FALSE;
  if (application != ROAST_STORE_APPLICATION)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_FOREIGN,
                   "%s is an SQLite file of another program, not a run file", path);
      return FALSE;
    }
  if (version > ROAST_STORE_FORMAT)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_VERSION,
                   "%s has format %" G_GINT64_FORMAT ", which a newer version of roast wrote; this version reads "
                   "formats up to %d: install the newer one",
                   path, version, ROAST_STORE_FORMAT);
      return FALSE;
    }

  return TRUE;
}
