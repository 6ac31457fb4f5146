/* SPDX-License-Identifier: BSD-3-Clause */

/* /proc of real processes: of the test itself, which knows its numbers, and of children that it makes. */

#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader.h"

#define MANY 900 /* children: their list is longer than what the kernel gives at once */

static void
set_up (Process *p, gconstpointer data)
{
  reader_init ();
  *p = (Process) { .pid = getpid () };
  p->dir_fd = p->stat_fd = p->io_fd = p->smaps_fd = p->sched_fd = p->children_fd = p->pidfd = -1;
}

static void
tear_down (Process *p, gconstpointer data)
{
  reader_close (p);
  g_assert_cmpint (p->dir_fd, ==, -1);
  g_assert_cmpint (p->stat_fd, ==, -1);
}

/* A child that waits to be killed. */
static pid_t
start_child (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    for (;;)
      pause ();
  g_assert_cmpint (pid, >, 0);

  return pid;
}

static void
end_child (pid_t pid)
{
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

static gint64
read_number (const char *file, const char *key)
{
  g_autofree char *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  at = strstr (text, key);
  g_assert_nonnull (at);

  return g_ascii_strtoll (at + strlen (key), NULL, 10);
}

static void
test_own (Process *p, gconstpointer data)
{
  g_autofree char *comm = NULL;
  ProcStatus status;
  gint64 pss = 0, before;

  g_assert_true (reader_exists (getpid ()));
  g_assert_cmpint (reader_open (p), ==, READ_OK);
  g_assert_cmpint (p->dir_fd, >=, 0);
  g_assert_true (g_file_get_contents ("/proc/self/comm", &comm, NULL, NULL));
  g_assert_cmpstr (p->stat.command, ==, g_strchomp (comm));
  g_assert_cmpint (p->stat.ppid, ==, getppid ());
  g_assert_cmpint (p->stat.rss_pages, >, 0);

  before = read_number ("/proc/self/io", "wchar: ");
  g_assert_cmpint (reader_io (p), ==, READ_OK);
  g_assert_cmpint (p->io.write_chars, >=, before);
  g_assert_cmpint (p->io.write_chars, <=, read_number ("/proc/self/io", "wchar: "));

  signal (SIGCHLD, SIG_IGN);
  before = read_number ("/proc/self/status", "VmHWM:");
  g_assert_cmpint (reader_status (p, &status), ==, READ_OK);
  signal (SIGCHLD, SIG_DFL);
  g_assert_cmpuint (status.uid, ==, geteuid ());
  g_assert_true (status.ignores_sigchld);
  g_assert_cmpint (status.peak_rss, >=, before * 1024);
  g_assert_cmpint (status.peak_rss, <=, read_number ("/proc/self/status", "VmHWM:") * 1024);
  g_assert_cmpint (reader_status (p, &status), ==, READ_OK);
  g_assert_false (status.ignores_sigchld);

  g_assert_cmpint (reader_pss (p, &pss), ==, READ_OK);
  g_assert_cmpint (pss, >, 0);
  g_assert_cmpint (pss, <=, status.peak_rss + (1 << 20));
}

/* The wait status of a child that its parent, this test, has waited for. Older kernels do not keep it. */
static void
test_wait_status (Process *p, gconstpointer data)
{
  int status = -1;

  p->pid = start_child ();
  g_assert_cmpint (reader_open (p), ==, READ_OK);
  g_assert_false (reader_wait_status (p, &status));
  end_child (p->pid);
  if (reader_wait_status (p, &status))
    g_assert_cmpint (status, ==, SIGKILL);
  else
    g_assert_cmpint (status, ==, -1);
}

static void
test_command_line (Process *p, gconstpointer data)
{
  g_autofree char *expected = NULL;
  char text[4096];
  gsize length;

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("valgrind shows its program another command line, by some paths");
      return;
    }
  g_assert_true (g_file_get_contents ("/proc/self/cmdline", &expected, &length, NULL));
  g_assert_cmpuint (length, <, sizeof text);
  /* By its pid, and by the directory that is open. */
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpuint (reader_text (p, "cmdline", text, sizeof text), ==, length);
      g_assert_cmpmem (text, length, expected, length);
      g_assert_cmpuint (reader_text (p, "cmdline", text, 3), ==, 3);
      reader_open (p);
    }
}

