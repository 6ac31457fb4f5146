/* SPDX-License-Identifier: BSD-3-Clause */

/* The whole supervisor, on real programs: this one plays them. */

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "closeness.h"
#include "sanitized.h"
#include "supervisor-run.h"

#define RARELY "--interval=1000000000" /* after the first steps */
#define OFTEN "--interval=10000"
#define MEMORY (64 << 20)
#define RSS_BATCHES (1 << 20) /* bytes: at most 64 pages for a thread, and for each core */
#define PLAIN "--pss=off", "--accounting=0"

static char *myself;

/* ---- programs ---- */

static void
report_signal (int signum)
{
  char byte = (char) signum;

  if (write (STDOUT_FILENO, &byte, 1) != 1)
    _exit (1);
}

static void
wait_for_end_of_input (void)
{
  char byte;
  gssize n;

  do
    n = read (STDIN_FILENO, &byte, 1);
  while (n > 0 || (n < 0 && errno == EINTR));
}

/* Writes the number of each signal that it gets, and 255 when it is ready to. */
static int
play_signals (void)
{
  static const int signums[] = { SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGTERM, SIGCHLD };

  for (guint i = 0; i < G_N_ELEMENTS (signums); i++)
    sigaction (signums[i], &(struct sigaction) { .sa_handler = report_signal }, NULL);
  report_signal (255);
  wait_for_end_of_input ();

  return 0;
}

static int
play_orphan (void)
{
  if (fork () != 0)
    return 5;
  wait_for_end_of_input ();

  return 6;
}

static int
play_family (void)
{
  for (int i = 0; i < 12; i++)
    if (fork () == 0)
      {
        wait_for_end_of_input ();
        return 0;
      }
  while (wait (NULL) > 0)
    ;

  return 0;
}

static gint64
own_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);

  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

static void
burn (gint64 us)
{
  gint64 end = own_cpu () + us;

  while (own_cpu () < end)
    ;
}

/* Ends as soon as its child has waited for a grandchild that burned CPU time. The child lives on. */
static int
play_server (void)
{
  int ended[2];
  char byte;

  if (pipe (ended) != 0)
    return 1;
  if (fork () == 0)
    {
      if (fork () == 0)
        {
          burn (400000);
          return 0;
        }
      wait (NULL);
      if (write (ended[1], "", 1) == 1)
        wait_for_end_of_input ();
      return 0;
    }

  return read (ended[0], &byte, 1) != 1;
}

/* Burns CPU time and writes a byte; after it has read one, it burns more and writes 5000 bytes. */
static int
play_burn (void)
{
  static const char bytes[5000];
  char byte;

  burn (200000);
  report_signal (255);
  if (read (STDIN_FILENO, &byte, 1) != 1)
    return 1;
  burn (60000);

  return write (STDOUT_FILENO, bytes, sizeof bytes) != sizeof bytes;
}

static int
play_memory (void)
{
  g_autofree char *block = g_malloc (MEMORY);

  memset (block, 'x', MEMORY);

  return block[MEMORY / 2] != 'x';
}

/* The kernel discards the account of its child. */
static int
play_ignoring (void)
{
  signal (SIGCHLD, SIG_IGN);
  if (fork () == 0)
    {
      burn (100000);
      return 0;
    }

  return wait (NULL) >= 0;
}

static gpointer
do_nothing (gpointer data)
{
  return NULL;
}

/* At least so much time of a thread's start is not little beside what its records cost, µs: half of what the supervisor
 * allows for one ring, in CPU time and, at less than 500 starts in 250 ms, in time. */
#define DEAR_START 50
#define SLOW_START 250

#define STARTS 40000

static int
play_storm (void)
{
  for (int i = 0; i < STARTS; i++)
    g_thread_join (g_thread_new (NULL, do_nothing, NULL));

  return 0;
}

static int
play (const char *part)
{
  if (strcmp (part, "storm") == 0)
    return play_storm ();
  if (strcmp (part, "signals") == 0)
    return play_signals ();
  if (strcmp (part, "orphan") == 0)
    return play_orphan ();
  if (strcmp (part, "family") == 0)
    return play_family ();
  if (strcmp (part, "server") == 0)
    return play_server ();
  if (strcmp (part, "burn") == 0)
    return play_burn ();
  if (strcmp (part, "ignoring") == 0)
    return play_ignoring ();
  if (strcmp (part, "memory") == 0)
    return play_memory ();

  return 99;
}

#define PLAY(part) "--", myself, "--play", part, NULL
#define WORDS(...) ((const char *const[]) { __VA_ARGS__ })

/* ---- start and end ---- */

static void
set_up (SupervisorRun *run, gconstpointer data)
{
  *run = (SupervisorRun) SUPERVISOR_RUN_INIT;
}

static void
tear_down (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_clear (run);
}

