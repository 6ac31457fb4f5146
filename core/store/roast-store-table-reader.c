/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-table-reader-private.h"

#include "recording/roast-recording-private.h"
#include "roast-store-block-list-private.h"
#include "roast-store-codec-private.h"
#include "roast-store-rows-private.h"
#include "table/roast-table-follow-private.h"

#define CHUNK_ROWS 4096
#define MAX_OPEN ((gsize) 1 << 30) /* bytes of open rows in one place */

typedef struct
{
  RoastStoreFile *file;
  RoastDatabase *database;
  gint64 id;
  gboolean by_rows;
  RoastTable *table;
  RoastTableInfo *info;
  guint n_columns; /* in the file: an older one lacks the last columns of the table */
  guint *n_texts;  /* by column of the table, of its dictionary */
} TableReader;

static sqlite3_stmt *
select_of (TableReader *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = roast_database_prepare (self->database, sql, error);

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

  return what == NULL || roast_store_file_fail (self->file, error, what);
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
  while (same && roast_database_next (self->database, statement, &local))
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
  while (good && roast_database_next (self->database, statement, &local))
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
  while (good && roast_database_next (self->database, statement, &local))
    {
      GBytes *bytes =
          roast_decoder_decompress (roast_store_file_get_decoder (self->file), sqlite3_column_blob (statement, 0),
                                    (gsize) sqlite3_column_bytes (statement, 0), MAX_OPEN);

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

      roast_store_row_put (&g_array_index (rows, RoastStoreRow, *next), self->info, self->n_texts, filler.chunk,
                           in_chunk);
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

static void
put_block (TableReader *self, RoastStoreTable *store, const RoastBlockPlace *place)
{
  RoastChunk *chunk = roast_store_table_new_chunk (store, place->first_row, place->n_rows);

  roast_table_append_chunk (self->table, chunk, place->n_rows);
  roast_chunk_unref (chunk);
}

static gboolean
read_blocks (TableReader *self, GArray *rows, GError **error)
{
  g_autoptr (RoastStoreTable) store = roast_store_table_new (self->file, self->id, self->info, self->n_columns);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (RoastBlockPlace));
  gboolean good = roast_block_list_read (self->file, self->id, self->n_columns, places, error);
  guint next = 0;

  roast_store_table_set_n_texts (store, self->n_texts);
  for (guint i = 0; i < places->len; i++)
    {
      const RoastBlockPlace *place = &g_array_index (places, RoastBlockPlace, i);

      put_open_rows (self, rows, &next, place->first_row);
      put_block (self, store, place);
      skip_open_rows (rows, &next, place->first_row + place->n_rows);
    }
  put_open_rows (self, rows, &next, G_MAXUINT64);

  return good;
}

static gboolean
read_block_table (TableReader *self, GError **error)
{
  g_autofree guint *n_texts = g_new0 (guint, roast_table_info_get_n_columns (self->info) + 1);
  g_autoptr (GPtrArray) packets = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (RoastStoreRow));

  gboolean good = FALSE;

  for (guint i = 0; i < self->n_columns; i++)
    n_texts[i] = is_category (self, i) ? (guint) roast_table_get_n_texts (self->table, i) : 0;
  self->n_texts = n_texts;
  good = read_open_rows (self, packets, rows, error);
  /* With an error, too: what is sound is there. */
  return read_blocks (self, rows, good ? error : NULL) && good;
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

/* Rows from @start on; @next is the one behind the last that was read. */
static gboolean
read_rows_from (TableReader *self, Filler *filler, const char *quoted, gint64 start, gint64 *next, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s WHERE row >= ? ORDER BY row", quoted);
  sqlite3_stmt *statement = roast_database_prepare (self->database, sql, error);
  gboolean good = TRUE;
  GError *local = NULL;

  *next = start;
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, start);
  good = sqlite3_column_count (statement) == (int) self->n_columns + 1;
  while (good && roast_database_next (self->database, statement, &local))
    {
      guint in_chunk = next_row (filler);

      for (guint i = 0; i < self->n_columns; i++)
        take_cell (self, statement, i, filler->chunk, in_chunk);
      *next = sqlite3_column_int64 (statement, 0) + 1;
    }

  return ended (self, statement, local, good ? NULL : "the columns of a table are not in its schema", error);
}

/* The first row behind a damaged place, found from the end; -1 if there is none. */
static gint64
find_row_behind (TableReader *self, const char *quoted, gint64 start)
{
  g_autofree char *sql = g_strdup_printf ("SELECT row FROM %s WHERE row > ? ORDER BY row DESC", quoted);
  sqlite3_stmt *statement = roast_database_prepare (self->database, sql, NULL);
  g_autoptr (GError) error = NULL;
  gint64 row = -1;

  if (statement == NULL)
    return -1;
  sqlite3_bind_int64 (statement, 1, start);
  while (roast_database_next (self->database, statement, &error))
    row = sqlite3_column_int64 (statement, 0);

  return row;
}

static gboolean
read_row_table (TableReader *self, GError **error)
{
  g_autofree char *name = g_strconcat ("rows_", roast_table_info_get_name (self->info), NULL);
  g_autofree char *quoted = roast_database_quote (name);
  Filler filler = { .reader = self };
  gint64 next = 0;
  gboolean good = read_rows_from (self, &filler, quoted, 0, &next, error);
  gint64 behind = good ? -1 : find_row_behind (self, quoted, next);

  if (behind >= 0)
    read_rows_from (self, &filler, quoted, behind, &next, NULL);
  finish_chunk (&filler);

  return good;
}

gboolean
roast_store_table_reader_read (RoastStoreFile *file, RoastRecording *recording, RoastSchema *schema, gint64 id,
                               const char *name, gboolean by_rows, GError **error)
{
  TableReader reader = { .file = file, .database = roast_store_file_get_database (file), .id = id };
  RoastTableInfo *declared = name != NULL ? roast_schema_lookup_table (schema, name) : NULL;
  gboolean good = TRUE;

  if (declared == NULL || roast_table_info_get_origin (declared) != ROAST_TABLE_ORIGIN_MEASURED)
    return roast_store_file_fail (file, error, "a table is not in its schema");
  reader.info = roast_schema_lookup_table (roast_recording_get_schema (recording), name);
  reader.n_columns = roast_table_info_get_n_columns (declared);
  reader.table = roast_recording_get_table (recording, name);

  if (!check_columns (&reader, error))
    return FALSE;
  good = read_dictionaries (&reader, error);
  /* With an error, too: what is sound is there. */
  if (by_rows)
    return read_row_table (&reader, good ? error : NULL) && good;

  return read_block_table (&reader, good ? error : NULL) && good;
}