static void
test_gone (Process *p, gconstpointer data)
{
  pid_t pid = start_child ();
  char text[16];
  ProcStatus status;
  ProcQueue queue = { -7, -7 };
  BoundQueue bound = { 0 };
  gint64 value;

  p->pid = pid;
  g_assert_cmpint (reader_open (p), ==, READ_OK);
  g_assert_cmpint (reader_io (p), ==, READ_OK);
  g_assert_cmpint (reader_pss (p, &value), ==, READ_OK);
  end_child (pid);
  g_assert_cmpint (reader_stat (p), ==, READ_GONE);
  g_assert_cmpint (reader_io (p), ==, READ_GONE);
  g_assert_cmpint (reader_status (p, &status), ==, READ_GONE);
  g_assert_cmpint (reader_pss (p, &value), ==, READ_GONE);
  g_assert_cmpint (reader_run_queue (p, &queue, &bound), ==, READ_GONE);
  p->stat.threads = 2;
  g_assert_cmpint (reader_run_queue (p, &queue, &bound), ==, READ_GONE);
  g_assert_cmpint (queue.wait, ==, -7);
  g_assert_cmpuint (reader_text (p, "cmdline", text, sizeof text), ==, 0);
  g_assert_false (reader_exists (pid));
  reader_close (p);
  g_assert_cmpint (reader_open (p), ==, READ_GONE);
  g_assert_cmpint (p->dir_fd, ==, -1);
}

/* Another process with the same pid has another time of its start. */
static void
test_reused (Process *p, gconstpointer data)
{
  g_assert_cmpint (reader_stat (p), ==, READ_OK);
  p->stat.start_ticks--;
  g_assert_cmpint (reader_stat (p), ==, READ_GONE);
}

