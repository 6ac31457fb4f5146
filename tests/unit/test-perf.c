/* SPDX-License-Identifier: BSD-3-Clause */

/* Perf events of real processes. Where the kernel or the site does not allow them, the reason is tested. */

#include <errno.h>
#include <glib.h>
#include <grp.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "closeness.h"
#include "perf-ring.h"
#include "perf.h"
#include "sanitized.h"

#define NOBODY 65534
#define MS 1000000 /* ns */
/* What perf counts of ms of CPU time: its clock starts some µs after the clock of CPU time at each switch to a process,
 * so that a process that was interrupted ten times lacks some ten µs. */
#define COUNTED(ms) ((ms) * MS / 100 * 95)

/* The events of one pid. */
typedef struct
{
  gboolean forked, exited;
  gint64 cpu; /* ns */
  int ppid;   /* at its exit */
  char name[16];
} Fate;

typedef struct
{
  Perf *perf;
  pid_t child;
  int go; /* lets the child begin, and go on */
  int told;
  GHashTable *fates;
  gboolean overflows; /* any record may be missing */
  guint forks;
  guint64 lost;
  gint64 cpu; /* ns, of all records */
  struct rusage usage;
} Follow;

static gint64
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);

  return (gint64) t.tv_sec * 1000 * MS + t.tv_nsec;
}

static void
burn (int ms)
{
  gint64 end = cpu_ns () + (gint64) ms * MS;

  while (cpu_ns () < end)
    ;
}

static Fate *
fate_of (Follow *self, int pid)
{
  Fate *fate = g_hash_table_lookup (self->fates, GINT_TO_POINTER (pid));

  if (fate == NULL)
    {
      fate = g_new0 (Fate, 1);
      g_hash_table_insert (self->fates, GINT_TO_POINTER (pid), fate);
    }

  return fate;
}

static void
on_forked (void *data, int32_t pid, int32_t ppid)
{
  Follow *self = data;
  Fate *fate = fate_of (self, pid);

  /* Unless the pid is reused. */
  if (!self->overflows)
    g_assert_true (fate->exited == fate->forked);
  fate->exited = FALSE;
  fate->forked = TRUE;
  self->forks++;
}

static void
on_exited (void *data, int32_t pid, int32_t tid, int32_t ppid)
{
  Follow *self = data;
  Fate *fate = fate_of (self, pid);

  if (!self->overflows)
    g_assert_true (fate->forked || pid == self->child);
  fate->exited = TRUE;
  fate->ppid = ppid;
}

static void
on_cpu (void *data, int32_t pid, int32_t tid, int64_t ns)
{
  Follow *self = data;
  Fate *fate = fate_of (self, pid);

  /* It comes after the exit: by then the parent is known. */
  if (!self->overflows)
    g_assert_true (fate->exited);
  g_assert_cmpint (ns, >=, 0);
  fate->cpu += ns;
  self->cpu += ns;
}

static void
on_lost (void *data, uint64_t records)
{
  ((Follow *) data)->lost += records;
}

static void
on_named (void *data, int32_t pid, const char *name)
{
  Follow *self = data;
  Fate *fate = fate_of (self, pid);

  if (!self->overflows)
    g_assert_true (fate->forked || pid == self->child);
  g_strlcpy (fate->name, name, sizeof fate->name);
}

static void
drain (Follow *self)
{
  static const PerfHandler handler = { on_forked, on_exited, on_cpu, on_lost, on_named };

  perf_drain (self->perf, &handler, self);
}

static void
pass (int fd)
{
  g_assert_cmpint (write (fd, "x", 1), ==, 1);
}

static void
await (int fd)
{
  char byte;

  if (read (fd, &byte, 1) != 1)
    _exit (99);
}

