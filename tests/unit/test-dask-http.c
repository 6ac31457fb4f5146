/* SPDX-License-Identifier: BSD-3-Clause */

/* Attaching to a web server that is not a scheduler, or one that lies, drips or never ends: a clear error, in bounded
 * time and memory. These servers are played; real schedulers are in the integration tests. */

#include <libsoup/soup.h>
#include <roast/roast.h>

#include "../../plugins/dask/dask-transport.h"

#define HELLO                                                                                                          \
  "{\"table\":\"hello\",\"columns\":[\"version\",\"boot\",\"address\"]}\n"                                             \
  "[\"hello\",2,\"b\",\"tcp://h:1\"]\n"

typedef struct
{
  SoupServer *server;
  RoastRecording *recording;
  FrameworkTasks *roles;
  char *url;
  GMainLoop *loop;
  const char *answer; /* to hello */
  guint status;
  const char *poll; /* to all that follows; NULL for an error */
  guint polls;
  gboolean foreign; /* without the headers of the probe */
  gboolean endless;
  gboolean silent;
} Fixture;

static void
on_wrote (SoupServerMessage *message, gpointer user_data)
{
  static char piece[65536];

  if (piece[0] == '\0')
    memset (piece, 'x', sizeof piece);
  soup_message_body_append (soup_server_message_get_response_body (message), SOUP_MEMORY_STATIC, piece, sizeof piece);
  soup_server_message_unpause (message);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  Fixture *fixture = user_data;
  const char *answer = fixture->answer;
  const char *authorization =
      soup_message_headers_get_one (soup_server_message_get_request_headers (message), "Authorization");

  g_assert_cmpstr (authorization, ==, "Bearer secret");
  if (fixture->silent)
    {
      soup_server_message_pause (message);
      return;
    }
  if (!fixture->foreign)
    {
      soup_message_headers_append (soup_server_message_get_response_headers (message), "Roast-Boot", "b");
      soup_message_headers_append (soup_server_message_get_response_headers (message), "Roast-Next", "0");
    }
  if (fixture->endless)
    {
      soup_server_message_set_status (message, 200, NULL);
      soup_message_headers_set_encoding (soup_server_message_get_response_headers (message), SOUP_ENCODING_CHUNKED);
      soup_message_body_set_accumulate (soup_server_message_get_response_body (message), FALSE);
      g_signal_connect (message, "wrote-chunk", G_CALLBACK (on_wrote), NULL);
      on_wrote (message, NULL);
      return;
    }
  if (strstr (path, "hello") == NULL)
    {
      fixture->polls++;
      answer = fixture->poll;
    }
  soup_server_message_set_status (message, answer != NULL ? fixture->status : 500, NULL);
  if (answer != NULL)
    soup_server_message_set_response (message, "application/x-ndjson", SOUP_MEMORY_COPY, answer, strlen (answer));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GSList *uris = NULL;

  g_setenv ("TEST_DEADLINE", "240", TRUE);
  fixture->recording = roast_recording_new (NULL);
  fixture->roles = framework_tasks_new (fixture->recording, NULL, NULL, 0);
  fixture->loop = g_main_loop_new (NULL, FALSE);
  fixture->status = 200;
  fixture->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (fixture->server, NULL, on_request, fixture, NULL);
  soup_server_listen_local (fixture->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (fixture->server);
  fixture->url = g_uri_to_string (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  /* Both ends have begun to close. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  soup_server_disconnect (fixture->server);
  g_object_unref (fixture->server);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  framework_tasks_free (fixture->roles);
  g_object_unref (fixture->recording);
  g_main_loop_unref (fixture->loop);
  g_free (fixture->url);
}

static void
on_changed (DaskTransport *link, Fixture *fixture)
{
  g_main_loop_quit (fixture->loop);
}

static DaskTransport *
join (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  DaskOutput output = { fixture->recording, fixture->roles, 10 };
  DaskTransport *link = dask_transport_new_for_url (fixture->url, "secret", NULL, &output, &error);

  g_assert_no_error (error);
  g_signal_connect (link, "changed", G_CALLBACK (on_changed), fixture);
  g_main_loop_run (fixture->loop);

  return link;
}

static void
expect (Fixture *fixture, int code, const char *part)
{
  g_autoptr (DaskTransport) link = join (fixture);

  g_assert_false (dask_transport_is_open (link));
  g_assert_error (dask_transport_get_error (link), ROAST_BACKEND_ERROR, code);
  g_test_message ("%s", dask_transport_get_error (link)->message);
  g_assert_nonnull (strstr (dask_transport_get_error (link)->message, part));
}

static void
test_good (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DaskTransport) link = NULL;

  fixture->answer = HELLO;
  fixture->poll = "{\"table\":\"bye\",\"columns\":[\"missing\"]}\n[\"bye\",0]\n";
  link = join (fixture);
  g_assert_true (dask_scheduler_is_known (dask_transport_get_scheduler (link)));
  while (dask_transport_is_open (link))
    g_main_loop_run (fixture->loop);
  g_assert_null (dask_transport_get_error (link));
  g_assert_true (dask_scheduler_is_over (dask_transport_get_scheduler (link)));
}

static void
test_wrong_token (Fixture *fixture, gconstpointer data)
{
  fixture->answer = "{}";
  fixture->status = 401;
  expect (fixture, ROAST_BACKEND_ERROR_CONNECT, "ROAST_TOKEN");
}

static void
test_no_probe (Fixture *fixture, gconstpointer data)
{
  fixture->answer = "not here";
  fixture->status = 404;
  expect (fixture, ROAST_BACKEND_ERROR_CONNECT, "roast-attach");
}

static void
test_redirect (Fixture *fixture, gconstpointer data)
{
  fixture->answer = "elsewhere";
  fixture->status = 302;
  expect (fixture, ROAST_BACKEND_ERROR_PROTOCOL, "302");
}

static void
test_web_page (Fixture *fixture, gconstpointer data)
{
  fixture->answer = "<html><body>hello</body></html>\n";
  expect (fixture, ROAST_BACKEND_ERROR_PROTOCOL, "not JSON");
}

/* An older probe, or a line of JSON from elsewhere. */
static void
test_another_version (Fixture *fixture, gconstpointer data)
{
  fixture->answer = "{\"hello\":{\"schema\":1,\"boot\":\"b\",\"address\":\"tcp://h:1\"}}\n";
  expect (fixture, ROAST_BACKEND_ERROR_PROTOCOL, "from another version of roast");
}

static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  fixture->foreign = TRUE;
  fixture->answer = "";
  expect (fixture, ROAST_BACKEND_ERROR_PROTOCOL, "not from roast's probe");
}

static void
test_deep (Fixture *fixture, gconstpointer data)
{
  g_autofree char *deep = g_strnfill (30000, '[');

  fixture->answer = deep;
  expect (fixture, ROAST_BACKEND_ERROR_PROTOCOL, "nested");
}

/* Gigabytes without a line feed. */
static void
test_endless (Fixture *fixture, gconstpointer data)
{
  fixture->endless = TRUE;
  expect (fixture, ROAST_BACKEND_ERROR_PROTOCOL, "exceeds the size limit");
}

static void
test_silent (Fixture *fixture, gconstpointer data)
{
  fixture->silent = TRUE;
  g_setenv ("TEST_DEADLINE", "2", TRUE);
  expect (fixture, ROAST_BACKEND_ERROR_TIMED_OUT, "took more than");
}

/* It responds once, and then no more: after a while it is given up, and its data are kept. */
static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DaskTransport) link = NULL;

  fixture->answer = HELLO;
  link = join (fixture);
  g_assert_true (dask_transport_is_open (link));
  while (dask_transport_is_open (link))
    g_main_loop_run (fixture->loop);
  g_assert_nonnull (dask_transport_get_error (link));
  g_assert_cmpuint (fixture->polls, >=, 1);
}

