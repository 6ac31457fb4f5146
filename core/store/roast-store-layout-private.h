/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-database-private.h"

G_BEGIN_DECLS

/* The SQL tables of a run file, as docs/store.md describes them. */

#define ROAST_STORE_META_OWN "roast."
#define ROAST_STORE_META_STATE ROAST_STORE_META_OWN "state"           /* growing or closed */
#define ROAST_STORE_META_REACH ROAST_STORE_META_OWN "reach"           /* all rows before that time are there */
#define ROAST_STORE_META_MISSING ROAST_STORE_META_OWN "missing-since" /* rows were given up */

#define ROAST_STORE_SET_META "INSERT OR REPLACE INTO meta VALUES (?, ?)"
#define ROAST_STORE_REMOVE_META "DELETE FROM meta WHERE key = ?"
#define ROAST_STORE_SET_METADATA "INSERT OR REPLACE INTO metadata VALUES (?, ?)"

/* Of an empty file, before the first transaction. */
gboolean roast_store_layout_prepare (RoastDatabase *database, GError **error);
/* In the first transaction. */
gboolean roast_store_layout_create (RoastDatabase *database, GError **error);
/* Makes one plain file of it. */
gboolean roast_store_layout_finish (RoastDatabase *database, GError **error);
/* Whether a file that is read is a run file, of a version that is known. */
gboolean roast_store_layout_check (RoastDatabase *database, const char *path, GError **error);

G_END_DECLS