/* Whether the kernel allows an event like those of which there is one for each core. */
static gboolean
is_allowed (void)
{
  struct perf_event_attr attr = {
    .size = sizeof attr,
    .type = PERF_TYPE_SOFTWARE,
    .config = PERF_COUNT_SW_DUMMY,
    .inherit = 1,
    .task = 1,
    .exclude_kernel = 1,
    .exclude_hv = 1,
  };
  int fd = (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

  if (fd >= 0)
    close (fd);

  return fd >= 0;
}

/* FALSE (and the test is skipped) where perf is not available. */
static gboolean
follow_start (Follow *self, void (*work) (int go, int told))
{
  const char *why = NULL;
  int go[2], told[2];

  memset (self, 0, sizeof *self);
  g_assert_cmpint (pipe (go), ==, 0);
  g_assert_cmpint (pipe (told), ==, 0);
  self->child = fork ();
  g_assert_cmpint (self->child, >=, 0);
  if (self->child == 0)
    {
      close (go[1]);
      close (told[0]);
      await (go[0]);
      work (go[0], told[1]);
      _exit (0);
    }
  close (go[0]);
  close (told[1]);
  self->go = go[1];
  self->told = told[0];
  self->perf = perf_open (self->child, &why);
  if (self->perf == NULL)
    {
      g_assert_nonnull (why);
      /* As root nothing else can be in the way. */
      g_assert_false (geteuid () == 0 && is_allowed ());
      close (self->go);
      close (self->told);
      g_assert_cmpint (waitpid (self->child, NULL, 0), ==, self->child);
      g_test_skip (why);
      return FALSE;
    }
  self->fates = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  pass (self->go);

  return TRUE;
}

static void
follow_end (Follow *self)
{
  int status;

  g_assert_cmpint (wait4 (self->child, &status, 0, &self->usage), ==, self->child);
  g_assert_cmpint (status, ==, 0);
  drain (self);
}

static gint64
sum_us (const struct rusage *usage)
{
  return (gint64) (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 + usage->ru_utime.tv_usec +
         usage->ru_stime.tv_usec;
}

static gint64
usage_us (const Follow *self)
{
  return sum_us (&self->usage);
}

static gint64
children_us (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);

  return sum_us (&usage);
}

static void
follow_clear (Follow *self)
{
  perf_close (self->perf);
  g_hash_table_unref (self->fates);
  close (self->go);
  close (self->told);
}

static void
fork_one (int ms)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      burn (ms);
      _exit (0);
    }
  if (pid < 0)
    _exit (98);
}

/* No local variable lives across vfork () here: the compiler may not know that it keeps its value. */
static void
vfork_one (void)
{
  pid_t pid = vfork ();

  if (pid == 0)
    _exit (0);
  waitpid (pid, NULL, 0);
}

#define SHORT_PROCESSES 40
#define STEP 20000 /* ns of CPU time between two looks at the clock: more than a process that runs needs */

/* What a process saw of its own CPU time: not what passed at once, while it did not run. The kernel charges a process
 * from the moment when it decides to switch to it, and the clocks of perf start later. What a hypervisor or an
 * interrupt does in between is in the one and not in the other: usually some us, 0.15 ms in one of 16,000 processes and
 * 1.4 ms in one of 3,000 others, always no more than what passed in such gaps. */
typedef struct
{
  pid_t pid;
  gint64 ns;
} Seen;

static Seen *seen; /* shared by all processes */

static void
burn_and_look (Seen *self, int ms)
{
  gint64 last = cpu_ns ();
  gint64 end = last + (gint64) ms * MS;

  self->pid = getpid ();
  while (last < end)
    {
      gint64 now = cpu_ns ();

      if (now - last <= STEP)
        self->ns += now - last;
      last = now;
    }
}

static void
work_forks (int go, int told)
{
  for (int i = 0; i < SHORT_PROCESSES; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        {
          burn_and_look (&seen[i], 2);
          _exit (0);
        }
      if (pid < 0)
        _exit (98);
      if (i % 2 != 0)
        while (wait (NULL) > 0)
          ;
    }
}

