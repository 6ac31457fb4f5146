/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "roast-store-database-private.h"
#include "table/roast-table-chunk-private.h"

G_BEGIN_DECLS

/* A run file that is open, for as long as anything needs its rows. */

#define ROAST_TYPE_STORE_FILE (roast_store_file_get_type ())
G_DECLARE_FINAL_TYPE (RoastStoreFile, roast_store_file, ROAST, STORE_FILE, GObject)

/* NULL in a process that was forked while files were open. The descriptor of the file is taken over; -1 if there is
 * none yet. */
RoastStoreFile *roast_store_file_new (const char *path, GError **error);
void roast_store_file_take_fd (RoastStoreFile *self, int fd);
int roast_store_file_get_fd (RoastStoreFile *self);
const char *roast_store_file_get_path (RoastStoreFile *self);
/* In the store's thread. */
void roast_store_file_take_database (RoastStoreFile *self, RoastDatabase *database);
RoastDatabase *roast_store_file_get_database (RoastStoreFile *self);
RoastDecoder *roast_store_file_get_decoder (RoastStoreFile *self);

/* Why the file does not grow, or cannot be read; NULL if nothing is wrong. Only the first problem is kept. */
void roast_store_file_set_problem (RoastStoreFile *self, const char *problem);
char *roast_store_file_dup_problem (RoastStoreFile *self);
/* Sets the error of a damaged file, unless there is one; FALSE. */
gboolean roast_store_file_fail (RoastStoreFile *self, GError **error, const char *what);

/* A table in the file: a chunk that is stored has it as its store, and the number of its first row as its address. */

#define ROAST_TYPE_STORE_TABLE (roast_store_table_get_type ())
G_DECLARE_FINAL_TYPE (RoastStoreTable, roast_store_table, ROAST, STORE_TABLE, GObject)

/* @n_columns: how many of the columns the file has; the others are missing. */
RoastStoreTable *roast_store_table_new (RoastStoreFile *file, gint64 id, RoastTableInfo *info, guint n_columns);
/* By column, how many texts a category has; without this call, all that a block names. */
void roast_store_table_set_n_texts (RoastStoreTable *self, const guint *n_texts);
RoastChunk *roast_store_table_new_chunk (RoastStoreTable *self, guint64 first_row, guint n_rows);

G_END_DECLS
