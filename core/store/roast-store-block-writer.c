/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-block-writer-private.h"

/* The sums of a column of a chunk that was given up. */
typedef struct
{
  guint64 first_row;
  guint n_rows;
  gint64 t0, t1;
  guint column;
  RoastEncodedColumn sums;
} LostColumn;

struct _RoastBlockWriter
{
  RoastStoreFile *file;
  RoastTableInfo *info;
  gint64 id;
  guint n_columns;
  guint time_column;   /* or n_columns */
  guint repeat_column; /* of a category whose repetition predicts other columns, or n_columns */
  GArray *lost;        /* LostColumn that are not in the file yet */
};

static RoastColumnType
type_of (RoastTableInfo *info, guint column)
{
  return roast_column_get_column_type (roast_table_info_get_column (info, column));
}

static void
find_columns (RoastBlockWriter *self)
{
  self->time_column = self->repeat_column = self->n_columns;
  for (guint i = self->n_columns; i-- > 0;)
    {
      const char *unit = roast_column_get_unit (roast_table_info_get_column (self->info, i));

      if (type_of (self->info, i) == ROAST_COLUMN_TYPE_INT64 && g_strcmp0 (unit, "us") == 0)
        self->time_column = i;
      /* The first column is the source, which is the same in most rows. */
      if (type_of (self->info, i) == ROAST_COLUMN_TYPE_CATEGORY && i > 0)
        self->repeat_column = i;
    }
}

RoastBlockWriter *
roast_block_writer_new (RoastStoreFile *file, RoastTableInfo *info, gint64 id)
{
  RoastBlockWriter *self = g_new0 (RoastBlockWriter, 1);

  self->file = g_object_ref (file);
  self->info = g_object_ref (info);
  self->id = id;
  self->n_columns = roast_table_info_get_n_columns (info);
  self->lost = g_array_new (FALSE, FALSE, sizeof (LostColumn));
  find_columns (self);

  return self;
}

void
roast_block_writer_free (RoastBlockWriter *self)
{
  g_array_unref (self->lost);
  g_object_unref (self->info);
  g_object_unref (self->file);
  g_free (self);
}

void
roast_block_writer_find_times (RoastBlockWriter *self, RoastChunk *chunk, guint n_rows, gint64 *first, gint64 *last)
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
write_column (RoastBlockWriter *self, const LostColumn *column, gboolean is_lost, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (self->file);
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

gboolean
roast_block_writer_write (RoastBlockWriter *self, RoastEncoder *encoder, const RoastSealedChunk *sealed, GError **error)
{
  LostColumn column = { .first_row = sealed->first_row, .n_rows = sealed->n_rows };
  guint stride = 0;

  if (self->repeat_column < self->n_columns)
    stride = roast_encoder_find_stride (sealed->chunk, self->repeat_column, sealed->n_rows);
  roast_block_writer_find_times (self, sealed->chunk, sealed->n_rows, &column.t0, &column.t1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      column.column = i;
      roast_encoder_encode (encoder, sealed->chunk, i, type_of (self->info, i), sealed->n_rows, stride, &column.sums);
      /* Also one without cells, so that a reader notices what is lost. */
      if (!write_column (self, &column, FALSE, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
roast_block_writer_write_lost (RoastBlockWriter *self, GError **error)
{
  for (guint i = 0; i < self->lost->len; i++)
    if (!write_column (self, &g_array_index (self->lost, LostColumn, i), TRUE, error))
      return FALSE;

  return TRUE;
}

void
roast_block_writer_keep_sums (RoastBlockWriter *self, RoastEncoder *encoder, const RoastSealedChunk *sealed)
{
  LostColumn column = { .first_row = sealed->first_row, .n_rows = sealed->n_rows };

  roast_block_writer_find_times (self, sealed->chunk, sealed->n_rows, &column.t0, &column.t1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      column.column = i;
      roast_encoder_encode (encoder, sealed->chunk, i, type_of (self->info, i), sealed->n_rows, 0, &column.sums);
      column.sums.data = column.sums.valid = NULL;
      if (column.sums.has_sums)
        g_array_append_val (self->lost, column);
    }
}

void
roast_block_writer_forget_lost (RoastBlockWriter *self)
{
  g_array_set_size (self->lost, 0);
}
