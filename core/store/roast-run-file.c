/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-run-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "roast-store-layout-private.h"
#include "roast-store-reader-private.h"
#include "roast-store-thread-private.h"
#include "roast-store-writer-private.h"
#include "roast/roast-error.h"

#define LOCK_AT (G_GINT64_CONSTANT (1) << 62) /* where no database has its locks */

/**
 * RoastRunFile:
 *
 * The file of one run: a recording while it grows, and afterwards.
 *
 * ```c
 * g_autoptr (RoastRunFile) file = roast_run_file_create ("analysis.roast", &error);
 *
 * roast_run_file_set_meta (file, "command", "make -j8");
 * roast_run_file_attach (file, recording);
 * …
 * roast_run_file_close (file, &error);
 *
 * g_autoptr (RoastRecording) again = roast_recording_open ("analysis.roast", &error);
 * ```
 *
 * From [method@Roast.RunFile.attach] on the file follows the recording, at most two seconds behind: if the process is
 * killed, what is older is in the file. What is in the file leaves memory, and readers get it back from there block by
 * block.
 *
 * A file that grows has two companions, `PATH-wal` and `PATH-shm`; a closed one has none, and may be copied and moved.
 * docs/store.md explains the format.
 *
 * Everything may be used from any thread, but not in a process that was forked after the first run file was opened.
 *
 * Since: 0.9
 */
struct _RoastRunFile
{
  GObject parent_instance;

  char *path;
  RoastStoreFile *store;
  RoastStoreWriter *writer; /* NULL if it is read */
  gboolean is_attached;
  gint64 created; /* µs since the epoch */

  GMutex mutex;     /* of what follows */
  GHashTable *meta; /* key to text */
  RoastRunFileState state;
};

G_DEFINE_FINAL_TYPE (RoastRunFile, roast_run_file, G_TYPE_OBJECT)

static void
roast_run_file_finalize (GObject *object)
{
  RoastRunFile *self = ROAST_RUN_FILE (object);

  g_clear_pointer (&self->writer, roast_store_writer_free);
  g_clear_object (&self->store);
  g_hash_table_unref (self->meta);
  g_mutex_clear (&self->mutex);
  g_free (self->path);

  G_OBJECT_CLASS (roast_run_file_parent_class)->finalize (object);
}

static void
roast_run_file_class_init (RoastRunFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_run_file_finalize;
}

static void
roast_run_file_init (RoastRunFile *self)
{
  g_mutex_init (&self->mutex);
  self->meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static RoastRunFile *
new_file (const char *path)
{
  RoastRunFile *self = g_object_new (ROAST_TYPE_RUN_FILE, NULL);

  self->path = g_canonicalize_filename (path, NULL);

  return self;
}

/* A writer holds this lock, so that readers know whether it is still there. It belongs to the open file, not to the
 * process, unlike the locks of SQLite. */
static struct flock
make_lock (short type)
{
  return (struct flock) { .l_type = type, .l_whence = SEEK_SET, .l_start = LOCK_AT, .l_len = 1 };
}

/* A time in the metadata; -1 if there is none. */
static gint64
lookup_time (RoastRunFile *self, const char *key)
{
  const char *text = g_hash_table_lookup (self->meta, key);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : -1;
}

static gint64
get_time (RoastRunFile *self, const char *key)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return lookup_time (self, key);
}

/* ---- writing ---- */

/**
 * roast_run_file_create:
 * @path: (type filename): name of the file, as `….roast`
 * @error: return location for an error
 *
 * Creates a run file, which only its owner may read. Nothing waits for the disk. A file that exists is not overwritten.
 *
 * Returns: (transfer full): a file to be written; %NULL with %ROAST_STORE_ERROR_OPEN
 *
 * Since: 0.9
 */
RoastRunFile *
roast_run_file_create (const char *path, GError **error)
{
  g_autoptr (RoastRunFile) self = NULL;
  struct flock lock = make_lock (F_WRLCK);
  int fd = -1;

  g_return_val_if_fail (path != NULL, NULL);

  self = new_file (path);
  fd = open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot create the run file %s: %s", self->path,
                   g_strerror (errno));
      return NULL;
    }
  self->store = roast_store_file_new (self->path, error);
  if (self->store == NULL)
    {
      close (fd);
      unlink (self->path);
      return NULL;
    }
  fcntl (fd, F_OFD_SETLK, &lock);
  roast_store_file_take_fd (self->store, fd);
  self->created = g_get_real_time ();
  self->writer = roast_store_writer_new (self->store);

  return g_steal_pointer (&self);
}

