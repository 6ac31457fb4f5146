/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-runs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "base/roast-settings-private.h"
#include "base/roast-type-private.h"
#include "roast-runs-files-private.h"
#include "roast-runs-place-private.h"
#include "roast/roast-error.h"

struct _RoastRuns
{
  GObject parent_instance;

  char *directory;
  char *reason;
  gboolean private; /* the directory of runs is below a world-writable directory */
  guint max_runs;
  guint64 max_size;
  guint64 max_run_size;
  GHashTable *locks; /* maps the path of each run that this process writes to the descriptor of its lock */
};

/**
 * RoastRuns:
 *
 * The directory that keeps the files of runs.
 *
 * The environment variable `ROAST_RUNS` sets the directory. The default is `$XDG_STATE_HOME/roast/runs`. If this
 * directory is on a network file system, the default is a directory below /var/tmp, and [method@Roast.Runs.get_reason]
 * says why. The oldest runs are removed when the number or the size of all runs exceeds the limits in the user's
 * settings (by default 100 runs and 1 GB). Runs that are being written are never removed.
 *
 * ```c
 * g_autoptr (RoastRuns) runs = roast_runs_new (&error);
 * g_autofree char *path = roast_runs_begin (runs, &error);
 * g_autoptr (RoastRunFile) file = roast_run_file_create (path, &error);
 * …
 * roast_run_file_close (file, &error);
 * roast_runs_end (runs, path);
 * ```
 *
 * Any number of processes may write runs at the same time.
 *
 * Since: 0.9
 */
ROAST_DEFINE_TYPE (RoastRuns, roast_runs)

static void
roast_runs_release (RoastRuns *self)
{
  GHashTableIter iter;
  gpointer lock = NULL;

  /* Close the descriptors of the locks but keep the lock files, which mark runs as interrupted because roast_runs_end
   * () was not called. */
  g_hash_table_iter_init (&iter, self->locks);
  while (g_hash_table_iter_next (&iter, NULL, &lock))
    close (GPOINTER_TO_INT (lock));
  g_hash_table_unref (self->locks);
  g_free (self->directory);
  g_free (self->reason);
}

static void
roast_runs_init (RoastRuns *self)
{
  self->locks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * roast_runs_new:
 * @error: return location for an error
 *
 * Finds the directory of this user's runs. Does not create the directory.
 *
 * Returns: (transfer full): the runs; %NULL with an error of the domain #RoastOptionError if the settings cannot be
 * used
 *
 * Since: 0.9
 */
RoastRuns *
roast_runs_new (GError **error)
{
  const RoastSettings *settings = roast_settings_get (error);
  const char *wanted = g_getenv ("ROAST_RUNS");
  RoastRuns *self = NULL;

  if (settings == NULL)
    return NULL;
  self = g_object_new (ROAST_TYPE_RUNS, NULL);
  self->max_runs = settings->max_runs;
  self->max_size = settings->max_size;
  self->max_run_size = settings->max_run_size;
  if (wanted != NULL && *wanted != '\0')
    self->directory = g_canonicalize_filename (wanted, NULL);
  else
    {
      g_autofree char *state = roast_runs_place_dup_state ();

      self->directory = roast_runs_place_choose (state, "/var/tmp", &self->reason);
    }
  self->private = self->reason != NULL;

  return self;
}

/**
 * roast_runs_get_directory:
 * @self: the runs
 *
 * Gets the directory that keeps the runs.
 *
 * Returns: (transfer none) (type filename): the directory, which may not exist yet
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Runs, RUNS, const char *, roast_runs_get_directory, NULL, self->directory)

/**
 * roast_runs_get_reason:
 * @self: the runs
 *
 * Gets the reason why the runs are not in the default directory.
 *
 * Returns: (transfer none) (nullable): a sentence; %NULL if the runs are in the default directory, or if `ROAST_RUNS`
 * is set
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Runs, RUNS, const char *, roast_runs_get_reason, NULL, self->reason)

/**
 * roast_runs_get_max_run_size:
 * @self: the runs
 *
 * Gets the maximum size of the file of one run, for [method@Roast.RunFile.set_max_size].
 *
 * Returns: size in bytes, from the user's settings; 200 MB by default
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Runs, RUNS, guint64, roast_runs_get_max_run_size, 0, self->max_run_size)

/* ---- reading ---- */

/**
 * roast_runs_list:
 * @self: the runs
 * @error: return location for an error
 *
 * Lists the files of all runs, including runs that are being written or were interrupted.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the files, the newest first; %NULL with
 * %ROAST_STORE_ERROR_OPEN
 *
 * Since: 0.9
 */
char **
roast_runs_list (RoastRuns *self, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  char **paths = NULL;

  g_return_val_if_fail (ROAST_IS_RUNS (self), NULL);

  names = roast_runs_files_list (self->directory, error);
  if (names == NULL)
    return NULL;
  paths = g_new0 (char *, names->len + 1);
  for (guint i = 0; i < names->len; i++)
    paths[i] = g_build_filename (self->directory, g_ptr_array_index (names, names->len - 1 - i), NULL);

  return paths;
}

static gboolean
matches (const char *name, const char *wanted)
{
  g_autofree char *stem = g_strndup (name, ROAST_RUNS_FILES_STEM);

  return g_str_has_prefix (name, wanted) || g_str_has_prefix (stem + ROAST_RUNS_FILES_ID, wanted);
}

/* Parse "last" or "last~2". Set @before to the number of runs that are newer than the named run. */
static gboolean
parse_last (const char *name, guint64 *before)
{
  *before = 0;
  if (g_str_equal (name, "last"))
    return TRUE;

  return g_str_has_prefix (name, "last~") && g_ascii_string_to_unsigned (name + 5, 10, 0, G_MAXUINT32, before, NULL);
}

static char *
runs_refuse (RoastRuns *self, GError **error, const char *what, const char *advice)
{
  return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "%s in %s; %s", what, self->directory,
                          advice);
}

