/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-reader-private.h"

#include <string.h>

#include "recording/roast-recording-private.h"
#include "roast-store-codec-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-rows-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"
#include "table/roast-schema-private.h"
#include "table/roast-table-follow-private.h"

#define CHUNK_ROWS 4096
#define MAX_OPEN ((gsize) 1 << 30) /* bytes of open rows in one place */

/* Something that is done in the store's thread. */
typedef struct
{
  RoastStoreFile *file;
  RoastDatabase *database;
  GHashTable *meta;
  RoastRecording *recording;
  GError *error;
} Request;

static gboolean
damaged (RoastStoreFile *file, GError **error, const char *what)
{
  if (error != NULL && *error == NULL)
    g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, "%s is damaged: %s",
                 roast_store_file_get_path (file), what);

  return FALSE;
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
  g_autoptr (RoastDatabase) database = roast_database_open (path, &request->error);

  if (database == NULL || !roast_store_layout_check (database, path, &request->error) ||
      !read_meta (database, request->meta, &request->error))
    return;
  roast_store_file_take_database (request->file, g_steal_pointer (&database));
}

gboolean
roast_store_reader_open (RoastStoreFile *file, GHashTable *meta, GError **error)
{
  Request request = { .file = file, .meta = meta };

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
          damaged (request->file, error, message);
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
          return damaged (request->file, error, "metadata of the recording cannot be read");
        }
      roast_recording_set_metadata (request->recording, key, value);
      g_variant_unref (value);
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);

  return FALSE;
}

/* ---- a table ---- */

typedef struct
{
  Request *request;
  gint64 id;
  gboolean by_rows;
  RoastTable *table;
  RoastTableInfo *info;
  guint n_columns;
} TableReader;

static sqlite3_stmt *
select_of (TableReader *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (self->request->database, sql, error);

  if (statement != NULL)
    sqlite3_bind_int64 (statement, 1, self->id);

  return statement;
}

/* Whether a statement ended, and was not broken off. */
static gboolean
ended (TableReader *self, sqlite3_stmt *statement, GError *local, const char *what, GError **error)
{
  sqlite3_reset (statement);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }

  return what == NULL || damaged (self->request->file, error, what);
}

/* The columns of a table are those that the schema in the file declares. */
static gboolean
check_columns (TableReader *self, GError **error)
{
  sqlite3_stmt *statement =
      select_of (self, "SELECT \"column\", name FROM columns WHERE \"table\" = ? ORDER BY \"column\"", error);
  guint n = 0;
  gboolean same = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (same && roast_database_next (self->request->database, statement, &local))
    {
      g_autofree char *name = roast_database_dup_text (statement, 1);

      same = sqlite3_column_int64 (statement, 0) == n && n < self->n_columns &&
             g_strcmp0 (name, roast_column_get_name (roast_table_info_get_column (self->info, n))) == 0;
      n++;
    }

  return ended (self, statement, local,
                same && n == self->n_columns ? NULL : "the columns of a table are not in its schema", error);
}

static gboolean
is_category (TableReader *self, gint64 column)
{
  return column >= 0 && column < self->n_columns &&
         roast_column_get_column_type (roast_table_info_get_column (self->info, (guint) column)) ==
             ROAST_COLUMN_TYPE_CATEGORY;
}

static gboolean
read_dictionaries (TableReader *self, GError **error)
{
  sqlite3_stmt *statement =
      select_of (self, "SELECT \"column\", code, text FROM dictionary WHERE \"table\" = ? ORDER BY \"column\", code",
                 error);
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (good && roast_database_next (self->request->database, statement, &local))
    {
      gint64 column = sqlite3_column_int64 (statement, 0);
      g_autofree char *text = roast_database_dup_text (statement, 2);

      good = text != NULL && is_category (self, column) &&
             roast_table_encode (self->table, (guint) column, text) == sqlite3_column_int64 (statement, 1);
    }

  return ended (self, statement, local, good ? NULL : "a dictionary cannot be read", error);
}

/* Rows that are read one by one, in chunks. */
typedef struct
{
  TableReader *reader;
  RoastChunk *chunk;
  guint n_rows;
} Filler;