/* Each of 40 short processes is reported with all CPU time that it saw itself, in order. */
static void
test_forks (void)
{
  Follow self;
  GHashTableIter iter;
  gpointer key, value;
  gint64 sum = 0;

  seen = mmap (NULL, SHORT_PROCESSES * sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (seen != MAP_FAILED);
  if (!follow_start (&self, work_forks))
    return;
  follow_end (&self);

  g_assert_cmpuint (self.forks, ==, SHORT_PROCESSES);
  g_assert_cmpuint (self.lost, ==, 0);
  g_assert_cmpuint (g_hash_table_size (self.fates), ==, SHORT_PROCESSES + 1);
  g_hash_table_iter_init (&iter, self.fates);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const Fate *fate = value;

      g_assert_true (fate->exited);
      if (GPOINTER_TO_INT (key) == self.child)
        g_assert_cmpint (fate->ppid, ==, getpid ());
      else
        g_assert_cmpint (fate->ppid, ==, self.child);
    }
  for (guint i = 0; i < SHORT_PROCESSES; i++)
    {
      g_assert_cmpint (fate_of (&self, seen[i].pid)->cpu, >=, seen[i].ns / 100 * 98);
      sum += seen[i].ns;
    }
  /* Most of it was seen: none of these comparisons is about nothing. */
  g_assert_cmpint (sum, >=, SHORT_PROCESSES * MS);
  g_test_message ("perf %" G_GINT64_FORMAT " us, records %" G_GINT64_FORMAT " us, rusage %" G_GINT64_FORMAT " us",
                  perf_total_us (self.perf), self.cpu / 1000, usage_us (&self));
  g_assert_cmpint (perf_total_us (self.perf), >=, COUNTED (80) / 1000);
  g_assert_cmpint (perf_total_us (self.perf), >=, self.cpu / 1000);
  munmap (seen, SHORT_PROCESSES * sizeof *seen);
  follow_clear (&self);
}

static void
work_ignoring (int go, int told)
{
  signal (SIGCHLD, SIG_IGN);
  for (int i = 0; i < 20; i++)
    {
      fork_one (5);
      while (wait (NULL) > 0)
        ;
    }
}

/* Only perf counts processes that nobody waits for. */
static void
test_ignoring (void)
{
  Follow self;

  if (!follow_start (&self, work_ignoring))
    return;
  follow_end (&self);
  g_assert_cmpuint (self.forks, ==, 20);
  g_assert_cmpint (self.cpu, >=, COUNTED (100));
  g_assert_cmpint (perf_total_us (self.perf), >=, COUNTED (100) / 1000);
  if (g_getenv ("ROAST_UNDER_VALGRIND") == NULL)
    {
      g_assert_cmpint (usage_us (&self), <, perf_total_us (self.perf));
      if (asks_for_closeness ())
        g_assert_cmpint (usage_us (&self), <, 50000);
    }
  follow_clear (&self);
}

static void *
burn_in_thread (void *data)
{
  burn (20);

  return NULL;
}

static void
work_threads (int go, int told)
{
  pthread_t threads[3];

  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, burn_in_thread, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
}

static void
test_threads (void)
{
  Follow self;

  if (!follow_start (&self, work_threads))
    return;
  follow_end (&self);
  g_assert_cmpuint (self.forks, ==, 0);
  g_assert_cmpuint (g_hash_table_size (self.fates), ==, 1);
  g_assert_cmpint (self.cpu, >=, COUNTED (20));
  follow_clear (&self);
}

static void *
exec_in_thread (void *data)
{
  execl ("/bin/true", "true", (char *) NULL);
  _exit (97);
}

static void
work_exec (int go, int told)
{
  pthread_t thread;

  if (fork () == 0)
    {
      burn (5);
      pthread_create (&thread, NULL, exec_in_thread, NULL);
      pthread_join (thread, NULL);
    }
  wait (NULL);
}

/* A thread that execs takes its process over: it stays one process, and no CPU time is lost. */
static void
test_exec (void)
{
  Follow self;

  if (!follow_start (&self, work_exec))
    return;
  follow_end (&self);
  g_assert_cmpuint (self.forks, ==, 1);
  g_assert_cmpint (self.cpu, >=, COUNTED (5));
  follow_clear (&self);
}

static void
work_orphan (int go, int told)
{
  if (fork () == 0)
    {
      if (fork () == 0)
        {
          burn (3);
          await (go);
          _exit (0);
        }
      _exit (0);
    }
  wait (NULL);
}

