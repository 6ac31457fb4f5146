/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-run-file-private.h"

#include "base/roast-type-private.h"
#include "roast-store-layout-private.h"

/**
 * RoastRunFile:
 *
 * The file that stores the recording of one run, during and after the run.
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
 * After [method@Roast.RunFile.attach] the file follows the recording, at most two seconds behind. If the process is
 * killed, at most the rows of the last two seconds before its end are missing. Rows that are in the file are removed
 * from memory; readers load these rows from the file block by block.
 *
 * While a file grows, SQLite keeps two more files beside it, its companions: `PATH-wal` and `PATH-shm`. A closed file
 * has no companions, so it can be copied and moved. docs/store.md explains the format.
 *
 * All functions may be called from any thread, but not in a process that was forked after the first run file was
 * opened.
 *
 * Since: 0.9
 */

ROAST_DEFINE_TYPE (RoastRunFile, roast_run_file)

static void
roast_run_file_release (RoastRunFile *self)
{
  g_clear_pointer (&self->writer, roast_store_writer_free);
  g_clear_pointer (&self->store, roast_store_file_unref);
  g_hash_table_unref (self->meta);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self->target);
}

static void
roast_run_file_init (RoastRunFile *self)
{
  g_mutex_init (&self->mutex);
  self->meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

RoastRunFile *
roast_run_file_new (const char *path)
{
  RoastRunFile *self = g_object_new (ROAST_TYPE_RUN_FILE, NULL);

  self->path = g_canonicalize_filename (path, NULL);

  return self;
}

struct flock
roast_run_file_make_lock (short type)
{
  return (struct flock) { .l_type = type, .l_whence = SEEK_SET, .l_start = ROAST_RUN_FILE_LOCK_AT, .l_len = 1 };
}

gint64
roast_run_file_lookup_time (RoastRunFile *self, const char *key)
{
  const char *text = g_hash_table_lookup (self->meta, key);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : -1;
}

static gint64
run_file_get_time (RoastRunFile *self, const char *key)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return roast_run_file_lookup_time (self, key);
}

/**
 * roast_run_file_get_missing_since:
 * @self: a file
 *
 * Gets the time after which rows are missing from the file. Rows are missing if the file could not grow and the memory
 * bound was reached.
 *
 * Returns: the time in µs since the epoch; -1 if no rows are missing
 *
 * Since: 0.9
 */
gint64
roast_run_file_get_missing_since (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), -1);

  return self->writer != NULL ? roast_store_writer_get_time (self->writer, &self->writer->missing_since)
                              : run_file_get_time (self, ROAST_STORE_META_MISSING);
}

/**
 * roast_run_file_dup_problem:
 * @self: a file
 *
 * Gets the current problem of the file: the reason why the file cannot grow, or why some rows could not be read. The
 * cells of rows that could not be read are missing.
 *
 * Returns: (transfer full) (nullable): a sentence; %NULL if nothing is wrong
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (RunFile, RUN_FILE, char *, roast_run_file_dup_problem, NULL,
                     roast_store_file_dup_problem (self->store))

/**
 * roast_run_file_get_state:
 * @self: a file
 *
 * Gets the state of the file: closed, interrupted, or growing.
 *
 * Returns: the state that the file had when it was opened
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (RunFile, RUN_FILE, RoastRunFileState, roast_run_file_get_state, ROAST_RUN_FILE_STATE_CLOSED,
                     self->state)

/**
 * roast_run_file_get_reach:
 * @self: a file
 *
 * Gets the time up to which the file has data. The file contains all rows that were recorded before this time.
 *
 * Returns: the time in µs since the epoch; -1 if nothing has been recorded
 *
 * Since: 0.9
 */
gint64
roast_run_file_get_reach (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), -1);

  return self->writer != NULL ? roast_store_writer_get_time (self->writer, &self->writer->reach)
                              : run_file_get_time (self, ROAST_STORE_META_REACH);
}

/**
 * roast_run_file_get_path:
 * @self: a file
 *
 * Gets the current path of the file. A file for a network file system is in a local directory until it is closed.
 *
 * Returns: (transfer none) (type filename): the path
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (RunFile, RUN_FILE, const char *, roast_run_file_get_path, NULL,
                     g_atomic_int_get (&self->is_moved) ? self->target : self->path)

/**
 * roast_run_file_dup_meta:
 * @self: a file
 * @key: name of the value
 *
 * Gets a metadata value of the file.
 *
 * Returns: (transfer full) (nullable): the value; %NULL if the key has no value
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
