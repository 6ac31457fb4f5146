/* SPDX-License-Identifier: BSD-3-Clause */

/* The status of a manager: real answers, and those of other programs that may have the port. */

#include <math.h>
#include <string.h>

#include "vine-status-poller.h"
#include "vine-status.h"

/* ---- answers ---- */

static JsonArray *
decode (const char *text)
{
  g_autoptr (GError) error = NULL;
  /* In its own block, so that a sanitizer notices reads beyond its end. */
  g_autofree char *copy = g_memdup2 (text, MAX (strlen (text), 1));
  JsonArray *array = vine_status_decode (copy, strlen (text), &error);

  g_assert_no_error (error);

  return array;
}

static void
refuse_bytes (const char *text, gsize length, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_memdup2 (text, MAX (length, 1));

  g_assert_null (vine_status_decode (copy, length, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  if (code >= 0)
    g_assert_error (error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
}

static char *
read_answer (const char *what)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "taskvine", "status", what, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static void
test_manager (void)
{
  g_autofree char *text = read_answer ("manager");
  g_autoptr (JsonArray) array = decode (text);
  JsonObject *status = json_array_get_object_element (array, 0);

  g_assert_cmpuint (json_array_get_length (array), ==, 1);
  g_assert_cmpstr (vine_status_get_text (status, "version"), ==, "7.14.5 FINAL");
  g_assert_cmpfloat (vine_status_get_number (status, "workers_connected"), ==, 2);
  g_assert_cmpfloat (vine_status_get_number (status, "tasks_submitted"), ==, 155);
}

/* Commands contain single quotes, which TaskVine escapes. */
static void
test_worker (void)
{
  g_autofree char *text = read_answer ("worker");
  g_autoptr (JsonArray) array = decode (text);
  JsonObject *status = json_array_get_object_element (array, 0);

  g_assert_nonnull (strstr (text, "\\'"));
  g_assert_cmpuint (json_array_get_length (array), ==, 2);
  g_assert_cmpstr (vine_status_get_text (status, "current_task_000_command"), ==,
                   "python3 -c 'sum(i*i for i in range(2000000))'");
  g_assert_cmpstr (vine_status_get_text (status, "addrport"), ==, "127.0.0.1:46628");
  g_assert_cmpfloat (vine_status_get_number (status, "disk_inuse"), ==, 1500);
}

static void
test_strings (void)
{
  static const struct
  {
    const char *json, *text;
  } strings[] = {
    { "it\\'s", "it's" },
    { "\\\\\\'", "\\'" },
    { "\\\\'", "\\'" },
    { "\\\"\\/\\n\\u0041", "\"/\nA" },
    { "caf\\u00e9", "caf\xc3\xa9" },
    { "caf\\uffffffc3\\uffffffa9", "caf\xc3\xa9" },
    { "caf\\uFFFFFFC3", "caf\xef\xbf\xbf"
                        "FFC3" },
    { "\\uffffffc3!", "\xef\xbf\xbd!" },
    { "\xc3!", "\xef\xbf\xbd!" },
    /* Only bytes beyond ASCII are decoded: this must not end the string. */
    { "\\uffffff22,", "\xef\xbf\xbf"
                      "ff22," },
    { "\\\\uffffffc3", "\\uffffffc3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    {
      g_autofree char *text = g_strdup_printf (" \n[{\"a\":\"%s\"}]\n", strings[i].json);
      g_autoptr (JsonArray) array = decode (text);

      g_assert_cmpstr (vine_status_get_text (json_array_get_object_element (array, 0), "a"), ==, strings[i].text);
    }
}

static void
test_members (void)
{
  g_autoptr (JsonArray) array =
      decode ("[{\"i\":7,\"d\":1.5,\"s\":\"x\",\"t\":true,\"n\":null,\"l\":[1],\"o\":{\"i\":1}}]");
  static const char *const no_numbers[] = { "s", "t", "n", "l", "o", "missing" };
  static const char *const no_texts[] = { "i", "d", "t", "n", "l", "o", "missing" };
  JsonObject *object = json_array_get_object_element (array, 0);

  g_assert_cmpfloat (vine_status_get_number (object, "i"), ==, 7);
  g_assert_cmpfloat (vine_status_get_number (object, "d"), ==, 1.5);
  g_assert_cmpstr (vine_status_get_text (object, "s"), ==, "x");
  for (guint i = 0; i < G_N_ELEMENTS (no_numbers); i++)
    g_assert_true (isnan (vine_status_get_number (object, no_numbers[i])));
  for (guint i = 0; i < G_N_ELEMENTS (no_texts); i++)
    g_assert_null (vine_status_get_text (object, no_texts[i]));
}

static void
test_broken (void)
{
  static const char *const broken[] = {
    "[",         "[{\"a\":1}",    "[{\"a\":1}]]", "[{\"a\":1}] x", "[1,]",          "[{\"a\":1,}]", "[{\"a\"}]",
    "[{'a':1}]", "[{\"a\":NaN}]", "[01]",         "[0x1]",         "[\"\\x\"]",     "[\"\\u12\"]",  "[\"a]",
    "[\"\\",     "[\"\\uffffff",  "[\"a\nb\"]",   "[tru]",         "[{\"a\":1}{}]", "[\\'a\\']",    "[1]\\'",
  };
  static const char *const others[] = {
    "{}", "null", "1", "\"a\"", "HTTP/1.1 400 Bad Request\r\n\r\n", "<html>", "\x16\x03\x01", "aut", "auth",
  };
  g_autofree char *deep = g_strnfill (100000, '[');

  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    refuse_bytes (broken[i], strlen (broken[i]), -1, "cannot parse the manager's answer: ");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    refuse_bytes (others[i], strlen (others[i]), G_IO_ERROR_INVALID_DATA, "another program may use this port");
  refuse_bytes ("", 0, G_IO_ERROR_INVALID_DATA, "empty");
  refuse_bytes (" \n\t ", 4, G_IO_ERROR_INVALID_DATA, "empty");
  refuse_bytes ("auth password sha1\n", 19, G_IO_ERROR_PERMISSION_DENIED, "password");
  refuse_bytes (deep, 100000, -1, "cannot parse the manager's answer: ");
  /* Bytes after a NUL count as well. */
  refuse_bytes ("[1]\0x", 5, -1, "cannot parse the manager's answer: ");
}

/* ---- a server ---- */

typedef struct _Server Server;

typedef void (*Serve) (Server *server, GInputStream *in, GOutputStream *out);

struct _Server
{
  GSocketListener *listener;
  GCancellable *stop;
  GThread *thread;
  guint16 port;
  Serve serve;
  const char *answer;
  GString *requests;  /* written by the thread; read after it has joined */
  gint n_connections; /* atomic */
  /* the client */
  JsonArray *status;
  GError *error;
  gboolean done;
  GString *heard;
};

static gpointer
run_server (gpointer user_data)
{
  Server *server = user_data;

  while (!g_cancellable_is_cancelled (server->stop))
    {
      g_autoptr (GSocketConnection) connection = g_socket_listener_accept (server->listener, NULL, server->stop, NULL);

      if (connection == NULL)
        break;
      g_atomic_int_inc (&server->n_connections);
      server->serve (server, g_io_stream_get_input_stream (G_IO_STREAM (connection)),
                     g_io_stream_get_output_stream (G_IO_STREAM (connection)));
      g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
    }

  return NULL;
}

static void
read_request (Server *server, GInputStream *in)
{
  char c = '\0';

  while (c != '\n' && g_input_stream_read (in, &c, 1, server->stop, NULL) == 1)
    g_string_append_c (server->requests, c);
}

static void
serve_answer (Server *server, GInputStream *in, GOutputStream *out)
{
  read_request (server, in);
  g_output_stream_write_all (out, server->answer, strlen (server->answer), NULL, server->stop, NULL);
}

/* Sends one byte at a time. */
static void
serve_slowly (Server *server, GInputStream *in, GOutputStream *out)
{
  read_request (server, in);
  for (const char *at = server->answer; *at != '\0'; at++)
    {
      g_output_stream_write_all (out, at, 1, NULL, server->stop, NULL);
      g_usleep (2000);
    }
}

/* Waits until the client has closed the connection. */
static void
serve_nothing (Server *server, GInputStream *in, GOutputStream *out)
{
  char bytes[64];

  while (g_input_stream_read (in, bytes, sizeof bytes, server->stop, NULL) > 0)
    ;
}

static void
serve_without_end (Server *server, GInputStream *in, GOutputStream *out)
{
  g_autofree char *piece = g_strnfill (65536, ' ');

  read_request (server, in);
  *piece = '[';
  while (g_output_stream_write_all (out, piece, 65536, NULL, server->stop, NULL))
    *piece = ' ';
}

/* Does not even read the request. */
static void
serve_close (Server *server, GInputStream *in, GOutputStream *out)
{
}

static void
set_up (Server *server, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GInetAddress) host = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (host, 0);
  g_autoptr (GSocketAddress) effective = NULL;

  g_setenv ("TEST_TIMEOUT", "240", TRUE);
  server->listener = g_socket_listener_new ();
  server->stop = g_cancellable_new ();
  server->requests = g_string_new (NULL);
  server->heard = g_string_new (NULL);
  server->answer = "[{\"a\":1}]\n";
  server->serve = serve_answer;
  g_socket_listener_add_address (server->listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL,
                                 &effective, &error);
  g_assert_no_error (error);
  server->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (effective));
}

/* Starts the server with that answer. */
static void
start (Server *server, Serve serve, const char *answer)
{
  server->serve = serve;
  server->answer = answer;
  server->thread = g_thread_new ("server", run_server, server);
}

static void
stop (Server *server)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_cancellable_cancel (server->stop);
  g_clear_pointer (&server->thread, g_thread_join);
}

static void
tear_down (Server *server, gconstpointer data)
{
  stop (server);
  g_socket_listener_close (server->listener);
  g_object_unref (server->listener);
  g_object_unref (server->stop);
  g_string_free (server->requests, TRUE);
  g_string_free (server->heard, TRUE);
  g_clear_pointer (&server->status, json_array_unref);
  g_clear_error (&server->error);
}

/* ---- one request ---- */

static void
on_status (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Server *server = user_data;

  server->status = vine_status_query_finish (result, &server->error);
  server->done = TRUE;
}

static void
query (Server *server, const char *what)
{
  vine_status_query_async ("127.0.0.1", server->port, what, NULL, on_status, server);
  while (!server->done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true ((server->status != NULL) == (server->error == NULL));
}

/* Errors name the address. */
static void
expect (Server *server, int code, const char *part)
{
  g_autofree char *address = g_strdup_printf ("127.0.0.1:%u", server->port);

  query (server, "manager");
  g_assert_nonnull (server->error);
  g_test_message ("%s", server->error->message);
  if (code >= 0)
    g_assert_error (server->error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (server->error->message, address));
  g_assert_nonnull (strstr (server->error->message, part));
}

static void
test_answer (Server *server, gconstpointer data)
{
  g_autofree char *answer = read_answer ("worker");

  start (server, serve_answer, answer);
  query (server, "worker");
  g_assert_no_error (server->error);
  g_assert_cmpuint (json_array_get_length (server->status), ==, 2);
  stop (server);
  g_assert_cmpstr (server->requests->str, ==, "worker_status\n");
}

static void
test_slow (Server *server, gconstpointer data)
{
  start (server, serve_slowly, "[{\"a\":\"slowly\"}]");
  query (server, "manager");
  g_assert_no_error (server->error);
  g_assert_cmpstr (vine_status_get_text (json_array_get_object_element (server->status, 0), "a"), ==, "slowly");
}

static void
test_password (Server *server, gconstpointer data)
{
  start (server, serve_slowly, "auth password sha1\n");
  expect (server, G_IO_ERROR_PERMISSION_DENIED, "password");
}

static void
test_hangs (Server *server, gconstpointer data)
{
  start (server, serve_nothing, NULL);
  g_setenv ("TEST_TIMEOUT", "1", TRUE);
  expect (server, G_IO_ERROR_TIMED_OUT,
          "did not answer within 1 s: a manager answers only while its program waits for tasks");
}

static void
test_no_answer (Server *server, gconstpointer data)
{
  start (server, serve_answer, "");
  expect (server, G_IO_ERROR_CONNECTION_CLOSED, "without an answer");
}

/* The kernel reports an end or a reset. */
static void
test_closes (Server *server, gconstpointer data)
{
  start (server, serve_close, NULL);
  expect (server, -1, "");
}

static void
test_web (Server *server, gconstpointer data)
{
  start (server, serve_answer, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  expect (server, G_IO_ERROR_INVALID_DATA, "another program may use this port");
}

static void
test_garbage (Server *server, gconstpointer data)
{
  start (server, serve_answer, "\x15\x03\x03\xff[]");
  expect (server, G_IO_ERROR_INVALID_DATA, "another program may use this port");
}

static void
test_cut (Server *server, gconstpointer data)
{
  start (server, serve_answer, "[{\"a\":1");
  expect (server, -1, "cannot parse the manager's answer: ");
}

static void
test_endless (Server *server, gconstpointer data)
{
  start (server, serve_without_end, NULL);
  expect (server, G_IO_ERROR_INVALID_DATA, "exceeds the size limit");
}

static void
test_nobody (Server *server, gconstpointer data)
{
  g_socket_listener_close (server->listener);
  expect (server, G_IO_ERROR_CONNECTION_REFUSED, "");
}

static void
test_cancelled (Server *server, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  start (server, serve_nothing, NULL);
  vine_status_query_async ("127.0.0.1", server->port, "manager", cancellable, on_status, server);
  while (g_atomic_int_get (&server->n_connections) == 0)
    g_main_context_iteration (NULL, FALSE);
  g_cancellable_cancel (cancellable);
  while (!server->done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (server->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- the poller ---- */

#define INTERVAL (5 * G_USEC_PER_SEC)
#define LATER (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

static void
hear (const char *what, JsonArray *status, gpointer user_data)
{
  Server *server = user_data;

  g_string_append_printf (server->heard, "%s:%u ", what, json_array_get_length (status));
}

static VineStatusPoller *
ask (Server *server)
{
  return vine_status_poller_new ("127.0.0.1", server->port, INTERVAL, hear, server);
}

static void
wait_for (VineStatusPoller *poller, guint n_answers, guint n_failures)
{
  while (poller->n_answers != n_answers || poller->n_failures != n_failures)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_asking (Server *server, gconstpointer data)
{
  VineStatusPoller *poller = ask (server);

  start (server, serve_answer, "[{\"a\":1}]");
  vine_status_poller_tick (poller, 0);
  /* The request is under way. */
  vine_status_poller_tick (poller, LATER);
  wait_for (poller, 2, 0);
  vine_status_poller_tick (poller, INTERVAL - 1);
  g_assert_cmpstr (server->heard->str, ==, "manager:1 worker:1 ");
  vine_status_poller_tick (poller, INTERVAL);
  wait_for (poller, 4, 0);
  g_assert_null (poller->error);
  vine_status_poller_stop (poller);
  stop (server);
  g_assert_cmpstr (server->requests->str, ==, "manager_status\nworker_status\nmanager_status\nworker_status\n");
  g_assert_cmpstr (server->heard->str, ==, "manager:1 worker:1 manager:1 worker:1 ");
}

/* The manager prints a complaint for each request. */
static void
test_asking_forbidden (Server *server, gconstpointer data)
{
  VineStatusPoller *poller = ask (server);

  start (server, serve_answer, "auth password sha1\n");
  vine_status_poller_tick (poller, g_get_monotonic_time ());
  wait_for (poller, 0, 1);
  g_assert_error (poller->error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  for (guint i = 1; i < 10; i++)
    {
      vine_status_poller_tick (poller, g_get_monotonic_time () + i * LATER);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  vine_status_poller_stop (poller);
  stop (server);
  g_assert_cmpint (g_atomic_int_get (&server->n_connections), ==, 1);
  g_assert_cmpstr (server->heard->str, ==, "");
}

/* Requests are less frequent while they fail. A later answer is read. */
static void
test_asking_fails (Server *server, gconstpointer data)
{
  VineStatusPoller *poller = ask (server);
  gint64 now = g_get_monotonic_time ();

  start (server, serve_answer, "nonsense");
  vine_status_poller_tick (poller, now);
  wait_for (poller, 0, 1);
  g_assert_error (poller->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  vine_status_poller_tick (poller, now + INTERVAL);
  vine_status_poller_tick (poller, now + 2 * INTERVAL - 1);
  g_assert_false (g_main_context_pending (NULL));
  vine_status_poller_tick (poller, now + LATER);
  wait_for (poller, 0, 2);
  vine_status_poller_stop (poller);
  stop (server);
  g_assert_cmpint (g_atomic_int_get (&server->n_connections), ==, 2);
}

static void
test_asking_stops (Server *server, gconstpointer data)
{
  VineStatusPoller *poller = ask (server);

  start (server, serve_nothing, NULL);
  vine_status_poller_tick (poller, 0);
  while (g_atomic_int_get (&server->n_connections) == 0)
    g_main_context_iteration (NULL, FALSE);
  vine_status_poller_stop (poller);
  stop (server);
  g_assert_cmpstr (server->heard->str, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/vine-status/manager", test_manager);
  g_test_add_func ("/vine-status/worker", test_worker);
  g_test_add_func ("/vine-status/strings", test_strings);
  g_test_add_func ("/vine-status/members", test_members);
  g_test_add_func ("/vine-status/broken", test_broken);
#define ADD(name, function) g_test_add ("/vine-status/" name, Server, NULL, set_up, function, tear_down)
  ADD ("answer", test_answer);
  ADD ("slow", test_slow);
  ADD ("password", test_password);
  ADD ("hangs", test_hangs);
  ADD ("no-answer", test_no_answer);
  ADD ("closes", test_closes);
  ADD ("web", test_web);
  ADD ("garbage", test_garbage);
  ADD ("cut", test_cut);
  ADD ("endless", test_endless);
  ADD ("nobody", test_nobody);
  ADD ("cancelled", test_cancelled);
  ADD ("poller", test_asking);
  ADD ("poller-forbidden", test_asking_forbidden);
  ADD ("poller-fails", test_asking_fails);
  ADD ("poller-stops", test_asking_stops);

  return g_test_run ();
}