static void
test_orphan (void)
{
  Follow self;
  GHashTableIter iter;
  gpointer value;
  guint orphans = 0;

  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 1), ==, 0);
  if (follow_start (&self, work_orphan))
    {
      follow_end (&self);
      pass (self.go);
      g_assert_cmpint (wait (NULL), >, 0);
      drain (&self);
      g_assert_cmpuint (self.forks, ==, 2);
      g_hash_table_iter_init (&iter, self.fates);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        orphans += ((Fate *) value)->ppid == getpid () && ((Fate *) value)->cpu >= COUNTED (3);
      g_assert_cmpuint (orphans, ==, 1);
      follow_clear (&self);
    }
  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 0), ==, 0);
}

#define PROGRAMS 80 /* the small ring for CPU times has room for them */

static void
work_names (int go, int told)
{
  for (int i = 0; i < PROGRAMS; i++)
    {
      pid_t pid = fork ();

      if (pid == 0 && i % 2 == 0)
        {
          execl ("/bin/true", "true", (char *) NULL);
          _exit (97);
        }
      if (pid == 0)
        {
          prctl (PR_SET_NAME, "a longer name than the kernel keeps");
          _exit (0);
        }
      if (i % 8 == 7)
        while (wait (NULL) > 0)
          ;
    }
  while (wait (NULL) > 0)
    ;
}

/* Each short process has its fork, its name and its CPU time. */
static void
test_names (void)
{
  Follow self;
  GHashTableIter iter;
  gpointer value;
  guint programs = 0;
  guint named = 0;

  if (!follow_start (&self, work_names))
    return;
  follow_end (&self);
  g_assert_cmpuint (self.forks, ==, PROGRAMS);
  g_assert_cmpuint (self.lost, ==, 0);
  g_hash_table_iter_init (&iter, self.fates);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Fate *fate = value;

      programs += fate->forked && fate->exited && fate->cpu > 0 && g_str_equal (fate->name, "true");
      named += fate->forked && fate->exited && fate->cpu > 0 && g_str_equal (fate->name, "a longer name t");
    }
  g_assert_cmpuint (programs, ==, PROGRAMS / 2);
  g_assert_cmpuint (named, ==, PROGRAMS / 2);
  g_assert_cmpuint (perf_clones (self.perf), ==, PROGRAMS);
  follow_clear (&self);
}

/* With sanitizers, forks are too slow to be too many. */
#define MANY_FORKS (SANITIZED ? 20000 : 200000)

/* At least so much CPU time of a fork is not little beside what its records cost, us: LARGEST_COST, for one ring. */
#define DEAR_FORK 30

/* A program that does little else than fork is not burdened for long; its CPU time is known all the same. */
static void
work_forks_only (int go, int told)
{
  gint64 start = g_get_monotonic_time ();
  struct pollfd closed = { go, POLLIN, 0 };
  int n = 0;

  /* On a busy machine it takes longer until the forks of an interval are too many. */
  while (g_get_monotonic_time () < start + 600000 || (poll (&closed, 1, 0) == 0 && n < MANY_FORKS))
    for (int i = 0; i < 100; i++, n++)
      vfork_one ();
}

static void
test_closed (void)
{
  Follow self;
  gboolean passed = FALSE;
  int status;

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL || !follow_start (&self, work_forks_only))
    return;
  self.overflows = TRUE;
  while (wait4 (self.child, &status, WNOHANG, &self.usage) == 0)
    {
      struct pollfd ready = { .fd = perf_fd (self.perf), .events = POLLIN };

      poll (&ready, 1, 10);
      drain (&self);
      if (perf_is_closed (self.perf) && !passed)
        {
          passed = TRUE;
          pass (self.go);
        }
    }
  if (!perf_is_closed (self.perf))
    {
      /* On a machine whose forks are this slow, their records cost little beside them. */
      g_assert_cmpuint (perf_clones (self.perf), >, 0);
      g_assert_cmpint (usage_us (&self), >, DEAR_FORK * (gint64) perf_clones (self.perf));
      follow_clear (&self);
      return;
    }
  g_assert_cmpuint (self.lost, >, 0);
  /* The clock went on. It lacks the last moments of each process, which are most of what such a program uses. */
  g_assert_cmpint (perf_total_us (self.perf), >, 0);
  drain (&self);
  g_assert_cmpuint (perf_clones (self.perf), >=, 500);
  follow_clear (&self);
}

