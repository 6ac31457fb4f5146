/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-database-private.h"

#include "roast/roast-error.h"

#define PATIENCE 10000 /* ms that a lock of another process is waited for */
#define MAX_VALUE (512 << 20)

struct _RoastDatabase
{
  sqlite3 *db;
  char *path;
  GHashTable *statements; /* SQL to sqlite3_stmt */
};

static void
finalize_statement (gpointer statement)
{
  sqlite3_finalize (statement);
}

void
roast_database_close (RoastDatabase *self)
{
  g_hash_table_unref (self->statements);
  sqlite3_close (self->db);
  g_free (self->path);
  g_free (self);
}

static RoastStoreError
get_code (int result)
{
  switch (result & 0xff)
    {
    case SQLITE_NOTADB:
      return ROAST_STORE_ERROR_FOREIGN;
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* such as a missing table */
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      return ROAST_STORE_ERROR_DAMAGED;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
      return ROAST_STORE_ERROR_WRITE;
    default:
      return ROAST_STORE_ERROR_OPEN;
    }
}

void
roast_database_fail (RoastDatabase *self, GError **error)
{
  int result = sqlite3_extended_errcode (self->db);
  int number = sqlite3_system_errno (self->db);
  const char *message = sqlite3_errmsg (self->db);

  if ((result & 0xff) == SQLITE_IOERR && number != 0)
    message = g_strerror (number);
  g_set_error (error, ROAST_STORE_ERROR, (int) get_code (result), "%s: %s", self->path, message);
}

static RoastDatabase *
connect_file (const char *path, int flags, GError **error)
{
  g_autoptr (RoastDatabase) self = g_new0 (RoastDatabase, 1);
  int result = SQLITE_OK;

  self->path = g_strdup (path);
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, finalize_statement);
  result = sqlite3_open_v2 (path, &self->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (self->db == NULL)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "%s: %s", path, sqlite3_errstr (result));
      return NULL;
    }
  if (result != SQLITE_OK)
    {
      roast_database_fail (self, error);
      return NULL;
    }
  sqlite3_busy_timeout (self->db, PATIENCE);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, MAX_VALUE);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);

  return g_steal_pointer (&self);
}

RoastDatabase *
roast_database_create (const char *path, GError **error)
{
  return connect_file (path, SQLITE_OPEN_READWRITE, error);
}

RoastDatabase *
roast_database_open (const char *path, GError **error)
{
  g_autoptr (RoastDatabase) self = connect_file (path, SQLITE_OPEN_READONLY, error);

  if (self == NULL || !roast_database_exec (self, "PRAGMA cell_size_check = ON", error))
    return NULL;

  return g_steal_pointer (&self);
}

gboolean
roast_database_exec (RoastDatabase *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  roast_database_fail (self, error);

  return FALSE;
}

sqlite3_stmt *
roast_database_prepare (RoastDatabase *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = g_hash_table_lookup (self->statements, sql);

  if (statement != NULL)
    {
      sqlite3_reset (statement);
      sqlite3_clear_bindings (statement);
      return statement;
    }
  if (sqlite3_prepare_v3 (self->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    {
      roast_database_fail (self, error);
      return NULL;
    }
  g_hash_table_insert (self->statements, g_strdup (sql), statement);

  return statement;
}

gboolean
roast_database_next (RoastDatabase *self, sqlite3_stmt *statement, GError **error)
{
  int result = sqlite3_step (statement);

  if (result == SQLITE_ROW)
    return TRUE;
  if (result != SQLITE_DONE)
    roast_database_fail (self, error);
  sqlite3_reset (statement);

  return FALSE;
}

gboolean
roast_database_run (RoastDatabase *self, sqlite3_stmt *statement, GError **error)
{
  GError *local = NULL;

  while (roast_database_next (self, statement, &local))
    ;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);

  return FALSE;
}

char *
roast_database_dup_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);
  int length = sqlite3_column_bytes (statement, column);

  return text != NULL ? g_utf8_make_valid (text, length) : NULL;
}

char *
roast_database_quote (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  return g_strconcat ("\"", doubled, "\"", NULL);
}
