/* SPDX-License-Identifier: BSD-3-Clause */

/* The run's socket and its protocol, over real sockets, with peers that behave and peers that do not. */

#include <glib/gstdio.h>
#include <roast-client/roast-client.h>
#include <roast/roast.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "closeness.h"
#include "socket/roast-run-protocol-private.h"
#include "socket/roast-run-socket-private.h"

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

  fixture->recording = roast_recording_new (NULL);
  fixture->socket = roast_run_socket_new (fixture->recording, "run", &error);
  g_assert_no_error (error);
  roast_run_socket_export (fixture->socket, context);
  g_assert_cmpstr (roast_launch_context_getenv (context, "ROAST_SOCKET"), ==,
                   roast_run_socket_get_path (fixture->socket));
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
  g_autofree char *hello = g_strdup_printf ("{\"roast\":2,\"token\":\"%s\"}\n", fixture->token);
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

static RoastTableReader *
read_table (Fixture *fixture, const char *table)
{
  g_autoptr (GError) error = NULL;
  RoastTableReader *reader = roast_recording_read_table (fixture->recording, table, NULL, &error);

  g_assert_no_error (error);

  return reader;
}

static guint64
rows (Fixture *fixture, const char *table)
{
  g_autoptr (RoastTableReader) reader = read_table (fixture, table);

  return roast_table_reader_get_n_rows (reader);
}

static void
assert_event (Fixture *fixture, guint64 row, const char *severity, const char *words)
{
  g_autoptr (RoastTableReader) events = read_table (fixture, ROAST_TABLE_EVENTS);

  for (guint64 i = 0; i <= row; i++)
    g_assert_true (roast_table_reader_next (events));
  g_assert_cmpstr (roast_table_reader_get_string (events, ROAST_EVENTS_SEVERITY), ==, severity);
  if (strstr (roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE), words) == NULL)
    g_error ("“%s” is not in “%s”", words, roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE));
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
  g_autoptr (RoastTableReader) chunks = NULL;
  int fd = greet (fixture);

  say (fd, "{\"type\":\"events\",\"events\":1000,\"dataset\":\"ttbar\"}\n{\"type\":\"bytes_read\",\"bytes\":5}\n");
  say (fd, "{\"type\":\"chunk\",\"dataset\":\"a\",\"events\":9,\"started\":1e9,\"ended\":1e9,\"memory\":-3,\"unknown\":"
           "[1]}\n");
  say (fd, "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"time\",\"value\":0.5}\r\n\n");
  say (fd, "{\"type\":\"message\",\"severity\":\"warning\",\"message\":\"look\"}\n{\"type\":\"dataset\",\"dataset\":"
           "\"d\"}");
  close (fd);
  iterate ();

  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 3);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_SECTIONS), ==, 1);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 1);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_SOURCES), ==, 1);
  chunks = read_table (fixture, ROAST_TABLE_CHUNKS);
  g_assert_cmpuint (roast_table_reader_get_n_rows (chunks), ==, 1);
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_STARTED, 0), ==,
                   G_GINT64_CONSTANT (1000000000000000));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_PID, 0), ==, getpid ());
  roast_run_socket_close (fixture->socket);
  assert_event (fixture, 0, "warning", "look");
  assert_event (fixture, 1, "info", "does not know the member “unknown”");
}

/* Rows in pieces of any size, of two programs in turn: each line is whole, whatever the buffer. */
static void
test_pieces (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("{\"table\":\"chunks\",\"columns\":[\"file\",\"events\"]}\n");
  g_autoptr (RoastTableReader) chunks = NULL;
  int fds[2] = { greet (fixture), greet (fixture) };
  gsize sent[2] = { 0 };
  gint64 sum = 0;

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "[\"chunks\",\"%.*s\",%u]\n", (int) (i % 90),
                            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                            "xx",
                            i);
  for (guint i = 1; sent[0] < text->len || sent[1] < text->len; i++)
    for (guint k = 0; k < 2; k++)
      {
        gsize n = MIN (text->len - sent[k], (i * 7919) % 30000);

        g_assert_cmpint (send (fds[k], text->str + sent[k], n, MSG_NOSIGNAL), ==, (gssize) n);
        sent[k] += n;
        iterate ();
      }
  close (fds[0]);
  close (fds[1]);
  roast_run_socket_close (fixture->socket);
  chunks = read_table (fixture, ROAST_TABLE_CHUNKS);
  while (roast_table_reader_next (chunks))
    {
      const char *file = roast_table_reader_get_string (chunks, ROAST_CHUNKS_FILE);
      gint64 events = roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, -1);

      g_assert_cmpuint (file != NULL ? strlen (file) : 0, ==, (gsize) events % 90);
      sum += events;
    }
  g_assert_cmpint (sum, ==, 2 * (4999 * 2500));
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 0);
}

