/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-table-private.h"

#include <string.h>

#include "roast-store-block-writer-private.h"
#include "roast-store-declare-private.h"
#include "roast-store-row-writer-private.h"
#include "roast-store-rows-private.h"

#define FEW_ROWS 4096            /* of a table that is written even if the file has reached its limit */
#define JOURNAL_FLOOR (64 << 10) /* bytes of open rows below which they are not written again as a whole */

struct _RoastStoredTable
{
  RoastStoreFile *file;
  RoastStoreTable *store;
  RoastTable *table;
  RoastTableInfo *info;
  gint64 id;
  gboolean by_rows;
  guint n_columns;
  char *insert_row; /* SQL, of a table of rows */
  RoastBlockWriter *blocks;

  gboolean is_declared; /* in the file */
  guint64 serial;
  guint *n_texts;     /* by column: how many texts of its dictionary are in the file */
  gboolean is_behind; /* a transaction failed */
  gboolean lacks_rows;
  gsize journal;      /* bytes of open rows in the file, */
  gsize journal_base; /* and when they were last written as a whole */

  /* of the transaction that is open */
  RoastTableChanges *changes;
  gboolean is_end;
  gboolean is_small; /* no limit holds for its rows */
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
  g_clear_object (&self->file);
  g_clear_object (&self->info);
  g_clear_object (&self->table);
  g_free (self->insert_row);
  g_free (self->n_texts);
  g_free (self->new_n_texts);
  roast_block_writer_free (self->blocks);
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

RoastStoredTable *
roast_stored_table_new (RoastStoreFile *file, RoastTable *table, gint64 id, RoastTableFullFunc full, gpointer data)
{
  RoastStoredTable *self = g_new0 (RoastStoredTable, 1);

  self->file = g_object_ref (file);
  self->info = g_object_ref (roast_table_get_info (table));
  self->id = id;
  self->by_rows = roast_table_info_get_storage (self->info) == ROAST_TABLE_STORAGE_ROWS;
  self->n_columns = roast_table_info_get_n_columns (self->info);
  self->n_texts = g_new0 (guint, self->n_columns + 1);
  self->new_n_texts = g_new0 (guint, self->n_columns + 1);
  self->serial = G_MAXUINT64;
  self->store = roast_store_table_new (file, id, self->info, roast_table_info_get_n_columns (self->info));
  self->blocks = roast_block_writer_new (file, self->info, id);
  if (self->by_rows)
    self->insert_row = roast_store_row_writer_make_sql (self->info);
  self->table = g_object_ref (table);
  roast_table_follow (table, full, data);

  return self;
}

static RoastDatabase *
get_database (RoastStoredTable *self)
{
  return roast_store_file_get_database (self->file);
}

/* ---- dictionaries ---- */

static gboolean
write_texts (RoastStoredTable *self, guint column, GError **error)
{
  RoastDatabase *database = get_database (self);
  g_autoptr (GPtrArray) texts = roast_table_list_texts (self->table, column, self->new_n_texts[column]);

  for (guint i = self->n_texts[column]; i < texts->len; i++)
    {
      sqlite3_stmt *statement = roast_database_prepare (database, "INSERT INTO dictionary VALUES (?, ?, ?, ?)", error);

      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int64 (statement, 1, self->id);
      sqlite3_bind_int64 (statement, 2, column);
      sqlite3_bind_int64 (statement, 3, i);
      sqlite3_bind_text (statement, 4, g_ptr_array_index (texts, i), -1, SQLITE_STATIC);
      if (!roast_database_run (database, statement, error))
        return FALSE;
    }

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

/* ---- open rows ---- */

static gboolean
forget_journal (RoastStoredTable *self, GError **error)
{
  RoastDatabase *database = get_database (self);
  sqlite3_stmt *statement = roast_database_prepare (database, "DELETE FROM open_row WHERE \"table\" = ?", error);

  self->new_journal = self->new_journal_base = 0;
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, self->id);

  return roast_database_run (database, statement, error);
}

/* Rows in chunks that are not sealed: those that have changed, or all of them in the place of what is there. */
static gboolean
write_open_rows (RoastStoredTable *self, RoastEncoder *encoder, gboolean all, GError **error)
{
  RoastDatabase *database = get_database (self);
  g_autoptr (GByteArray) bytes = NULL;
  gconstpointer data = NULL;
  gsize size = 0;
  sqlite3_stmt *statement = NULL;

  if (all && !forget_journal (self, error))
    return FALSE;
  if (self->changes->rows->len == 0)
    return TRUE;
  bytes = roast_store_rows_encode (self->info, self->changes->rows);
  data = roast_encoder_compress (encoder, bytes->data, bytes->len, &size);
  statement = roast_database_prepare (database, "INSERT INTO open_row VALUES (NULL, ?, ?, ?)", error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, self->id);
  sqlite3_bind_int64 (statement, 2, self->changes->rows->len);
  sqlite3_bind_blob (statement, 3, data, (int) size, SQLITE_STATIC);
  self->new_journal += size;
  if (all)
    self->new_journal_base = size;

  return roast_database_run (database, statement, error);
}

/* ---- transactions ---- */

/* Open rows are written as a whole when what is in the file is for the greater part about rows that are in blocks. */
static gboolean
needs_all (RoastStoredTable *self)
{
  return self->is_behind || self->journal > MAX (JOURNAL_FLOOR, 2 * self->journal_base);
}

/* When its first row happened; now if it has no time. */
static gint64
find_start (RoastStoredTable *self, const RoastSealedChunk *sealed)
{
  gint64 first = 0;
  gint64 last = 0;

  roast_block_writer_find_times (self->blocks, sealed->chunk, sealed->n_rows, &first, &last);

  return first <= last ? first : g_get_real_time ();
}

static gint64
earlier (gint64 since, gint64 time)
{
  return since < 0 ? time : MIN (since, time);
}

/* The texts of its dictionaries are written in any case. */
static gboolean
is_small (RoastStoredTable *self, const RoastStoreEnd *end)
{
  return roast_stored_table_count_unwritten (self) <= FEW_ROWS &&
         roast_database_count_pages (get_database (self)) < end->max_pages + end->more_pages;
}

/* The rows stay in memory, where a report finds them. */
static gboolean
write_blocks (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error)
{
  guint64 max_pages = end != NULL && !self->is_small ? end->max_pages : 0;

  for (guint i = 0; i < self->changes->sealed->len; i++)
    {
      const RoastSealedChunk *sealed = &g_array_index (self->changes->sealed, RoastSealedChunk, i);

      if (max_pages > 0 && roast_database_count_pages (get_database (self)) >= max_pages)
        {
          roast_block_writer_keep_sums (self->blocks, encoder, sealed);
          end->missing_since = earlier (end->missing_since, find_start (self, sealed));
          self->lacks_rows = TRUE;
        }
      else if (!roast_block_writer_write (self->blocks, encoder, sealed, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
roast_stored_table_write (RoastStoredTable *self, RoastEncoder *encoder, RoastStoreEnd *end, GError **error)
{
  gboolean all = needs_all (self);

  if (!self->is_declared && !roast_store_declare_table (get_database (self), self->info, self->id, error))
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
    return roast_store_row_writer_write (get_database (self), self->table, self->insert_row, self->new_n_texts,
                                         self->changes->rows, error);

  return write_blocks (self, encoder, end, error) && roast_block_writer_write_lost (self->blocks, error) &&
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
  roast_block_writer_forget_lost (self->blocks);
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

gint64
roast_stored_table_give_up (RoastStoredTable *self, gsize *memory, gsize bound)
{
  g_autoptr (RoastTableChanges) changes = NULL;
  g_autoptr (RoastEncoder) encoder = NULL;
  gint64 since = -1;

  if (self->by_rows)
    return -1;
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
      roast_block_writer_keep_sums (self->blocks, encoder, sealed);
      since = earlier (since, find_start (self, sealed));
      self->lacks_rows = TRUE;
      roast_table_drop (self->table, sealed->index);
    }

  return since;
}
