/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "cell-cursor.h"

G_BEGIN_DECLS

/* How long a chunk took, in s, from its start to its end as columns have them. NaN if either is. */
static inline double
chunk_time_between (double started, double ended)
{
  return (ended - started) / G_USEC_PER_SEC;
}

/* The same of the current row. @chunks is a reader with all columns. */
static inline double
chunk_time_get (RoastTableReader *chunks)
{
  return chunk_time_between (roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED),
                             roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED));
}

static inline double
chunk_time_get_at (CellCursor *chunks)
{
  return chunk_time_between (cell_cursor_get_double (chunks, ROAST_CHUNKS_STARTED),
                             cell_cursor_get_double (chunks, ROAST_CHUNKS_ENDED));
}

G_END_DECLS