static void
finish_chunk (Filler *self)
{
  if (self->chunk == NULL)
    return;
  roast_table_append_chunk (self->reader->table, self->chunk, self->n_rows);
  g_clear_pointer (&self->chunk, roast_chunk_unref);
}

static guint
next_row (Filler *self)
{
  if (self->chunk != NULL && self->n_rows == CHUNK_ROWS)
    finish_chunk (self);
  if (self->chunk == NULL)
    {
      self->chunk = roast_chunk_new (CHUNK_ROWS, self->reader->info);
      self->n_rows = 0;
    }

  return self->n_rows++;
}

/* ---- a table of blocks ---- */

/* The bytes of open rows, and the rows in them by number. */
static gboolean
read_open_rows (TableReader *self, GPtrArray *packets, GArray *rows, GError **error)
{
  sqlite3_stmt *statement = select_of (self, "SELECT data FROM open_row WHERE \"table\" = ? ORDER BY id", error);
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (good && roast_database_next (self->request->database, statement, &local))
    {
      GBytes *bytes =
          roast_decompress (sqlite3_column_blob (statement, 0), (gsize) sqlite3_column_bytes (statement, 0), MAX_OPEN);

      good = bytes != NULL && roast_store_rows_parse (self->info, bytes, rows);
      if (bytes != NULL)
        g_ptr_array_add (packets, bytes);
    }
  roast_store_rows_sort (rows);

  return ended (self, statement, local, good ? NULL : "rows that were open cannot be read", error);
}

/* Open rows up to a row that is in a block. */
static void
put_open_rows (TableReader *self, GArray *rows, guint *next, guint64 end)
{
  Filler filler = { .reader = self };

  for (; *next < rows->len && g_array_index (rows, RoastStoreRow, *next).row < end; (*next)++)
    {
      guint in_chunk = next_row (&filler);

      roast_store_row_put (&g_array_index (rows, RoastStoreRow, *next), self->info, filler.chunk, in_chunk);
    }
  finish_chunk (&filler);
}

/* What was open when it was written, and is in a block since then. */
static void
skip_open_rows (GArray *rows, guint *next, guint64 end)
{
  while (*next < rows->len && g_array_index (rows, RoastStoreRow, *next).row < end)
    (*next)++;
}

static gboolean
read_blocks (TableReader *self, GArray *rows, GError **error)
{
  g_autoptr (RoastStoreTable) store = roast_store_table_new (self->request->file, self->id, self->info);
  sqlite3_stmt *statement =
      select_of (self, "SELECT seq, n FROM block WHERE \"table\" = ? AND \"column\" = 0 AND level = 0 ORDER BY seq",
                 error);
  guint64 end = 0;
  guint next = 0;
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (good && roast_database_next (self->request->database, statement, &local))
    {
      gint64 first = sqlite3_column_int64 (statement, 0);
      gint64 n = sqlite3_column_int64 (statement, 1);
      RoastChunk *chunk = NULL;

      good = first >= 0 && (guint64) first >= end && n > 0 && n <= ROAST_STORE_MAX_ROWS && first < G_MAXINT64 - n;
      if (!good)
        break;
      put_open_rows (self, rows, &next, (guint64) first);
      end = (guint64) (first + n);
      chunk = roast_store_table_new_chunk (store, (guint64) first, (guint) n);
      roast_table_append_chunk (self->table, chunk, (guint) n);
      roast_chunk_unref (chunk);
      skip_open_rows (rows, &next, end);
    }
  if (good && local == NULL)
    put_open_rows (self, rows, &next, G_MAXUINT64);

  return ended (self, statement, local, good ? NULL : "the list of blocks of a table cannot be read", error);
}

static gboolean
read_block_table (TableReader *self, GError **error)
{
  g_autoptr (GPtrArray) packets = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (RoastStoreRow));

  return read_open_rows (self, packets, rows, error) && read_blocks (self, rows, error);
}

/* ---- a table of rows ---- */

