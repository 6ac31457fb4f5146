/* SPDX-License-Identifier: BSD-3-Clause */
#include "control-output.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONTROL_OUTPUT_PATIENCE 2000 /* ms; at the end, maximum time to wait for the reader between two writes */

/* The descriptor does not get the flag O_NONBLOCK, because this flag would affect all processes that share the open
 * file. */
struct _ControlOutput
{
  int fd;
  GMutex lock; /* protects the output, because any thread may send messages */
  GString *waiting;
  gboolean ended;
  guint watch;
};

static gboolean
can_write (int fd, int timeout)
{
  struct pollfd poller = { .fd = fd, .events = POLLOUT };

  return poll (&poller, 1, timeout) == 1 && (poller.revents & POLLOUT) != 0;
}

/* Writes without waiting: if a pipe has any room, a write of PIPE_BUF bytes does not block. */
static gssize
try_write (int fd, const char *text, gsize length)
{
  gssize n = send (fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL);

  if (n >= 0 || errno != ENOTSOCK)
    return n;
  if (can_write (fd, 0))
    return write (fd, text, MIN (length, PIPE_BUF));
  errno = EAGAIN;

  return -1;
}

/* Writes as much of the waiting text as possible. If the reader is gone, discards this text. */
static void
write_waiting (ControlOutput *self)
{
  gsize done = 0;

  while (done < self->waiting->len)
    {
      gssize n = try_write (self->fd, self->waiting->str + done, self->waiting->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
        done = self->waiting->len;
      if (n <= 0)
        break;
      done += (gsize) n;
    }
  g_string_erase (self->waiting, 0, (gssize) done);
}

static gboolean
on_writable (int fd, GIOCondition condition, gpointer user_data)
{
  ControlOutput *self = user_data;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if ((condition & (G_IO_ERR | G_IO_HUP | G_IO_NVAL)) != 0)
    g_string_truncate (self->waiting, 0);
  write_waiting (self);
  if (self->waiting->len > 0)
    return G_SOURCE_CONTINUE;
  self->watch = 0;

  return G_SOURCE_REMOVE;
}

static void
append (ControlOutput *self, const char *line)
{
  g_string_append (self->waiting, line);
  if (self->watch == 0)
    write_waiting (self);
  if (self->waiting->len > 0 && self->watch == 0)
    self->watch = g_unix_fd_add (self->fd, G_IO_OUT | G_IO_ERR | G_IO_HUP, on_writable, self);
}

ControlOutput *
control_output_new (int fd)
{
  ControlOutput *self = g_new0 (ControlOutput, 1);

  self->fd = fd;
  g_mutex_init (&self->lock);
  self->waiting = g_string_new (NULL);

  return self;
}

gboolean
control_output_send (ControlOutput *self, const char *line)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if (self->ended || self->waiting->len + strlen (line) > CONTROL_MAX_WAITING)
    return FALSE;
  append (self, line);

  return TRUE;
}

void
control_output_send_last (ControlOutput *self, const char *line)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if (!self->ended)
    append (self, line);
  self->ended = TRUE;
}

void
control_output_flush (ControlOutput *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  while (self->waiting->len > 0 && can_write (self->fd, CONTROL_OUTPUT_PATIENCE))
    write_waiting (self);
}

void
control_output_free (ControlOutput *self)
{
  g_clear_handle_id (&self->watch, g_source_remove);
  g_string_free (self->waiting, TRUE);
  g_mutex_clear (&self->lock);
  g_free (self);
}
