/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#define ROAST_STORE_APPLICATION 0x526f6173 /* "Roas", the application ID that marks run files */
#define ROAST_STORE_FORMAT 1

/* A connection to a run file. Use a connection only in the store's thread. */
typedef struct _RoastDatabase RoastDatabase;

/* Open an existing empty file for writing. */
RoastDatabase *roast_database_create (const char *path, GError **error);
/* Open a file whose writer was killed, to write more data into it. */
RoastDatabase *roast_database_open_again (const char *path, GError **error);
/* Open a file for reading. @is_written: whether another process writes the file. */
RoastDatabase *roast_database_open (const char *path, gboolean is_written, GError **error);
void roast_database_close (RoastDatabase *self);

/* Begin a transaction for several reading statements. Return FALSE if a transaction is already open, in which the
 * statements then run, or if a transaction cannot begin, so that each statement runs in its own transaction. */
gboolean roast_database_begin_reading (RoastDatabase *self);
void roast_database_end_reading (RoastDatabase *self);
gboolean roast_database_exec (RoastDatabase *self, const char *sql, GError **error);
/* Return a statement with bound values, owned by the connection, or NULL on error. @types has a letter for each value:
 * “i” for a gint64, “s” for a text or NULL, “b” for two arguments, a pointer to bytes and the number of bytes (gsize).
 * Texts and bytes must stay valid until the statement has run. */
sqlite3_stmt *roast_database_query (RoastDatabase *self, GError **error, const char *sql, const char *types, ...);
/* Step to the next row. Return 1 for a row, 0 at the end, -1 on error or if the statement is NULL. */
int roast_database_step (RoastDatabase *self, sqlite3_stmt *statement, GError **error);
/* Run a statement that returns no rows. Return FALSE on error or if the statement is NULL. */
gboolean roast_database_run (RoastDatabase *self, sqlite3_stmt *statement, GError **error);
/* Run a statement with the two parameters @key and @value. */
gboolean roast_database_put (RoastDatabase *self, const char *sql, const char *key, const char *value, GError **error);
/* Return the number of used pages in the file, without free pages, or 0 if the number is unknown. */
guint64 roast_database_count_pages (RoastDatabase *self);
/* Return a text of the current row as valid UTF-8, or NULL if the value is NULL. */
char *roast_database_dup_text (sqlite3_stmt *statement, int column);
/* Return a copy of a name in double quotes, for SQL. */
char *roast_database_quote (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastDatabase, roast_database_close)
