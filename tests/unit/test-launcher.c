/* SPDX-License-Identifier: BSD-3-Clause */

/* Real programs, through the real supervisor. */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <roast/roast.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "closeness.h"

typedef struct
{
  RoastRecording *recording;
  RoastLauncher *launcher;
  GString *heard; /* signals, in their order */
} Fixture;

static void
on_exited (RoastLauncher *launcher, int wait_status, Fixture *fixture)
{
  g_string_append_printf (fixture->heard, "exited %d;", wait_status);
}

static void
on_stopped (RoastLauncher *launcher, int signum, Fixture *fixture)
{
  g_string_append_printf (fixture->heard, "stopped %d;", signum);
}

static void
on_continued (RoastLauncher *launcher, Fixture *fixture)
{
  g_string_append (fixture->heard, "continued;");
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->recording = roast_recording_new (NULL);
  fixture->launcher = roast_launcher_new (fixture->recording);
  fixture->heard = g_string_new (NULL);
  g_signal_connect (fixture->launcher, "exited", G_CALLBACK (on_exited), fixture);
  g_signal_connect (fixture->launcher, "stopped", G_CALLBACK (on_stopped), fixture);
  g_signal_connect (fixture->launcher, "continued", G_CALLBACK (on_continued), fixture);
}

/* The test has no child left, neither a zombie nor a running one. */
static void
assert_no_children (void)
{
  gint64 deadline = g_get_monotonic_time () + HANG;

  while (waitid (P_ALL, 0, &(siginfo_t) { 0 }, WEXITED | WNOHANG | WNOWAIT) == 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
  g_assert_cmpint (errno, ==, ECHILD);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  assert_no_children ();
  g_assert_finalize_object (fixture->launcher);
  g_assert_finalize_object (fixture->recording);
  g_string_free (fixture->heard, TRUE);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **at = user_data;

  g_assert_null (*at);
  *at = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
launch_context (Fixture *fixture, RoastLaunchContext *context, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_launcher_launch_async (fixture->launcher, context, NULL, on_done, &result);
  wait_for (&result);

  return roast_launcher_launch_finish (fixture->launcher, result, error);
}

static gboolean
launch (Fixture *fixture, GError **error, const char *program, ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (RoastLaunchContext) context = NULL;
  va_list arguments;

  va_start (arguments, program);
  for (const char *argument = program; argument != NULL; argument = va_arg (arguments, const char *))
    g_ptr_array_add (argv, (gpointer) argument);
  va_end (arguments);
  g_ptr_array_add (argv, NULL);

  context = roast_launch_context_new ((const char *const *) argv->pdata);
  roast_launch_context_set_grace (context, 0);

  return launch_context (fixture, context, error);
}

static void
launch_shell (Fixture *fixture, const char *script)
{
  g_autoptr (GError) error = NULL;

  launch (fixture, &error, "sh", "-c", script, NULL);
  g_assert_no_error (error);
}

static gboolean
finish (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_launcher_wait_async (fixture->launcher, NULL, on_done, &result);
  wait_for (&result);

  return roast_launcher_wait_finish (fixture->launcher, result, error);
}

static void
assert_finish (Fixture *fixture, int expected)
{
  g_autoptr (GError) error = NULL;
  int status = -1;

  finish (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (roast_launcher_get_wait_status (fixture->launcher, &status));
  g_assert_cmpint (status, ==, expected);
}

static gint64
lookup_int64 (Fixture *fixture, const char *key)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (fixture->recording);
  gint64 value = G_MININT64;

  g_assert_true (g_variant_lookup (metadata, key, "x", &value));

  return value;
}

static RoastTableReader *
read_processes (Fixture *fixture)
{
  return roast_recording_read_table (fixture->recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
}

/* The sum of a column of `processes`. */
static double
sum_processes (Fixture *fixture, guint slot)
{
  g_autoptr (RoastTableReader) processes = read_processes (fixture);
  double sum = 0;

  roast_table_reader_sum (processes, slot, &sum, NULL);

  return sum;
}

/* Goes to the row of a command. */
static gboolean
find_command (RoastTableReader *processes, const char *command)
{
  roast_table_reader_rewind (processes);
  while (roast_table_reader_next (processes))
    if (g_strcmp0 (roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND), command) == 0)
      return TRUE;

  return FALSE;
}

static void
test_exit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) processes = NULL;
  g_autofree char *expected = g_strdup_printf ("exited %d;", 3 << 8);

  launch_shell (fixture, "exit 3");
  g_assert_cmpint (roast_launcher_get_pid (fixture->launcher), >, 1);
  assert_finish (fixture, 3 << 8);
  g_assert_cmpstr (fixture->heard->str, ==, expected);

  processes = read_processes (fixture);
  g_assert_true (find_command (processes, "sh"));
  g_assert_cmpint (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_EXIT_CODE, -1), ==, 3);
  g_assert_cmpstr (roast_table_reader_get_string (processes, ROAST_PROCESSES_COMMAND_LINE), ==, "sh -c 'exit 3'");
  g_assert_cmpint (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, -1), ==,
                   roast_launcher_get_pid (fixture->launcher));
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  launch_shell (fixture, "kill -9 $$");
  assert_finish (fixture, SIGKILL);
}

