/* SPDX-License-Identifier: BSD-3-Clause */

#include <roast/roast.h>

typedef struct
{
  guint calls;
  guint position;
  guint removed;
  guint added;
} Change;

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  Change *change = data;

  *change = (Change) { change->calls + 1, position, removed, added };
}

static void
add (RoastTable *table, const char *text)
{
  g_autoptr (GError) error = NULL;

  roast_table_add_variant (table, g_variant_new_parsed (text), &error);
  g_assert_no_error (error);
}

static gint64
get_number (GListModel *model, guint position, const char *column)
{
  g_autoptr (RoastRowItem) item = g_list_model_get_item (model, position);
  g_autoptr (GVariant) value = roast_row_item_dup_value (item, column);

  return value != NULL ? g_variant_get_int64 (value) : -1;
}

static void
test_log (void)
{
  g_autoptr (RoastTable) table = roast_table_new ("log", ROAST_TABLE_KIND_LOG, NULL);
  g_autoptr (RoastRowModel) rows = NULL;
  GListModel *model = NULL;
  Change change = { 0 };

  roast_table_add_column (table, "n", ROAST_COLUMN_TYPE_INT64, NULL, NULL, NULL);
  add (table, "{'n': <1>}");
  add (table, "{'n': <2>}");
  rows = roast_row_model_new (table);
  model = G_LIST_MODEL (rows);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &change);

  g_assert_true (g_list_model_get_item_type (model) == ROAST_TYPE_ROW_ITEM);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 2);
  g_assert_cmpint (get_number (model, 1, "n"), ==, 2);
  g_assert_null (g_list_model_get_item (model, 2));

  add (table, "{'n': <3>}");
  add (table, "@a{sv} {}");
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 2);
  roast_row_model_refresh (rows);
  g_assert_cmpuint (change.calls, ==, 1);
  g_assert_cmpuint (change.position, ==, 2);
  g_assert_cmpuint (change.removed, ==, 0);
  g_assert_cmpuint (change.added, ==, 2);
  g_assert_cmpint (get_number (model, 2, "n"), ==, 3);
  g_assert_cmpint (get_number (model, 3, "n"), ==, -1);
  g_assert_cmpint (get_number (model, 2, "nothing"), ==, -1);

  roast_row_model_refresh (rows);
  g_assert_cmpuint (change.calls, ==, 1);
}

static void
test_entities (void)
{
  g_autoptr (RoastTable) table = roast_table_new ("entities", ROAST_TABLE_KIND_ENTITY, NULL);
  g_autoptr (RoastRowModel) rows = NULL;
  g_autoptr (RoastRowItem) old = NULL;
  g_autoptr (GVariant) missing = NULL;
  GListModel *model = NULL;
  Change change = { 0 };

  roast_table_add_key_column (table, "k", ROAST_COLUMN_TYPE_STRING, NULL, NULL, NULL);
  roast_table_add_column (table, "n", ROAST_COLUMN_TYPE_INT64, NULL, NULL, NULL);
  add (table, "{'k': <'a'>}");
  add (table, "{'k': <'b'>}");
  rows = roast_row_model_new (table);
  model = G_LIST_MODEL (rows);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &change);
  old = g_list_model_get_item (model, 1);

  add (table, "{'k': <'b'>, 'n': <5>}");
  add (table, "{'k': <'c'>}");
  roast_row_model_refresh (rows);
  g_assert_cmpuint (change.calls, ==, 1);
  g_assert_cmpuint (change.position, ==, 0);
  g_assert_cmpuint (change.removed, ==, 2);
  g_assert_cmpuint (change.added, ==, 3);
  g_assert_cmpint (get_number (model, 1, "n"), ==, 5);

  /* An item is of the snapshot that it was made from. */
  missing = roast_row_item_dup_value (old, "n");
  g_assert_null (missing);
  g_assert_cmpuint (roast_row_item_get_row (old), ==, 1);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (roast_row_item_get_snapshot (old)), ==, 2);

  add (table, "{'k': <'c'>}");
  roast_row_model_refresh (rows);
  g_assert_cmpuint (change.calls, ==, 1);
}

/* Items are made when they are asked for, not before. */
static void
test_lazy (void)
{
  g_autoptr (RoastTable) table = roast_table_new ("log", ROAST_TABLE_KIND_LOG, NULL);
  g_autofree double *values = g_new0 (double, 500000);
  g_autoptr (GBytes) bytes = g_bytes_new_static (values, 500000 * sizeof (double));
  g_autoptr (RoastRowModel) rows = NULL;
  g_autoptr (RoastRowItem) item = NULL;
  RoastRowItem *weak = NULL;

  roast_table_add_column (table, "x", ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);
  roast_table_append_column (table, "x", bytes, NULL);
  rows = roast_row_model_new (table);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 500000);
  item = g_list_model_get_item (G_LIST_MODEL (rows), 499999);
  g_assert_cmpuint (roast_row_item_get_row (item), ==, 499999);
  g_set_weak_pointer (&weak, item);
  g_clear_object (&item);
  g_assert_null (weak);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/row-model/log", test_log);
  g_test_add_func ("/row-model/entities", test_entities);
  g_test_add_func ("/row-model/lazy", test_lazy);

  return g_test_run ();
}
