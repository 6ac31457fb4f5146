/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-blocks-private.h"

#include "roast-store-codec-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

struct _RoastStoreFile
{
  GObject parent_instance;

  char *path;
  int fd;                  /* which holds the lock of a writer, or -1 */
  RoastDatabase *database; /* of the store's thread */
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

/* ---- a table ---- */

struct _RoastStoreTable
{
  GObject parent_instance;

  RoastStoreFile *file;
  gint64 id;
  RoastTableInfo *info;
};

G_DEFINE_FINAL_TYPE (RoastStoreTable, roast_store_table, G_TYPE_OBJECT)

static void
roast_store_table_finalize (GObject *object)
{
  RoastStoreTable *self = ROAST_STORE_TABLE (object);

  g_clear_object (&self->info);
  g_clear_object (&self->file);

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
}

RoastStoreTable *
roast_store_table_new (RoastStoreFile *file, gint64 id, RoastTableInfo *info)
{
  RoastStoreTable *self = g_object_new (ROAST_TYPE_STORE_TABLE, NULL);

  self->file = g_object_ref (file);
  self->id = id;
  self->info = g_object_ref (info);

  return self;
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

  from.valid = sqlite3_column_blob (statement, 2);
  from.valid_size = (gsize) sqlite3_column_bytes (statement, 2);
  from.data = sqlite3_column_blob (statement, 3);
  from.size = (gsize) sqlite3_column_bytes (statement, 3);

  return encoding != NULL && sqlite3_column_int64 (statement, 0) == load->n_rows &&
         roast_decode_column (load->chunk, column, type, load->n_rows, &from);
}

static void
load_column (Load *load, guint column)
{
  RoastDatabase *database = load->table->file->database;
  sqlite3_stmt *statement = roast_database_prepare (database,
                                                    "SELECT n, encoding, valid, data FROM block WHERE \"table\" = ? "
                                                    "AND \"column\" = ? AND level = 0 AND seq = ?",
                                                    &load->error);
  gboolean good = FALSE;

  if (statement == NULL)
    return;
  sqlite3_bind_int64 (statement, 1, load->table->id);
  sqlite3_bind_int64 (statement, 2, column);
  sqlite3_bind_int64 (statement, 3, (gint64) load->first_row);
  good = roast_database_next (database, statement, &load->error) && decode (load, statement, column);
  if (!good && load->error == NULL)
    g_set_error (&load->error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED,
                 "%s: rows %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " of column “%s” of table “%s” are damaged",
                 load->table->file->path, load->first_row, load->first_row + load->n_rows - 1,
                 roast_column_get_name (roast_table_info_get_column (load->table->info, column)),
                 roast_table_info_get_name (load->table->info));
  sqlite3_reset (statement);
}

static void
load_columns (gpointer data)
{
  Load *load = data;

  for (guint i = 0; i < load->n_columns && load->error == NULL; i++)
    {
      const guint8 *validity = NULL;

      /* Two slots may be bound to one column. */
      if (roast_chunk_peek (load->chunk, load->columns[i], &validity) == NULL)
        load_column (load, load->columns[i]);
    }
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

RoastChunk *
roast_store_table_new_chunk (RoastStoreTable *self, guint64 first_row, guint n_rows)
{
  return roast_chunk_new_stored (self->info, n_rows, G_OBJECT (self), first_row, load_chunk);
}
