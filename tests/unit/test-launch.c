/* SPDX-License-Identifier: BSD-3-Clause */

/* The child that becomes the program: real ones. */

#include "launch.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static Launch
fork_program (const Inherited *inherited, char **program, gboolean ignore_sigpipe)
{
  Launch launch = { 0 };

  g_assert_true (launch_fork (&launch, inherited, program, ignore_sigpipe));
  g_assert_cmpint (launch.pid, >, 0);

  return launch;
}

/* The numbers of descriptors that this process has. */
static guint
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

static int
wait_status (pid_t pid)
{
  int status;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);

  return status;
}

static void
assert_reaped (pid_t pid)
{
  g_assert_cmpint (waitpid (pid, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
}

/* Runs a script that writes to a file, whose name is $0, and returns what it wrote. */
static char *
run_script (const Inherited *inherited, const char *script, gboolean ignore_sigpipe)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  char *program[] = { (char *) "sh", (char *) "-c", (char *) script, NULL, NULL };
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("launch-XXXXXX", &path, &error);
  Launch launch;

  g_assert_no_error (error);
  close (fd);
  program[3] = path;
  launch = fork_program (inherited, program, ignore_sigpipe);
  g_assert_cmpint (launch_exec (&launch), ==, 0);
  g_assert_cmpint (wait_status (launch.pid), ==, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_unlink (path);

  return g_steal_pointer (&text);
}

/* Whether a signal is in a set of /proc/PID/status. */
static gboolean
has_signal (const char *status, const char *set, int signum)
{
  const char *line = strstr (status, set);

  g_assert_nonnull (line);

  return (g_ascii_strtoull (line + strlen (set), NULL, 16) >> (signum - 1)) & 1;
}

#define SHOW_STATUS "exec cat /proc/self/status > \"$0\""

static void
test_waits (void)
{
  guint descriptors = count_descriptors ();
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "launch-waits-XXXXXX", NULL);
  g_autofree char *made = NULL;
  Inherited inherited = { 0 };
  Launch launch;

  g_assert_nonnull (g_mkdtemp (path));
  made = g_build_filename (path, "made", NULL);
  inherited_save (&inherited);
  launch = fork_program (&inherited, (char *[]) { (char *) "mkdir", made, NULL }, FALSE);
  g_assert_cmpuint (count_descriptors (), ==, descriptors + 2);

  /* It was not told to go: the end of the supervisor ends it. */
  close (launch.go_fd);
  g_assert_cmpint (WEXITSTATUS (wait_status (launch.pid)), ==, 1);
  close (launch.error_fd);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));

  launch = fork_program (&inherited, (char *[]) { (char *) "mkdir", made, NULL }, FALSE);
  g_assert_cmpint (launch_exec (&launch), ==, 0);
  g_assert_cmpint (wait_status (launch.pid), ==, 0);
  g_assert_true (g_file_test (made, G_FILE_TEST_IS_DIR));
  g_assert_cmpuint (count_descriptors (), ==, descriptors);
  g_rmdir (made);
  g_rmdir (path);
}

static void
test_failures (void)
{
  static const struct
  {
    const char *program;
    int error;
  } cases[] = {
    { "/nonexistent/program", ENOENT },
    { "/dev/null", EACCES },
    { "/", EACCES },
    { "/dev/null/program", ENOTDIR },
  };
  guint descriptors = count_descriptors ();
  Inherited inherited = { 0 };

  inherited_save (&inherited);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Launch launch = fork_program (&inherited, (char *[]) { (char *) cases[i].program, NULL }, FALSE);

      g_assert_cmpint (launch_exec (&launch), ==, cases[i].error);
      assert_reaped (launch.pid);
      g_assert_cmpuint (count_descriptors (), ==, descriptors);
    }
}

/* What was killed before its exec has run nothing. */
static void
test_killed (void)
{
  void (*before) (int) = signal (SIGPIPE, SIG_IGN);
  guint descriptors = count_descriptors ();
  Inherited inherited = { 0 };
  siginfo_t info;
  Launch launch;

  inherited_save (&inherited);
  launch = fork_program (&inherited, (char *[]) { (char *) "true", NULL }, FALSE);
  g_assert_cmpint (kill (launch.pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitid (P_PID, (id_t) launch.pid, &info, WEXITED | WNOWAIT), ==, 0);
  g_assert_cmpint (launch_exec (&launch), ==, EPIPE);
  assert_reaped (launch.pid);
  g_assert_cmpuint (count_descriptors (), ==, descriptors);
  signal (SIGPIPE, before);
}

static void
test_signals (void)
{
  g_autofree char *ignored = NULL, *not_ignored = NULL;
  Inherited inherited = { 0 };
  sigset_t set, before;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR2);
  sigprocmask (SIG_BLOCK, &set, &before);
  inherited_save (&inherited);
  sigaddset (&set, SIGUSR1);
  sigprocmask (SIG_BLOCK, &set, NULL);

  ignored = run_script (&inherited, SHOW_STATUS, TRUE);
  not_ignored = run_script (&inherited, SHOW_STATUS, FALSE);
  g_assert_true (has_signal (ignored, "SigIgn:", SIGPIPE));
  g_assert_false (has_signal (not_ignored, "SigIgn:", SIGPIPE));
  g_assert_false (has_signal (ignored, "SigBlk:", SIGUSR1));
  g_assert_true (has_signal (ignored, "SigBlk:", SIGUSR2));
  sigprocmask (SIG_SETMASK, &before, NULL);
}

