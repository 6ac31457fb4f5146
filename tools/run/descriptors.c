/* SPDX-License-Identifier: BSD-3-Clause */

#include "descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST 1024

static int noted[MOST];
static size_t n_noted;

static size_t
list (int fds[MOST])
{
  DIR *dir = opendir ("/proc/self/fd");
  size_t n = 0;

  if (dir == NULL)
    return 0;
  for (struct dirent *entry = readdir (dir); entry != NULL && n < MOST; entry = readdir (dir))
    if (entry->d_name[0] != '.' && atoi (entry->d_name) != dirfd (dir))
      fds[n++] = atoi (entry->d_name);
  closedir (dir);

  return n;
}

static bool
is_inherited (int fd)
{
  int flags = fcntl (fd, F_GETFD);

  return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

/* Redirects a standard stream to /dev/null. Closing the stream would not be safe, because the next file that is opened
 * would get its number. */
static void
make_empty (int fd)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  if (null < 0 || null == fd)
    return;
  dup2 (null, fd);
  close (null);
}

static void
release (int fd)
{
  if (fd > STDERR_FILENO)
    close (fd);
  else if (fd < STDERR_FILENO)
    make_empty (fd);
}

void
descriptors_note (void)
{
  int fds[MOST];
  size_t n = list (fds);

  n_noted = 0;
  for (size_t i = 0; i < n; i++)
    if (fds[i] > STDERR_FILENO)
      noted[n_noted++] = fds[i];
}

void
descriptors_release_noted (void)
{
  if (is_inherited (STDIN_FILENO))
    make_empty (STDIN_FILENO);
  if (is_inherited (STDOUT_FILENO))
    dup2 (STDERR_FILENO, STDOUT_FILENO);
  for (size_t i = 0; i < n_noted; i++)
    if (is_inherited (noted[i]))
      close (noted[i]);
  n_noted = 0;
}

void
descriptors_release_inherited (void)
{
  int fds[MOST];
  size_t n = list (fds);

  for (size_t i = 0; i < n; i++)
    if (is_inherited (fds[i]))
      release (fds[i]);
}

void
descriptors_release_all (const int *kept, size_t n_kept)
{
  int fds[MOST];
  size_t n = list (fds);

  for (size_t i = 0; i < n; i++)
    {
      bool is_kept = false;

      for (size_t k = 0; k < n_kept; k++)
        is_kept = is_kept || kept[k] == fds[i];
      if (!is_kept)
        release (fds[i]);
    }
}
