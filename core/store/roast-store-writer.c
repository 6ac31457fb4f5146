/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-writer-private.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/roast-fail-private.h"
#include "recording/roast-recording-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

#define FIRST 250                /* ms until the first transaction, unless the run ends earlier */
#define INTERVAL 1000            /* ms between two transactions */
#define HASTE ((gsize) 4 << 20)  /* when full chunks have this many bytes, a transaction begins at once */
#define BOUND ((gsize) 64 << 20) /* default limit in bytes of rows that stay in memory if the file cannot grow */
#define SYNC_AFTER (60 * G_USEC_PER_SEC) /* µs; transactions wait for the disk if the run is older */
#define MAX_DELAY (30 * G_USEC_PER_SEC)  /* longest delay before a failed transaction is tried again */
#define PAGE 4096
#define RESERVE G_GUINT64_CONSTANT (1 << 20)      /* bytes of a limited file that are kept for the final transaction */
#define MAX_PAGES G_GUINT64_CONSTANT (4294967294) /* maximum number of pages that SQLite allows */

static gboolean
hurry (gpointer data)
{
  RoastStoreWriter *self = data;

  g_atomic_int_set (&self->hurry, FALSE);
  if (self->timer != NULL)
    g_source_set_ready_time (self->timer, 0);

  return G_SOURCE_REMOVE;
}

/* Count a chunk that became full. The caller holds the lock of the table. */
static void
on_full (gpointer data, gsize memory)
{
  RoastStoreWriter *self = data;

  if (g_atomic_pointer_add (&self->n_full, (gssize) memory) + (gssize) memory < (gssize) HASTE)
    return;
  if (g_atomic_int_compare_and_exchange (&self->hurry, FALSE, TRUE))
    roast_store_thread_post (hurry, self);
}

/* When the run has become long, make transactions wait for the disk, so that a crash of the machine does not destroy
 * the file. */
static void
set_sync (RoastStoreWriter *self)
{
  if (self->is_synced || g_get_monotonic_time () - self->started < SYNC_AFTER)
    return;
  self->is_synced = roast_database_exec (self->file->database, "PRAGMA synchronous = NORMAL", NULL);
}

static gboolean
begin_file (RoastStoreWriter *self, GError **error)
{
  if (!self->is_begun)
    self->is_begun = roast_store_layout_begin (self->file->fd, self->file->path, error);

  return self->is_begun;
}

/* Connect to the file. Use a log (WAL mode), with which transactions are cheap and readers do not wait, unless the
 * final transaction is the only transaction. */
static gboolean
connect_database (RoastStoreWriter *self, gboolean end, GError **error)
{
  RoastDatabase *database = self->file->database;

  if (!begin_file (self, error))
    return FALSE;
  if (database == NULL)
    {
      g_autoptr (RoastDatabase) new_one = roast_database_create (self->file->path, error);

      if (new_one == NULL || !roast_database_exec (new_one, "PRAGMA synchronous = OFF", error))
        return FALSE;
      database = new_one;
      roast_store_file_take_database (self->file, g_steal_pointer (&new_one));
    }
  if (!end && !self->is_logged)
    {
      if (!roast_database_exec (database, "PRAGMA journal_mode = WAL", error))
        return FALSE;
      self->is_logged = TRUE;
    }

  return TRUE;
}

/* Return the maximum number of pages before the final transaction; 0 for no limit. Set @reserve to the number of bytes
 * kept for the final transaction. */
static guint64
get_limit (RoastStoreWriter *self, guint64 *reserve)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  *reserve = MIN (self->max_size / 16, RESERVE);

  return (self->max_size - *reserve + PAGE - 1) / PAGE;
}

/* Set the page limit in SQLite. SQLite gets no limit for the final transaction, because that transaction must close the
 * file. A file that is not closed looks as if roast had been killed. */
static gboolean
set_limit (RoastStoreWriter *self, RoastStoreEnd *end, GError **error)
{
  g_autofree char *sql = NULL;
  guint64 reserve = 0;
  guint64 pages = end != NULL ? 0 : get_limit (self, &reserve);

  if (pages == self->pages)
    return TRUE;
  sql = g_strdup_printf ("PRAGMA max_page_count = %" G_GUINT64_FORMAT, pages > 0 ? pages : MAX_PAGES);
  self->pages = pages;

  return roast_database_exec (self->file->database, sql, error);
}

