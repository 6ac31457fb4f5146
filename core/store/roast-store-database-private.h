/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

#define ROAST_STORE_APPLICATION 0x526f6173 /* "Roas" */
#define ROAST_STORE_FORMAT 1

/* A connection to a run file, used in the store's thread only. */
typedef struct _RoastDatabase RoastDatabase;

/* A file that is there, and empty. */
RoastDatabase *roast_database_create (const char *path, GError **error);
/* To add to a file whose writer was killed. */
RoastDatabase *roast_database_open_again (const char *path, GError **error);
/* @is_written: another process writes it. */
RoastDatabase *roast_database_open (const char *path, gboolean is_written, GError **error);
void roast_database_close (RoastDatabase *self);

/* One transaction for several statements that read. FALSE if there is one already, or none can be begun: then each
 * statement has its own, or that one. */
gboolean roast_database_begin_reading (RoastDatabase *self);
void roast_database_end_reading (RoastDatabase *self);
gboolean roast_database_exec (RoastDatabase *self, const char *sql, GError **error);
/* A statement, which belongs to the connection, with values: @types has a letter for each of them, “i” for a gint64,
 * “s” for a text or NULL, “b” for bytes and their number (gsize), which stay until the statement has run. NULL on
 * error. */
sqlite3_stmt *roast_database_query (RoastDatabase *self, GError **error, const char *sql, const char *types, ...);
/* The next row of a statement: 1; 0 at its end; -1 on error, also if the statement is NULL. */
int roast_database_step (RoastDatabase *self, sqlite3_stmt *statement, GError **error);
/* Runs a statement that returns no row. FALSE on error, also if it is NULL. */
gboolean roast_database_run (RoastDatabase *self, sqlite3_stmt *statement, GError **error);
/* The same, of a statement with two texts. */
gboolean roast_database_put (RoastDatabase *self, const char *sql, const char *key, const char *value, GError **error);
/* How many pages the file has, apart from those that are free; 0 if that is unknown. */
guint64 roast_database_count_pages (RoastDatabase *self);
/* A text of the current row, in UTF-8; NULL if the value is NULL. */
char *roast_database_dup_text (sqlite3_stmt *statement, int column);
/* A copy of a text with quotation marks around it, for SQL. */
char *roast_database_quote (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastDatabase, roast_database_close)

G_END_DECLS