static const RoastWireInfo *
hello (SupervisorRun *run)
{
  const RoastWireHello *frame = supervisor_run_frame (run, ROAST_WIRE_HELLO, 0);

  g_assert_cmpuint (frame->version, ==, ROAST_WIRE_VERSION);
  g_assert_cmpuint (frame->record_size, ==, sizeof (RoastWireTreeEnd));
  g_assert_cmpuint (supervisor_run_type (run, 0), ==, ROAST_WIRE_HELLO);

  return &frame->info;
}

static pid_t
launched (SupervisorRun *run)
{
  return ((const RoastWireLaunched *) supervisor_run_frame (run, ROAST_WIRE_LAUNCHED, 0))->pid;
}

/* Waits until play_signals () has begun. */
static void
wait_until_ready (SupervisorRun *run)
{
  g_assert_cmpint (supervisor_run_read_byte (run), ==, 255);
}

/* The frames are complete, and the supervisor has ended as it should. */
static const RoastWireTreeEnd *
finished (SupervisorRun *run)
{
  g_assert_cmpint (supervisor_run_wait (run), ==, 0);
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_FINISHED), ==, 1);
  g_assert_cmpuint (supervisor_run_last_type (run), ==, ROAST_WIRE_FINISHED);

  return supervisor_run_frame (run, ROAST_WIRE_FINISHED, 0);
}

static const RoastWireMainEnded *
main_ended (SupervisorRun *run)
{
  return supervisor_run_frame (run, ROAST_WIRE_MAIN_ENDED, 0);
}

static void
test_exit (SupervisorRun *run, gconstpointer data)
{
  gint64 before = g_get_monotonic_time (), began = g_get_real_time ();
  const RoastWireProcessEnd *row;
  const RoastWireProcess *process;
  const RoastWireMainEnded *end;
  const RoastWireTreeEnd *tree;
  const RoastWireInfo *info;
  CgroupLimits limits;
  cpu_set_t cores;

  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--grace=0", "--", "sh", "-c", "exit 3", NULL));
  tree = finished (run);
  info = hello (run);
  end = main_ended (run);
  process = supervisor_run_frame (run, ROAST_WIRE_PROCESS, 0);
  row = supervisor_run_frame (run, ROAST_WIRE_ENDED, 0);
  cgroup_read_limits (0, &limits);
  g_assert_cmpint (sched_getaffinity (0, sizeof cores, &cores), ==, 0);

  /* A minute for what may happen between two readings of clocks. */
  g_assert_cmpint (info->started, >, began - 60 * G_USEC_PER_SEC);
  g_assert_cmpint (info->started, <, g_get_real_time () + 60 * G_USEC_PER_SEC);
  g_assert_cmpint (info->interval, ==, 10000);
  g_assert_cmpfloat (info->cores, ==, CPU_COUNT (&cores));
  g_assert_cmpfloat (info->cgroup_cores, ==, limits.cores);
  g_assert_cmpint (info->cgroup_memory_limit, ==, limits.memory_limit);
  g_assert_cmpint (info->host_memory, ==, sysconf (_SC_PHYS_PAGES) * sysconf (_SC_PAGESIZE));
  g_assert_cmpint (info->supervisor_pid, !=, launched (run));
  g_assert_cmpint (info->supervisor_pid, >, 0);

  g_assert_cmpint (process->pid, ==, launched (run));
  g_assert_cmpuint (process->id, ==, 1);
  g_assert_cmpuint (process->parent_id, ==, 0);
  g_assert_cmpint (end->status_known, ==, 1);
  g_assert_cmpint (WEXITSTATUS (end->wait_status), ==, 3);
  g_assert_cmpuint (row->id, ==, 1);
  g_assert_cmpint (row->wait_status, ==, end->wait_status);
  g_assert_cmpint (row->ended, ==, end->time);
  g_assert_cmpint (row->origin, ==, ROAST_PROCESS_ORIGIN_EXACT);

  g_assert_cmpint (tree->elapsed, ==, end->time - info->started);
  g_assert_cmpint (tree->elapsed, >, 0);
  g_assert_cmpint (tree->elapsed, <=, g_get_monotonic_time () - before);
  g_assert_cmpint (tree->main_ended, ==, end->time);
  g_assert_cmpint (tree->ended, >=, end->time);
  g_assert_cmpint (tree->leftover, ==, 0);
  g_assert_cmpint (tree->processes, ==, 1);
  g_assert_cmpint (tree->stopped, ==, 0);
  g_assert_cmpint (tree->missed, >=, 0);
  g_assert_cmpint (tree->perf_closed, ==, -1);
  g_assert_cmpint (tree->perf_cpu, ==, -1);
  g_assert_cmpint (tree->wait_cpu, ==, row->usage.user + row->usage.system);
  g_assert_cmpint (tree->oom_kills, ==, limits.oom_kills < 0 ? -1 : 0);
}

