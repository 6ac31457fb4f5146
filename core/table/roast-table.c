/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-private.h"

#include "roast-table-info-private.h"

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "roast-table-struct-private.h"

#define FIRST_CHUNK_ROWS 64
#define MAX_CHUNK_ROWS 4096

ROAST_DEFINE_TYPE (RoastTable, roast_table)

static void
dictionary_free (gpointer dictionary)
{
  if (dictionary != NULL)
    roast_dictionary_unref (dictionary);
}

static void
roast_table_release (RoastTable *self)
{
  g_clear_object (&self->info);
  g_ptr_array_unref (self->dictionaries);
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->states);
  g_array_unref (self->changed);
  g_clear_pointer (&self->keys, roast_key_index_free);
  g_mutex_clear (&self->mutex);
}

static void
roast_table_init (RoastTable *self)
{
  g_mutex_init (&self->mutex);
  self->dictionaries = g_ptr_array_new_with_free_func (dictionary_free);
  self->chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_chunk_unref);
  self->states = g_array_new (FALSE, TRUE, sizeof (RoastChunkState));
  self->changed = g_array_new (FALSE, FALSE, sizeof (guint64));
}

RoastTable *
roast_table_new (RoastTableInfo *info)
{
  RoastTable *self = g_object_new (ROAST_TYPE_TABLE, NULL);

  self->info = g_object_ref (info);
  self->n_columns = roast_table_info_get_n_columns (info);
  for (guint i = 0; i < self->n_columns; i++)
    g_ptr_array_add (self->dictionaries, roast_table_info_type_of (self->info, i) == ROAST_COLUMN_TYPE_CATEGORY
                                             ? roast_dictionary_new ()
                                             : NULL);
  if (roast_table_info_get_kind (info) == ROAST_TABLE_KIND_ENTITY)
    self->keys = roast_key_index_new (info);

  return self;
}

RoastTable *
roast_table_find (GPtrArray *tables, const char *name)
{
  for (guint i = 0; i < tables->len; i++)
    if (g_str_equal (roast_table_get_name (g_ptr_array_index (tables, i)), name))
      return g_ptr_array_index (tables, i);

  return NULL;
}

RoastTableInfo *
roast_table_get_info (RoastTable *self)
{
  return self->info;
}

const char *
roast_table_get_name (RoastTable *self)
{
  return roast_table_info_get_name (self->info);
}

guint64
roast_table_get_serial (RoastTable *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->serial;
}

gsize
roast_table_get_memory (RoastTable *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gsize memory = 0;

  for (guint i = 0; i < self->chunks->len; i++)
    memory += roast_chunk_get_memory (g_ptr_array_index (self->chunks, i));
  for (guint i = 0; i < self->n_columns; i++)
    if (g_ptr_array_index (self->dictionaries, i) != NULL)
      memory += roast_dictionary_get_memory (g_ptr_array_index (self->dictionaries, i));
  if (self->keys != NULL)
    memory += roast_key_index_get_memory (self->keys);

  return memory;
}

/* ---- writing ---- */

/* Return the chunk at an index, to be written. If a snapshot holds the chunk, replace the chunk by a copy first. */
static RoastChunk *
make_writable (RoastTable *self, guint index)
{
  RoastChunk *chunk = g_ptr_array_index (self->chunks, index);
  RoastChunk *copy = NULL;

  if (!roast_chunk_is_shared (chunk))
    return chunk;
  copy = roast_chunk_copy (chunk);
  self->chunks->pdata[index] = copy;
  if (chunk == self->tail)
    self->tail = copy;
  roast_chunk_unref (chunk);

  return copy;
}

/* Make sure that the last chunk has room for the next row. */
static void
make_room (RoastTable *self)
{
  RoastChunkState state = { .first_row = self->n_rows };

  if (G_LIKELY (self->tail != NULL && self->tail_rows < roast_chunk_get_capacity (self->tail)))
    return;
  if (self->full != NULL && self->tail != NULL)
    self->full (self->full_data, roast_chunk_get_memory (self->tail));
  self->tail = roast_chunk_new (CLAMP (self->n_rows, FIRST_CHUNK_ROWS, MAX_CHUNK_ROWS), self->info);
  self->tail_rows = 0;
  g_ptr_array_add (self->chunks, self->tail);
  g_array_append_val (self->states, state);
}