/* After an exec, an open smaps_rollup belongs to the old memory. */
static void
test_exec (Process *p, gconstpointer data)
{
  int go[2];
  char byte;
  pid_t pid;
  gint64 pss = 0;
  int done[2];

  g_assert_cmpint (pipe2 (go, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (done, O_CLOEXEC), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      if (read (go[0], &byte, 1) == 1)
        execlp ("sleep", "sleep", "1000", NULL);
      _exit (1);
    }
  p->pid = pid;
  close (done[1]);
  g_assert_cmpint (reader_open (p), ==, READ_OK);
  g_assert_cmpint (reader_pss (p, &pss), ==, READ_OK);
  g_assert_cmpint (write (go[1], "", 1), ==, 1);
  /* The exec closes it. */
  g_assert_cmpint (read (done[0], &byte, 1), ==, 0);
  pss = 0;
  g_assert_cmpint (reader_pss (p, &pss), ==, READ_OK);
  g_assert_cmpint (pss, >=, 0);
  g_assert_cmpint (reader_pss (p, &pss), ==, READ_OK);
  end_child (pid);
  close (go[0]);
  close (go[1]);
  close (done[0]);
}

/* The files of a process of another user: as the test may be root, a child of it becomes somebody else. */
static void
test_denied (Process *p, gconstpointer data)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      gint64 pss;

      p->pid = getuid () == 0 ? getppid () : 1;
      if (getuid () == 0 && setresuid (65534, 65534, 65534) != 0)
        _exit (77);
      if (reader_stat (p) != READ_OK)
        _exit (1);
      if (reader_io (p) != READ_DENIED)
        _exit (2);
      _exit (reader_pss (p, &pss) == READ_DENIED ? 0 : 3);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static gpointer
wait_in_thread (gpointer data)
{
  char byte;

  while (read (GPOINTER_TO_INT (data), &byte, 1) > 0)
    ;

  return NULL;
}

/* Of all threads: the second field of each schedstat. */
static void
test_run_queue (Process *p, gconstpointer data)
{
  ProcQueue alone, together;
  BoundQueue bound = { 0 }, unbound = { 0 };
  cpu_set_t own;
  gint64 before;
  g_autofree char *text = NULL;
  g_autofree char *name = g_strdup_printf ("/proc/self/task/%d/schedstat", getpid ());
  GThread *thread;
  int pipes[2];

  g_assert_true (g_file_get_contents (name, &text, NULL, NULL));
  before = g_ascii_strtoll (strchr (text, ' '), NULL, 10) / 1000;
  p->stat.threads = 1;
  g_assert_cmpint (reader_run_queue (p, &alone, &bound), ==, READ_OK);
  g_assert_cmpint (alone.wait, >=, before);
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (name, &text, NULL, NULL));
  g_assert_cmpint (alone.wait, <=, g_ascii_strtoll (strchr (text, ' '), NULL, 10) / 1000);

  g_assert_cmpint (pipe2 (pipes, O_CLOEXEC), ==, 0);
  thread = g_thread_new (NULL, wait_in_thread, GINT_TO_POINTER (pipes[0]));
  p->stat.threads = 2;
  g_assert_cmpint (reader_run_queue (p, &together, &bound), ==, READ_OK);
  g_assert_cmpint (together.wait, >=, alone.wait);
  g_assert_cmpint (together.wait, <, alone.wait + 60 * G_USEC_PER_SEC);
  g_assert_cmpint (together.cpu, >=, alone.cpu);

  /* Both threads lack a core that roast-run would have, and then none. */
  g_assert_cmpint (sched_getaffinity (0, sizeof own, &own), ==, 0);
  bound.own = own;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (!CPU_ISSET (i, &own))
      {
        CPU_SET (i, &bound.own);
        break;
      }
  bound.wait = 0;
  g_assert_cmpint (reader_run_queue (p, &together, &bound), ==, READ_OK);
  g_assert_cmpint (bound.wait, >, 0);
  g_assert_cmpint (bound.wait, <=, together.wait);
  g_assert_true (CPU_EQUAL (&bound.cores, &own));
  unbound.own = own;
  g_assert_cmpint (reader_run_queue (p, &together, &unbound), ==, READ_OK);
  g_assert_cmpint (unbound.wait, ==, 0);
  close (pipes[1]);
  g_thread_join (thread);
  close (pipes[0]);
}

static void
take_child (void *data, int32_t pid)
{
  g_array_append_val ((GArray *) data, pid);
}

static gboolean
has (const GArray *pids, gint32 pid)
{
  for (guint i = 0; i < pids->len; i++)
    if (g_array_index (pids, gint32, i) == pid)
      return TRUE;

  return FALSE;
}

typedef struct
{
  int start, stop; /* pipes */
  pid_t child;
} Forker;

static gpointer
fork_in_thread (gpointer data)
{
  Forker *self = data;
  char byte;

  self->child = start_child ();
  g_assert_cmpint (write (self->start, "", 1), ==, 1);
  g_assert_cmpint (read (self->stop, &byte, 1), ==, 1);

  return NULL;
}

