/* SPDX-License-Identifier: BSD-3-Clause */

/* A scheduler of the program, or a client in it, on the run's socket. */

#include "dask-transport.h"

#define DASK_TYPE_SOCKET_TRANSPORT (dask_socket_transport_get_type ())
G_DECLARE_FINAL_TYPE (DaskSocketTransport, dask_socket_transport, DASK, SOCKET_TRANSPORT, DaskTransport)

struct _DaskSocketTransport
{
  DaskTransport parent_instance;

  RoastRunConnection *connection;
};

G_DEFINE_FINAL_TYPE (DaskSocketTransport, dask_socket_transport, DASK_TYPE_TRANSPORT)

static gboolean
socket_send_flush (DaskTransport *transport, guint64 number)
{
  DaskSocketTransport *self = DASK_SOCKET_TRANSPORT (transport);
  g_autofree char *request = g_strdup_printf ("{\"do\":\"flush\",\"id\":%" G_GUINT64_FORMAT "}", number);

  return roast_run_connection_send (self->connection, request, NULL);
}

static void
socket_shut (DaskTransport *transport)
{
  DaskSocketTransport *self = DASK_SOCKET_TRANSPORT (transport);

  if (self->connection != NULL)
    g_signal_handlers_disconnect_by_data (self->connection, self);
}

static void
dask_socket_transport_finalize (GObject *object)
{
  DaskSocketTransport *self = DASK_SOCKET_TRANSPORT (object);

  socket_shut (DASK_TRANSPORT (self));
  g_clear_object (&self->connection);

  G_OBJECT_CLASS (dask_socket_transport_parent_class)->finalize (object);
}

static void
dask_socket_transport_class_init (DaskSocketTransportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dask_socket_transport_finalize;
  DASK_TRANSPORT_CLASS (klass)->send_flush = socket_send_flush;
  DASK_TRANSPORT_CLASS (klass)->shut = socket_shut;
}

static void
dask_socket_transport_init (DaskSocketTransport *self)
{
}

static void
on_received (RoastRunConnection *connection, RoastWireReader *reader, DaskTransport *self)
{
  dask_transport_take (self);
}

static void
on_closed (RoastRunConnection *connection, DaskTransport *self)
{
  dask_transport_end (self, NULL);
}

DaskTransport *
dask_transport_new_for_connection (RoastRunConnection *connection, const DaskOutput *output)
{
  DaskSocketTransport *self = g_object_new (DASK_TYPE_SOCKET_TRANSPORT, NULL);

  dask_transport_open (DASK_TRANSPORT (self), output, roast_run_connection_get_reader (connection));
  self->connection = g_object_ref (connection);
  g_signal_connect (connection, "received", G_CALLBACK (on_received), self);
  g_signal_connect (connection, "closed", G_CALLBACK (on_closed), self);

  return DASK_TRANSPORT (self);
}
