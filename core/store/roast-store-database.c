/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-database-private.h"

#include <glib/gstdio.h>

#include "base/roast-fail-private.h"
#include "roast-store-checksum-private.h"
#include "roast-store-vfs-private.h"
#include "roast/roast-error.h"

#define STORE_DATABASE_PATIENCE 10000 /* ms to wait for a lock of another process */
#define MAX_VALUE (512 << 20)

struct _RoastDatabase
{
  sqlite3 *db;
  char *path;
  GHashTable *statements; /* maps SQL text to its prepared sqlite3_stmt */
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
store_database_get_code (int result)
{
  switch (result & 0xff)
    {
    case SQLITE_NOTADB:
      return ROAST_STORE_ERROR_FOREIGN;
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* for example, a table is missing */
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

/* Return the errno of the last failed system call. If SQLite makes another system call before it returns, the
 * connection has lost the errno. In this case, get the errno from SQLite's file objects, each of which keeps its own
 * errno. */
static int
get_errno (RoastDatabase *self)
{
  int number = sqlite3_system_errno (self->db);
  sqlite3_file *log = NULL;

  if (number == 0)
    sqlite3_file_control (self->db, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  if (number == 0 && sqlite3_file_control (self->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK &&
      log != NULL && log->pMethods != NULL)
    log->pMethods->xFileControl (log, SQLITE_FCNTL_LAST_ERRNO, &number);

  return number;
}

static void
set_error (RoastDatabase *self, GError **error)
{
  int result = sqlite3_extended_errcode (self->db);
  int number = get_errno (self);
  const char *message = sqlite3_errmsg (self->db);
  g_autofree char *about_page = NULL;
  gint64 page = -1;

  if ((result & 0xff) == SQLITE_IOERR && number != 0)
    message = g_strerror (number);
  else if (result == SQLITE_IOERR_SHMSIZE || result == SQLITE_IOERR_SHMOPEN || result == SQLITE_IOERR_SHMMAP)
    message = "cannot create the file “-shm” for shared memory in the same directory";
  if ((result & 0xff) == SQLITE_CORRUPT)
    sqlite3_file_control (self->db, "main", ROAST_STORE_VFS_FAILED_PAGE, &page);
  if (page >= 0)
    message = about_page = g_strdup_printf ("the file is damaged: bytes %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                                            " have a wrong checksum",
                                            page * ROAST_STORE_PAGE, (page + 1) * ROAST_STORE_PAGE - 1);
  g_set_error (error, ROAST_STORE_ERROR, (int) store_database_get_code (result), "%s: %s", self->path, message);
}

typedef enum
{
  SHARED,    /* other processes may use the file at the same time */
  ALONE,     /* no other process uses the file, so SQLite needs no shared memory, which would be another file */
  IMMUTABLE, /* no process changes the file, and there is no write-ahead log (PATH-wal) */
} Access;

static RoastDatabase *
connect_file (const char *path, int flags, Access access, GError **error)
{
  g_autoptr (RoastDatabase) self = g_new0 (RoastDatabase, 1);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *name = g_strconcat (uri, access == IMMUTABLE ? "?immutable=1" : "", NULL);
  int result = SQLITE_OK;

  self->path = g_strdup (path);
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, finalize_statement);
  result = sqlite3_open_v2 (name, &self->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                            roast_store_vfs_get_name (access == ALONE));
  if (self->db == NULL)
    return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "%s: %s", path, sqlite3_errstr (result));
  if (result != SQLITE_OK)
    {
      set_error (self, error);
      return NULL;
    }
  sqlite3_busy_timeout (self->db, STORE_DATABASE_PATIENCE);
  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, MAX_VALUE);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);

  return g_steal_pointer (&self);
}

RoastDatabase *
roast_database_create (const char *path, GError **error)
{
  RoastDatabase *self = connect_file (path, SQLITE_OPEN_READWRITE, SHARED, error);
  int reserved = ROAST_STORE_RESERVED;

  if (self != NULL)
    sqlite3_file_control (self->db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);

  return self;
}

RoastDatabase *
roast_database_open_again (const char *path, GError **error)
{
  RoastDatabase *self = connect_file (path, SQLITE_OPEN_READWRITE, SHARED, error);

  if (self != NULL)
    sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);

  return self;
}

