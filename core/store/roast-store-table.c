/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-table-private.h"

#include <string.h>

#include "roast-store-rows-private.h"

#define JOURNAL_FLOOR (64 << 10) /* bytes of open rows below which they are not written again as a whole */

/* The sums of a column of a chunk that was given up. */
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
  guint time_column;   /* or n_columns */
  guint repeat_column; /* of a category whose repetition predicts other columns, or n_columns */
  guint n_columns;
  char *insert_row; /* SQL */

  gboolean is_declared; /* in the file */
  guint64 serial;
  guint *n_texts;     /* by column: how many texts of its dictionary are in the file */
  gboolean is_behind; /* a transaction failed */
  gsize journal;      /* bytes of open rows in the file, */
  gsize journal_base; /* and when they were last written as a whole */
  GArray *lost;       /* LostColumn that are not in the file yet */

  /* of the transaction that is open */
  RoastTableChanges *changes;
  gboolean is_end;
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
  g_array_unref (self->lost);
  g_free (self);
}

RoastTable *
roast_stored_table_get_table (RoastStoredTable *self)
{
  return self->table;
}

static RoastColumn *
get_column (RoastStoredTable *self, guint column)
{
  return roast_table_info_get_column (self->info, column);
}

static RoastColumnType
type_of (RoastStoredTable *self, guint column)
{
  return roast_column_get_column_type (get_column (self, column));
}

static RoastDatabase *
get_database (RoastStoredTable *self)
{
  return roast_store_file_get_database (self->file);
}

/* ---- declaration ---- */

static const char *
type_name (RoastColumnType type)
{
  static const char *const names[] = {
    [ROAST_COLUMN_TYPE_INT64] = "int64",     [ROAST_COLUMN_TYPE_DOUBLE] = "double",
    [ROAST_COLUMN_TYPE_STRING] = "string",   [ROAST_COLUMN_TYPE_CATEGORY] = "category",
    [ROAST_COLUMN_TYPE_BOOLEAN] = "boolean",
  };

  return names[type];
}

static void
find_columns (RoastStoredTable *self)
{
  self->time_column = self->repeat_column = self->n_columns;
  for (guint i = self->n_columns; i-- > 0;)
    {
      const char *unit = roast_column_get_unit (get_column (self, i));

      if (type_of (self, i) == ROAST_COLUMN_TYPE_INT64 && g_strcmp0 (unit, "us") == 0)
        self->time_column = i;
      /* The first column is the source, which is the same in most rows. */
      if (type_of (self, i) == ROAST_COLUMN_TYPE_CATEGORY && i > 0)
        self->repeat_column = i;
    }
}

static gboolean
declare_column (RoastStoredTable *self, guint i, GError **error)
{
  RoastDatabase *database = get_database (self);
  sqlite3_stmt *statement = roast_database_prepare (database, "INSERT INTO columns VALUES (?, ?, ?, ?, ?)", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, self->id);
  sqlite3_bind_int64 (statement, 2, i);
  sqlite3_bind_text (statement, 3, roast_column_get_name (get_column (self, i)), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 4, type_name (type_of (self, i)), -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 5, roast_column_get_unit (get_column (self, i)), -1, SQLITE_TRANSIENT);

  return roast_database_run (database, statement, error);
}

/* An SQL table for a table whose rows are few. Its columns have no types, so that each value stays what it is. */
static gboolean
declare_rows (RoastStoredTable *self, GError **error)
{
  g_autofree char *name = g_strconcat ("rows_", roast_table_info_get_name (self->info), NULL);
  g_autofree char *quoted = roast_database_quote (name);
  g_autoptr (GString) create = g_string_new (NULL);
  g_autoptr (GString) insert = g_string_new (NULL);

  g_string_append_printf (create, "CREATE TABLE %s (row INTEGER PRIMARY KEY", quoted);
  g_string_append_printf (insert, "INSERT OR REPLACE INTO %s VALUES (?", quoted);
  for (guint i = 0; i < self->n_columns; i++)
    {
      g_autofree char *column = roast_database_quote (roast_column_get_name (get_column (self, i)));

      g_string_append_printf (create, ", %s", column);
      g_string_append (insert, ", ?");
    }
  g_string_append_c (create, ')');
  g_string_append_c (insert, ')');
  g_free (self->insert_row);
  self->insert_row = g_strdup (insert->str);

  return roast_database_exec (get_database (self), create->str, error);
}

