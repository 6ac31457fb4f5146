/* SPDX-License-Identifier: BSD-3-Clause */

/* A scheduler by its HTTP server: one question at a time, the next when the last is answered. */

#include <json-glib/json-glib.h>
#include <libsoup/soup.h>
#include <math.h>

#include "dask-cells.h"
#include "dask-lines.h"
#include "dask-transport.h"

#define MAX_LINE 65536
#define MAX_ANSWER (G_GUINT64_CONSTANT (256) << 20)
#define WAIT 10    /* s that the scheduler may keep a question until there is something new */
#define TIMEOUT 40 /* s without a byte */
/* Tests have less of both. */
#ifndef DEADLINE
#define DEADLINE 120 /* s for a whole answer, also of one that drips */
#define PATIENCE 15  /* s without an answer until it is given up */
#endif
#define LEAST_PAUSE 100 /* ms between two questions */

#define DASK_TYPE_HTTP_LINK (dask_http_link_get_type ())
G_DECLARE_FINAL_TYPE (DaskHttpLink, dask_http_link, DASK, HTTP_LINK, DaskTransport)

struct _DaskHttpLink
{
  DaskTransport parent_instance;

  SoupSession *session;
  GCancellable *cancellable; /* of all that goes on */
  char *base;
  char *authorization;
  char *boot;
  gint64 cursor;  /* -1 until it said hello */
  gboolean ended; /* an answer named the next line */
  GSource *pause;
  GSource *deadline;
  gint64 silent_since; /* monotonic, 0 if it answers */
  guint failures;
};

G_DEFINE_FINAL_TYPE (DaskHttpLink, dask_http_link, DASK_TYPE_TRANSPORT)

static void ask_later (DaskHttpLink *self, guint ms);

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static GSource *
add_timeout (DaskHttpLink *self, guint ms, GSourceFunc function)
{
  GSource *source = g_timeout_source_new (ms);

  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());

  return source;
}

static SoupMessage *
make_message (DaskHttpLink *self, const char *method, const char *path)
{
  g_autofree char *url = g_strconcat (self->base, path, NULL);
  SoupMessage *message = soup_message_new (method, url);

  soup_message_headers_append (soup_message_get_request_headers (message), "Authorization", self->authorization);
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);

  return message;
}

/* ---- an answer ---- */

/* The last line is for us: which line comes next, and of which probe. */
static gboolean
take_cursor (DaskHttpLink *self, const char *line)
{
  g_autoptr (JsonParser) parser = NULL;
  JsonObject *object = NULL;
  double next;

  if (!g_str_has_prefix (line, "{\"next\":") || !roast_json_check (line, -1, 4, NULL))
    return FALSE;
  parser = json_parser_new ();
  if (!json_parser_load_from_data (parser, line, -1, NULL) || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return FALSE;
  object = json_node_get_object (json_parser_get_root (parser));
  next = dask_member_number (object, "next");
  if (dask_member_text (object, "boot") == NULL || !(next >= 0 && next < 1e15))
    return FALSE;
  g_free (self->boot);
  self->boot = g_strdup (dask_member_text (object, "boot"));
  self->cursor = (gint64) next;
  self->ended = TRUE;

  return TRUE;
}

static void
on_line (const char *line, gsize length, gpointer user_data)
{
  DaskHttpLink *self = user_data;

  if (!take_cursor (self, line))
    dask_transport_take_line (DASK_TRANSPORT (self), line, length);
}

static void
set_status_error (DaskHttpLink *self, guint status, GError **error)
{
  if (status == SOUP_STATUS_UNAUTHORIZED)
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                 "%s: the probe there wants another token: set ROAST_TOKEN to the one that the scheduler was started "
                 "with, or that "
                 "roast-attach printed",
                 self->base);
  else if (status == SOUP_STATUS_NOT_FOUND)
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                 "%s answers, but there is no probe of roast in it. If this is the dashboard of your scheduler, use "
                 "roast-attach "
                 "tcp://HOST:PORT with the scheduler's own address, or start it with --preload; if not, this is "
                 "another program",
                 self->base);
  else
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                 "%s answers with HTTP status %u: that is no scheduler's probe", self->base, status);
}