/* The peak is the program's own, although the kernel's may be that of the supervisor's child before its exec. */
static void
test_memory (SupervisorRun *run, gconstpointer data)
{
  const RoastWireProcessEnd *row;

  supervisor_run_start (run, WORDS (RARELY, PLAIN, PLAY ("memory")));
  finished (run);
  row = supervisor_run_frame (run, ROAST_WIRE_ENDED, 0);
  g_assert_cmpint (row->wait_status, ==, 0);
  g_assert_cmpint (row->peak_rss_bound, ==, ROAST_WIRE_PEAK_EXACT);
  g_assert_cmpint (row->peak_rss, >=, MEMORY);
  /* A sample may be ahead of the kernel's own account, which each thread and core brings up to date in batches. */
  g_assert_cmpint (ABS (row->waited_peak_rss - row->peak_rss), <=, RSS_BATCHES);
}

static void
test_killed (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--", "sh", "-c", "kill -9 $$", NULL));
  finished (run);
  g_assert_cmpint (main_ended (run)->wait_status, ==, SIGKILL);
}

/* The end of the socket may have any number. */
static void
test_no_input (SupervisorRun *run, gconstpointer data)
{
  run->control_fd = 0;
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--", "sleep", "0.1", NULL));
  g_assert_nonnull (supervisor_run_frame (run, ROAST_WIRE_TICK, 2));
  finished (run);
  g_assert_cmpint (main_ended (run)->wait_status, ==, 0);
}

static void
test_one_core (SupervisorRun *run, gconstpointer data)
{
  cpu_set_t all, one;
  int first = 0;

  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  while (!CPU_ISSET (first, &all))
    first++;
  CPU_ZERO (&one);
  CPU_SET (first, &one);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--", "true", NULL));
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
  finished (run);
  g_assert_cmpfloat (hello (run)->cores, ==, 1);
}

/* Nothing runs: these two frames are all. */
static void
assert_failure (SupervisorRun *run, int status, int stage, int error)
{
  const RoastWireFailure *failure;

  g_assert_cmpint (WEXITSTATUS (status), ==, 1);
  hello (run);
  g_assert_cmpuint (supervisor_run_type (run, 1), ==, ROAST_WIRE_LAUNCH_FAILED);
  g_assert_cmpuint (supervisor_run_type (run, 2), ==, 0);
  failure = supervisor_run_frame (run, ROAST_WIRE_LAUNCH_FAILED, 0);
  g_assert_cmpint (failure->stage, ==, stage);
  g_assert_cmpint (failure->error, ==, error);
}

static void
assert_failed (SupervisorRun *run, int stage, int error)
{
  assert_failure (run, supervisor_run_wait (run), stage, error);
}

static void
test_not_found (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, "--", "/nonexistent/program", NULL));
  assert_failed (run, ROAST_WIRE_STAGE_EXEC, ENOENT);
}

static void
test_not_executable (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, "--", "/dev/null", NULL));
  assert_failed (run, ROAST_WIRE_STAGE_EXEC, EACCES);
}

/* Descriptors 0 to 2 and the socket are there. What follows needs a descriptor each: signals, epoll, the timer, the
 * system's load, and two for each of two pipes. */
static void
test_descriptors (SupervisorRun *run, gconstpointer data)
{
  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL || SANITIZED)
    {
      g_test_skip ("valgrind sets no limits, and sanitizers need descriptors themselves");
      return;
    }
  for (int n = 4; n <= 12; n++)
    {
      SupervisorRun one = SUPERVISOR_RUN_INIT;
      int status;

      g_test_message ("%d descriptors", n);
      one.descriptors = n;
      supervisor_run_start (&one, WORDS (OFTEN, PLAIN, "--", "/nonexistent", NULL));
      status = supervisor_run_wait (&one);
      /* With none the loader of a supervisor that is not static cannot even open the C library. */
      if (n == 4 && WEXITSTATUS (status) == 127)
        {
          supervisor_run_clear (&one);
          continue;
        }
      assert_failure (&one, status,
                      n < 7    ? ROAST_WIRE_STAGE_SETUP
                      : n < 12 ? ROAST_WIRE_STAGE_FORK
                               : ROAST_WIRE_STAGE_EXEC,
                      n < 12 ? EMFILE : ENOENT);
      if (n < 7)
        {
          g_assert_cmpfloat (hello (&one)->cgroup_cores, ==, -1);
          g_assert_cmpint (hello (&one)->cgroup_memory_limit, ==, -1);
          g_assert_cmpuint (hello (&one)->accounting, ==, 0);
        }
      supervisor_run_clear (&one);
    }
}

static void
test_usage (SupervisorRun *run, gconstpointer data)
{
  g_autofree char *output = NULL, *errors = NULL;
  const char *argv[] = { g_getenv ("ROAST_SUPERVISOR"), "--help", NULL };
  int status;

  if (argv[0] == NULL)
    argv[0] = ROAST_LIBEXEC_DIR "/roast-supervisor";
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, &errors, &status,
                               NULL));
  g_assert_cmpint (WEXITSTATUS (status), ==, 125);
  g_assert_cmpstr (output, ==, "");
  g_assert_nonnull (strstr (errors, "roast-run(1)"));
}

/* ---- stops ---- */

