/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-database-private.h"

G_BEGIN_DECLS

/* The SQL tables of a run file, as docs/store.md describes them. */

#define ROAST_STORE_META_OWN "roast."
#define ROAST_STORE_META_STATE ROAST_STORE_META_OWN "state"           /* growing or closed */
#define ROAST_STORE_META_REACH ROAST_STORE_META_OWN "reach"           /* all rows before that time are there */
#define ROAST_STORE_META_MISSING ROAST_STORE_META_OWN "missing-since" /* rows were given up */
#define ROAST_STORE_META_MISSING_TABLES                                                                                \
  ROAST_STORE_META_OWN "missing-tables"                                     /* of these tables, separated by commas    \
                                                                             */
#define ROAST_STORE_META_MISSING_WHY ROAST_STORE_META_OWN "missing-because" /* limit or memory */

#define ROAST_STORE_META_ROWS ROAST_STORE_META_OWN "rows." /* and the name of a table: its rows in a closed file */

/* Why a number that follows from rows of a table is not complete. */
#define ROAST_STORE_GAP_MEMORY "rows are missing, since the run file could not grow"
#define ROAST_STORE_GAP_LIMIT "rows are missing, since the run file reached its limit"
#define ROAST_STORE_GAP_DAMAGE "rows may be missing, since the run file is damaged"

#define ROAST_STORE_SET_META "INSERT OR REPLACE INTO meta VALUES (?, ?)"
#define ROAST_STORE_SET_METADATA "INSERT OR REPLACE INTO metadata VALUES (?, ?)"

/* Makes an empty file a database without tables. SQLite would need a transaction for it. */
gboolean roast_store_layout_begin (int fd, const char *path, GError **error);
/* The bytes of a closed file as its first page has them; 0 if it cannot be read. */
goffset roast_store_layout_get_size (int fd);
/* In the first transaction. */
gboolean roast_store_layout_create (RoastDatabase *database, GError **error);
/* Whether there are tables already: the first transaction, which makes them, was committed. Outside of a transaction.
 */
gboolean roast_store_layout_is_created (RoastDatabase *database, const char *path, gboolean is_written);
/* Makes one plain file of one with a log. After an error the connection may be useless; what was committed can still be
 * read. */
gboolean roast_store_layout_finish (RoastDatabase *database, GError **error);
/* Whether a file that is read is a run file, of a version that is known, by its first page, of which @size bytes are
 * there. */
gboolean roast_store_layout_check (const guint8 *page, gsize size, const char *path, GError **error);

G_END_DECLS
