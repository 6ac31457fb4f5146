/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-writer-private.h"

#include <string.h>

#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-table-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"
#include "roast/roast-format.h"
#include "table/roast-schema-private.h"

#define INTERVAL 1000                    /* ms between two transactions */
#define HASTE ((gsize) 4 << 20)          /* bytes of full chunks that are not waited for */
#define BOUND ((gsize) 64 << 20)         /* bytes of rows that stay in memory if the file cannot grow */
#define SYNC_AFTER (60 * G_USEC_PER_SEC) /* a shorter run does not wait for the disk */

struct _RoastStoreWriter
{
  RoastStoreFile *file;
  RoastRecording *recording;
  RoastEncoder *encoder;
  GPtrArray *tables;   /* RoastStoredTable */
  GHashTable *written; /* metadata of the recording as it is in the file: key to text */
  GSource *timer;
  gint64 started;
  gboolean is_synced;
  gboolean is_laid_out;
  gboolean has_schema;
  gboolean is_closed;
  guint64 pages;     /* that the file may have; 0 for any number */
  gboolean is_stuck; /* the last transaction failed, and the recording has an event about it */

  gint hurry;    /* atomic: a transaction has been asked for */
  gssize n_full; /* atomic: bytes of chunks that became full since the last transaction */

  GMutex mutex;     /* of what follows */
  GHashTable *meta; /* key to text, or to NULL for one that was removed, since the last transaction */
  gint64 reach;
  gint64 missing_since;
  gsize bound;
  guint64 max_size;
};

/* Something that is done in the store's thread. */
typedef struct
{
  RoastStoreWriter *self;
  RoastRecording *recording;
  gboolean success;
  GError *error;
} Request;

/* ---- what the file says of itself ---- */

static gboolean
write_pair (RoastStoreWriter *self, const char *sql, const char *key, const char *value, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (self->file);
  sqlite3_stmt *statement = roast_database_prepare (database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, key, -1, SQLITE_TRANSIENT);
  if (value != NULL)
    sqlite3_bind_text (statement, 2, value, -1, SQLITE_TRANSIENT);

  return roast_database_run (database, statement, error);
}

static gboolean
write_meta (RoastStoreWriter *self, const char *key, const char *value, GError **error)
{
  return write_pair (self, value != NULL ? ROAST_STORE_SET_META : ROAST_STORE_REMOVE_META, key, value, error);
}

static gboolean
write_time (RoastStoreWriter *self, const char *key, gint64 time, GError **error)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, time);

  return write_meta (self, key, value, error);
}

static gboolean
write_all_meta (RoastStoreWriter *self, GHashTable *meta, GError **error)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;

  g_hash_table_iter_init (&iter, meta);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!write_meta (self, key, value, error))
      return FALSE;

  return TRUE;
}

/* Metadata of the recording, as text of GVariant. */
static gboolean
write_metadata (RoastStoreWriter *self, GHashTable *written, GError **error)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  g_variant_iter_init (&iter, metadata);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      g_autofree char *text = g_variant_print (value, TRUE);

      if (g_strcmp0 (g_hash_table_lookup (self->written, key), text) == 0)
        continue;
      if (!write_pair (self, ROAST_STORE_SET_METADATA, key, text, error))
        {
          g_variant_unref (value);
          return FALSE;
        }
      g_hash_table_insert (written, g_strdup (key), g_steal_pointer (&text));
    }

  return TRUE;
}