static const RoastWireStopped *
stopped (SupervisorRun *run, guint n, int signum, gboolean stopped)
{
  const RoastWireStopped *frame = supervisor_run_frame (run, ROAST_WIRE_STOPPED, n);

  g_assert_cmpint (frame->signal, ==, signum);
  g_assert_cmpint (frame->stopped, ==, stopped);

  return frame;
}

static void
test_stops (SupervisorRun *run, gconstpointer data)
{
  const RoastWireTreeEnd *tree;
  gint64 first, second;
  pid_t program;

  supervisor_run_start (run, WORDS (RARELY, PLAIN, "--", "cat", NULL));
  program = launched (run);
  supervisor_run_stop (program);
  first = stopped (run, 0, SIGSTOP, TRUE)->time;
  supervisor_run_continue (program);
  first = stopped (run, 1, SIGCONT, FALSE)->time - first;
  supervisor_run_stop (program);
  second = stopped (run, 2, SIGSTOP, TRUE)->time;
  /* It ends while it is stopped. */
  g_assert_cmpint (kill (program, SIGKILL), ==, 0);
  tree = finished (run);
  second = main_ended (run)->time - second;
  g_assert_cmpint (first, >, 0);
  g_assert_cmpint (second, >, 0);
  g_assert_cmpint (tree->stopped, ==, first + second);
}

/* The supervisor itself is stopped, and misses some of the program's states. */
static void
test_missed_stops (SupervisorRun *run, gconstpointer data)
{
  const RoastWireTreeEnd *tree;
  gint64 began, ended;
  pid_t program;

  supervisor_run_start (run, WORDS (RARELY, PLAIN, "--", "cat", NULL));
  program = launched (run);

  /* It does not know of the stop. */
  supervisor_run_stop (run->pid);
  supervisor_run_stop (program);
  supervisor_run_continue (program);
  supervisor_run_continue (run->pid);
  stopped (run, 0, SIGCONT, FALSE);

  /* It does not know that it went on. */
  supervisor_run_stop (program);
  began = stopped (run, 1, SIGSTOP, TRUE)->time;
  supervisor_run_stop (run->pid);
  supervisor_run_continue (program);
  supervisor_run_stop (program);
  supervisor_run_continue (run->pid);
  stopped (run, 2, SIGSTOP, TRUE);
  supervisor_run_continue (program);
  ended = stopped (run, 3, SIGCONT, FALSE)->time;

  supervisor_run_end_input (run);
  tree = finished (run);
  g_assert_cmpint (tree->stopped, ==, ended - began);
}

/* Stops of other processes are seen in samples only. */
static void
test_stopped_child (SupervisorRun *run, gconstpointer data)
{
  const RoastWireProcess *child;
  pid_t pid;

  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--wait=tree", PLAY ("orphan")));
  child = supervisor_run_frame (run, ROAST_WIRE_PROCESS, 1);
  pid = child->pid;
  main_ended (run);
  supervisor_run_stop (pid);
  supervisor_run_frame (run, ROAST_WIRE_TICK, supervisor_run_count (run, ROAST_WIRE_TICK) + 3);
  supervisor_run_continue (pid);
  supervisor_run_end_input (run);
  g_assert_cmpint (finished (run)->stopped, >, 0);
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_STOPPED), ==, 0);
}

/* ---- signals ---- */

static void
test_order (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--", "cat", NULL));
  launched (run);
  supervisor_run_send_signal (run, SIGTERM);
  finished (run);
  g_assert_cmpint (main_ended (run)->wait_status, ==, SIGTERM);
}

/* What is not a signal is not sent. A signal that comes to the supervisor is not handed on while the library lives,
 * which orders it, nor twice. */
static void
test_order_signals (SupervisorRun *run, gconstpointer data)
{
  static const int absurd[] = { -1, 0, 1000, G_MAXINT, G_MININT, NSIG };

  supervisor_run_start (run, WORDS (OFTEN, PLAIN, PLAY ("signals")));
  wait_until_ready (run);
  for (guint i = 0; i < G_N_ELEMENTS (absurd); i++)
    supervisor_run_send_signal (run, absurd[i]);
  g_assert_cmpint (kill (run->pid, SIGINT), ==, 0);
  supervisor_run_send_signal (run, SIGUSR1);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGUSR1);

  supervisor_run_stop (run->pid);
  supervisor_run_send_signal (run, SIGTERM);
  g_assert_cmpint (kill (run->pid, SIGTERM), ==, 0);
  supervisor_run_send_signal (run, SIGUSR2);
  supervisor_run_continue (run->pid);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGUSR2);

  supervisor_run_end_input (run);
  finished (run);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, -1);
  g_assert_cmpint (main_ended (run)->wait_status, ==, 0);
}

/* Without the library the supervisor hands signals on itself, and stays until the program has ended. */
static void
test_left (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, PLAY ("signals")));
  wait_until_ready (run);
  supervisor_run_leave (run);
  supervisor_run_wait_for_state (run->pid, 'S');
  g_assert_cmpint (kill (run->pid, SIGCHLD), ==, 0);
  g_assert_cmpint (kill (run->pid, SIGTERM), ==, 0);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGTERM);
  g_assert_cmpint (kill (run->pid, SIGHUP), ==, 0);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGHUP);
  supervisor_run_end_input (run);
  g_assert_cmpint (supervisor_run_wait (run), ==, 0);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, -1);
}

