/* SPDX-License-Identifier: BSD-3-Clause */

/* roast_emit_*(), each time in a process of its own, with a plain socket at the other end. */

#include <errno.h>
#include <glib/gstdio.h>
#include <roast/roast.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  char *directory;
  char *path;
  int fd;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  struct timeval patience = { 120, 0 };

  fixture->directory = g_dir_make_tmp ("roast-emit-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->directory, "socket", NULL);
  fixture->fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_strlcpy (address.sun_path, fixture->path, sizeof address.sun_path);
  g_assert_cmpint (bind (fixture->fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  /* Rather a failure than to wait for ever for one that does not come. */
  g_assert_cmpint (setsockopt (fixture->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), ==, 0);
  g_assert_cmpint (listen (fixture->fd, data != NULL ? 0 : 16), ==, 0);
  g_setenv ("ROAST_SOCKET", fixture->path, TRUE);
  g_setenv ("ROAST_TOKEN", "se\"cret", TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close (fixture->fd);
  g_unlink (fixture->path);
  g_rmdir (fixture->directory);
  g_free (fixture->path);
  g_free (fixture->directory);
  g_unsetenv ("ROAST_SOCKET");
  g_unsetenv ("ROAST_TOKEN");
}

static pid_t
run (void (*child) (void))
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      child ();
      _exit (0);
    }

  return pid;
}

static void
wait_for (pid_t pid)
{
  int status = 0;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  /* valgrind gives a forked child its own verdict, on what its parent holds: 99. */
  if (g_getenv ("ROAST_UNDER_VALGRIND") == NULL || WEXITSTATUS (status) != 99)
    g_assert_cmpint (status, ==, 0);
}

/* All that one connection brings. */
static char *
read_all (int fd)
{
  GString *text = g_string_new (NULL);
  char buffer[65536];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  close (fd);

  return g_string_free (text, FALSE);
}

static char *
read_connection (Fixture *fixture)
{
  int fd = accept4 (fixture->fd, NULL, NULL, SOCK_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);

  return read_all (fd);
}

static void
say_everything (void)
{
  g_assert_true (roast_emit_enabled ());
  g_set_prgname ("test");
  roast_emit_events ("a", 10);
  roast_emit_bytes_read (NULL, 20);
  roast_emit_chunk ("a", "f.root", 0, 5, 5, 100, 1500000, 2000000, NULL);
  roast_emit_chunk (NULL, NULL, -1, -1, -1, -1, -1, -1, "OSError");
  roast_emit_section ("jets", "time", 0.25);
  roast_emit_message (ROAST_SEVERITY_WARNING, "odd \"text\"\xff\n");
  roast_emit_flush ();
}

static void
test_messages (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (say_everything);
  g_autofree char *text = read_connection (fixture);

  wait_for (pid);
  g_assert_cmpstr (text, ==,
                   "{\"roast\":2,\"token\":\"se\\\"cret\",\"program\":\"test\"}\n"
                   "{\"type\":\"events\",\"dataset\":\"a\",\"events\":10}\n"
                   "{\"type\":\"bytes_read\",\"bytes\":20}\n"
                   "{\"type\":\"chunk\",\"dataset\":\"a\",\"file\":\"f.root\",\"entry_start\":0,\"entry_stop\":5,"
                   "\"events\":5,"
                   "\"bytes_read\":100,\"started\":1.5,\"ended\":2}\n"
                   "{\"type\":\"chunk\",\"error\":\"OSError\"}\n"
                   "{\"type\":\"section\",\"name\":\"jets\",\"kind\":\"time\",\"value\":0.25}\n"
                   "{\"type\":\"message\",\"severity\":\"warning\",\"message\":\"odd \\\"text\\\"\xef\xbf\xbd\\n\"}\n");
}

static gpointer
say_thousand (gpointer data)
{
  for (guint i = 0; i < 1000; i++)
    roast_emit_events (data, i);

  return NULL;
}

/* Leaves through exit (): what waits is flushed then. */
static void
say_from_threads (void)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("emit", say_thousand, (gpointer) "threads");
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  exit (0);
}

static void
test_threads (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (say_from_threads);
  g_autofree char *text = read_connection (fixture);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint64 sum = 0;

  wait_for (pid);
  g_assert_cmpuint (g_strv_length (lines), ==, 4002);
  for (guint i = 1; i <= 4000; i++)
    {
      g_assert_true (g_str_has_prefix (lines[i], "{\"type\":\"events\",\"dataset\":\"threads\",\"events\":"));
      sum += g_ascii_strtoull (strrchr (lines[i], ':') + 1, NULL, 10);
    }
  g_assert_cmpuint (sum, ==, 4 * 499500);
}

/* Forks while another thread is at it: the child must not find the lock taken, and has a connection of its own. */
static void
fork_meanwhile (void)
{
  GThread *thread = g_thread_new ("emit", say_thousand, (gpointer) "parent");

  for (guint i = 0; i < 20; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        {
          roast_emit_events ("child", 1);
          roast_emit_flush ();
          /* What the other thread was at is lost in the copy: nothing for a checker of leaks to look at. */
          execlp ("true", "true", NULL);
          _exit (127);
        }
      wait_for (pid);
    }
  g_thread_join (thread);
  exit (0);
}