/* A child is in the list of the thread that forked it. */
static void
test_children (Process *p, gconstpointer data)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint32));
  pid_t mine = start_child ();
  int start[2], stop[2];
  char byte;
  Forker forker;
  GThread *thread;

  p->stat.threads = 1;
  reader_children (p, take_child, found);
  reader_children (p, take_child, found);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_true (has (found, mine));
  g_array_set_size (found, 0);

  g_assert_cmpint (pipe2 (start, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (stop, O_CLOEXEC), ==, 0);
  forker = (Forker) { start[1], stop[0], 0 };
  thread = g_thread_new (NULL, fork_in_thread, &forker);
  g_assert_cmpint (read (start[0], &byte, 1), ==, 1);
  p->stat.threads = 2;
  reader_children (p, take_child, found);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_true (has (found, mine));
  g_assert_true (has (found, forker.child));
  g_array_set_size (found, 0);
  reader_own_children (take_child, found);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_true (has (found, mine));

  /* The children have the pipe as well, so that closing it would not end it. */
  g_assert_cmpint (write (stop[1], "", 1), ==, 1);
  g_thread_join (thread);
  end_child (mine);
  end_child (forker.child);
  close (stop[0]);
  close (stop[1]);
  close (start[0]);
  close (start[1]);
}

static void
test_many_children (Process *p, gconstpointer data)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autofree pid_t *pids = g_new (pid_t, MANY);

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("takes minutes under valgrind");
      return;
    }
  p->stat.threads = 1;
  for (guint i = 0; i < MANY; i++)
    pids[i] = start_child ();
  reader_children (p, take_child, found);
  g_assert_cmpuint (found->len, ==, MANY);
  for (guint i = 0; i < MANY; i++)
    {
      g_assert_true (has (found, pids[i]));
      end_child (pids[i]);
    }
  g_array_set_size (found, 0);
  reader_children (p, take_child, found);
  g_assert_cmpuint (found->len, ==, 0);
}

static guint
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

/* Descriptors are kept up to the limit, and all processes are read without them, too. */
static void
test_limit (void)
{
  struct rlimit limit = { 20, 104 };
  g_autofree Process *all = g_new0 (Process, 100);
  guint before = count_descriptors ();

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  reader_init ();
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_cmpint ((gint64) limit.rlim_cur, ==, 104);
  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < 100; i++)
      {
        gint64 value;

        if (round == 0)
          {
            all[i].pid = getpid ();
            all[i].dir_fd = all[i].stat_fd = all[i].io_fd = all[i].smaps_fd = all[i].sched_fd = all[i].children_fd = -1;
            all[i].pidfd = -1;
            g_assert_cmpint (reader_open (&all[i]), ==, READ_OK);
          }
        g_assert_cmpint (reader_stat (&all[i]), ==, READ_OK);
        g_assert_cmpint (reader_io (&all[i]), ==, READ_OK);
        g_assert_cmpint (reader_pss (&all[i], &value), ==, READ_OK);
      }
  /* 104 without 64 for others */
  g_assert_cmpuint (count_descriptors () - before, >=, 38);
  g_assert_cmpuint (count_descriptors () - before, <=, 40);
  for (guint i = 0; i < 100; i++)
    reader_close (&all[i]);
  g_assert_cmpuint (count_descriptors (), ==, before);
}

/* ---- descriptors ---- */

static void
open_and_check (Process *p)
{
  /* Once: it is open then. */
  if (p->stat_fd < 0)
    g_assert_cmpint (reader_open (p), ==, READ_OK);
}

static void
stat_and_check (Process *p)
{
  g_assert_cmpint (reader_stat (p), ==, READ_OK);
}

static void
io_and_check (Process *p)
{
  g_assert_cmpint (reader_io (p), ==, READ_OK);
}

static void
pss_and_check (Process *p)
{
  gint64 pss;

  g_assert_cmpint (reader_pss (p, &pss), ==, READ_OK);
}

static void
status_and_check (Process *p)
{
  ProcStatus status;

  g_assert_cmpint (reader_status (p, &status), ==, READ_OK);
}

static void
run_queue_and_check (Process *p)
{
  ProcQueue queue;
  BoundQueue bound = { 0 };

  for (p->stat.threads = 1; p->stat.threads < 3; p->stat.threads++)
    g_assert_cmpint (reader_run_queue (p, &queue, &bound), ==, READ_OK);
}

