/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-writer-private.h"

#include "roast-store-layout-private.h"
#include "roast-store-table-private.h"
#include "roast-store-thread-private.h"
#include "roast-store-writing-private.h"
#include "roast/roast-error.h"

#define FIRST 250                        /* ms until the first transaction: a shorter run needs one only, its end */
#define INTERVAL 1000                    /* ms between two transactions */
#define HASTE ((gsize) 4 << 20)          /* bytes of full chunks that are not waited for */
#define BOUND ((gsize) 64 << 20)         /* bytes of rows that stay in memory if the file cannot grow */
#define SYNC_AFTER (60 * G_USEC_PER_SEC) /* a shorter run does not wait for the disk */
#define MAX_DELAY (30 * G_USEC_PER_SEC)  /* until a transaction that failed is tried again */
#define PAGE 4096
#define RESERVE G_GUINT64_CONSTANT (1 << 20)      /* bytes that a file with a limit keeps for its end */
#define MAX_PAGES G_GUINT64_CONSTANT (4294967294) /* SQLite's own limit */

/* Something that is done in the store's thread. */
typedef struct
{
  RoastStoreWriter *self;
  RoastRecording *recording;
  gboolean success;
  GError *error;
} Request;

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
begin_file (RoastStoreWriter *self, GError **error)
{
  if (!self->is_begun)
    self->is_begun =
        roast_store_layout_begin (roast_store_file_get_fd (self->file), roast_store_file_get_path (self->file), error);

  return self->is_begun;
}

/* What is written at once, at its end, needs no log. */
static gboolean
connect_database (RoastStoreWriter *self, gboolean end, GError **error)
{
  RoastDatabase *database = roast_store_file_get_database (self->file);

  if (!begin_file (self, error))
    return FALSE;
  if (database == NULL)
    {
      g_autoptr (RoastDatabase) new_one = roast_database_create (roast_store_file_get_path (self->file), error);

      if (new_one == NULL || !roast_database_exec (new_one, "PRAGMA synchronous = OFF", error))
        return FALSE;
      database = new_one;
      roast_store_file_take_database (self->file, g_steal_pointer (&new_one));
    }
  if (!end && !self->is_logged)
    {
      if (!roast_store_layout_set_log (database, error))
        return FALSE;
      self->is_logged = TRUE;
    }

  return TRUE;
}

/* Bytes of a file with a limit that are kept for its end. */
static guint64
get_reserve (RoastStoreWriter *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return MIN (self->max_size / 16, RESERVE);
}

/* Pages for all but the end, which needs some more; 0 for any number. */
static guint64
get_limit (RoastStoreWriter *self)
{
  guint64 reserve = get_reserve (self);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return (self->max_size - reserve + PAGE - 1) / PAGE;
}

/* The end is written in any case: a file that is not closed looks as if roast had been killed. */
static gboolean
set_limit (RoastStoreWriter *self, RoastStoreEnd *end, GError **error)
{
  g_autofree char *sql = NULL;
  guint64 pages = end != NULL ? 0 : get_limit (self);

  if (pages == self->pages)
    return TRUE;
  sql = g_strdup_printf ("PRAGMA max_page_count = %" G_GUINT64_FORMAT, pages > 0 ? pages : MAX_PAGES);
  self->pages = pages;

  return roast_database_exec (roast_store_file_get_database (self->file), sql, error);
}

static gboolean
write_and_report (RoastStoreWriter *self, RoastStoreEnd *end, GError **error)
{
  GError *local = NULL;

  if (self->is_closed)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE, "%s: the file is closed",
                   roast_store_file_get_path (self->file));
      return FALSE;
    }
  if (connect_database (self, end != NULL, &local) && set_limit (self, end, &local))
    {
      set_sync (self);
      if (roast_store_transact (self, on_full, end, &local))
        {
          /* The end of a file that has reached its limit does not grow again. */
          self->delay = 0;
          if (end == NULL || end->max_pages == 0)
            roast_store_report_growth (self, NULL);
          else
            roast_store_file_set_problem (self->file, NULL);
          return TRUE;
        }
    }
  roast_store_report_growth (self, local);
  g_propagate_error (error, local);
  self->delay = CLAMP (2 * self->delay, G_USEC_PER_SEC, MAX_DELAY);
  self->retry_at = g_get_monotonic_time () + self->delay;

  return FALSE;
}

/* ---- in the store's thread ---- */

static gboolean
on_timer (gpointer data)
{
  RoastStoreWriter *self = data;

  /* What failed is not tried each second, since that compresses all rows in memory again. */
  if (self->delay > 0 && g_get_monotonic_time () < self->retry_at)
    roast_store_give_up (self);
  else
    write_and_report (self, NULL, NULL);
  if (self->timer != NULL)
    g_source_set_ready_time (self->timer, g_get_monotonic_time () + INTERVAL * 1000);

  return G_SOURCE_CONTINUE;
}

/* An error is reported by the first transaction, which tries again. */
static void
start (gpointer data)
{
  begin_file (data, NULL);
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
  self->timer = roast_store_thread_add_timer (FIRST, on_timer, self);
}

static void
flush (gpointer data)
{
  Request *request = data;

  request->success = write_and_report (request->self, NULL, &request->error);
}

/* The rows are all there, but not in one plain file. They are needed for the report of this process. */
static void
connect_again (RoastStoreWriter *self)
{
  RoastDatabase *database = roast_database_open (roast_store_file_get_path (self->file), FALSE, NULL);

  if (database != NULL)
    roast_store_file_take_database (self->file, database);
}

static void
close_file (gpointer data)
{
  Request *request = data;
  RoastStoreWriter *self = request->self;
  RoastStoreEnd end = { .max_pages = get_limit (self),
                        .more_pages = get_reserve (self) / 2 / PAGE,
                        .missing_since = -1 };

  stop (self);
  if (self->is_closed)
    {
      request->success = TRUE;
      return;
    }
  request->success = self->is_complete = write_and_report (self, &end, &request->error);
  if (request->success && self->is_logged &&
      !roast_store_layout_finish (roast_store_file_get_database (self->file), &request->error))
    {
      request->success = FALSE;
      g_prefix_error (&request->error,
                      "all rows are there, but the files “-wal” or “-journal” beside it belong to it: ");
      connect_again (self);
    }
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
  self->written = roast_store_new_pairs ();
  self->meta = roast_store_new_pairs ();
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

gboolean
roast_store_writer_is_complete (RoastStoreWriter *self)
{
  return self->is_complete;
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
