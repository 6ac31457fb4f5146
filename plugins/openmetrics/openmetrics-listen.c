/* SPDX-License-Identifier: BSD-3-Clause */

/* An HTTP server that answers GET /metrics requests of Prometheus. It is a separate module, so that the exporter itself
 * does not need libsoup. */

#include "openmetrics-listen.h"

#include <gio/gunixsocketaddress.h>
#include <gmodule.h>
#include <libsoup/soup.h>
#include <unistd.h>

#define TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

G_MODULE_EXPORT extern const OpenMetricsListen roast_openmetrics_listen;

typedef struct
{
  GSocketService *service;
  SoupServer *server;
  char *authorization; /* value of the header Authorization that requests must have; NULL if all requests are allowed */
  char *text;
  char *path; /* path of the Unix socket; NULL if the server listens at an internet address */
} Listener;

static void
listener_free (gpointer data)
{
  Listener *self = data;

  if (self->path != NULL)
    unlink (self->path);
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_object_unref (self->service);
  soup_server_disconnect (self->server);
  g_object_unref (self->server);
  g_free (self->authorization);
  g_free (self->text);
  g_free (self->path);
  g_free (self);
}

static gboolean
is_allowed (const Listener *self, SoupServerMessage *message)
{
  const char *given = soup_message_headers_get_one (soup_server_message_get_request_headers (message), "Authorization");

  return self->authorization == NULL || g_strcmp0 (given, self->authorization) == 0;
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  const Listener *self = data;
  const char *method = soup_server_message_get_method (message);

  if (!g_str_equal (path, "/metrics"))
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
  else if (!g_str_equal (method, "GET") && !g_str_equal (method, "HEAD"))
    soup_server_message_set_status (message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL);
  else if (!is_allowed (self, message))
    {
      soup_message_headers_append (soup_server_message_get_response_headers (message), "WWW-Authenticate", "Bearer");
      soup_server_message_set_status (message, SOUP_STATUS_UNAUTHORIZED, NULL);
    }
  else
    {
      soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
      soup_server_message_set_response (message, TYPE, SOUP_MEMORY_COPY, self->text, strlen (self->text));
    }
}

/* Pass a connection to libsoup with a dummy internet address. libsoup accepts any stream, but needs an internet address
 * if a request has no header Host. */
static gboolean
on_connection (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  const Listener *self = data;
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new_from_string ("127.0.0.1", 80);
  g_autoptr (GError) error = NULL;

  if (!soup_server_accept_iostream (self->server, G_IO_STREAM (connection), address, address, &error))
    g_debug ("dropped a connection: %s", error->message);

  return TRUE;
}

/* If the Unix socket at @path refuses connections, remove it. A process that was killed leaves such a socket behind. */
static void
remove_stale (GSocketAddress *address, const char *path)
{
  g_autoptr (GSocket) probe = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, 0, NULL);
  g_autoptr (GError) error = NULL;

  if (probe != NULL && !g_socket_connect (probe, address, NULL, &error) &&
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    unlink (path);
}

static gboolean
listen_at (Listener *self, GSocketAddress *address, GError **error)
{
  g_autoptr (GSocket) socket =
      g_socket_new (g_socket_address_get_family (address), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);
  const char *path =
      G_IS_UNIX_SOCKET_ADDRESS (address) ? g_unix_socket_address_get_path (G_UNIX_SOCKET_ADDRESS (address)) : NULL;

  if (socket == NULL)
    return FALSE;
  if (path != NULL)
    remove_stale (address, path);
  if (!g_socket_bind (socket, address, TRUE, error))
    return FALSE;
  self->path = g_strdup (path);

  return g_socket_listen (socket, error) &&
         g_socket_listener_add_socket (G_SOCKET_LISTENER (self->service), socket, NULL, error);
}

static gpointer
begin (GSocketAddress *address, const char *token, GError **error)
{
  Listener *self = g_new0 (Listener, 1);

  self->service = g_socket_service_new ();
  g_signal_connect (self->service, "incoming", G_CALLBACK (on_connection), self);
  self->server = soup_server_new ("server-header", "roast", NULL);
  self->authorization = token != NULL ? g_strconcat ("Bearer ", token, NULL) : NULL;
  self->text = g_strdup ("# EOF\n");
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  if (listen_at (self, address, error))
    return self;
  listener_free (self);

  return NULL;
}

static void
set_text (gpointer listener, const char *text)
{
  Listener *self = listener;

  g_free (self->text);
  self->text = g_strdup (text);
}

const OpenMetricsListen roast_openmetrics_listen = { PLUGIN_VERSION, begin, set_text, listener_free };