static gboolean
write_schema (RoastStoreWriter *self, GError **error)
{
  GPtrArray *texts = roast_schema_get_texts (roast_recording_get_schema (self->recording));

  for (guint i = 0; i < texts->len; i++)
    {
      const RoastSchemaText *text = g_ptr_array_index (texts, i);
      gsize size = 0;
      const char *data = g_bytes_get_data (text->data, &size);
      g_autofree char *copy = g_strndup (data, size);

      if (!write_pair (self, "INSERT INTO schema VALUES (?, ?)", text->origin, copy, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- transactions ---- */

static void
hurry (gpointer data)
{
  RoastStoreWriter *self = data;

  g_atomic_int_set (&self->hurry, FALSE);
  if (self->timer != NULL)
    g_source_set_ready_time (self->timer, 0);
}

/* Under the lock of a table. */
static void
on_full (gpointer data, gsize memory)
{
  RoastStoreWriter *self = data;

  if (g_atomic_pointer_add (&self->n_full, (gssize) memory) + (gssize) memory < (gssize) HASTE)
    return;
  if (g_atomic_int_compare_and_exchange (&self->hurry, FALSE, TRUE))
    roast_store_thread_post (hurry, self);
}

static gboolean
is_known (RoastStoreWriter *self, RoastTable *table)
{
  for (guint i = 0; i < self->tables->len; i++)
    if (roast_stored_table_get_table (g_ptr_array_index (self->tables, i)) == table)
      return TRUE;

  return FALSE;
}

/* Tables that are new in the recording. */
static void
add_tables (RoastStoreWriter *self)
{
  g_autoptr (GPtrArray) tables = roast_recording_list_tables (self->recording);

  for (guint i = 0; i < tables->len; i++)
    if (!is_known (self, g_ptr_array_index (tables, i)))
      g_ptr_array_add (self->tables, roast_stored_table_new (self->file, g_ptr_array_index (tables, i),
                                                             self->tables->len + 1, on_full, self));
}

static gboolean
write_all (RoastStoreWriter *self, GHashTable *meta, GHashTable *written, gint64 reach, gboolean end, GError **error)
{
  if (!self->is_laid_out && !roast_store_layout_create (roast_store_file_get_database (self->file), error))
    return FALSE;
  if (!write_all_meta (self, meta, error) ||
      !write_meta (self, ROAST_STORE_META_STATE, end ? "closed" : "growing", error))
    return FALSE;
  if (self->missing_since >= 0 && !write_time (self, ROAST_STORE_META_MISSING, self->missing_since, error))
    return FALSE;
  if (self->recording == NULL)
    return TRUE;
  if (!self->has_schema && !write_schema (self, error))
    return FALSE;
  if (!write_metadata (self, written, error))
    return FALSE;
  for (guint i = 0; i < self->tables->len; i++)
    if (!roast_stored_table_write (g_ptr_array_index (self->tables, i), self->encoder, end, error))
      return FALSE;

  return write_time (self, ROAST_STORE_META_REACH, reach, error);
}

static void
merge (gpointer key, gpointer value, gpointer to)
{
  if (!g_hash_table_contains (to, key))
    g_hash_table_insert (to, g_strdup (key), g_strdup (value));
}

static void
copy_pair (gpointer key, gpointer value, gpointer to)
{
  g_hash_table_insert (to, g_strdup (key), g_strdup (value));
}

static GHashTable *
new_pairs (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static GHashTable *
take_meta (RoastStoreWriter *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GHashTable *meta = self->meta;

  self->meta = new_pairs ();

  return meta;
}

static void
set_reach (RoastStoreWriter *self, gint64 reach)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->reach = reach;
}

static void
undo (RoastStoreWriter *self, GHashTable *meta)
{
  roast_database_exec (roast_store_file_get_database (self->file), "ROLLBACK", NULL);
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_rollback (g_ptr_array_index (self->tables, i));
  g_mutex_lock (&self->mutex);
  g_hash_table_foreach (meta, merge, self->meta);
  g_mutex_unlock (&self->mutex);
}

static gboolean
transact (RoastStoreWriter *self, gboolean end, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (self->file);
  g_autoptr (GHashTable) meta = take_meta (self);
  g_autoptr (GHashTable) written = new_pairs ();
  gint64 reach = g_get_real_time ();

  g_atomic_pointer_set (&self->n_full, 0);
  if (self->recording != NULL)
    add_tables (self);
  if (!roast_database_exec (database, "BEGIN IMMEDIATE", error) ||
      !write_all (self, meta, written, reach, end, error) || !roast_database_exec (database, "COMMIT", error))
    {
      undo (self, meta);
      return FALSE;
    }
  self->is_laid_out = TRUE;
  self->has_schema = self->recording != NULL;
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_commit (g_ptr_array_index (self->tables, i));
  g_hash_table_foreach (written, copy_pair, self->written);
  if (self->recording != NULL)
    set_reach (self, reach);

  return TRUE;
}

/* ---- a file that cannot grow ---- */

static void
add_event (RoastStoreWriter *self, RoastSeverity severity, const char *message)
{
  g_debug ("%s", message);
  if (self->recording != NULL)
    roast_recording_add_event (self->recording, NULL, -1, severity, "run-file", message);
}

static char *
format_time (gint64 time)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (time / G_USEC_PER_SEC);

  return g_date_time_format (utc, "%F %T UTC");
}

static void
give_up (RoastStoreWriter *self)
{
  gsize memory = 0;
  gsize bound = 0;
  gint64 since = -1;
  g_autofree char *when = NULL;
  g_autofree char *message = NULL;

  g_mutex_lock (&self->mutex);
  bound = self->bound;
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->tables->len; i++)
    {
      gint64 first = roast_stored_table_give_up (g_ptr_array_index (self->tables, i), &memory, bound);

      if (first >= 0)
        since = since < 0 ? first : MIN (since, first);
    }
  if (since < 0 || self->missing_since >= 0)
    return;
  g_mutex_lock (&self->mutex);
  self->missing_since = since;
  g_mutex_unlock (&self->mutex);
  when = format_time (since);
  message =
      g_strdup_printf ("the run file cannot grow, and the memory for its rows is used up: of rows from %s on, only "
                       "sums are kept",
                       when);
  add_event (self, ROAST_SEVERITY_ERROR, message);
}

static void
report (RoastStoreWriter *self, const GError *error)
{
  g_autofree char *message = NULL;

  if (error == NULL && !self->is_stuck)
    return;
  if (error == NULL)
    {
      self->is_stuck = FALSE;
      roast_store_file_set_problem (self->file, NULL);
      add_event (self, ROAST_SEVERITY_INFO, "the run file grows again");
      return;
    }
  roast_store_file_set_problem (self->file, error->message);
  if (!self->is_stuck)
    {
      message =
          g_strdup_printf ("the run file cannot grow: %s; the run goes on, and rows stay in memory", error->message);
      add_event (self, ROAST_SEVERITY_WARNING, message);
    }
  self->is_stuck = TRUE;
  give_up (self);
}

/* After some time an outage of the machine should not take the file with it. */
static void
set_sync (RoastStoreWriter *self)
{
  if (self->is_synced || g_get_monotonic_time () - self->started < SYNC_AFTER)
    return;
  self->is_synced =
      roast_database_exec (roast_store_file_get_database (self->file), "PRAGMA synchronous = NORMAL", NULL);
}

static gboolean
connect_database (RoastStoreWriter *self, GError **error)
{
  g_autoptr (RoastDatabase) database = NULL;

  if (roast_store_file_get_database (self->file) != NULL)
    return TRUE;
  database = roast_database_create (roast_store_file_get_path (self->file), error);
  if (database == NULL || !roast_store_layout_prepare (database, error))
    return FALSE;
  roast_store_file_take_database (self->file, g_steal_pointer (&database));

  return TRUE;
}

#define PAGE 4096
#define MAX_PAGES G_GUINT64_CONSTANT (4294967294) /* SQLite's own limit */

/* The end is written in any case: a file that is not closed looks as if roast had been killed. */
static gboolean
set_limit (RoastStoreWriter *self, gboolean end, GError **error)
{
  g_autofree char *sql = NULL;
  guint64 pages;

  g_mutex_lock (&self->mutex);
  pages = end ? 0 : (self->max_size + PAGE - 1) / PAGE;
  g_mutex_unlock (&self->mutex);
  if (pages == self->pages)
    return TRUE;
  sql = g_strdup_printf ("PRAGMA max_page_count = %" G_GUINT64_FORMAT, pages > 0 ? pages : MAX_PAGES);
  self->pages = pages;

  return roast_database_exec (roast_store_file_get_database (self->file), sql, error);
}

static gboolean
write_and_report (RoastStoreWriter *self, gboolean end, GError **error)
{
  GError *local = NULL;

  if (self->is_closed)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE, "%s: the file is closed",
                   roast_store_file_get_path (self->file));
      return FALSE;
    }
  if (connect_database (self, &local) && set_limit (self, end, &local))
    {
      set_sync (self);
      if (transact (self, end, &local))
        {
          /* The end of a file that has reached its limit does not grow again. */
          if (!end || self->max_size == 0)
            report (self, NULL);
          else
            roast_store_file_set_problem (self->file, NULL);
          return TRUE;
        }
    }
  report (self, local);
  g_propagate_error (error, local);

  return FALSE;
}

