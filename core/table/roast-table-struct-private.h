/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-dictionary-private.h"
#include "roast-key-index-private.h"
#include "roast-table-follow-private.h"
#include "roast-table-private.h"

/* State of a chunk of a table. */
typedef struct
{
  guint64 first_row;
  guint n_open; /* number of open rows, in an entity table */
  gboolean is_stored;
  gboolean is_dropped; /* the store has only sums of the chunk's rows, and readers do not see the chunk */
} RoastChunkState;

struct _RoastTable
{
  GObject parent_instance;

  RoastTableInfo *info;
  guint n_columns;
  GPtrArray *dictionaries; /* dictionary of each column; NULL for columns without a dictionary */

  GMutex mutex;      /* guards all members below */
  GPtrArray *chunks; /* chunks in the order of rows; all chunks but the last are full */
  GArray *states;    /* state of each chunk, of RoastChunkState */
  RoastChunk *tail;  /* last chunk, or NULL */
  guint tail_rows;
  guint64 n_rows;
  guint64 serial;
  RoastKeyIndex *keys; /* index of the keys of open rows; NULL for a log */
  gboolean sealed;     /* no more writes are accepted */

  /* Members for a store that follows the table: */
  gboolean is_followed;
  guint first_unstored; /* index of the first chunk that is neither stored nor dropped */
  guint n_dropped;
  guint64 n_collected; /* number of rows that have been collected at least once */
  GArray *changed;     /* numbers of rows that have changed since they were collected, of guint64 */
  RoastTableFullFunc full;
  gpointer full_data;
};

static inline RoastChunkState *
roast_table_get_state (RoastTable *self, guint chunk)
{
  return &g_array_index (self->states, RoastChunkState, chunk);
}

/* Return the chunk that contains a row. */
guint roast_table_find_chunk (RoastTable *self, guint64 row);
/* Compare two row numbers, for sorting arrays of row numbers. */
int roast_table_compare_rows (gconstpointer a, gconstpointer b);
