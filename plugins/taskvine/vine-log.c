/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BUFFER (1 << 18) /* bytes; any record is shorter than this */
#define LAST 64          /* bytes; two logs differ in this many bytes, because each line begins with a time in µs */

struct _VineLog
{
  int fd;
  guint64 offset;    /* position in the file from which the next read starts */
  gsize held;        /* length of the incomplete line at the start of the buffer, bytes */
  char last[LAST];   /* the last bytes that were read, at the end of the array */
  gboolean skipping; /* the rest of the current line is skipped, because the line is too long */
  guint64 n_long;
  char *buffer; /* NULL before the first read */
};

VineLog *
vine_log_new_for_fd (int fd)
{
  VineLog *self = g_new0 (VineLog, 1);

  self->fd = fd;

  return self;
}

VineLog *
vine_log_open (const char *path, GError **error)
{
  /* Use O_NONBLOCK, because opening a FIFO would otherwise block. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;

  if (fd < 0)
    {
      int saved = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "cannot read %s: %s", path, g_strerror (saved));
      return NULL;
    }
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s is not a regular file", path);
      close (fd);
      return NULL;
    }

  return vine_log_new_for_fd (fd);
}

void
vine_log_free (VineLog *self)
{
  close (self->fd);
  g_free (self->buffer);
  g_free (self);
}

char *
vine_log_dup_head (VineLog *self, gsize size)
{
  g_autofree char *head = g_malloc (size + 1);
  gssize n = pread (self->fd, head, size, 0);

  if (n < 0)
    return NULL;
  head[n] = '\0';

  return g_steal_pointer (&head);
}

/* Pass on the complete lines in the buffer. Keep the incomplete line at the end. */
static void
take_lines (VineLog *self, gsize length, VineLogFunction function, gpointer user_data)
{
  const char *from = self->buffer;
  const char *end = self->buffer + length;
  const char *to;

  /* Search only the new bytes, because the bytes that were kept contain no newline. */
  to = memchr (from + self->held, '\n', length - self->held);
  while (to != NULL)
    {
      if (self->skipping)
        self->skipping = FALSE;
      else
        function (from, (gsize) (to - from), user_data);
      from = to + 1;
      to = memchr (from, '\n', (gsize) (end - from));
    }
  self->held = (gsize) (end - from);
  if (self->held == BUFFER || self->skipping)
    {
      self->n_long += self->skipping ? 0 : 1;
      self->skipping = TRUE;
      self->held = 0;
    }
  memmove (self->buffer, from, self->held);
}

/* Keep the last bytes of a text that was read. */
static void
keep_last (VineLog *self, const char *text, gsize length)
{
  gsize n = MIN (length, LAST);

  memmove (self->last, self->last + n, LAST - n);
  memcpy (self->last + LAST - n, text + length - n, n);
}

/* Return whether the file was truncated. It may be longer again by now. */
static gboolean
is_overwritten (VineLog *self, guint64 size)
{
  char last[LAST];
  gsize length = MIN (self->offset, LAST);
  gssize n = pread (self->fd, last, length, (off_t) (self->offset - length));

  return size < self->offset || (n > 0 && memcmp (last, self->last + LAST - length, (gsize) n) != 0);
}

VineLogState
vine_log_read (VineLog *self, gsize bytes, VineLogFunction function, gpointer user_data)
{
  struct stat status;

  if (fstat (self->fd, &status) != 0)
    return VINE_LOG_BROKEN;
  if (is_overwritten (self, (guint64) status.st_size))
    return VINE_LOG_SHORTER;
  if (self->buffer == NULL)
    self->buffer = g_malloc (BUFFER);
  for (gsize done = 0; done < bytes;)
    {
      gssize n = pread (self->fd, self->buffer + self->held, BUFFER - self->held, (off_t) self->offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return VINE_LOG_BROKEN;
      if (n == 0)
        return VINE_LOG_END;
      self->offset += (guint64) n;
      keep_last (self, self->buffer + self->held, (gsize) n);
      done += (gsize) n;
      take_lines (self, self->held + (gsize) n, function, user_data);
    }

  return VINE_LOG_MORE;
}

struct stat
vine_log_get_status (VineLog *self)
{
  struct stat status;

  return fstat (self->fd, &status) == 0 ? status : (struct stat) { 0 };
}

guint64
vine_log_get_offset (VineLog *self)
{
  return self->offset;
}

gsize
vine_log_get_torn (VineLog *self)
{
  return self->held;
}

guint64
vine_log_get_n_long (VineLog *self)
{
  return self->n_long;
}

gboolean
vine_log_equal (VineLog *self, VineLog *other)
{
  struct stat a = vine_log_get_status (self);
  struct stat b = vine_log_get_status (other);

  return a.st_ino != 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
