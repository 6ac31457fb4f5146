/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-key-index-private.h"

#include <string.h>

#include "roast/roast-error.h"
#include "roast/roast-table.h"

struct _RoastKeyIndex
{
  GHashTable *rows; /* key to number of the row + 1 */
  gsize memory;
};

RoastKeyIndex *
roast_key_index_new (void)
{
  RoastKeyIndex *self = g_new0 (RoastKeyIndex, 1);

  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
roast_key_index_free (RoastKeyIndex *self)
{
  g_hash_table_unref (self->rows);
  g_free (self);
}

gboolean
roast_key_index_lookup (RoastKeyIndex *self, const char *key, guint64 *row)
{
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (self->rows, key));

  if (found == 0)
    return FALSE;
  *row = found - 1;

  return TRUE;
}

void
roast_key_index_insert (RoastKeyIndex *self, char *key, guint64 row)
{
  self->memory += strlen (key) + 1 + 2 * sizeof (gpointer) + sizeof (guint);
  g_hash_table_insert (self->rows, key, GSIZE_TO_POINTER ((gsize) row + 1));
}

gsize
roast_key_index_get_memory (RoastKeyIndex *self)
{
  return self->memory;
}

static void
append_integer (GString *key, gint64 value, char end)
{
  char digits[24];
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;
  gsize at = sizeof digits;

  /* Much faster than printf, for what is done with each row. */
  digits[--at] = end;
  do
    digits[--at] = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    digits[--at] = '-';
  g_string_append_len (key, digits + at, (gssize) (sizeof digits - at));
}

/* No two keys give the same text: a string comes with its length. */
static void
append_cell (GString *key, const RoastRowCell *cell)
{
  switch (cell->type)
    {
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
      append_integer (key, (gint64) strlen (cell->cell.string), ':');
      g_string_append (key, cell->cell.string);
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      g_string_append_c (key, cell->cell.boolean ? 't' : 'f');
      break;
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      append_integer (key, cell->cell.int64, ';');
      break;
    }
}

char *
roast_key_index_make_key (GPtrArray *columns, RoastRow *row, GError **error)
{
  g_autoptr (GString) key = g_string_sized_new (64);

  for (guint i = 0; i < columns->len; i++)
    {
      RoastColumn *column = g_ptr_array_index (columns, i);
      const RoastRowCell *cell = NULL;

      if (!roast_column_is_key (column))
        continue;
      cell = roast_row_find_cell (row, i);
      if (cell == NULL)
        {
          g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY,
                       "a row of table “%s” needs its key: column “%s” is not set",
                       roast_table_get_name (roast_row_get_table (row)), roast_column_get_name (column));
          return NULL;
        }
      append_cell (key, cell);
    }

  if (key->len == 0)
    {
      g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY,
                   "table “%s” has no key column: add one before the first row",
                   roast_table_get_name (roast_row_get_table (row)));
      return NULL;
    }

  /* Not longer than it is: there is one for each row. */
  return g_strndup (key->str, key->len);
}
