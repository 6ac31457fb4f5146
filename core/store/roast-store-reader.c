/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-reader-private.h"

#include <string.h>

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-table-reader-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"
#include "table/roast-schema-private.h"

/* A request to the store's thread. */
typedef struct
{
  RoastStoreSource source;
  RoastDatabase *database;
  GPtrArray *lacking;
  gboolean is_written; /* another process writes the file */
  gboolean is_created; /* the file has SQL tables */
  GPtrArray *problems; /* messages about damage */
} Request;

/* Note the damage that @local describes, so that reading can continue and the recording gets the undamaged parts.
 * @table: the damaged table, or NULL for all tables. Return FALSE if @local is not an error of damage. */
static gboolean
note_damage (Request *request, const char *what, const char *table, GError *local, GError **error)
{
  if (!g_error_matches (local, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_ptr_array_add (request->problems, g_strdup_printf ("%s cannot be read completely: %s", what, local->message));
  roast_recording_add_gap (request->source.recording, table, -1, FALSE, ROAST_STORE_GAP_DAMAGE);
  g_error_free (local);

  return TRUE;
}

/* ---- the file as a whole ---- */

static gboolean
read_meta (RoastDatabase *database, GHashTable *meta, GError **error)
{
  sqlite3_stmt *statement = roast_database_query (database, error, "SELECT key, value FROM meta", "");
  int result = 0;

  while ((result = roast_database_step (database, statement, error)) > 0)
    {
      char *key = roast_database_dup_text (statement, 0);

      if (key != NULL)
        g_hash_table_insert (meta, key, roast_database_dup_text (statement, 1));
    }

  return result == 0;
}

static gboolean
store_reader_open_file (gpointer data, GError **error)
{
  Request *request = data;
  const char *path = request->source.file->path;
  g_autoptr (RoastDatabase) database = roast_database_open (path, request->is_written, error);

  if (database == NULL || (roast_store_layout_is_created (database, path, request->is_written) &&
                           !read_meta (database, request->source.meta, error)))
    return FALSE;
  roast_store_file_take_database (request->source.file, g_steal_pointer (&database));

  return TRUE;
}

gboolean
roast_store_reader_open (RoastStoreFile *file, gboolean is_written, GHashTable *meta, GError **error)
{
  Request request = { .source = { .file = file, .meta = meta }, .is_written = is_written };

  return roast_store_thread_call (store_reader_open_file, &request, error);
}

/* Read the schema texts of the file. Skip the invalid texts of plugins. The writer may have copied such a text without
 * reading it, but the file cannot have rows of the tables that the text declares. */
static RoastSchema *
read_schema (Request *request, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_query (request->database, error, "SELECT origin, text FROM schema ORDER BY rowid", "");
  g_autoptr (RoastSchema) schema = roast_schema_new_empty ();
  int result = 0;

  while ((result = roast_database_step (request->database, statement, error)) > 0)
    {
      g_autofree char *origin = roast_database_dup_text (statement, 0);
      char *text = roast_database_dup_text (statement, 1);
      g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new_take (text, strlen (text)) : g_bytes_new (NULL, 0);
      g_autoptr (GError) local = NULL;

      if (roast_schema_load_recorded (schema, bytes, origin != NULL ? origin : "a schema", &local))
        continue;
      g_debug ("left out a part of the file: %s", local->message);
      if (g_strcmp0 (origin, ROAST_SCHEMA_ORIGIN_CORE) == 0)
        {
          sqlite3_reset (statement);
          roast_store_file_fail (request->source.file, error, local->message);
          return NULL;
        }
    }

  return result == 0 ? g_steal_pointer (&schema) : NULL;
}

static gboolean
read_metadata (Request *request, GError **error)
{
  GError *local = NULL;
  sqlite3_stmt *statement = roast_database_query (request->database, &local, "SELECT key, value FROM metadata", "");

  while (roast_database_step (request->database, statement, &local) > 0)
    {
      g_autofree char *key = roast_database_dup_text (statement, 0);
      g_autofree char *text = roast_database_dup_text (statement, 1);
      GVariant *value = text != NULL ? g_variant_parse (NULL, text, NULL, NULL, NULL) : NULL;

      if (key == NULL || value == NULL)
        {
          sqlite3_reset (statement);
          roast_store_file_fail (request->source.file, &local, "a metadata value is not valid GVariant text");
          break;
        }
      roast_recording_set_metadata (request->source.recording, key, value);
      g_variant_unref (value);
    }

  return local == NULL || note_damage (request, "metadata", NULL, local, error);
}

/* ---- the recording ---- */

static gboolean
store_reader_read_table (Request *request, sqlite3_stmt *statement, GError **error)
{
  g_autofree char *name = roast_database_dup_text (statement, 1);
  g_autofree char *storage = roast_database_dup_text (statement, 2);
  g_autofree char *what = g_strdup_printf ("table “%s”", name != NULL ? name : "");
  GError *local = NULL;

  return roast_store_table_reader_read (&request->source, sqlite3_column_int64 (statement, 0), name,
                                        g_strcmp0 (storage, "rows") == 0, &local) ||
         note_damage (request, what, name, local, error);
}

static gboolean
read_tables (Request *request, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_query (request->database, error, "SELECT id, name, storage FROM tables ORDER BY id", "");
  gboolean good = TRUE;
  int result = 0;

  while (good && (result = roast_database_step (request->database, statement, error)) > 0)
    good = store_reader_read_table (request, statement, error);
  if (statement != NULL)
    sqlite3_reset (statement);

  return good && result == 0;
}

static gboolean
read_all (Request *request, GError **error)
{
  RoastStoreSource *source = &request->source;
  g_autoptr (RoastSchema) schema = NULL;
  g_autoptr (RoastSchema) complete = NULL;

  /* Return a recording without rows if the run has only just begun, so that its file has no SQL tables yet. */
  if (!request->is_created)
    {
      request->lacking = g_ptr_array_new ();
      source->recording = roast_recording_new (NULL);
      return TRUE;
    }
  source->schema = schema = read_meta (request->database, source->meta, error) ? read_schema (request, error) : NULL;
  if (schema == NULL)
    return FALSE;
  complete = roast_schema_copy (schema);
  request->lacking = roast_schema_complete (complete);
  source->recording = roast_recording_new (complete);

  return read_metadata (request, error) && read_tables (request, error);
}

static gboolean
store_reader_read_file (gpointer data, GError **error)
{
  Request *request = data;
  RoastStoreFile *file = request->source.file;
  gboolean good = FALSE;

  request->database = file->database;
  request->is_created = roast_store_layout_is_created (request->database, file->path, request->is_written);
  if (!roast_database_exec (request->database, "BEGIN", error))
    return FALSE;
  g_hash_table_remove_all (request->source.meta);
  good = read_all (request, error);
  roast_database_exec (request->database, "ROLLBACK", NULL);

  return good;
}

RoastRecording *
roast_store_reader_read (RoastStoreFile *file, gboolean is_written, gboolean check_blocks, GHashTable *meta,
                         GPtrArray *problems, GPtrArray **lacking, GError **error)
{
  Request request = { .source = { .file = file, .meta = meta, .check_blocks = check_blocks },
                      .is_written = is_written,
                      .problems = problems };

  if (!roast_store_thread_call (store_reader_read_file, &request, error))
    g_clear_object (&request.source.recording);
  *lacking = request.lacking;

  return request.source.recording;
}
