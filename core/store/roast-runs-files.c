/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-runs-files-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "base/roast-suggest-private.h"
#include "roast/roast-error.h"

#define NAME_PATTERN "dddddddd-dddddd-xxxx" ROAST_RUNS_FILES_SUFFIX
#define NAME_LENGTH (sizeof NAME_PATTERN - 1)

gboolean
roast_runs_files_is_name (const char *name)
{
  if (strlen (name) != NAME_LENGTH)
    return FALSE;
  for (guint i = 0; i < NAME_LENGTH; i++)
    if (NAME_PATTERN[i] == 'd'   ? !g_ascii_isdigit (name[i])
        : NAME_PATTERN[i] == 'x' ? !g_ascii_isxdigit (name[i])
                                 : name[i] != NAME_PATTERN[i])
      return FALSE;

  return TRUE;
}

GPtrArray *
roast_runs_files_list (const char *path, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) directory = g_dir_open (path, 0, &local);
  const char *name = NULL;

  if (directory == NULL && !g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return roast_fail_null (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
                            "cannot list the runs: %s. Correct the permissions of the directory, or set ROAST_RUNS to "
                            "another "
                            "directory",
                            local->message);
  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    if (roast_runs_files_is_name (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, roast_compare_names);

  return g_steal_pointer (&names);
}

/* Suffixes of a run file and of the two companions that it has while it grows. */
static const char *const companions[] = { "", "-wal", "-shm" };

/* Return the disk usage of a run with its companions. Look up only companions that are in @seen, the companions that
 * exist, because few of the up to a hundred runs have companions. */
static guint64
size_of (int directory, const char *name, GHashTable *seen)
{
  guint64 size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (companions); i++)
    {
      g_autofree char *file = g_strconcat (name, companions[i], NULL);
      struct stat info;

      if ((i == 0 || g_hash_table_contains (seen, file)) && fstatat (directory, file, &info, AT_SYMLINK_NOFOLLOW) == 0)
        size += (guint64) info.st_blocks * 512;
    }

  return size;
}

/* Remove the files of a run whose suffix in companions has an index of at least @first; index 0 is the run file. */
static gboolean
remove_from (const char *path, guint first)
{
  int problem = 0;

  for (guint i = first; i < G_N_ELEMENTS (companions); i++)
    {
      g_autofree char *file = g_strconcat (path, companions[i], NULL);

      if (g_unlink (file) != 0 && (i == 0 || errno != ENOENT))
        problem = problem != 0 ? problem : errno;
    }
  errno = problem;

  return problem == 0;
}

gboolean
roast_runs_files_remove (const char *path)
{
  return remove_from (path, 0);
}

gboolean
roast_runs_files_remove_companions (const char *path)
{
  return remove_from (path, 1);
}

/* ---- locks ---- */

#define RUNS_FILES_PATIENCE 500 /* maximum number of tries to get the lock, one each 10 ms */

static int
runs_files_fail (const char *path, int code, GError **error)
{
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
               "cannot lock %s: %s. Set ROAST_RUNS to another directory", path, g_strerror (code));

  return -1;
}

int
roast_runs_lock_directory (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, ".lock", NULL);
  int lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (lock < 0)
    return runs_files_fail (path, errno, error);
  for (guint i = 0; i < RUNS_FILES_PATIENCE; i++)
    {
      if (flock (lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
      if (errno != EWOULDBLOCK && errno != EINTR)
        {
          runs_files_fail (path, errno, error);
          close (lock);
          return -1;
        }
      g_usleep (10000);
    }
  close (lock);
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
               "another process has locked %s for %d seconds. Find out whether a process of roast is stopped, or set "
               "ROAST_RUNS to another directory",
               path, RUNS_FILES_PATIENCE / 100);

  return -1;
}

static char *
name_lock (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *lock = g_strdup_printf (".%s.lock", name);

  return g_build_filename (directory, lock, NULL);
}

int
roast_runs_lock_run (const char *path, GError **error)
{
  g_autofree char *name = name_lock (path);
  int lock = open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (lock < 0)
    return runs_files_fail (name, errno, error);
  if (flock (lock, LOCK_EX | LOCK_NB) == 0)
    return lock;
  runs_files_fail (name, errno, error);
  g_unlink (name);
  close (lock);

  return -1;
}

