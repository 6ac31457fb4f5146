/* SPDX-License-Identifier: BSD-3-Clause */

/* Transport to the HTTP server of a scheduler. Sends each request only after the response to the previous request has
 * arrived. */

#include <libsoup/soup.h>
#include <math.h>

#include "dask-lines.h"
#include "dask-transport.h"
#include "source-attach.h"

#define MAX_RESPONSE (G_GUINT64_CONSTANT (256) << 20)
#define WAIT 10    /* s; longest time that the scheduler may delay its response while it has no new lines */
#define TIMEOUT 40 /* s; a request fails if no byte arrives for this time */
/* Tests override these with shorter times. */
#ifndef DEADLINE
#define DEADLINE 120 /* s; longest time for a whole response, even if bytes keep arriving slowly */
#define PATIENCE 15  /* s; roast gives up if all requests have failed for this time */
#endif
#ifndef LEAST_PAUSE
#define LEAST_PAUSE 100 /* ms; minimum time between two requests */
#define RETRY 250       /* ms from the first failure to the next request; doubled after each further failure */
#endif

typedef struct
{
  DaskTransport *transport; /* owns this structure */
  SoupSession *session;
  GCancellable *cancellable; /* cancels all pending operations */
  char *base;
  char *authorization;
  char *boot;
  gint64 cursor;   /* number of the next line to request; -1 until the hello of the scheduler has arrived */
  char *next_boot; /* together with @next_cursor: values to use after the current response was read */
  gint64 next_cursor;
  GSource *pause;
  GSource *deadline;
  gint64 sent;         /* time at which the request was sent, µs, on the clock of this machine */
  gint64 silent_since; /* monotonic time of the first failure since the last response, µs; 0 if there is none */
  guint failures;
} Http;

/* Keep the transport alive during an operation: it owns this object, which must not be freed before the operation
 * ends. */
static Http *
http_ref (Http *self)
{
  g_object_ref (self->transport);

  return self;
}

static void
http_unref (Http *self)
{
  g_object_unref (self->transport);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Http, http_unref)

static void send_later (Http *self, guint ms);

static SoupMessage *
make_message (Http *self, const char *method, const char *path)
{
  g_autofree char *url = g_strconcat (self->base, path, NULL);
  SoupMessage *message = soup_message_new (method, url);

  soup_message_headers_append (soup_message_get_request_headers (message), "Authorization", self->authorization);
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);

  return message;
}

/* ---- a response ---- */

/* Read the ID of the probe and the number of the next line. Returns FALSE if the response does not come from a
 * probe. */
static gboolean
take_headers (Http *self, SoupMessageHeaders *headers)
{
  const char *boot = soup_message_headers_get_one (headers, "Roast-Boot");
  const char *next = soup_message_headers_get_one (headers, "Roast-Next");
  guint64 number;

  if (boot == NULL || next == NULL || !g_ascii_string_to_unsigned (next, 10, 0, G_MAXINT64, &number, NULL))
    return FALSE;
  g_free (self->next_boot);
  self->next_boot = g_uri_escape_string (boot, NULL, FALSE);
  self->next_cursor = (gint64) number;

  return TRUE;
}

static double
get_seconds (SoupMessageHeaders *headers, const char *name)
{
  const char *text = soup_message_headers_get_one (headers, name);

  return text != NULL ? g_ascii_strtod (text, NULL) : NAN;
}

/* Estimate the clock offset in the same way as NTP. The round trip was measured, but it is unknown how much of it the
 * request took and how much the response. */
static void
compare_clocks (Http *self, SoupMessageHeaders *headers)
{
  double sent = self->sent / 1e6, received = g_get_real_time () / 1e6;
  double arrived = get_seconds (headers, "Roast-Arrived"), answered = get_seconds (headers, "Roast-Answered");

  dask_scheduler_set_clock (dask_transport_get_scheduler (self->transport), (arrived - sent + answered - received) / 2,
                            (received - sent - (answered - arrived)) / 2);
}

