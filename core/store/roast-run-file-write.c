/* SPDX-License-Identifier: BSD-3-Clause */

/* Writing a run file. */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "roast-run-file-private.h"
#include "roast-runs-files-private.h"
#include "roast-store-descriptors-private.h"
#include "roast-store-layout-private.h"
#include "roast-store-thread-private.h"
#include "roast/roast-error.h"

#define LOCAL "/var/tmp"

static gboolean
choose_place (RoastRunFile *self, GError **error)
{
  char *local = roast_run_file_move_find_local (self->path, LOCAL);

  if (local == NULL)
    return TRUE;
  if (access (self->path, F_OK) == 0)
    {
      g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot create the run file %s: %s", self->path,
                   g_strerror (EEXIST));
      g_free (local);
      return FALSE;
    }
  self->target = self->path;
  self->path = local;

  return TRUE;
}

/**
 * roast_run_file_create:
 * @path: (type filename): name of the file, such as `….roast`
 * @error: return location for an error
 *
 * Creates a run file that only its owner may read. Writes never wait for the disk. An existing file is not overwritten.
 *
 * If @path is on a network file system, the file grows below /var/tmp, and [method@Roast.RunFile.close] moves it to
 * @path. [method@Roast.RunFile.get_path] returns the current path of the file.
 *
 * Returns: (transfer full): a file that is open for writing; %NULL with %ROAST_STORE_ERROR_OPEN
 *
 * Since: 0.9
 */
RoastRunFile *
roast_run_file_create (const char *path, GError **error)
{
  g_autoptr (RoastRunFile) self = NULL;
  struct flock lock = roast_run_file_make_lock (F_WRLCK);
  int fd = -1;

  g_return_val_if_fail (path != NULL, NULL);

  self = roast_run_file_new (path);
  if (!choose_place (self, error))
    return NULL;
  fd = open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot create the run file %s: %s",
                            self->path, g_strerror (errno));
  roast_runs_files_remove_companions (self->path);
  self->store = roast_store_file_new (self->path, error);
  if (self->store == NULL)
    {
      close (fd);
      unlink (self->path);
      return NULL;
    }
  fcntl (fd, F_OFD_SETLK, &lock);
  roast_store_descriptors_add (fd);
  self->store->fd = fd;
  self->writer = roast_store_writer_new (self->store);

  return g_steal_pointer (&self);
}

/**
 * roast_run_file_set_meta:
 * @self: a file that is open for writing
 * @key: name of the value, such as `command` or `host`
 * @value: (nullable): the value; %NULL removes the key
 *
 * Sets metadata of the file. A program that lists runs can read the metadata quickly, because it need not read the
 * recording.
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
  g_mutex_lock (&self->writer->mutex);
  g_hash_table_insert (self->writer->meta, g_strdup (key), g_strdup (value));
  g_mutex_unlock (&self->writer->mutex);
}

/**
 * roast_run_file_set_memory_bound:
 * @self: a file that is open for writing
 * @bytes: limit in bytes; 64 MiB by default
 *
 * Sets how many bytes of full chunks stay in memory while the file cannot grow. When this limit is reached, only the
 * sums of later chunks are kept.
 *
 * Since: 0.9
 */
void
roast_run_file_set_memory_bound (RoastRunFile *self, gsize bytes)
{
  g_return_if_fail (ROAST_IS_RUN_FILE (self));
  g_return_if_fail (self->writer != NULL);

  g_mutex_lock (&self->writer->mutex);
  self->writer->bound = bytes;
  g_mutex_unlock (&self->writer->mutex);
}

/**
 * roast_run_file_set_max_size:
 * @self: a file that is open for writing
 * @bytes: maximum size of the file; 0, the default, for no limit
 *
 * Limits the size of the file. When the file reaches the limit, roast behaves as if the disk were full: rows stay in
 * memory up to the memory bound, and only the sums of later chunks are kept. When the file is closed, blocks are
 * written up to the limit. Rows of small tables and sums are always written.
 *
 * Since: 0.9
 */
void
roast_run_file_set_max_size (RoastRunFile *self, guint64 bytes)
{
  g_return_if_fail (ROAST_IS_RUN_FILE (self));
  g_return_if_fail (self->writer != NULL);

  g_mutex_lock (&self->writer->mutex);
  self->writer->max_size = bytes;
  g_mutex_unlock (&self->writer->mutex);
}

