/* SPDX-License-Identifier: BSD-3-Clause */

/* The client library, each time in a process of its own, with a plain socket at the other end. */

#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <roast-client/roast-client.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "closeness.h"

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
  struct timeval patience = { HANG / G_USEC_PER_SEC, 0 };

  /* A socket's path has 108 bytes: TMPDIR may be longer. */
  fixture->directory = g_mkdtemp (g_strdup ("/tmp/roast-client-XXXXXX"));
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
  g_assert_true (roast_client_is_enabled ());
  program_invocation_short_name = (char *) "test";
  roast_client_events ("a", 10);
  roast_client_bytes_read (NULL, 20);
  roast_client_chunk ("a", "f.root", 0, 5, 5, 100, 1500000, 2000000, NULL);
  roast_client_chunk (NULL, NULL, -1, -1, -1, -1, -1, -1, "OSError");
  roast_client_section ("jets", ROAST_CLIENT_SECTION_TIME, 0.25);
  roast_client_message (ROAST_CLIENT_WARNING, "odd \"text\"\xff\n");
  g_assert_cmpint (roast_client_flush (HANG / 1000), ==, ROAST_CLIENT_OK);
}

static void
test_messages (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (say_everything);
  g_autofree char *text = read_connection (fixture);

  wait_for (pid);
  g_assert_cmpstr (text, ==,
                   "{\"roast\":2,\"token\":\"se\\\"cret\",\"program\":\"test\"}\n"
                   "{\"table\":\"datasets\",\"columns\":[\"dataset\",\"events\",\"bytes_read\"]}\n"
                   "[\"datasets\",\"a\",10]\n"
                   "[\"datasets\",null,null,20]\n"
                   "{\"table\":\"chunks\",\"columns\":[\"dataset\",\"file\",\"entry_start\",\"entry_stop\",\"events\","
                   "\"bytes_read\",\"started\",\"ended\",\"error\"]}\n"
                   "[\"chunks\",\"a\",\"f.root\",0,5,5,100,1500000,2000000]\n"
                   "[\"chunks\",null,null,null,null,null,null,null,null,\"OSError\"]\n"
                   "{\"table\":\"sections\",\"columns\":[\"name\",\"kind\",\"value\"]}\n"
                   "[\"sections\",\"jets\",\"time\",0.25]\n"
                   "{\"type\":\"message\",\"severity\":\"warning\",\"message\":\"odd "
                   "\\\"text\\\"\xef\xbf\xbd\\u000a\"}\n");
}

/* A call, a chunk with a section, and that the chunk is in the result: rows of tables, as in docs/protocol.md. */
static void
send_confirmed (void)
{
  RoastClientTable *calls = roast_client_table_new ("processing", (const char *const[]) { "call", "items", "started",
                                                                                          "ended", "confirmed", NULL });
  RoastClientTable *chunks =
      roast_client_table_new ("chunks",
                              (const char *const[]) { "chunk", "call", "events", "process_time", "cached", NULL });
  RoastClientTable *sections =
      roast_client_table_new ("sections", (const char *const[]) { "chunk", "name", "kind", "value", NULL });
  RoastClientTable *results = roast_client_table_new ("chunk_results", (const char *const[]) { "call", "chunk", NULL });

  program_invocation_short_name = (char *) "test";
  roast_client_table_set_string (calls, 0, "1");
  roast_client_table_set_int64 (calls, 1, 1);
  roast_client_table_set_int64 (calls, 2, 1700000000000000);
  g_assert_cmpint (roast_client_table_send (calls), ==, ROAST_CLIENT_OK);
  roast_client_table_set_string (chunks, 0, "a");
  roast_client_table_set_string (chunks, 1, "1");
  roast_client_table_set_int64 (chunks, 2, 1000);
  roast_client_table_set_double (chunks, 3, 0.75);
  roast_client_table_set_boolean (chunks, 4, false);
  g_assert_cmpint (roast_client_table_send (chunks), ==, ROAST_CLIENT_OK);
  roast_client_table_set_string (sections, 0, "a");
  roast_client_table_set_string (sections, 1, "jets");
  roast_client_table_set_string (sections, 2, "time");
  roast_client_table_set_double (sections, 3, 0.5);
  g_assert_cmpint (roast_client_table_send (sections), ==, ROAST_CLIENT_OK);
  roast_client_table_set_string (results, 0, "1");
  roast_client_table_set_string (results, 1, "a");
  g_assert_cmpint (roast_client_table_send (results), ==, ROAST_CLIENT_OK);
  roast_client_table_set_string (calls, 0, "1");
  roast_client_table_set_int64 (calls, 3, 1700000001000000);
  roast_client_table_set_boolean (calls, 4, true);
  g_assert_cmpint (roast_client_table_send (calls), ==, ROAST_CLIENT_OK);
  g_assert_cmpint (roast_client_flush (HANG / 1000), ==, ROAST_CLIENT_OK);
  roast_client_table_free (calls);
  roast_client_table_free (chunks);
  roast_client_table_free (sections);
  roast_client_table_free (results);
}

