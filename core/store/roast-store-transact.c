/* SPDX-License-Identifier: BSD-3-Clause */

/* One transaction: all that is new in a recording, or nothing. */

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-table-private.h"
#include "roast-store-writing-private.h"

static gboolean
is_known (RoastStoreWriter *self, RoastTable *table)
{
  for (guint i = 0; i < self->tables->len; i++)
    if (roast_stored_table_get_table (g_ptr_array_index (self->tables, i)) == table)
      return TRUE;

  return FALSE;
}

/* Tables that are new in the recording. */
static void
add_tables (RoastStoreWriter *self, RoastTableFullFunc full)
{
  g_autoptr (GPtrArray) tables = roast_recording_list_tables (self->recording);

  for (guint i = 0; i < tables->len; i++)
    if (!is_known (self, g_ptr_array_index (tables, i)))
      g_ptr_array_add (self->tables, roast_stored_table_new (self->file, g_ptr_array_index (tables, i),
                                                             self->tables->len + 1, full, self));
}

/* Those with few rows first: a limit that is reached costs rows of the table that has most. */
static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  guint64 first = roast_stored_table_count_unwritten (*(RoastStoredTable *const *) a);
  guint64 second = roast_stored_table_count_unwritten (*(RoastStoredTable *const *) b);

  return (first > second) - (first < second);
}

static gboolean
write_tables (RoastStoreWriter *self, RoastStoreEnd *end, GError **error)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();

  for (guint i = 0; i < self->tables->len; i++)
    g_ptr_array_add (tables, g_ptr_array_index (self->tables, i));
  if (end != NULL && end->max_pages > 0)
    {
      g_ptr_array_sort (tables, compare_sizes);
      /* All rows become blocks, which need the room. */
      if (!roast_database_exec (roast_store_file_get_database (self->file), "DELETE FROM open_row", error))
        return FALSE;
    }
  for (guint i = 0; i < tables->len; i++)
    if (!roast_stored_table_write (g_ptr_array_index (tables, i), self->encoder, end, error))
      return FALSE;

  return TRUE;
}

/* Which rows are missing, and why. */
static gboolean
write_missing (RoastStoreWriter *self, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (self->missing_since < 0)
    return TRUE;
  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastStoredTable *table = g_ptr_array_index (self->tables, i);

      if (roast_stored_table_lacks_rows (table))
        g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "",
                                roast_table_get_name (roast_stored_table_get_table (table)));
    }

  return roast_store_write_time (self, ROAST_STORE_META_MISSING, self->missing_since, error) &&
         roast_store_write_meta (self, ROAST_STORE_META_MISSING_TABLES, names->str, error) &&
         roast_store_write_meta (self, ROAST_STORE_META_MISSING_WHY, self->gave_up ? "memory" : "limit", error);
}

static gboolean
write_all (RoastStoreWriter *self, GHashTable *meta, GHashTable *written, gint64 reach, RoastStoreEnd *end,
           GError **error)
{
  if (!self->is_laid_out && !roast_store_layout_create (roast_store_file_get_database (self->file), error))
    return FALSE;
  if (!roast_store_write_all_meta (self, meta, error) ||
      !roast_store_write_meta (self, ROAST_STORE_META_STATE, end != NULL ? "closed" : "growing", error))
    return FALSE;
  if (self->recording == NULL)
    return TRUE;
  if (!self->has_schema && !roast_store_write_schema (self, error))
    return FALSE;
  if (!roast_store_write_metadata (self, written, error))
    return FALSE;
  if (!write_tables (self, end, error))
    return FALSE;
  if (end != NULL)
    roast_store_set_missing_since (self, end->missing_since);
  if (!write_missing (self, error))
    return FALSE;

  return roast_store_write_time (self, ROAST_STORE_META_REACH, reach, error);
}

static void
merge (gpointer key, gpointer value, gpointer to)
{
  if (!g_hash_table_contains (to, key))
    g_hash_table_insert (to, g_strdup (key), g_strdup (value));
}

static void
copy_pair (gpointer key, gpointer value, gpointer to)
{
  g_hash_table_insert (to, g_strdup (key), g_strdup (value));
}

GHashTable *
roast_store_new_pairs (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static GHashTable *
take_meta (RoastStoreWriter *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GHashTable *meta = self->meta;

  self->meta = roast_store_new_pairs ();

  return meta;
}

static void
set_reach (RoastStoreWriter *self, gint64 reach)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->reach = reach;
}

static void
undo (RoastStoreWriter *self, GHashTable *meta)
{
  roast_database_exec (roast_store_file_get_database (self->file), "ROLLBACK", NULL);
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_rollback (g_ptr_array_index (self->tables, i));
  g_mutex_lock (&self->mutex);
  g_hash_table_foreach (meta, merge, self->meta);
  g_mutex_unlock (&self->mutex);
}

gboolean
roast_store_transact (RoastStoreWriter *self, RoastTableFullFunc full, RoastStoreEnd *end, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (self->file);
  g_autoptr (GHashTable) meta = take_meta (self);
  g_autoptr (GHashTable) written = roast_store_new_pairs ();
  gint64 reach = g_get_real_time ();

  g_atomic_pointer_set (&self->n_full, 0);
  if (self->recording != NULL)
    add_tables (self, full);
  if (!roast_database_exec (database, "BEGIN IMMEDIATE", error) ||
      !write_all (self, meta, written, reach, end, error) || !roast_database_exec (database, "COMMIT", error))
    {
      undo (self, meta);
      return FALSE;
    }
  self->is_laid_out = TRUE;
  self->has_schema = self->recording != NULL;
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_commit (g_ptr_array_index (self->tables, i));
  g_hash_table_foreach (written, copy_pair, self->written);
  if (self->recording != NULL)
    set_reach (self, reach);

  return TRUE;
}