/* ---- in the store's thread ---- */

static gboolean
on_timer (gpointer data)
{
  RoastStoreWriter *self = data;

  write_and_report (self, FALSE, NULL);
  if (self->timer != NULL)
    g_source_set_ready_time (self->timer, g_get_monotonic_time () + INTERVAL * 1000);

  return G_SOURCE_CONTINUE;
}

/* An error is reported by the first transaction, which tries again. */
static void
start (gpointer data)
{
  connect_database (data, NULL);
}

static void
stop (gpointer data)
{
  RoastStoreWriter *self = data;

  if (self->timer == NULL)
    return;
  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

static void
attach (gpointer data)
{
  Request *request = data;
  RoastStoreWriter *self = request->self;

  self->recording = g_object_ref (request->recording);
  write_and_report (self, FALSE, NULL);
  self->timer = roast_store_thread_add_timer (INTERVAL, on_timer, self);
}

static void
flush (gpointer data)
{
  Request *request = data;

  request->success = write_and_report (request->self, FALSE, &request->error);
}

static void
close_file (gpointer data)
{
  Request *request = data;
  RoastStoreWriter *self = request->self;

  stop (self);
  if (self->is_closed)
    {
      request->success = TRUE;
      return;
    }
  request->success = write_and_report (self, TRUE, &request->error) &&
                     roast_store_layout_finish (roast_store_file_get_database (self->file), &request->error);
  self->is_closed = TRUE;
  g_ptr_array_set_size (self->tables, 0);
}

/* ---- from any thread ---- */

RoastStoreWriter *
roast_store_writer_new (RoastStoreFile *file)
{
  RoastStoreWriter *self = g_new0 (RoastStoreWriter, 1);

  self->file = g_object_ref (file);
  self->encoder = roast_encoder_new ();
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_stored_table_free);
  self->written = new_pairs ();
  self->meta = new_pairs ();
  self->started = g_get_monotonic_time ();
  self->reach = self->missing_since = -1;
  self->bound = BOUND;
  g_mutex_init (&self->mutex);
  roast_store_thread_post (start, self);

  return self;
}

