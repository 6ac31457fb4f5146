/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-rows-private.h"

#include <string.h>

static void
put_cell (GByteArray *to, RoastColumnType type, guint column, RoastCell cell)
{
  guint16 number = GUINT16_TO_LE ((guint16) column);

  g_byte_array_append (to, (const guint8 *) &number, sizeof number);
  if (type == ROAST_COLUMN_TYPE_STRING)
    g_byte_array_append (to, (const guint8 *) cell.string, (guint) strlen (cell.string) + 1);
  else
    g_byte_array_append (to, (const guint8 *) &cell, (guint) roast_column_type_size (type));
}

GByteArray *
roast_store_rows_encode (RoastTableInfo *info, GArray *rows)
{
  GByteArray *to = g_byte_array_new ();
  guint n_columns = roast_table_info_get_n_columns (info);

  for (guint i = 0; i < rows->len; i++)
    {
      const RoastOpenRow *row = &g_array_index (rows, RoastOpenRow, i);
      guint at = to->len + sizeof row->row;
      guint16 n_cells = 0;

      g_byte_array_append (to, (const guint8 *) &row->row, sizeof row->row);
      g_byte_array_append (to, (const guint8 *) &n_cells, sizeof n_cells);
      for (guint column = 0; column < n_columns; column++)
        if (roast_chunk_is_valid (row->chunk, row->in_chunk, column))
          {
            put_cell (to, roast_table_info_type_of (info, column), column,
                      roast_chunk_get (row->chunk, row->in_chunk, column));
            n_cells++;
          }
      memcpy (to->data + at, &n_cells, sizeof n_cells);
    }

  return to;
}

/* Return the length in bytes of a cell's value, or 0 if the value is damaged. */
static gsize
measure_cell (RoastColumnType type, const guint8 *at, gsize left)
{
  const guint8 *end = NULL;
  gsize size = roast_column_type_size (type);

  if (type != ROAST_COLUMN_TYPE_STRING)
    return size <= left ? size : 0;
  end = left > 0 ? memchr (at, '\0', left) : NULL;

  return end != NULL && g_utf8_validate_len ((const char *) at, (gsize) (end - at), NULL) ? (gsize) (end - at) + 1 : 0;
}

gboolean
roast_store_rows_parse (RoastTableInfo *info, GBytes *bytes, GArray *to)
{
  gsize left = 0;
  const guint8 *at = g_bytes_get_data (bytes, &left);
  guint n_columns = roast_table_info_get_n_columns (info);

  while (left > 0)
    {
      RoastStoreRow row = { .order = to->len };
      guint16 n_cells = 0;

      if (left < sizeof row.row + sizeof n_cells)
        return FALSE;
      memcpy (&row.row, at, sizeof row.row);
      memcpy (&n_cells, at + sizeof row.row, sizeof n_cells);
      at += sizeof row.row + sizeof n_cells;
      left -= sizeof row.row + sizeof n_cells;
      row.n_cells = n_cells;
      row.cells = at;
      for (guint i = 0; i < n_cells; i++)
        {
          guint16 column = 0;
          gsize size = 0;

          if (left < sizeof column)
            return FALSE;
          memcpy (&column, at, sizeof column);
          size = column < n_columns
                     ? measure_cell (roast_table_info_type_of (info, column), at + sizeof column, left - sizeof column)
                     : 0;
          if (size == 0)
            return FALSE;
          at += sizeof column + size;
          left -= sizeof column + size;
        }
      g_array_append_val (to, row);
    }

  return TRUE;
}

static int
store_rows_compare (gconstpointer a, gconstpointer b)
{
  const RoastStoreRow *first = a;
  const RoastStoreRow *second = b;

  if (first->row != second->row)
    return first->row > second->row ? 1 : -1;

  return (first->order > second->order) - (first->order < second->order);
}

void
roast_store_rows_sort (GArray *rows)
{
  guint n = 0;

  g_array_sort (rows, store_rows_compare);
  for (guint i = 0; i < rows->len; i++)
    {
      const RoastStoreRow *row = &g_array_index (rows, RoastStoreRow, i);

      if (i + 1 < rows->len && g_array_index (rows, RoastStoreRow, i + 1).row == row->row)
        continue;
      g_array_index (rows, RoastStoreRow, n) = *row;
      n++;
    }
  g_array_set_size (rows, n);
}

void
roast_store_row_put (const RoastStoreRow *self, RoastTableInfo *info, const guint *n_texts, RoastChunk *chunk,
                     guint in_chunk)
{
  const guint8 *at = self->cells;

  for (guint i = 0; i < self->n_cells; i++)
    {
      guint16 column = 0;
      RoastColumnType type;
      RoastCell cell = { 0 };

      memcpy (&column, at, sizeof column);
      at += sizeof column;
      type = roast_table_info_type_of (info, column);
      if (type == ROAST_COLUMN_TYPE_STRING)
        cell.string = (const char *) at;
      else
        memcpy (&cell, at, roast_column_type_size (type));
      if (type != ROAST_COLUMN_TYPE_CATEGORY || (guint) cell.code < n_texts[column])
        roast_chunk_set (chunk, in_chunk, column, cell);
      at += type == ROAST_COLUMN_TYPE_STRING ? strlen (cell.string) + 1 : roast_column_type_size (type);
    }
}
