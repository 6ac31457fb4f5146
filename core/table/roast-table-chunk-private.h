/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-table-info.h"

/* Some rows of a table, stored by column. One thread at a time writes, under the table's lock; any number of threads
 * may read at the same time. Therefore buffers never move, and a visible cell never changes. Rows share no memory
 * except bytes of the validity bitmap, which are loaded and stored atomically. If a snapshot holds a chunk, a writer
 * that wants to set a missing cell in it copies the chunk first. The columns of a chunk are the columns that the table
 * had when the chunk was made. */

typedef struct _RoastChunk RoastChunk;

/* Loads columns of stored rows into a new chunk. Never returns NULL: cells that cannot be read are missing in the
 * chunk. */
typedef RoastChunk *(*RoastChunkLoad) (GObject *store, guint64 address, guint n_rows, const guint *columns,
                                       guint n_columns);

/* Gets the minimum and maximum of the numbers, or of the category codes, in a column of stored rows. If all cells are
 * missing, the minimum is above the maximum. Returns FALSE if the range is unknown. */
typedef gboolean (*RoastChunkRange) (GObject *store, guint64 address, guint column, double *min, double *max);

typedef union
{
  gint64 int64;
  double real;
  gint32 code;
  guint8 boolean;
  const char *string;
} RoastCell;

/* A cell to be written. A category cell contains a code. A string cell points to a text that the writer owns. */
typedef struct
{
  guint column;
  RoastColumnType type;
  RoastCell cell;
} RoastRowCell;

RoastChunk *roast_chunk_new (guint capacity, RoastTableInfo *info);
/* Return a copy of a chunk with the same rows. No snapshot holds the copy. */
RoastChunk *roast_chunk_copy (RoastChunk *self);
/* Make a chunk without cells, whose rows are in a store. */
RoastChunk *roast_chunk_new_stored (RoastTableInfo *info, guint n_rows, GObject *store, guint64 address,
                                    RoastChunkLoad load, RoastChunkRange range);
gboolean roast_chunk_is_stored (RoastChunk *self);
/* Return a reference to a chunk that has the same rows and at least these columns. If the rows are in memory, this
 * chunk is @self. */
RoastChunk *roast_chunk_load (RoastChunk *self, const guint *columns, guint n_columns);
/* Get the range of a column without loading the column. Return FALSE if the range is unknown. */
gboolean roast_chunk_get_range (RoastChunk *self, guint column, double *min, double *max);
RoastChunk *roast_chunk_ref (RoastChunk *self);
void roast_chunk_unref (RoastChunk *self);
gboolean roast_chunk_is_shared (RoastChunk *self);
guint roast_chunk_get_capacity (RoastChunk *self);
gsize roast_chunk_get_memory (RoastChunk *self);

void roast_chunk_set (RoastChunk *self, guint row, guint column, RoastCell cell);
void roast_chunk_set_row (RoastChunk *self, guint row, const RoastRowCell *cells, guint n_cells);
gboolean roast_chunk_is_valid (RoastChunk *self, guint row, guint column);
/* Return the cells of a column, or NULL if all cells are missing. @validity: set to the validity of the cells, one bit
 * per row. */
gconstpointer roast_chunk_peek (RoastChunk *self, guint column, const guint8 **validity);
RoastCell roast_chunk_get (RoastChunk *self, guint row, guint column);

/* Give a column to a chunk that is being loaded. Take ownership of the cells and of @validity, one bit per row. */
void roast_chunk_take_cells (RoastChunk *self, guint column, gpointer data, guint8 *validity);
/* Give a column of strings to a chunk that is being loaded. @texts has one zero-terminated text per row. Return FALSE
 * if @texts has fewer texts than rows. */
gboolean roast_chunk_take_texts (RoastChunk *self, guint column, const char *texts, gsize length, guint8 *validity);
/* Mark a column as loaded, even if all its cells are missing. */
void roast_chunk_set_loaded (RoastChunk *self, guint column);
gboolean roast_chunk_is_loaded (RoastChunk *self, guint column);
/* Return the size in bytes of the cells of a loaded column; 0 for a column of strings. */
gsize roast_chunk_measure_numbers (RoastChunk *self, guint column);
/* Copy a loaded column of another chunk with the same rows, and share its strings. */
void roast_chunk_share (RoastChunk *self, RoastChunk *from, guint column);

gsize roast_column_type_size (RoastColumnType type);
/* Fill n_rows cells with the value of missing cells: NaN, 0, FALSE or -1. */
void roast_chunk_fill_missing (RoastColumnType type, gpointer to, guint n_rows);
GBytes *roast_chunk_dup_data (RoastChunk *self, guint column, RoastColumnType type, guint n_rows);
GBytes *roast_chunk_dup_offsets (RoastChunk *self, guint column, guint n_rows);
GBytes *roast_chunk_dup_validity (RoastChunk *self, guint column, guint n_rows);