static void
test_elapsed (Fixture *fixture, gconstpointer data)
{
  gint64 before = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  launch (fixture, &error, "sleep", "1", NULL);
  g_assert_no_error (error);
  assert_finish (fixture, 0);
  g_assert_cmpint (lookup_int64 (fixture, "tree-elapsed"), >=, 1000000);
  g_assert_cmpint (lookup_int64 (fixture, "tree-elapsed"), <=, g_get_monotonic_time () - before);
  if (asks_for_closeness ())
    g_assert_cmpint (lookup_int64 (fixture, "tree-elapsed"), <, g_getenv ("ROAST_UNDER_VALGRIND") ? 3000000 : 1200000);
}

/* CPU time of a child is found, with the resolution of the kernel's clock. */
static void
test_cpu (Fixture *fixture, gconstpointer data)
{
  double cpu;

  launch_shell (fixture, "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; (while [ $i -gt 0 ]; do i=$((i - 1)); "
                         "done); true");
  assert_finish (fixture, 0);
  cpu = sum_processes (fixture, ROAST_PROCESSES_CPU_USER) + sum_processes (fixture, ROAST_PROCESSES_CPU_SYSTEM);
  g_assert_cmpfloat_with_epsilon (cpu, lookup_int64 (fixture, "tree-wait-cpu") / 1e6, 0.03);
  g_assert_cmpfloat (cpu, >, 0.02);
}

