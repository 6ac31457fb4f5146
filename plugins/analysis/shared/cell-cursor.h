/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* Walks the rows of a reader and reads cells directly from its blocks. It is meant for loops over millions of rows that
 * read many cells of each. Use the reader for everything else. */

typedef struct
{
  gconstpointer data;     /* NULL if all cells of the block are missing */
  const guint8 *validity; /* NULL if no cell is missing, or if cells encode that themselves */
  GBytes *bytes[2];       /* owners of data and validity */
  RoastColumnType type;
  gboolean bound;
} CellColumn;

typedef struct
{
  guint32 codes[2];
  guint group; /* number of the group + 1; 0 if unset */
} CellGroup;

#define CELL_CURSOR_GROUPS 4096 /* remembered groups, a power of 2 */

typedef struct
{
  RoastTableReader *reader;
  guint64 first;     /* first row of the block */
  guint row, n_rows; /* row in the block, and rows of the block */
  guint n_columns;
  CellColumn *columns; /* indexed by slot */
  guint keys[2];
  CellGroup *groups;
} CellCursor;

/* Create a cursor. Takes ownership of @reader, which must be before its first row. */
CellCursor *cell_cursor_new (RoastTableReader *reader);
void cell_cursor_free (CellCursor *self);

/* Return the reader, moved to the row of the cursor. */
RoastTableReader *cell_cursor_get_reader (CellCursor *self);

/* Group by two category columns. */
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

/* Return NULL if the cell is missing, unless the cell itself encodes that. */
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

/* Like roast_table_reader_get_double(), but does not read booleans. */
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

/* Return -1 if the cell is missing. */
static inline int
cell_cursor_get_code (CellCursor *self, guint slot)
{
  const CellColumn *column = cell_cursor_peek (self, slot);

  return column != NULL ? ((const gint32 *) column->data)[self->row] : -1;
}

/* Like roast_table_reader_get_group(). */
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