void
roast_store_writer_free (RoastStoreWriter *self)
{
  roast_store_thread_call (stop, self);
  g_ptr_array_unref (self->tables);
  /* A transaction that a table has asked for since then. */
  roast_store_thread_call (stop, self);
  g_hash_table_unref (self->written);
  g_hash_table_unref (self->meta);
  roast_encoder_free (self->encoder);
  g_clear_object (&self->recording);
  g_mutex_clear (&self->mutex);
  g_object_unref (self->file);
  g_free (self);
}

void
roast_store_writer_attach (RoastStoreWriter *self, RoastRecording *recording)
{
  Request request = { .self = self, .recording = recording };

  roast_store_thread_call (attach, &request);
}

void
roast_store_writer_set_meta (RoastStoreWriter *self, const char *key, const char *value)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_hash_table_insert (self->meta, g_strdup (key), g_strdup (value));
}

gboolean
roast_store_writer_flush (RoastStoreWriter *self, GError **error)
{
  Request request = { .self = self };

  roast_store_thread_call (flush, &request);
  if (request.error != NULL)
    g_propagate_error (error, request.error);

  return request.success;
}

gboolean
roast_store_writer_close (RoastStoreWriter *self, GError **error)
{
  Request request = { .self = self };

  roast_store_thread_call (close_file, &request);
  if (request.error != NULL)
    g_propagate_error (error, request.error);

  return request.success;
}

gint64
roast_store_writer_get_reach (RoastStoreWriter *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->reach;
}

gint64
roast_store_writer_get_missing_since (RoastStoreWriter *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->missing_since;
}

void
roast_store_writer_set_bound (RoastStoreWriter *self, gsize bound)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->bound = bound;
}

void
roast_store_writer_set_max_size (RoastStoreWriter *self, guint64 size)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->max_size = size;
}
