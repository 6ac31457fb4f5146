/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-table-snapshot-private.h"

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
  guint *n_texts;    /* by column: how many texts its dictionary had */
  GPtrArray **texts; /* by column, made when first asked for */
};

static void blocks_iface_init (RoastTableBlocksInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastTableSnapshot, roast_table_snapshot, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_TABLE_BLOCKS, blocks_iface_init))

static void
roast_table_snapshot_finalize (GObject *object)
{
  RoastTableSnapshot *self = ROAST_TABLE_SNAPSHOT (object);

  for (guint i = 0; i < self->dictionaries->len; i++)
    g_clear_pointer (&self->texts[i], g_ptr_array_unref);
  g_free (self->texts);
  g_free (self->n_texts);
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->first_rows);
  g_ptr_array_unref (self->dictionaries);
  g_clear_object (&self->info);

  G_OBJECT_CLASS (roast_table_snapshot_parent_class)->finalize (object);
}

static void
roast_table_snapshot_class_init (RoastTableSnapshotClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_table_snapshot_finalize;
}

static void
roast_table_snapshot_init (RoastTableSnapshot *self)
{
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

/* ---- as blocks ---- */

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

static RoastChunk *
blocks_load (RoastTableBlocks *blocks, guint block)
{
  return roast_chunk_ref (g_ptr_array_index (ROAST_TABLE_SNAPSHOT (blocks)->chunks, block));
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
  iface->load = blocks_load;
  iface->get_texts = blocks_get_texts;
}