/* The events cost something, and less than a fork and an exec do. On a busy machine a measurement may show nothing:
 * then it says so, and is repeated here. It spends no more than the kernel counts for its helper. */
static void
test_cost (void)
{
  Follow self;
  int64_t cost = -1;

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL || !follow_start (&self, work_ignoring))
    return;
  for (int i = 0; i < 10 && cost < 0; i++)
    {
      gint64 before = children_us ();
      int64_t spent = 0;

      cost = perf_clone_cost (&spent);
      g_assert_cmpint (spent, >, 0);
      g_assert_cmpint (spent, <=, children_us () - before);
    }
  follow_end (&self);
  follow_clear (&self);
  g_assert_cmpint (cost, >, 0);
  if (asks_for_closeness ())
    g_assert_cmpint (cost, <, 1 * MS);
}

static void
work_silent (int go, int told)
{
  for (int i = 0; i < 400; i++)
    {
      fork_one (1);
      wait (NULL);
    }
}

/* Here the ring for CPU times has room for some hundred records, and is not read: the rest follows from the sum. */
static void
test_silent (void)
{
  static const PerfHandler handler = { on_forked, on_exited, on_cpu, on_lost, on_named };
  Follow self;
  gint64 known;

  if (!follow_start (&self, work_silent))
    return;
  g_assert_cmpint (wait4 (self.child, NULL, 0, &self.usage), ==, self.child);
  perf_drain (self.perf, &handler, &self);
  /* Under valgrind a fork costs more than the millisecond that it is to burn. */
  known = self.cpu;
  if (asks_for_closeness () && g_getenv ("ROAST_UNDER_VALGRIND") == NULL)
    g_assert_cmpint (known, <, 300 * MS);
  perf_finish (self.perf, &handler, &self);
  g_assert_cmpuint (self.forks, ==, 400);
  g_assert_cmpuint (self.lost, ==, 0);
  g_assert_cmpint (self.cpu, >, known);
  g_assert_cmpint (self.cpu, >=, COUNTED (400));
  g_assert_cmpint (self.cpu / 1000, <=, perf_total_us (self.perf));
  follow_clear (&self);
}

#define STORM 6000

static void
work_storm (int go, int told)
{
  for (int i = 0; i < STORM; i++)
    vfork_one ();
  pass (told);
  await (go);
  burn (50);
  fork_one (0);
  wait (NULL);
}

/* The ring overflows while it is not read: the loss is reported, and the sum is right. */
static void
test_overflow (void)
{
  Follow self;

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("too slow under valgrind");
      return;
    }
  if (!follow_start (&self, work_storm))
    return;
  self.overflows = TRUE;
  await (self.told);
  drain (&self);
  pass (self.go);
  follow_end (&self);
  g_assert_cmpuint (self.lost, >, 0);
  g_assert_cmpuint (self.forks, <, STORM + 1);
  g_test_message ("%u of %d forks told, %" G_GUINT64_FORMAT " records lost; perf %" G_GINT64_FORMAT
                  " us, rusage %" G_GINT64_FORMAT " us",
                  self.forks, STORM + 1, self.lost, perf_total_us (self.perf), usage_us (&self));
  g_assert_cmpint (perf_total_us (self.perf), >=, 50000);
  follow_clear (&self);
}

/* Fewer than half of a ring's records, beyond which it is ready. */
#define GROUP 10
#define GROUPS 100
#define TICKS 20 /* ms; the kernel may make the descriptor ready only at the processor's next tick */

static void
work_groups (int go, int told)
{
  for (int i = 0; i < GROUPS * GROUP; i++)
    {
      vfork_one ();
      if (i % GROUP != GROUP - 1)
        continue;
      pass (told);
      await (go);
    }
  burn (50);
}

/* If the descriptor is read when it is ready, nothing is lost. The child waits for the reader, which may be late on a
 * busy machine. */
