/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-snapshot-private.h"

#include "base/roast-type-private.h"
#include "roast-dictionary-private.h"
#include "roast-table-blocks-private.h"

struct _RoastTableSnapshot
{
  GObject parent_instance;

  RoastTableInfo *info;
  guint64 n_rows;
  GPtrArray *chunks;
  GArray *first_rows; /* guint64, by chunk */
  GPtrArray *dictionaries;
  guint *n_texts;    /* by column: number of texts in its dictionary at the time of the snapshot */
  GPtrArray **texts; /* by column, made on first use */

  GMutex mutex;        /* guards the member below */
  GHashTable *strings; /* number of a stored block to a chunk that keeps its loaded strings */
};

static void blocks_iface_init (RoastTableBlocksInterface *iface);

ROAST_DEFINE_TYPE_WITH (RoastTableSnapshot, roast_table_snapshot, ROAST_TYPE_TABLE_BLOCKS, blocks_iface_init)

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
  g_hash_table_unref (self->strings);
  g_mutex_clear (&self->mutex);
}

static void
roast_table_snapshot_init (RoastTableSnapshot *self)
{
  g_mutex_init (&self->mutex);
  self->strings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) roast_chunk_unref);
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

RoastTableInfo *
roast_table_snapshot_get_info (RoastTableSnapshot *self)
{
  return self->info;
}

/* ---- the interface RoastTableBlocks ---- */

static RoastTableInfo *
blocks_get_info (RoastTableBlocks *blocks)
{
  return ROAST_TABLE_SNAPSHOT (blocks)->info;
}

static guint64
blocks_get_n_rows (RoastTableBlocks *blocks)
{
  return ROAST_TABLE_SNAPSHOT (blocks)->n_rows;
}

static guint
blocks_get_n_blocks (RoastTableBlocks *blocks)
{
  return ROAST_TABLE_SNAPSHOT (blocks)->chunks->len;
}

static guint64
blocks_get_first_row (RoastTableBlocks *blocks, guint block)
{
  RoastTableSnapshot *self = ROAST_TABLE_SNAPSHOT (blocks);

  return block < self->chunks->len ? g_array_index (self->first_rows, guint64, block) : self->n_rows;
}

static gboolean
has_strings (RoastTableSnapshot *self, guint column)
{
  return roast_column_get_column_type (roast_table_info_get_column (self->info, column)) == ROAST_COLUMN_TYPE_STRING;
}

static gboolean
has_cells (RoastChunk *chunk, guint column)
{
  const guint8 *validity = NULL;

  return roast_chunk_peek (chunk, column, &validity) != NULL;
}

/* Load a stored block. Reuse strings that were loaded before, so that their addresses stay valid. */
static RoastChunk *
load_stored (RoastTableSnapshot *self, guint block, RoastChunk *stored, const guint *columns, guint n_columns)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  RoastChunk *kept = g_hash_table_lookup (self->strings, GUINT_TO_POINTER (block));
  g_autofree guint *wanted = g_new (guint, MAX (n_columns, 1));
  guint n_wanted = 0;
  RoastChunk *chunk = NULL;

  for (guint i = 0; i < n_columns; i++)
    if (kept == NULL || !has_strings (self, columns[i]) || !has_cells (kept, columns[i]))
      wanted[n_wanted++] = columns[i];
  chunk = roast_chunk_load (stored, wanted, n_wanted);
  for (guint i = 0; i < n_columns; i++)
    {
      if (!has_strings (self, columns[i]))
        continue;
      if (kept == NULL)
        {
          kept = roast_chunk_new (roast_chunk_get_capacity (chunk), self->info);
          g_hash_table_insert (self->strings, GUINT_TO_POINTER (block), kept);
        }
      if (!has_cells (chunk, columns[i]))
        roast_chunk_share_strings (chunk, kept, columns[i]);
      else if (!has_cells (kept, columns[i]))
        roast_chunk_share_strings (kept, chunk, columns[i]);
    }

  return chunk;
}

static RoastChunk *
blocks_load (RoastTableBlocks *blocks, guint block, const guint *columns, guint n_columns)
{
  RoastTableSnapshot *self = ROAST_TABLE_SNAPSHOT (blocks);
  RoastChunk *chunk = g_ptr_array_index (self->chunks, block);

  return roast_chunk_is_stored (chunk) ? load_stored (self, block, chunk, columns, n_columns) : roast_chunk_ref (chunk);
}

static gboolean
blocks_get_range (RoastTableBlocks *blocks, guint block, guint column, double *min, double *max)
{
  return roast_chunk_get_range (g_ptr_array_index (ROAST_TABLE_SNAPSHOT (blocks)->chunks, block), column, min, max);
}

static GPtrArray *
blocks_get_texts (RoastTableBlocks *blocks, guint column)
{
  RoastTableSnapshot *self = ROAST_TABLE_SNAPSHOT (blocks);
  GPtrArray *texts = g_atomic_pointer_get (&self->texts[column]);

  if (texts != NULL)
    return texts;
  texts = roast_dictionary_list (g_ptr_array_index (self->dictionaries, column), self->n_texts[column]);
  if (!g_atomic_pointer_compare_and_exchange (&self->texts[column], NULL, texts))
    {
      g_ptr_array_unref (texts);
      texts = g_atomic_pointer_get (&self->texts[column]);
    }

  return texts;
}

static void
blocks_iface_init (RoastTableBlocksInterface *iface)
{
  iface->get_info = blocks_get_info;
  iface->get_n_rows = blocks_get_n_rows;
  iface->get_n_blocks = blocks_get_n_blocks;
  iface->get_first_row = blocks_get_first_row;
  iface->get_range = blocks_get_range;
  iface->load = blocks_load;
  iface->get_texts = blocks_get_texts;
}
