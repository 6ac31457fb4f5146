/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-dictionary-private.h"
#include "roast-key-index-private.h"
#include "roast-table-follow-private.h"
#include "roast-table-private.h"

/* A chunk of a table, by the number of its first row. */
typedef struct
{
  guint64 first_row;
  guint n_open; /* open rows of an entity table */
  gboolean is_stored;
  gboolean is_dropped; /* the store has no more than its sums, and readers do not see it */
} RoastChunkState;

struct _RoastTable
{
  GObject parent_instance;

  RoastTableInfo *info;
  guint n_columns;
  GPtrArray *dictionaries; /* by column; NULL where it has none */

  GMutex mutex;      /* of all below */
  GPtrArray *chunks; /* all are full but the last */
  GArray *states;    /* RoastChunkState, by chunk */
  RoastChunk *tail;  /* the last of chunks, or NULL */
  guint tail_rows;
  guint64 n_rows;
  guint64 serial;
  RoastKeyIndex *keys; /* of open rows; NULL if it is a log */
  gboolean sealed;     /* nothing is written any more */

  /* for a store that follows the table */
  gboolean is_followed;
  guint first_unstored; /* all chunks before are stored or dropped */
  guint n_dropped;
  guint64 n_collected; /* rows that have been collected at least once */
  GArray *changed;     /* guint64: rows among these that have changed since then */
  RoastTableFullFunc full;
  gpointer full_data;
};

static inline RoastChunkState *
roast_table_get_state (RoastTable *self, guint chunk)
{
  return &g_array_index (self->states, RoastChunkState, chunk);
}

/* The chunk that has a row. */
guint roast_table_find_chunk (RoastTable *self, guint64 row);
/* For arrays of rows. */
int roast_table_compare_rows (gconstpointer a, gconstpointer b);