static gpointer
read_in_thread (gpointer data)
{
  return read_all (GPOINTER_TO_INT (data));
}

static void
test_fork (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (fork_meanwhile);
  GThread *threads[21];
  guint children = 0;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] =
        g_thread_new ("read", read_in_thread, GINT_TO_POINTER (accept4 (fixture->fd, NULL, NULL, SOCK_CLOEXEC)));
  wait_for (pid);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree char *text = g_thread_join (threads[i]);
      gboolean child = strstr (text, "\"child\"") != NULL;

      g_assert_true (g_str_has_prefix (text, "{\"roast\":2,"));
      /* Nothing of the parent's is said again, or half. */
      g_assert_true (!child || strstr (text, "\"parent\"") == NULL);
      children += child;
    }
  g_assert_cmpuint (children, ==, 20);
}

/* Much more than fits, while nobody reads: it must not wait, and what is dropped is told. */
#define MANY 50000

static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  int done[2];
  char byte;
  guint kept = 0;
  guint64 dropped = 0;
  pid_t pid;

  g_assert_cmpint (pipe (done), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      for (guint i = 0; i < MANY; i++)
        roast_emit_events ("many", 1);
      if (write (done[1], "x", 1) != 1)
        _exit (1);
      roast_emit_flush ();
      _exit (0);
    }
  /* Only when all is said is anything read. */
  g_assert_cmpint (read (done[0], &byte, 1), ==, 1);
  close (done[0]);
  close (done[1]);
  text = read_connection (fixture);
  wait_for (pid);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *message = strstr (lines[i], "\"message\":\"");

      kept += strstr (lines[i], "\"many\"") != NULL;
      if (message != NULL)
        dropped += g_ascii_strtoull (message + strlen ("\"message\":\""), NULL, 10);
    }
  g_assert_cmpuint (dropped, >, 0);
  g_assert_cmpuint (kept + dropped, ==, MANY);
}

/* Too many that connect at the same time: tried again, nothing is lost. */
static void
say_when_busy (void)
{
  roast_emit_events ("busy", 1);
  roast_emit_events ("busy", 2);
  roast_emit_flush ();
}

static void
test_busy (Fixture *fixture, gconstpointer data)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int others[8];
  guint n = 0;
  pid_t pid;
  gboolean found = FALSE;

  g_strlcpy (address.sun_path, fixture->path, sizeof address.sun_path);
  for (n = 0; n < G_N_ELEMENTS (others); n++)
    {
      others[n] = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      if (connect (others[n], (struct sockaddr *) &address, sizeof address) < 0)
        break;
    }
  g_assert_cmpuint (n, <, G_N_ELEMENTS (others));
  g_assert_cmpint (errno, ==, EAGAIN);
  close (others[n]);

  pid = run (say_when_busy);
  for (guint i = 0; i < n; i++)
    close (others[i]);
  for (guint i = 0; i < n + 1; i++)
    {
      g_autofree char *text = read_connection (fixture);

      found |= strstr (text, "\"events\":1}") != NULL && strstr (text, "\"events\":2}") != NULL;
    }
  wait_for (pid);
  g_assert_true (found);
}

/* Outside a run, or where nobody listens, nothing happens; and no signal when the reader goes. */
static void
say_to_nobody (void)
{
  roast_emit_events ("a", 1);
  roast_emit_flush ();
  g_assert_false (roast_emit_enabled ());
  roast_emit_events ("a", 1);
  roast_emit_flush ();
}

static void
say_outside (void)
{
  g_unsetenv ("ROAST_SOCKET");
  g_assert_false (roast_emit_enabled ());
  say_to_nobody ();
}

static void
say_elsewhere (void)
{
  g_setenv ("ROAST_SOCKET", "/nonexistent/socket", TRUE);
  g_assert_true (roast_emit_enabled ());
  say_to_nobody ();
}

static void
say_too_far (void)
{
  g_autofree char *path = g_strnfill (200, '/');

  g_setenv ("ROAST_SOCKET", path, TRUE);
  say_to_nobody ();
}

static void
say_until_gone (void)
{
  while (roast_emit_enabled ())
    roast_emit_events ("a", 1);
  roast_emit_flush ();
}

static void
test_nobody (Fixture *fixture, gconstpointer data)
{
  pid_t pid;

  wait_for (run (say_outside));
  wait_for (run (say_elsewhere));
  wait_for (run (say_too_far));
  pid = run (say_until_gone);
  close (accept4 (fixture->fd, NULL, NULL, SOCK_CLOEXEC));
  wait_for (pid);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, data, function) g_test_add (name, Fixture, data, set_up, function, tear_down)
  ADD ("/emit/messages", NULL, test_messages);
  ADD ("/emit/threads", NULL, test_threads);
  ADD ("/emit/fork", NULL, test_fork);
  ADD ("/emit/dropped", NULL, test_dropped);
  ADD ("/emit/busy", "short queue", test_busy);
  ADD ("/emit/nobody", NULL, test_nobody);

  return g_test_run ();
}
