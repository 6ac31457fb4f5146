/* SPDX-License-Identifier: BSD-3-Clause */

/* How far a long log was read is shown on a terminal, and nowhere else. */

#include "run-progress.h"

#include "closeness.h"

#include <poll.h>
#include <pty.h>
#include <unistd.h>

#define LONG_ENOUGH (5 * G_USEC_PER_SEC / 4) /* it waits for a second */

/* A session whose standard error is @fd reports a quarter, for so long, and the end. */
static void
show (int fd)
{
  g_autoptr (RoastSession) session = roast_session_new (NULL);
  int saved = dup (STDERR_FILENO);
  gint64 until = g_get_monotonic_time () + LONG_ENOUGH;

  g_assert_cmpint (dup2 (fd, STDERR_FILENO), ==, STDERR_FILENO);
  run_progress_show (session);
  while (g_get_monotonic_time () < until)
    {
      g_signal_emit_by_name (session, "progress", 0.25);
      g_usleep (10000);
    }
  /* However long the last wait was. */
  g_signal_emit_by_name (session, "progress", 0.25);
  g_signal_emit_by_name (session, "progress", 1.0);
  dup2 (saved, STDERR_FILENO);
  close (saved);
}

/* It is removed at the end. What is written to a terminal may arrive a moment later. */
static void
test_terminal (void)
{
  static const char line[] = "\r\033[Kroast-run: reading: 25 %";
  static const char end[] = "25 %\r\033[K";
  g_autoptr (GString) text = g_string_new (NULL);
  int fd, other;

  g_assert_cmpint (openpty (&fd, &other, NULL, NULL, NULL), ==, 0);
  show (other);
  while (!g_str_has_suffix (text->str, end))
    {
      struct pollfd ready = { fd, POLLIN, 0 };
      char piece[256];
      gssize length;

      g_assert_cmpint (poll (&ready, 1, HANG / 1000), ==, 1);
      length = read (fd, piece, sizeof piece);
      g_assert_cmpint (length, >, 0);
      g_string_append_len (text, piece, length);
    }
  g_assert_true (g_str_has_prefix (text->str, line));
  close (fd);
  close (other);
}

static void
test_elsewhere (void)
{
  char byte;
  int fds[2];

  g_assert_cmpint (pipe (fds), ==, 0);
  show (fds[1]);
  close (fds[1]);
  g_assert_cmpint (read (fds[0], &byte, 1), ==, 0);
  close (fds[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-progress/terminal", test_terminal);
  g_test_add_func ("/run-progress/elsewhere", test_elsewhere);

  return g_test_run ();
}