/* It does not answer now: perhaps its loop is blocked, perhaps it is gone. */
static void
on_failure (DaskHttpLink *self, GError *error)
{
  gint64 now = g_get_monotonic_time ();

  clear_source (&self->deadline);
  if (!dask_transport_is_open (DASK_TRANSPORT (self)) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_error_free (error);
      return;
    }
  if (self->silent_since == 0)
    self->silent_since = now;
  self->failures++;
  if (self->cursor < 0 || error->domain == ROAST_BACKEND_ERROR || now - self->silent_since > PATIENCE * G_USEC_PER_SEC)
    {
      dask_transport_end (DASK_TRANSPORT (self), error);
      return;
    }
  g_error_free (error);
  ask_later (self, MIN (250u << MIN (self->failures, 5u), 4000) + g_random_int_range (0, 250));
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DaskHttpLink) self = user_data;
  GError *error = NULL;

  clear_source (&self->deadline);
  if (!dask_lines_read_finish (G_INPUT_STREAM (object), result, &error))
    {
      /* Nothing is lost: the next question is for the same lines. But what is no probe is not asked again. */
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
        {
          g_autofree char *reason = g_strdup (error->message);

          g_clear_error (&error);
          g_set_error (&error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, "%s: %s", self->base, reason);
        }
      on_failure (self, error);
      return;
    }
  if (!self->ended)
    {
      on_failure (self, g_error_new (ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                                     "%s: the answer breaks off, or is not that of roast's probe", self->base));
      return;
    }
  self->silent_since = 0;
  self->failures = 0;
  if (dask_scheduler_is_over (dask_transport_get_scheduler (DASK_TRANSPORT (self))))
    dask_transport_end (DASK_TRANSPORT (self), NULL);
  else if (dask_transport_is_open (DASK_TRANSPORT (self)))
    ask_later (self, LEAST_PAUSE);
}

static void
on_answer (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DaskHttpLink) self = user_data;
  GError *error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (object), result, &error);
  SoupMessage *message = soup_session_get_async_result_message (SOUP_SESSION (object), result);

  if (stream != NULL && soup_message_get_status (message) != SOUP_STATUS_OK)
    set_status_error (self, soup_message_get_status (message), &error);
  if (error != NULL)
    {
      if (self->cursor < 0 && error->domain != ROAST_BACKEND_ERROR)
        g_prefix_error (&error, "no scheduler answers at %s: ", self->base);
      on_failure (self, error);
      return;
    }
  self->ended = FALSE;
  dask_lines_read_async (stream, MAX_LINE, MAX_ANSWER, on_line, self, self->cancellable, on_read, g_object_ref (self));
}

static gboolean
on_deadline (gpointer user_data)
{
  DaskHttpLink *self = user_data;

  clear_source (&self->deadline);
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  on_failure (self,
              g_error_new (ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_TIMED_OUT,
                           "%s: an answer took more than %d s: that is no scheduler's probe", self->base, DEADLINE));

  return G_SOURCE_REMOVE;
}

static void
ask (DaskHttpLink *self)
{
  g_autofree char *path = NULL;
  g_autoptr (SoupMessage) message = NULL;

  if (self->cursor < 0)
    path = g_strdup ("/roast/v1/hello");
  else
    path =
        g_strdup_printf ("/roast/v1/poll?cursor=%" G_GINT64_FORMAT "&boot=%s&wait=%d", self->cursor, self->boot, WAIT);
  message = make_message (self, SOUP_METHOD_GET, path);
  self->deadline = add_timeout (self, DEADLINE * 1000, on_deadline);
  soup_session_send_async (self->session, message, G_PRIORITY_DEFAULT, self->cancellable, on_answer,
                           g_object_ref (self));
}

