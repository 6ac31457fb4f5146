/* SPDX-License-Identifier: BSD-3-Clause */

/* Programs to measure, which know what they used: `roast-test-workload --help`. The truth is the kernel's own account
 * (getrusage) of the workload and all that it waited for, plus, of processes that nobody waits for, what each read off
 * its own clock just before its end. */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STARTED "ROAST_TEST_WORKLOAD_STARTED" /* survives an exec */

/* Seen by all processes of the workload. */
typedef struct
{
  int64_t unwaited_ns; /* CPU time of those that nobody waits for */
  int64_t main_us;     /* of one that went before the truth is told */
  int64_t processes;
  int64_t written; /* bytes */
} Shared;

static Shared *shared;
static const char *mode;
static char *truth_path;
static char *ready_path;
static int wake_ms; /* tree: 0, all sleep */

static int64_t
clock_ns (clockid_t id)
{
  struct timespec t;

  clock_gettime (id, &t);

  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
fail (const char *what)
{
  fprintf (stderr, "roast-test-workload: %s: %s\n", what, strerror (errno));
  _exit (EXIT_FAILURE);
}

static void
burn (double ms)
{
  int64_t end = clock_ns (CLOCK_PROCESS_CPUTIME_ID) + (int64_t) (ms * 1e6);

  while (clock_ns (CLOCK_PROCESS_CPUTIME_ID) < end)
    ;
}

/* The same for a thread, whose siblings also run. */
static void
burn_thread (double ms)
{
  int64_t end = clock_ns (CLOCK_THREAD_CPUTIME_ID) + (int64_t) (ms * 1e6);

  while (clock_ns (CLOCK_THREAD_CPUTIME_ID) < end)
    ;
}

static void
sleep_for (double seconds)
{
  struct timespec t = { (time_t) seconds, (long) ((seconds - (double) (time_t) seconds) * 1e9) };

  while (nanosleep (&t, &t) < 0 && errno == EINTR)
    ;
}

static char *
touch (size_t megabytes)
{
  size_t size = megabytes << 20;
  char *memory;

  if (size == 0)
    return NULL;
  memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail ("mmap");
  madvise (memory, size, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < size; i += 4096)
    memory[i] = (char) (i >> 12 | 1);

  return memory;
}

/* Like fork (), but no child outlives a workload that was killed, but for a daemon. */
static pid_t
spawn (void)
{
  pid_t parent = getpid (), pid;

  pid = fork ();
  if (pid < 0)
    fail ("fork");
  if (pid != 0)
    {
      __atomic_add_fetch (&shared->processes, 1, __ATOMIC_RELAXED);
      return pid;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (EXIT_FAILURE);

  return 0;
}

static void
wait_all (void)
{
  while (wait (NULL) > 0 || errno == EINTR)
    ;
}

static int64_t
usage_us (int who)
{
  struct rusage u;

  getrusage (who, &u);

  return (int64_t) (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static int64_t
waited_us (void)
{
  return usage_us (RUSAGE_SELF) + usage_us (RUSAGE_CHILDREN);
}

/* The end of a process that nobody waits for. */
static void
leave_unwaited (void)
{
  __atomic_add_fetch (&shared->unwaited_ns, clock_ns (CLOCK_PROCESS_CPUTIME_ID), __ATOMIC_RELAXED);
  _exit (EXIT_SUCCESS);
}

static void
tell_truth (int64_t waited)
{
  const char *started = getenv (STARTED);
  FILE *file;

  if (truth_path == NULL)
    return;
  file = fopen (truth_path, "w");
  if (file == NULL)
    fail (truth_path);
  fprintf (file,
           "{\"mode\": \"%s\", \"pid\": %d, \"cpu\": %.6f, \"waited\": %.6f, \"unwaited\": %.6f, \"processes\": %lld, "
           "\"written\": %lld, \"wall\": %.6f}\n",
           mode, getpid (), (double) waited / 1e6 + (double) shared->unwaited_ns / 1e9, (double) waited / 1e6,
           (double) shared->unwaited_ns / 1e9, (long long) shared->processes, (long long) shared->written,
           started != NULL ? ((double) clock_ns (CLOCK_MONOTONIC) - strtod (started, NULL)) / 1e9 : 0.0);
  if (fclose (file) != 0)
    fail (truth_path);
}

static void
tell_ready (void)
{
  int fd;

  if (ready_path == NULL)
    return;
  fd = open (ready_path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0)
    fail (ready_path);
  close (fd);
}

/* ---- modes ---- */

/* Each child holds the one end of a pipe until it is ready: its end of file is then that all are. */
static void
await_end (int fds[2])
{
  char byte;

  close (fds[1]);
  if (read (fds[0], &byte, 1) < 0)
    fail ("read");
  close (fds[0]);
}

static void
idle (void)
{
  for (;;)
    if (wake_ms > 0)
      {
        sleep_for (wake_ms / 1e3);
        burn (1);
      }
    else
      pause ();
}

static volatile sig_atomic_t terminated;

static void
on_terminate (int signum)
{
  terminated = 1;
}

static void
run_group (long n, size_t own_megabytes, const char *memory, size_t size, double seconds)
{
  pid_t *pids = calloc ((size_t) n + 1, sizeof *pids);
  int fds[2];

  if (pids == NULL || pipe (fds) < 0)
    fail ("pipe");
  for (long i = 0; i < n; i++)
    if ((pids[i] = spawn ()) == 0)
      {
        volatile char sum = 0;

        close (fds[0]);
        touch (own_megabytes);
        for (size_t k = 0; k < size; k += 4096)
          sum = (char) (sum + memory[k]);
        close (fds[1]);
        idle ();
      }
  await_end (fds);
  /* Ended early, it still waits for its children. */
  signal (SIGTERM, on_terminate);
  tell_ready ();
  for (; seconds > 0 && !terminated; seconds -= 0.1)
    sleep_for (seconds < 0.1 ? seconds : 0.1);
  for (long i = 0; i < n; i++)
    kill (pids[i], SIGTERM);
  wait_all ();
  free (pids);
}

static void
mode_tree (char **a)
{
  size_t megabytes = (size_t) atol (a[1]);

  touch (megabytes);
  run_group (atol (a[0]) - 1, megabytes, NULL, 0, atof (a[2]));
}

static void
mode_shared (char **a)
{
  size_t megabytes = (size_t) atol (a[0]);
  const char *memory = touch (megabytes);

  run_group (atol (a[1]), 0, memory, megabytes << 20, atof (a[2]));
}

static void
mode_burn (char **a)
{
  for (long i = atol (a[0]); i > 0; i--)
    {
      if (spawn () == 0)
        {
          burn (atof (a[1]));
          _exit (EXIT_SUCCESS);
        }
      wait_all ();
    }
}

/* What a compiler driver does: each job is a program of its own, with its own name. */
static void
exec_job (long i, const char *ms)
{
  char name[32];

  snprintf (name, sizeof name, "job %ld (of many)", i % 5);
  execl ("/proc/self/exe", name, "job", name, ms, (char *) NULL);
  fail ("exec");
}

static void
mode_burnp (char **a)
{
  long running = 0;

  for (long i = 0; i < atol (a[0]); i++)
    {
      if (running >= atol (a[2]) && wait (NULL) > 0)
        running--;
      if (spawn () == 0)
        exec_job (i, a[1]);
      running++;
    }
  wait_all ();
}

static void
mode_job (char **a)
{
  prctl (PR_SET_NAME, a[0]);
  burn (atof (a[1]));
  _exit (EXIT_SUCCESS);
}

static void
spawn_unwaited (char **a)
{
  for (long i = atol (a[0]); i > 0; i--)
    {
      if (spawn () == 0)
        {
          burn (atof (a[1]));
          leave_unwaited ();
        }
      wait_all ();
    }
}

static void
mode_ignchld (char **a)
{
  signal (SIGCHLD, SIG_IGN);
  spawn_unwaited (a);
}

/* Waited-for children beside those of one that waits for none; each of the latter has waited for a child itself. */
static void
mode_mixed (char **a)
{
  if (spawn () == 0)
    {
      signal (SIGCHLD, SIG_IGN);
      for (long i = atol (a[0]); i > 0; i--)
        {
          if (spawn () == 0)
            {
              signal (SIGCHLD, SIG_DFL);
              if (spawn () == 0)
                {
                  burn (atof (a[1]));
                  _exit (EXIT_SUCCESS);
                }
              wait_all ();
              burn (atof (a[1]));
              __atomic_add_fetch (&shared->unwaited_ns, usage_us (RUSAGE_CHILDREN) * 1000, __ATOMIC_RELAXED);
              leave_unwaited ();
            }
          wait_all ();
        }
      _exit (EXIT_SUCCESS);
    }
  for (long i = atol (a[0]); i > 0; i--)
    {
      pid_t pid = spawn ();

      if (pid == 0)
        {
          burn (atof (a[1]));
          _exit (EXIT_SUCCESS);
        }
      waitpid (pid, NULL, 0);
    }
  wait_all ();
}

static void
mode_ignlate (char **a)
{
  if (spawn () == 0)
    {
      /* After it was looked at, and gone before it is again. */
      usleep (200000);
      signal (SIGCHLD, SIG_IGN);
      for (long i = atol (a[0]); i > 0; i--)
        {
          if (spawn () == 0)
            {
              burn (atof (a[1]));
              leave_unwaited ();
            }
          wait_all ();
        }
      _exit (EXIT_SUCCESS);
    }
  wait_all ();
}

/* Children that were waited for; what this process does with SIGCHLD after that changes nothing. */
static void
mode_waitedlate (char **a)
{
  mode_burn (a);
  signal (SIGCHLD, SIG_IGN);
}

/* As if SIGCHLD was ignored, but /proc does not show it. */
static void
mode_nocldwait (char **a)
{
  struct sigaction action = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT };

  sigaction (SIGCHLD, &action, NULL);
  spawn_unwaited (a);
}

static pid_t
spawn_daemon (double ms, int done)
{
  pid_t between = spawn ();

  if (between != 0)
    return between;
  setsid ();
  __atomic_add_fetch (&shared->processes, 1, __ATOMIC_RELAXED);
  if (fork () != 0)
    _exit (EXIT_SUCCESS);
  burn (ms);
  if (done < 0)
    {
      /* The last one tells. */
      while (__atomic_load_n (&shared->main_us, __ATOMIC_ACQUIRE) == 0)
        sleep_for (0.001);
      shared->unwaited_ns += clock_ns (CLOCK_PROCESS_CPUTIME_ID);
      tell_truth (shared->main_us);
      _exit (EXIT_SUCCESS);
    }
  __atomic_add_fetch (&shared->unwaited_ns, clock_ns (CLOCK_PROCESS_CPUTIME_ID), __ATOMIC_RELAXED);
  close (done);
  _exit (EXIT_SUCCESS);
}

static void
mode_daemon (char **a)
{
  int fds[2];

  if (pipe (fds) < 0)
    fail ("pipe");
  waitpid (spawn_daemon (atof (a[0]), fds[1]), NULL, 0);
  await_end (fds);
}

static void
mode_daemonleft (char **a)
{
  waitpid (spawn_daemon (atof (a[0]), -1), NULL, 0);
  __atomic_store_n (&shared->main_us, waited_us (), __ATOMIC_RELEASE);
  _exit (EXIT_SUCCESS);
}

static void *
fork_in_thread (void *data)
{
  char **a = data;

  for (long i = atol (a[0]); i > 0; i--)
    if (spawn () == 0)
      {
        burn (atof (a[1]));
        _exit (EXIT_SUCCESS);
      }
  burn_thread (atof (a[1]));
  wait_all ();

  return NULL;
}

static void
mode_thread (char **a)
{
  pthread_t thread;

  if (pthread_create (&thread, NULL, fork_in_thread, a) != 0)
    fail ("pthread_create");
  pthread_join (thread, NULL);
}

static void
mode_comm (char **a)
{
  static const char *const names[] = { "a b (c) d", "x) R 1 2 3 (y", "))) Z 0 0 0", "new\nline" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (spawn () == 0)
      {
        prctl (PR_SET_NAME, names[i]);
        burn (atof (a[0]));
        _exit (EXIT_SUCCESS);
      }
  prctl (PR_SET_NAME, ") S (( 1");
  burn (atof (a[0]));
  wait_all ();
}

static void
write_file (long kilobytes)
{
  char path[] = "/tmp/roast-test-workload-XXXXXX";
  static char block[1024];
  int fd = mkostemp (path, O_CLOEXEC);

  if (fd < 0)
    fail (path);
  unlink (path);
  for (long i = 0; i < kilobytes; i++)
    if (write (fd, block, sizeof block) != sizeof block)
      fail ("write");
  __atomic_add_fetch (&shared->written, kilobytes * 1024, __ATOMIC_RELAXED);
  /* Long enough to be sampled. */
  sleep_for (0.1);
  _exit (EXIT_SUCCESS);
}

static void
mode_io (char **a)
{
  for (long i = atol (a[0]); i > 0; i--)
    {
      if (spawn () == 0)
        write_file (atol (a[1]));
      wait_all ();
    }
}

static void
mode_deep (char **a)
{
  for (long i = atol (a[0]); i > 1; i--)
    if (spawn () != 0)
      {
        burn (atof (a[1]));
        wait_all ();
        /* Each but the first is done when its child is. */
        if (i < atol (a[0]))
          _exit (EXIT_SUCCESS);
        return;
      }
  burn (atof (a[1]));
  _exit (EXIT_SUCCESS);
}

static void
mode_execchain (char **a)
{
  char left[32], truth[4096];

  prctl (PR_SET_NAME, "link of a chain");
  burn (atof (a[1]));
  if (atol (a[0]) <= 1)
    return;
  snprintf (left, sizeof left, "%ld", atol (a[0]) - 1);
  snprintf (truth, sizeof truth, "--truth=%s", truth_path != NULL ? truth_path : "/dev/null");
  execl ("/proc/self/exe", "chain", truth, "execchain", left, a[1], (char *) NULL);
  fail ("exec");
}

static void
mode_sleep (char **a)
{
  sleep_for (atof (a[0]));
}

static void
mode_spin (char **a)
{
  burn (atof (a[0]) * 1e3);
}

/* Stops itself, and has itself continued. */
static void
mode_stop (char **a)
{
  pid_t self = getpid ();

  burn (20);
  if (spawn () == 0)
    {
      sleep_for (atof (a[0]));
      kill (self, SIGCONT);
      _exit (EXIT_SUCCESS);
    }
  raise (SIGSTOP);
  burn (20);
  wait_all ();
}

static const struct
{
  const char *name, *arguments, *help;
  int n;
  void (*run) (char **a);
} modes[] = {
  { "tree", "N MB SECONDS", "N processes, each with MB of its own, idle for SECONDS", 3, mode_tree },
  { "shared", "MB READERS SECONDS", "MB in the parent, read by forked READERS", 3, mode_shared },
  { "burn", "N MS", "N children one after the other, each burns MS of CPU time", 2, mode_burn },
  { "burnp", "N MS P", "the same, P at a time, each a program with a name of its own", 3, mode_burnp },
  { "ignchld", "N MS", "like burn, but SIGCHLD is ignored: nobody waits", 2, mode_ignchld },
  { "mixed", "N MS", "burn beside ignchld, whose children have a child each", 2, mode_mixed },
  { "ignlate", "N MS", "the same, by one that ignores SIGCHLD only after a while", 2, mode_ignlate },
  { "waitedlate", "N MS", "like burn, and then SIGCHLD is ignored", 2, mode_waitedlate },
  { "nocldwait", "N MS", "like ignchld, by SA_NOCLDWAIT", 2, mode_nocldwait },
  { "daemon", "MS", "a daemon burns MS; the workload ends when it has", 1, mode_daemon },
  { "daemonleft", "MS", "a daemon burns MS; the workload ends at once", 1, mode_daemonleft },
  { "thread", "N MS", "N children forked by a thread, which burns too", 2, mode_thread },
  { "comm", "MS", "names with blanks, parentheses and line breaks", 1, mode_comm },
  { "io", "N KB", "N children one after the other, each writes KB", 2, mode_io },
  { "deep", "N MS", "a chain of N processes, each burns MS", 2, mode_deep },
  { "execchain", "N MS", "one process, N programs after each other, each burns MS", 2, mode_execchain },
  { "sleep", "SECONDS", "sleeps", 1, mode_sleep },
  { "spin", "SECONDS", "burns SECONDS of CPU time", 1, mode_spin },
  { "stop", "SECONDS", "is stopped for SECONDS", 1, mode_stop },
  { "job", "NAME MS", "burns MS under that NAME; tells no truth", 2, mode_job },
};

static void
usage (FILE *file)
{
  fputs ("Usage: roast-test-workload [--truth=FILE] [--ready=FILE] [--wake=MS] MODE ARGUMENTS\n\n"
         "A workload that knows what it used.\n\n"
         "  --truth=FILE  write at the end, as JSON: cpu (s, all processes), processes, written (bytes), wall (s)\n"
         "  --ready=FILE  make FILE when all processes run (tree, shared)\n"
         "  --wake=MS     each child burns 1 ms again and again, with MS of sleep between (tree, shared)\n\n",
         file);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    fprintf (file, "  %-10s %-19s %s\n", modes[i].name, modes[i].arguments, modes[i].help);
}

static int
read_options (int argc, char **argv)
{
  static const struct option options[] = {
    { "truth", required_argument, NULL, 't' },
    { "ready", required_argument, NULL, 'r' },
    { "wake", required_argument, NULL, 'w' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
  };

  for (;;)
    switch (getopt_long (argc, argv, "+h", options, NULL))
      {
      case 't':
        truth_path = optarg;
        break;
      case 'r':
        ready_path = optarg;
        break;
      case 'w':
        wake_ms = atoi (optarg);
        break;
      case 'h':
        usage (stdout);
        exit (EXIT_SUCCESS);
      case -1:
        return optind;
      default:
        usage (stderr);
        exit (2);
      }
}

int
main (int argc, char **argv)
{
  int first = read_options (argc, argv);
  char started[32];

  shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    fail ("mmap");
  shared->processes = 1;
  snprintf (started, sizeof started, "%lld", (long long) clock_ns (CLOCK_MONOTONIC));
  setenv (STARTED, started, 0);

  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (first < argc && strcmp (argv[first], modes[i].name) == 0 && argc - first - 1 == modes[i].n)
      {
        mode = modes[i].name;
        modes[i].run (argv + first + 1);
        tell_truth (waited_us ());
        return EXIT_SUCCESS;
      }
  usage (stderr);

  return 2;
}