/**
 * roast_run_file_attach:
 * @self: a file that is open for writing
 * @recording: the recording to follow
 *
 * Makes the file follow a recording, beginning with the first row of the recording. A file can follow only one
 * recording.
 *
 * If the file cannot grow, the run goes on: rows stay in memory up to a bound, and an event of the recording reports
 * the problem.
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
 * @self: a file that is open for writing
 * @error: return location for an error
 *
 * Waits until the file contains all rows that were recorded before this call.
 *
 * Returns: %TRUE if the file contains these rows; %FALSE with %ROAST_STORE_ERROR_WRITE
 *
 * Since: 0.9
 */
gboolean
roast_run_file_flush (RoastRunFile *self, GError **error)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), FALSE);
  g_return_val_if_fail (self->writer != NULL, FALSE);

  return roast_store_thread_call (roast_store_writer_flush, self->writer, error);
}

/**
 * roast_run_file_close:
 * @self: a file
 * @error: return location for an error
 *
 * Writes the remaining data and merges SQLite's log into the file. The recording stays readable, because it loads its
 * rows from the file. Finish the recording first ([method@Roast.Recording.finish]), because later rows do not get into
 * the file.
 *
 * Returns: %TRUE on success; %FALSE with %ROAST_STORE_ERROR_WRITE if data are missing from the file; %FALSE also if all
 * data are in the file (state %ROAST_RUN_FILE_STATE_CLOSED), but roast could not merge the log into the file or move
 * the file to a network file system
 *
 * Since: 0.9
 */
gboolean
roast_run_file_close (RoastRunFile *self, GError **error)
{
  gboolean is_plain = FALSE;

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), FALSE);

  if (self->writer == NULL)
    return TRUE;
  is_plain = roast_store_thread_call (roast_store_writer_close, self->writer, error);
  if (self->writer->is_complete)
    self->state = ROAST_RUN_FILE_STATE_CLOSED;
  if (!is_plain)
    return FALSE;
  if (self->target == NULL || g_atomic_int_get (&self->is_moved))
    return TRUE;
  if (!roast_run_file_move (self->path, self->target, error))
    return FALSE;
  g_atomic_int_set (&self->is_moved, TRUE);

  return TRUE;
}

/* ---- adding facts to a file whose writer was killed ---- */

typedef struct
{
  RoastRunFile *file;
  const char *meta_key;
  const char *meta_value;
  const char *key;
  const char *value; /* value as GVariant text */
} Amendment;

static gboolean
amend (gpointer data, GError **error)
{
  Amendment *request = data;
  g_autoptr (RoastDatabase) database = roast_database_open_again (request->file->path, error);

  if (database == NULL || !roast_database_exec (database, "BEGIN IMMEDIATE", error))
    return FALSE;
  /* A writer that was killed early has not created the tables. */
  if ((roast_store_layout_is_created (database, request->file->path, FALSE) ||
       roast_store_layout_create (database, error)) &&
      roast_database_put (database, ROAST_STORE_SET_META, request->meta_key, request->meta_value, error) &&
      roast_database_put (database, ROAST_STORE_SET_METADATA, request->key, request->value, error) &&
      roast_database_exec (database, "COMMIT", error))
    return TRUE;
  roast_database_exec (database, "ROLLBACK", NULL);

  return FALSE;
}

/**
 * roast_run_file_amend:
 * @self: a file that is open for reading and whose writer was killed
 * @meta_key: a key of the metadata of the file, which lists of runs show
 * @meta_value: the value for @meta_key
 * @key: a key of the metadata of the recording
 * @value: the value for @key, consumed if floating
 * @error: return location for an error
 *
 * Adds facts that became known after the writer was killed, such as how the program ended. Recordings that were already
 * read from @self do not change.
 *
 * Returns: %TRUE if the values were written; %FALSE with an error of the domain #RoastStoreError. The error is
 * %ROAST_STORE_ERROR_WRITE if the writer closed the file or still writes it
 *
 * Since: 0.9
 */
gboolean
roast_run_file_amend (RoastRunFile *self, const char *meta_key, const char *meta_value, const char *key,
                      GVariant *value, GError **error)
{
  g_autoptr (GVariant) held = NULL;
  g_autofree char *text = NULL;
  Amendment request = { self, meta_key, meta_value, key, NULL };

  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), FALSE);
  g_return_val_if_fail (meta_key != NULL && meta_value != NULL && key != NULL && value != NULL, FALSE);

  held = g_variant_ref_sink (value);
  if (self->writer != NULL || self->state != ROAST_RUN_FILE_STATE_INTERRUPTED)
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE,
                       "cannot change %s: only a run file of an interrupted recording can be changed", self->path);
  request.value = text = g_variant_print (held, TRUE);

  return roast_store_thread_call (amend, &request, error);
}
