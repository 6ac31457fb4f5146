/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-recording-snapshot-private.h"

/**
 * RoastRecordingSnapshot:
 *
 * A [class@Roast.Recording] as it was at one time: what aggregators and exporters read.
 *
 * Since: 0.9
 */
struct _RoastRecordingSnapshot
{
  GObject parent_instance;

  GPtrArray *tables;
  GVariant *metadata;
};

G_DEFINE_FINAL_TYPE (RoastRecordingSnapshot, roast_recording_snapshot, G_TYPE_OBJECT)

static void
roast_recording_snapshot_finalize (GObject *object)
{
  RoastRecordingSnapshot *self = ROAST_RECORDING_SNAPSHOT (object);

  g_ptr_array_unref (self->tables);
  g_variant_unref (self->metadata);

  G_OBJECT_CLASS (roast_recording_snapshot_parent_class)->finalize (object);
}

static void
roast_recording_snapshot_class_init (RoastRecordingSnapshotClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_recording_snapshot_finalize;
}

static void
roast_recording_snapshot_init (RoastRecordingSnapshot *self)
{
}

RoastRecordingSnapshot *
roast_recording_snapshot_new (GPtrArray *tables, GVariant *metadata)
{
  RoastRecordingSnapshot *self = g_object_new (ROAST_TYPE_RECORDING_SNAPSHOT, NULL);

  self->tables = tables;
  self->metadata = g_variant_ref_sink (metadata);

  return self;
}

/**
 * roast_recording_snapshot_get_table:
 * @self: a snapshot
 * @name: name of a table
 *
 * Finds a table of the snapshot.
 *
 * Returns: (transfer none) (nullable): the table; %NULL if nothing was ever recorded in one of that name
 *
 * Since: 0.9
 */
RoastTableSnapshot *
roast_recording_snapshot_get_table (RoastRecordingSnapshot *self, const char *name)
{
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastTableSnapshot *table = g_ptr_array_index (self->tables, i);

      if (g_str_equal (roast_table_snapshot_get_name (table), name))
        return table;
    }

  return NULL;
}

/**
 * roast_recording_snapshot_list_tables:
 * @self: a snapshot
 *
 * Lists the tables of the snapshot.
 *
 * Returns: (transfer container) (element-type RoastTableSnapshot): the tables, those of the model first
 *
 * Since: 0.9
 */
GPtrArray *
roast_recording_snapshot_list_tables (RoastRecordingSnapshot *self)
{
  GPtrArray *list = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->tables->len; i++)
    g_ptr_array_add (list, g_object_ref (g_ptr_array_index (self->tables, i)));

  return list;
}

/**
 * roast_recording_snapshot_get_metadata:
 * @self: a snapshot
 *
 * Gives the metadata at the time of the snapshot.
 *
 * Returns: (transfer none): what is known of the run as a whole, as `a{sv}`
 *
 * Since: 0.9
 */
GVariant *
roast_recording_snapshot_get_metadata (RoastRecordingSnapshot *self)
{
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);

  return self->metadata;
}

/**
 * roast_recording_snapshot_lookup_metadata:
 * @self: a snapshot
 * @key: what is asked for
 * @type: (nullable): the type that it must have; %NULL for any
 *
 * Finds one value of the metadata.
 *
 * Returns: (transfer full) (nullable): the value; %NULL if it is not known or of another type
 *
 * Since: 0.9
 */
GVariant *
roast_recording_snapshot_lookup_metadata (RoastRecordingSnapshot *self, const char *key, const GVariantType *type)
{
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return g_variant_lookup_value (self->metadata, key, type);
}
