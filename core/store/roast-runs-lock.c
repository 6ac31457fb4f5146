/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-runs-lock-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "roast-runs-files-private.h"
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

#define SCRATCH "scratch " /* in a lock, followed by the owner */

void
roast_runs_lock_mark (int lock, pid_t owner)
{
  /* Without the mark the run is kept. */
  if (dprintf (lock, SCRATCH "%d\n", (int) owner) < 0)
    g_debug ("cannot write into a lock: %s", g_strerror (errno));
}

/* The process that a mark names; 0 if there is none. */
static pid_t
read_owner (int lock)
{
  char text[64] = { 0 };

  if (pread (lock, text, sizeof text - 1, 0) <= 0 || !g_str_has_prefix (text, SCRATCH))
    return 0;

  return (pid_t) CLAMP (g_ascii_strtoll (text + strlen (SCRATCH), NULL, 10), 0, G_MAXINT32);
}

/* A process that was killed left the lock. FALSE if the owner of a run that is not kept may still need it. */
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
