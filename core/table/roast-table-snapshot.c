/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-snapshot-private.h"

#include "base/roast-type-private.h"
#include "roast-dictionary-private.h"

/* maximum number of bytes of loaded numbers that are kept for other readers: enough for a million tasks */
#define MAX_KEPT ((gsize) 128 << 20)

struct _RoastTableSnapshot
{
  GObject parent_instance;

  RoastTableInfo *info;
  guint64 n_rows;
  GPtrArray *chunks;
  GArray *first_rows; /* number of the first row of each chunk; an array of guint64 */
  GPtrArray *dictionaries;
  guint *n_texts;    /* number of texts in the dictionary of each column when the snapshot was made */
  GPtrArray **texts; /* texts of each column; the array of a column is made on first use */

  GMutex mutex;     /* guards the members below */
  GHashTable *kept; /* maps the number of a stored block to its chunk, which keeps the columns that were loaded */
  gsize n_kept;     /* number of bytes of the numbers that are kept */
};

ROAST_DEFINE_TYPE (RoastTableSnapshot, roast_table_snapshot)

static void
roast_table_snapshot_release (RoastTableSnapshot *self)
{
  for (guint i = 0; i < self->dictionaries->len; i++)
    g_clear_pointer (&self->texts[i], g_ptr_array_unref);
  g_free (self->texts);
  g_free (self->n_texts);
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->first_rows);
  g_ptr_array_unref (self->dictionaries);
  g_clear_object (&self->info);
  g_hash_table_unref (self->kept);
  g_mutex_clear (&self->mutex);
}

static void
roast_table_snapshot_init (RoastTableSnapshot *self)
{
  g_mutex_init (&self->mutex);
  self->kept = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) roast_chunk_unref);
}

RoastTableSnapshot *
roast_table_snapshot_new (RoastTableInfo *info, guint64 n_rows, GPtrArray *chunks, GArray *first_rows,
                          GPtrArray *dictionaries)
{
  RoastTableSnapshot *self = g_object_new (ROAST_TYPE_TABLE_SNAPSHOT, NULL);

  self->info = g_object_ref (info);
  self->n_rows = n_rows;
  self->chunks = chunks;
  self->first_rows = first_rows;
  self->dictionaries = dictionaries;
  self->texts = g_new0 (GPtrArray *, MAX (dictionaries->len, 1));
  self->n_texts = g_new0 (guint, MAX (dictionaries->len, 1));
  for (guint i = 0; i < dictionaries->len; i++)
    if (g_ptr_array_index (dictionaries, i) != NULL)
      self->n_texts[i] = roast_dictionary_get_length (g_ptr_array_index (dictionaries, i));

  return self;
}

RoastTableSnapshot *
roast_table_snapshot_new_empty (RoastTableInfo *info)
{
  GPtrArray *dictionaries = g_ptr_array_new ();

  g_ptr_array_set_size (dictionaries, (int) roast_table_info_get_n_columns (info));

  return roast_table_snapshot_new (info, 0, g_ptr_array_new (), g_array_new (FALSE, FALSE, sizeof (guint64)),
                                   dictionaries);
}

RoastTableInfo *
roast_table_snapshot_get_info (RoastTableSnapshot *self)
{
  return self->info;
}

guint64
roast_table_snapshot_get_n_rows (RoastTableSnapshot *self)
{
  return self->n_rows;
}

guint
roast_table_snapshot_get_n_blocks (RoastTableSnapshot *self)
{
  return self->chunks->len;
}

guint64
roast_table_snapshot_get_first_row (RoastTableSnapshot *self, guint block)
{
  return block < self->chunks->len ? g_array_index (self->first_rows, guint64, block) : self->n_rows;
}

static RoastChunk *
get_kept (RoastTableSnapshot *self, guint block, guint n_rows)
{
  RoastChunk *kept = g_hash_table_lookup (self->kept, GUINT_TO_POINTER (block));

  if (kept == NULL)
    {
      kept = roast_chunk_new (n_rows, self->info);
      g_hash_table_insert (self->kept, GUINT_TO_POINTER (block), kept);
    }

  return kept;
}

/* Load columns of a stored block. Keep the loaded columns for other readers. Numbers are kept only up to a limit.
 * Strings are always kept, because readers may hold their addresses. */
static RoastChunk *
load_stored (RoastTableSnapshot *self, guint block, RoastChunk *stored, const guint *columns, guint n_columns)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  RoastChunk *kept = get_kept (self, block, roast_chunk_get_capacity (stored));
  g_autofree guint *wanted = g_new (guint, MAX (n_columns, 1));
  guint n_wanted = 0;
  gboolean has_all = TRUE;
  RoastChunk *chunk = NULL;

  for (guint i = 0; i < n_columns; i++)
    if (!roast_chunk_is_loaded (kept, columns[i]))
      wanted[n_wanted++] = columns[i];
  if (n_wanted == 0)
    return roast_chunk_ref (kept);
  chunk = roast_chunk_load (stored, wanted, n_wanted);
  for (guint i = 0; i < n_wanted; i++)
    {
      gsize size = roast_chunk_measure_numbers (chunk, wanted[i]);

      if (self->n_kept + size <= MAX_KEPT)
        {
          self->n_kept += size;
          roast_chunk_share (kept, chunk, wanted[i]);
        }
      has_all &= roast_chunk_is_loaded (kept, wanted[i]);
    }
  for (guint i = 0; !has_all && i < n_columns; i++)
    roast_chunk_share (chunk, kept, columns[i]);
  if (!has_all)
    return chunk;
  roast_chunk_unref (chunk);

  return roast_chunk_ref (kept);
}

RoastChunk *
roast_table_snapshot_load (RoastTableSnapshot *self, guint block, const guint *columns, guint n_columns)
{
  RoastChunk *chunk = g_ptr_array_index (self->chunks, block);

  return roast_chunk_is_stored (chunk) ? load_stored (self, block, chunk, columns, n_columns) : roast_chunk_ref (chunk);
}

gboolean
roast_table_snapshot_get_range (RoastTableSnapshot *self, guint block, guint column, double *min, double *max)
{
  return roast_chunk_get_range (g_ptr_array_index (self->chunks, block), column, min, max);
}

GPtrArray *
roast_table_snapshot_get_texts (RoastTableSnapshot *self, guint column)
{
  GPtrArray *texts = g_atomic_pointer_get (&self->texts[column]);

  if (texts != NULL)
    return texts;
  texts = g_ptr_array_index (self->dictionaries, column) != NULL
              ? roast_dictionary_list (g_ptr_array_index (self->dictionaries, column), self->n_texts[column])
              : g_ptr_array_new ();
  if (!g_atomic_pointer_compare_and_exchange (&self->texts[column], NULL, texts))
    {
      g_ptr_array_unref (texts);
      texts = g_atomic_pointer_get (&self->texts[column]);
    }

  return texts;
}
