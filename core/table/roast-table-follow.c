/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-follow-private.h"

#include "roast-table-struct-private.h"

static void
clear_sealed (gpointer data)
{
  roast_chunk_unref (((RoastSealedChunk *) data)->chunk);
}

static void
clear_row (gpointer data)
{
  roast_chunk_unref (((RoastOpenRow *) data)->chunk);
}

static RoastTableChanges *
changes_new (void)
{
  RoastTableChanges *self = g_new0 (RoastTableChanges, 1);

  self->sealed = g_array_new (FALSE, FALSE, sizeof (RoastSealedChunk));
  g_array_set_clear_func (self->sealed, clear_sealed);
  self->rows = g_array_new (FALSE, FALSE, sizeof (RoastOpenRow));
  g_array_set_clear_func (self->rows, clear_row);

  return self;
}

void
roast_table_changes_free (RoastTableChanges *self)
{
  g_array_unref (self->sealed);
  g_array_unref (self->rows);
  g_free (self);
}

void
roast_table_follow (RoastTable *self, RoastTableFullFunc full, gpointer data)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->is_followed = TRUE;
  self->n_collected = 0;
  self->full = full;
  self->full_data = data;
}

void
roast_table_unfollow (RoastTable *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->is_followed = FALSE;
  self->full = NULL;
  g_array_set_size (self->changed, 0);
}

static guint
follow_count_rows (RoastTable *self, guint index)
{
  guint64 end = index + 1 < self->states->len ? roast_table_get_state (self, index + 1)->first_row : self->n_rows;

  return (guint) (end - roast_table_get_state (self, index)->first_row);
}

guint64
roast_table_count_unstored (RoastTable *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->first_unstored < self->states->len
             ? self->n_rows - roast_table_get_state (self, self->first_unstored)->first_row
             : 0;
}

/* Return whether the rows of a chunk will not change any more. */
static gboolean
is_sealed (RoastTable *self, guint index)
{
  RoastChunk *chunk = g_ptr_array_index (self->chunks, index);

  return follow_count_rows (self, index) == roast_chunk_get_capacity (chunk) &&
         roast_table_get_state (self, index)->n_open == 0;
}

static void
add_sealed (RoastTable *self, RoastTableChanges *changes, guint index)
{
  RoastSealedChunk sealed = { index, roast_table_get_state (self, index)->first_row, follow_count_rows (self, index),
                              roast_chunk_ref (g_ptr_array_index (self->chunks, index)) };

  g_array_append_val (changes->sealed, sealed);
}

static void
add_row (RoastTable *self, RoastTableChanges *changes, guint index, guint64 row)
{
  RoastOpenRow open = { row, (guint) (row - roast_table_get_state (self, index)->first_row),
                        roast_chunk_ref (g_ptr_array_index (self->chunks, index)) };

  g_array_append_val (changes->rows, open);
}

/* From the chunk at @index, add the rows with numbers from @first on. */
static void
add_rows (RoastTable *self, RoastTableChanges *changes, guint index, guint64 first)
{
  guint64 end = roast_table_get_state (self, index)->first_row + follow_count_rows (self, index);

  for (guint64 row = MAX (first, roast_table_get_state (self, index)->first_row); row < end; row++)
    add_row (self, changes, index, row);
}

static void
add_changed (RoastTable *self, RoastTableChanges *changes, gboolean by_rows)
{
  g_array_sort (self->changed, roast_table_compare_rows);
  for (guint i = 0; i < self->changed->len; i++)
    {
      guint64 row = g_array_index (self->changed, guint64, i);
      guint index = roast_table_find_chunk (self, row);

      if ((i == 0 || g_array_index (self->changed, guint64, i - 1) != row) && (by_rows || !is_sealed (self, index)))
        add_row (self, changes, index, row);
    }
}

RoastTableChanges *
roast_table_collect (RoastTable *self, RoastCollect what, gboolean by_rows)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  RoastTableChanges *changes = changes_new ();
  guint64 first_row = what == ROAST_COLLECT_CHANGED || (by_rows && what == ROAST_COLLECT_END) ? self->n_collected : 0;
  guint first = by_rows ? 0 : self->first_unstored;

  if (first_row > 0)
    add_changed (self, changes, by_rows);
  if (first_row > 0 && by_rows)
    first = roast_table_find_chunk (self, first_row);
  for (guint i = first; i < self->chunks->len; i++)
    {
      if (roast_table_get_state (self, i)->is_stored || roast_table_get_state (self, i)->is_dropped)
        continue;
      if (!by_rows && (what == ROAST_COLLECT_END || is_sealed (self, i)))
        add_sealed (self, changes, i);
      else
        add_rows (self, changes, i, first_row);
    }
  g_array_set_size (self->changed, 0);
  self->n_collected = self->n_rows;

  return changes;
}

static void
skip_stored (RoastTable *self)
{
  while (self->first_unstored < self->states->len && (roast_table_get_state (self, self->first_unstored)->is_stored ||
                                                      roast_table_get_state (self, self->first_unstored)->is_dropped))
    self->first_unstored++;
}

static void
follow_replace (RoastTable *self, guint index, RoastChunk *chunk)
{
  RoastChunk *old = g_ptr_array_index (self->chunks, index);

  self->chunks->pdata[index] = roast_chunk_ref (chunk);
  if (old == self->tail)
    self->tail = chunk;
  roast_chunk_unref (old);
}

void
roast_table_set_stored (RoastTable *self, guint index, RoastChunk *stored)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  roast_table_get_state (self, index)->is_stored = TRUE;
  if (stored != NULL)
    follow_replace (self, index, stored);
  skip_stored (self);
}

void
roast_table_drop (RoastTable *self, guint index)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  g_autoptr (GObject) nothing = g_object_new (G_TYPE_OBJECT, NULL);
  RoastChunk *dropped = roast_chunk_new_stored (self->info, follow_count_rows (self, index), nothing, 0, NULL, NULL);

  roast_table_get_state (self, index)->is_dropped = TRUE;
  self->n_dropped++;
  follow_replace (self, index, dropped);
  roast_chunk_unref (dropped);
  skip_stored (self);
}

gint32
roast_table_get_n_texts (RoastTable *self, guint column)
{
  RoastDictionary *dictionary = g_ptr_array_index (self->dictionaries, column);

  return dictionary != NULL ? (gint32) roast_dictionary_get_length (dictionary) : 0;
}

GPtrArray *
roast_table_list_texts (RoastTable *self, guint column, guint n_texts)
{
  return roast_dictionary_list (g_ptr_array_index (self->dictionaries, column), n_texts);
}

void
roast_table_append_chunk (RoastTable *self, RoastChunk *chunk, guint n_rows)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  RoastChunkState state = { .first_row = self->n_rows };

  g_ptr_array_add (self->chunks, roast_chunk_ref (chunk));
  g_array_append_val (self->states, state);
  self->n_rows += n_rows;
  self->serial++;
  self->tail = NULL;
}