static gboolean
declare (RoastStoredTable *self, GError **error)
{
  RoastDatabase *database = get_database (self);
  sqlite3_stmt *statement = roast_database_prepare (database, "INSERT INTO tables VALUES (?, ?, ?)", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, self->id);
  sqlite3_bind_text (statement, 2, roast_table_info_get_name (self->info), -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 3, self->by_rows ? "rows" : "blocks", -1, SQLITE_STATIC);
  if (!roast_database_run (database, statement, error))
    return FALSE;
  for (guint i = 0; i < self->n_columns; i++)
    if (!declare_column (self, i, error))
      return FALSE;

  return !self->by_rows || declare_rows (self, error);
}

RoastStoredTable *
roast_stored_table_new (RoastStoreFile *file, RoastTable *table, gint64 id, RoastTableFullFunc full, gpointer data)
{
  RoastStoredTable *self = g_new0 (RoastStoredTable, 1);

  self->lost = g_array_new (FALSE, FALSE, sizeof (LostColumn));
  self->file = g_object_ref (file);
  self->info = g_object_ref (roast_table_get_info (table));
  self->id = id;
  self->by_rows = roast_table_info_get_storage (self->info) == ROAST_TABLE_STORAGE_ROWS;
  self->n_columns = roast_table_info_get_n_columns (self->info);
  self->n_texts = g_new0 (guint, self->n_columns + 1);
  self->new_n_texts = g_new0 (guint, self->n_columns + 1);
  self->serial = G_MAXUINT64;
  self->store = roast_store_table_new (file, id, self->info);
  find_columns (self);
  self->table = g_object_ref (table);
  roast_table_follow (table, full, data);

  return self;
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

/* ---- blocks ---- */

/* When the first and the last row of a chunk happened, by its column of time. */
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
  RoastDatabase *database = get_database (self);
  const RoastEncodedColumn *encoded = &column->sums;
  sqlite3_stmt *statement =
      roast_database_prepare (database, "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, self->id);
  sqlite3_bind_int64 (statement, 2, (gint64) column->first_row);
  sqlite3_bind_int64 (statement, 3, is_lost ? 1 : 0);
  sqlite3_bind_int64 (statement, 4, column->column);
  sqlite3_bind_int64 (statement, 5, column->n_rows);
  if (column->t0 <= column->t1)
    {
      sqlite3_bind_int64 (statement, 6, column->t0);
      sqlite3_bind_int64 (statement, 7, column->t1);
    }
  sqlite3_bind_text (statement, 8, is_lost ? ROAST_ENCODING_MISSING : encoded->encoding, -1, SQLITE_STATIC);
  if (encoded->has_sums)
    {
      sqlite3_bind_double (statement, 9, encoded->min);
      sqlite3_bind_double (statement, 10, encoded->max);
      sqlite3_bind_double (statement, 11, encoded->sum);
    }
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
      roast_encoder_encode (encoder, sealed->chunk, i, type_of (self, i), sealed->n_rows, stride, &column.sums);
      /* Also one without cells, so that a reader notices what is lost. */
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

/* ---- rows ---- */

static void
bind_cell (sqlite3_stmt *statement, int at, RoastStoredTable *self, const RoastOpenRow *row, guint column,
           GPtrArray *texts)
{
  RoastCell cell = { 0 };

  if (!roast_chunk_is_valid (row->chunk, row->in_chunk, column))
    return;
  cell = roast_chunk_get (row->chunk, row->in_chunk, column);
  switch (type_of (self, column))
    {
    case ROAST_COLUMN_TYPE_INT64:
      sqlite3_bind_int64 (statement, at, cell.int64);
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      sqlite3_bind_double (statement, at, cell.real);
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      sqlite3_bind_int64 (statement, at, cell.boolean);
      break;
    case ROAST_COLUMN_TYPE_CATEGORY:
      sqlite3_bind_text (statement, at, g_ptr_array_index (texts, cell.code), -1, SQLITE_STATIC);
      break;
    case ROAST_COLUMN_TYPE_STRING:
    default:
      sqlite3_bind_text (statement, at, cell.string, -1, SQLITE_STATIC);
      break;
    }
}

static void
unref_texts (gpointer texts)
{
  if (texts != NULL)
    g_ptr_array_unref (texts);
}

static gboolean
write_rows (RoastStoredTable *self, GArray *rows, GError **error)
{
  RoastDatabase *database = get_database (self);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (unref_texts);

  for (guint i = 0; i < self->n_columns; i++)
    g_ptr_array_add (texts, type_of (self, i) == ROAST_COLUMN_TYPE_CATEGORY
                                ? roast_table_list_texts (self->table, i, self->new_n_texts[i])
                                : NULL);
  for (guint i = 0; i < rows->len; i++)
    {
      const RoastOpenRow *row = &g_array_index (rows, RoastOpenRow, i);
      sqlite3_stmt *statement = roast_database_prepare (database, self->insert_row, error);

      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int64 (statement, 1, (gint64) row->row);
      for (guint column = 0; column < self->n_columns; column++)
        bind_cell (statement, (int) column + 2, self, row, column, g_ptr_array_index (texts, column));
      if (!roast_database_run (database, statement, error))
        return FALSE;
    }

  return TRUE;
}

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

gboolean
roast_stored_table_write (RoastStoredTable *self, RoastEncoder *encoder, gboolean end, GError **error)
{
  gboolean all = needs_all (self);

  if (!self->is_declared && !declare (self, error))
    return FALSE;
  self->new_serial = roast_table_get_serial (self->table);
  if (self->new_serial == self->serial && !self->is_behind && !end)
    return TRUE;
  self->new_journal = self->journal;
  self->new_journal_base = self->journal_base;
  self->is_end = end;
  self->changes = roast_table_collect (self->table,
                                       self->is_behind && self->by_rows ? ROAST_COLLECT_ALL
                                       : end                            ? ROAST_COLLECT_END
                                       : all                            ? ROAST_COLLECT_ALL
                                                                        : ROAST_COLLECT_CHANGED,
                                       self->by_rows);
  if (!write_dictionaries (self, error) || !write_lost (self, error))
    return FALSE;
  if (self->by_rows)
    return write_rows (self, self->changes->rows, error);
  for (guint i = 0; i < self->changes->sealed->len; i++)
    if (!write_block (self, encoder, &g_array_index (self->changes->sealed, RoastSealedChunk, i), error))
      return FALSE;

  return write_open_rows (self, encoder, all || end, error);
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

/* Its sums are written when the file can grow again. */
static void
keep_sums (RoastStoredTable *self, RoastEncoder *encoder, const RoastSealedChunk *sealed)
{
  LostColumn column = { .first_row = sealed->first_row, .n_rows = sealed->n_rows };

  find_times (self, sealed->chunk, sealed->n_rows, &column.t0, &column.t1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      column.column = i;
      roast_encoder_encode (encoder, sealed->chunk, i, type_of (self, i), sealed->n_rows, 0, &column.sums);
      column.sums.data = column.sums.valid = NULL;
      if (column.sums.has_sums)
        g_array_append_val (self->lost, column);
    }
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
      gint64 first = 0;
      gint64 last = 0;

      *memory += roast_chunk_get_memory (sealed->chunk);
      if (*memory <= bound)
        continue;
      *memory -= roast_chunk_get_memory (sealed->chunk);
      if (encoder == NULL)
        encoder = roast_encoder_new ();
      keep_sums (self, encoder, sealed);
      find_times (self, sealed->chunk, sealed->n_rows, &first, &last);
      if (first > last)
        first = g_get_real_time ();
      since = since < 0 ? first : MIN (since, first);
      roast_table_drop (self->table, sealed->index);
    }

  return since;
}
