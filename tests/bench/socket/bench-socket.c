/* SPDX-License-Identifier: BSD-3-Clause */

/* What lines on the run's socket cost the process that measures (the sender is not counted): messages, and rows of the
 * same content, beside a bare reader of the same bytes; and what one call of the client library costs a program. */

#include <roast-client/roast-client.h>
#include <roast/roast.h>

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../../../core/socket/roast-run-socket-private.h"

#define MESSAGES 200000
#define ROUNDS 3

static const char total_declaration[] = "{\"table\":\"datasets\",\"columns\":[\"dataset\",\"events\"]}\n";
static const char total_row[] = "[\"datasets\",\"ttbar\",1000]\n";
static const char chunk_declaration[] =
    "{\"table\":\"chunks\",\"columns\":[\"dataset\",\"file\",\"entry_start\",\"entry_stop\",\"events\",\"bytes_read\","
    "\"started\",\"ended\"]}\n";
static const char chunk_row[] = "[\"chunks\",\"ttbar\",\"root://site//store/a.root\",0,50000,50000,12000000,"
                                "1700000000250000,1700000002500000]\n";
static const char events_line[] = "{\"type\":\"events\",\"dataset\":\"ttbar\",\"events\":1000}\n";
static const char chunk_line[] =
    "{\"type\":\"chunk\",\"dataset\":\"ttbar\",\"file\":\"root://site//store/a.root\",\"entry_start\":0,"
    "\"entry_stop\":50000,\"events\":50000,\"bytes_read\":12000000,\"started\":1700000000.25,"
    "\"ended\":1700000002.5}\n";

typedef struct
{
  int fd;
  const char *hello;
  const char *line;
} Sender;

static double
thread_cpu (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);

  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static gpointer
send_all (gpointer data)
{
  const Sender *sender = data;
  g_autoptr (GString) block = g_string_new (NULL);
  gsize length = strlen (sender->line);

  g_assert_cmpint (send (sender->fd, sender->hello, strlen (sender->hello), MSG_NOSIGNAL), >, 0);
  for (guint i = 0; i < 100; i++)
    g_string_append_len (block, sender->line, (gssize) length);
  for (guint i = 0; i < MESSAGES / 100; i++)
    for (gsize sent = 0; sent < block->len;)
      {
        gssize n = send (sender->fd, block->str + sent, block->len - sent, MSG_NOSIGNAL);

        g_assert_cmpint (n, >, 0);
        sent += (gsize) n;
      }
  shutdown (sender->fd, SHUT_WR);

  return NULL;
}

/* CPU seconds of this thread: only counts lines. */
static double
time_bare (const char *line)
{
  int fds[2];
  Sender sender = { -1, "\n", line };
  GThread *thread = NULL;
  char buffer[16384];
  guint64 lines = 0;
  gssize n;
  double begin;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  sender.fd = fds[1];
  thread = g_thread_new ("send", send_all, &sender);
  begin = thread_cpu ();
  while ((n = recv (fds[0], buffer, sizeof buffer, 0)) > 0)
    for (const char *at = buffer; (at = memchr (at, '\n', (gsize) (buffer + n - at))) != NULL; at++)
      lines++;
  begin = thread_cpu () - begin;
  g_thread_join (thread);
  close (fds[0]);
  close (fds[1]);
  g_assert_cmpuint (lines, ==, MESSAGES + 1);

  return begin;
}

static guint64
count_rows (RoastRecording *recording, const char *table)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, NULL);

  return roast_table_reader_get_n_rows (reader);
}

/* CPU seconds of the thread that has the socket. */
static double
time_run_socket (const char *declaration, const char *line, const char *table_name)
{
  static const char *const argv[] = { "true", NULL };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunSocket) run_socket = roast_run_socket_new (recording, "run", &error);
  g_autofree char *hello = NULL;
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  Sender sender = { socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), NULL, line };
  GThread *thread = NULL;
  double begin;

  g_assert_no_error (error);
  roast_run_socket_export (run_socket, context);
  hello = g_strdup_printf ("{\"roast\":2,\"token\":\"%s\"}\n%s", roast_launch_context_getenv (context, "ROAST_TOKEN"),
                           declaration);
  sender.hello = hello;
  g_strlcpy (address.sun_path, roast_run_socket_get_path (run_socket), sizeof address.sun_path);
  g_assert_cmpint (connect (sender.fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  thread = g_thread_new ("send", send_all, &sender);
  begin = thread_cpu ();
  while (count_rows (recording, table_name) < MESSAGES)
    g_main_context_iteration (NULL, TRUE);
  begin = thread_cpu () - begin;
  g_thread_join (thread);
  close (sender.fd);

  return begin;
}

typedef struct
{
  const char *name;
  const char *declaration;
  const char *line;
  double bare;
  double ours;
} Way;

static void
print_way (const Way *way)
{
  printf ("%-22s %3zu bytes: %5.2f s of CPU for 1e6, %5.2f without reading the socket\n", way->name, strlen (way->line),
          way->ours * 1e6 / MESSAGES, (way->ours - way->bare) * 1e6 / MESSAGES);
}

/* The two in turn, the best of each. */
static void
compare (const char *table, Way message, Way row)
{
  Way *ways[] = { &message, &row };

  for (guint i = 0; i < ROUNDS; i++)
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      {
        ways[k]->bare = MIN (ways[k]->bare, time_bare (ways[k]->line));
        ways[k]->ours = MIN (ways[k]->ours, time_run_socket (ways[k]->declaration, ways[k]->line, table));
      }
  print_way (&message);
  print_way (&row);
  printf ("%-22s messages cost %.1f times what rows cost\n\n", table, message.ours / row.ours);
}

/* What a call costs a program outside a run, and with a reader that only reads (what is too much is dropped). */
static gpointer
swallow (gpointer data)
{
  int fd = accept (GPOINTER_TO_INT (data), NULL, NULL);
  char buffer[65536];

  while (read (fd, buffer, sizeof buffer) > 0)
    ;
  close (fd);

  return NULL;
}

static double
time_client (void)
{
  double begin = thread_cpu ();

  for (guint i = 0; i < MESSAGES; i++)
    roast_client_events ("ttbar", 1000);

  return (thread_cpu () - begin) / MESSAGES * 1e6;
}

static void
measure_client (void)
{
  g_autofree char *directory = g_dir_make_tmp ("roast-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "socket", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  double nobody;

  g_unsetenv ("ROAST_SOCKET");
  nobody = time_client ();
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (fd, 1), ==, 0);
  g_thread_unref (g_thread_new ("swallow", swallow, GINT_TO_POINTER (fd)));
  g_setenv ("ROAST_SOCKET", path, TRUE);
  printf ("roast_client_events (): %.2f us under roast, %.3f us outside\n", time_client (), nobody);
  unlink (path);
  rmdir (directory);
  close (fd);
}

int
main (void)
{
  compare ("datasets", (Way) { "message events", "", events_line, G_MAXDOUBLE, G_MAXDOUBLE },
           (Way) { "row of datasets", total_declaration, total_row, G_MAXDOUBLE, G_MAXDOUBLE });
  compare ("chunks", (Way) { "message chunk", "", chunk_line, G_MAXDOUBLE, G_MAXDOUBLE },
           (Way) { "row of chunks", chunk_declaration, chunk_row, G_MAXDOUBLE, G_MAXDOUBLE });
  measure_client ();

  return 0;
}
