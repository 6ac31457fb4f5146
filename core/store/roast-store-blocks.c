/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-blocks-private.h"

#include "roast-store-codec-private.h"
#include "roast-store-ranges-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

struct _RoastStoreFile
{
  GObject parent_instance;

  char *path;
  int fd;                  /* which holds the lock of a writer, or -1 */
  RoastDatabase *database; /* of the store's thread, */
  RoastDecoder *decoder;   /* and this */
  GMutex mutex;            /* of what follows */
  char *problem;
};

G_DEFINE_FINAL_TYPE (RoastStoreFile, roast_store_file, G_TYPE_OBJECT)

static void
disconnect (gpointer data)
{
  RoastStoreFile *self = data;

  g_clear_pointer (&self->database, roast_database_close);
}

static void
roast_store_file_finalize (GObject *object)
{
  RoastStoreFile *self = ROAST_STORE_FILE (object);

  roast_store_thread_call (disconnect, self);
  roast_store_thread_close_later (self->fd);
  roast_store_thread_release ();
  roast_decoder_free (self->decoder);
  g_free (self->path);
  g_free (self->problem);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (roast_store_file_parent_class)->finalize (object);
}

static void
roast_store_file_class_init (RoastStoreFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_store_file_finalize;
}

static void
roast_store_file_init (RoastStoreFile *self)
{
  g_mutex_init (&self->mutex);
  self->decoder = roast_decoder_new ();
  self->fd = -1;
}

RoastStoreFile *
roast_store_file_new (const char *path, GError **error)
{
  RoastStoreFile *self = NULL;

  if (!roast_store_thread_hold ())
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                   "%s: a process that was forked cannot use run files, since its parent uses some", path);
      return NULL;
    }
  self = g_object_new (ROAST_TYPE_STORE_FILE, NULL);
  self->path = g_strdup (path);

  return self;
}

void
roast_store_file_take_fd (RoastStoreFile *self, int fd)
{
  self->fd = fd;
}

int
roast_store_file_get_fd (RoastStoreFile *self)
{
  return self->fd;
}

const char *
roast_store_file_get_path (RoastStoreFile *self)
{
  return self->path;
}

void
roast_store_file_take_database (RoastStoreFile *self, RoastDatabase *database)
{
  g_clear_pointer (&self->database, roast_database_close);
  self->database = database;
}

RoastDatabase *
roast_store_file_get_database (RoastStoreFile *self)
{
  return self->database;
}

RoastDecoder *
roast_store_file_get_decoder (RoastStoreFile *self)
{
  return self->decoder;
}

void
roast_store_file_set_problem (RoastStoreFile *self, const char *problem)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (problem == NULL)
    g_clear_pointer (&self->problem, g_free);
  else if (self->problem == NULL)
    self->problem = g_strdup (problem);
}

char *
roast_store_file_dup_problem (RoastStoreFile *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return g_strdup (self->problem);
}

gboolean
roast_store_file_fail (RoastStoreFile *self, GError **error, const char *what)
{
  if (error != NULL && *error == NULL)
    g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, "%s is damaged: %s", self->path, what);

  return FALSE;
}

/* ---- a table ---- */

struct _RoastStoreTable
{
  GObject parent_instance;

  RoastStoreFile *file;
  gint64 id;
  RoastTableInfo *info;
  guint n_columns; /* in the file */
  RoastStoreRanges *ranges;
  guint *n_texts; /* or NULL */
};

G_DEFINE_FINAL_TYPE (RoastStoreTable, roast_store_table, G_TYPE_OBJECT)

static void
roast_store_table_finalize (GObject *object)
{
  RoastStoreTable *self = ROAST_STORE_TABLE (object);

  roast_store_ranges_free (self->ranges);
  g_clear_object (&self->info);
  g_clear_object (&self->file);
  g_free (self->n_texts);

  G_OBJECT_CLASS (roast_store_table_parent_class)->finalize (object);
}

static void
roast_store_table_class_init (RoastStoreTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_store_table_finalize;
}

static void
roast_store_table_init (RoastStoreTable *self)
{
  self->ranges = roast_store_ranges_new ();
}

RoastStoreTable *
roast_store_table_new (RoastStoreFile *file, gint64 id, RoastTableInfo *info, guint n_columns)
{
  RoastStoreTable *self = g_object_new (ROAST_TYPE_STORE_TABLE, NULL);

  self->file = g_object_ref (file);
  self->id = id;
  self->info = g_object_ref (info);
  self->n_columns = n_columns;

  return self;
}

