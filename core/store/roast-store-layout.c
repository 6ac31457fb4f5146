/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-layout-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "roast-store-checksum-private.h"
#include "roast/roast-error.h"

#define MAX_STEPS 100 /* maximum number of times that a reader looks for the tables of the first transaction */
#define STEP 10000    /* µs between two attempts to find these tables */

static void
put_number (guint8 *to, guint32 number)
{
  number = GUINT32_TO_BE (number);
  memcpy (to, &number, sizeof number);
}

gboolean
roast_store_layout_begin (int fd, const char *path, GError **error)
{
  /* The header of an SQLite file, followed by the root page of the schema table, an empty leaf. */
  guint8 page[ROAST_STORE_PAGE] = "SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x01\0\0\0\x01";
  gssize n;

  page[20] = ROAST_STORE_RESERVED;
  page[47] = 4; /* number of the schema format */
  page[59] = 1; /* text encoding: UTF-8 */
  put_number (page + 60, ROAST_STORE_FORMAT);
  put_number (page + 68, ROAST_STORE_APPLICATION);
  page[95] = 1; /* value of the change counter when the version number in the next field was written */
  put_number (page + 96, (guint32) sqlite3_libversion_number ());
  page[100] = 13; /* page type: a leaf */
  page[105] = ROAST_STORE_USED >> 8;
  page[106] = ROAST_STORE_USED & 0xff;
  roast_page_sum (page, 0);
  n = pwrite (fd, page, sizeof page, 0);
  if (n == (gssize) sizeof page)
    return TRUE;
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE, "%s: %s", path, g_strerror (n < 0 ? errno : ENOSPC));
  if (n > 0 && ftruncate (fd, 0) < 0)
    g_debug ("%s: %s", path, g_strerror (errno));

  return FALSE;
}

goffset
roast_store_layout_get_size (int fd)
{
  guint32 pages = 0;

  return pread (fd, &pages, sizeof pages, 28) == sizeof pages ? (goffset) GUINT32_FROM_BE (pages) * ROAST_STORE_PAGE
                                                              : 0;
}

#define LOG_HEADER 32   /* bytes before the first frame of SQLite's log */
#define FRAME_HEADER 24 /* bytes before the page in each frame (changed page) of the log */

/* Return whether the log has a committed transaction. Only the last frame of a transaction has the size of the
 * database in its header. */
static gboolean
log_has_commit (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  int fd = g_open (log, O_RDONLY | O_CLOEXEC, 0);
  gboolean is_committed = FALSE;
  guint32 header[2];

  if (fd < 0)
    return FALSE;
  for (off_t at = LOG_HEADER; !is_committed && pread (fd, header, sizeof header, at) == sizeof header;
       at += FRAME_HEADER + ROAST_STORE_PAGE)
    is_committed = header[1] != 0;
  close (fd);

  return is_committed;
}

/* Return whether the connection sees an SQL table. Also return TRUE for a damaged file, because a later reading step
 * reports the damage. */
static gboolean
has_tables (RoastDatabase *database)
{
  sqlite3_stmt *statement = roast_database_query (database, NULL, "SELECT 1 FROM sqlite_master LIMIT 1", "");
  int result = roast_database_step (database, statement, NULL);

  if (statement != NULL)
    sqlite3_reset (statement);

  return result != 0;
}

gboolean
roast_store_layout_is_created (RoastDatabase *database, const char *path, gboolean is_written)
{
  /* The log contains a commit a moment before readers see the tables of the transaction, so try several times. If
   * readers never see the tables, the file is damaged. */
  for (guint i = 0; i < (is_written ? MAX_STEPS : 1); i++)
    {
      gboolean is_committed = log_has_commit (path);

      if (has_tables (database))
        return TRUE;
      if (!is_committed)
        return FALSE;
      if (is_written)
        g_usleep (STEP);
    }

  return TRUE;
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
  GError *local = NULL;

  /* Wait only briefly for processes that read the file. If processes still read the file after this time, the file
   * stays in WAL mode. */
  if (!roast_database_exec (database, "PRAGMA busy_timeout = 200; PRAGMA wal_checkpoint (TRUNCATE)", error))
    return FALSE;
  statement = roast_database_query (database, error, "PRAGMA journal_mode = DELETE", "");
  if (statement == NULL || roast_database_run (database, statement, &local))
    return statement != NULL;
  if (g_error_matches (local, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_error_free (local);

  return TRUE;
}

/* ---- the header of the file, in SQLite's format ---- */

#define HEADER_VERSION 60
#define HEADER_APPLICATION 68

static guint32
store_layout_get_number (const guint8 *page, gsize at)
{
  guint32 number;

  memcpy (&number, page + at, sizeof number);

  return GUINT32_FROM_BE (number);
}

static gboolean
store_layout_refuse (RoastStoreError code, const char *path, const char *why, GError **error)
{
  return roast_fail (error, ROAST_STORE_ERROR, (int) code, "%s: %s", path, why);
}

gboolean
roast_store_layout_check (const guint8 *page, gsize size, const char *path, GError **error)
{
  static const char magic[16] = "SQLite format 3";
  gboolean is_sqlite = size >= HEADER_APPLICATION + 4 && memcmp (page, magic, sizeof magic) == 0;
  g_autofree char *why = NULL;

  if (!is_sqlite || store_layout_get_number (page, HEADER_APPLICATION) != ROAST_STORE_APPLICATION)
    {
      if (size == ROAST_STORE_PAGE && roast_page_starts_file (page) && roast_page_check (page, 0) == ROAST_PAGE_DAMAGED)
        return store_layout_refuse (ROAST_STORE_ERROR_DAMAGED, path,
                                    "the run file is damaged: the header has a wrong checksum", error);
      return store_layout_refuse (ROAST_STORE_ERROR_FOREIGN, path,
                                  is_sqlite   ? "this file is an SQLite database of another program, not a run file"
                                  : size == 0 ? "this file is empty and not a run file"
                                              : "this file is not a run file",
                                  error);
    }
  if (store_layout_get_number (page, HEADER_VERSION) <= ROAST_STORE_FORMAT)
    return TRUE;
  why = g_strdup_printf ("this run file has format %u, which a newer version of roast wrote; this version reads "
                         "formats up to %d: install the newer version",
                         store_layout_get_number (page, HEADER_VERSION), ROAST_STORE_FORMAT);

  return store_layout_refuse (ROAST_STORE_ERROR_VERSION, path, why, error);
}