static char *
find_by_name (RoastRuns *self, char **paths, const char *name, GError **error)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autofree char *what = NULL;
  const char *last = NULL;
  guint n = 0;

  for (guint i = 0; *name != '\0' && paths[i] != NULL; i++)
    {
      const char *base = strrchr (paths[i], '/') + 1;

      if (!matches (base, name))
        continue;
      g_string_append_printf (found, "%s%.*s", n > 0 ? ", " : "", (int) (ROAST_RUNS_FILES_STEM), base);
      last = paths[i];
      n++;
    }
  if (n == 1)
    return g_strdup (last);
  if (n == 0)
    {
      what = g_strdup_printf ("“%s” is neither a file nor a run", name);
      return runs_refuse (self, error, what, "“roast-report list” shows the runs");
    }
  what = g_strdup_printf ("“%s” matches %u runs", name, n);
  g_string_append (found, ". Type more of the name");

  return runs_refuse (self, error, what, found->str);
}

/**
 * roast_runs_find:
 * @self: the runs
 * @name: (type filename): a path, `last`, `last~1` for the run before the last, an ID, or the beginning of an ID or of
 * a file name
 * @error: return location for an error
 *
 * Finds a run.
 *
 * Returns: (transfer full) (type filename): the file of the run; %NULL with %ROAST_STORE_ERROR_OPEN if no run or
 * several runs match
 *
 * Since: 0.9
 */
char *
roast_runs_find (RoastRuns *self, const char *name, GError **error)
{
  g_auto (GStrv) paths = NULL;
  guint64 before = 0;
  gboolean is_last;
  g_autofree char *what = NULL;

  g_return_val_if_fail (ROAST_IS_RUNS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  is_last = parse_last (name, &before);
  if (!is_last && g_file_test (name, G_FILE_TEST_EXISTS))
    return g_strdup (name);
  paths = roast_runs_list (self, error);
  if (paths == NULL)
    return NULL;
  if (paths[0] == NULL)
    return runs_refuse (self, error, "there are no runs", "“roast-run -- PROGRAM” records a run");
  if (!is_last)
    return find_by_name (self, paths, name, error);
  if (before < g_strv_length (paths))
    return g_strdup (paths[before]);
  what = g_strdup_printf ("there is no run %s: only %u runs are kept", name, g_strv_length (paths));

  return runs_refuse (self, error, what, "“roast-report list” shows the runs");
}

/* ---- writing ---- */

/* Make the name of a run from the time. The ID at its end is the fraction of the second, so names in alphabetical order
 * are in the order of time, and equal names are unlikely. */
static char *
make_name (gint64 now)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (now / G_USEC_PER_SEC);
  g_autofree char *text = g_date_time_format (time, "%Y%m%d-%H%M%S");

  return g_strdup_printf ("%s-%04x.roast", text, (guint) (now % G_USEC_PER_SEC * 65536 / G_USEC_PER_SEC));
}

static gboolean
has_id (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (strcmp ((const char *) g_ptr_array_index (names, i) + ROAST_RUNS_FILES_ID, name + ROAST_RUNS_FILES_ID) == 0)
      return TRUE;

  return FALSE;
}