static void
test_confirmed (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (send_confirmed);
  g_autofree char *text = read_connection (fixture);

  wait_for (pid);
  g_assert_cmpstr (text, ==,
                   "{\"roast\":2,\"token\":\"se\\\"cret\",\"program\":\"test\"}\n"
                   "{\"table\":\"processing\",\"columns\":[\"call\",\"items\",\"started\",\"ended\",\"confirmed\"]}\n"
                   "[\"processing\",\"1\",1,1700000000000000]\n"
                   "{\"table\":\"chunks\",\"columns\":[\"chunk\",\"call\",\"events\",\"process_time\",\"cached\"]}\n"
                   "[\"chunks\",\"a\",\"1\",1000,0.75,false]\n"
                   "{\"table\":\"sections\",\"columns\":[\"chunk\",\"name\",\"kind\",\"value\"]}\n"
                   "[\"sections\",\"a\",\"jets\",\"time\",0.5]\n"
                   "{\"table\":\"chunk_results\",\"columns\":[\"call\",\"chunk\"]}\n"
                   "[\"chunk_results\",\"1\",\"a\"]\n"
                   "[\"processing\",\"1\",null,null,1700000001000000,true]\n");
}

/* ---- tables ---- */

enum
{
  A,
  B,
  C
};

static const char *const abc[] = { "a", "b", "c", NULL };

static void
say_rows (void)
{
  RoastClientTable *table = roast_client_table_new ("t\"", abc);
  RoastClientTable *other = roast_client_table_new ("t\"", abc + 1);

  g_assert_cmpint (roast_client_table_set_string (table, C, "\x01\\ä\xed\xa0\x80😀\xf0\x9f"), ==, ROAST_CLIENT_OK);
  roast_client_table_set_int64 (table, A, -5);
  roast_client_table_send (table);
  /* Nothing stays of the row before; the last value of a cell counts. */
  roast_client_table_set_boolean (table, B, false);
  roast_client_table_set_boolean (table, B, true);
  roast_client_table_send (table);
  roast_client_table_set_double (table, A, NAN);
  roast_client_table_set_double (table, B, 0.1);
  roast_client_table_set_string (table, C, NULL);
  roast_client_table_send (table);
  roast_client_table_send (table);
  /* The same table with other columns is declared again, and again. */
  roast_client_table_set_int64 (other, 0, 999999999999999999);
  roast_client_table_send (other);
  roast_client_table_set_double (table, A, 1234567.000001);
  roast_client_table_send (table);
  roast_client_table_free (table);
  roast_client_table_free (other);
  roast_client_table_free (NULL);
  exit (0);
}

