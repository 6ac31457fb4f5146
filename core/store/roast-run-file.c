/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-run-file.h"

#include "roast/roast-error.h"

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
};

G_DEFINE_FINAL_TYPE (RoastRunFile, roast_run_file, G_TYPE_OBJECT)

static void
roast_run_file_finalize (GObject *object)
{
  RoastRunFile *self = ROAST_RUN_FILE (object);

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
}

static RoastRunFile *
refuse (GError **error)
{
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "run files cannot be used yet: they are being built");

  return NULL;
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
  g_return_val_if_fail (path != NULL, NULL);

  return refuse (error);
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

  return FALSE;
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

  return FALSE;
}

/**
 * roast_run_file_get_lag:
 * @self: a file that is written
 *
 * Gets how far the file is behind the recording.
 *
 * Returns: time in µs since the file last had all rows; 0 if nothing is missing
 *
 * Since: 0.9
 */
gint64
roast_run_file_get_lag (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), 0);

  return 0;
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

  return -1;
}

/**
 * roast_run_file_dup_problem:
 * @self: a file that is written
 *
 * Gets why the file does not grow at present.
 *
 * Returns: (transfer full) (nullable): a sentence; %NULL if it does
 *
 * Since: 0.9
 */
char *
roast_run_file_dup_problem (RoastRunFile *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);

  return NULL;
}

/* ---- reading ---- */

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
  g_return_val_if_fail (path != NULL, NULL);

  return refuse (error);
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

  return ROAST_RUN_FILE_STATE_CLOSED;
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

  return -1;
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
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);

  return NULL;
}

/**
 * roast_recording_open:
 * @path: (type filename): name of a run file
 * @error: return location for an error
 *
 * Reads a recording from a run file: [ctor@Roast.RunFile.open] and [method@Roast.RunFile.read] in one.
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
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return NULL;
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
  g_return_val_if_fail (ROAST_IS_RUN_FILE (self), NULL);

  return g_new0 (char *, 1);
}