static void
test_wakeups (void)
{
  Follow self;
  guint wakeups = 0;
  pid_t waited;

  if (g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("too slow under valgrind");
      return;
    }
  if (!follow_start (&self, work_groups))
    return;
  for (guint i = 0; i < GROUPS; i++)
    {
      await (self.told);
      if (poll (&(struct pollfd) { perf_fd (self.perf), POLLIN, 0 }, 1, TICKS) == 1)
        {
          drain (&self);
          wakeups++;
        }
      pass (self.go);
    }
  follow_end (&self);
  g_assert_cmpuint (self.lost, ==, 0);
  g_assert_cmpuint (self.forks, ==, GROUPS * GROUP);
  g_assert_cmpuint (wakeups, >=, 2);
  g_assert_cmpuint (wakeups, <, GROUPS);
  g_test_message ("%u wakeups for %d processes", wakeups, GROUPS * GROUP);
  waited = waitpid (-1, NULL, WNOHANG);
  g_assert_cmpint (waited, ==, -1);
  /* Ended events do not keep the descriptor ready. */
  g_assert_cmpint (poll (&(struct pollfd) { perf_fd (self.perf), POLLIN, 0 }, 1, 0), ==, 0);
  follow_clear (&self);
}

static gboolean
become_nobody (void)
{
  return setgroups (0, NULL) == 0 && setresgid (NOBODY, NOBODY, NOBODY) == 0 &&
         setresuid (NOBODY, NOBODY, NOBODY) == 0 && prctl (PR_SET_DUMPABLE, 1) == 0;
}

/* In a process of its own, because it cannot get its privileges back. */
static int
run_as_nobody (int (*test) (void))
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    _exit (become_nobody () ? test () : 96);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));

  return WEXITSTATUS (status);
}

static gboolean
says (const char *why)
{
  return why != NULL && (strstr (why, "kernel.perf_event_") != NULL || strstr (why, "container") != NULL ||
                         strstr (why, "kernel has no") != NULL || strstr (why, "ulimit") != NULL);
}

static int
open_as_nobody (void)
{
  const char *why = NULL;
  pid_t child = fork ();
  Perf *perf;

  if (child == 0)
    {
      pause ();
      _exit (0);
    }
  perf = perf_open (child, &why);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
  if (perf == NULL)
    return says (why) ? 0 : 1;
  perf_close (perf);

  return 0;
}

/* Locks all memory that the user may lock: the rings become smaller, then opening fails with a reason. */
static int
exhaust_as_nobody (void)
{
  const struct rlimit none = { 0, 0 };
  const char *why = NULL;
  pid_t child = fork ();
  Perf *perfs[256];
  int n = 0, result;

  setrlimit (RLIMIT_MEMLOCK, &none);
  if (child == 0)
    {
      pause ();
      _exit (0);
    }
  while (n < 256 && (perfs[n] = perf_open (child, &why)) != NULL)
    n++;
  result = n == 256 || says (why) ? 0 : 1;
  while (n > 0)
    perf_close (perfs[--n]);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);

  return result;
}