/* The program has the signals of its terminal already. */
static void
test_terminal (SupervisorRun *run, gconstpointer data)
{
  run->on_terminal = TRUE;
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, PLAY ("signals")));
  wait_until_ready (run);
  supervisor_run_leave (run);
  g_assert_cmpint (write (run->terminal, "\003", 1), ==, 1);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGINT);
  g_assert_cmpint (kill (run->pid, SIGUSR1), ==, 0);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGUSR1);
  supervisor_run_end_input (run);
  g_assert_cmpint (supervisor_run_wait (run), ==, 0);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, -1);
}

static void
test_detach (SupervisorRun *run, gconstpointer data)
{
  const RoastWireProcessEnd *row;
  const RoastWireTreeEnd *tree;
  guint ticks;

  supervisor_run_start (run, WORDS (RARELY, PLAIN, PLAY ("signals")));
  wait_until_ready (run);
  supervisor_run_frame (run, ROAST_WIRE_TICK, 3);
  ticks = supervisor_run_count (run, ROAST_WIRE_TICK);
  supervisor_run_order (run, ROAST_WIRE_DETACH, NULL, 0);
  tree = supervisor_run_frame (run, ROAST_WIRE_FINISHED, 0);
  row = supervisor_run_frame (run, ROAST_WIRE_ENDED, 0);
  /* The last moment is not after the last sample. */
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_TICK), >, ticks);
  g_assert_cmpint (tree->ticks, ==, supervisor_run_count (run, ROAST_WIRE_TICK));
  g_assert_cmpint (tree->leftover, ==, 1);
  g_assert_cmpint (tree->main_ended, ==, -1);
  g_assert_cmpint (tree->elapsed, ==, tree->ended - hello (run)->started);
  g_assert_cmpint (row->origin, ==, ROAST_PROCESS_ORIGIN_RUNNING);

  /* It stays as the parent of the program. */
  g_assert_cmpint (kill (run->pid, SIGUSR2), ==, 0);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, SIGUSR2);
  supervisor_run_stop (launched (run));
  supervisor_run_continue (launched (run));
  supervisor_run_end_input (run);
  finished (run);
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_STOPPED), ==, 0);
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_MAIN_ENDED), ==, 0);
}

/* ---- what the program leaves behind ---- */

static void
assert_statuses (SupervisorRun *run)
{
  const RoastWireProcessEnd *first = supervisor_run_frame (run, ROAST_WIRE_ENDED, 0);
  const RoastWireProcessEnd *second = supervisor_run_frame (run, ROAST_WIRE_ENDED, 1);

  g_assert_cmpuint (first->id, ==, 1);
  g_assert_cmpint (WEXITSTATUS (first->wait_status), ==, 5);
  g_assert_cmpint (second->origin, ==, ROAST_PROCESS_ORIGIN_EXACT);
  g_assert_cmpint (WEXITSTATUS (second->wait_status), ==, 6);
}

/* It waits for the orphan, and samples it meanwhile. */
static void
follow_orphan (SupervisorRun *run)
{
  const RoastWireTreeEnd *tree;
  guint ticks;

  main_ended (run);
  ticks = supervisor_run_count (run, ROAST_WIRE_TICK);
  supervisor_run_frame (run, ROAST_WIRE_TICK, ticks + 3);
  supervisor_run_end_input (run);
  tree = finished (run);
  g_assert_cmpint (WEXITSTATUS (main_ended (run)->wait_status), ==, 5);
  g_assert_cmpint (tree->leftover, ==, 0);
  g_assert_cmpint (tree->processes, ==, 2);
  g_assert_cmpint (tree->elapsed, ==, main_ended (run)->time - hello (run)->started);
  g_assert_cmpint (tree->main_ended, ==, main_ended (run)->time);
  g_assert_cmpint (tree->ended, >, tree->main_ended);
  assert_statuses (run);
}

static void
test_wait_tree (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--wait=tree", "--grace=0", PLAY ("orphan")));
  follow_orphan (run);
}

/* The CPU time at the end of the main process counts a process once, whose sample is older than its end. */
static void
test_main_cpu (SupervisorRun *run, gconstpointer data)
{
  const RoastWireTreeEnd *tree;

  supervisor_run_start (run, WORDS (RARELY, PLAIN, "--wait=tree", PLAY ("server")));
  main_ended (run);
  supervisor_run_end_input (run);
  tree = finished (run);
  g_assert_cmpint (tree->main_cpu, >=, 350000);
  g_assert_cmpint (tree->main_cpu, <=, tree->wait_cpu + 30000);
}

static void
test_long_grace (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--wait=main", "--grace=1000000000", PLAY ("orphan")));
  follow_orphan (run);
}

