/* SPDX-License-Identifier: BSD-3-Clause */

/* What a run file says of itself: metadata and schemas. */

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-writing-private.h"
#include "table/roast-schema-private.h"

static gboolean
write_pair (RoastStoreWriter *self, const char *sql, const char *key, const char *value, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (self->file);
  sqlite3_stmt *statement = roast_database_prepare (database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, key, -1, SQLITE_TRANSIENT);
  if (value != NULL)
    sqlite3_bind_text (statement, 2, value, -1, SQLITE_TRANSIENT);

  return roast_database_run (database, statement, error);
}

gboolean
roast_store_write_meta (RoastStoreWriter *self, const char *key, const char *value, GError **error)
{
  return write_pair (self, value != NULL ? ROAST_STORE_SET_META : ROAST_STORE_REMOVE_META, key, value, error);
}

gboolean
roast_store_write_time (RoastStoreWriter *self, const char *key, gint64 time, GError **error)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, time);

  return roast_store_write_meta (self, key, value, error);
}

gboolean
roast_store_write_all_meta (RoastStoreWriter *self, GHashTable *meta, GError **error)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, meta);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!roast_store_write_meta (self, key, value, error))
      return FALSE;

  return TRUE;
}

gboolean
roast_store_write_metadata (RoastStoreWriter *self, GHashTable *written, GError **error)
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
      if (!write_pair (self, ROAST_STORE_SET_METADATA, key, text, error))
        {
          g_variant_unref (value);
          return FALSE;
        }
      g_hash_table_insert (written, g_strdup (key), g_steal_pointer (&text));
    }

  return TRUE;
}

gboolean
roast_store_write_schema (RoastStoreWriter *self, GError **error)
{
  GPtrArray *texts = roast_schema_get_texts (roast_recording_get_schema (self->recording));

  for (guint i = 0; i < texts->len; i++)
    {
      const RoastSchemaText *text = g_ptr_array_index (texts, i);
      gsize size = 0;
      const char *data = g_bytes_get_data (text->data, &size);
      g_autofree char *copy = g_strndup (data, size);

      if (!write_pair (self, "INSERT INTO schema VALUES (?, ?)", text->origin, copy, error))
        return FALSE;
    }

  return TRUE;
}
