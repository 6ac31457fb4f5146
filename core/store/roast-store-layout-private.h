/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-database-private.h"

/* The SQL tables of a run file, which docs/store.md describes. */

#define ROAST_STORE_META_OWN "roast."
#define ROAST_STORE_META_STATE ROAST_STORE_META_OWN "state"           /* state of the file: “growing” or “closed” */
#define ROAST_STORE_META_REACH ROAST_STORE_META_OWN "reach"           /* time before which all rows are in the file */
#define ROAST_STORE_META_MISSING ROAST_STORE_META_OWN "missing-since" /* time of the first dropped row */
#define ROAST_STORE_META_MISSING_TABLES ROAST_STORE_META_OWN "missing-tables" /* names of tables that lack rows */
#define ROAST_STORE_META_MISSING_WHY ROAST_STORE_META_OWN "missing-because"   /* why: “limit” or “memory” */

#define ROAST_STORE_META_ROWS ROAST_STORE_META_OWN "rows." /* + table: number of rows, if the file is closed */

/* Reasons why a number computed from rows of a table is incomplete. */
#define ROAST_STORE_GAP_MEMORY "rows are missing, because the run file could not grow"
#define ROAST_STORE_GAP_LIMIT "rows are missing, because the run file reached its size limit"
#define ROAST_STORE_GAP_DAMAGE "rows may be missing, because the run file is damaged"

#define ROAST_STORE_SET_META "INSERT OR REPLACE INTO meta VALUES (?, ?)"
#define ROAST_STORE_SET_METADATA "INSERT OR REPLACE INTO metadata VALUES (?, ?)"

/* Write the header of a database without tables into an empty file. This is faster than SQLite, which would need a
 * transaction. */
gboolean roast_store_layout_begin (int fd, const char *path, GError **error);
/* Return the size in bytes that a closed file should have according to its first page; 0 if the page cannot be read. */
goffset roast_store_layout_get_size (int fd);
/* Create the SQL tables. Call this function in the first transaction. */
gboolean roast_store_layout_create (RoastDatabase *database, GError **error);
/* Return whether the SQL tables exist, which the first transaction of the writer creates. Call this function outside of
 * a transaction. */
gboolean roast_store_layout_is_created (RoastDatabase *database, const char *path, gboolean is_written);
/* Merge the log into the file. After an error the connection may be useless, but committed data can still be read. */
gboolean roast_store_layout_finish (RoastDatabase *database, GError **error);
/* Check that a file is a run file of a known version, from the first @size bytes of its first page. */
gboolean roast_store_layout_check (const guint8 *page, gsize size, const char *path, GError **error);