/* The grace ends although no sample is due. */
static void
test_grace (SupervisorRun *run, gconstpointer data)
{
  const RoastWireTreeEnd *tree;

  supervisor_run_start (run, WORDS (RARELY, PLAIN, "--grace=700000", PLAY ("orphan")));
  tree = finished (run);
  g_assert_cmpint (tree->leftover, ==, 1);
  g_assert_cmpint (tree->ended - tree->main_ended, >=, 700000);
}

/* ---- the loop ---- */

/* Frames that do not fit into the socket follow as soon as they do. */
static void
test_narrow (SupervisorRun *run, gconstpointer data)
{
  g_autofree char *argument = g_strnfill (4000, 'x');

  run->buffer = 1;
  supervisor_run_start (run, WORDS (RARELY, PLAIN, "--", myself, "--play", "family", argument, NULL));
  supervisor_run_frame (run, ROAST_WIRE_PROCESS, 12);
  supervisor_run_end_input (run);
  g_assert_cmpint (finished (run)->dropped, ==, 0);
}

/* It does nothing while there is nothing to do. */
static void
test_idle (SupervisorRun *run, gconstpointer data)
{
  supervisor_run_start (run, WORDS (RARELY, PLAIN, "--", "cat", NULL));
  supervisor_run_frame (run, ROAST_WIRE_TICK, 2);
  supervisor_run_wait_for_state (run->pid, 'S');
  supervisor_run_end_input (run);
  finished (run);
}

static void
test_missed_samples (SupervisorRun *run, gconstpointer data)
{
  const RoastWireTreeEnd *tree;
  gint64 time;
  guint ticks;

  supervisor_run_start (run, WORDS (OFTEN, PLAIN, "--", "cat", NULL));
  supervisor_run_frame (run, ROAST_WIRE_TICK, 2);
  supervisor_run_stop (run->pid);
  g_usleep (100000);
  supervisor_run_continue (run->pid);
  ticks = supervisor_run_count (run, ROAST_WIRE_TICK);
  supervisor_run_frame (run, ROAST_WIRE_TICK, ticks + 1);
  supervisor_run_end_input (run);
  tree = finished (run);
  /* The first one is due within 10 ms, and the last one is taken. */
  g_assert_cmpint (tree->missed, >=, 9);
  g_assert_cmpint (tree->ticks, ==, supervisor_run_count (run, ROAST_WIRE_TICK));
  time = ((const RoastWireTick *) supervisor_run_frame (run, ROAST_WIRE_TICK, (guint) tree->ticks - 1))->time;
  g_assert_cmpint (tree->ticks + tree->missed, <=, (time - hello (run)->started) / 10000);
}

static const char *
accounting_note (SupervisorRun *run, gsize *length)
{
  const RoastWireNote *note = supervisor_run_frame (run, ROAST_WIRE_NOTE, 0);

  g_assert_cmpstr (note->kind, ==, "accounting");
  g_assert_cmpint (note->severity, ==, 0);
  g_assert_cmpint (note->time, >=, hello (run)->started);
  *length = ((const RoastWireHeader *) note)[-1].length - sizeof *note;

  return (const char *) (note + 1);
}

/* ---- attached processes ---- */

static pid_t
attach (SupervisorRun *run, const char *interval, const char *part)
{
  pid_t target = supervisor_run_start_target (run, WORDS (myself, "--play", part, NULL));
  g_autofree char *word = g_strdup_printf ("--attach=%d", target);

  wait_until_ready (run);
  supervisor_run_start (run, WORDS (interval, PLAIN, word, NULL));
  g_assert_cmpint (launched (run), ==, target);

  return target;
}

static void
assert_ends_well (SupervisorRun *run, pid_t target)
{
  int status;

  supervisor_run_end_input (run);
  g_assert_cmpint (waitpid (target, &status, 0), ==, target);
  g_assert_cmpint (status, ==, 0);
}

/* What it used after its last sample counts, since it is a zombie; what it used before does not. */
static void
test_attach (SupervisorRun *run, gconstpointer data)
{
  pid_t target = attach (run, RARELY, "burn");
  const RoastWireProcessEnd *row;
  const RoastWireTreeEnd *tree;

  supervisor_run_frame (run, ROAST_WIRE_TICK, 3);
  g_assert_cmpint (write (run->in, "x", 1), ==, 1);
  tree = finished (run);
  row = supervisor_run_frame (run, ROAST_WIRE_ENDED, 0);
  g_assert_cmpint (main_ended (run)->status_known, ==, 0);
  g_assert_cmpint (main_ended (run)->wait_status, ==, 0);
  g_assert_cmpint (tree->main_ended, ==, main_ended (run)->time);
  g_assert_cmpint (tree->elapsed, ==, tree->main_ended - hello (run)->started);
  g_assert_cmpint (tree->oom_kills, ==, -1);
  /* User and system time end with a whole tick each. */
  g_assert_cmpint (row->usage.user + row->usage.system, >=, 60000 - 2 * G_USEC_PER_SEC / sysconf (_SC_CLK_TCK));
  if (asks_for_closeness ())
    g_assert_cmpint (row->usage.user + row->usage.system, <, 200000);
  g_assert_cmpint (row->usage.write_chars, ==, 5000);
  g_assert_cmpint (waitpid (target, NULL, 0), ==, target);
}