/* What was sent and not read yet when the run ends is not lost. */
static void
test_last_words (Fixture *fixture, gconstpointer data)
{
  int fd = greet (fixture);

  say (fd, "{\"type\":\"events\",\"events\":1}\n");
  roast_run_socket_close (fixture->socket);
  close (fd);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 1);
}

/* Nor is any of it if the machine has sockets with large buffers. */
static void
test_many_last_words (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (8000, 'a');
  g_autofree char *line = g_strdup_printf ("{\"type\":\"events\",\"events\":1,\"dataset\":\"%s\"}\n", name);
  int fd = greet (fixture);
  int size = 64 << 20;
  guint n = 0;

  if (setsockopt (fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0)
    {
      close (fd);
      g_test_skip ("only root may enlarge the buffer");
      return;
    }
  for (; n < 1000; n++)
    say (fd, line);
  roast_run_socket_close (fixture->socket);
  close (fd);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, n);
}

static void
test_no_token (Fixture *fixture, gconstpointer data)
{
  static const char *const first[] = { "{\"type\":\"events\",\"events\":1}\n", "{\"roast\":2,\"token\":\"wrong\"}\n",
                                       "{\"roast\":2}\n", "{\"roast\":1,\"token\":\"\"}\n", "GET / HTTP/1.1\r\n" };

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
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 0);
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), >=, 1);
}

/* Each costs itself only. */
static void
test_bad_lines (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = {
    "{\"type\":\"events\",\"events\":-1}",
    "{\"type\":\"events\",\"events\":\"many\"}",
    "{\"type\":\"events\"}",
    "{\"type\":\"events\",\"events\":1e300}",
    "{\"type\":\"parrot\"}",
    "{\"events\":1}",
    "[]",
    "nonsense",
    "{\"type\":\"chunk\",\"started\":2,\"ended\":1}",
    "{\"type\":\"section\",\"name\":\"x\",\"kind\":\"y\",\"value\":1}",
    "{\"type\":\"chunk\",\"dataset\":5}",
    "\xff\xfe",
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
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 1);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_CHUNKS), ==, 0);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_SECTIONS), ==, 0);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, G_N_ELEMENTS (lines) - 1);
  assert_event (fixture, 0, "warning", "1 line from a process (pid ");
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
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 1);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 1);
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
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 1);
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
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 256);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 1);
}

/* A thousand at once, each with one message: more than may be there together, but all that is sent is read. */
static gpointer
send_thousand (gpointer data)
{
  Fixture *fixture = data;

  for (guint i = 0; i < 1000; i++)
    {
      int fd = greet (fixture);

      say (fd, "{\"type\":\"events\",\"events\":1}\n");
      close (fd);
    }
  g_main_context_wakeup (NULL);

  return NULL;
}

static void
test_thousand_peers (Fixture *fixture, gconstpointer data)
{
  GThread *thread = g_thread_new ("peers", send_thousand, fixture);

  while (rows (fixture, ROAST_TABLE_DATASETS) < 1000)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 0);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_SOURCES), ==, 1);
}

/* Connections without a greeting make place for others. */
static void
test_strangers (Fixture *fixture, gconstpointer data)
{
  int fds[256];
  int fd;

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      fds[i] = connect_to (fixture);
      iterate ();
    }
  fd = greet (fixture);
  say (fd, "{\"type\":\"events\",\"events\":1}\n");
  iterate ();
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 1);
  close (fd);
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    close (fds[i]);
}

/* A connection that begins with an endless line is closed soon. */
static void
test_long_beginning (Fixture *fixture, gconstpointer data)
{
  g_autofree char *filler = g_strnfill (20000, '{');
  int fd = connect_to (fixture);
  gssize n = 1;

  for (guint i = 0; i < 1000 && n > 0; i++)
    {
      n = send (fd, filler, 20000, MSG_NOSIGNAL | MSG_DONTWAIT);
      iterate ();
    }
  g_assert_cmpint (n, <, 0);
  close (fd);
  roast_run_socket_close (fixture->socket);
  assert_event (fixture, 0, "warning", "refused");
}

/* One that never stops keeps nobody from the end. */
static gpointer
send_for_ever (gpointer data)
{
  int fd = GPOINTER_TO_INT (data);
  g_autoptr (GString) block = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append (block, "{\"type\":\"events\",\"events\":1}\n");
  while (send (fd, block->str, block->len, MSG_NOSIGNAL) > 0)
    ;

  return NULL;
}

