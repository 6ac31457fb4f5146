/* SPDX-License-Identifier: BSD-3-Clause */

/* Why there are no perf events, in words that help. */

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "perf-private.h"

static void
test_explain (void)
{
  static const struct
  {
    int error, level;
    const char *remedy; /* its beginning */
    const char *text;
  } cases[] = {
    { EACCES, 3, "ask the administrator to run “sysctl -w kernel.perf_event_paranoid=2”",
      "perf events are not allowed for unprivileged users here: kernel.perf_event_paranoid=3" },
    { EPERM, 4, "ask the administrator to run “sysctl -w kernel.perf_event_paranoid=2”",
      "perf events are not allowed for unprivileged users here: kernel.perf_event_paranoid=4" },
    { EACCES, 2, "ask the administrator to allow the system call",
      "perf events are forbidden by a container or a security module" },
    { EPERM, -1, "ask the administrator to allow the system call",
      "perf events are forbidden by a container or a security module" },
    { ENOMEM, 3, "ask the administrator to run “sysctl -w kernel.perf_event_mlock_kb",
      "perf events cannot get memory: kernel.perf_event_mlock_kb is used up" },
    { EMFILE, 3, "run “ulimit -n 4096”", "the limit of open files (ulimit -n) is too low for perf events" },
    { ENFILE, 2, "run “ulimit -n 4096”", "the limit of open files (ulimit -n) is too low for perf events" },
    { ENOSYS, 2, "ask for a kernel", "this kernel has no perf events" },
    { ENOENT, 3, "ask for a kernel", "this kernel has no perf events" },
    { EOPNOTSUPP, 3, "ask for a kernel", "this kernel has no perf events" },
  };
  g_autofree char *other = g_strdup_printf ("perf events could not be opened: %s", strerror (EBUSY));
  char text[PERF_REASON];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      memset (text, 'x', sizeof text);
      g_assert_true (g_str_has_prefix (perf_explain (cases[i].error, cases[i].level, text), cases[i].remedy));
      g_assert_cmpstr (text, ==, cases[i].text);
    }
  g_assert_true (g_str_has_prefix (perf_explain (EBUSY, 3, text), "ask the administrator to allow the system call"));
  g_assert_cmpstr (text, ==, other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-explain/explain", test_explain);

  return g_test_run ();
}