static void
on_line (char *line, gsize length, gpointer user_data)
{
  dask_transport_take_line (user_data, line, length);
}

static void
set_status_error (Http *self, guint status, GError **error)
{
  if (status == SOUP_STATUS_UNAUTHORIZED)
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                 "%s: the probe in the scheduler refuses the token: set ROAST_TOKEN to the token that the scheduler "
                 "was started with, or that roast-attach printed",
                 self->base);
  else if (status == SOUP_STATUS_NOT_FOUND)
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                 "%s has no probe of roast. If this address is the dashboard of your scheduler, use roast-attach "
                 "tcp://HOST:PORT with the scheduler's own address, or start the scheduler with --preload. Otherwise "
                 "another program uses this address",
                 self->base);
  else
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                 "%s responds with HTTP status %u: the response is not from roast's probe in a scheduler", self->base,
                 status);
}

/* After a failure, try again for a while, because the scheduler may only have a blocked event loop. After that, give
 * up. */
static void
on_failure (Http *self, GError *error)
{
  gint64 now = g_get_monotonic_time ();
  gboolean is_final = self->cursor < 0 || error->domain == ROAST_BACKEND_ERROR;

  source_clear (&self->deadline);
  if (!dask_transport_is_open (self->transport) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_error_free (error);
      return;
    }
  if (self->silent_since == 0)
    self->silent_since = now;
  self->failures++;
  if (is_final || now - self->silent_since > PATIENCE * G_USEC_PER_SEC)
    {
      if (!is_final)
        g_prefix_error (&error, "the scheduler at %s has not answered for %d s: the measurement ends: ", self->base,
                        PATIENCE);
      dask_transport_end (self->transport, error);
      return;
    }
  g_error_free (error);
  send_later (self, MIN ((guint) RETRY << MIN (self->failures, 5u), 4000) + g_random_int_range (0, RETRY));
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Http) self = user_data;
  GError *error = NULL;

  source_clear (&self->deadline);
  if (!dask_lines_read_finish (G_INPUT_STREAM (object), result, &error))
    {
      /* Request the same lines again, unless the response was too large, because the server is then not the probe. */
      g_prefix_error (&error, "%s: ", self->base);
      on_failure (self, error);
      return;
    }
  g_free (self->boot);
  self->boot = g_steal_pointer (&self->next_boot);
  self->cursor = self->next_cursor;
  self->silent_since = 0;
  self->failures = 0;
  if (dask_scheduler_is_over (dask_transport_get_scheduler (self->transport)))
    dask_transport_end (self->transport, NULL);
  else if (dask_transport_is_open (self->transport))
    send_later (self, LEAST_PAUSE);
}

static void
on_response (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Http) self = user_data;
  GError *error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (object), result, &error);
  SoupMessage *message = soup_session_get_async_result_message (SOUP_SESSION (object), result);

  if (stream != NULL && soup_message_get_status (message) != SOUP_STATUS_OK)
    set_status_error (self, soup_message_get_status (message), &error);
  else if (stream != NULL && !take_headers (self, soup_message_get_response_headers (message)))
    g_set_error (&error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                 "%s: the response is not from roast's probe", self->base);
  if (error != NULL)
    {
      if (self->cursor < 0 && error->domain != ROAST_BACKEND_ERROR)
        g_prefix_error (&error, "no scheduler answers at %s: ", self->base);
      on_failure (self, error);
      return;
    }
  if (self->cursor < 0)
    compare_clocks (self, soup_message_get_response_headers (message));
  dask_lines_read_async (stream, DASK_MAX_LINE, MAX_RESPONSE, on_line, self->transport, self->cancellable, on_read,
                         http_ref (self));
}

static gboolean
on_deadline (gpointer user_data)
{
  Http *self = user_data;

  source_clear (&self->deadline);
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  on_failure (self, g_error_new (ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT,
                                 "%s: a response took more than %d s: the response is not from roast's probe",
                                 self->base, DEADLINE));

  return G_SOURCE_REMOVE;
}

