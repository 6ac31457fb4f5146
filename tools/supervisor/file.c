/* SPDX-License-Identifier: BSD-3-Clause */

#include "file.h"

#include <fcntl.h>
#include <unistd.h>

size_t
file_read (const char *path, char *text, size_t size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = -1;

  if (fd >= 0)
    {
      n = read (fd, text, size - 1);
      close (fd);
    }
  if (n < 0)
    n = 0;
  text[n] = '\0';

  return (size_t) n;
}