/* posix_spawn() of the library leaves both signals that the C library keeps for itself ignored. */
static void
test_internal_signals (void)
{
  struct
  {
    void (*handler) (int);
    unsigned long flags;
    void (*restorer) (void);
    uint64_t mask;
  } ignored = { .handler = SIG_IGN }, before[2];
  g_autofree char *status = NULL;
  Inherited inherited = { 0 };

  inherited_save (&inherited);
  /* valgrind keeps signals for itself as well */
  for (int i = 0; i < 2; i++)
    if (syscall (SYS_rt_sigaction, 32 + i, &ignored, &before[i], sizeof ignored.mask) != 0)
      {
        g_test_skip ("the actions of these signals cannot be set here");
        return;
      }
  /* The first one that is the program's stays. */
  signal (SIGRTMIN, SIG_IGN);
  status = run_script (&inherited, SHOW_STATUS, FALSE);
  signal (SIGRTMIN, SIG_DFL);
  g_assert_true (has_signal (status, "SigIgn:", SIGRTMIN));
  for (int i = 0; i < 2; i++)
    g_assert_cmpint (syscall (SYS_rt_sigaction, 32 + i, &before[i], NULL, sizeof ignored.mask), ==, 0);
  g_assert_false (has_signal (status, "SigIgn:", 32));
  g_assert_false (has_signal (status, "SigIgn:", 33));
}

static void
test_limit (void)
{
  g_autofree char *text = NULL;
  struct rlimit changed;
  Inherited inherited = { 0 };

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("valgrind has its own limit");
      return;
    }
  inherited_save (&inherited);
  changed = inherited.files;
  changed.rlim_cur -= 3;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &changed), ==, 0);
  text = run_script (&inherited, "ulimit -n > \"$0\"", FALSE);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &inherited.files), ==, 0);
  g_assert_cmpuint (g_ascii_strtoull (text, NULL, 10), ==, inherited.files.rlim_cur);
}

/* In a process of its own: with so many free descriptors and processes a fork fails by this errno, and leaves none. */
static void
assert_fork_fails (rlim_t descriptors, gboolean no_process, int error)
{
  pid_t child = fork ();

  if (child == 0)
    {
      char *program[] = { (char *) "true", NULL };
      struct rlimit none = { 0, 0 }, few;
      guint before = count_descriptors ();
      int lowest = dup (STDERR_FILENO);
      Inherited inherited = { 0 };
      Launch launch;

      close (lowest);
      inherited_save (&inherited);
      few = inherited.files;
      few.rlim_cur = (rlim_t) lowest + descriptors;
      if (no_process && setrlimit (RLIMIT_NPROC, &none) < 0)
        _exit (2);
      /* The limit does not hold for root. */
      if (no_process && geteuid () == 0 && setresuid (65534, 65534, 65534) < 0)
        _exit (3);
      if (!no_process && setrlimit (RLIMIT_NOFILE, &few) < 0)
        _exit (4);
      if (launch_fork (&launch, &inherited, program, false))
        _exit (5);
      if (errno != error)
        _exit (6);
      /* Its caller ends, with both ends of pipes to a child that is not there. */
      few.rlim_cur = inherited.files.rlim_cur;
      setrlimit (RLIMIT_NOFILE, &few);
      _exit (no_process || count_descriptors () == before ? 0 : 7);
    }
  g_assert_cmpint (wait_status (child), ==, 0);
}

static void
test_no_fork (void)
{
  assert_fork_fails (1, FALSE, EMFILE);
  assert_fork_fails (2, FALSE, EMFILE);
  assert_fork_fails (3, FALSE, EMFILE);
  assert_fork_fails (0, TRUE, EAGAIN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/launch/waits", test_waits);
  g_test_add_func ("/launch/failures", test_failures);
  g_test_add_func ("/launch/killed", test_killed);
  g_test_add_func ("/launch/signals", test_signals);
  g_test_add_func ("/launch/internal-signals", test_internal_signals);
  g_test_add_func ("/launch/limit", test_limit);
  g_test_add_func ("/launch/no-fork", test_no_fork);

  return g_test_run ();
}