static void
test_rows (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (say_rows);
  g_autofree char *text = read_connection (fixture);

  wait_for (pid);
  g_assert_cmpstr (strchr (text, '\n'), ==,
                   "\n{\"table\":\"t\\\"\",\"columns\":[\"a\",\"b\",\"c\"]}\n"
                   "[\"t\\\"\",-5,null,\"\\u0001\\\\ä\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd😀\xef\xbf\xbd\xef\xbf\xbd\"]"
                   "\n"
                   "[\"t\\\"\",null,true]\n"
                   "[\"t\\\"\",null,0.1]\n"
                   "[\"t\\\"\"]\n"
                   "{\"table\":\"t\\\"\",\"columns\":[\"b\",\"c\"]}\n"
                   "[\"t\\\"\",999999999999999999]\n"
                   "{\"table\":\"t\\\"\",\"columns\":[\"a\",\"b\",\"c\"]}\n"
                   "[\"t\\\"\",1234567.000001]\n");
}

/* Each double comes back as it was, in a locale with a comma too. */
static void
say_doubles (void)
{
  static const double values[] = { 0.1, 1e300, 5e-324, 1.7976931348623157e308, -0.30000000000000004, 1e22, 123456789 };
  RoastClientTable *table = roast_client_table_new ("t", abc);

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    setlocale (LC_NUMERIC, "fr_FR.UTF-8");
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      roast_client_table_set_double (table, A, values[i]);
      roast_client_table_send (table);
    }
  roast_client_table_free (table);
  exit (0);
}

static void
test_doubles (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (say_doubles);
  g_autofree char *text = read_connection (fixture);

  wait_for (pid);
  g_assert_true (g_str_has_suffix (text, "[\"t\",0.1]\n[\"t\",1e+300]\n[\"t\",4.94065645841247e-324]\n"
                                         "[\"t\",1.7976931348623157e+308]\n[\"t\",-0.30000000000000004]\n"
                                         "[\"t\",1e+22]\n[\"t\",123456789]\n"));
}

/* What makes no sense is refused, and counted; the rows around it are sent. */
static void
say_wrong (void)
{
  g_autofree char *longest = g_strnfill (65000, 'x');
  g_autofree char *huge = g_strnfill (50 << 20, 'x');
  g_autofree char *control = g_strnfill (60000, '\x01');
  static const char *const none[] = { NULL };
  RoastClientTable *table = roast_client_table_new ("t", abc);

  g_assert_null (roast_client_table_new (NULL, abc));
  g_assert_null (roast_client_table_new ("t", none));
  g_assert_cmpint (roast_client_events (NULL, -1), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_section (NULL, ROAST_CLIENT_SECTION_TIME, 1), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_section ("x", ROAST_CLIENT_SECTION_TIME, -1), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_section ("x", ROAST_CLIENT_SECTION_CUSTOM, NAN), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_message (ROAST_CLIENT_INFO, NULL), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_message (ROAST_CLIENT_INFO, huge), ==, ROAST_CLIENT_TOO_LONG);
  g_assert_cmpint (roast_client_table_send (NULL), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_table_set_int64 (NULL, 0, 1), ==, ROAST_CLIENT_INVALID);

  g_assert_cmpint (roast_client_table_set_int64 (table, 3, 1), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_table_set_int64 (table, A, 1), ==, ROAST_CLIENT_OK);
  g_assert_cmpint (roast_client_table_send (table), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_table_set_int64 (table, A, G_MAXINT64), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_table_send (table), ==, ROAST_CLIENT_INVALID);
  g_assert_cmpint (roast_client_table_set_string (table, A, huge), ==, ROAST_CLIENT_TOO_LONG);
  g_assert_cmpint (roast_client_table_send (table), ==, ROAST_CLIENT_TOO_LONG);
  g_assert_cmpint (roast_client_table_set_string (table, A, control), ==, ROAST_CLIENT_OK);
  g_assert_cmpint (roast_client_table_send (table), ==, ROAST_CLIENT_TOO_LONG);
  g_assert_cmpint (roast_client_table_set_string (table, A, longest), ==, ROAST_CLIENT_OK);
  g_assert_cmpint (roast_client_table_send (table), ==, ROAST_CLIENT_OK);
  roast_client_table_free (table);
  g_assert_cmpstr (roast_client_result_to_string (ROAST_CLIENT_TOO_LONG), ==,
                   "the line is longer than the limit of 64 KiB");
  g_assert_cmpstr (roast_client_result_to_string ((RoastClientResult) 99), ==, "unknown error");
  g_assert_cmpint (roast_client_flush (HANG / 1000), ==, ROAST_CLIENT_OK);
}