static void
send_request (Http *self)
{
  g_autofree char *path = NULL;
  g_autoptr (SoupMessage) message = NULL;

  if (self->cursor < 0)
    path = g_strdup ("/roast/v1/hello");
  else
    path =
        g_strdup_printf ("/roast/v1/poll?cursor=%" G_GINT64_FORMAT "&boot=%s&wait=%d", self->cursor, self->boot, WAIT);
  message = make_message (self, SOUP_METHOD_GET, path);
  self->deadline = source_attach (g_timeout_source_new (DEADLINE * 1000), on_deadline, self);
  self->sent = g_get_real_time ();
  soup_session_send_async (self->session, message, G_PRIORITY_DEFAULT, self->cancellable, on_response, http_ref (self));
}

static gboolean
on_pause_over (gpointer user_data)
{
  Http *self = user_data;

  source_clear (&self->pause);
  send_request (self);

  return G_SOURCE_REMOVE;
}

static void
send_later (Http *self, guint ms)
{
  source_clear (&self->pause);
  self->pause = source_attach (g_timeout_source_new (ms), on_pause_over, self);
}

/* ---- the transport ---- */

static void
on_flush_response (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GBytes *bytes = soup_session_send_and_read_finish (SOUP_SESSION (object), result, NULL);

  /* Ignore the response. The scheduler reports the end of the flush in a row of the table flushed. */
  g_clear_pointer (&bytes, g_bytes_unref);
  http_unref (user_data);
}

static gboolean
http_send_flush (gpointer link, guint64 number, gboolean is_last)
{
  Http *self = link;
  const char *leave = is_last ? "&leave=1" : "";
  g_autofree char *path = g_strdup_printf ("/roast/v1/flush?id=%" G_GUINT64_FORMAT "%s", number, leave);
  g_autoptr (SoupMessage) message = make_message (self, SOUP_METHOD_POST, path);

  soup_session_send_and_read_async (self->session, message, G_PRIORITY_DEFAULT, self->cancellable, on_flush_response,
                                    http_ref (self));

  return TRUE;
}

static void
http_shut (gpointer link)
{
  Http *self = link;

  source_clear (&self->pause);
  source_clear (&self->deadline);
  g_cancellable_cancel (self->cancellable);
}

static void
http_free (gpointer link)
{
  Http *self = link;

  g_object_unref (self->session);
  g_object_unref (self->cancellable);
  g_free (self->base);
  g_free (self->authorization);
  g_free (self->boot);
  g_free (self->next_boot);
  g_free (self);
}

/* Remove the name of a dashboard page from the URL, because users paste the address of a page that they have open. */
static char *
dup_base (const char *url)
{
  static const char *const tails[] = { "/", "/status", "/workers", "/health" };
  char *base = g_strdup (url);
  guint i = 0;

  while (i < G_N_ELEMENTS (tails))
    if (g_str_has_suffix (base, tails[i]))
      {
        base[strlen (base) - strlen (tails[i])] = '\0';
        i = 0;
      }
    else
      {
        i++;
      }

  return base;
}

DaskTransport *
dask_transport_new_for_url (const char *url, const char *token, const char *ca_file, const DaskOutput *output,
                            GError **error)
{
  static const DaskTransportKind kind = { http_send_flush, http_shut, http_free };
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, error);
  g_autoptr (GTlsDatabase) database = NULL;
  Http *self = NULL;

  if (uri == NULL)
    return NULL;
  if (ca_file != NULL)
    {
      database = g_tls_file_database_new (ca_file, error);
      if (database == NULL)
        return NULL;
    }
  self = g_new0 (Http, 1);
  self->transport = dask_transport_new (&kind, self, output, NULL);
  self->cursor = -1;
  self->cancellable = g_cancellable_new ();
  self->base = dup_base (url);
  self->authorization = g_strconcat ("Bearer ", token, NULL);
  self->session = soup_session_new_with_options ("timeout", TIMEOUT, "user-agent", "roast", NULL);
  if (database != NULL)
    soup_session_set_tls_database (self->session, database);
  send_request (self);

  return self->transport;
}
