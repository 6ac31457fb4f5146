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
#define RANDOM 6     /* characters */
#define MAX_BASE 200 /* of the 255 bytes of a name */
#define MAX_OWN 128
#define ATTEMPTS 10

/* ---- those of this process ---- */

/* A signal may come at any time: a path that was forgotten is freed when its place is taken, not before. */
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
 * Removes the temporary files of this process: outputs that are not complete, and the sockets of its runs. Ordinarily
 * sessions and outputs remove them; this is for a program that a signal ends at once. It is async-signal-safe, and the
 * process is to end after it.
 *
 * Since: 0.9
 */
void
roast_remove_temporaries (void)
{
  int saved = errno;

  /* Directories are empty after the first round. */
  for (int round = 0; round < 2; round++)
    for (guint i = 0; i < MAX_OWN; i++)
      if (g_atomic_int_get (&own[i].used) && (round == 0 ? unlink (own[i].path) : rmdir (own[i].path)) == 0)
        g_atomic_int_set (&own[i].used, FALSE);
  errno = saved;
}

/* ---- new ones ---- */

/* Some file systems lock on one machine only: each removes its own files. */
static char *
dup_host_mark (void)
{
  struct utsname names;

  return g_strdup_printf ("%06x", uname (&names) == 0 ? g_str_hash (names.nodename) & 0xffffff : 0);
}

/* FALSE if another process took it for stale and removed it before it was locked. */
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

char *
roast_temporaries_make_directory (const char *parent, int *lock)
{
  g_autofree char *path = g_build_filename (parent, DIRECTORY_PREFIX "XXXXXX", NULL);
  g_autofree char *file = NULL;

  if (g_mkdtemp_full (path, 0700) == NULL)
    return NULL;
  file = g_build_filename (path, LOCK, NULL);
  *lock = open (file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (*lock < 0 || !lock_new (*lock))
    {
      int code = *lock < 0 ? errno : EAGAIN;

      roast_temporaries_remove_directory (path, *lock);
      errno = code;
      return NULL;
    }
  remember (file);
  remember (path);

  return g_steal_pointer (&path);
}

static void
remove_entries (int directory)
{
  DIR *dir = fdopendir (dup (directory));

  if (dir == NULL)
    return;
  for (struct dirent *entry = readdir (dir); entry != NULL; entry = readdir (dir))
    if (!g_str_equal (entry->d_name, ".") && !g_str_equal (entry->d_name, ".."))
      unlinkat (directory, entry->d_name, 0);
  closedir (dir);
}

void
roast_temporaries_remove_directory (const char *path, int lock)
{
  g_autofree char *file = g_build_filename (path, LOCK, NULL);
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (fd >= 0)
    {
      remove_entries (fd);
      close (fd);
    }
  g_rmdir (path);
  roast_temporaries_forget (file);
  roast_temporaries_forget (path);
  if (lock >= 0)
    close (lock);
}

void
roast_temporaries_add (const char *path)
{
  remember (path);
}

/* ---- stale ones ---- */

/* Whether it is a file of this user that no process has locked; it is locked by us then, until the descriptor is
 * closed.
 */
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
    g_debug ("removed %s, which a process left that was killed", name);
  if (fd >= 0)
    close (fd);
}

static void
remove_directory_if_stale (int parent, const char *name)
{
  int directory = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int lock = -1;
  struct stat st;

  if (directory < 0)
    return;
  if (fstat (directory, &st) == 0 && st.st_uid == geteuid ())
    lock = openat (directory, LOCK, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (is_stale (lock))
    {
      remove_entries (directory);
      if (unlinkat (parent, name, AT_REMOVEDIR) == 0)
        g_debug ("removed %s, which a process left that was killed", name);
    }
  if (lock >= 0)
    close (lock);
  close (directory);
}

/* .BASE.roast-HOST-XXXXXX of this machine */
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