/**
 * roast_run_file_set_meta:
 * @self: a file that is written
 * @key: what the value is, as `command` or `host`
 * @value: (nullable): its value; %NULL removes the key
 *
 * Sets metadata of the file. It can be read without the recording, so that runs are listed and compared quickly.
 *
 * Since: 0.9
 */
void
roast_run_file_set_meta (RoastRunFile *self, const char *key, const char *value)
{
  g_return_if_fail (ROAST_IS_RUN_FILE (self));
  g_return_if_fail (key != NULL);
  g_return_if_fail (self->writer != NULL);

  g_mutex_lock (&self->mutex);
  if (value != NULL)
    g_hash_table_insert (self->meta, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (self->meta, key);
  g_mutex_unlock (&self->mutex);
  roast_store_writer_set_meta (self->writer, key, value);
}

/**
 * roast_run_file_set_memory_bound:
 * @self: a file that is written
 * @bytes: how much memory; 64 MiB by default
 *
 * Sets how many bytes of full chunks stay in memory while the file cannot grow. Beyond it, of later chunks only the
 * sums are kept.
 *
 * Since: 0.9
 */
void
roast_run_file_set_memory_bound (RoastRunFile *self, gsize bytes)
{
  g_return_if_fail (ROAST_IS_RUN_FILE (self));
  g_return_if_fail (self->writer != NULL);

  roast_store_writer_set_bound (self->writer, bytes);
}

/**
 * roast_run_file_set_max_size:
 * @self: a file that is written
 * @bytes: the size of the file; 0 for no limit, as by default
 *
 * Limits the file. When it is full, it cannot grow, as if the disk were full: rows stay in memory up to its bound, and
 * of later chunks only the sums are kept. What is in memory at the end is written in any case.
 *
 * Since: 0.9
 */
void
roast_run_file_set_max_size (RoastRunFile *self, guint64 bytes)
{
  g_return_if_fail (ROAST_IS_RUN_FILE (self));
  g_return_if_fail (self->writer != NULL);

  roast_store_writer_set_max_size (self->writer, bytes);
}

/**
 * roast_run_file_attach:
 * @self: a file that is written
 * @recording: the recording to follow
 *
 * Lets the file follow a recording, from its first row on. A file follows one recording only.
 *
 * If the file cannot grow, the run goes on: rows stay in memory up to a bound, and an event of the recording says what
 * happened.
 *
 * Since: 0.9
 */
void
roast_run_file_attach (RoastRunFile *self, RoastRecording *recording)
{
  g_return_if_fail (ROAST_IS_RUN_FILE (self));
  g_return_if_fail (ROAST_IS_RECORDING (recording));
  g_return_if_fail (self->writer != NULL && !self->is_attached);

  self->is_attached = TRUE;
  roast_store_writer_attach (self->writer, recording);
}

/**
 * roast_run_file_flush:
 * @self: a file that is written
 * @error: return location for an error
 *
 * Waits until all rows that were written before this call are in the file.
 *
 * Returns: %FALSE with %ROAST_STORE_ERROR_WRITE
 *
 * Since: 0.9
 */
gboolean
roast_run_file_flush (RoastRunFile *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), FALSE);
  g_return_val_if_fail (self->writer != NULL, FALSE);

  return roast_store_writer_flush (self->writer, error);
}

/**
 * roast_run_file_close:
 * @self: a file
 * @error: return location for an error
 *
 * Writes all that is left and makes one plain file of it. The recording can still be read, from the file; it should be
 * finished ([method@Roast.Recording.finish]), since rows that come later are not in the file.
 *
 * Returns: %FALSE with %ROAST_STORE_ERROR_WRITE if something is not in the file
 *
 * Since: 0.9
 */
gboolean
roast_run_file_close (RoastRunFile *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), FALSE);

  if (self->writer == NULL)
    return TRUE;
  if (!roast_store_writer_close (self->writer, error))
    return FALSE;
  self->state = ROAST_RUN_FILE_STATE_CLOSED;

  return TRUE;
}

