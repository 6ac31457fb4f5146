/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-blocks-private.h"

#include <math.h>

#include "base/roast-type-private.h"
#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

struct _RoastStoreTable
{
  GObject parent_instance;

  RoastStoreFile *file;
  GWeakRef recording; /* the recording that reads the file */
  gint64 id;
  RoastTableInfo *info;
  guint n_columns;    /* number of columns in the file */
  guint *n_texts;     /* number of texts of each category column, for checks of codes; NULL to accept every code */
  GMutex mutex;       /* guards the member below */
  GHashTable *ranges; /* maps a column to a GHashTable, which maps the first row of a block (gint64) to its Range;
                       * filled on first use */
};

ROAST_DEFINE_TYPE (RoastStoreTable, roast_store_table)

static void
roast_store_table_release (RoastStoreTable *self)
{
  g_hash_table_unref (self->ranges);
  g_mutex_clear (&self->mutex);
  g_weak_ref_clear (&self->recording);
  g_clear_object (&self->info);
  roast_store_file_unref (self->file);
  g_free (self->n_texts);
}

static void
roast_store_table_init (RoastStoreTable *self)
{
  g_mutex_init (&self->mutex);
  g_weak_ref_init (&self->recording, NULL);
  self->ranges = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
}

RoastStoreTable *
roast_store_table_new (RoastStoreFile *file, gint64 id, RoastTableInfo *info, guint n_columns)
{
  RoastStoreTable *self = g_object_new (ROAST_TYPE_STORE_TABLE, NULL);

  self->file = g_atomic_rc_box_acquire (file);
  self->id = id;
  self->info = g_object_ref (info);
  self->n_columns = n_columns;

  return self;
}

void
roast_store_table_set_reader (RoastStoreTable *self, RoastRecording *recording, const guint *n_texts)
{
  g_weak_ref_set (&self->recording, recording);
  g_free (self->n_texts);
  self->n_texts = g_memdup2 (n_texts, roast_table_info_get_n_columns (self->info) * sizeof *n_texts);
}

/* ---- cells ---- */

typedef struct
{
  RoastStoreTable *table;
  RoastChunk *chunk;
  guint64 first_row;
  guint n_rows;
  const guint *columns;
  guint n_columns;
} Load;

static gboolean
decode (Load *load, sqlite3_stmt *statement, guint column)
{
  g_autofree char *encoding = roast_database_dup_text (statement, 1);
  RoastEncodedColumn from = { .encoding = encoding };
  RoastColumnType type = roast_table_info_type_of (load->table->info, column);
  guint n_texts = load->table->n_texts != NULL ? load->table->n_texts[column] : G_MAXINT32;

  from.valid = sqlite3_column_blob (statement, 2);
  from.valid_size = (gsize) sqlite3_column_bytes (statement, 2);
  from.data = sqlite3_column_blob (statement, 3);
  from.size = (gsize) sqlite3_column_bytes (statement, 3);

  return encoding != NULL && sqlite3_column_int64 (statement, 0) == load->n_rows &&
         roast_decoder_decode (load->table->file->decoder, load->chunk, column, type, n_texts, load->n_rows, &from);
}

static gboolean
load_column (Load *load, guint column, GError **error)
{
  RoastStoreTable *self = load->table;
  RoastDatabase *database = self->file->database;
  sqlite3_stmt *statement = roast_database_query (database, error,
                                                  "SELECT n, encoding, valid, data FROM block WHERE \"table\" = ? "
                                                  "AND \"column\" = ? AND level = 0 AND seq = ?",
                                                  "iii", self->id, (gint64) column, (gint64) load->first_row);
  int result = roast_database_step (database, statement, error);
  gboolean good = result > 0 && decode (load, statement, column);

  if (!good && result >= 0)
    g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                 "%s: rows %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " of column “%s” of table “%s” are damaged",
                 self->file->path, load->first_row, load->first_row + load->n_rows - 1,
                 roast_column_get_name (roast_table_info_get_column (self->info, column)),
                 roast_table_info_get_name (self->info));
  if (statement != NULL)
    sqlite3_reset (statement);

  return good;
}

/* Load all columns in one transaction, because each transaction takes file locks when it begins. If a column cannot be
 * loaded, still load the other columns, which may be readable, and report only the first error. */
