/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-row-model.h"

/**
 * RoastRowModel:
 *
 * The rows of a [class@Roast.Table] as a [iface@Gio.ListModel], for user interfaces: an item is made when it is asked
 * for.
 *
 * It shows the table as it was at the last [method@Roast.RowModel.refresh].
 *
 * Since: 0.9
 */
struct _RoastRowModel
{
  GObject parent_instance;

  RoastTable *table;
  RoastTableSnapshot *snapshot;
};

/**
 * RoastRowItem:
 *
 * One row of a [class@Roast.RowModel].
 *
 * Since: 0.9
 */
struct _RoastRowItem
{
  GObject parent_instance;

  RoastTableSnapshot *snapshot;
  guint64 row;
};

static void list_model_iface_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE (RoastRowItem, roast_row_item, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE (RoastRowModel, roast_row_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static void
roast_row_item_finalize (GObject *object)
{
  g_object_unref (ROAST_ROW_ITEM (object)->snapshot);

  G_OBJECT_CLASS (roast_row_item_parent_class)->finalize (object);
}

static void
roast_row_item_class_init (RoastRowItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_row_item_finalize;
}

static void
roast_row_item_init (RoastRowItem *self)
{
}

/**
 * roast_row_item_get_snapshot:
 * @self: a row
 *
 * Tells what the row is of.
 *
 * Returns: (transfer none): the snapshot that the row is of
 *
 * Since: 0.9
 */
RoastTableSnapshot *
roast_row_item_get_snapshot (RoastRowItem *self)
{
  g_return_val_if_fail (ROAST_IS_ROW_ITEM (self), NULL);

  return self->snapshot;
}

/**
 * roast_row_item_get_row:
 * @self: a row
 *
 * Tells which row it is.
 *
 * Returns: the number of the row
 *
 * Since: 0.9
 */
guint64
roast_row_item_get_row (RoastRowItem *self)
{
  g_return_val_if_fail (ROAST_IS_ROW_ITEM (self), 0);

  return self->row;
}

/**
 * roast_row_item_dup_value:
 * @self: a row
 * @column: name of a column
 *
 * Gives a cell of the row.
 *
 * Returns: (transfer full) (nullable): the cell; %NULL if it is missing, or there is no such column
 *
 * Since: 0.9
 */
GVariant *
roast_row_item_dup_value (RoastRowItem *self, const char *column)
{
  int index;

  g_return_val_if_fail (ROAST_IS_ROW_ITEM (self), NULL);
  g_return_val_if_fail (column != NULL, NULL);

  index = roast_table_snapshot_find_column (self->snapshot, column);

  return index >= 0 ? roast_table_snapshot_dup_value (self->snapshot, self->row, (guint) index) : NULL;
}

static GType
get_item_type (GListModel *model)
{
  return ROAST_TYPE_ROW_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return (guint) MIN (roast_table_snapshot_get_n_rows (ROAST_ROW_MODEL (model)->snapshot), (guint64) G_MAXUINT);
}

static gpointer
get_item (GListModel *model, guint position)
{
  RoastRowModel *self = ROAST_ROW_MODEL (model);
  RoastRowItem *item = NULL;

  if (position >= roast_table_snapshot_get_n_rows (self->snapshot))
    return NULL;

  item = g_object_new (ROAST_TYPE_ROW_ITEM, NULL);
  item->snapshot = g_object_ref (self->snapshot);
  item->row = position;

  return item;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
roast_row_model_finalize (GObject *object)
{
  RoastRowModel *self = ROAST_ROW_MODEL (object);

  g_object_unref (self->table);
  g_object_unref (self->snapshot);

  G_OBJECT_CLASS (roast_row_model_parent_class)->finalize (object);
}

static void
roast_row_model_class_init (RoastRowModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_row_model_finalize;
}

static void
roast_row_model_init (RoastRowModel *self)
{
}

/**
 * roast_row_model_new:
 * @table: a table
 *
 * Makes a list of the rows of a table, for programs that show one.
 *
 * Returns: (transfer full): a model of the rows that @table has now
 *
 * Since: 0.9
 */
RoastRowModel *
roast_row_model_new (RoastTable *table)
{
  RoastRowModel *self = NULL;

  g_return_val_if_fail (ROAST_IS_TABLE (table), NULL);

  self = g_object_new (ROAST_TYPE_ROW_MODEL, NULL);
  self->table = g_object_ref (table);
  self->snapshot = roast_table_snapshot (table);

  return self;
}

/**
 * roast_row_model_refresh:
 * @self: a model
 *
 * Shows the table as it is now, and says so by [signal@Gio.ListModel::items-changed]: of a log the rows that were
 * added, of a table of entities all rows if any changed.
 *
 * Since: 0.9
 */
void
roast_row_model_refresh (RoastRowModel *self)
{
  g_autoptr (RoastTableSnapshot) before = NULL;
  guint n_before = 0;
  guint n_after = 0;

  g_return_if_fail (ROAST_IS_ROW_MODEL (self));

  before = g_steal_pointer (&self->snapshot);
  n_before = (guint) roast_table_snapshot_get_n_rows (before);
  self->snapshot = roast_table_snapshot (self->table);
  n_after = get_n_items (G_LIST_MODEL (self));

  if (roast_table_snapshot_get_serial (before) == roast_table_snapshot_get_serial (self->snapshot))
    return;
  if (roast_table_get_kind (self->table) == ROAST_TABLE_KIND_ENTITY)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, n_after);
  else if (n_after > n_before)
    g_list_model_items_changed (G_LIST_MODEL (self), n_before, 0, n_after - n_before);
}
