/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-run-connection-private.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/socket.h>

/**
 * RoastRunConnection:
 *
 * What runs inside the program for a backend, at the other end of the run's socket: it greeted with the name of the
 * backend, and what it says is for this one alone. See `docs/protocol.md` and [vfunc@Roast.MetricsBackend.connected].
 *
 * Since: 0.9
 */
struct _RoastRunConnection
{
  GObject parent_instance;

  int fd; /* -1 once it is closed */
  gint64 pid;
  char *program;
};

enum
{
  SIGNAL_RECEIVED,
  SIGNAL_CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastRunConnection, roast_run_connection, G_TYPE_OBJECT)

static void
roast_run_connection_finalize (GObject *object)
{
  RoastRunConnection *self = ROAST_RUN_CONNECTION (object);

  g_free (self->program);

  G_OBJECT_CLASS (roast_run_connection_parent_class)->finalize (object);
}

static void
roast_run_connection_class_init (RoastRunConnectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_run_connection_finalize;

  /**
   * RoastRunConnection::received:
   * @self: the connection
   * @line: a JSON value, checked, without its line feed
   *
   * A line came: at most 64 KiB of JSON in UTF-8, nested no deeper than 16. What it holds is not checked.
   *
   * Since: 0.9
   */
  signals[SIGNAL_RECEIVED] = g_signal_new ("received", ROAST_TYPE_RUN_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);

  /**
   * RoastRunConnection::closed:
   * @self: the connection
   *
   * Nothing more will come: the other end is gone, or the measurement ends.
   *
   * Since: 0.9
   */
  signals[SIGNAL_CLOSED] =
      g_signal_new ("closed", ROAST_TYPE_RUN_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
roast_run_connection_init (RoastRunConnection *self)
{
  self->fd = -1;
}

RoastRunConnection *
roast_run_connection_new (int fd, gint64 pid, const char *program)
{
  RoastRunConnection *self = g_object_new (ROAST_TYPE_RUN_CONNECTION, NULL);

  self->fd = fd;
  self->pid = pid;
  self->program = g_strdup (program);

  return self;
}

void
roast_run_connection_receive (RoastRunConnection *self, const char *line, gsize length)
{
  g_autofree char *copy = g_strndup (line, length);

  g_signal_emit (self, signals[SIGNAL_RECEIVED], 0, copy);
}

void
roast_run_connection_close (RoastRunConnection *self)
{
  if (self->fd < 0)
    return;
  self->fd = -1;
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
}

/**
 * roast_run_connection_get_pid:
 * @self: a connection
 *
 * Gets who is at the other end, as the kernel tells.
 *
 * Returns: its process id; 0 if it is not known
 *
 * Since: 0.9
 */
gint64
roast_run_connection_get_pid (RoastRunConnection *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_CONNECTION (self), 0);

  return self->pid;
}

/**
 * roast_run_connection_get_program:
 * @self: a connection
 *
 * Gets what the other end calls itself.
 *
 * Returns: (transfer none) (nullable): its name; %NULL if it did not say
 *
 * Since: 0.9
 */
const char *
roast_run_connection_get_program (RoastRunConnection *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_CONNECTION (self), NULL);

  return self->program;
}

/**
 * roast_run_connection_is_open:
 * @self: a connection
 *
 * Tells whether the other end may still be there.
 *
 * Returns: whether it is open
 *
 * Since: 0.9
 */
gboolean
roast_run_connection_is_open (RoastRunConnection *self)
{
  g_return_val_if_fail (ROAST_IS_RUN_CONNECTION (self), FALSE);

  return self->fd >= 0;
}

/**
 * roast_run_connection_send:
 * @self: a connection
 * @line: a short line, without line feed
 * @error: return location for an error
 *
 * Says something to the other end, at once or not at all: it never waits, and keeps nothing back for later.
 *
 * Fails with a #GIOErrorEnum: %G_IO_ERROR_CLOSED if the other end is gone, %G_IO_ERROR_WOULD_BLOCK if it does not read.
 *
 * Returns: whether it was sent
 *
 * Since: 0.9
 */
gboolean
roast_run_connection_send (RoastRunConnection *self, const char *line, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;
  gssize sent;

  g_return_val_if_fail (ROAST_IS_RUN_CONNECTION (self), FALSE);
  g_return_val_if_fail (line != NULL, FALSE);

  if (self->fd < 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "process %" G_GINT64_FORMAT " has closed its connection",
                   self->pid);
      return FALSE;
    }
  text = g_strconcat (line, "\n", NULL);
  length = strlen (text);
  do
    sent = send (self->fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent == (gssize) length)
    return TRUE;
  /* Half a line would spoil the next one: such an end is not spoken to again. */
  if (sent >= 0)
    {
      shutdown (self->fd, SHUT_WR);
      errno = EAGAIN;
    }
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
               "process %" G_GINT64_FORMAT " cannot be told anything: %s", self->pid, g_strerror (errno));

  return FALSE;
}
