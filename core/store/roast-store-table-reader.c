/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-table-reader-private.h"

#include "recording/roast-recording-private.h"
#include "roast-store-blocks-private.h"
#include "roast-store-codec-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-rows-private.h"
#include "roast-store-sql-private.h"
#include "table/roast-table-follow-private.h"

#define CHUNK_ROWS 4096
#define MAX_OPEN ((gsize) 1 << 30) /* maximum number of decompressed bytes in one row of the SQL table open_row */

typedef struct
{
  const RoastStoreSource *source;
  RoastDatabase *database;
  gint64 id;
  RoastTable *table;
  RoastTableInfo *info;
  guint n_columns; /* number of columns in the file; older files lack the last columns of the table */
  guint *n_texts;  /* number of texts in the dictionary of each column */
  guint64 n_rows;  /* number of rows read so far */
  gboolean has_gap;
} TableReader;

static gboolean
store_table_reader_fail (TableReader *self, GError **error, const char *what)
{
  return roast_store_file_fail (self->source->file, error, what);
}

/* Reset a statement. Return TRUE if all its rows were read and @what is NULL, otherwise FALSE with an error. @result:
 * result of the last step. @what: the problem that made the caller stop before the last row, or NULL. */
static gboolean
ended (TableReader *self, sqlite3_stmt *statement, int result, const char *what, GError **error)
{
  if (statement != NULL)
    sqlite3_reset (statement);

  return result >= 0 && (what == NULL || store_table_reader_fail (self, error, what));
}

/* Check that the columns of a table match the declaration in the file's schema. */
static gboolean
check_columns (TableReader *self, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_query (self->database, error,
                            "SELECT \"column\", name FROM columns WHERE \"table\" = ? ORDER BY \"column\"", "i",
                            self->id);
  guint n = 0;
  gboolean same = TRUE;
  int result = 0;

  while (same && (result = roast_database_step (self->database, statement, error)) > 0)
    {
      g_autofree char *name = roast_database_dup_text (statement, 1);

      same = sqlite3_column_int64 (statement, 0) == n && n < self->n_columns &&
             g_strcmp0 (name, roast_column_get_name (roast_table_info_get_column (self->info, n))) == 0;
      n++;
    }

  return ended (self, statement, result,
                same && n == self->n_columns ? NULL : "the columns of a table differ from the schema of the file",
                error);
}

static gboolean
is_category (TableReader *self, gint64 column)
{
  return column >= 0 && column < self->n_columns &&
         roast_table_info_type_of (self->info, (guint) column) == ROAST_COLUMN_TYPE_CATEGORY;
}

static gboolean
read_dictionaries (TableReader *self, GError **error)
{
  sqlite3_stmt *statement = roast_database_query (self->database, error,
                                                  "SELECT \"column\", code, text FROM dictionary WHERE \"table\" = ? "
                                                  "ORDER BY \"column\", code",
                                                  "i", self->id);
  gboolean good = TRUE;
  int result = 0;

  while (good && (result = roast_database_step (self->database, statement, error)) > 0)
    {
      gint64 column = sqlite3_column_int64 (statement, 0);
      g_autofree char *text = roast_database_dup_text (statement, 2);

      good = text != NULL && is_category (self, column) &&
             roast_table_encode (self->table, (guint) column, text) == sqlite3_column_int64 (statement, 1);
    }

  return ended (self, statement, result, good ? NULL : "cannot read a dictionary", error);
}

/* Count @n rows that begin with row @first. If @first is not the expected row number *@next, note that rows are
 * missing. */
static void
store_table_reader_count_rows (TableReader *self, guint64 *next, guint64 first, guint64 n)
{
  self->has_gap |= first != *next;
  *next = first + n;
  self->n_rows += n;
}

/* The chunk that is being filled with rows that are read one by one. */
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
next_row_in_chunk (Filler *self)
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

#define FROM_BLOCKS " FROM block WHERE \"table\" = ? AND \"column\" = ? AND level = 0 ORDER BY seq"

/* The rows of a block, the same for all its columns. */
typedef struct
{
  guint64 first_row;
  guint n_rows;
} StoreTableReaderPlace;

/* The rows of one column of a block. */
typedef struct
{
  gint64 first_row;
  gint64 n_rows; /* number of rows; 0 if unknown */
} StoreTableReaderPart;

static gboolean
list_parts (TableReader *self, const char *sql, guint column, GArray *parts, GError **error)
{
  sqlite3_stmt *statement = roast_database_query (self->database, error, sql, "ii", self->id, (gint64) column);
  int result = 0;

  while ((result = roast_database_step (self->database, statement, error)) > 0)
    {
      StoreTableReaderPart part = { sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1) };

      g_array_append_val (parts, part);
    }

  return result == 0;
}

/* Compare parts by their first row. If the first rows are equal, a part with an unknown number of rows comes last. */
static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const StoreTableReaderPart *first = a;
  const StoreTableReaderPart *second = b;

  if (first->first_row != second->first_row)
    return first->first_row > second->first_row ? 1 : -1;

  return (first->n_rows < second->n_rows) - (first->n_rows > second->n_rows);
}