void
roast_runs_unlock_run (const char *path, int lock)
{
  g_autofree char *name = name_lock (path);

  g_unlink (name);
  close (lock);
}

#define SCRATCH "scratch " /* mark in a lock file, followed by the process ID of the owner */

void
roast_runs_lock_mark (int lock, pid_t owner)
{
  /* Ignore the error, because a run without the mark is kept, which does no harm. */
  if (dprintf (lock, SCRATCH "%d\n", (int) owner) < 0)
    g_debug ("cannot write into a lock: %s", g_strerror (errno));
}

/* Return the ID of the process that a lock's mark names, or 0 if the lock has no mark. */
static pid_t
read_owner (int lock)
{
  char text[64] = { 0 };

  if (pread (lock, text, sizeof text - 1, 0) <= 0 || !g_str_has_prefix (text, SCRATCH))
    return 0;

  return (pid_t) CLAMP (g_ascii_strtoll (text + strlen (SCRATCH), NULL, 10), 0, G_MAXINT32);
}

/* Remove the lock that a killed process left. If the owner of a temporary run is still alive and may need the run, keep
 * the lock and return FALSE. */
static gboolean
clear_lock (const char *path, const char *name, int lock)
{
  pid_t owner = read_owner (lock);

  if (owner > 0 && (kill (owner, 0) == 0 || errno == EPERM))
    return FALSE;
  if (owner > 0)
    roast_runs_files_remove (path);
  g_unlink (name);

  return TRUE;
}

gboolean
roast_runs_is_locked (const char *path)
{
  g_autofree char *name = name_lock (path);
  int lock = open (name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  gboolean locked;

  if (lock < 0)
    return FALSE;
  locked = flock (lock, LOCK_EX | LOCK_NB) != 0;
  if (!locked && !clear_lock (path, name, lock))
    locked = TRUE;
  close (lock);

  return locked;
}

/* ---- making room ---- */

/* Remove the lock of a run if the process that held it was killed. */
static void
check_lock (const char *directory, const char *name)
{
  g_autofree char *run = g_strndup (name + 1, strlen (name) - strlen (".lock") - 1);
  g_autofree char *path = g_build_filename (directory, run, NULL);

  roast_runs_is_locked (path);
}

/* Remove the locks and the temporary runs of killed processes. Return the names of all companions in the directory. */
static GHashTable *
check_others (const char *directory)
{
  GHashTable *seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name = NULL;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (*name == '.' && g_str_has_suffix (name, ROAST_RUNS_FILES_SUFFIX ".lock"))
      check_lock (directory, name);
    else if (g_str_has_suffix (name, companions[1]) || g_str_has_suffix (name, companions[2]))
      g_hash_table_add (seen, g_strdup (name));

  return seen;
}

/* Return how many bytes all runs take on the disk. */
static guint64
runs_files_measure (const char *directory, GPtrArray *names, GHashTable *seen, guint64 *sizes)
{
  int fd = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  guint64 total = 0;

  for (guint i = 0; i < names->len; i++)
    {
      sizes[i] = size_of (fd, g_ptr_array_index (names, i), seen);
      total += sizes[i];
    }
  if (fd >= 0)
    close (fd);

  return total;
}

void
roast_runs_files_prune (const char *directory, guint max_runs, guint64 max_size, guint room)
{
  g_autoptr (GHashTable) seen = check_others (directory);
  g_autoptr (GPtrArray) names = roast_runs_files_list (directory, NULL);
  g_autofree guint64 *sizes = NULL;
  guint64 total = 0;
  guint left = names != NULL ? names->len + room : 0;

  if (names == NULL)
    return;
  sizes = g_new0 (guint64, names->len + 1);
  total = runs_files_measure (directory, names, seen, sizes);
  /* Keep the newest run, however big, because it is the run that the user wants to see. */
  for (guint i = 0; i + 1 < names->len + room && i < names->len && (left > max_runs || total > max_size); i++)
    {
      g_autofree char *path = g_build_filename (directory, g_ptr_array_index (names, i), NULL);

      if (roast_runs_is_locked (path) || !roast_runs_files_remove (path))
        continue;
      g_debug ("removed the oldest run, %s", path);
      total -= sizes[i];
      left--;
    }
}