/* It responds once, and then refuses connections, as if it was killed: after PATIENCE it is given up. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DaskTransport) link = NULL;

  fixture->answer = HELLO;
  link = join (fixture);
  soup_server_disconnect (fixture->server);
  while (dask_transport_is_open (link))
    g_main_loop_run (fixture->loop);
  g_assert_nonnull (strstr (dask_transport_get_error (link)->message,
                            "has not answered for 1 s: the measurement ends: "));
}

static void
test_shut (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DaskTransport) link = NULL;

  fixture->answer = HELLO;
  fixture->poll = "";
  link = join (fixture);
  g_assert_true (dask_transport_flush (link, 1, FALSE));
  dask_transport_shut (link);
  g_assert_false (dask_transport_flush (link, 2, FALSE));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_nobody (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) roles = framework_tasks_new (recording, NULL, NULL, 0);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (DaskTransport) link = NULL;
  DaskOutput output = { recording, roles, 1 };

  g_assert_null (dask_transport_new_for_url ("http://[", "t", NULL, &output, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (dask_transport_new_for_url ("https://h", "t", "/nonexistent", &output, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  link = dask_transport_new_for_url ("http://127.0.0.1:1/status/", "t", NULL, &output, &error);
  g_assert_no_error (error);
  g_signal_connect_swapped (link, "changed", G_CALLBACK (g_main_loop_quit), loop);
  g_main_loop_run (loop);
  g_assert_nonnull (strstr (dask_transport_get_error (link)->message, "no scheduler answers at http://127.0.0.1:1:"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/dask-http/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("good", test_good);
  ADD ("wrong-token", test_wrong_token);
  ADD ("no-probe", test_no_probe);
  ADD ("redirect", test_redirect);
  ADD ("web-page", test_web_page);
  ADD ("another-version", test_another_version);
  ADD ("foreign", test_foreign);
  ADD ("deep", test_deep);
  ADD ("endless", test_endless);
  ADD ("silent", test_silent);
  ADD ("gone", test_gone);
  ADD ("killed", test_killed);
  ADD ("shut", test_shut);
  g_test_add_func ("/dask-http/nobody", test_nobody);

  return g_test_run ();
}