static gboolean
load_columns (gpointer data, GError **error)
{
  Load *load = data;
  RoastDatabase *database = load->table->file->database;
  gboolean began = load->n_columns > 1 && roast_database_begin_reading (database);
  gboolean good = TRUE;

  for (guint i = 0; i < load->n_columns; i++)
    {
      /* Skip columns that are already loaded, because two slots may be bound to the same column. */
      if (load->columns[i] < load->table->n_columns && !roast_chunk_is_loaded (load->chunk, load->columns[i]))
        good = load_column (load, load->columns[i], good ? error : NULL) && good;
      roast_chunk_set_loaded (load->chunk, load->columns[i]);
    }
  if (began)
    roast_database_end_reading (database);

  return good;
}

gboolean
roast_store_table_check (RoastStoreTable *self, guint64 first_row, guint n_rows, GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; i < self->n_columns; i++)
    {
      Load load = { self, roast_chunk_new (n_rows, self->info), first_row, n_rows, &i, 1 };

      good = load_columns (&load, good ? error : NULL) && good;
      roast_chunk_unref (load.chunk);
    }

  return good;
}

/* Add a gap for the damaged rows. Only reports that are made later can see the gap. */
static void
store_blocks_report_damage (RoastStoreTable *self, const char *message)
{
  g_autoptr (RoastRecording) recording = g_weak_ref_get (&self->recording);

  g_debug ("%s", message);
  roast_store_file_set_problem (self->file, message);
  if (recording != NULL)
    roast_recording_add_gap (recording, roast_table_info_get_name (self->info), -1, FALSE, ROAST_STORE_GAP_DAMAGE);
}

static RoastChunk *
load_chunk (GObject *store, guint64 address, guint n_rows, const guint *columns, guint n_columns)
{
  RoastStoreTable *self = ROAST_STORE_TABLE (store);
  Load load = { self, roast_chunk_new (n_rows, self->info), address, n_rows, columns, n_columns };
  g_autoptr (GError) error = NULL;

  if (!roast_store_thread_call (load_columns, &load, &error))
    store_blocks_report_damage (self, error->message);

  return load.chunk;
}

/* ---- ranges ---- */

typedef struct
{
  double min;
  double max;
} Range;

typedef struct
{
  RoastStoreTable *table;
  guint column;
  GHashTable *ranges; /* ranges by first row; created by the caller, filled by the store's thread */
} ReadRanges;

/* Read the ranges of all blocks of a column. Skip a block that has valid cells but no range, because its range is
 * unknown. Older files have no ranges for categories. */
static gboolean
read_ranges (gpointer data, GError **error)
{
  ReadRanges *request = data;
  RoastDatabase *database = request->table->file->database;
  sqlite3_stmt *statement = roast_database_query (database, error,
                                                  "SELECT seq, min, max FROM block WHERE \"table\" = ? AND "
                                                  "\"column\" = ? AND level = 0 AND (min IS NOT NULL OR encoding = "
                                                  "'" ROAST_ENCODING_MISSING "')",
                                                  "ii", request->table->id, (gint64) request->column);

  while (roast_database_step (database, statement, error) > 0)
    {
      gint64 *first_row = g_new (gint64, 1);
      Range *range = g_new (Range, 1);

      *first_row = sqlite3_column_int64 (statement, 0);
      *range = (Range) { INFINITY, -INFINITY };
      /* All cells of a block without a range are missing. */
      if (sqlite3_column_type (statement, 1) != SQLITE_NULL)
        *range = (Range) { sqlite3_column_double (statement, 1), sqlite3_column_double (statement, 2) };
      g_hash_table_replace (request->ranges, first_row, range);
    }

  return TRUE;
}

static gboolean
store_blocks_get_range (GObject *store, guint64 address, guint column, double *min, double *max)
{
  RoastStoreTable *self = ROAST_STORE_TABLE (store);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GHashTable *ranges = g_hash_table_lookup (self->ranges, GUINT_TO_POINTER (column));
  gint64 key = (gint64) address;
  const Range *range = NULL;

  if (ranges == NULL)
    {
      ReadRanges request = { self, column, g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free) };

      roast_store_thread_call (read_ranges, &request, NULL);
      ranges = request.ranges;
      g_hash_table_insert (self->ranges, GUINT_TO_POINTER (column), ranges);
    }
  range = g_hash_table_lookup (ranges, &key);
  if (range == NULL)
    return FALSE;
  *min = range->min;
  *max = range->max;

  return TRUE;
}

RoastChunk *
roast_store_table_new_chunk (RoastStoreTable *self, guint64 first_row, guint n_rows)
{
  return roast_chunk_new_stored (self->info, n_rows, G_OBJECT (self), first_row, load_chunk, store_blocks_get_range);
}
