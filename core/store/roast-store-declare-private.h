/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-database-private.h"
#include "roast/roast-schema.h"

G_BEGIN_DECLS

/* Declares a table and its columns in the SQL tables of a run file. A table with Storage=rows gets an SQL table of its
 * own. */
gboolean roast_store_declare_table (RoastDatabase *database, RoastTableInfo *info, gint64 id, GError **error);

G_END_DECLS