void
roast_store_table_set_n_texts (RoastStoreTable *self, const guint *n_texts)
{
  g_free (self->n_texts);
  self->n_texts = g_memdup2 (n_texts, roast_table_info_get_n_columns (self->info) * sizeof *n_texts);
}

typedef struct
{
  RoastStoreTable *table;
  RoastChunk *chunk;
  guint64 first_row;
  guint n_rows;
  const guint *columns;
  guint n_columns;
  GError *error;
} Load;

static gboolean
decode (Load *load, sqlite3_stmt *statement, guint column)
{
  g_autofree char *encoding = roast_database_dup_text (statement, 1);
  RoastEncodedColumn from = { .encoding = encoding };
  RoastColumnType type = roast_column_get_column_type (roast_table_info_get_column (load->table->info, column));
  guint n_texts = load->table->n_texts != NULL ? load->table->n_texts[column] : G_MAXINT32;

  from.valid = sqlite3_column_blob (statement, 2);
  from.valid_size = (gsize) sqlite3_column_bytes (statement, 2);
  from.data = sqlite3_column_blob (statement, 3);
  from.size = (gsize) sqlite3_column_bytes (statement, 3);

  return encoding != NULL && sqlite3_column_int64 (statement, 0) == load->n_rows &&
         roast_decoder_decode (load->table->file->decoder, load->chunk, column, type, n_texts, load->n_rows, &from);
}

/* The first is kept: other columns may be readable. */
static void
keep_error (Load *load, GError *error)
{
  if (load->error == NULL)
    load->error = error;
  else
    g_clear_error (&error);
}

static void
load_column (Load *load, guint column)
{
  RoastDatabase *database = load->table->file->database;
  GError *local = NULL;
  sqlite3_stmt *statement = roast_database_prepare (database,
                                                    "SELECT n, encoding, valid, data FROM block WHERE \"table\" = ? "
                                                    "AND \"column\" = ? AND level = 0 AND seq = ?",
                                                    &local);
  gboolean good = FALSE;

  if (statement == NULL)
    {
      keep_error (load, local);
      return;
    }
  sqlite3_bind_int64 (statement, 1, load->table->id);
  sqlite3_bind_int64 (statement, 2, column);
  sqlite3_bind_int64 (statement, 3, (gint64) load->first_row);
  good = roast_database_next (database, statement, &local) && decode (load, statement, column);
  if (!good && local == NULL)
    g_set_error (&local, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                 "%s: rows %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " of column “%s” of table “%s” are damaged",
                 load->table->file->path, load->first_row, load->first_row + load->n_rows - 1,
                 roast_column_get_name (roast_table_info_get_column (load->table->info, column)),
                 roast_table_info_get_name (load->table->info));
  sqlite3_reset (statement);
  keep_error (load, local);
}

/* In one transaction: to begin one takes locks of the file. */
static void
load_columns (gpointer data)
{
  Load *load = data;
  gboolean began = load->n_columns > 1 && roast_database_begin_reading (load->table->file->database);

  for (guint i = 0; i < load->n_columns; i++)
    {
      const guint8 *validity = NULL;

      /* Two slots may be bound to one column. */
      if (load->columns[i] < load->table->n_columns &&
          roast_chunk_peek (load->chunk, load->columns[i], &validity) == NULL)
        load_column (load, load->columns[i]);
    }
  if (began)
    roast_database_end_reading (load->table->file->database);
}

static RoastChunk *
load_chunk (GObject *store, guint64 address, guint n_rows, const guint *columns, guint n_columns)
{
  RoastStoreTable *self = ROAST_STORE_TABLE (store);
  Load load = { self, roast_chunk_new (n_rows, self->info), address, n_rows, columns, n_columns, NULL };

  roast_store_thread_call (load_columns, &load);
  if (load.error != NULL)
    {
      roast_store_file_set_problem (self->file, load.error->message);
      g_debug ("%s", load.error->message);
      g_error_free (load.error);
    }

  return load.chunk;
}

static gboolean
get_range (GObject *store, guint64 address, guint column, double *min, double *max)
{
  RoastStoreTable *self = ROAST_STORE_TABLE (store);

  return roast_store_ranges_get (self->ranges, self->file, self->id, address, column, min, max);
}

RoastChunk *
roast_store_table_new_chunk (RoastStoreTable *self, guint64 first_row, guint n_rows)
{
  return roast_chunk_new_stored (self->info, n_rows, G_OBJECT (self), first_row, load_chunk, get_range);
}