static void
children_and_check (Process *p)
{
  for (p->stat.threads = 1; p->stat.threads < 3; p->stat.threads++)
    {
      g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint32));

      reader_children (p, take_child, found);
      g_assert_cmpuint (found->len, ==, 1);
    }
}

static void
command_line_and_check (Process *p)
{
  char text[64];

  g_assert_cmpuint (reader_text (p, "cmdline", text, sizeof text), >, 0);
}

static void
assert_closed_by_exec (int fd)
{
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (fcntl (fd, F_GETFD), ==, FD_CLOEXEC);
}

/* Each file may get the number 0 where the standard input was closed. What is kept is not opened twice, nor inherited,
 * and all of it is closed. */
static void
test_descriptors (void)
{
  static void (*const steps[]) (Process *) = {
    open_and_check,   stat_and_check,      io_and_check,       pss_and_check,
    status_and_check, run_queue_and_check, children_and_check, command_line_and_check,
  };
  int saved = dup (STDIN_FILENO);
  pid_t child = start_child ();
  guint before = count_descriptors ();

  for (guint freed = 0; freed < G_N_ELEMENTS (steps); freed++)
    {
      Process process;
      guint kept;

      set_up (&process, NULL);
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        {
          if (i == freed)
            close (STDIN_FILENO);
          /* The file of the second step is the first one that is opened then. */
          if (!(freed == 1 && i == 0))
            steps[i](&process);
        }
      kept = count_descriptors ();
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        steps[i](&process);
      g_assert_cmpuint (count_descriptors (), ==, kept);
      g_assert_cmpint (process.dir_fd, ==, freed == 0 ? 0 : freed == 1 ? -1 : process.dir_fd);
      if (process.dir_fd >= 0)
        assert_closed_by_exec (process.dir_fd);
      assert_closed_by_exec (process.stat_fd);
      assert_closed_by_exec (process.io_fd);
      assert_closed_by_exec (process.smaps_fd);
      assert_closed_by_exec (process.sched_fd);
      assert_closed_by_exec (process.children_fd);
      reader_close (&process);
      g_assert_cmpint (fcntl (STDIN_FILENO, F_GETFD), ==, -1);
      g_assert_cmpint (dup2 (saved, STDIN_FILENO), ==, STDIN_FILENO);
      g_assert_cmpuint (count_descriptors (), ==, before);
    }
  end_child (child);
  close (saved);
}

/* The shortest command line: a name without a letter. */
static void
test_short_command_line (Process *p, gconstpointer data)
{
  int in[2], done[2];
  char text[16], byte;
  pid_t pid;

  g_assert_cmpint (pipe2 (in, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (done, O_CLOEXEC), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      dup2 (in[0], STDIN_FILENO);
      execlp ("cat", "", NULL);
      _exit (1);
    }
  close (done[1]);
  g_assert_cmpint (read (done[0], &byte, 1), ==, 0);
  p->pid = pid;
  text[0] = 'x';
  g_assert_cmpuint (reader_text (p, "cmdline", text, sizeof text), ==, 1);
  g_assert_cmpint (text[0], ==, 0);
  end_child (pid);
  close (in[0]);
  close (in[1]);
  close (done[0]);
}

#define ADD(name, function) g_test_add ("/reader/" name, Process, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("own", test_own);
  ADD ("command-line", test_command_line);
  ADD ("wait-status", test_wait_status);
  ADD ("short-command-line", test_short_command_line);
  ADD ("gone", test_gone);
  ADD ("reused", test_reused);
  ADD ("exec", test_exec);
  ADD ("denied", test_denied);
  ADD ("run-queue", test_run_queue);
  ADD ("children", test_children);
  ADD ("many-children", test_many_children);
  g_test_add_func ("/reader/descriptors", test_descriptors);
  g_test_add_func ("/reader/limit", test_limit);

  return g_test_run ();
}
