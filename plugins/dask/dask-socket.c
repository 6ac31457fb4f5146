/* SPDX-License-Identifier: BSD-3-Clause */

/* Transport over the socket of the run. The peer is a scheduler in the program, or a client that forwards the lines of
 * a scheduler. */

#include "dask-transport.h"

typedef struct
{
  DaskTransport *transport; /* owns this structure */
  RoastRunConnection *connection;
} Socket;

static gboolean
socket_send_flush (gpointer link, guint64 number, gboolean is_last)
{
  Socket *self = link;
  g_autofree char *request = g_strdup_printf ("{\"do\":\"flush\",\"id\":%" G_GUINT64_FORMAT "}", number);

  return roast_run_connection_send (self->connection, request, NULL);
}

static void
socket_shut (gpointer link)
{
  Socket *self = link;

  g_signal_handlers_disconnect_by_data (self->connection, self->transport);
}

static void
socket_free (gpointer link)
{
  Socket *self = link;

  socket_shut (self);
  g_object_unref (self->connection);
  g_free (self);
}

static void
on_received (RoastRunConnection *connection, RoastWireReader *reader, DaskTransport *self)
{
  dask_transport_take_line (self, NULL, 0);
}

static void
on_closed (RoastRunConnection *connection, DaskTransport *self)
{
  dask_transport_end (self, NULL);
}

DaskTransport *
dask_transport_new_for_connection (RoastRunConnection *connection, const DaskOutput *output)
{
  static const DaskTransportKind kind = { socket_send_flush, socket_shut, socket_free };
  Socket *self = g_new (Socket, 1);

  self->connection = g_object_ref (connection);
  self->transport = dask_transport_new (&kind, self, output, roast_run_connection_get_reader (connection));
  g_signal_connect (connection, "received", G_CALLBACK (on_received), self->transport);
  g_signal_connect (connection, "closed", G_CALLBACK (on_closed), self->transport);

  return self->transport;
}