/* Open the file and run a first reading statement, which shows whether SQLite can use the file. */
static RoastDatabase *
open_as (const char *path, Access access, GError **error)
{
  g_autoptr (RoastDatabase) self = connect_file (path, SQLITE_OPEN_READONLY, access, error);

  if (self == NULL)
    return NULL;
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  if (access == ALONE && !roast_database_exec (self, "PRAGMA locking_mode = EXCLUSIVE", error))
    return NULL;
  if (!roast_database_exec (self, "PRAGMA cell_size_check = ON; PRAGMA schema_version", error))
    return NULL;

  return g_steal_pointer (&self);
}

/* Open a run file for reading. If the run file was not closed, SQLite needs shared memory, which is another file in the
 * same directory. If SQLite cannot create this file, for example on read-only media, and no process writes the run
 * file, open the run file without shared memory. */
RoastDatabase *
roast_database_open (const char *path, gboolean is_written, GError **error)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  GError *local = NULL;
  RoastDatabase *self = open_as (path, SHARED, &local);
  GStatBuf info;

  if (self != NULL)
    return self;
  if (!is_written && (local->code == ROAST_STORE_ERROR_OPEN || local->code == ROAST_STORE_ERROR_WRITE))
    {
      g_debug ("%s; opening the file without shared memory", local->message);
      g_clear_error (&local);
      self = open_as (path, g_stat (wal, &info) == 0 && info.st_size > 0 ? ALONE : IMMUTABLE, &local);
    }
  if (local != NULL)
    g_propagate_error (error, local);

  return self;
}

gboolean
roast_database_exec (RoastDatabase *self, const char *sql, GError **error)
{
  if (sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  set_error (self, error);

  return FALSE;
}

static gint64
store_database_get_number (RoastDatabase *self, const char *sql)
{
  sqlite3_stmt *statement = roast_database_query (self, NULL, sql, "");
  gint64 number = roast_database_step (self, statement, NULL) > 0 ? sqlite3_column_int64 (statement, 0) : 0;

  if (statement != NULL)
    sqlite3_reset (statement);

  return number;
}

guint64
roast_database_count_pages (RoastDatabase *self)
{
  gint64 n_free = store_database_get_number (self, "PRAGMA freelist_count");

  return (guint64) (store_database_get_number (self, "PRAGMA page_count") - n_free);
}

static gboolean
run_alone (RoastDatabase *self, const char *sql)
{
  return roast_database_run (self, roast_database_query (self, NULL, sql, ""), NULL);
}

gboolean
roast_database_begin_reading (RoastDatabase *self)
{
  return sqlite3_get_autocommit (self->db) && run_alone (self, "BEGIN");
}

void
roast_database_end_reading (RoastDatabase *self)
{
  run_alone (self, "COMMIT");
}

static sqlite3_stmt *
prepare (RoastDatabase *self, const char *sql, GError **error)
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
      set_error (self, error);
      return NULL;
    }
  g_hash_table_insert (self->statements, g_strdup (sql), statement);

  return statement;
}

sqlite3_stmt *
roast_database_query (RoastDatabase *self, GError **error, const char *sql, const char *types, ...)
{
  sqlite3_stmt *statement = prepare (self, sql, error);
  gconstpointer bytes = NULL;
  va_list values;

  va_start (values, types);
  for (int i = 0; statement != NULL && types[i] != '\0'; i++)
    switch (types[i])
      {
      case 'i':
        sqlite3_bind_int64 (statement, i + 1, va_arg (values, gint64));
        break;
      case 's':
        sqlite3_bind_text (statement, i + 1, va_arg (values, const char *), -1, SQLITE_STATIC);
        break;
      default:
        bytes = va_arg (values, gconstpointer);
        sqlite3_bind_blob (statement, i + 1, bytes, (int) va_arg (values, gsize), SQLITE_STATIC);
        break;
      }
  va_end (values);

  return statement;
}

int
roast_database_step (RoastDatabase *self, sqlite3_stmt *statement, GError **error)
{
  int result = statement != NULL ? sqlite3_step (statement) : SQLITE_MISUSE;

  if (result == SQLITE_ROW)
    return 1;
  if (statement == NULL)
    return -1;
  if (result != SQLITE_DONE)
    set_error (self, error);
  sqlite3_reset (statement);

  return result == SQLITE_DONE ? 0 : -1;
}

gboolean
roast_database_run (RoastDatabase *self, sqlite3_stmt *statement, GError **error)
{
  int result = 0;

  while ((result = roast_database_step (self, statement, error)) > 0)
    ;

  return result == 0;
}

gboolean
roast_database_put (RoastDatabase *self, const char *sql, const char *key, const char *value, GError **error)
{
  return roast_database_run (self, roast_database_query (self, error, sql, "ss", key, value), error);
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