static void
test_wrong (Fixture *fixture, gconstpointer data)
{
  pid_t pid = run (say_wrong);
  g_autofree char *text = read_connection (fixture);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  wait_for (pid);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  g_assert_nonnull (strstr (lines[1], "\"4 messages and rows of this process were dropped"));
  g_assert_true (g_str_has_prefix (lines[3], "[\"t\",\"xxx"));
}

static gpointer
say_thousand (gpointer data)
{
  for (guint i = 0; i < 1000; i++)
    roast_client_events (data, i);

  return NULL;
}

/* Leaves through exit (), which sends the rest. */
static void
say_from_threads (void)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("say", say_thousand, (gpointer) "threads");
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
  g_assert_cmpuint (g_strv_length (lines), ==, 4003);
  for (guint i = 2; i <= 4001; i++)
    {
      g_assert_true (g_str_has_prefix (lines[i], "[\"datasets\",\"threads\","));
      sum += g_ascii_strtoull (strrchr (lines[i], ',') + 1, NULL, 10);
    }
  g_assert_cmpuint (sum, ==, 4 * 499500);
}

/* Forks while another thread is at it: the child must not find the lock taken, and has a connection of its own. */
static void
fork_meanwhile (void)
{
  GThread *thread = g_thread_new ("say", say_thousand, (gpointer) "parent");

  for (guint i = 0; i < 20; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        {
          roast_client_events ("child", 1);
          roast_client_flush (HANG / 1000);
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

/* Much more than fits, while nobody reads: it must not wait, and the number of dropped rows is reported. */
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
        roast_client_events ("many", 1);
      if (write (done[1], "x", 1) != 1)
        _exit (1);
      roast_client_flush (HANG / 1000);
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
  roast_client_events ("busy", 1);
  roast_client_events ("busy", 2);
  roast_client_flush (HANG / 1000);
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

      found |= strstr (text, "\"busy\",1]") != NULL && strstr (text, "\"busy\",2]") != NULL;
    }
  wait_for (pid);
  g_assert_true (found);
}

/* Outside a run, or where nobody listens, nothing happens; and no signal when the reader goes. */
static void
say_to_nobody (void)
{
  roast_client_events ("a", 1);
  roast_client_flush (1000);
  g_assert_false (roast_client_is_enabled ());
  roast_client_events ("a", 1);
  roast_client_flush (1000);
}

static void
say_outside (void)
{
  g_unsetenv ("ROAST_SOCKET");
  g_assert_false (roast_client_is_enabled ());
  say_to_nobody ();
}

static void
say_elsewhere (void)
{
  g_setenv ("ROAST_SOCKET", "/nonexistent/socket", TRUE);
  g_assert_true (roast_client_is_enabled ());
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
  while (roast_client_is_enabled ())
    roast_client_events ("a", 1);
  roast_client_flush (1000);
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
  ADD ("/client/messages", NULL, test_messages);
  ADD ("/client/confirmed", NULL, test_confirmed);
  ADD ("/client/rows", NULL, test_rows);
  ADD ("/client/doubles", NULL, test_doubles);
  ADD ("/client/wrong", NULL, test_wrong);
  ADD ("/client/threads", NULL, test_threads);
  ADD ("/client/fork", NULL, test_fork);
  ADD ("/client/dropped", NULL, test_dropped);
  ADD ("/client/busy", "short queue", test_busy);
  ADD ("/client/nobody", NULL, test_nobody);

  return g_test_run ();
}
