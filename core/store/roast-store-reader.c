/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-reader-private.h"

#include <string.h>

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-table-reader-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"
#include "table/roast-schema-private.h"

/* Something that is done in the store's thread. */
typedef struct
{
  RoastStoreFile *file;
  RoastDatabase *database;
  GHashTable *meta;
  RoastRecording *recording;
  GPtrArray *lacking;
  gboolean is_written; /* by another process */
  gboolean is_created; /* has tables */
  GPtrArray *problems; /* texts about what is damaged */
  GError *error;
} Request;

/* The recording has what is sound. FALSE if it is another error. */
static gboolean
note_damage (Request *request, const char *what, GError *local, GError **error)
{
  if (!g_error_matches (local, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_ptr_array_add (request->problems, g_strdup_printf ("%s cannot be read completely: %s", what, local->message));
  g_error_free (local);

  return TRUE;
}

/* ---- the file as a whole ---- */

static gboolean
read_meta (RoastDatabase *database, GHashTable *meta, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (database, "SELECT key, value FROM meta", error);
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (roast_database_next (database, statement, &local))
    {
      char *key = roast_database_dup_text (statement, 0);

      if (key != NULL)
        g_hash_table_insert (meta, key, roast_database_dup_text (statement, 1));
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);

  return FALSE;
}

static void
open_file (gpointer data)
{
  Request *request = data;
  const char *path = roast_store_file_get_path (request->file);
  g_autoptr (RoastDatabase) database = roast_database_open (path, request->is_written, &request->error);

  if (database == NULL || (roast_store_layout_is_created (database, path, request->is_written) &&
                           !read_meta (database, request->meta, &request->error)))
    return;
  roast_store_file_take_database (request->file, g_steal_pointer (&database));
}

gboolean
roast_store_reader_open (RoastStoreFile *file, gboolean is_written, GHashTable *meta, GError **error)
{
  Request request = { .file = file, .meta = meta, .is_written = is_written };

  roast_store_thread_call (open_file, &request);
  if (request.error == NULL)
    return TRUE;
  g_propagate_error (error, request.error);

  return FALSE;
}

static RoastSchema *
read_schema (Request *request, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_prepare (request->database, "SELECT origin, text FROM schema ORDER BY rowid", error);
  g_autoptr (RoastSchema) schema = roast_schema_new_empty ();
  GError *local = NULL;

  if (statement == NULL)
    return NULL;
  while (roast_database_next (request->database, statement, &local))
    {
      g_autofree char *origin = roast_database_dup_text (statement, 0);
      char *text = roast_database_dup_text (statement, 1);
      g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new_take (text, strlen (text)) : g_bytes_new (NULL, 0);

      if (!roast_schema_load_data (schema, bytes, origin != NULL ? origin : "a schema", &local))
        {
          g_autofree char *message = g_strdup (local->message);

          g_clear_error (&local);
          sqlite3_reset (statement);
          roast_store_file_fail (request->file, error, message);
          return NULL;
        }
    }
  if (local == NULL)
    return g_steal_pointer (&schema);
  g_propagate_error (error, local);

  return NULL;
}

static gboolean
read_metadata (Request *request, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (request->database, "SELECT key, value FROM metadata", error);
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (roast_database_next (request->database, statement, &local))
    {
      g_autofree char *key = roast_database_dup_text (statement, 0);
      g_autofree char *text = roast_database_dup_text (statement, 1);
      GVariant *value = text != NULL ? g_variant_parse (NULL, text, NULL, NULL, NULL) : NULL;

      if (key == NULL || value == NULL)
        {
          sqlite3_reset (statement);
          roast_store_file_fail (request->file, &local, "a value is not text of GVariant");
          break;
        }
      roast_recording_set_metadata (request->recording, key, value);
      g_variant_unref (value);
    }

  return local == NULL || note_damage (request, "metadata", local, error);
}

/* ---- the recording ---- */

static gboolean
read_table (Request *request, RoastSchema *schema, sqlite3_stmt *statement, GError **error)
{
  g_autofree char *name = roast_database_dup_text (statement, 1);
  g_autofree char *storage = roast_database_dup_text (statement, 2);
  g_autofree char *what = g_strdup_printf ("table “%s”", name != NULL ? name : "");
  GError *local = NULL;

  return roast_store_table_reader_read (request->file, request->recording, schema, sqlite3_column_int64 (statement, 0),
                                        name, g_strcmp0 (storage, "rows") == 0, &local) ||
         note_damage (request, what, local, error);
}

static gboolean
read_tables (Request *request, RoastSchema *schema, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_prepare (request->database, "SELECT id, name, storage FROM tables ORDER BY id", error);
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (good && roast_database_next (request->database, statement, &local))
    good = read_table (request, schema, statement, &local);
  sqlite3_reset (statement);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);

  return FALSE;
}

static gboolean
read_recording (Request *request, GError **error)
{
  g_autoptr (RoastSchema) schema = read_schema (request, error);
  g_autoptr (RoastSchema) complete = NULL;

  if (schema == NULL)
    return FALSE;
  complete = roast_schema_copy (schema);
  request->lacking = roast_schema_complete (complete);
  request->recording = roast_recording_new (complete);

  return read_metadata (request, error) && read_tables (request, schema, error);
}

static gboolean
read_all (Request *request, GError **error)
{
  /* Of a run that has only begun. */
  if (!request->is_created)
    {
      request->lacking = g_ptr_array_new ();
      request->recording = roast_recording_new (NULL);
      return TRUE;
    }

  return read_meta (request->database, request->meta, error) && read_recording (request, error);
}

static void
read_file (gpointer data)
{
  Request *request = data;

  request->database = roast_store_file_get_database (request->file);
  request->is_created =
      roast_store_layout_is_created (request->database, roast_store_file_get_path (request->file), request->is_written);
  if (roast_database_exec (request->database, "BEGIN", &request->error))
    {
      g_hash_table_remove_all (request->meta);
      if (!read_all (request, &request->error))
        g_clear_object (&request->recording);
      roast_database_exec (request->database, "ROLLBACK", NULL);
    }
}

RoastRecording *
roast_store_reader_read (RoastStoreFile *file, gboolean is_written, GHashTable *meta, GPtrArray *problems,
                         GPtrArray **lacking, GError **error)
{
  Request request = { .file = file, .meta = meta, .is_written = is_written, .problems = problems };

  roast_store_thread_call (read_file, &request);
  if (request.error != NULL)
    g_propagate_error (error, request.error);
  *lacking = request.lacking;

  return request.recording;
}
