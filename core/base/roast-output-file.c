/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-output-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "roast-temporaries-private.h"

#define MAX_LINKS 40

static gboolean
is_in_proc (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  struct statfs fs;

  return statfs (directory, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Keep the path relative if the current directory cannot be reached by its name, for example because a parent directory
 * is not accessible. */
char *
roast_output_file_dup_absolute (const char *path)
{
  g_autofree char *directory = g_path_is_absolute (path) ? NULL : g_get_current_dir ();
  struct stat here, there;

  if (directory == NULL || stat (".", &here) < 0 || stat (directory, &there) < 0 || here.st_dev != there.st_dev ||
      here.st_ino != there.st_ino)
    return g_strdup (path);

  return g_build_filename (directory, path, NULL);
}

/* realpath () fails if the target does not exist yet. Do not follow links in /proc, because the text of such a link is
 * not a path that opens the same file. */
char *
roast_output_file_follow (const char *path)
{
  g_autofree char *target = g_strdup (path);

  for (int i = 0; i < MAX_LINKS && !is_in_proc (target); i++)
    {
      g_autofree char *link = g_file_read_link (target, NULL);
      g_autofree char *directory = NULL;

      if (link == NULL)
        break;
      directory = g_path_get_dirname (target);
      g_free (target);
      target = g_path_is_absolute (link) ? g_steal_pointer (&link) : g_build_filename (directory, link, NULL);
    }

  return g_steal_pointer (&target);
}

gboolean
roast_output_file_is_direct (const char *target)
{
  struct stat st;

  return is_in_proc (target) || (stat (target, &st) == 0 && !S_ISREG (st.st_mode));
}

/* Find the open descriptor to which a path in /proc refers, for example the target of /dev/stderr. Return -1 if the
 * path does not refer to a descriptor of this process. */
static int
find_own_descriptor (const char *target)
{
  g_autofree char *directory = g_path_get_dirname (target);
  g_autofree char *name = g_path_get_basename (target);
  char place[PATH_MAX], own[PATH_MAX];
  guint64 fd = 0;

  if (!g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT, &fd, NULL) || realpath (directory, place) == NULL ||
      realpath ("/proc/self/fd", own) == NULL || !g_str_equal (place, own))
    return -1;

  return (int) fd;
}

/* Duplicate an open descriptor instead of opening its path again, for two reasons. A file that is opened twice has two
 * positions, so the two writers would overwrite each other's output. A socket cannot be opened by path. */
static int
dup_own_descriptor (const char *target)
{
  int fd = find_own_descriptor (target);
  int flags = fd >= 0 ? fcntl (fd, F_GETFL) : -1;

  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
}

/* Use O_NONBLOCK, because opening a FIFO without a reader would block. Use O_APPEND, because another process may write
 * to the same file. */
int
roast_output_file_open_direct (const char *target)
{
  int fd = dup_own_descriptor (target);

  if (fd >= 0)
    return fd;
  fd = open (target, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

  if (fd >= 0)
    fcntl (fd, F_SETFL, O_APPEND);

  return fd;
}

/* Give the new file the owner and mode of the old file, as far as the system allows. */
static void
keep_mode (int fd, const char *target)
{
  struct stat before;

  if (stat (target, &before) < 0)
    return;
  if (fchown (fd, before.st_uid, before.st_gid) < 0)
    g_debug ("cannot give the new file %s the owner of the old file: %s", target, g_strerror (errno));
  if (fchmod (fd, before.st_mode & 0777) < 0)
    g_debug ("cannot give the new file %s the mode of the old file: %s", target, g_strerror (errno));
}

int
roast_output_file_open_temporary (const char *target, char **temporary)
{
  g_autofree char *directory = g_path_get_dirname (target);
  g_autofree char *base = g_path_get_basename (target);
  int fd = -1;

  if (access (target, F_OK) == 0 && access (target, W_OK) < 0)
    return -1;
  fd = roast_temporaries_open_file (directory, base, temporary);
  if (fd >= 0)
    keep_mode (fd, target);

  return fd;
}

const char *
roast_output_file_cure (int code)
{
  switch (code)
    {
    case ENOENT:
      return "Create the directory of this file first, or name another directory";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Name another file: you need write permission for the file and for the directory of the file";
    case ENXIO:
      return "No process reads this pipe. Start a reader before the program ends";
    case EISDIR:
      return "Name a file in this directory";
    case ENOTDIR:
      return "Name another path: a part of this path is a file, not a directory";
    case EEXIST:
      return "Name another directory: a file with this name exists";
    case EBADF:
      return "Name a file: this output is closed, or not open for writing";
    default:
      return NULL;
    }
}
