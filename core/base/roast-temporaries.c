/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-temporaries-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define DIRECTORY_PREFIX "roast-"
#define FILE_MARK ".roast-"
#define LOCK "lock"
#define SOCKET "socket"
#define RANDOM 6     /* number of random characters in a name */
#define MAX_BASE 200 /* longer base names are cut, because a file name has at most 255 bytes */
#define MAX_OWN 128
#define ATTEMPTS 10

/* ---- temporaries of this process ---- */

/* Paths of this process's temporaries. A signal handler may read a path at any time, so a path is freed only when its
 * element is reused. */
static struct
{
  char *path;
  gint used;
} own[MAX_OWN];
static GMutex own_lock;

static void
remember (const char *path)
{
  g_mutex_lock (&own_lock);
  for (guint i = 0; i < MAX_OWN; i++)
    if (!g_atomic_int_get (&own[i].used))
      {
        g_free (own[i].path);
        own[i].path = g_strdup (path);
        g_atomic_int_set (&own[i].used, TRUE);
        break;
      }
  g_mutex_unlock (&own_lock);
}

void
roast_temporaries_forget (const char *path)
{
  g_mutex_lock (&own_lock);
  for (guint i = 0; i < MAX_OWN; i++)
    if (g_atomic_int_get (&own[i].used) && g_str_equal (own[i].path, path))
      g_atomic_int_set (&own[i].used, FALSE);
  g_mutex_unlock (&own_lock);
}

/**
 * roast_remove_temporaries:
 *
 * Removes the temporary files of this process: incomplete outputs, and the sockets of its runs. Sessions and outputs
 * normally remove these themselves. This function is for a program that a signal ends at once. It is async-signal-safe,
 * and the process must exit afterwards.
 *
 * Since: 0.9
 */
void
roast_remove_temporaries (void)
{
  int saved = errno;

  /* Remove the files in the first round. Remove the directories, which are now empty, in the second round. */
  for (int round = 0; round < 2; round++)
    for (guint i = 0; i < MAX_OWN; i++)
      if (g_atomic_int_get (&own[i].used) && (round == 0 ? unlink (own[i].path) : rmdir (own[i].path)) == 0)
        g_atomic_int_set (&own[i].used, FALSE);
  errno = saved;
}

/* ---- creating temporaries ---- */

/* File names contain the host, so that each machine removes only its own files, because on some file systems a lock is
 * not visible to other machines. */
static char *
dup_host_mark (void)
{
  struct utsname names;

  return g_strdup_printf ("%06x", uname (&names) == 0 ? g_str_hash (names.nodename) & 0xffffff : 0);
}

/* Lock a new file. Return FALSE if another process has locked or removed the file, because it was not locked yet and
 * looked stale. */