static void
test_endless_peer (Fixture *fixture, gconstpointer data)
{
  int fd = greet (fixture);
  GThread *thread = g_thread_new ("peer", send_for_ever, GINT_TO_POINTER (fd));

  while (rows (fixture, ROAST_TABLE_DATASETS) == 0)
    g_main_context_iteration (NULL, TRUE);
  roast_run_socket_close (fixture->socket);
  g_thread_join (thread);
  close (fd);
}

/* The same fault of many is reported once. */
static void
test_many_bad_peers (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 40; i++)
    {
      int fd = greet (fixture);

      say (fd, "nonsense\nnonsense\n");
      close (fd);
      iterate ();
    }
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 1);
  assert_event (fixture, 0, "warning", "80 lines from a process (pid ");
}

static int
connect_as_nobody (Fixture *fixture)
{
  int fd;

  if (setresuid (65534, 65534, 65534) != 0)
    return 2;
  fd = greet (fixture);
  send (fd, "{\"type\":\"events\",\"events\":1}\n", 30, MSG_NOSIGNAL);

  return 0;
}

/* Another user, with the token, and a directory that somebody opened. */
static void
test_other_user (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = g_path_get_dirname (roast_run_socket_get_path (fixture->socket));
  int status = 0;
  pid_t pid;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can be another user");
      return;
    }
  g_assert_cmpint (chmod (directory, 0755), ==, 0);
  g_assert_cmpint (chmod (roast_run_socket_get_path (fixture->socket), 0777), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      int result = connect_as_nobody (fixture);

      /* The copy of this test frees nothing: nothing for a checker of leaks to look at. */
      if (result == 0)
        execlp ("true", "true", NULL);
      _exit (result);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 2)
    {
      g_test_skip ("this root cannot be another user");
      return;
    }
  iterate ();
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 0);
  assert_event (fixture, 0, "warning", "other users");
}

/* Too long a directory for a socket, and one that is not there: the next place is taken. */
/* Without a descriptor for one more connection it waits for better times, and does not ask for it all the time. */
static void
test_no_descriptors (Fixture *fixture, gconstpointer data)
{
  struct rlimit limit, none;
  int fd;

  /* valgrind keeps such a limit itself, by closing what was accepted beyond it. */
  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("valgrind closes the connection");
      return;
    }
  fd = greet (fixture);
  say (fd, "{\"type\":\"events\",\"events\":1}\n");
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  /* All that are below it are taken. */
  none = limit;
  none.rlim_cur = (rlim_t) dup (fd);
  close ((int) none.rlim_cur);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &none), ==, 0);
  for (guint i = 0; i < 5; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (g_main_context_pending (NULL));
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  while (rows (fixture, ROAST_TABLE_DATASETS) == 0)
    g_main_context_iteration (NULL, TRUE);
  close (fd);
}

static void
test_places (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autofree char *long_name = g_strnfill (90, 'x');
  g_autofree char *long_path = g_build_filename (g_get_tmp_dir (), long_name, NULL);
  g_autofree char *before = g_strdup (g_getenv ("XDG_RUNTIME_DIR"));
  const char *const places[] = { long_path, "/nonexistent", "relative" };

  g_assert_cmpint (g_mkdir (long_path, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RoastRunSocket) socket = NULL;

      g_setenv ("XDG_RUNTIME_DIR", places[i], TRUE);
      socket = roast_run_socket_new (recording, "run", &error);
      g_assert_no_error (error);
      g_assert_false (g_str_has_prefix (roast_run_socket_get_path (socket), places[i]));
    }
  g_assert_cmpint (g_rmdir (long_path), ==, 0);
  if (before != NULL)
    g_setenv ("XDG_RUNTIME_DIR", before, TRUE);
  else
    g_unsetenv ("XDG_RUNTIME_DIR");
}

/* ---- connections of a backend ---- */

typedef struct
{
  GObject parent_instance;
  RoastRunConnection *connection;
  GString *heard;
} Listener;

typedef struct
{
  GObjectClass parent_class;
} ListenerClass;

static void listener_backend_init (RoastMetricsBackendInterface *iface);

GType listener_get_type (void);
G_DEFINE_TYPE_WITH_CODE (Listener, listener, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, listener_backend_init))