/**
 * roast_run_file_get_lag:
 * @self: a file that is written
 *
 * Gets how far the file is behind the recording.
 *
 * Returns: time in µs since the file had all rows; 0 if it is closed
 *
 * Since: 0.9
 */
gint64
roast_run_file_get_lag (RoastRunFile *self)
{
  gint64 reach = 0;

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), 0);

  if (self->writer == NULL || !self->is_attached || self->state == ROAST_RUN_FILE_STATE_CLOSED)
    return 0;
  reach = roast_store_writer_get_reach (self->writer);

  return MAX (g_get_real_time () - MAX (reach, self->created), 0);
}

/**
 * roast_run_file_get_missing_since:
 * @self: a file
 *
 * Gets from when on rows are missing, because the file could not grow and memory was used up.
 *
 * Returns: the time in µs since the epoch; -1 if no rows are missing
 *
 * Since: 0.9
 */
gint64
roast_run_file_get_missing_since (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), -1);

  return self->writer != NULL ? roast_store_writer_get_missing_since (self->writer)
                              : get_time (self, ROAST_STORE_META_MISSING);
}

/**
 * roast_run_file_dup_problem:
 * @self: a file
 *
 * Gets why the file does not grow at present, or why some of its rows could not be read, so that their cells are
 * missing.
 *
 * Returns: (transfer full) (nullable): a sentence; %NULL if nothing is wrong
 *
 * Since: 0.9
 */
char *
roast_run_file_dup_problem (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);

  return roast_store_file_dup_problem (self->store);
}

/* ---- reading ---- */

/* What is there before SQLite looks at it; whether a writer holds the file. */
static gboolean
examine (RoastRunFile *self, GError **error)
{
  static const char magic[16] = "SQLite format 3";
  struct flock lock = make_lock (F_WRLCK);
  char start[sizeof magic];
  gssize n = 0;
  int fd = open (self->path, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot open the run file %s: %s", self->path,
                   g_strerror (errno));
      return FALSE;
    }
  roast_store_file_take_fd (self->store, fd);
  n = read (fd, start, sizeof start);
  if (n < (gssize) sizeof start || memcmp (start, magic, sizeof magic) != 0)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_FOREIGN, "%s is not a run file%s", self->path,
                   n == 0 ? ": it is empty" : "");
      return FALSE;
    }
  if (fcntl (fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
    self->state = ROAST_RUN_FILE_STATE_GROWING;
  else
    self->state = ROAST_RUN_FILE_STATE_INTERRUPTED;

  return TRUE;
}

static void
check_state (RoastRunFile *self)
{
  if (g_strcmp0 (g_hash_table_lookup (self->meta, ROAST_STORE_META_STATE), "closed") == 0)
    self->state = ROAST_RUN_FILE_STATE_CLOSED;
}

/**
 * roast_run_file_open:
 * @path: (type filename): name of the file
 * @error: return location for an error
 *
 * Opens a run file to read it, also while another process writes it.
 *
 * Returns: (transfer full): the file; %NULL with an error of the domain #RoastStoreError
 *
 * Since: 0.9
 */
RoastRunFile *
roast_run_file_open (const char *path, GError **error)
{
  g_autoptr (RoastRunFile) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = new_file (path);
  self->store = roast_store_file_new (self->path, error);
  if (self->store == NULL || !examine (self, error) || !roast_store_reader_open (self->store, self->meta, error))
    return NULL;
  check_state (self);

  return g_steal_pointer (&self);
}

/**
 * roast_run_file_get_state:
 * @self: a file
 *
 * Gets whether the file is complete.
 *
 * Returns: its state when it was opened
 *
 * Since: 0.9
 */
RoastRunFileState
roast_run_file_get_state (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), ROAST_RUN_FILE_STATE_CLOSED);

  return self->state;
}

/**
 * roast_run_file_get_reach:
 * @self: a file
 *
 * Gets how far its data reach: all rows that were written before that time are in the file.
 *
 * Returns: the time in µs since the epoch; -1 if nothing has been recorded
 *
 * Since: 0.9
 */
gint64
roast_run_file_get_reach (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), -1);

  return self->writer != NULL ? roast_store_writer_get_reach (self->writer) : get_time (self, ROAST_STORE_META_REACH);
}

