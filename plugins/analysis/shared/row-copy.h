/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The columns of a cell that is copied: @to in the row that is written, @from in the row that is read. */
typedef struct
{
  guint to, from;
} RowCell;

static inline void
row_copy_texts (RoastTableWriter *to, RoastTableReader *from, const RowCell *cells, guint n)
{
  for (guint i = 0; i < n; i++)
    roast_table_writer_set_string (to, cells[i].to, roast_table_reader_get_string (from, cells[i].from));
}

/* Copy cells that hold counts, which are never negative. */
static inline void
row_copy_counts (RoastTableWriter *to, RoastTableReader *from, const RowCell *cells, guint n)
{
  for (guint i = 0; i < n; i++)
    roast_table_writer_set_count (to, cells[i].to, roast_table_reader_get_int64 (from, cells[i].from, -1));
}

G_END_DECLS