static void
on_line (RoastRunConnection *connection, RoastWireReader *reader, Listener *self)
{
  gsize length;
  const char *line = roast_wire_reader_get_line (reader, &length);

  if (roast_wire_reader_get_line_type (reader) == ROAST_WIRE_LINE_ROW)
    g_string_append_printf (self->heard, "%s of %s;", roast_wire_reader_get_string (reader, 1),
                            roast_wire_reader_get_table_name (reader));
  else
    g_string_append_printf (self->heard, "%.*s;", (int) length, line);
}

static void
on_closed (RoastRunConnection *connection, Listener *self)
{
  g_string_append (self->heard, "closed");
}

static void
listener_connected (RoastMetricsBackend *backend, RoastRunConnection *connection)
{
  static const char *const columns[] = { "number", "name", NULL };
  Listener *self = (Listener *) backend;

  roast_wire_reader_add_table (roast_run_connection_get_reader (connection), "deep", columns);
  self->connection = g_object_ref (connection);
  g_signal_connect (connection, "received", G_CALLBACK (on_line), self);
  g_signal_connect (connection, "closed", G_CALLBACK (on_closed), self);
}

static void
listener_backend_init (RoastMetricsBackendInterface *iface)
{
  iface->connected = listener_connected;
}

static void
listener_finalize (GObject *object)
{
  Listener *self = (Listener *) object;

  g_clear_object (&self->connection);
  g_string_free (self->heard, TRUE);
  G_OBJECT_CLASS (listener_parent_class)->finalize (object);
}

static void
listener_class_init (ListenerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = listener_finalize;
}

static void
listener_init (Listener *self)
{
  self->heard = g_string_new (NULL);
}

static gboolean
on_connected (RoastRunSocket *socket, const char *name, RoastRunConnection *connection, RoastMetricsBackend *backend)
{
  if (!g_str_equal (name, "deep"))
    return FALSE;
  roast_metrics_backend_connected (backend, connection);

  return TRUE;
}

/* Its lines go to the backend alone, which may answer; malformed lines do not reach it. */
static void
test_backend (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hello =
      g_strdup_printf ("{\"roast\":2,\"token\":\"%s\",\"program\":\"probe\",\"backend\":\"deep\"}\n", fixture->token);
  Listener *listener = g_object_new (listener_get_type (), NULL);
  g_autoptr (GError) error = NULL;
  char answer[32] = "";
  int fd = connect_to (fixture);

  g_signal_connect (fixture->socket, "connected", G_CALLBACK (on_connected), listener);
  say (fd, hello);
  say (fd, "{\"a\":1}\nnonsense\n[2]\n{\"type\":\"events\",\"events\":5}\n");
  say (fd, "{\"table\":\"deep\",\"columns\":[\"name\"]}\n[\"deep\",\"x\"]\n[\"other\",1]\n");
  roast_run_socket_drain (fixture->socket);
  g_assert_cmpstr (listener->heard->str, ==,
                   "{\"a\":1};[2];{\"type\":\"events\",\"events\":5};"
                   "{\"table\":\"deep\",\"columns\":[\"name\"]};x of deep;");
  roast_run_connection_send (listener->connection, "{\"do\":1}", &error);
  g_assert_no_error (error);
  g_assert_cmpint (recv (fd, answer, sizeof answer - 1, 0), ==, 9);
  g_assert_cmpstr (answer, ==, "{\"do\":1}\n");

  say (fd, "{\"last\":true}");
  close (fd);
  roast_run_socket_close (fixture->socket);
  g_assert_true (g_str_has_suffix (listener->heard->str, "{\"last\":true};closed"));
  g_assert_false (roast_run_connection_send (listener->connection, "{}", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 0);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 2);
  assert_event (fixture, 0, "warning", "1 line from probe (pid ");
  assert_event (fixture, 1, "warning", "table “other”, which no earlier line declares");
  g_object_unref (listener);
}

static void
on_last_line (RoastRunConnection *connection, RoastWireReader *reader, Fixture *fixture)
{
  roast_run_socket_close (fixture->socket);
}

/* The measurement ends with a line that a backend waited for, while more lines of that connection and of another one
 * have come. */
