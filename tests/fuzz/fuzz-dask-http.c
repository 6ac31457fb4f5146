/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as the responses of a web server to which roast was attached: the lines of a probe are read, or the
 * transport closes with a reason; it ends in either case, and asks no more often than it has to. */

#include <gio/gio.h>
#include <stdint.h>
#include <string.h>

#include "../../plugins/dask/dask-transport.h"
#include "pieces.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

typedef struct
{
  GSocketListener *listener;
  GCancellable *cancellable;
  GIOStream *stream; /* of the current request */
  Pieces pieces;
  char *response;
  char request[4096];
  guint requests;
  gboolean over; /* all was sent */
  gboolean accepting;
} Server;

static void accept_next (Server *server);

static void
close_stream (Server *server)
{
  g_io_stream_close (server->stream, NULL, NULL);
  g_clear_object (&server->stream);
  g_clear_pointer (&server->response, g_free);
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Server *server = user_data;

  g_output_stream_write_all_finish (G_OUTPUT_STREAM (object), result, NULL, NULL);
  close_stream (server);
  accept_next (server);
}

/* A request fits into the first packet. */
static void
on_request (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Server *server = user_data;
  size_t length = 0;

  g_input_stream_read_finish (G_INPUT_STREAM (object), result, NULL);
  server->requests++;
  server->response = pieces_next (&server->pieces, &length);
  if (server->response == NULL)
    {
      server->over = TRUE;
      close_stream (server);
      accept_next (server);
      return;
    }
  g_output_stream_write_all_async (g_io_stream_get_output_stream (server->stream), server->response, length,
                                   G_PRIORITY_DEFAULT, NULL, on_written, server);
}

static void
on_accepted (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Server *server = user_data;
  GSocketConnection *connection = g_socket_listener_accept_finish (G_SOCKET_LISTENER (object), result, NULL, NULL);

  server->accepting = FALSE;
  if (connection == NULL)
    return;
  server->stream = G_IO_STREAM (connection);
  g_input_stream_read_async (g_io_stream_get_input_stream (server->stream), server->request, sizeof server->request,
                             G_PRIORITY_DEFAULT, NULL, on_request, server);
}

static void
accept_next (Server *server)
{
  server->accepting = TRUE;
  g_socket_listener_accept_async (server->listener, server->cancellable, on_accepted, server);
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
run (DaskTransport *transport, Server *server)
{
  guint tick = g_timeout_add (1000, on_tick, NULL);
  gint64 until = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (dask_transport_is_open (transport) && !server->over)
    {
      g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
    }
  g_source_remove (tick);
  dask_transport_shut (transport);
  g_cancellable_cancel (server->cancellable);
  while (server->accepting || server->stream != NULL || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, TRUE);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) roles = framework_tasks_new (recording, NULL, NULL, 0);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (DaskTransport) transport = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *url = NULL;
  DaskOutput output = { recording, roles, 10 };
  Server server = { .pieces = { (const char *) data, size } };

  server.listener = g_socket_listener_new ();
  server.cancellable = g_cancellable_new ();
  g_socket_listener_add_address (server.listener, any, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &address,
                                 &error);
  g_assert_no_error (error);
  accept_next (&server);
  url = g_strdup_printf ("http://127.0.0.1:%u", g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
  transport = dask_transport_new_for_url (url, "secret", NULL, &output, &error);
  g_assert_no_error (error);
  run (transport, &server);
  g_assert_false (dask_transport_is_open (transport));
  g_clear_object (&transport);
  g_object_unref (server.listener);
  g_object_unref (server.cancellable);

  return 0;
}
