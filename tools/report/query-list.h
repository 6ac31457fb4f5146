/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Makes the rows of a small table when a query first names it: a GPtrArray of rows, each an array of as many cells as
 * the table has columns. A cell is a GVariant (s, x or d) or NULL. */
typedef GPtrArray *(*QueryListMake) (gpointer data, GError **error);

/* A row whose cells are all NULL, for a list. */
GPtrArray *query_list_new (void);
GVariant **query_list_add_row (GPtrArray *rows, guint n_columns);

/* Lets a database read a list of rows as a table. @columns as in CREATE TABLE: static, as is the name. */
gboolean query_list_add (sqlite3 *database, const char *name, const char *columns, QueryListMake make, gpointer data,
                         GError **error);

G_END_DECLS