static void
test_closed_by_a_line (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hello = g_strdup_printf ("{\"roast\":2,\"token\":\"%s\",\"backend\":\"deep\"}\n", fixture->token);
  g_autofree char *program = g_strdup_printf ("{\"roast\":2,\"token\":\"%s\"}\n", fixture->token);
  Listener *listener = g_object_new (listener_get_type (), NULL);
  int other = connect_to (fixture);
  int fd = connect_to (fixture);

  g_signal_connect (fixture->socket, "connected", G_CALLBACK (on_connected), listener);
  say (fd, hello);
  roast_run_socket_drain (fixture->socket);
  g_signal_connect (listener->connection, "received", G_CALLBACK (on_last_line), fixture);
  say (other, program);
  say (other, "{\"type\":\"chunk\",\"dataset\":\"a\",\"events\":5}\n");
  say (fd, "{\"flushed\":1}\n{\"late\":1}\n{\"late\":2}\n");
  roast_run_socket_drain (fixture->socket);
  g_assert_cmpstr (listener->heard->str, ==, "{\"flushed\":1};closed");
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_CHUNKS), ==, 1);
  close (fd);
  close (other);
  g_object_unref (listener);
}

/* The probe of an outer run connects to an inner run without that backend. */
static void
test_unwanted_backend (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hello =
      g_strdup_printf ("{\"roast\":2,\"token\":\"%s\",\"backend\":\"other\"}\n{}\n", fixture->token);
  int fd = connect_to (fixture);
  char byte;

  say (fd, hello);
  roast_run_socket_drain (fixture->socket);
  g_assert_cmpint (recv (fd, &byte, 1, 0), <=, 0);
  close (fd);
}

/* Everything that the client library sends is taken. */
static void
test_client (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) chunks = NULL;

  g_setenv ("ROAST_SOCKET", roast_run_socket_get_path (fixture->socket), TRUE);
  g_setenv ("ROAST_TOKEN", fixture->token, TRUE);
  roast_client_events ("a", 10);
  roast_client_bytes_read (NULL, 20);
  roast_client_chunk ("a", "f.root", 0, 5, 5, 100, G_GINT64_CONSTANT (1700000000000000),
                      G_GINT64_CONSTANT (1700000000000001), "bad");
  roast_client_section ("time", ROAST_CLIENT_SECTION_TIME, 0.25);
  roast_client_section ("memory", ROAST_CLIENT_SECTION_MEMORY, -1);
  roast_client_section ("bytes", ROAST_CLIENT_SECTION_BYTES, 1);
  roast_client_section ("custom", ROAST_CLIENT_SECTION_CUSTOM, 1e300);
  roast_client_message (ROAST_CLIENT_ERROR, "odd \xff");
  g_assert_cmpint (roast_client_flush (HANG / 1000), ==, ROAST_CLIENT_OK);
  roast_run_socket_close (fixture->socket);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_DATASETS), ==, 2);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_SECTIONS), ==, 4);
  g_assert_cmpuint (rows (fixture, ROAST_TABLE_EVENTS), ==, 1);
  assert_event (fixture, 0, "error", "odd \xef\xbf\xbd");
  chunks = read_table (fixture, ROAST_TABLE_CHUNKS);
  g_assert_true (roast_table_reader_next (chunks));
  g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, 0), ==,
                   G_GINT64_CONSTANT (1700000000000001));
  g_assert_cmpstr (roast_table_reader_get_string (chunks, ROAST_CHUNKS_ERROR), ==, "bad");
  g_assert_cmpint (roast_client_events ("a", 10), ==, ROAST_CLIENT_NO_RUN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* A user's own directory is closed to others, one of whom is played here; the next place is for all. */
  g_unsetenv ("XDG_RUNTIME_DIR");

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/run-socket/private", test_private);
  ADD ("/run-socket/messages", test_messages);
  ADD ("/run-socket/pieces", test_pieces);
  ADD ("/run-socket/last-words", test_last_words);
  ADD ("/run-socket/many-last-words", test_many_last_words);
  ADD ("/run-socket/no-token", test_no_token);
  ADD ("/run-socket/bad-lines", test_bad_lines);
  ADD ("/run-socket/long-line", test_long_line);
  ADD ("/run-socket/slow-peer", test_slow_peer);
  ADD ("/run-socket/many-peers", test_many_peers);
  ADD ("/run-socket/thousand-peers", test_thousand_peers);
  ADD ("/run-socket/strangers", test_strangers);
  ADD ("/run-socket/long-beginning", test_long_beginning);
  ADD ("/run-socket/endless-peer", test_endless_peer);
  ADD ("/run-socket/many-bad-peers", test_many_bad_peers);
  ADD ("/run-socket/other-user", test_other_user);
  ADD ("/run-socket/no-descriptors", test_no_descriptors);
  ADD ("/run-socket/backend", test_backend);
  ADD ("/run-socket/closed-by-a-line", test_closed_by_a_line);
  ADD ("/run-socket/unwanted-backend", test_unwanted_backend);
  ADD ("/run-socket/client", test_client);
  g_test_add_func ("/run-socket/places", test_places);

  return g_test_run ();
}
