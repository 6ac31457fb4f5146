/* SPDX-License-Identifier: BSD-3-Clause */
#include "cell-cursor.h"

CellCursor *
cell_cursor_new (RoastTableReader *reader)
{
  CellCursor *self = g_new0 (CellCursor, 1);

  self->reader = reader;
  self->n_columns = roast_table_reader_get_n_columns (reader);
  self->columns = g_new0 (CellColumn, MAX (self->n_columns, 1));
  for (guint i = 0; i < self->n_columns; i++)
    self->columns[i].type = roast_column_get_column_type (roast_table_reader_get_column (reader, i));

  return self;
}

static void
unbind (CellCursor *self)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      CellColumn *column = &self->columns[i];

      g_clear_pointer (&column->bytes[0], g_bytes_unref);
      g_clear_pointer (&column->bytes[1], g_bytes_unref);
      column->data = column->validity = NULL;
      column->bound = FALSE;
    }
}

void
cell_cursor_free (CellCursor *self)
{
  unbind (self);
  g_free (self->columns);
  g_free (self->groups);
  g_object_unref (self->reader);
  g_free (self);
}

gboolean
cell_cursor_next_block (CellCursor *self)
{
  unbind (self);
  self->row = self->n_rows = 0;
  while (self->n_rows == 0 && roast_table_reader_next_block (self->reader))
    {
      self->first = roast_table_reader_get_row (self->reader);
      self->n_rows = roast_table_reader_get_block_n_rows (self->reader);
    }

  return self->n_rows > 0;
}

RoastTableReader *
cell_cursor_get_reader (CellCursor *self)
{
  roast_table_reader_seek (self->reader, cell_cursor_get_row (self));

  return self->reader;
}

void
cell_cursor_bind (CellCursor *self, guint slot)
{
  CellColumn *column = &self->columns[slot];

  column->bound = TRUE;
  switch (column->type)
    {
    case ROAST_COLUMN_TYPE_DOUBLE:
      column->data = roast_table_reader_get_block_doubles (self->reader, slot, NULL);
      break;
    case ROAST_COLUMN_TYPE_INT64:
      column->data = roast_table_reader_get_block_int64s (self->reader, slot, NULL);
      column->bytes[1] = roast_table_reader_dup_block_validity (self->reader, slot);
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
    case ROAST_COLUMN_TYPE_CATEGORY:
      column->bytes[0] = roast_table_reader_dup_block_data (self->reader, slot);
      column->data = g_bytes_get_data (column->bytes[0], NULL);
      break;
    case ROAST_COLUMN_TYPE_STRING:
    default:
      g_return_if_reached ();
    }
  if (column->bytes[1] != NULL)
    column->validity = g_bytes_get_data (column->bytes[1], NULL);
}

void
cell_cursor_group_by (CellCursor *self, guint first, guint second)
{
  const guint keys[] = { first, second };

  roast_table_reader_group_by (self->reader, keys, G_N_ELEMENTS (keys));
  self->keys[0] = first;
  self->keys[1] = second;
  g_free (self->groups);
  self->groups = g_new0 (CellGroup, CELL_CURSOR_GROUPS);
}

guint
cell_cursor_find_group (CellCursor *self, guint32 first, guint32 second)
{
  guint group = roast_table_reader_get_group (cell_cursor_get_reader (self));

  self->groups[(first * 31 + second) % CELL_CURSOR_GROUPS] = (CellGroup) { { first, second }, group + 1 };

  return group;
}
