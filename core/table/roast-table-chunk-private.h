/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-table-info.h"

/* Some rows of a table, column by column. Written by one thread at a time (under the table's lock) and read by any
 * number meanwhile: buffers never move, and a cell of a row that a reader may see never changes; the one thing that
 * rows share, a byte of the validity bitmap, is loaded and stored whole. A chunk that a snapshot holds is copied before
 * a missing cell of an entity is set in it. The columns are those that the table had when the chunk was made. */

typedef struct _RoastChunk RoastChunk;

/* Gets columns of rows that are elsewhere, as a chunk of its own; never NULL: what cannot be read is missing. */
typedef RoastChunk *(*RoastChunkLoad) (GObject *store, guint64 address, guint n_rows, const guint *columns,
                                       guint n_columns);

/* The least and greatest number, or code of a category, in a column of rows that are elsewhere; the least one is above
 * the greatest if no cell is there. FALSE if that is not known. */
typedef gboolean (*RoastChunkRange) (GObject *store, guint64 address, guint column, double *min, double *max);

typedef union
{
  gint64 int64;
  double real;
  gint32 code;
  guint8 boolean;
  const char *string;
} RoastCell;

/* A cell that is being written. A category is encoded; a string belongs to the writer. */
typedef struct
{
  guint column;
  RoastColumnType type;
  RoastCell cell;
} RoastRowCell;

RoastChunk *roast_chunk_new (guint capacity, RoastTableInfo *info);
/* An unshared chunk with the same rows. */
RoastChunk *roast_chunk_copy (RoastChunk *self);
/* A chunk without cells, whose rows a store has. */
RoastChunk *roast_chunk_new_stored (RoastTableInfo *info, guint n_rows, GObject *store, guint64 address,
                                    RoastChunkLoad load, RoastChunkRange range);
gboolean roast_chunk_is_stored (RoastChunk *self);
/* A reference to a chunk that has these columns: itself, if its rows are in memory. */
RoastChunk *roast_chunk_load (RoastChunk *self, const guint *columns, guint n_columns);
/* The range of a column, without loading it; FALSE if that is unknown. */
gboolean roast_chunk_get_range (RoastChunk *self, guint column, double *min, double *max);
RoastChunk *roast_chunk_ref (RoastChunk *self);
void roast_chunk_unref (RoastChunk *self);
gboolean roast_chunk_is_shared (RoastChunk *self);
guint roast_chunk_get_capacity (RoastChunk *self);
gsize roast_chunk_get_memory (RoastChunk *self);

void roast_chunk_set (RoastChunk *self, guint row, guint column, RoastCell cell);
void roast_chunk_set_row (RoastChunk *self, guint row, const RoastRowCell *cells, guint n_cells);
gboolean roast_chunk_is_valid (RoastChunk *self, guint row, guint column);
/* The cells of a column and which are there, one bit a row; NULL if all are missing. */
gconstpointer roast_chunk_peek (RoastChunk *self, guint column, const guint8 **validity);
RoastCell roast_chunk_get (RoastChunk *self, guint row, guint column);

/* For a chunk that is being loaded: takes over the cells of a column and which are there, one bit a row. */
void roast_chunk_take_cells (RoastChunk *self, guint column, gpointer data, guint8 *validity);
/* The same for strings: one text a row, each with a zero byte at its end. FALSE if there are not that many. */
gboolean roast_chunk_take_texts (RoastChunk *self, guint column, const char *texts, gsize length, guint8 *validity);
/* Lets a chunk that is being loaded have the strings of another one with the same rows. */
void roast_chunk_share_strings (RoastChunk *self, RoastChunk *from, guint column);

gsize roast_column_type_size (RoastColumnType type);
/* Fills n_rows cells of the column with what missing cells read as: NaN, 0, FALSE, -1. */
void roast_chunk_fill_missing (RoastColumnType type, gpointer to, guint n_rows);
/* Copies the first n_rows cells of a fixed-width column to `to`. */
void roast_chunk_copy_cells (RoastChunk *self, guint column, RoastColumnType type, guint n_rows, gpointer to);
GBytes *roast_chunk_dup_data (RoastChunk *self, guint column, RoastColumnType type, guint n_rows);
GBytes *roast_chunk_dup_offsets (RoastChunk *self, guint column, guint n_rows);
GBytes *roast_chunk_dup_validity (RoastChunk *self, guint column, guint n_rows);
guint roast_chunk_copy_validity (RoastChunk *self, guint column, guint n_rows, guint8 *to);
