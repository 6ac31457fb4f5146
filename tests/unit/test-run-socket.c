/* SPDX-License-Identifier: BSD-3-Clause */

/* The run's socket and its protocol, over real sockets, with peers that behave and peers that do not. */

#include <glib/gstdio.h>
#include <roast/roast.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../core/roast-run-protocol-private.h"
#include "../../core/roast-run-socket-private.h"

typedef struct
{
  RoastRecording *recording;
  RoastRunSocket *socket;
  char *token;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const char *const argv[] = { "true", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GError) error = NULL;

  fixture->recording = roast_recording_new ();
  fixture->socket = roast_run_socket_new (fixture->recording, "run", &error);
  g_assert_no_error (error);
  roast_run_socket_export (fixture->socket, context);
  g_assert_cmpstr (roast_launch_context_getenv (context, "ROAST_SOCKET"), ==, roast_run_socket_get_path (fixture->socket));
  g_assert_cmpstr (roast_launch_context_getenv (context, "ROAST_RUN_ID"), ==, "run");
  fixture->token = g_strdup (roast_launch_context_getenv (context, "ROAST_TOKEN"));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  roast_run_socket_close (fixture->socket);
  g_object_unref (fixture->socket);
  g_object_unref (fixture->recording);
  g_free (fixture->token);
}

static int
connect_to (Fixture *fixture)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_strlcpy (address.sun_path, roast_run_socket_get_path (fixture->socket), sizeof address.sun_path);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);

  return fd;
}

static void
say (int fd, const char *text)
{
  gsize length = strlen (text);

  g_assert_cmpint (send (fd, text, length, MSG_NOSIGNAL), ==, (gssize) length);
}

static int
greet (Fixture *fixture)
{
  g_autofree char *hello = g_strdup_printf ("{\"roast\":1,\"token\":\"%s\"}\n", fixture->token);
  int fd = connect_to (fixture);

  say (fd, hello);

  return fd;
}

static void
iterate (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static guint64
rows (Fixture *fixture, const char *table)
{
  return roast_table_get_n_rows (roast_recording_get_table (fixture->recording, table));
}

static void
test_private (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = g_path_get_dirname (roast_run_socket_get_path (fixture->socket));
  struct stat st;

  g_assert_cmpint (stat (directory, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0700);
  g_assert_cmpuint (strlen (fixture->token), >=, 32);
  roast_run_socket_close (fixture->socket);
  g_assert_cmpint (stat (directory, &st), ==, -1);
}

static void
test_messages (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) chunks = NULL;
  int fd = greet (fixture);

  say (fd, "{\"type\":\"events\",\"events\":1000,\"dataset\":\"ttbar\"}\n{\"type\":\"bytes_read\",\"bytes\":5}\n");
  say (fd, "{\"type\":\"chunk\",\"dataset\":\"a\",\"events\":9,\"started\":1.5,\"ended\":2.5,\"memory\":-3,\"unknown\":[1]}\n");
  say (fd, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"time\",\"value\":0.5}\r\n\n");
  say (fd, "{\"type\":\"message\",\"severity\":\"warning\",\"message\":\"look\"}\n{\"type\":\"dataset\",\"dataset\":\"d\"}");
  close (fd);
  iterate ();

  g_assert_cmpuint (rows (fixture, "datasets"), ==, 3);
  g_assert_cmpuint (rows (fixture, "sections"), ==, 1);
  /* The message, and a remark on the member that nobody knows. */
  g_assert_cmpuint (rows (fixture, "events"), ==, 2);
  g_assert_cmpuint (rows (fixture, "sources"), ==, 1);
  chunks = roast_table_snapshot (roast_recording_get_table (fixture->recording, "chunks"));
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (chunks), ==, 1);
  g_assert_cmpint (roast_table_snapshot_get_int64 (chunks, 0, (guint) roast_table_snapshot_find_column (chunks, "started")), ==,
                   1500000);
  g_assert_cmpint (roast_table_snapshot_get_int64 (chunks, 0, (guint) roast_table_snapshot_find_column (chunks, "pid")), ==,
                   getpid ());
}

/* What was sent and not read yet when the run ends is not lost. */
static void
test_last_words (Fixture *fixture, gconstpointer data)
{
  int fd = greet (fixture);

  say (fd, "{\"type\":\"events\",\"events\":1}\n");
  roast_run_socket_close (fixture->socket);
  close (fd);
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 1);
}

static void
test_no_token (Fixture *fixture, gconstpointer data)
{
  static const char *const first[] = { "{\"type\":\"events\",\"events\":1}\n", "{\"roast\":1,\"token\":\"wrong\"}\n",
                                       "{\"roast\":1}\n", "{\"roast\":2,\"token\":\"\"}\n", "GET / HTTP/1.1\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    {
      int fd = connect_to (fixture);
      char byte;

      say (fd, first[i]);
      say (fd, "{\"type\":\"events\",\"events\":1}\n");
      iterate ();
      g_assert_cmpint (recv (fd, &byte, 1, 0), <=, 0);
      close (fd);
    }
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 0);
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, "events"), >=, 1);
}

