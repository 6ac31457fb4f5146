/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-supervisor-connection-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/roast-task-private.h"
#include "roast-supervisor-spawn-private.h"
#include "roast/roast-error.h"

#define CONNECTION_READ_SIZE (64 * 1024)
/* Maximum number of reads after which other sources of the main context are dispatched. */
#define READS_PER_DISPATCH 4

struct _RoastSupervisorConnection
{
  GPid supervisor;
  int fd;
  GMainContext *context;
  GSource *source;
  RoastSupervisorStream *stream;
  RoastSupervisorClosedFunc on_closed;
  GObject *owner;
  GError *error; /* error to report when the supervisor has ended */
  gboolean stays;
  guint8 buffer[CONNECTION_READ_SIZE];
};

static void
stop_reading (RoastSupervisorConnection *self)
{
  roast_source_clear (&self->source);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
roast_supervisor_connection_free (RoastSupervisorConnection *self)
{
  stop_reading (self);
  roast_supervisor_stream_free (self->stream);
  g_main_context_unref (self->context);
  g_clear_error (&self->error);
  g_free (self);
}

void
roast_supervisor_connection_set_stays (RoastSupervisorConnection *self)
{
  self->stays = TRUE;
}

/* Read the bytes that are available. Return the number of bytes, 0 at the end of the stream, or -1 if no bytes are
 * available now. */
static gssize
read_some (RoastSupervisorConnection *self)
{
  gssize n;

  do
    n = read (self->fd, self->buffer, sizeof self->buffer);
  while (n < 0 && errno == EINTR);

  if (n < 0)
    return errno == EAGAIN ? -1 : 0;

  return n;
}

static void
release_owner (gpointer data)
{
  RoastSupervisorConnection *self = data;

  g_object_unref (self->owner);
}

static void
on_reaped (gpointer user_data)
{
  RoastSupervisorConnection *self = user_data;

  self->on_closed (self->error, self->owner);
}

static void
close_connection (RoastSupervisorConnection *self, const GError *error)
{
  stop_reading (self);
  if (!self->stays)
    {
      self->error = error != NULL ? g_error_copy (error) : NULL;
      g_object_ref (self->owner);
      roast_supervisor_reap (self->supervisor, self->context, on_reaped, self, release_owner);
      return;
    }
  roast_supervisor_reap (self->supervisor, self->context, NULL, NULL, NULL);
  self->on_closed (error, self->owner);
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  RoastSupervisorConnection *self = user_data;
  G_GNUC_UNUSED g_autoptr (GObject) owner = g_object_ref (self->owner);

  for (guint i = 0; i < READS_PER_DISPATCH; i++)
    {
      g_autoptr (GError) error = NULL;
      gssize n = read_some (self);

      if (n < 0)
        return G_SOURCE_CONTINUE;
      if (n == 0)
        g_set_error_literal (&error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                             "the supervisor ended early or was killed");
      else if (roast_supervisor_stream_feed (self->stream, self->buffer, n, &error) &&
               !roast_supervisor_stream_is_finished (self->stream))
        continue;

      /* After an invalid frame, do not wait for the supervisor, because the supervisor may never end. */
      self->stays |= n > 0 && error != NULL;
      close_connection (self, error);
      return G_SOURCE_REMOVE;
    }

  return G_SOURCE_CONTINUE;
}

RoastSupervisorConnection *
roast_supervisor_connection_open (RoastLaunchContext *context, int pid, RoastSupervisorFrameFunc on_frame,
                                  RoastSupervisorClosedFunc on_closed, GObject *owner, GError **error)
{
  RoastSupervisorConnection *self;
  GPid supervisor;
  int fd;

  if (!roast_supervisor_spawn (context, pid, &fd, &supervisor, error))
    return NULL;

  self = g_new0 (RoastSupervisorConnection, 1);
  self->supervisor = supervisor;
  self->fd = fd;
  self->on_closed = on_closed;
  self->owner = g_object_ref (owner);
  self->context = g_main_context_ref_thread_default ();
  self->stream = roast_supervisor_stream_new (on_frame, owner);
  self->source = roast_source_attach (g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR), self->context,
                                      G_SOURCE_FUNC (on_readable), self, release_owner);

  return self;
}

gboolean
roast_supervisor_connection_send (RoastSupervisorConnection *self, guint32 type, gconstpointer payload, guint32 length)
{
  struct
  {
    RoastWireHeader header;
    guint8 payload[64];
  } frame = { { type, length } };
  gssize sent;

  if (self->fd < 0 || length > sizeof frame.payload)
    return FALSE;

  if (length > 0)
    memcpy (frame.payload, payload, length);
  do
    sent = send (self->fd, &frame, sizeof frame.header + length, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);

  return sent == (gssize) (sizeof frame.header + length);
}