static void
append_row (RoastTable *self, const RoastRowCell *cells, guint n_cells)
{
  make_room (self);
  roast_chunk_set_row (self->tail, self->tail_rows, cells, n_cells);
  self->tail_rows++;
  self->n_rows++;
  self->serial++;
}

guint
roast_table_find_chunk (RoastTable *self, guint64 row)
{
  guint low = 0;
  guint high = self->states->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (roast_table_get_state (self, middle)->first_row <= row)
        low = middle;
      else
        high = middle;
    }

  return low;
}

int
roast_table_compare_rows (gconstpointer a, gconstpointer b)
{
  guint64 first = *(const guint64 *) a;
  guint64 second = *(const guint64 *) b;

  return (first > second) - (first < second);
}

static void
open_row (RoastTable *self, const char *key, guint64 row)
{
  roast_key_index_insert (self->keys, key, row);
  roast_table_get_state (self, roast_table_find_chunk (self, row))->n_open++;
}

static void
close_row (RoastTable *self, guint64 row)
{
  if (!roast_key_index_contains (self->keys, row))
    return;
  roast_key_index_remove (self->keys, row);
  roast_table_get_state (self, roast_table_find_chunk (self, row))->n_open--;
}

static gboolean
cells_equal (RoastColumnType type, RoastCell a, RoastCell b)
{
  switch (type)
    {
    case ROAST_COLUMN_TYPE_STRING:
      return g_str_equal (a.string, b.string);
    case ROAST_COLUMN_TYPE_CATEGORY:
      return a.code == b.code;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      return a.boolean == b.boolean;
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
    default:
      return a.int64 == b.int64;
    }
}

/* Set the missing cells of a row. Existing values are kept. Return the number of the last column whose existing value
 * differs from the new value, or -1. */
static int
update_row (RoastTable *self, guint64 row, const RoastRowCell *cells, guint n_cells)
{
  guint index = roast_table_find_chunk (self, row);
  RoastChunk *chunk = g_ptr_array_index (self->chunks, index);
  guint in_chunk = (guint) (row - roast_table_get_state (self, index)->first_row);
  gboolean changed = FALSE;
  int conflict = -1;

  for (guint i = 0; i < n_cells; i++)
    {
      if (!roast_chunk_is_valid (chunk, in_chunk, cells[i].column))
        {
          chunk = make_writable (self, index);
          roast_chunk_set (chunk, in_chunk, cells[i].column, cells[i].cell);
          changed = TRUE;
        }
      else if (!cells_equal (cells[i].type, roast_chunk_get (chunk, in_chunk, cells[i].column), cells[i].cell))
        conflict = (int) cells[i].column;
    }
  if (changed)
    self->serial++;
  if (changed && self->is_followed && row < self->n_collected)
    g_array_append_val (self->changed, row);

  return conflict;
}

static gboolean
table_refuse (RoastTable *self, GError **error, RoastTableError code, const char *why, const char *column)
{
  if (column != NULL)
    return roast_fail (error, ROAST_TABLE_ERROR, (int) code, "table “%s”, column “%s”: %s", roast_table_get_name (self),
                       column, why);

  return roast_fail (error, ROAST_TABLE_ERROR, (int) code, "table “%s”: %s", roast_table_get_name (self), why);
}

/* Write cells into the open row with their key, or add a row if no such row is open. @row: number of the open row + 1,
 * or 0 if the cells contain the key. */