/* Each costs itself only. */
static void
test_bad_lines (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = {
    "{\"type\":\"events\",\"events\":-1}",   "{\"type\":\"events\",\"events\":\"many\"}", "{\"type\":\"events\"}",
    "{\"type\":\"events\",\"events\":1e300}", "{\"type\":\"parrot\"}",                      "{\"events\":1}",
    "[]",                                     "nonsense",                                  "{\"type\":\"chunk\",\"started\":2,\"ended\":1}",
    "{\"type\":\"section\",\"name\":\"x\",\"kind\":\"y\",\"value\":1}", "{\"type\":\"chunk\",\"dataset\":5}", "\xff\xfe",
    "{\"type\":\"message\",\"message\":\"x\",\"severity\":\"loud\"}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]",
  };
  int fd = greet (fixture);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      say (fd, lines[i]);
      say (fd, "\n");
    }
  say (fd, "{\"type\":\"events\",\"events\":1}\n");
  iterate ();
  roast_run_socket_close (fixture->socket);
  close (fd);
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 1);
  g_assert_cmpuint (rows (fixture, "chunks"), ==, 0);
  g_assert_cmpuint (rows (fixture, "sections"), ==, 0);
  g_assert_cmpuint (rows (fixture, "events"), >=, 1);
  g_assert_cmpuint (rows (fixture, "events"), <=, 3);
}

static void
test_long_line (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (10000, 'x');
  int fd = greet (fixture);

  for (guint i = 0; i < 100; i++)
    {
      say (fd, filler);
      iterate ();
    }
  say (fd, "\n{\"type\":\"events\",\"events\":1}\n");
  close (fd);
  iterate ();
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 1);
  g_assert_cmpuint (rows (fixture, "events"), ==, 1);
}

static void
test_slow_peer (Fixture *fixture, gconstpointer data)
{
  const char *line = "{\"type\":\"events\",\"events\":1}\n";
  int fd = greet (fixture);

  for (const char *c = line; *c != '\0'; c++)
    {
      g_assert_cmpint (send (fd, c, 1, MSG_NOSIGNAL), ==, 1);
      iterate ();
    }
  close (fd);
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 1);
}

static void
test_many_peers (Fixture *fixture, gconstpointer data)
{
  int fds[300];

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      fds[i] = greet (fixture);
      send (fds[i], "{\"type\":\"events\",\"events\":1}\n", 29, MSG_NOSIGNAL);
      iterate ();
    }
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    close (fds[i]);
  iterate ();
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 256);
  g_assert_cmpuint (rows (fixture, "events"), ==, 1);
}

/* The program side of the library, in a process of its own, and in one that it forks. */
static void
emit_child (Fixture *fixture)
{
  g_setenv ("ROAST_SOCKET", roast_run_socket_get_path (fixture->socket), TRUE);
  g_setenv ("ROAST_TOKEN", fixture->token, TRUE);
  g_assert_true (roast_emit_enabled ());
  roast_emit_events ("a", 10);
  roast_emit_bytes_read (NULL, 20);
  roast_emit_chunk ("a", "f.root", 0, 5, 5, 100, 1000000, 2000000, NULL);
  roast_emit_section ("jets", "time", 0.25);
  roast_emit_message (ROAST_SEVERITY_WARNING, "odd \"text\"\xff");
  if (fork () == 0)
    {
      roast_emit_events ("b", 30);
      roast_emit_flush ();
      _exit (0);
    }
  wait (NULL);
  roast_emit_flush ();
  _exit (0);
}

static void
test_emit (Fixture *fixture, gconstpointer data)
{
  pid_t pid = fork ();
  int status = 0;

  if (pid == 0)
    emit_child (fixture);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  iterate ();
  g_assert_cmpuint (rows (fixture, "datasets"), ==, 3);
  g_assert_cmpuint (rows (fixture, "chunks"), ==, 1);
  g_assert_cmpuint (rows (fixture, "sections"), ==, 1);
  g_assert_cmpuint (rows (fixture, "events"), ==, 1);
}

/* Outside a run, or where the socket is gone, nothing happens. */
static void
test_emit_nowhere (Fixture *fixture, gconstpointer data)
{
  pid_t pid = fork ();
  int status = 0;

  if (pid == 0)
    {
      g_unsetenv ("ROAST_SOCKET");
      g_assert_false (roast_emit_enabled ());
      roast_emit_events ("a", 1);
      g_setenv ("ROAST_SOCKET", "/nonexistent/socket", TRUE);
      roast_emit_events ("a", 1);
      roast_emit_flush ();
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/run-socket/private", test_private);
  ADD ("/run-socket/messages", test_messages);
  ADD ("/run-socket/last-words", test_last_words);
  ADD ("/run-socket/no-token", test_no_token);
  ADD ("/run-socket/bad-lines", test_bad_lines);
  ADD ("/run-socket/long-line", test_long_line);
  ADD ("/run-socket/slow-peer", test_slow_peer);
  ADD ("/run-socket/many-peers", test_many_peers);
  ADD ("/emit/messages", test_emit);
  ADD ("/emit/nowhere", test_emit_nowhere);

  return g_test_run ();
}