/* Append the rows of a block to the list. Return FALSE if the rows do not come after all rows in the list. */
static gboolean
add_place (GArray *places, const StoreTableReaderPart *part)
{
  const StoreTableReaderPlace *last =
      places->len > 0 ? &g_array_index (places, StoreTableReaderPlace, places->len - 1) : NULL;
  StoreTableReaderPlace place = { .first_row = (guint64) part->first_row, .n_rows = (guint) part->n_rows };

  if (part->first_row < 0 || part->n_rows <= 0 || part->n_rows > ROAST_STORE_MAX_ROWS ||
      part->first_row >= G_MAXINT64 - part->n_rows ||
      (last != NULL && place.first_row < last->first_row + last->n_rows))
    return FALSE;
  g_array_append_val (places, place);

  return TRUE;
}

/* List the rows of each block, in order. Return FALSE with an error if blocks are lost, or if a block does not have all
 * columns. */
static gboolean
list_places (TableReader *self, GArray *places, GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (StoreTableReaderPart));
  gboolean is_whole = TRUE;
  gboolean is_same = TRUE;

  for (guint column = 0; column < self->n_columns; column++)
    if (!list_parts (self, "SELECT seq, n" FROM_BLOCKS, column, parts, is_whole ? error : NULL))
      {
        is_whole = FALSE;
        /* Read only the index of the SQL table, which may be undamaged even if the table is damaged. */
        list_parts (self, "SELECT seq, 0" FROM_BLOCKS, column, parts, NULL);
      }
  g_array_sort (parts, compare_parts);
  for (guint i = 0; i < parts->len;)
    {
      const StoreTableReaderPart *part = &g_array_index (parts, StoreTableReaderPart, i);
      guint end = i;

      while (end < parts->len && g_array_index (parts, StoreTableReaderPart, end).first_row == part->first_row)
        is_same &= g_array_index (parts, StoreTableReaderPart, end++).n_rows == part->n_rows;
      is_same &= end - i == self->n_columns;
      is_same &= add_place (places, part);
      i = end;
    }

  return is_whole &&
         (is_same || store_table_reader_fail (self, error, "blocks of a table are missing or inconsistent"));
}

/* Read the SQL table open_row: put its bytes into @packets, and the rows within these bytes, sorted by number, into
 * @rows. */
static gboolean
read_open_rows (TableReader *self, GPtrArray *packets, GArray *rows, GError **error)
{
  sqlite3_stmt *statement =
      roast_database_query (self->database, error, "SELECT data FROM open_row WHERE \"table\" = ? ORDER BY id", "i",
                            self->id);
  gboolean good = TRUE;
  int result = 0;

  while (good && (result = roast_database_step (self->database, statement, error)) > 0)
    {
      GBytes *bytes = roast_decoder_decompress (self->source->file->decoder, sqlite3_column_blob (statement, 0),
                                                (gsize) sqlite3_column_bytes (statement, 0), MAX_OPEN);

      good = bytes != NULL && roast_store_rows_parse (self->info, bytes, rows);
      if (bytes != NULL)
        g_ptr_array_add (packets, bytes);
    }
  roast_store_rows_sort (rows);

  return ended (self, statement, result, good ? NULL : "cannot read rows that were still open", error);
}

/* Put the open rows with numbers below @end into chunks. */
static void
put_open_rows (TableReader *self, GArray *rows, guint *next, guint64 *next_row, guint64 end)
{
  Filler filler = { .reader = self };

  for (; *next < rows->len && g_array_index (rows, RoastStoreRow, *next).row < end; (*next)++)
    {
      const RoastStoreRow *row = &g_array_index (rows, RoastStoreRow, *next);
      guint in_chunk = next_row_in_chunk (&filler);

      store_table_reader_count_rows (self, next_row, row->row, 1);
      roast_store_row_put (row, self->info, self->n_texts, filler.chunk, in_chunk);
    }
  finish_chunk (&filler);
}

static gboolean
put_block (TableReader *self, RoastStoreTable *store, const StoreTableReaderPlace *place, GError **error)
{
  RoastChunk *chunk = roast_store_table_new_chunk (store, place->first_row, place->n_rows);

  roast_table_append_chunk (self->table, chunk, place->n_rows);
  roast_chunk_unref (chunk);

  return !self->source->check_blocks || roast_store_table_check (store, place->first_row, place->n_rows, error);
}

static gboolean
read_blocks (TableReader *self, GArray *rows, GError **error)
{
  g_autoptr (RoastStoreTable) store = roast_store_table_new (self->source->file, self->id, self->info, self->n_columns);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (StoreTableReaderPlace));
  gboolean good = list_places (self, places, error);
  guint next = 0;
  guint64 next_row = 0;

  roast_store_table_set_reader (store, self->source->recording, self->n_texts);
  for (guint i = 0; i < places->len; i++)
    {
      const StoreTableReaderPlace *place = &g_array_index (places, StoreTableReaderPlace, i);

      put_open_rows (self, rows, &next, &next_row, place->first_row);
      store_table_reader_count_rows (self, &next_row, place->first_row, place->n_rows);
      good = put_block (self, store, place, good ? error : NULL) && good;
      /* Skip open rows that the writer later wrote as part of this block. */
      while (next < rows->len && g_array_index (rows, RoastStoreRow, next).row < next_row)
        next++;
    }
  put_open_rows (self, rows, &next, &next_row, G_MAXUINT64);

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
  switch (roast_table_info_type_of (self->info, column))
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