static gboolean
on_pause_over (gpointer user_data)
{
  DaskHttpLink *self = user_data;

  clear_source (&self->pause);
  ask (self);

  return G_SOURCE_REMOVE;
}

static void
ask_later (DaskHttpLink *self, guint ms)
{
  clear_source (&self->pause);
  self->pause = add_timeout (self, ms, on_pause_over);
}

/* ---- the link ---- */

static void
on_flush_answer (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GBytes *bytes = soup_session_send_and_read_finish (SOUP_SESSION (object), result, NULL);

  /* That it was done comes as a line. */
  g_clear_pointer (&bytes, g_bytes_unref);
  g_object_unref (user_data);
}

static gboolean
http_send_flush (DaskTransport *link, guint64 number)
{
  DaskHttpLink *self = DASK_HTTP_LINK (link);
  g_autofree char *path = g_strdup_printf ("/roast/v1/flush?id=%" G_GUINT64_FORMAT, number);
  g_autoptr (SoupMessage) message = make_message (self, SOUP_METHOD_POST, path);

  soup_session_send_and_read_async (self->session, message, G_PRIORITY_DEFAULT, self->cancellable, on_flush_answer,
                                    g_object_ref (self));

  return TRUE;
}

static void
http_shut (DaskTransport *link)
{
  DaskHttpLink *self = DASK_HTTP_LINK (link);

  clear_source (&self->pause);
  clear_source (&self->deadline);
  g_cancellable_cancel (self->cancellable);
}

static void
dask_http_link_finalize (GObject *object)
{
  DaskHttpLink *self = DASK_HTTP_LINK (object);

  clear_source (&self->pause);
  clear_source (&self->deadline);
  g_clear_object (&self->session);
  g_clear_object (&self->cancellable);
  g_free (self->base);
  g_free (self->authorization);
  g_free (self->boot);

  G_OBJECT_CLASS (dask_http_link_parent_class)->finalize (object);
}

static void
dask_http_link_class_init (DaskHttpLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dask_http_link_finalize;
  DASK_TRANSPORT_CLASS (klass)->send_flush = http_send_flush;
  DASK_TRANSPORT_CLASS (klass)->shut = http_shut;
}

static void
dask_http_link_init (DaskHttpLink *self)
{
  self->cursor = -1;
  self->cancellable = g_cancellable_new ();
}

/* People paste the address of the page that they see. */
static char *
dup_base (const char *url)
{
  g_autoptr (GString) base = g_string_new (url);
  static const char *const tails[] = { "/", "/status", "/workers", "/health" };
  gboolean again = TRUE;

  while (again)
    {
      again = FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (tails); i++)
        if (g_str_has_suffix (base->str, tails[i]))
          {
            g_string_truncate (base, base->len - strlen (tails[i]));
            again = TRUE;
          }
    }

  return g_strdup (base->str);
}

DaskTransport *
dask_transport_new_for_url (const char *url, const char *token, const char *ca_file, RoastRecording *recording,
                            guint64 max_tasks, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, error);
  g_autoptr (GTlsDatabase) database = NULL;
  DaskHttpLink *self = NULL;

  if (uri == NULL)
    return NULL;
  if (ca_file != NULL)
    {
      database = g_tls_file_database_new (ca_file, error);
      if (database == NULL)
        return NULL;
    }
  self = g_object_new (DASK_TYPE_HTTP_LINK, NULL);
  dask_transport_set_recording (DASK_TRANSPORT (self), recording, max_tasks);
  self->base = dup_base (url);
  self->authorization = g_strconcat ("Bearer ", token, NULL);
  self->session = soup_session_new_with_options ("timeout", TIMEOUT, "user-agent", "roast", NULL);
  if (database != NULL)
    soup_session_set_tls_database (self->session, database);
  ask (self);

  return DASK_TRANSPORT (self);
}
