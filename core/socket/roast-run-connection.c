/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-run-connection-private.h"

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/socket.h>

/**
 * RoastRunConnection:
 *
 * A connection to the run's socket from code that a backend has put into the program. The first line, the greeting,
 * names the backend. All later lines are for that backend only. See `docs/protocol.md` and
 * [vfunc@Roast.MetricsBackend.connected].
 *
 * The backend adds the tables that it understands to the reader of the connection. For each line that arrives,
 * [signal@Roast.RunConnection::received] is emitted:
 *
 * ```c
 * static void
 * on_received (RoastRunConnection *connection, RoastWireReader *reader, MyBackend *self)
 * {
 *   if (roast_wire_reader_get_line_type (reader) == ROAST_WIRE_LINE_ROW)
 *     add_sample (self, roast_wire_reader_get_count (reader, SAMPLE_MEMORY));
 * }
 *
 * static void
 * my_backend_connected (RoastMetricsBackend *backend, RoastRunConnection *connection)
 * {
 *   roast_wire_reader_add_table (roast_run_connection_get_reader (connection), "samples", sample_columns);
 *   g_signal_connect_object (connection, "received", G_CALLBACK (on_received), backend, 0);
 * }
 * ```
 *
 * Since: 0.9
 */
struct _RoastRunConnection
{
  GObject parent_instance;

  int fd; /* descriptor of the connection; -1 after the connection is closed */
  gint64 pid;
  RoastWireReader *reader;
};

enum
{
  RUN_CONNECTION_SIGNAL_RECEIVED,
  RUN_CONNECTION_SIGNAL_CLOSED,
  RUN_CONNECTION_N_SIGNALS
};

static guint run_connection_signals[RUN_CONNECTION_N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastRunConnection, roast_run_connection, G_TYPE_OBJECT)

static void
roast_run_connection_finalize (GObject *object)
{
  RoastRunConnection *self = ROAST_RUN_CONNECTION (object);

  g_clear_object (&self->reader);

  G_OBJECT_CLASS (roast_run_connection_parent_class)->finalize (object);
}

static void
roast_run_connection_class_init (RoastRunConnectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_run_connection_finalize;

  /**
   * RoastRunConnection::received:
   * @self: the connection
   * @reader: the reader of the connection, which holds the line during the signal
   *
   * Emitted when a valid line has arrived. The signal is not emitted for lines that the reader refuses; these lines are
   * counted and reported.
   *
   * Since: 0.9
   */
  run_connection_signals[RUN_CONNECTION_SIGNAL_RECEIVED] =
      g_signal_new ("received", ROAST_TYPE_RUN_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                    ROAST_TYPE_WIRE_READER);

  /**
   * RoastRunConnection::closed:
   * @self: the connection
   *
   * Emitted when the connection is closed, because the other end is gone or the measurement ends.
   *
   * Since: 0.9
   */
  run_connection_signals[RUN_CONNECTION_SIGNAL_CLOSED] =
      g_signal_new ("closed", ROAST_TYPE_RUN_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
roast_run_connection_init (RoastRunConnection *self)
{
  self->fd = -1;
}

RoastRunConnection *
roast_run_connection_new (int fd, gint64 pid, RoastWireReader *reader)
{
  RoastRunConnection *self = g_object_new (ROAST_TYPE_RUN_CONNECTION, NULL);

  self->fd = fd;
  self->pid = pid;
  self->reader = g_object_ref (reader);

  return self;
}

void
roast_run_connection_receive (RoastRunConnection *self)
{
  g_signal_emit (self, run_connection_signals[RUN_CONNECTION_SIGNAL_RECEIVED], 0, self->reader);
}

void
roast_run_connection_close (RoastRunConnection *self)
{
  if (self->fd < 0)
    return;
  self->fd = -1;
  g_signal_emit (self, run_connection_signals[RUN_CONNECTION_SIGNAL_CLOSED], 0);
}

/**
 * roast_run_connection_get_reader:
 * @self: a connection
 *
 * Gets the reader of this connection. A backend that receives the connection adds the tables that it understands to the
 * reader.
 *
 * Returns: (transfer none): the reader
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (RunConnection, RUN_CONNECTION, RoastWireReader *, roast_run_connection_get_reader, NULL,
                     self->reader)

/**
 * roast_run_connection_send:
 * @self: a connection
 * @line: a short line, without line feed
 * @error: return location for an error
 *
 * Sends a line to the other end now, or fails. The function never waits, and does not queue the line.
 *
 * Fails with a #GIOErrorEnum: %G_IO_ERROR_CLOSED if the other end is gone, %G_IO_ERROR_WOULD_BLOCK if the other end
 * does not read.
 *
 * Returns: whether the line was sent
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
    return roast_fail (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "process %" G_GINT64_FORMAT " has closed its connection",
                       self->pid);
  text = g_strconcat (line, "\n", NULL);
  length = strlen (text);
  do
    sent = send (self->fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent == (gssize) length)
    return TRUE;
  /* If only a part of the line could be sent, send nothing more, because the next line would be corrupt. */
  if (sent >= 0)
    {
      shutdown (self->fd, SHUT_WR);
      errno = EAGAIN;
    }
  return roast_fail (error, G_IO_ERROR, g_io_error_from_errno (errno),
                     "cannot send to process %" G_GINT64_FORMAT ": %s", self->pid, g_strerror (errno));
}