/* ---- a file that cannot grow, or can grow again ---- */

static void
store_writer_add_event (RoastStoreWriter *self, RoastSeverity severity, const char *message)
{
  g_debug ("%s", message);
  if (self->recording != NULL)
    roast_recording_add_event (self->recording, NULL, -1, severity, "run-file", message);
}

char *
roast_store_describe_missing (gint64 since, gboolean by_limit)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (since / G_USEC_PER_SEC);
  g_autofree char *when = utc != NULL ? g_date_time_format (utc, "%F %T UTC") : g_strdup ("an unknown time");

  return g_strdup_printf ("%s: only sums of rows from %s on are kept",
                          by_limit ? "the run file was at its size limit when the run ended"
                                   : "the run file could not grow, and the memory for its rows was used up",
                          when);
}

/* Add a gap for each table with dropped rows, because the report of this process lacks these rows, too. */
static void
add_gaps (RoastStoreWriter *self)
{
  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastStoredTable *table = g_ptr_array_index (self->tables, i);

      if (roast_stored_table_lacks_rows (table))
        roast_recording_add_gap (self->recording, roast_table_get_name (roast_stored_table_get_table (table)), -1,
                                 FALSE, ROAST_STORE_GAP_MEMORY);
    }
}

static void
store_writer_give_up (RoastStoreWriter *self)
{
  gsize memory = 0;
  gsize bound = 0;
  gint64 since = -1;
  g_autofree char *message = NULL;

  g_mutex_lock (&self->mutex);
  bound = self->bound;
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->tables->len; i++)
    roast_stored_table_give_up (g_ptr_array_index (self->tables, i), &memory, bound, &since);
  if (since < 0)
    return;
  self->gave_up = TRUE;
  add_gaps (self);
  if (self->missing_since >= 0)
    return;
  roast_store_set_missing_since (self, since);
  message = roast_store_describe_missing (since, FALSE);
  store_writer_add_event (self, ROAST_SEVERITY_ERROR, message);
}

#define ROOM ((guint64) 1 << 20) /* a disk with less free space, in bytes, is regarded as full */

/* Return whether the file reached its size limit. Check the free space of the disk, because SQLite reports the same
 * error if the disk is full. */
static gboolean
has_reached_limit (RoastStoreWriter *self, const GError *error)
{
  struct statvfs disk;

  return self->pages > 0 && strstr (error->message, sqlite3_errstr (SQLITE_FULL)) != NULL &&
         statvfs (self->file->path, &disk) == 0 && (guint64) disk.f_bavail * disk.f_frsize > ROOM;
}

static char *
store_writer_explain (RoastStoreWriter *self, const GError *error)
{
  guint64 limit;

  if (!has_reached_limit (self, error))
    return g_strdup_printf ("the run file cannot grow: %s", error->message);
  g_mutex_lock (&self->mutex);
  limit = self->max_size;
  g_mutex_unlock (&self->mutex);

  return g_strdup_printf ("the run file has reached its size limit of %.4g MB", (double) limit / 1e6);
}

static void
report_growth (RoastStoreWriter *self, const GError *error)
{
  g_autofree char *message = NULL;

  if (error == NULL && !self->is_stuck)
    return;
  if (error == NULL)
    {
      self->is_stuck = FALSE;
      roast_store_file_set_problem (self->file, NULL);
      store_writer_add_event (self, ROAST_SEVERITY_INFO, "the run file grows again");
      return;
    }
  roast_store_file_set_problem (self->file, error->message);
  if (!self->is_stuck)
    {
      g_autofree char *reason = store_writer_explain (self, error);

      message = g_strdup_printf ("%s; the run goes on, and rows stay in memory", reason);
      store_writer_add_event (self, ROAST_SEVERITY_WARNING, message);
    }
  self->is_stuck = TRUE;
  store_writer_give_up (self);
}

/* ---- transactions ---- */

