/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-row-private.h"

#include <math.h>

#include "roast/roast-error.h"
#include "roast/roast-table.h"

struct _RoastRow
{
  grefcount refs;
  RoastTable *table;
  GArray *types; /* of RoastColumnType: those asked for so far */
  GArray *cells; /* of RoastRowCell */
  int last_column; /* highest that is set; -1 if none */
  int bad_column;
  const char *bad_value; /* kind of value that it cannot hold */
};

G_DEFINE_BOXED_TYPE (RoastRow, roast_row, roast_row_ref, roast_row_unref)

/**
 * roast_row_new:
 * @table: the table that the row is for
 *
 * Makes an empty row. It keeps a reference to @table.
 *
 * Returns: (transfer full): a row
 *
 * Since: 1.0
 */
RoastRow *
roast_row_new (RoastTable *table)
{
  RoastRow *self = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (table), NULL);

  self = g_new0 (RoastRow, 1);
  g_ref_count_init (&self->refs);
  self->table = g_object_ref (table);
  self->types = g_array_new (FALSE, FALSE, sizeof (RoastColumnType));
  self->cells = g_array_sized_new (FALSE, FALSE, sizeof (RoastRowCell), 16);
  self->bad_column = -1;
  self->last_column = -1;

  return self;
}

/**
 * roast_row_ref:
 * @self: a row
 *
 * Returns: (transfer full): @self
 *
 * Since: 1.0
 */
RoastRow *
roast_row_ref (RoastRow *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_ref_count_inc (&self->refs);

  return self;
}

/**
 * roast_row_unref:
 * @self: (transfer full): a row
 *
 * Drops a reference.
 *
 * Since: 1.0
 */
void
roast_row_unref (RoastRow *self)
{
  g_return_if_fail (self != NULL);

  if (!g_ref_count_dec (&self->refs))
    return;

  roast_row_clear (self);
  g_array_unref (self->cells);
  g_array_unref (self->types);
  g_object_unref (self->table);
  g_free (self);
}

/**
 * roast_row_clear:
 * @self: a row
 *
 * Makes all cells missing again.
 *
 * Since: 1.0
 */
void
roast_row_clear (RoastRow *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->cells->len; i++)
    {
      RoastRowCell *cell = &g_array_index (self->cells, RoastRowCell, i);

      if (cell->type == ROAST_COLUMN_STRING || cell->type == ROAST_COLUMN_CATEGORY)
        g_free ((char *) cell->cell.string);
    }
  g_array_set_size (self->cells, 0);
  self->last_column = -1;
  self->bad_column = -1;
}

/* Remembers the first cell that the table cannot hold. */
void
roast_row_refuse (RoastRow *self, guint column, const char *value)
{
  if (self->bad_column >= 0)
    return;
  self->bad_column = (int) column;
  self->bad_value = g_intern_string (value);
}

/* The types of the table's columns as far as they were needed: one lock per column, not one per cell. */
static gboolean
lookup_type (RoastRow *self, guint column, RoastColumnType *type)
{
  while (G_UNLIKELY (column >= self->types->len))
    {
      RoastColumnType next;

      if (self->types->len >= roast_table_get_n_columns (self->table))
        return FALSE;
      next = roast_column_get_column_type (roast_table_get_column (self->table, self->types->len));
      g_array_append_val (self->types, next);
    }
  *type = g_array_index (self->types, RoastColumnType, column);

  return TRUE;
}

/* A cell to write to: the last value set counts. */
static RoastRowCell *
add_cell (RoastRow *self, guint column, RoastColumnType type)
{
  RoastRowCell *cell = (RoastRowCell *) roast_row_find_cell (self, column);

  if (cell == NULL)
    {
      g_array_set_size (self->cells, self->cells->len + 1);
      cell = &g_array_index (self->cells, RoastRowCell, self->cells->len - 1);
      cell->column = column;
      self->last_column = MAX (self->last_column, (int) column);
      cell->type = type;
    }
  else if (type == ROAST_COLUMN_STRING || type == ROAST_COLUMN_CATEGORY)
    g_free ((char *) cell->cell.string);

  return cell;
}

/**
 * roast_row_set_int64:
 * @self: a row
 * @column: index of a column of integers or doubles
 * @value: the value, in the unit of the column
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 1.0
 */
void
roast_row_set_int64 (RoastRow *self, guint column, gint64 value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type))
    roast_row_refuse (self, column, "an integer");
  else if (type == ROAST_COLUMN_INT64)
    add_cell (self, column, type)->cell.int64 = value;
  else if (type == ROAST_COLUMN_DOUBLE)
    add_cell (self, column, type)->cell.real = (double) value;
  else
    roast_row_refuse (self, column, "an integer");
}

/**
 * roast_row_set_double:
 * @self: a row
 * @column: index of a column of doubles
 * @value: the value, in the unit of the column; what is not finite leaves the cell missing
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 1.0
 */
void
roast_row_set_double (RoastRow *self, guint column, double value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type) || type != ROAST_COLUMN_DOUBLE)
    roast_row_refuse (self, column, "a double");
  else if (isfinite (value))
    add_cell (self, column, type)->cell.real = value;
}

/**
 * roast_row_set_boolean:
 * @self: a row
 * @column: index of a column of booleans
 * @value: the value
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 1.0
 */
void
roast_row_set_boolean (RoastRow *self, guint column, gboolean value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type) || type != ROAST_COLUMN_BOOLEAN)
    roast_row_refuse (self, column, "a boolean");
  else
    add_cell (self, column, type)->cell.boolean = value != FALSE;
}

/**
 * roast_row_set_string:
 * @self: a row
 * @column: index of a column of strings or categories
 * @value: (nullable): the value; %NULL leaves the cell missing; what is not UTF-8 is made so
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 1.0
 */
void
roast_row_set_string (RoastRow *self, guint column, const char *value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type) || (type != ROAST_COLUMN_STRING && type != ROAST_COLUMN_CATEGORY))
    roast_row_refuse (self, column, "a string");
  else if (value != NULL)
    add_cell (self, column, type)->cell.string = g_utf8_make_valid (value, -1);
}

RoastTable *
roast_row_get_table (RoastRow *self)
{
  return self->table;
}

const RoastRowCell *
roast_row_get_cells (RoastRow *self, guint *n_cells)
{
  *n_cells = self->cells->len;

  return (const RoastRowCell *) (gpointer) self->cells->data;
}

/* Cells are mostly set in the order of their columns, each once: then nothing is searched. */
const RoastRowCell *
roast_row_find_cell (RoastRow *self, guint column)
{
  if ((int) column > self->last_column)
    return NULL;

  for (guint i = self->cells->len; i > 0; i--)
    {
      const RoastRowCell *cell = &g_array_index (self->cells, RoastRowCell, i - 1);

      if (cell->column == column)
        return cell;
    }

  return NULL;
}

gboolean
roast_row_check (RoastRow *self, GError **error)
{
  guint n_columns = 0;

  if (self->bad_column < 0)
    return TRUE;

  n_columns = roast_table_get_n_columns (self->table);
  if ((guint) self->bad_column >= n_columns)
    g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN, "table “%s” has %u columns: there is none of number %d",
                 roast_table_get_name (self->table), n_columns, self->bad_column);
  else
    g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE, "column “%s” of table “%s” cannot hold %s",
                 roast_column_get_name (roast_table_get_column (self->table, self->bad_column)),
                 roast_table_get_name (self->table), self->bad_value);

  return FALSE;
}
