/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes all new data of a recording in one transaction. If the transaction fails, the file does not change. */

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-sql-private.h"
#include "roast-store-writer-private.h"
#include "table/roast-schema-private.h"

/* ---- metadata and schemas ---- */

static gboolean
write_meta (RoastStoreWriter *self, const char *key, const char *value, GError **error)
{
  RoastDatabase *database = self->file->database;

  if (value != NULL)
    return roast_database_put (database, ROAST_STORE_SET_META, key, value, error);

  return roast_database_run (database,
                             roast_database_query (database, error, "DELETE FROM meta WHERE key = ?", "s", key), error);
}

static gboolean
write_time (RoastStoreWriter *self, const char *key, gint64 time, GError **error)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, time);

  return write_meta (self, key, value, error);
}

static void
copy_pair (gpointer key, gpointer value, gpointer to)
{
  g_hash_table_insert (to, g_strdup (key), g_strdup (value));
}

/* Write all metadata in each transaction, because the page that contains the metadata changes in each transaction
 * anyway. */
static gboolean
write_all_meta (RoastStoreWriter *self, GError **error)
{
  g_autoptr (GHashTable) meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  g_mutex_lock (&self->mutex);
  g_hash_table_foreach (self->meta, copy_pair, meta);
  g_mutex_unlock (&self->mutex);
  g_hash_table_iter_init (&iter, meta);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!write_meta (self, key, value, error))
      return FALSE;

  return TRUE;
}

static gboolean
write_metadata (RoastStoreWriter *self, GError **error)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  g_variant_iter_init (&iter, metadata);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      g_autofree char *text = g_variant_print (value, TRUE);

      if (g_strcmp0 (g_hash_table_lookup (self->written, key), text) == 0)
        continue;
      if (!roast_database_put (self->file->database, ROAST_STORE_SET_METADATA, key, text, error))
        {
          g_variant_unref (value);
          return FALSE;
        }
      g_hash_table_insert (self->written, g_strdup (key), g_steal_pointer (&text));
    }

  return TRUE;
}

static gboolean
write_schema (RoastStoreWriter *self, GError **error)
{
  g_autoptr (GPtrArray) texts = roast_schema_list_texts (roast_recording_get_schema (self->recording));

  for (guint i = 0; i < texts->len; i++)
    {
      const RoastSchemaText *text = g_ptr_array_index (texts, i);
      gsize size = 0;
      const char *data = g_bytes_get_data (text->data, &size);
      g_autofree char *copy = g_strndup (data, size);

      if (!roast_database_put (self->file->database, "INSERT INTO schema VALUES (?, ?)", text->origin, copy, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- tables ---- */

static gboolean
store_transact_is_known (RoastStoreWriter *self, RoastTable *table)
{
  for (guint i = 0; i < self->tables->len; i++)
    if (roast_stored_table_get_table (g_ptr_array_index (self->tables, i)) == table)
      return TRUE;

  return FALSE;
}

/* Add tables that are new in the recording. */
static void
add_tables (RoastStoreWriter *self, RoastTableFullFunc full)
{
  g_autoptr (GPtrArray) tables = roast_recording_list_tables (self->recording);

  for (guint i = 0; i < tables->len; i++)
    if (!store_transact_is_known (self, g_ptr_array_index (tables, i)))
      g_ptr_array_add (self->tables, roast_stored_table_new (self->file, g_ptr_array_index (tables, i),
                                                             self->tables->len + 1, full, self));
}

/* Sort tables with few unwritten rows first, so that only the largest tables lose rows if the file reaches its size
 * limit. */
static int
store_transact_compare_sizes (gconstpointer a, gconstpointer b)
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
      g_ptr_array_sort (tables, store_transact_compare_sizes);
      /* Remove all open rows to make room, since this transaction writes all rows as blocks. */
      if (!roast_database_exec (self->file->database, "DELETE FROM open_row", error))
        return FALSE;
    }
  for (guint i = 0; i < tables->len; i++)
    if (!roast_stored_table_write (g_ptr_array_index (tables, i), self->encoder, end, error))
      return FALSE;

  return TRUE;
}

void
roast_store_set_missing_since (RoastStoreWriter *self, gint64 since)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (since >= 0 && (self->missing_since < 0 || since < self->missing_since))
    self->missing_since = since;
}

/* Write into the metadata which rows are missing, and why. */
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

  return write_time (self, ROAST_STORE_META_MISSING, self->missing_since, error) &&
         write_meta (self, ROAST_STORE_META_MISSING_TABLES, names->str, error) &&
         write_meta (self, ROAST_STORE_META_MISSING_WHY, self->gave_up ? "memory" : "limit", error);
}