static void
take_cell (TableReader *self, sqlite3_stmt *statement, guint column, RoastChunk *chunk, guint in_chunk)
{
  int at = (int) column + 1;
  RoastCell cell = { 0 };
  g_autofree char *text = NULL;

  if (sqlite3_column_type (statement, at) == SQLITE_NULL)
    return;
  switch (roast_column_get_column_type (roast_table_info_get_column (self->info, column)))
    {
    case ROAST_COLUMN_TYPE_INT64:
      cell.int64 = sqlite3_column_int64 (statement, at);
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      cell.real = sqlite3_column_double (statement, at);
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      cell.boolean = sqlite3_column_int64 (statement, at) != 0;
      break;
    case ROAST_COLUMN_TYPE_CATEGORY:
      text = roast_database_dup_text (statement, at);
      cell.code = roast_table_encode (self->table, column, text != NULL ? text : "");
      break;
    case ROAST_COLUMN_TYPE_STRING:
    default:
      text = roast_database_dup_text (statement, at);
      cell.string = text != NULL ? text : "";
      break;
    }
  roast_chunk_set (chunk, in_chunk, column, cell);
}

static gboolean
read_row_table (TableReader *self, GError **error)
{
  g_autofree char *name = g_strconcat ("rows_", roast_table_info_get_name (self->info), NULL);
  g_autofree char *quoted = roast_database_quote (name);
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s ORDER BY row", quoted);
  sqlite3_stmt *statement = roast_database_prepare (self->request->database, sql, error);
  Filler filler = { .reader = self };
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  good = sqlite3_column_count (statement) == (int) self->n_columns + 1;
  while (good && roast_database_next (self->request->database, statement, &local))
    {
      guint in_chunk = next_row (&filler);

      for (guint i = 0; i < self->n_columns; i++)
        take_cell (self, statement, i, filler.chunk, in_chunk);
    }
  finish_chunk (&filler);

  return ended (self, statement, local, good ? NULL : "the columns of a table are not in its schema", error);
}

/* ---- the recording ---- */

static gboolean
read_table (Request *request, gint64 id, const char *name, gboolean by_rows, GError **error)
{
  TableReader reader = { .request = request, .id = id };
  RoastTableInfo *info =
      name != NULL ? roast_schema_lookup_table (roast_recording_get_schema (request->recording), name) : NULL;

  if (info == NULL || roast_table_info_get_origin (info) != ROAST_TABLE_ORIGIN_MEASURED)
    return damaged (request->file, error, "a table is not in its schema");
  reader.info = info;
  reader.n_columns = roast_table_info_get_n_columns (info);
  reader.table = roast_recording_get_table (request->recording, name);

  return check_columns (&reader, error) && read_dictionaries (&reader, error) &&
         (by_rows ? read_row_table (&reader, error) : read_block_table (&reader, error));
}

static gboolean
read_tables (Request *request, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_prepare (request->database, "SELECT id, name, storage FROM tables ORDER BY id", error);
  gboolean good = TRUE;
  GError *local = NULL;

  if (statement == NULL)
    return FALSE;
  while (good && roast_database_next (request->database, statement, &local))
    {
      g_autofree char *name = roast_database_dup_text (statement, 1);
      g_autofree char *storage = roast_database_dup_text (statement, 2);

      good = read_table (request, sqlite3_column_int64 (statement, 0), name, g_strcmp0 (storage, "rows") == 0, &local);
    }
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

  if (schema == NULL)
    return FALSE;
  request->recording = roast_recording_new (schema);

  return read_metadata (request, error) && read_tables (request, error);
}

static void
read_file (gpointer data)
{
  Request *request = data;

  request->database = roast_store_file_get_database (request->file);
  if (roast_database_exec (request->database, "BEGIN", &request->error))
    {
      g_hash_table_remove_all (request->meta);
      if (!read_meta (request->database, request->meta, &request->error) || !read_recording (request, &request->error))
        g_clear_object (&request->recording);
      roast_database_exec (request->database, "ROLLBACK", NULL);
    }
}

RoastRecording *
roast_store_reader_read (RoastStoreFile *file, GHashTable *meta, GError **error)
{
  Request request = { .file = file, .meta = meta };

  roast_store_thread_call (read_file, &request);
  if (request.error != NULL)
    g_propagate_error (error, request.error);

  return request.recording;
}