static gboolean
lock_new (int fd)
{
  struct stat st;

  if (flock (fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
    return FALSE;

  return fstat (fd, &st) < 0 || st.st_nlink > 0;
}

int
roast_temporaries_open_file (const char *directory, const char *base, char **path)
{
  g_autofree char *host = dup_host_mark ();

  for (guint i = 0; i < ATTEMPTS; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/.%.*s" FILE_MARK "%s-XXXXXX", directory, MAX_BASE, base, host);
      int fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0666);

      if (fd < 0)
        return -1;
      if (lock_new (fd))
        {
          remember (name);
          *path = g_steal_pointer (&name);
          return fd;
        }
      g_unlink (name);
      close (fd);
    }
  errno = EAGAIN;

  return -1;
}

/* Return the text of the lock file, which contains the inode of the directory, so that a copy of the lock file in
 * another directory is not valid. */
static char *
dup_marker (int directory)
{
  struct stat st;

  if (fstat (directory, &st) < 0)
    return NULL;

  return g_strdup_printf ("roast directory %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", (guint64) st.st_dev,
                          (guint64) st.st_ino);
}

static gboolean
has_marker (int lock, int directory)
{
  g_autofree char *marker = dup_marker (directory);
  char content[128] = { 0 };

  return marker != NULL && pread (lock, content, sizeof content - 1, 0) >= 0 && g_str_equal (content, marker);
}

static int
open_directory (int parent, const char *name)
{
  return openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Create, lock and mark the lock file. Return -1 with errno on failure. */
static int
make_lock (int directory)
{
  g_autofree char *marker = dup_marker (directory);
  int lock = openat (directory, LOCK, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int code = EAGAIN;

  if (lock < 0)
    return -1;
  if (lock_new (lock))
    {
      if (marker != NULL && write (lock, marker, strlen (marker)) == (gssize) strlen (marker))
        return lock;
      code = errno;
    }
  unlinkat (directory, LOCK, 0);
  close (lock);
  errno = code;

  return -1;
}

char *
roast_temporaries_make_directory (const char *parent, int *lock)
{
  g_autofree char *path = g_build_filename (parent, DIRECTORY_PREFIX "XXXXXX", NULL);
  g_autofree char *file = NULL;
  int directory = -1;
  int code = 0;

  if (g_mkdtemp_full (path, 0700) == NULL)
    return NULL;
  directory = open_directory (AT_FDCWD, path);
  *lock = directory >= 0 ? make_lock (directory) : -1;
  code = errno;
  if (directory >= 0)
    close (directory);
  if (*lock < 0)
    {
      g_rmdir (path);
      errno = code;
      return NULL;
    }
  file = g_build_filename (path, LOCK, NULL);
  remember (file);
  remember (path);

  return g_steal_pointer (&path);
}

/* Return whether a directory contains only a lock file with the right marker, and perhaps a socket. */
static gboolean
has_only_own_entries (int directory, int lock)
{
  DIR *dir = has_marker (lock, directory) ? fdopendir (dup (directory)) : NULL;
  gboolean is_own = dir != NULL;
  struct stat st;

  for (struct dirent *entry = is_own ? readdir (dir) : NULL; is_own && entry != NULL; entry = readdir (dir))
    is_own = g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, "..") ||
             g_str_equal (entry->d_name, LOCK) ||
             (g_str_equal (entry->d_name, SOCKET) && fstatat (directory, SOCKET, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
              S_ISSOCK (st.st_mode));
  if (dir != NULL)
    closedir (dir);

  return is_own;
}

/* Remove a directory of this process and its lock file. Change nothing if the directory contains other files. */
static gboolean
remove_own_directory (int parent, const char *name, int directory, int lock)
{
  if (!has_only_own_entries (directory, lock))
    return FALSE;
  unlinkat (directory, SOCKET, 0);
  unlinkat (directory, LOCK, 0);

  return unlinkat (parent, name, AT_REMOVEDIR) == 0;
}

void
roast_temporaries_remove_directory (const char *path, int lock)
{
  g_autofree char *file = g_build_filename (path, LOCK, NULL);
  int directory = open_directory (AT_FDCWD, path);

  if (directory >= 0)
    {
      remove_own_directory (AT_FDCWD, path, directory, lock);
      close (directory);
    }
  roast_temporaries_forget (file);
  roast_temporaries_forget (path);
  close (lock);
}

void
roast_temporaries_add (const char *path)
{
  remember (path);
}

/* ---- stale temporaries ---- */

/* Return whether this is a file of this user that no process has locked. If so, this process has now locked the file,
 * until the descriptor is closed. */
static gboolean
is_stale (int fd)
{
  struct stat st;

  return fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == geteuid () &&
         flock (fd, LOCK_EX | LOCK_NB) == 0;
}

static void
remove_file_if_stale (int directory, const char *name)
{
  int fd = openat (directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  if (is_stale (fd) && unlinkat (directory, name, 0) == 0)
    g_debug ("removed %s, which a killed process had left behind", name);
  if (fd >= 0)
    close (fd);
}

static void
remove_directory_if_stale (int parent, const char *name)
{
  int directory = open_directory (parent, name);
  int lock = -1;
  struct stat st;

  if (directory < 0)
    return;
  if (fstat (directory, &st) == 0 && st.st_uid == geteuid ())
    lock = openat (directory, LOCK, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (is_stale (lock) && remove_own_directory (parent, name, directory, lock))
    g_debug ("removed %s, which a killed process had left behind", name);
  if (lock >= 0)
    close (lock);
  close (directory);
}

/* Return whether a name has the form .BASE.roast-HOST-XXXXXX, with this machine as the host. */
static gboolean
is_file_name (const char *name, const char *host)
{
  gsize length = strlen (name);
  gsize tail = strlen (FILE_MARK) + strlen (host) + 1 + RANDOM;

  return length > tail && name[0] == '.' && g_str_has_prefix (name + length - tail, FILE_MARK) &&
         g_str_has_prefix (name + length - tail + strlen (FILE_MARK), host) && name[length - RANDOM - 1] == '-';
}

static gboolean
is_directory_name (const char *name, const char *host)
{
  return g_str_has_prefix (name, DIRECTORY_PREFIX) && strlen (name) == strlen (DIRECTORY_PREFIX) + RANDOM;
}

static void
for_each (const char *path, gboolean (*matches) (const char *name, const char *host),
          void (*remove) (int directory, const char *name))
{
  g_autofree char *host = dup_host_mark ();
  DIR *dir = opendir (path);

  if (dir == NULL)
    return;
  for (struct dirent *entry = readdir (dir); entry != NULL; entry = readdir (dir))
    if (matches (entry->d_name, host))
      remove (dirfd (dir), entry->d_name);
  closedir (dir);
}

void
roast_temporaries_remove_stale_files (const char *directory)
{
  for_each (directory, is_file_name, remove_file_if_stale);
}

void
roast_temporaries_remove_stale_directories (const char *parent)
{
  for_each (parent, is_directory_name, remove_directory_if_stale);
}
