/* SPDX-License-Identifier: BSD-3-Clause */

/* How far a long log was read is shown on a terminal, and nowhere else. */

#include "run-progress.h"

#include <fcntl.h>
#include <pty.h>
#include <string.h>
#include <unistd.h>

#define LONG_ENOUGH (5 * G_USEC_PER_SEC / 4) /* it waits for a second */

/* What comes out at @fd while a session whose standard error is @other reports a quarter, for so long, and the end. */
static char *
show (int fd, int other)
{
  g_autoptr (RoastSession) session = roast_session_new (NULL);
  int saved = dup (STDERR_FILENO);
  gint64 until = g_get_monotonic_time () + LONG_ENOUGH;
  char text[4096];
  gssize length;

  g_assert_cmpint (dup2 (other, STDERR_FILENO), ==, STDERR_FILENO);
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
  g_assert_cmpint (fcntl (fd, F_SETFL, O_NONBLOCK), ==, 0);
  length = read (fd, text, sizeof text);

  return g_strndup (text, (gsize) MAX (length, 0));
}

static void
test_terminal (void)
{
  static const char shown[] = "\r\033[Kroast-run: reading: 25 %";
  g_autofree char *text = NULL;
  int fd, other;

  g_assert_cmpint (openpty (&fd, &other, NULL, NULL, NULL), ==, 0);
  text = show (fd, other);
  g_assert_true (g_str_has_prefix (text, shown));
  /* It is removed at the end. */
  g_assert_true (g_str_has_suffix (text, "25 %\r\033[K"));
  /* A few times a second, not each time. */
  g_assert_cmpuint (strlen (text), <, 20 * strlen (shown));
  close (fd);
  close (other);
}

static void
test_elsewhere (void)
{
  g_autofree char *text = NULL;
  int fds[2];

  g_assert_cmpint (pipe (fds), ==, 0);
  text = show (fds[0], fds[1]);
  g_assert_cmpstr (text, ==, "");
  close (fds[0]);
  close (fds[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-progress/terminal", test_terminal);
  g_test_add_func ("/run-progress/elsewhere", test_elsewhere);

  return g_test_run ();
}