static void
test_nobody (void)
{
  if (geteuid () != 0)
    {
      g_test_skip ("needs root, to become nobody");
      return;
    }
  g_assert_cmpint (run_as_nobody (open_as_nobody), ==, 0);
  g_assert_cmpint (run_as_nobody (exhaust_as_nobody), ==, 0);
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

/* In a process of its own: whatever number of descriptors is free, none is left behind. With few the limit is the
 * reason, and with enough it works. */
static void
test_descriptors (void)
{
  int status;
  pid_t child;

  if (!is_allowed () || g_getenv ("ROAST_UNDER_VALGRIND") != NULL)
    {
      g_test_skip ("no perf events here, or no limits under valgrind");
      return;
    }
  child = fork ();
  if (child == 0)
    {
      guint before = count_descriptors ();
      int lowest = dup (STDERR_FILENO);
      struct rlimit limit;
      int failures = 0;
      Perf *perf = NULL;

      close (lowest);
      getrlimit (RLIMIT_NOFILE, &limit);
      for (rlim_t free = 0; perf == NULL && free < limit.rlim_max; free++)
        {
          const struct rlimit few = { (rlim_t) lowest + free, limit.rlim_max };
          const char *why = NULL;

          setrlimit (RLIMIT_NOFILE, &few);
          perf = perf_open (getppid (), &why);
          setrlimit (RLIMIT_NOFILE, &limit);
          if (perf == NULL && (why == NULL || strstr (why, "ulimit -n") == NULL))
            _exit (2);
          failures += perf == NULL;
          if (perf != NULL)
            perf_close (perf);
          if (count_descriptors () != before)
            _exit (3);
        }
      /* epoll, two clocks, READ records and a ring at least. */
      _exit (failures >= 5 ? 0 : 4);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
work_setuid (int go, int told)
{
  if (freopen ("/dev/null", "w", stdout) == NULL)
    _exit (94);
  execl ("/bin/mount", "mount", "--version", (char *) NULL);
  _exit (95);
}

/* The exec of a setuid program ends the events: either the loss is reported, or nothing was lost. */
static int
setuid_as_nobody (void)
{
  Follow self;
  gboolean told;

  if (!follow_start (&self, work_setuid))
    return 77;
  follow_end (&self);
  g_test_message ("%" G_GUINT64_FORMAT " lost", self.lost);
  told = self.lost > 0 || perf_total_us (self.perf) > 0;
  told = told && poll (&(struct pollfd) { perf_fd (self.perf), POLLIN, 0 }, 1, 0) == 0;
  follow_clear (&self);

  return told ? 0 : 1;
}

static void
test_setuid (void)
{
  struct stat st;
  int status;

  if (geteuid () != 0 || stat ("/bin/mount", &st) < 0 || (st.st_mode & S_ISUID) == 0)
    {
      g_test_skip ("needs root, to become nobody, and a setuid program");
      return;
    }
  status = run_as_nobody (setuid_as_nobody);
  if (status == 77)
    g_test_skip ("no perf events for nobody");
  else
    g_assert_cmpint (status, ==, 0);
}

static void
test_no_process (void)
{
  const char *why = NULL;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  g_assert_null (perf_open (pid, &why));
  g_assert_nonnull (why);
}

/* A CPU time that no thread can have is not counted: the sum of two of them overflowed. */
static void
test_absurd (void)
{
  static const struct
  {
    struct perf_event_header header;
    guint32 pid, tid;
    guint64 value, id, time;
  } record = { { .type = PERF_RECORD_READ, .size = sizeof record }, 7, 7, G_MAXINT64, 0, 1 };
  const gsize size = 1024;
  PerfRecords records = { 0 };
  struct perf_event_mmap_page *page = g_malloc0 (sizeof *page + size);
  PerfRing ring = { .fd = -1, .page = page, .page_size = sizeof *page, .size = size };

  memcpy ((char *) page + sizeof *page, &record, sizeof record);
  memcpy ((char *) page + sizeof *page + sizeof record, &record, sizeof record);
  page->data_head = 2 * sizeof record;
  perf_ring_read (&ring, &records);
  g_assert_cmpuint (records.n, ==, 0);
  g_assert_cmpuint (records.lost, ==, 2);
  free (records.all);
  g_free (page);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/perf/forks", test_forks);
  g_test_add_func ("/perf/ignoring", test_ignoring);
  g_test_add_func ("/perf/threads", test_threads);
  g_test_add_func ("/perf/exec", test_exec);
  g_test_add_func ("/perf/orphan", test_orphan);
  g_test_add_func ("/perf/names", test_names);
  g_test_add_func ("/perf/closed", test_closed);
  g_test_add_func ("/perf/cost", test_cost);
  g_test_add_func ("/perf/silent", test_silent);
  g_test_add_func ("/perf/overflow", test_overflow);
  g_test_add_func ("/perf/wakeups", test_wakeups);
  g_test_add_func ("/perf/nobody", test_nobody);
  g_test_add_func ("/perf/descriptors", test_descriptors);
  g_test_add_func ("/perf/setuid", test_setuid);
  g_test_add_func ("/perf/no-process", test_no_process);
  g_test_add_func ("/perf/absurd", test_absurd);

  return g_test_run ();
}
