/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-key-index-private.h"

#include <string.h>

struct _RoastKeyIndex
{
  guint *columns; /* numbers of the key columns, kept in a list because a table may have many other columns */
  guint n_columns;
  GHashTable *rows; /* maps the key of an open row to the number of the row + 1 */
  GHashTable *keys; /* maps the number of an open row + 1 to its key, owned by rows */
  gsize memory;
  GString *key;       /* buffer with the key that roast_key_index_make_key () made last */
  GHashTable *closed; /* hashes of the keys of recently closed rows; empty if the index does not remember keys */
  gboolean remembers;
};

#define PER_ROW (4 * sizeof (gpointer) + 2 * sizeof (guint)) /* estimated bytes per row, without the key */
#define PER_CLOSED (2 * (sizeof (gpointer) + sizeof (guint)))
/* Maximum number of keys of closed rows that are remembered. Afterwards all keys are forgotten, because a plugin
 * repeats a key soon or never. */
#define MOST_CLOSED (1 << 17)

RoastKeyIndex *
roast_key_index_new (RoastTableInfo *info)
{
  RoastKeyIndex *self = g_new0 (RoastKeyIndex, 1);
  guint n = roast_table_info_get_n_columns (info);

  self->columns = g_new0 (guint, n);
  for (guint i = 0; i < n; i++)
    if (roast_column_is_key (roast_table_info_get_column (info, i)))
      self->columns[self->n_columns++] = i;
  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->keys = g_hash_table_new (NULL, NULL);
  self->key = g_string_new (NULL);
  self->closed = g_hash_table_new (NULL, NULL);

  return self;
}

void
roast_key_index_free (RoastKeyIndex *self)
{
  g_hash_table_unref (self->closed);
  g_string_free (self->key, TRUE);
  g_hash_table_unref (self->keys);
  g_hash_table_unref (self->rows);
  g_free (self->columns);
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

gboolean
roast_key_index_contains (RoastKeyIndex *self, guint64 row)
{
  return g_hash_table_contains (self->keys, GSIZE_TO_POINTER ((gsize) row + 1));
}

void
roast_key_index_insert (RoastKeyIndex *self, const char *text, guint64 row)
{
  char *key = g_strdup (text);

  self->memory += strlen (key) + 1 + PER_ROW;
  g_hash_table_insert (self->rows, key, GSIZE_TO_POINTER ((gsize) row + 1));
  g_hash_table_insert (self->keys, GSIZE_TO_POINTER ((gsize) row + 1), key);
}

/* Return the FNV hash of a key. With 64 bits, two keys hardly ever have the same hash. */
static gpointer
hash_key (const char *key)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (; *key != '\0'; key++)
    hash = (hash ^ (guchar) *key) * G_GUINT64_CONSTANT (0x100000001b3);

  return GSIZE_TO_POINTER ((gsize) hash);
}

void
roast_key_index_set_remembers (RoastKeyIndex *self)
{
  self->remembers = TRUE;
}

gboolean
roast_key_index_needs_key (RoastKeyIndex *self)
{
  return self->remembers || g_hash_table_size (self->rows) > 0;
}

void
roast_key_index_add_closed (RoastKeyIndex *self, const char *key)
{
  if (!self->remembers)
    return;
  if (g_hash_table_size (self->closed) == MOST_CLOSED)
    g_hash_table_remove_all (self->closed);
  g_hash_table_add (self->closed, hash_key (key));
}

gboolean
roast_key_index_was_closed (RoastKeyIndex *self, const char *key)
{
  /* Use the hashes only if they have 64 bits, because different keys too often have the same hash of 32 bits. */
  return self->remembers && sizeof (gpointer) >= sizeof (guint64) &&
         g_hash_table_contains (self->closed, hash_key (key));
}

void
roast_key_index_remove (RoastKeyIndex *self, guint64 row)
{
  const char *key = g_hash_table_lookup (self->keys, GSIZE_TO_POINTER ((gsize) row + 1));

  if (key == NULL)
    return;
  roast_key_index_add_closed (self, key);
  self->memory -= strlen (key) + 1 + PER_ROW;
  g_hash_table_remove (self->keys, GSIZE_TO_POINTER ((gsize) row + 1));
  g_hash_table_remove (self->rows, key);
}

gsize
roast_key_index_get_memory (RoastKeyIndex *self)
{
  return self->memory + PER_CLOSED * g_hash_table_size (self->closed);
}

static void
append_integer (GString *key, gint64 value, char end)
{
  char digits[24];
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;
  gsize at = sizeof digits;

  /* Do not use printf, which is much slower, because this code runs for each row. */
  digits[--at] = end;
  do
    digits[--at] = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    digits[--at] = '-';
  g_string_append_len (key, digits + at, (gssize) (sizeof digits - at));
}

/* Append a cell to the text of a key. Put the length before a string, so that different keys never have the same
 * text. */
static void
append_cell (GString *key, const RoastRowCell *cell)
{
  switch (cell->type)
    {
    case ROAST_COLUMN_TYPE_CATEGORY:
      append_integer (key, cell->cell.code, ';');
      break;
    case ROAST_COLUMN_TYPE_STRING:
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

static const RoastRowCell *
key_index_find_cell (const RoastRowCell *cells, guint n_cells, guint column)
{
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].column == column)
      return &cells[i];

  return NULL;
}

gboolean
roast_key_index_has_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells, guint *missing)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (key_index_find_cell (cells, n_cells, self->columns[i]) == NULL)
      {
        *missing = self->columns[i];
        return FALSE;
      }

  return TRUE;
}

const char *
roast_key_index_make_key (RoastKeyIndex *self, const RoastRowCell *cells, guint n_cells)
{
  g_string_truncate (self->key, 0);
  for (guint i = 0; i < self->n_columns; i++)
    append_cell (self->key, key_index_find_cell (cells, n_cells, self->columns[i]));

  return self->key->str;
}