/* Read rows from @start on. Set @next to the number of the last row that was read + 1. */
static gboolean
read_rows_from (TableReader *self, Filler *filler, const char *quoted, gint64 start, guint64 *next, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s WHERE row >= ? ORDER BY row", quoted);
  sqlite3_stmt *statement = roast_database_query (self->database, error, sql, "i", start);
  gboolean good = statement == NULL || sqlite3_column_count (statement) == (int) self->n_columns + 1;
  int result = 0;

  while (good && (result = roast_database_step (self->database, statement, error)) > 0)
    {
      guint in_chunk = next_row_in_chunk (filler);

      for (guint i = 0; i < self->n_columns; i++)
        take_cell (self, statement, i, filler->chunk, in_chunk);
      store_table_reader_count_rows (self, next, (guint64) sqlite3_column_int64 (statement, 0), 1);
    }

  return ended (self, statement, result, good ? NULL : "the columns of a table differ from the schema of the file",
                error);
}

/* Rows from row @start on are damaged. Return the number of the first readable row after the damage, or -1 if there is
 * no such row. Search backwards from the end of the table. */
static gint64
find_row_behind (TableReader *self, const char *quoted, guint64 start)
{
  g_autofree char *sql = g_strdup_printf ("SELECT row FROM %s WHERE row > ? ORDER BY row DESC", quoted);
  sqlite3_stmt *statement = roast_database_query (self->database, NULL, sql, "i", (gint64) start);
  gint64 row = -1;

  while (roast_database_step (self->database, statement, NULL) > 0)
    row = sqlite3_column_int64 (statement, 0);

  return row;
}

static gboolean
read_row_table (TableReader *self, GError **error)
{
  g_autofree char *quoted = roast_store_sql_dup_name (self->info);
  Filler filler = { .reader = self };
  guint64 next = 0;
  gboolean good = read_rows_from (self, &filler, quoted, 0, &next, error);
  gint64 behind = good ? -1 : find_row_behind (self, quoted, next);

  if (behind >= 0)
    read_rows_from (self, &filler, quoted, behind, &next, NULL);
  finish_chunk (&filler);

  return good;
}

/* ---- any table ---- */

/* Return whether the metadata of the file say that rows of this table were dropped. */
static gboolean
may_have_gaps (TableReader *self)
{
  const char *names = g_hash_table_lookup (self->source->meta, ROAST_STORE_META_MISSING_TABLES);
  g_auto (GStrv) list = g_strsplit (names != NULL ? names : "", ",", -1);

  return g_hash_table_contains (self->source->meta, ROAST_STORE_META_MISSING) &&
         (list[0] == NULL || g_strv_contains ((const char *const *) list, roast_table_info_get_name (self->info)));
}

/* Compare the number of rows that were read with the number of rows in the metadata, which older files do not have. */
static gboolean
check_count (TableReader *self, GError **error)
{
  g_autofree char *key = g_strconcat (ROAST_STORE_META_ROWS, roast_table_info_get_name (self->info), NULL);
  const char *count = g_hash_table_lookup (self->source->meta, key);
  g_autofree char *what = NULL;

  if (self->has_gap && !may_have_gaps (self))
    return store_table_reader_fail (self, error, "rows are missing between other rows");
  if (count == NULL || g_ascii_strtoull (count, NULL, 10) == self->n_rows)
    return TRUE;
  what = g_strdup_printf ("%" G_GUINT64_FORMAT " of %s rows can be read", self->n_rows, count);

  return store_table_reader_fail (self, error, what);
}

gboolean
roast_store_table_reader_read (const RoastStoreSource *source, gint64 id, const char *name, gboolean by_rows,
                               GError **error)
{
  TableReader self = { .source = source, .database = source->file->database, .id = id };
  RoastTableInfo *declared = name != NULL ? roast_schema_lookup_table (source->schema, name) : NULL;
  gboolean good = TRUE;

  if (declared == NULL || roast_table_info_get_origin (declared) != ROAST_TABLE_ORIGIN_MEASURED)
    return store_table_reader_fail (&self, error, "a table is not in the schema of the file");
  self.info = roast_schema_lookup_table (roast_recording_get_schema (source->recording), name);
  self.n_columns = roast_table_info_get_n_columns (declared);
  self.table = roast_recording_get_table (source->recording, name);

  if (!check_columns (&self, error))
    return FALSE;
  good = read_dictionaries (&self, error);
  good = (by_rows ? read_row_table : read_block_table) (&self, good ? error : NULL) && good;

  return check_count (&self, good ? error : NULL) && good;
}