static char *
reserve (RoastRuns *self, GError **error)
{
  g_autoptr (GPtrArray) names = roast_runs_files_list (self->directory, error);
  gint64 now = g_get_real_time ();

  if (names == NULL)
    return NULL;
  roast_runs_files_prune (self->directory, self->max_runs, self->max_size, 1);
  for (guint i = 0; i < 1000; i++, now += 16)
    {
      g_autofree char *name = make_name (now);
      g_autofree char *path = g_build_filename (self->directory, name, NULL);
      int lock;

      if (has_id (names, name) || roast_runs_is_locked (path))
        continue;
      lock = roast_runs_lock_run (path, error);
      if (lock < 0)
        return NULL;
      g_hash_table_insert (self->locks, g_strdup (path), GINT_TO_POINTER (lock));
      return g_steal_pointer (&path);
    }
  return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                          "there is no free name for a run in %s: remove some runs with “roast-report remove”",
                          self->directory);
}

/**
 * roast_runs_mark_scratch:
 * @self: the runs
 * @path: (type filename): path that roast_runs_begin() returned
 * @owner: ID of a process that may need the file even if the calling process is killed
 *
 * Marks the file as temporary. If this process is killed before it removes the file, a later run removes the file after
 * @owner has ended.
 *
 * Since: 0.9
 */
void
roast_runs_mark_scratch (RoastRuns *self, const char *path, gint64 owner)
{
  gpointer lock = NULL;

  g_return_if_fail (ROAST_IS_RUNS (self));
  g_return_if_fail (path != NULL);

  if (g_hash_table_lookup_extended (self->locks, path, NULL, &lock))
    roast_runs_lock_mark (GPOINTER_TO_INT (lock), (pid_t) owner);
}

/**
 * roast_runs_begin:
 * @self: the runs
 * @error: return location for an error
 *
 * Reserves the name of a new run, and removes old runs to make room.
 *
 * Returns: (transfer full) (type filename): the file, which does not exist yet; %NULL with %ROAST_STORE_ERROR_OPEN
 *
 * Since: 0.9
 */
char *
roast_runs_begin (RoastRuns *self, GError **error)
{
  char *path = NULL;
  int lock;

  g_return_val_if_fail (ROAST_IS_RUNS (self), NULL);

  if (!roast_runs_place_make (self->directory, self->private, error))
    return NULL;
  lock = roast_runs_lock_directory (self->directory, error);
  if (lock < 0)
    return NULL;
  path = reserve (self, error);
  close (lock);

  return path;
}

/**
 * roast_runs_end:
 * @self: the runs
 * @path: (type filename): path that [method@Roast.Runs.begin] returned
 *
 * Marks the file as complete. If the runs exceed the limits, the oldest runs are removed.
 *
 * Since: 0.9
 */
void
roast_runs_end (RoastRuns *self, const char *path)
{
  gpointer run_lock = NULL;
  int lock;

  g_return_if_fail (ROAST_IS_RUNS (self));
  g_return_if_fail (path != NULL);

  if (!g_hash_table_lookup_extended (self->locks, path, NULL, &run_lock))
    return;
  lock = roast_runs_lock_directory (self->directory, NULL);
  roast_runs_unlock_run (path, GPOINTER_TO_INT (run_lock));
  g_hash_table_remove (self->locks, path);
  if (lock < 0)
    return;
  roast_runs_files_prune (self->directory, self->max_runs, self->max_size, 0);
  close (lock);
}

/* ---- removing ---- */

/**
 * roast_runs_remove:
 * @self: the runs
 * @path: (type filename): the file of a run, in this directory
 * @error: return location for an error
 *
 * Removes a run permanently.
 *
 * Returns: %TRUE if the run was removed; %FALSE with %ROAST_STORE_ERROR_OPEN if the run is being written, is not in
 * this directory, or cannot be removed
 *
 * Since: 0.9
 */
gboolean
roast_runs_remove (RoastRuns *self, const char *path, GError **error)
{
  g_autofree char *directory = NULL;
  g_autofree char *name = NULL;
  const char *problem = NULL;
  int lock;

  g_return_val_if_fail (ROAST_IS_RUNS (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  directory = g_path_get_dirname (path);
  name = g_path_get_basename (path);
  if (!g_str_equal (directory, self->directory) || !roast_runs_files_is_name (name))
    return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                       "cannot remove %s: this file is not a run in %s. Remove the file with the command rm", path,
                       self->directory);
  lock = roast_runs_lock_directory (self->directory, error);
  if (lock < 0)
    return FALSE;
  if (roast_runs_is_locked (path))
    problem = "the run is still in progress; wait until the run ends";
  else if (!roast_runs_files_remove (path))
    problem = g_strerror (errno);
  close (lock);
  if (problem == NULL)
    return TRUE;
  return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot remove %s: %s", path, problem);
}