/* It is neither the supervisor's child nor the library's to send signals to. */
static void
test_attach_detach (SupervisorRun *run, gconstpointer data)
{
  pid_t target = attach (run, OFTEN, "signals");
  gsize length;

  supervisor_run_send_signal (run, SIGTERM);
  supervisor_run_order (run, ROAST_WIRE_DETACH, NULL, 0);
  g_assert_cmpint (finished (run)->leftover, ==, 1);
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_MAIN_ENDED), ==, 0);
  g_assert_cmpuint (hello (run)->accounting & (ROAST_ACCOUNTING_WAIT | ROAST_ACCOUNTING_PERF), ==, 0);
  g_assert_true (g_str_has_prefix (accounting_note (run, &length), "attached: processes are sampled every 0.01 s; "));
  assert_ends_well (run, target);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, -1);
}

static void
test_attach_left (SupervisorRun *run, gconstpointer data)
{
  pid_t target = attach (run, OFTEN, "signals");

  supervisor_run_leave (run);
  g_assert_cmpint (supervisor_run_wait (run), ==, 0);
  assert_ends_well (run, target);
  g_assert_cmpint (supervisor_run_read_byte (run), ==, -1);
}

static void
test_attach_nobody (SupervisorRun *run, gconstpointer data)
{
  pid_t gone = supervisor_run_start_target (run, WORDS ("/bin/true", NULL));
  g_autofree char *word = g_strdup_printf ("--attach=%d", gone);

  g_assert_cmpint (waitpid (gone, NULL, 0), ==, gone);
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, word, NULL));
  assert_failed (run, ROAST_WIRE_STAGE_ATTACH, ESRCH);
}

static void
test_attach_denied (SupervisorRun *run, gconstpointer data)
{
  g_autofree char *word = g_strdup_printf ("--attach=%d", getpid ());
  int status;

  if (geteuid () != 0)
    {
      g_test_skip ("needs root, to become nobody");
      return;
    }
  run->uid = 65534;
  supervisor_run_start (run, WORDS (OFTEN, PLAIN, word, NULL));
  status = supervisor_run_wait (run);
  if (WEXITSTATUS (status) == 77)
    g_test_skip ("nobody cannot execute the supervisor here");
  else
    assert_failure (run, status, ROAST_WIRE_STAGE_ATTACH, EPERM);
}

/* ---- accounting ---- */

/* Which mechanisms there are depends on the machine: the text agrees with the flags. */
static void
assert_mechanism (const char *mask)
{
  SupervisorRun run = SUPERVISOR_RUN_INIT;
  g_autofree char *word = g_strconcat ("--accounting=", mask, NULL);
  g_autofree char *text = NULL;
  const RoastWireTreeEnd *tree;
  const char *note, *expected;
  guint32 accounting;
  gsize length;

  supervisor_run_start (&run, WORDS (OFTEN, word, "--", "sh", "-c", "/bin/true; exit 0", NULL));
  tree = finished (&run);
  accounting = hello (&run)->accounting;
  note = accounting_note (&run, &length);
  text = g_strndup (note, length);
  g_test_message ("%s", text);
  g_assert_true (accounting & ROAST_ACCOUNTING_WAIT);
  if (accounting & ROAST_ACCOUNTING_PERF)
    expected = "perf events for the other processes";
  else if (accounting & ROAST_ACCOUNTING_CGROUP)
    expected = "a control group for the other processes";
  else
    expected = "only up to its last sample";
  g_assert_nonnull (strstr (text, expected));
  if (!(strtoul (mask, NULL, 0) & ROAST_ACCOUNTING_PERF))
    g_assert_cmpuint (accounting & ROAST_ACCOUNTING_PERF, ==, 0);
  if (!(strtoul (mask, NULL, 0) & ROAST_ACCOUNTING_CGROUP))
    g_assert_cmpuint (accounting & ROAST_ACCOUNTING_CGROUP, ==, 0);
  /* Interrupts, or the hypervisor, may have taken as much as the little that this program computes. */
  g_assert_true ((accounting & ROAST_ACCOUNTING_PERF) ? tree->perf_cpu >= 0 : tree->perf_cpu == -1);
  g_assert_true ((accounting & ROAST_ACCOUNTING_CGROUP) ? tree->cgroup_cpu > 0 : tree->cgroup_cpu == -1);
  supervisor_run_clear (&run);
}

/* CPU time that nobody waited for has a row where a mechanism has it: by perf with a name, by a control group as a
 * child of the program. */