static gboolean
write_and_report (RoastStoreWriter *self, RoastStoreEnd *end, GError **error)
{
  GError *local = NULL;

  if (self->is_closed)
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE, "%s: the file is closed", self->file->path);
  if (connect_database (self, end != NULL, &local) && set_limit (self, end, &local))
    {
      set_sync (self);
      if (roast_store_transact (self, on_full, end, &local))
        {
          /* Report that the file grows again, unless the final transaction succeeded only because it has no limit. */
          self->delay = 0;
          if (end == NULL || end->max_pages == 0)
            report_growth (self, NULL);
          else
            roast_store_file_set_problem (self->file, NULL);
          return TRUE;
        }
    }
  report_growth (self, local);
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

  /* Do not retry a failed transaction every second, because each attempt compresses all rows in memory again. */
  if (self->delay > 0 && g_get_monotonic_time () < self->retry_at)
    store_writer_give_up (self);
  else
    write_and_report (self, NULL, NULL);
  if (self->timer != NULL)
    g_source_set_ready_time (self->timer, g_get_monotonic_time () + INTERVAL * 1000);

  return G_SOURCE_CONTINUE;
}

/* Create the database. Ignore an error, because the first transaction tries again and reports its own error. */
static gboolean
store_writer_start (gpointer data)
{
  begin_file (data, NULL);

  return G_SOURCE_REMOVE;
}

static gboolean
stop (gpointer data, GError **error)
{
  RoastStoreWriter *self = data;

  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);

  return TRUE;
}

typedef struct
{
  RoastStoreWriter *self;
  RoastRecording *recording;
} Attachment;

static gboolean
attach (gpointer data, GError **error)
{
  Attachment *attachment = data;
  RoastStoreWriter *self = attachment->self;

  self->recording = g_object_ref (attachment->recording);
  self->timer = g_timeout_source_new (FIRST);
  g_source_set_callback (self->timer, on_timer, self, NULL);
  g_source_attach (self->timer, g_main_context_get_thread_default ());

  return TRUE;
}

gboolean
roast_store_writer_flush (gpointer self, GError **error)
{
  return write_and_report (self, NULL, error);
}

gboolean
roast_store_writer_close (gpointer data, GError **error)
{
  RoastStoreWriter *self = data;
  guint64 reserve = 0;
  RoastStoreEnd end = { .max_pages = get_limit (self, &reserve), .missing_since = -1 };
  RoastDatabase *database = NULL;
  gboolean is_plain = FALSE;

  end.more_pages = reserve / 2 / PAGE;
  stop (self, NULL);
  if (self->is_closed)
    return TRUE;
  is_plain = self->is_complete = write_and_report (self, &end, error);
  if (is_plain && self->is_logged && !roast_store_layout_finish (self->file->database, error))
    {
      is_plain = FALSE;
      g_prefix_error (error, "the file has all rows, but still needs its companion “-wal” or “-journal”: ");
      /* Reopen the file, because the report of this process still reads rows from it. */
      database = roast_database_open (self->file->path, FALSE, NULL);
      if (database != NULL)
        roast_store_file_take_database (self->file, database);
    }
  self->is_closed = TRUE;
  g_ptr_array_set_size (self->tables, 0);

  return is_plain;
}

/* ---- from any thread ---- */

RoastStoreWriter *
roast_store_writer_new (RoastStoreFile *file)
{
  RoastStoreWriter *self = g_new0 (RoastStoreWriter, 1);

  self->file = g_atomic_rc_box_acquire (file);
  self->encoder = roast_encoder_new ();
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) roast_stored_table_free);
  self->written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->started = g_get_monotonic_time ();
  self->reach = self->missing_since = -1;
  self->bound = BOUND;
  g_mutex_init (&self->mutex);
  roast_store_thread_post (store_writer_start, self);

  return self;
}

void
roast_store_writer_free (RoastStoreWriter *self)
{
  roast_store_thread_call (stop, self, NULL);
  g_ptr_array_unref (self->tables);
  /* Call stop () once more, to wait for a transaction that a table has requested in the meantime. */
  roast_store_thread_call (stop, self, NULL);
  g_hash_table_unref (self->written);
  g_hash_table_unref (self->meta);
  roast_encoder_free (self->encoder);
  g_clear_object (&self->recording);
  g_mutex_clear (&self->mutex);
  roast_store_file_unref (self->file);
  g_free (self);
}

void
roast_store_writer_attach (RoastStoreWriter *self, RoastRecording *recording)
{
  Attachment attachment = { self, recording };

  roast_store_thread_call (attach, &attachment, NULL);
}

gint64
roast_store_writer_get_time (RoastStoreWriter *self, const gint64 *time)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return *time;
}
