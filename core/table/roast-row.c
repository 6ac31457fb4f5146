/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-row-private.h"

#include <math.h>

#include "roast/roast-error.h"
#include "roast/roast-table.h"

struct _RoastRow
{
  grefcount refs;
  RoastTable *table;
  GArray *types;   /* of RoastColumnType: those asked for so far */
  GArray *cells;   /* of RoastRowCell */
  int last_column; /* none above it is set; -1 if none is */
  guint bad_column;
  char *bad_value; /* kind of value that bad_column cannot hold; NULL if all is well */
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
 * Since: 0.9
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
  self->last_column = -1;

  return self;
}

/**
 * roast_row_ref:
 * @self: a row
 *
 * Takes a reference on a row.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.9
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
 * Since: 0.9
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

static inline void
clear_cell (RoastRowCell *cell)
{
  if (cell->type == ROAST_COLUMN_TYPE_STRING || cell->type == ROAST_COLUMN_TYPE_CATEGORY)
    g_free ((char *) cell->cell.string);
}

/**
 * roast_row_clear:
 * @self: a row
 *
 * Makes all cells missing again.
 *
 * Since: 0.9
 */
void
roast_row_clear (RoastRow *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->cells->len; i++)
    clear_cell (&g_array_index (self->cells, RoastRowCell, i));
  g_array_set_size (self->cells, 0);
  self->last_column = -1;
  g_clear_pointer (&self->bad_value, g_free);
}

/* Remembers the first cell that the table cannot hold. */
void
roast_row_refuse (RoastRow *self, guint column, const char *value)
{
  if (self->bad_value != NULL)
    return;
  self->bad_column = column;
  self->bad_value = g_strdup (value);
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
  else
    clear_cell (cell);

  return cell;
}

static void
remove_cell (RoastRow *self, guint column)
{
  const RoastRowCell *cell = roast_row_find_cell (self, column);

  if (cell == NULL)
    return;
  clear_cell ((RoastRowCell *) cell);
  g_array_remove_index (self->cells, (guint) (cell - &g_array_index (self->cells, RoastRowCell, 0)));
}

/**
 * roast_row_set_int64:
 * @self: a row
 * @column: index of a column of integers or doubles
 * @value: the value, in the unit of the column
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 0.9
 */
void
roast_row_set_int64 (RoastRow *self, guint column, gint64 value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type))
    roast_row_refuse (self, column, "an integer");
  else if (type == ROAST_COLUMN_TYPE_INT64)
    add_cell (self, column, type)->cell.int64 = value;
  else if (type == ROAST_COLUMN_TYPE_DOUBLE)
    add_cell (self, column, type)->cell.real = (double) value;
  else
    roast_row_refuse (self, column, "an integer");
}

/**
 * roast_row_set_double:
 * @self: a row
 * @column: index of a column of doubles
 * @value: the value, in the unit of the column; what is not finite makes the cell missing
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 0.9
 */
void
roast_row_set_double (RoastRow *self, guint column, double value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type) || type != ROAST_COLUMN_TYPE_DOUBLE)
    roast_row_refuse (self, column, "a double");
  else if (isfinite (value))
    add_cell (self, column, type)->cell.real = value;
  else
    remove_cell (self, column);
}

/**
 * roast_row_set_boolean:
 * @self: a row
 * @column: index of a column of booleans
 * @value: the value
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 0.9
 */
void
roast_row_set_boolean (RoastRow *self, guint column, gboolean value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type) || type != ROAST_COLUMN_TYPE_BOOLEAN)
    roast_row_refuse (self, column, "a boolean");
  else
    add_cell (self, column, type)->cell.boolean = value != FALSE;
}

/**
 * roast_row_set_string:
 * @self: a row
 * @column: index of a column of strings or categories
 * @value: (nullable): the value; %NULL makes the cell missing; what is not UTF-8 is made so
 *
 * Sets a cell. A column that cannot hold it makes adding the row fail with %ROAST_TABLE_ERROR_TYPE.
 *
 * Since: 0.9
 */
void
roast_row_set_string (RoastRow *self, guint column, const char *value)
{
  RoastColumnType type;

  g_return_if_fail (self != NULL);

  if (!lookup_type (self, column, &type) || (type != ROAST_COLUMN_TYPE_STRING && type != ROAST_COLUMN_TYPE_CATEGORY))
    roast_row_refuse (self, column, "a string");
  else if (value != NULL)
    {
      char *valid = g_utf8_make_valid (value, -1); /* before the old one goes, which it may be */

      add_cell (self, column, type)->cell.string = valid;
    }
  else
    {
      remove_cell (self, column);
    }
}

static gboolean
get_integer (GVariant *value, gint64 *integer)
{
  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_BYTE:
      *integer = g_variant_get_byte (value);
      return TRUE;
    case G_VARIANT_CLASS_INT16:
      *integer = g_variant_get_int16 (value);
      return TRUE;
    case G_VARIANT_CLASS_UINT16:
      *integer = g_variant_get_uint16 (value);
      return TRUE;
    case G_VARIANT_CLASS_INT32:
      *integer = g_variant_get_int32 (value);
      return TRUE;
    case G_VARIANT_CLASS_UINT32:
      *integer = g_variant_get_uint32 (value);
      return TRUE;
    case G_VARIANT_CLASS_INT64:
      *integer = g_variant_get_int64 (value);
      return TRUE;
    case G_VARIANT_CLASS_UINT64:
      *integer = (gint64) g_variant_get_uint64 (value);
      return *integer >= 0;
    default:
      return FALSE;
    }
}

/* An integer above those of a column of integers may still be a double. */
static void
set_large (RoastRow *self, guint column, guint64 value)
{
  RoastColumnType type;

  if (lookup_type (self, column, &type) && type == ROAST_COLUMN_TYPE_DOUBLE)
    roast_row_set_double (self, column, (double) value);
  else
    roast_row_refuse (self, column, "an integer of more than 63 bits");
}

void
roast_row_set_variant (RoastRow *self, guint column, GVariant *value)
{
  gint64 integer = 0;

  if (get_integer (value, &integer))
    roast_row_set_int64 (self, column, integer);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    set_large (self, column, g_variant_get_uint64 (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    roast_row_set_double (self, column, g_variant_get_double (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    roast_row_set_boolean (self, column, g_variant_get_boolean (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    roast_row_set_string (self, column, g_variant_get_string (value, NULL));
  else
    roast_row_refuse (self, column, g_variant_get_type_string (value));
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
  const char *name = NULL;

  if (G_LIKELY (self->bad_value == NULL))
    return TRUE;

  name = roast_table_get_name (self->table);
  if (self->bad_column > G_MAXINT)
    g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN,
                 "a cell was set in a column that table “%s” does not have: its number is that of a failed search",
                 name);
  else if (self->bad_column >= roast_table_get_n_columns (self->table))
    g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN,
                 "table “%s” has no column number %u: its %u columns are numbered from 0", name, self->bad_column,
                 roast_table_get_n_columns (self->table));
  else
    g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE, "column “%s” of table “%s” cannot hold %s",
                 roast_column_get_name (roast_table_get_column (self->table, self->bad_column)), name, self->bad_value);

  return FALSE;
}
