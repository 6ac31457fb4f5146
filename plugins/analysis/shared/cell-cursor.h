/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* Walks the rows of a reader and reads their cells from the blocks themselves: for loops over millions of rows that
 * look at many cells of each. What it has no function for is asked of the reader. */

typedef struct
{
  gconstpointer data;     /* NULL: all cells of the block are missing */
  const guint8 *validity; /* NULL: none is missing, or cells say that themselves */
  GBytes *bytes[2];       /* keep them */
  RoastColumnType type;
  gboolean bound;
} CellColumn;

typedef struct
{
  guint32 codes[2];
  guint group; /* + 1 */
} CellGroup;

#define CELL_CURSOR_GROUPS 4096 /* that are remembered, a power of 2 */

typedef struct
{
  RoastTableReader *reader;
  guint64 first;     /* row of the block */
  guint row, n_rows; /* in the block */
  guint n_columns;
  CellColumn *columns; /* by slot */
  guint keys[2];
  CellGroup *groups;
} CellCursor;

/* Takes over @reader, which is before its first row. */
CellCursor *cell_cursor_new (RoastTableReader *reader);
void cell_cursor_free (CellCursor *self);

/* The reader, at the row of the cursor. */
RoastTableReader *cell_cursor_get_reader (CellCursor *self);

/* Groups by two categories. */
void cell_cursor_group_by (CellCursor *self, guint first, guint second);

gboolean cell_cursor_next_block (CellCursor *self);
void cell_cursor_bind (CellCursor *self, guint slot);
guint cell_cursor_find_group (CellCursor *self, guint32 first, guint32 second);

static inline gboolean
cell_cursor_next (CellCursor *self)
{
  return G_LIKELY (++self->row < self->n_rows) || cell_cursor_next_block (self);
}

static inline guint64
cell_cursor_get_row (const CellCursor *self)
{
  return self->first + self->row;
}

/* NULL: the cell is missing, unless the cell says that itself. */
static inline const CellColumn *
cell_cursor_peek (CellCursor *self, guint slot)
{
  CellColumn *column = &self->columns[slot];

  if (G_UNLIKELY (!column->bound))
    cell_cursor_bind (self, slot);
  if (column->data == NULL ||
      (column->validity != NULL && (column->validity[self->row / 8] >> (self->row % 8) & 1) == 0))
    return NULL;

  return column;
}

/* As roast_table_reader_get_double(), without booleans. */
static inline double
cell_cursor_get_double (CellCursor *self, guint slot)
{
  const CellColumn *column = cell_cursor_peek (self, slot);

  if (column == NULL)
    return NAN;

  return column->type == ROAST_COLUMN_TYPE_INT64 ? (double) ((const gint64 *) column->data)[self->row]
                                                 : ((const double *) column->data)[self->row];
}

static inline gint64
cell_cursor_get_int64 (CellCursor *self, guint slot, gint64 missing)
{
  const CellColumn *column = cell_cursor_peek (self, slot);

  return column != NULL ? ((const gint64 *) column->data)[self->row] : missing;
}

static inline gboolean
cell_cursor_get_boolean (CellCursor *self, guint slot)
{
  const CellColumn *column = cell_cursor_peek (self, slot);

  return column != NULL && ((const guint8 *) column->data)[self->row] != 0;
}

/* -1 if it is missing. */
static inline int
cell_cursor_get_code (CellCursor *self, guint slot)
{
  const CellColumn *column = cell_cursor_peek (self, slot);

  return column != NULL ? ((const gint32 *) column->data)[self->row] : -1;
}

/* As roast_table_reader_get_group(). */
static inline guint
cell_cursor_get_group (CellCursor *self)
{
  guint32 first = (guint32) cell_cursor_get_code (self, self->keys[0]);
  guint32 second = (guint32) cell_cursor_get_code (self, self->keys[1]);
  const CellGroup *known = &self->groups[(first * 31 + second) % CELL_CURSOR_GROUPS];

  if (G_LIKELY (known->group > 0 && known->codes[0] == first && known->codes[1] == second))
    return known->group - 1;

  return cell_cursor_find_group (self, first, second);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CellCursor, cell_cursor_free)

G_END_DECLS