/* Write the number of rows of each table, so that a reader notices lost rows. */
static gboolean
write_counts (RoastStoreWriter *self, GError **error)
{
  RoastDatabase *database = self->file->database;

  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastTableInfo *info = roast_table_get_info (roast_stored_table_get_table (g_ptr_array_index (self->tables, i)));
      g_autofree char *key = g_strconcat (ROAST_STORE_META_ROWS, roast_table_info_get_name (info), NULL);
      g_autofree char *name = roast_store_sql_dup_name (info);
      g_autofree char *sql = NULL;

      if (roast_table_info_get_storage (info) == ROAST_TABLE_STORAGE_ROWS)
        sql = g_strdup_printf ("INSERT OR REPLACE INTO meta SELECT ?, count (*) FROM %s", name);
      else
        sql = g_strdup ("INSERT OR REPLACE INTO meta SELECT ?, coalesce (sum (n), 0) FROM block WHERE \"table\" = ?"
                        " AND \"column\" = 0 AND level = 0");
      if (!roast_database_run (database, roast_database_query (database, error, sql, "si", key, (gint64) i + 1), error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
write_all (RoastStoreWriter *self, gint64 reach, RoastStoreEnd *end, GError **error)
{
  if (!self->is_laid_out && !roast_store_layout_create (self->file->database, error))
    return FALSE;
  if (!write_all_meta (self, error) ||
      !write_meta (self, ROAST_STORE_META_STATE, end != NULL ? "closed" : "growing", error))
    return FALSE;
  if (self->recording == NULL)
    return TRUE;
  if (!self->has_schema && !write_schema (self, error))
    return FALSE;
  if (!write_metadata (self, error))
    return FALSE;
  if (!write_tables (self, end, error))
    return FALSE;
  if (end != NULL && !write_counts (self, error))
    return FALSE;
  if (end != NULL)
    roast_store_set_missing_since (self, end->missing_since);
  if (!write_missing (self, error))
    return FALSE;

  return write_time (self, ROAST_STORE_META_REACH, reach, error);
}

static void
undo (RoastStoreWriter *self)
{
  roast_database_exec (self->file->database, "ROLLBACK", NULL);
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_rollback (g_ptr_array_index (self->tables, i));
  g_hash_table_remove_all (self->written);
}

gboolean
roast_store_transact (RoastStoreWriter *self, RoastTableFullFunc full, RoastStoreEnd *end, GError **error)
{
  RoastDatabase *database = self->file->database;
  gint64 reach = g_get_real_time ();

  g_atomic_pointer_set (&self->n_full, 0);
  if (self->recording != NULL)
    add_tables (self, full);
  if (!roast_database_exec (database, "BEGIN IMMEDIATE", error) || !write_all (self, reach, end, error) ||
      !roast_database_exec (database, "COMMIT", error))
    {
      undo (self);
      return FALSE;
    }
  self->is_laid_out = TRUE;
  self->has_schema = self->recording != NULL;
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_commit (g_ptr_array_index (self->tables, i));
  g_mutex_lock (&self->mutex);
  self->reach = self->recording != NULL ? reach : -1;
  g_mutex_unlock (&self->mutex);

  return TRUE;
}
