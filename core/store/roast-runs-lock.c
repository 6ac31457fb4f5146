/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-runs-lock-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "roast/roast-error.h"

#define PATIENCE 500 /* times 10 ms: what is done with the lock takes milliseconds */

static int
fail (const char *path, int code, GError **error)
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
    return fail (path, errno, error);
  for (guint i = 0; i < PATIENCE; i++)
    {
      if (flock (lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
      if (errno != EWOULDBLOCK && errno != EINTR)
        {
          fail (path, errno, error);
          close (lock);
          return -1;
        }
      g_usleep (10000);
    }
  close (lock);
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN,
               "another process has held %s for %d seconds: is one of roast's stopped? Set ROAST_RUNS to another "
               "directory",
               path, PATIENCE / 100);

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
    return fail (name, errno, error);
  if (flock (lock, LOCK_EX | LOCK_NB) == 0)
    return lock;
  fail (name, errno, error);
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

gboolean
roast_runs_is_locked (const char *path)
{
  g_autofree char *name = name_lock (path);
  int lock = open (name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  gboolean locked;

  if (lock < 0)
    return FALSE;
  locked = flock (lock, LOCK_EX | LOCK_NB) != 0;
  if (!locked)
    g_unlink (name);
  close (lock);

  return locked;
}
