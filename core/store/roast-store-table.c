/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-table-private.h"

#include <string.h>

#include "roast-store-rows-private.h"
#include "roast-store-sql-private.h"

#define FEW_ROWS 4096 /* tables with at most this many unwritten rows may exceed the size limit of the file */
#define JOURNAL_FLOOR (64 << 10) /* open rows that take at most this many bytes in the file are not rewritten */

/* The sums of one column in a dropped chunk. */
typedef struct
{
  guint64 first_row;
  guint n_rows;
  gint64 t0, t1;
  guint column;
  RoastEncodedColumn sums;
} LostColumn;

struct _RoastStoredTable
{
  RoastStoreFile *file;
  RoastStoreTable *store;
  RoastTable *table;
  RoastTableInfo *info;
  gint64 id;
  gboolean by_rows;
  guint n_columns;
  guint time_column;   /* number of the time column; n_columns if the table has no such column */
  guint repeat_column; /* number of the category column whose values repeat with a period, for predicting other columns;
                          or n_columns */

  gboolean is_declared; /* the declaration of the table is in the file */
  guint64 serial;
  guint *n_texts;     /* number of dictionary texts in the file, for each column */
  gboolean is_behind; /* the last transaction failed */
  gboolean lacks_rows;
  GArray *lost;       /* sums of dropped chunks that are not in the file yet, of LostColumn */
  gsize journal;      /* bytes of open rows in the file */
  gsize journal_base; /* value of journal when the open rows were last rewritten as a whole */

  /* State of the open transaction: */
  RoastTableChanges *changes;
  gboolean is_end;
  gboolean is_small; /* whether the table may exceed the size limit of the file */
  guint64 new_serial;
  guint *new_n_texts;
  gsize new_journal;
  gsize new_journal_base;
};

void
roast_stored_table_free (RoastStoredTable *self)
{
  if (self->table != NULL)
    roast_table_unfollow (self->table);
  g_clear_pointer (&self->changes, roast_table_changes_free);
  g_clear_object (&self->store);
  roast_store_file_unref (self->file);
  g_clear_object (&self->info);
  g_clear_object (&self->table);
  g_free (self->n_texts);
  g_free (self->new_n_texts);
  g_array_unref (self->lost);
  g_free (self);
}

RoastTable *
roast_stored_table_get_table (RoastStoredTable *self)
{
  return self->table;
}

gboolean
roast_stored_table_lacks_rows (RoastStoredTable *self)
{
  return self->lacks_rows;
}

guint64
roast_stored_table_count_unwritten (RoastStoredTable *self)
{
  return self->by_rows ? 0 : roast_table_count_unstored (self->table);
}

static void
find_columns (RoastStoredTable *self)
{
  self->time_column = self->repeat_column = self->n_columns;
  for (guint i = self->n_columns; i-- > 0;)
    {
      const char *unit = roast_column_get_unit (roast_table_info_get_column (self->info, i));

      if (roast_table_info_type_of (self->info, i) == ROAST_COLUMN_TYPE_INT64 && g_strcmp0 (unit, "us") == 0)
        self->time_column = i;
      /* Skip column 0, the source, which is the same in most rows. */
      if (roast_table_info_type_of (self->info, i) == ROAST_COLUMN_TYPE_CATEGORY && i > 0)
        self->repeat_column = i;
    }
}

RoastStoredTable *
roast_stored_table_new (RoastStoreFile *file, RoastTable *table, gint64 id, RoastTableFullFunc full, gpointer data)
{
  RoastStoredTable *self = g_new0 (RoastStoredTable, 1);

  self->file = g_atomic_rc_box_acquire (file);
  self->info = g_object_ref (roast_table_get_info (table));
  self->id = id;
  self->by_rows = roast_table_info_get_storage (self->info) == ROAST_TABLE_STORAGE_ROWS;
  self->n_columns = roast_table_info_get_n_columns (self->info);
  self->n_texts = g_new0 (guint, self->n_columns + 1);
  self->new_n_texts = g_new0 (guint, self->n_columns + 1);
  self->serial = G_MAXUINT64;
  self->store = roast_store_table_new (file, id, self->info, roast_table_info_get_n_columns (self->info));
  self->lost = g_array_new (FALSE, FALSE, sizeof (LostColumn));
  find_columns (self);
  self->table = g_object_ref (table);
  roast_table_follow (table, full, data);

  return self;
}

