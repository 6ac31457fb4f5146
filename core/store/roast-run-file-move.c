/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-run-file-private.h"
#include "roast-runs-files-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "roast-runs-place-private.h"
#include "roast/roast-error.h"

#define RUN_FILE_MOVE_AT_ONCE (1 << 20) /* maximum number of bytes copied at once */

char *
roast_run_file_move_find_local (const char *path, const char *local)
{
  g_autofree char *to = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *user = g_strdup_printf ("roast-%u", (guint) getuid ());
  g_autofree char *directory = g_build_filename (local, user, "unmoved", NULL);
  g_autoptr (GError) error = NULL;

  if (roast_runs_place_get_network (to) == NULL || roast_runs_place_get_network (local) != NULL)
    return NULL;
  if (!roast_runs_place_make (directory, TRUE, &error))
    {
      g_debug ("%s", error->message);
      return NULL;
    }
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *unique = g_strdup_printf ("%d-%u-%s", (int) getpid (), i, name);
      g_autofree char *candidate = g_build_filename (directory, unique, NULL);

      if (access (candidate, F_OK) != 0)
        return g_steal_pointer (&candidate);
    }

  return NULL;
}

/* Copy all bytes of one descriptor to another. Return FALSE with errno. Finally call fsync(), because a network file
 * system may not report a full disk earlier. */
static gboolean
copy (int from, int to)
{
  gssize n = 0;

  do
    n = sendfile (to, from, NULL, RUN_FILE_MOVE_AT_ONCE);
  while (n > 0 || (n < 0 && errno == EINTR));

  return n == 0 && fsync (to) == 0;
}

/* Copy a file to a new path. Return FALSE with errno. */
static gboolean
copy_file (const char *from, const char *to)
{
  int in = open (from, O_RDONLY | O_CLOEXEC);
  int out = in >= 0 ? open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
  gboolean good = out >= 0 && copy (in, out);
  int code = errno;

  if (in >= 0)
    close (in);
  if (out >= 0 && close (out) != 0 && good)
    {
      code = errno;
      good = FALSE;
    }
  errno = code;

  return good;
}

/* Rename a file, but never overwrite an existing file. This works also on file systems without hard links. */
static gboolean
give_name (const char *from, const char *to)
{
  if (link (from, to) == 0)
    {
      unlink (from);
      return TRUE;
    }
  if (errno == EEXIST || access (to, F_OK) == 0)
    {
      errno = EEXIST;
      return FALSE;
    }

  return rename (from, to) == 0;
}

gboolean
roast_run_file_move (const char *from, const char *to, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (to);
  g_autofree char *name = g_path_get_basename (to);
  g_autofree char *part_name = g_strdup_printf (".%s.%d.part", name, (int) getpid ());
  g_autofree char *part = g_build_filename (directory, part_name, NULL);
  gboolean is_copied = copy_file (from, part);
  int code = 0;

  if (is_copied && access (to, F_OK) != 0)
    roast_runs_files_remove_companions (to);
  if (is_copied && give_name (part, to))
    {
      unlink (from);
      return TRUE;
    }
  code = errno;
  if (is_copied || code != EEXIST)
    unlink (part);
  return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE, "cannot move the run file %s to %s: %s", from,
                     to, g_strerror (code));
}