static void
assert_unreaped (const char *mask)
{
  SupervisorRun run = SUPERVISOR_RUN_INIT;
  gboolean is_unknown = FALSE;
  gint64 found = 0;
  guint n;

  supervisor_run_start (&run, WORDS (RARELY, "--pss=off", mask, PLAY ("ignoring")));
  finished (&run);
  n = supervisor_run_count (&run, ROAST_WIRE_ENDED);
  for (guint i = 0; i < n; i++)
    {
      const RoastWireProcessEnd *row = supervisor_run_frame (&run, ROAST_WIRE_ENDED, i);

      if (row->origin == ROAST_PROCESS_ORIGIN_UNREAPED && row->id == 0)
        {
          g_assert_cmpuint (row->parent_id, ==, (hello (&run)->accounting & ROAST_ACCOUNTING_PERF) ? 0 : 1);
          if (row->usage.unsplit < 0)
            is_unknown = TRUE;
          else
            found += row->usage.unsplit;
        }
    }
  g_assert_cmpint (WEXITSTATUS (main_ended (&run)->wait_status), ==, 0);
  /* On a busy machine perf may lose records: then the time is unknown. */
  if (hello (&run)->accounting & (ROAST_ACCOUNTING_PERF | ROAST_ACCOUNTING_CGROUP))
    g_assert_true (found > 0 || is_unknown);
  else
    g_assert_cmpint (found, ==, 0);
  supervisor_run_clear (&run);
}

static void
test_unreaped (SupervisorRun *run, gconstpointer data)
{
  assert_unreaped ("--accounting=0");
  assert_unreaped ("--accounting=4");
  assert_unreaped ("--accounting=8");
}

static void
test_mechanisms (SupervisorRun *run, gconstpointer data)
{
  assert_mechanism ("0");
  assert_mechanism ("4");
  assert_mechanism ("8");
  assert_mechanism ("12");
}

/* A program that does little else than start threads loses its records, with one note. */
static void
test_storm (SupervisorRun *run, gconstpointer data)
{
  const RoastWireTreeEnd *tree;
  const RoastWireNote *note;

  supervisor_run_start (run, WORDS (OFTEN, "--pss=off", "--accounting=4", PLAY ("storm")));
  tree = finished (run);
  if (!(hello (run)->accounting & ROAST_ACCOUNTING_PERF))
    {
      g_test_skip ("no perf events here");
      return;
    }
  if (tree->perf_closed < 0)
    {
      /* On a machine where a start is this dear or this slow, its records cost little beside it. */
      g_assert_cmpint (tree->perf_clones, >=, STARTS);
      g_assert_true (tree->wait_cpu > (gint64) DEAR_START * STARTS || tree->elapsed > (gint64) SLOW_START * STARTS);
      return;
    }
  g_assert_cmpuint (supervisor_run_count (run, ROAST_WIRE_NOTE), ==, 3);
  note = supervisor_run_frame (run, ROAST_WIRE_NOTE, 2);
  g_assert_cmpstr (note->kind, ==, "unseen-threads");
  note = supervisor_run_frame (run, ROAST_WIRE_NOTE, 1);
  g_assert_cmpstr (note->kind, ==, "commands");
  g_assert_cmpint (note->severity, ==, 1);
  g_assert_cmpint (tree->perf_closed, >, hello (run)->started);
  g_assert_cmpint (tree->perf_closed, <=, note->time);
  g_assert_cmpint (tree->processes_exact, ==, 0);
}

#define ADD(name, function) g_test_add ("/supervisor/" name, SupervisorRun, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  if (argc > 2 && strcmp (argv[1], "--play") == 0)
    /* At once: the search for leaks of a sanitizer would be a process more. */
    _exit (play (argv[2]));

  g_test_init (&argc, &argv, NULL);
  myself = g_file_read_link ("/proc/self/exe", NULL);
  signal (SIGPIPE, SIG_IGN);
  ADD ("exit", test_exit);
  ADD ("memory", test_memory);
  ADD ("killed", test_killed);
  ADD ("no-input", test_no_input);
  ADD ("one-core", test_one_core);
  ADD ("not-found", test_not_found);
  ADD ("not-executable", test_not_executable);
  ADD ("descriptors", test_descriptors);
  ADD ("usage", test_usage);
  ADD ("stops", test_stops);
  ADD ("missed-stops", test_missed_stops);
  ADD ("stopped-child", test_stopped_child);
  ADD ("order", test_order);
  ADD ("order-signals", test_order_signals);
  ADD ("left", test_left);
  ADD ("terminal", test_terminal);
  ADD ("detach", test_detach);
  ADD ("wait-tree", test_wait_tree);
  ADD ("main-cpu", test_main_cpu);
  ADD ("long-grace", test_long_grace);
  ADD ("grace", test_grace);
  ADD ("narrow", test_narrow);
  ADD ("idle", test_idle);
  ADD ("missed-samples", test_missed_samples);
  ADD ("attach", test_attach);
  ADD ("attach-detach", test_attach_detach);
  ADD ("attach-left", test_attach_left);
  ADD ("attach-nobody", test_attach_nobody);
  ADD ("attach-denied", test_attach_denied);
  ADD ("mechanisms", test_mechanisms);
  ADD ("unreaped", test_unreaped);
  ADD ("storm", test_storm);

  return g_test_run ();
}