static void
test_not_found (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (launch (fixture, &error, "roast-no-such-program", NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“roast-no-such-program” in PATH (/"));
  g_clear_error (&error);

  g_assert_false (finish (fixture, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND);
}

static void
test_not_found_path (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (launch (fixture, &error, "./no/such/program", NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND);
  g_assert_false (finish (fixture, NULL));
}

static void
test_no_interpreter (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "roast-test-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  static const char text[] = "#!/no/such/interpreter\n";
  int fd = g_mkstemp_full (path, O_RDWR, 0755);

  g_assert_cmpint (write (fd, text, strlen (text)), ==, strlen (text));
  g_assert_cmpint (close (fd), ==, 0);
  g_assert_false (launch (fixture, &error, path, NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "interpreter"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_false (finish (fixture, NULL));
}

static void
test_not_executable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (launch (fixture, &error, "/etc/passwd", NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE);
  g_assert_nonnull (strstr (error->message, "/etc/passwd"));
  g_assert_false (finish (fixture, NULL));
}

static void
test_directory_as_program (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (launch (fixture, &error, "/etc", NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE);
  g_assert_nonnull (strstr (error->message, "directory"));
  g_assert_false (finish (fixture, NULL));
}

/* The program has the environment and directory of its launch context, not those of the test. */
static void
test_context (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sh", "-c",
                         "test \"$(pwd)\" = /usr && test \"$ROAST_TEST\" = 'a b' && test -z \"$ROAST_GONE\"", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GError) error = NULL;

  g_setenv ("ROAST_GONE", "here", TRUE);
  roast_launch_context_set_directory (context, "/usr");
  roast_launch_context_setenv (context, "ROAST_TEST", "a b");
  roast_launch_context_unsetenv (context, "ROAST_GONE");
  launch_context (fixture, context, &error);
  g_assert_no_error (error);
  assert_finish (fixture, 0);
  g_unsetenv ("ROAST_GONE");
}

static void
test_no_directory (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "true", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GError) error = NULL;

  roast_launch_context_set_directory (context, "/no/such/directory");
  g_assert_false (launch_context (fixture, context, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE);
  g_assert_nonnull (strstr (error->message, "/no/such/directory"));
}

/* Under valgrind posix_spawn() reports a failure only by the end of the child. */
static gboolean
skip_under_valgrind (void)
{
  if (g_getenv ("ROAST_UNDER_VALGRIND") == NULL)
    return FALSE;
  g_test_skip ("valgrind does not report failures of posix_spawn()");

  return TRUE;
}

static void
test_no_supervisor (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = g_strdup (g_getenv ("ROAST_SUPERVISOR"));
  g_autoptr (GError) error = NULL;

  if (skip_under_valgrind ())
    return;

  g_setenv ("ROAST_SUPERVISOR", "/no/such/supervisor", TRUE);
  g_assert_false (launch (fixture, &error, "true", NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR);
  g_assert_nonnull (strstr (error->message, "/no/such/supervisor"));
  g_clear_error (&error);

  /* A supervisor that ends without a frame. */
  g_setenv ("ROAST_SUPERVISOR", "/bin/true", TRUE);
  g_assert_false (launch (fixture, &error, "true", NULL));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR);
  if (before != NULL)
    g_setenv ("ROAST_SUPERVISOR", before, TRUE);
  else
    g_unsetenv ("ROAST_SUPERVISOR");
  g_assert_false (finish (fixture, NULL));
}

static void
test_big_environment (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sh", "-c", "test ${#BIG_3} = 100000", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autofree char *value = g_strnfill (100000, 'x');
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("BIG_%u", i);

      roast_launch_context_setenv (context, name, value);
    }
  launch_context (fixture, context, &error);
  g_assert_no_error (error);
  assert_finish (fixture, 0);
}

static void
test_too_big_environment (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "true", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autofree char *value = g_strnfill (1 << 20, 'x');
  g_autoptr (GError) error = NULL;

  if (skip_under_valgrind ())
    return;

  roast_launch_context_setenv (context, "BIG", value);
  g_assert_false (launch_context (fixture, context, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE);
}

/* Children of the application are not reaped, and its descriptors are not passed on. */
static void
test_own_child (Fixture *fixture, gconstpointer data)
{
  int status;
  pid_t child = fork ();

  if (child == 0)
    _exit (42);

  launch_shell (fixture, "exit 0");
  assert_finish (fixture, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (WEXITSTATUS (status), ==, 42);
}

/* The program has stdin, stdout, stderr and inherited descriptors, but none of roast. */
static void
test_descriptors (Fixture *fixture, gconstpointer data)
{
  launch_shell (fixture, "for f in /proc/self/fd/*; do n=${f##*/}; t=$(readlink $f); case $t in socket:*) "
                         "if [ $n -gt 2 ]; then exit 1; fi;; esac; done; exit 0");
  assert_finish (fixture, 0);
}

static void
test_dispositions (Fixture *fixture, gconstpointer data)
{
  struct sigaction before[NSIG] = { 0 };
  struct sigaction after[NSIG] = { 0 };

  for (int i = 1; i < NSIG; i++)
    sigaction (i, NULL, &before[i]);
  launch_shell (fixture, "exit 0");
  assert_finish (fixture, 0);
  for (int i = 1; i < NSIG; i++)
    {
      sigaction (i, NULL, &after[i]);
      g_assert_true (before[i].sa_handler == after[i].sa_handler);
    }
}

static void
test_send_signal (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_launcher_send_signal (fixture->launcher, SIGTERM));
  launch (fixture, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  g_assert_true (roast_launcher_send_signal (fixture->launcher, SIGTERM));
  assert_finish (fixture, SIGTERM);
  g_assert_false (roast_launcher_send_signal (fixture->launcher, SIGTERM));
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *expected = g_strdup_printf ("stopped %d;continued;exited %d;", SIGSTOP, SIGTERM);
  g_autoptr (GError) error = NULL;
  gint64 before, stopped, all;

  launch (fixture, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  before = g_get_monotonic_time ();
  g_assert_true (roast_launcher_send_signal (fixture->launcher, SIGSTOP));
  while (fixture->heard->len == 0)
    g_main_context_iteration (NULL, TRUE);
  stopped = g_get_monotonic_time ();
  /* Long enough to be seen, and nothing is waited for. */
  g_usleep (20000);
  stopped = g_get_monotonic_time () - stopped;
  g_assert_true (roast_launcher_send_signal (fixture->launcher, SIGCONT));
  while (strstr (fixture->heard->str, "continued") == NULL)
    g_main_context_iteration (NULL, TRUE);
  all = g_get_monotonic_time () - before;
  g_assert_true (roast_launcher_send_signal (fixture->launcher, SIGTERM));
  assert_finish (fixture, SIGTERM);
  g_assert_cmpstr (fixture->heard->str, ==, expected);
  /* It was stopped at least between the two reports, and at most between the order and the second one. */
  g_assert_cmpint (lookup_int64 (fixture, "tree-stopped"), >=, stopped);
  g_assert_cmpint (lookup_int64 (fixture, "tree-stopped"), <=, all);
}

/* The signals that the C library keeps for itself are neither ignored nor blocked in the program. */
static void
test_internal_signals (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = g_dir_make_tmp ("roast-launcher-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "status", NULL);
  g_autofree char *script = g_strdup_printf ("grep -E '^Sig(Ign|Blk):' /proc/self/status >%s", file);
  g_autofree char *text = NULL;

  launch_shell (fixture, script);
  assert_finish (fixture, 0);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  for (guint i = 0; i < 2; i++)
    {
      const char *line = strstr (text, i == 0 ? "SigIgn:" : "SigBlk:");

      g_assert_nonnull (line);
      for (int signum = 32; signum < SIGRTMIN; signum++)
        g_assert_cmpuint (g_ascii_strtoull (line + strlen ("SigIgn:\t"), NULL, 16) >> (signum - 1) & 1, ==, 0);
    }
  g_assert_cmpint (g_remove (file), ==, 0);
  g_assert_cmpint (g_remove (directory), ==, 0);
}

/* The program lives on, and its numbers up to the detach are in the recording. */
static void
test_detach (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int pid;

  launch (fixture, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  pid = roast_launcher_get_pid (fixture->launcher);
  roast_launcher_detach (fixture->launcher);
  finish (fixture, &error);
  g_assert_no_error (error);
  g_assert_false (roast_launcher_get_wait_status (fixture->launcher, NULL));
  g_assert_cmpint (kill (pid, 0), ==, 0);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
}

static void
test_attach (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int pid;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  pid = atoi (g_subprocess_get_identifier (process));

  roast_launcher_attach_async (fixture->launcher, pid, NULL, NULL, on_done, &result);
  wait_for (&result);
  roast_launcher_attach_finish (fixture->launcher, result, &error);
  g_assert_no_error (error);
  g_assert_cmpint (roast_launcher_get_pid (fixture->launcher), ==, pid);

  g_subprocess_force_exit (process);
  finish (fixture, &error);
  g_assert_no_error (error);
  g_assert_false (roast_launcher_get_wait_status (fixture->launcher, NULL));
  g_assert_cmpstr (fixture->heard->str, ==, "exited -1;");
  g_subprocess_wait (process, NULL, &error);
  g_assert_no_error (error);
}

static void
test_attach_nobody (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_launcher_attach_async (fixture->launcher, G_MAXINT - 1, NULL, NULL, on_done, &result);
  wait_for (&result);
  g_assert_false (roast_launcher_attach_finish (fixture->launcher, result, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NO_SUCH_PROCESS);
  g_assert_false (finish (fixture, NULL));
}

static int
find_supervisor (void)
{
  siginfo_t info = { 0 };
  g_autofree char *children = NULL;
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", getpid ());

  g_assert_cmpint (waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT), ==, 0);
  if (!g_file_get_contents (path, &children, NULL, NULL))
    return -1;

  return atoi (children);
}

/* The supervisor is killed: the recording keeps what is known, and an event reports the loss. */
static void
test_supervisor_killed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableReader) events = NULL;
  g_autoptr (GError) error = NULL;
  int pid;
  int supervisor;

  launch (fixture, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  pid = roast_launcher_get_pid (fixture->launcher);
  supervisor = find_supervisor ();
  if (supervisor <= 0)
    {
      roast_launcher_send_signal (fixture->launcher, SIGKILL);
      assert_finish (fixture, SIGKILL);
      g_test_skip ("this kernel does not list children");
      return;
    }

  g_assert_cmpint (kill (supervisor, SIGKILL), ==, 0);
  g_assert_false (finish (fixture, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR);
  events = roast_recording_read_table (fixture->recording, ROAST_TABLE_EVENTS, NULL, NULL);
  g_assert_cmpuint (roast_table_reader_get_n_rows (events), >, 0);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
}

/* An observer of a launch */

#define TEST_TYPE_OBSERVER (test_observer_get_type ())
G_DECLARE_FINAL_TYPE (TestObserver, test_observer, TEST, OBSERVER, GObject)

struct _TestObserver
{
  GObject parent_instance;
  GString *heard;
  guint n_samples;
};

static void
on_tree_started (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  g_assert_cmpfloat (roast_process_tree_get_cores (tree), >=, 1);
  g_assert_cmpint (roast_process_tree_get_accounting (tree) & ROAST_ACCOUNTING_WAIT, !=, 0);
  g_assert_cmpint (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_HOST_MEMORY), >, 0);
  g_assert_cmpint (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_ENDED), ==, -1);
  g_string_append (TEST_OBSERVER (observer)->heard, "tree;");
}

static void
on_process_started (RoastProcessObserver *observer, RoastProcess *process)
{
  g_assert_cmpint (roast_process_get_field (process, ROAST_PROCESS_FIELD_PID), >, 0);
  g_assert_cmpint (roast_process_get_field (process, ROAST_PROCESS_FIELD_ENDED), ==, -1);
  g_assert_cmpint (roast_process_get_origin (process), ==, ROAST_PROCESS_ORIGIN_RUNNING);
  g_assert_false (roast_process_get_wait_status (process, NULL));
  g_string_append_printf (TEST_OBSERVER (observer)->heard, "%s;", roast_process_get_command_line (process));
}

static void
on_sampled (RoastProcessObserver *observer, RoastProcessTree *tree, GPtrArray *changed)
{
  g_autoptr (GPtrArray) live = roast_process_tree_list_processes (tree);
  gint64 sum = 0;

  TEST_OBSERVER (observer)->n_samples++;
  g_assert_cmpuint (changed->len, <=, live->len);
  if (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_ZOMBIES) > 0)
    return;

  g_assert_cmpint (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES), ==, live->len);
  for (guint i = 0; i < live->len; i++)
    sum += MAX (roast_process_get_field (g_ptr_array_index (live, i), ROAST_PROCESS_FIELD_MEMORY), 0);
  g_assert_cmpint (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_MEMORY), ==, sum);
}

static void
on_process_ended (RoastProcessObserver *observer, RoastProcess *process)
{
  int status;

  g_assert_true (roast_process_get_wait_status (process, &status));
  g_assert_cmpint (roast_process_get_origin (process), ==, ROAST_PROCESS_ORIGIN_EXACT);
  g_assert_cmpint (roast_process_get_field (process, ROAST_PROCESS_FIELD_CPU_USER), >=, 0);
  g_string_append_printf (TEST_OBSERVER (observer)->heard, "%s %d;", roast_process_get_command (process), status);
}

static void
on_tree_ended (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  g_assert_cmpint (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_PROCESSES), ==, 1);
  g_assert_cmpint (roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_TICKS), ==,
                   TEST_OBSERVER (observer)->n_samples);
  g_string_append (TEST_OBSERVER (observer)->heard, "end;");
}

static void
observer_iface_init (RoastProcessObserverInterface *iface)
{
  iface->tree_started = on_tree_started;
  iface->process_started = on_process_started;
  iface->sampled = on_sampled;
  iface->process_ended = on_process_ended;
  iface->tree_ended = on_tree_ended;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestObserver, test_observer, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_PROCESS_OBSERVER, observer_iface_init))

static void
test_observer_finalize (GObject *object)
{
  g_string_free (TEST_OBSERVER (object)->heard, TRUE);
  G_OBJECT_CLASS (test_observer_parent_class)->finalize (object);
}

static void
test_observer_class_init (TestObserverClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_observer_finalize;
}

static void
test_observer_init (TestObserver *self)
{
  self->heard = g_string_new (NULL);
}

/* Each process starts once, however many samples there are. */
static void
test_observed (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sleep", "100", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (TestObserver) observer = g_object_new (TEST_TYPE_OBSERVER, NULL);
  g_autoptr (GError) error = NULL;

  roast_launch_context_set_interval (context, 10000);
  roast_launch_context_add_observer (context, ROAST_PROCESS_OBSERVER (observer));
  launch_context (fixture, context, &error);
  g_assert_no_error (error);
  while (observer->n_samples < 3)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (roast_launcher_send_signal (fixture->launcher, SIGTERM));
  assert_finish (fixture, SIGTERM);
  g_assert_cmpstr (observer->heard->str, ==, "tree;sleep 100;sleep 15;end;");
}

static void
test_no_program (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_launcher_launch_async (fixture->launcher, context, NULL, on_done, &result);
  wait_for (&result);
  g_assert_false (roast_launcher_launch_finish (fixture->launcher, result, &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND);
}

static void
test_cancelled_before (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "true", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  roast_launcher_launch_async (fixture->launcher, context, cancellable, on_done, &result);
  wait_for (&result);
  g_assert_false (roast_launcher_launch_finish (fixture->launcher, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sleep", "100", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_launcher_launch_async (fixture->launcher, context, cancellable, on_done, &result);
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_false (roast_launcher_launch_finish (fixture->launcher, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* It ends long before its 100 seconds. */
  g_assert_false (finish (fixture, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A signal that is sent before the program runs. */
static void
test_early_signal (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "sleep", "100", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_assert_false (roast_launcher_send_signal (fixture->launcher, SIGTERM));
  roast_launcher_launch_async (fixture->launcher, context, NULL, on_done, &result);
  g_assert_true (roast_launcher_send_signal (fixture->launcher, SIGTERM));
  g_assert_cmpint (roast_launcher_get_pid (fixture->launcher), ==, -1);
  wait_for (&result);
  g_assert_true (roast_launcher_launch_finish (fixture->launcher, result, &error));
  g_assert_no_error (error);

  g_assert_true (finish (fixture, &error));
  g_assert_no_error (error);
  g_assert_true (roast_launcher_get_wait_status (fixture->launcher, &status));
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGTERM);
}

/* An attached process is left alone. */
static void
test_attach_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  roast_launcher_attach_async (fixture->launcher, atoi (g_subprocess_get_identifier (process)), NULL, cancellable,
                               on_done, &result);
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_false (roast_launcher_attach_finish (fixture->launcher, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (finish (fixture, NULL));

  /* It still runs, or another signal would have ended it. */
  g_subprocess_send_signal (process, SIGTERM);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_true (g_subprocess_get_if_signaled (process));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGTERM);
}

static void
test_waiters (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *results[3] = { NULL };
  g_autoptr (GError) error = NULL;

  roast_launcher_wait_async (fixture->launcher, NULL, on_done, &results[0]);
  roast_launcher_wait_async (fixture->launcher, cancellable, on_done, &results[1]);
  launch (fixture, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  roast_launcher_wait_async (fixture->launcher, NULL, on_done, &results[2]);

  g_cancellable_cancel (cancellable);
  wait_for (&results[1]);
  g_assert_false (roast_launcher_wait_finish (fixture->launcher, results[1], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (results[0]);

  roast_launcher_send_signal (fixture->launcher, SIGKILL);
  wait_for (&results[0]);
  wait_for (&results[2]);
  g_assert_true (roast_launcher_wait_finish (fixture->launcher, results[0], NULL));
  g_assert_true (roast_launcher_wait_finish (fixture->launcher, results[2], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_object_unref (results[i]);
  assert_finish (fixture, SIGKILL);
}

static void
test_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  launch_shell (fixture, "exit 0");
  g_assert_false (launch (fixture, &error, "true", NULL));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  assert_finish (fixture, 0);
}

/* A launcher without references from outside works to the end. */
static void
test_dropped (void)
{
  const char *argv[] = { "sh", "-c", "exit 0", NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  RoastLauncher *launcher = roast_launcher_new (recording);

  g_object_add_weak_pointer (G_OBJECT (launcher), (gpointer *) &launcher);
  roast_launcher_launch_async (launcher, context, NULL, NULL, NULL);
  g_object_unref (launcher);
  while (launcher != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (roast_recording_get_memory (recording, ROAST_TABLE_PROCESSES), >, 0);
  assert_no_children ();
}

#define ADD(name, function) g_test_add ("/launcher/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("exit", test_exit);
  ADD ("killed", test_killed);
  ADD ("elapsed", test_elapsed);
  ADD ("cpu", test_cpu);
  ADD ("not-found", test_not_found);
  ADD ("not-found-path", test_not_found_path);
  ADD ("no-interpreter", test_no_interpreter);
  ADD ("not-executable", test_not_executable);
  ADD ("directory-as-program", test_directory_as_program);
  ADD ("context", test_context);
  ADD ("no-directory", test_no_directory);
  ADD ("no-supervisor", test_no_supervisor);
  ADD ("big-environment", test_big_environment);
  ADD ("too-big-environment", test_too_big_environment);
  ADD ("own-child", test_own_child);
  ADD ("descriptors", test_descriptors);
  ADD ("dispositions", test_dispositions);
  ADD ("send-signal", test_send_signal);
  ADD ("stop", test_stop);
  ADD ("internal-signals", test_internal_signals);
  ADD ("detach", test_detach);
  ADD ("attach", test_attach);
  ADD ("attach-nobody", test_attach_nobody);
  ADD ("supervisor-killed", test_supervisor_killed);
  ADD ("observed", test_observed);
  ADD ("no-program", test_no_program);
  ADD ("cancelled-before", test_cancelled_before);
  ADD ("cancelled", test_cancelled);
  ADD ("early-signal", test_early_signal);
  ADD ("attach-cancelled", test_attach_cancelled);
  ADD ("waiters", test_waiters);
  ADD ("once", test_once);
  g_test_add_func ("/launcher/dropped", test_dropped);

  return g_test_run ();
}