/* An event that says how far the data of an incomplete file reach, which is also the end of the run as it is there. */
static void
report_reach (RoastRunFile *self, RoastRecording *recording)
{
  gboolean is_growing = self->state == ROAST_RUN_FILE_STATE_GROWING;
  gint64 reach = lookup_time (self, ROAST_STORE_META_REACH);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (MAX (reach, 0) / G_USEC_PER_SEC);
  g_autofree char *time = reach >= 0 ? g_date_time_format (utc, "%F %T") : NULL;
  g_autofree char *message = NULL;
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);

  if (time == NULL)
    message = g_strdup ("the recording ended before anything was written into its file");
  else
    message =
        g_strdup_printf ("%s: its data reach until %s.%03d UTC",
                         is_growing ? "the run goes on" : "the recording ended early, since its writer was killed",
                         time, (int) (reach % G_USEC_PER_SEC / 1000));
  roast_recording_add_event (recording, NULL, reach, is_growing ? ROAST_SEVERITY_INFO : ROAST_SEVERITY_WARNING,
                             "run-file", message);
  if (reach >= 0 && !g_variant_lookup (metadata, "ended", "x", NULL))
    roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (reach));
}

/**
 * roast_run_file_read:
 * @self: a file
 * @error: return location for an error
 *
 * Makes a recording of what is in the file now. Its rows are read when they are needed, block by block, so the file
 * must stay where it is. If the file is not complete, an event of the recording says how far its data reach.
 *
 * Returns: (transfer full): a finished recording; %NULL with an error of the domain #RoastStoreError
 *
 * Since: 0.9
 */
RoastRecording *
roast_run_file_read (RoastRunFile *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  RoastRecording *recording = NULL;

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);
  g_return_val_if_fail (self->writer == NULL, NULL);

  locker = g_mutex_locker_new (&self->mutex);
  recording = roast_store_reader_read (self->store, self->meta, error);
  if (recording == NULL)
    return NULL;
  check_state (self);
  if (self->state != ROAST_RUN_FILE_STATE_CLOSED)
    report_reach (self, recording);
  roast_recording_finish (recording);

  return recording;
}

/**
 * roast_recording_open:
 * @path: (type filename): name of a run file
 * @error: return location for an error
 *
 * Reads a recording from a run file: [func@Roast.RunFile.open] and [method@Roast.RunFile.read] in one.
 *
 * Returns: (transfer full): a finished recording; %NULL with an error of the domain #RoastStoreError
 *
 * Since: 0.9
 */
RoastRecording *
roast_recording_open (const char *path, GError **error)
{
  g_autoptr (RoastRunFile) file = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  file = roast_run_file_open (path, error);

  return file != NULL ? roast_run_file_read (file, error) : NULL;
}

/* ---- both ---- */

/**
 * roast_run_file_get_path:
 * @self: a file
 *
 * Gets where the file is.
 *
 * Returns: (transfer none) (type filename): its name
 *
 * Since: 0.9
 */
const char *
roast_run_file_get_path (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);

  return self->path;
}

/**
 * roast_run_file_dup_meta:
 * @self: a file
 * @key: what the value is
 *
 * Gets metadata of the file.
 *
 * Returns: (transfer full) (nullable): the value; %NULL if there is none
 *
 * Since: 0.9
 */
char *
roast_run_file_dup_meta (RoastRunFile *self, const char *key)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  locker = g_mutex_locker_new (&self->mutex);

  return g_strdup (g_hash_table_lookup (self->meta, key));
}

/**
 * roast_run_file_dup_meta_keys:
 * @self: a file
 *
 * Lists the keys of the metadata.
 *
 * Returns: (transfer full): the keys, sorted
 *
 * Since: 0.9
 */
char **
roast_run_file_dup_meta_keys (RoastRunFile *self)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (GList) keys = NULL;
  g_autoptr (GPtrArray) list = NULL;

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);
  keys = g_list_sort (g_hash_table_get_keys (self->meta), (GCompareFunc) g_strcmp0);
  list = g_ptr_array_new ();
  for (GList *l = keys; l != NULL; l = l->next)
    if (!g_str_has_prefix (l->data, ROAST_STORE_META_OWN))
      g_ptr_array_add (list, g_strdup (l->data));
  g_ptr_array_add (list, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}