/* ---- dictionaries ---- */

static gboolean
write_texts (RoastStoredTable *self, guint column, GError **error)
{
  RoastDatabase *database = self->file->database;
  g_autoptr (GPtrArray) texts = roast_table_list_texts (self->table, column, self->new_n_texts[column]);

  for (guint i = self->n_texts[column]; i < texts->len; i++)
    if (!roast_database_run (database,
                             roast_database_query (database, error, "INSERT INTO dictionary VALUES (?, ?, ?, ?)",
                                                   "iiis", self->id, (gint64) column, (gint64) i,
                                                   g_ptr_array_index (texts, i)),
                             error))
      return FALSE;

  return TRUE;
}

static gboolean
write_dictionaries (RoastStoredTable *self, GError **error)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      self->new_n_texts[i] = (guint) roast_table_get_n_texts (self->table, i);
      if (self->new_n_texts[i] > self->n_texts[i] && !write_texts (self, i, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- blocks ---- */

static void
find_times (RoastStoredTable *self, RoastChunk *chunk, guint n_rows, gint64 *first, gint64 *last)
{
  *first = G_MAXINT64;
  *last = G_MININT64;
  for (guint i = 0; self->time_column < self->n_columns && i < n_rows; i++)
    if (roast_chunk_is_valid (chunk, i, self->time_column))
      {
        gint64 time = roast_chunk_get (chunk, i, self->time_column).int64;

        *first = MIN (*first, time);
        *last = MAX (*last, time);
      }
}

static gboolean
write_column (RoastStoredTable *self, const LostColumn *column, gboolean is_lost, GError **error)
{
  RoastDatabase *database = self->file->database;
  const RoastEncodedColumn *encoded = &column->sums;
  sqlite3_stmt *statement =
      roast_database_query (database, error, "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "iiiii", self->id, (gint64) column->first_row, (gint64) (is_lost ? 1 : 0),
                            (gint64) column->column, (gint64) column->n_rows);

  if (statement == NULL)
    return FALSE;
  if (column->t0 <= column->t1)
    {
      sqlite3_bind_int64 (statement, 6, column->t0);
      sqlite3_bind_int64 (statement, 7, column->t1);
    }
  sqlite3_bind_text (statement, 8, is_lost ? ROAST_ENCODING_MISSING : encoded->encoding, -1, SQLITE_STATIC);
  if (encoded->has_range)
    {
      sqlite3_bind_double (statement, 9, encoded->min);
      sqlite3_bind_double (statement, 10, encoded->max);
    }
  if (encoded->has_sums)
    sqlite3_bind_double (statement, 11, encoded->sum);
  if (!is_lost && encoded->valid != NULL)
    sqlite3_bind_blob (statement, 12, encoded->valid, (int) encoded->valid_size, SQLITE_STATIC);
  if (!is_lost && encoded->data != NULL)
    sqlite3_bind_blob (statement, 13, encoded->data, (int) encoded->size, SQLITE_STATIC);

  return roast_database_run (database, statement, error);
}

static gboolean
write_block (RoastStoredTable *self, RoastEncoder *encoder, const RoastSealedChunk *sealed, GError **error)
{
  LostColumn column = { .first_row = sealed->first_row, .n_rows = sealed->n_rows };
  guint stride = 0;

  if (self->repeat_column < self->n_columns)
    stride = roast_encoder_find_stride (sealed->chunk, self->repeat_column, sealed->n_rows);
  find_times (self, sealed->chunk, sealed->n_rows, &column.t0, &column.t1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      column.column = i;
      roast_encoder_encode (encoder, sealed->chunk, i, roast_table_info_type_of (self->info, i), sealed->n_rows, stride,
                            &column.sums);
      /* Write also columns in which all cells are missing, so that a reader notices lost columns. */
      if (!write_column (self, &column, FALSE, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
write_lost (RoastStoredTable *self, GError **error)
{
  for (guint i = 0; i < self->lost->len; i++)
    if (!write_column (self, &g_array_index (self->lost, LostColumn, i), TRUE, error))
      return FALSE;

  return TRUE;
}

static void
keep_sums (RoastStoredTable *self, RoastEncoder *encoder, const RoastSealedChunk *sealed)
{
  LostColumn column = { .first_row = sealed->first_row, .n_rows = sealed->n_rows };

  find_times (self, sealed->chunk, sealed->n_rows, &column.t0, &column.t1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      column.column = i;
      roast_encoder_encode (encoder, sealed->chunk, i, roast_table_info_type_of (self->info, i), sealed->n_rows, 0,
                            &column.sums);
      column.sums.data = column.sums.valid = NULL;
      if (column.sums.has_sums)
        g_array_append_val (self->lost, column);
    }
}

/* ---- open rows ---- */

static gboolean
forget_journal (RoastStoredTable *self, GError **error)
{
  RoastDatabase *database = self->file->database;

  self->new_journal = self->new_journal_base = 0;

  return roast_database_run (database,
                             roast_database_query (database, error, "DELETE FROM open_row WHERE \"table\" = ?", "i",
                                                   self->id),
                             error);
}

/* Write the rows of unsealed chunks. With @all, write all rows, and remove the open rows that are already in the file;
 * otherwise write only changed rows. */
static gboolean
write_open_rows (RoastStoredTable *self, RoastEncoder *encoder, gboolean all, GError **error)
{
  RoastDatabase *database = self->file->database;
  GArray *rows = self->changes->rows;
  g_autoptr (GByteArray) bytes = NULL;
  gconstpointer data = NULL;
  gsize size = 0;

  if (all && !forget_journal (self, error))
    return FALSE;
  if (rows->len == 0)
    return TRUE;
  bytes = roast_store_rows_encode (self->info, rows);
  data = roast_encoder_compress (encoder, bytes->data, bytes->len, &size);
  self->new_journal += size;
  if (all)
    self->new_journal_base = size;

  return roast_database_run (database,
                             roast_database_query (database, error, "INSERT INTO open_row VALUES (NULL, ?, ?, ?)",
                                                   "iib", self->id, (gint64) rows->len, data, size),
                             error);
}

/* ---- transactions ---- */

/* Return whether to rewrite all open rows: after a failed transaction, or when most open rows in the file are obsolete
 * because blocks contain them. */
static gboolean
needs_all (RoastStoredTable *self)
{
  return self->is_behind || self->journal > MAX (JOURNAL_FLOOR, 2 * self->journal_base);
}

/* Return the time of a chunk's first row, or the current time if the rows have no time. */
static gint64
store_table_find_start (RoastStoredTable *self, const RoastSealedChunk *sealed)
{
  gint64 first = 0;
  gint64 last = 0;

  find_times (self, sealed->chunk, sealed->n_rows, &first, &last);

  return first <= last ? first : g_get_real_time ();
}

static gint64
earlier (gint64 since, gint64 time)
{
  return since < 0 ? time : MIN (since, time);
}

/* Return whether the table is small enough to be written beyond the file's size limit. Dictionary texts of all tables
 * are written even beyond this limit. */
static gboolean
is_small (RoastStoredTable *self, const RoastStoreEnd *end)
{
  return roast_stored_table_count_unwritten (self) <= FEW_ROWS &&
         roast_database_count_pages (self->file->database) < end->max_pages + end->more_pages;
}

/* Write sealed chunks as blocks. Beyond the size limit of the file, write only the sums of chunks; the rows stay in
 * memory for the report of this process. */
static gboolean
write_blocks (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error)
{
  guint64 max_pages = end != NULL && !self->is_small ? end->max_pages : 0;

  for (guint i = 0; i < self->changes->sealed->len; i++)
    {
      const RoastSealedChunk *sealed = &g_array_index (self->changes->sealed, RoastSealedChunk, i);

      if (max_pages > 0 && roast_database_count_pages (self->file->database) >= max_pages)
        {
          keep_sums (self, encoder, sealed);
          end->missing_since = earlier (end->missing_since, store_table_find_start (self, sealed));
          self->lacks_rows = TRUE;
        }
      else if (!write_block (self, encoder, sealed, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
roast_stored_table_write (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error)
{
  gboolean all = needs_all (self);

  if (!self->is_declared && !roast_store_sql_declare (self->file->database, self->info, self->id, error))
    return FALSE;
  self->new_serial = roast_table_get_serial (self->table);
  if (self->new_serial == self->serial && !self->is_behind && end == NULL)
    return TRUE;
  self->new_journal = self->journal;
  self->new_journal_base = self->journal_base;
  self->is_end = end != NULL;
  self->changes = roast_table_collect (self->table,
                                       self->is_behind && self->by_rows ? ROAST_COLLECT_ALL
                                       : end != NULL                    ? ROAST_COLLECT_END
                                       : all                            ? ROAST_COLLECT_ALL
                                                                        : ROAST_COLLECT_CHANGED,
                                       self->by_rows);
  self->is_small = end != NULL && is_small (self, end);
  if (!write_dictionaries (self, error))
    return FALSE;
  if (self->by_rows)
    return roast_store_sql_write_rows (self->file->database, self->table, self->new_n_texts, self->changes->rows,
                                       error);

  return write_blocks (self, encoder, end, error) && write_lost (self, error) &&
         write_open_rows (self, encoder, all || end != NULL, error);
}

void
roast_stored_table_commit (RoastStoredTable *self)
{
  self->is_declared = TRUE;
  if (self->changes == NULL)
    return;
  for (guint i = 0; i < self->changes->sealed->len; i++)
    {
      const RoastSealedChunk *sealed = &g_array_index (self->changes->sealed, RoastSealedChunk, i);
      gboolean is_full = sealed->n_rows == roast_chunk_get_capacity (sealed->chunk);
      RoastChunk *stored = is_full && !self->is_end
                               ? roast_store_table_new_chunk (self->store, sealed->first_row, sealed->n_rows)
                               : NULL;

      roast_table_set_stored (self->table, sealed->index, stored);
      g_clear_pointer (&stored, roast_chunk_unref);
    }
  g_array_set_size (self->lost, 0);
  memcpy (self->n_texts, self->new_n_texts, self->n_columns * sizeof *self->n_texts);
  self->serial = self->new_serial;
  self->journal = self->new_journal;
  self->journal_base = self->new_journal_base;
  self->is_behind = FALSE;
  g_clear_pointer (&self->changes, roast_table_changes_free);
}

void
roast_stored_table_rollback (RoastStoredTable *self)
{
  if (self->changes == NULL)
    return;
  self->is_behind = TRUE;
  g_clear_pointer (&self->changes, roast_table_changes_free);
}

void
roast_stored_table_give_up (RoastStoredTable *self, gsize *memory, gsize bound, gint64 *since)
{
  g_autoptr (RoastTableChanges) changes = NULL;
  g_autoptr (RoastEncoder) encoder = NULL;

  if (self->by_rows)
    return;
  changes = roast_table_collect (self->table, ROAST_COLLECT_CHANGED, FALSE);
  self->is_behind = TRUE;
  for (guint i = 0; i < changes->sealed->len; i++)
    {
      const RoastSealedChunk *sealed = &g_array_index (changes->sealed, RoastSealedChunk, i);

      *memory += roast_chunk_get_memory (sealed->chunk);
      if (*memory <= bound)
        continue;
      *memory -= roast_chunk_get_memory (sealed->chunk);
      if (encoder == NULL)
        encoder = roast_encoder_new ();
      keep_sums (self, encoder, sealed);
      *since = earlier (*since, store_table_find_start (self, sealed));
      self->lacks_rows = TRUE;
      roast_table_drop (self->table, sealed->index);
    }
}