static gboolean
write_entity (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
              const char **column, GError **error)
{
  const char *key = NULL;
  guint missing = 0;
  guint64 found = *row - 1;
  int conflict = -1;
  gboolean needs_key = *row == 0 && (!close || roast_key_index_needs_key (self->keys));

  if (*row != 0 && !roast_key_index_contains (self->keys, found))
    return table_refuse (self, error, ROAST_TABLE_ERROR_CLOSED, "the row is closed and cannot be changed", NULL);
  if (*row == 0 && !roast_key_index_has_key (self->keys, cells, n_cells, &missing))
    {
      *column = roast_column_get_name (roast_table_info_get_column (self->info, missing));
      return table_refuse (self, error, ROAST_TABLE_ERROR_KEY, "the column is part of the key, but is not set",
                           *column);
    }
  if (needs_key)
    key = roast_key_index_make_key (self->keys, cells, n_cells);
  if (*row != 0 || (key != NULL && roast_key_index_lookup (self->keys, key, &found)))
    conflict = update_row (self, found, cells, n_cells);
  else if (G_UNLIKELY (key != NULL && roast_key_index_was_closed (self->keys, key)))
    return table_refuse (self, error, ROAST_TABLE_ERROR_CLOSED,
                         "a row with the same key was closed before. Close a row with its last cells, or give the new "
                         "row another key",
                         NULL);
  else
    {
      found = self->n_rows;
      append_row (self, cells, n_cells);
      if (!close)
        open_row (self, key, found);
      else if (key != NULL)
        roast_key_index_add_closed (self->keys, key);
    }
  if (close)
    close_row (self, found);
  *row = found + 1;
  if (conflict < 0)
    return TRUE;
  *column = roast_column_get_name (roast_table_info_get_column (self->info, (guint) conflict));

  return table_refuse (self, error, ROAST_TABLE_ERROR_CONFLICT, "the cell already has a different value, which is kept",
                       *column);
}

gboolean
roast_table_write (RoastTable *self, const RoastRowCell *cells, guint n_cells, gboolean close, guint64 *row,
                   const char **column, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  *column = NULL;
  if (G_UNLIKELY (self->sealed))
    return table_refuse (self, error, ROAST_TABLE_ERROR_LATE, "the row comes after the end of the recording", NULL);
  if (self->keys != NULL)
    return write_entity (self, cells, n_cells, close, row, column, error);
  if (*row != 0)
    return table_refuse (self, error, ROAST_TABLE_ERROR_CLOSED, "rows of a log cannot be changed", NULL);
  append_row (self, cells, n_cells);
  *row = self->n_rows;

  return TRUE;
}

gint32
roast_table_encode (RoastTable *self, guint column, const char *text)
{
  return roast_dictionary_encode (g_ptr_array_index (self->dictionaries, column), text);
}

void
roast_table_refuse_repeated (RoastTable *self)
{
  roast_table_lock (self);
  if (self->keys != NULL)
    roast_key_index_set_remembers (self->keys);
  roast_table_unlock (self);
}

void
roast_table_seal (RoastTable *self)
{
  roast_table_lock (self);
  self->sealed = TRUE;
  roast_table_unlock (self);
}

/* ---- reading ---- */

void
roast_table_lock (RoastTable *self)
{
  g_mutex_lock (&self->mutex);
}

void
roast_table_unlock (RoastTable *self)
{
  g_mutex_unlock (&self->mutex);
}

RoastTableSnapshot *
roast_table_snapshot_locked (RoastTable *self)
{
  GPtrArray *chunks = g_ptr_array_new_full (self->chunks->len, (GDestroyNotify) roast_chunk_unref);
  GPtrArray *dictionaries = g_ptr_array_new_full (self->n_columns, dictionary_free);
  GArray *first_rows = g_array_sized_new (FALSE, FALSE, sizeof (guint64), self->chunks->len);
  guint64 dropped = 0;

  for (guint i = 0; i < self->chunks->len; i++)
    {
      RoastChunk *chunk = g_ptr_array_index (self->chunks, i);
      guint64 first_row = roast_table_get_state (self, i)->first_row - dropped;

      if (G_UNLIKELY (roast_table_get_state (self, i)->is_dropped))
        {
          dropped += roast_chunk_get_capacity (chunk);
          continue;
        }
      g_ptr_array_add (chunks, roast_chunk_ref (chunk));
      g_array_append_val (first_rows, first_row);
    }
  for (guint i = 0; i < self->n_columns; i++)
    {
      RoastDictionary *dictionary = g_ptr_array_index (self->dictionaries, i);

      g_ptr_array_add (dictionaries, dictionary != NULL ? roast_dictionary_ref (dictionary) : NULL);
    }

  return roast_table_snapshot_new (self->info, self->n_rows - dropped, chunks, first_rows, dictionaries);
}

RoastTableSnapshot *
roast_table_snapshot (RoastTable *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return roast_table_snapshot_locked (self);
}
