/* SPDX-License-Identifier: BSD-3-Clause */

/* The supervisor: stands between the library and the analyst's program. It is the parent and the subreaper of the
 * tree, samples it, reaps it, and streams what it sees to the library. It must never hurt the program: if the library
 * dies, it goes on reaping until the program has ended, silently. */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "clock.h"
#include "launch.h"
#include "options.h"
#include "process/roast-supervisor-wire.h"
#include "procfs.h"
#include "reader.h"
#include "sampler.h"
#include "unreaped.h"

#define FIRST_TICK 10000        /* µs after the launch: short programs have samples too */
#define DUPLICATE_WINDOW 500000 /* µs */
#define CLOCK_STEP 100000       /* µs: less is drift */

typedef struct
{
  Options options;
  Inherited inherited;
  FrameWriter out;
  Tree tree;
  CpuAccounting accounting;
  Sampler sampler;
  Unreaped *unreaped;
  Cgroup *cgroup;
  int epoll_fd, timer_fd, signal_fd, pidfd;

  pid_t main_pid;
  uint64_t main_id;
  bool said_hello, main_gone, finished;
  int64_t started, main_ended, deadline; /* monotonic; deadline 0: none */
  int64_t next_tick, step;
  int64_t stopped_since, stopped;
  int64_t boot_offset, wall_offset; /* at the start */
  int64_t oom_kills;
  int64_t received[NSIG]; /* when a signal last came to us, monotonic */
  char in[4096];
  size_t in_length;
} Supervisor;

static int64_t
epoch (const Supervisor *self, int64_t monotonic)
{
  return self->sampler.anchor + monotonic;
}

static void
note (Supervisor *self, int severity, const char *kind, const char *text)
{
  RoastWireNote record = { .time = epoch (self, monotonic_us ()), .severity = severity };

  snprintf (record.kind, sizeof record.kind, "%s", kind);
  frame_writer_frame (&self->out, ROAST_WIRE_NOTE, &record, sizeof record, text, strlen (text));
}

static double
allowed_cores (void)
{
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return CPU_COUNT (&set);

  return (double) sysconf (_SC_NPROCESSORS_ONLN);
}

static void
say_hello (Supervisor *self, const CgroupLimits *limits, uint32_t accounting)
{
  RoastWireHello hello = { .version = ROAST_WIRE_VERSION, .record_size = sizeof (RoastWireTreeEnd) };

  hello.info.started = epoch (self, self->started);
  hello.info.interval = self->options.interval;
  hello.info.supervisor_pid = getpid ();
  hello.info.accounting = accounting;
  hello.info.cores = allowed_cores ();
  hello.info.cgroup_cores = limits->cores;
  hello.info.cgroup_memory_limit = limits->memory_limit;
  hello.info.host_memory = (int64_t) sysconf (_SC_PHYS_PAGES) * sysconf (_SC_PAGESIZE);
  frame_writer_frame (&self->out, ROAST_WIRE_HELLO, &hello, sizeof hello, NULL, 0);
  self->said_hello = true;
}

static void
fail (Supervisor *self, int stage, int error)
{
  static const CgroupLimits unknown = { -1, -1, -1 };
  RoastWireFailure failure = { stage, error };

  if (!self->said_hello)
    say_hello (self, &unknown, 0);
  frame_writer_frame (&self->out, ROAST_WIRE_LAUNCH_FAILED, &failure, sizeof failure, NULL, 0);
  frame_writer_drain (&self->out);
  exit (EXIT_FAILURE);
}

/* One sentence for a person: how exact the numbers are, and what they cannot see. */
static void
note_accounting (Supervisor *self, const char *no_unreaped)
{
  char text[512];

  if (self->options.attach_pid != 0)
    snprintf (text, sizeof text,
              "attached: sampled every %.4g s; what a process used after its last sample is missing unless its parent "
              "waited "
              "for it; processes that started and ended unseen count with their parent",
              (double) self->options.interval / 1e6);
  else if (no_unreaped == NULL)
    snprintf (text, sizeof text,
              "exact: the kernel's final account of every process that was waited for, and %s for those that nobody "
              "waited for; "
              "processes too short for a sample count with their parent; processes outside the tree (other machines, "
              "daemons "
              "that start work for others) are not seen",
              unreaped_name (self->unreaped));
  else
    snprintf (text, sizeof text,
              "exact for every process that was waited for (the kernel's final account); children that nobody waits "
              "for "
              "(SIGCHLD ignored) only as far as they were sampled, since %s; processes outside the tree are not seen",
              no_unreaped);
  note (self, 0, "accounting", text);
}

static void
watch (Supervisor *self, int fd, uint32_t events)
{
  struct epoll_event event = { .events = events, .data.fd = fd };

  if (epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
    epoll_ctl (self->epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

static void
arm_timer (Supervisor *self)
{
  int64_t at = self->next_tick;
  struct itimerspec spec = { 0 };

  if (self->deadline != 0 && self->deadline < at)
    at = self->deadline;
  if (at <= 0)
    at = 1;
  spec.it_value.tv_sec = at / 1000000;
  spec.it_value.tv_nsec = at % 1000000 * 1000;
  timerfd_settime (self->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

/* The first samples come soon, then further and further apart, up to the interval. */
static void
schedule_next (Supervisor *self, int64_t now)
{
  int64_t late;

  if (self->step < self->options.interval)
    {
      self->step = self->step * 2 < self->options.interval ? self->step * 2 : self->options.interval;
      self->next_tick = now + self->step;
    }
  else
    {
      self->next_tick += self->step;
      late = (now - self->next_tick) / self->step;
      if (late > 0)
        {
          /* Samples that could not be taken are counted, not bunched. */
          self->sampler.missed += (uint64_t) late;
          self->next_tick += late * self->step;
        }
      if (self->next_tick <= now)
        {
          self->sampler.missed++;
          self->next_tick += self->step;
        }
    }
}

static void
check_clocks (Supervisor *self, int64_t *suspended, int64_t *jump)
{
  int64_t monotonic = monotonic_us ();
  int64_t boot = clock_us (CLOCK_BOOTTIME);

  *suspended = boot - monotonic - self->boot_offset;
  *jump = clock_us (CLOCK_REALTIME) - boot - self->wall_offset;
  if (llabs (*suspended) < 1000)
    *suspended = 0;
  if (llabs (*jump) < CLOCK_STEP)
    *jump = 0;
}

/* ---- the end of processes ---- */

static void
on_main_ended (Supervisor *self, int64_t now, int status, bool known)
{
  RoastWireMainEnded record = { epoch (self, now), status, known };

  self->main_gone = true;
  self->main_ended = now;
  if (self->stopped_since != 0)
    self->stopped += now - self->stopped_since;
  self->stopped_since = 0;
  frame_writer_frame (&self->out, ROAST_WIRE_MAIN_ENDED, &record, sizeof record, NULL, 0);
  if (!self->options.wait_tree)
    {
      self->deadline = now + self->options.grace;
      arm_timer (self);
    }
}

static void
on_main_stopped (Supervisor *self, const siginfo_t *info)
{
  int64_t now = monotonic_us ();
  RoastWireStopped record = { epoch (self, now), info->si_status, info->si_code == CLD_STOPPED };

  if (record.stopped && self->stopped_since == 0)
    self->stopped_since = now;
  else if (!record.stopped && self->stopped_since != 0)
    {
      self->stopped += now - self->stopped_since;
      self->stopped_since = 0;
    }
  frame_writer_frame (&self->out, ROAST_WIRE_STOPPED, &record, sizeof record, NULL, 0);
}

static void
reap_one (Supervisor *self, pid_t pid)
{
  int64_t now = monotonic_us ();
  struct rusage usage;
  Process *p;
  int status;

  /* Before it is waited for, a zombie still tells its name, its times and its I/O. */
  p = self->finished ? NULL : sampler_add (&self->sampler, pid);
  if (p != NULL)
    sampler_read_last (&self->sampler, p);
  if (wait4 (pid, &status, 0, &usage) != pid)
    return;
  if (p != NULL)
    {
      sampler_sweep_children (&self->sampler, p);
      cpu_accounting_reaped (&self->accounting, p, epoch (self, now), status, &usage);
      tree_remove (&self->tree, p);
    }
  if (pid == self->main_pid)
    on_main_ended (self, now, status, true);
}

/* Whether there is a child left. */
static bool
reap (Supervisor *self)
{
  for (;;)
    {
      siginfo_t info = { 0 };

      if (waitid (P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) < 0)
        return errno != ECHILD;
      if (info.si_pid == 0)
        return true;
      if (info.si_code == CLD_STOPPED || info.si_code == CLD_CONTINUED || info.si_code == CLD_TRAPPED)
        {
          waitid (P_PID, (id_t) info.si_pid, &info, WSTOPPED | WCONTINUED | WNOHANG);
          if (info.si_pid == self->main_pid && !self->finished)
            on_main_stopped (self, &info);
        }
      else
        reap_one (self, info.si_pid);
    }
}

/* ---- the end ---- */

/* Not from getrusage (): that maximum is inherited through our exec, from the library's program. */
static int64_t
own_peak_rss (void)
{
  char text[4096];
  ProcStatus status;
  ssize_t n = -1;
  int fd = open ("/proc/self/status", O_RDONLY | O_CLOEXEC);

  if (fd >= 0)
    {
      n = read (fd, text, sizeof text);
      close (fd);
    }

  return n > 0 && proc_parse_status (text, (size_t) n, &status) ? status.peak_rss : -1;
}

static void
add_unreaped (Supervisor *self, RoastWireTreeEnd *end)
{
  int64_t missing;

  end->cgroup_cpu = self->cgroup != NULL ? cgroup_cpu_us (self->cgroup) : -1;
  end->cgroup_memory_peak = self->cgroup != NULL ? cgroup_memory_peak (self->cgroup) : -1;
  missing = unreaped_missing (self->unreaped, &self->tree, self->accounting.cpu, self->accounting.unreaped);
  end->perf_cpu = unreaped_perf_cpu (self->unreaped);
  if (missing > 0)
    cpu_accounting_unreaped (&self->accounting, self->main_id, missing);
}

static void
finish (Supervisor *self)
{
  RoastWireTreeEnd end = { 0 };
  CgroupLimits limits;
  struct rusage usage;
  int64_t now = monotonic_us ();
  bool exact;

  if (self->finished)
    return;
  self->finished = true;
  if (!self->main_gone && self->stopped_since != 0)
    self->stopped += now - self->stopped_since;

  for (size_t i = 0; i < self->tree.n;)
    {
      Process *p = self->tree.all[i];

      if (reader_stat (p) == READ_OK)
        {
          p->zombie |= p->stat.state == 'Z' || p->stat.state == 'X';
          i++;
        }
      else
        sampler_remove_vanished (&self->sampler, p);
    }
  for (size_t i = 0; i < self->tree.n; i++)
    {
      end.leftover += !self->tree.all[i]->zombie;
      cpu_accounting_left (&self->accounting, self->tree.all[i], epoch (self, now));
    }
  add_unreaped (self, &end);

  cgroup_read_limits (&limits);
  check_clocks (self, &end.suspended, &end.clock_jump);
  getrusage (RUSAGE_SELF, &usage);
  end.ended = epoch (self, now);
  end.main_ended = self->main_gone ? epoch (self, self->main_ended) : -1;
  end.elapsed = (self->main_gone ? self->main_ended : now) - self->started;
  end.stopped = self->stopped;
  end.processes = unreaped_processes (self->unreaped, self->tree.last_id, &exact);
  end.processes_exact = exact;
  end.ticks = self->sampler.ticks;
  end.missed = self->sampler.missed;
  end.dropped = self->out.dropped;
  end.wait_cpu = self->accounting.wait_cpu;
  end.own_user = (int64_t) usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
  end.own_system = (int64_t) usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
  end.own_peak_rss = own_peak_rss ();
  end.oom_kills = self->oom_kills >= 0 && limits.oom_kills >= 0 ? limits.oom_kills - self->oom_kills : -1;

  if (self->sampler.unreadable > 0)
    {
      char text[160];

      snprintf (text, sizeof text,
                "memory or I/O of %llu process(es) could not be read: they belong to somebody else or protect "
                "themselves; what is missing is not counted",
                (unsigned long long) self->sampler.unreadable);
      note (self, 1, "unreadable", text);
    }
  if (self->sampler.unreaped_seen && self->unreaped == NULL)
    note (self, 1, "unreaped",
          "some processes ignore SIGCHLD, so that nobody waits for their children: what these used after their last "
          "sample is "
          "not counted, since neither perf events nor a control group are to be had here");
  if (end.suspended > 0)
    note (self, 1, "gap", "the machine was suspended meanwhile; that time is not counted");
  if (end.clock_jump != 0)
    note (self, 1, "clock",
          "the wall clock was set meanwhile; times are by the clock of the start, durations are right");
  if (self->out.dropped > 0)
    note (self, 1, "gap", "samples were dropped because the reader was too slow; final numbers are complete");
  frame_writer_frame (&self->out, ROAST_WIRE_FINISHED, &end, sizeof end, NULL, 0);
  frame_writer_drain (&self->out);
  frame_writer_close (&self->out);
}

/* ---- signals and orders ---- */

static void
on_signal (Supervisor *self)
{
  struct signalfd_siginfo info;

  while (read (self->signal_fd, &info, sizeof info) == sizeof info)
    {
      if (info.ssi_signo < NSIG)
        self->received[info.ssi_signo] = monotonic_us ();
      /* Without the library nobody else hands it on. What the terminal sends reaches the program by itself. */
      if (self->out.fd < 0 && info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL && !self->main_gone &&
          self->options.attach_pid == 0)
        kill (self->main_pid, (int) info.ssi_signo);
    }
}

/* A signal that came to us as well was sent to the whole process group: the program has it already. */
static void
hand_on (Supervisor *self, int signum)
{
  if (signum <= 0 || signum >= NSIG || self->main_gone || self->options.attach_pid != 0)
    return;
  if (signum != SIGCONT && self->received[signum] != 0 && monotonic_us () - self->received[signum] < DUPLICATE_WINDOW)
    {
      self->received[signum] = 0;
      return;
    }
  kill (self->main_pid, signum);
}

static void
obey (Supervisor *self, const RoastWireHeader *header, const char *payload)
{
  RoastWireSignal order;

  if (header->type == ROAST_WIRE_SIGNAL && header->length == sizeof order)
    {
      memcpy (&order, payload, sizeof order);
      hand_on (self, order.signal);
    }
  else if (header->type == ROAST_WIRE_DETACH)
    {
      /* How all was at the end: else the last moment would lie after the last sample. */
      if (!self->finished && self->tree.n > 0)
        sampler_tick (&self->sampler);
      finish (self);
    }
}

static void
on_control (Supervisor *self)
{
  for (;;)
    {
      ssize_t n = recv (self->out.fd, self->in + self->in_length, sizeof self->in - self->in_length, MSG_DONTWAIT);
      size_t used = 0;

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        {
          frame_writer_close (&self->out);
          return;
        }
      self->in_length += (size_t) n;
      while (self->out.fd >= 0 && self->in_length - used >= sizeof (RoastWireHeader))
        {
          RoastWireHeader header;

          memcpy (&header, self->in + used, sizeof header);
          if (header.length > sizeof self->in - sizeof header)
            {
              frame_writer_close (&self->out);
              return;
            }
          if (self->in_length - used < sizeof header + header.length)
            break;
          obey (self, &header, self->in + used + sizeof header);
          used += sizeof header + header.length;
        }
      if (self->out.fd < 0)
        return;
      memmove (self->in, self->in + used, self->in_length - used);
      self->in_length -= used;
    }
}

/* ---- life ---- */

static void
set_up (Supervisor *self)
{
  sigset_t mine;

  inherited_save (&self->inherited);
  sigemptyset (&mine);
  for (const int *s = (const int[]) { SIGCHLD, SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, 0 };
       *s != 0; s++)
    sigaddset (&mine, *s);
  sigprocmask (SIG_BLOCK, &mine, NULL);
  fcntl (self->options.control_fd, F_SETFD, FD_CLOEXEC);
  frame_writer_init (&self->out, self->options.control_fd);
  reader_init ();

  self->signal_fd = signalfd (-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
  self->timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  self->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  self->pidfd = -1;
  if (self->signal_fd < 0 || self->timer_fd < 0 || self->epoll_fd < 0)
    fail (self, ROAST_WIRE_STAGE_SETUP, errno);

  self->accounting =
      (CpuAccounting) { .out = &self->out, .tree = &self->tree, .tick_us = 1000000 / sysconf (_SC_CLK_TCK) };
  self->sampler.out = &self->out;
  self->sampler.tree = &self->tree;
  self->sampler.accounting = &self->accounting;
  self->sampler.options = &self->options;
  self->sampler.owns = self->options.attach_pid == 0;
  sampler_init (&self->sampler);
  self->started = monotonic_us ();
  self->boot_offset = clock_us (CLOCK_BOOTTIME) - self->started;
  self->wall_offset = clock_us (CLOCK_REALTIME) - clock_us (CLOCK_BOOTTIME);
}

static void
launched (Supervisor *self)
{
  RoastWireLaunched record = { self->main_pid };
  Process *p;

  frame_writer_frame (&self->out, ROAST_WIRE_LAUNCHED, &record, sizeof record, NULL, 0);
  p = sampler_add (&self->sampler, self->main_pid);
  self->main_id = p != NULL ? p->id : 0;
}

static uint32_t
mechanisms (const Supervisor *self)
{
  uint32_t mask =
      ROAST_ACCOUNTING_RECONCILE | ROAST_ACCOUNTING_IO | ROAST_ACCOUNTING_RUN_QUEUE | ROAST_ACCOUNTING_CHILDREN;

  if (self->options.attach_pid == 0)
    mask |= ROAST_ACCOUNTING_WAIT;
  if (self->options.pss != PSS_OFF)
    mask |= ROAST_ACCOUNTING_PSS;
  if (self->cgroup != NULL)
    mask |= ROAST_ACCOUNTING_CGROUP;
  if (unreaped_has_perf (self->unreaped))
    mask |= ROAST_ACCOUNTING_PERF;

  return mask;
}

static void
launch (Supervisor *self)
{
  const char *why = NULL, *no_group = NULL;
  CgroupLimits limits;
  Launch child;
  int error;

  prctl (PR_SET_CHILD_SUBREAPER, 1);
  cgroup_read_limits (&limits);
  self->oom_kills = limits.oom_kills;
  if (!launch_fork (&child, &self->inherited, self->options.program, self->options.ignore_sigpipe))
    fail (self, ROAST_WIRE_STAGE_FORK, errno);
  self->main_pid = child.pid;
  self->unreaped = unreaped_new (child.pid, NULL, (self->options.accounting & ROAST_ACCOUNTING_PERF) != 0, &why);
  /* A group of its own is something that the program could notice: only where there is nothing else. */
  if (self->unreaped == NULL && (self->options.accounting & ROAST_ACCOUNTING_CGROUP) != 0)
    {
      self->cgroup = cgroup_create (&no_group);
      if (self->cgroup != NULL && !cgroup_join (self->cgroup, child.pid))
        {
          cgroup_destroy (self->cgroup);
          self->cgroup = NULL;
        }
      if (self->cgroup != NULL)
        self->unreaped = unreaped_new (child.pid, self->cgroup, false, &no_group);
    }

  /* The clock starts when the program does. */
  self->started = monotonic_us ();
  say_hello (self, &limits, mechanisms (self));
  error = launch_exec (&child);
  if (error != 0)
    {
      if (self->cgroup != NULL)
        cgroup_destroy (self->cgroup);
      fail (self, ROAST_WIRE_STAGE_EXEC, error);
    }
  launched (self);
  note_accounting (self, self->unreaped != NULL ? NULL : why != NULL ? why : no_group);
}

static void
set_baseline (Process *p)
{
  p->base = p->stat;
  if (reader_io (p) == READ_OK)
    {
      p->io_known = true;
      p->io_base = p->io;
    }
}

static void
attach (Supervisor *self)
{
  CgroupLimits limits;

  self->main_pid = self->options.attach_pid;
  cgroup_read_limits (&limits);
  self->oom_kills = -1;
  self->pidfd = (int) syscall (SYS_pidfd_open, self->main_pid, 0);
  if (self->pidfd < 0 && errno != ENOSYS)
    fail (self, ROAST_WIRE_STAGE_ATTACH, errno);
  /* Signal 0 only checks the permission to send one. */
  if (kill (self->main_pid, 0) < 0)
    fail (self, ROAST_WIRE_STAGE_ATTACH, errno);
  if (!reader_exists (self->main_pid))
    fail (self, ROAST_WIRE_STAGE_ATTACH, ESRCH);
  say_hello (self, &limits, mechanisms (self));
  launched (self);
  sampler_discover (&self->sampler, true);
  for (size_t i = 0; i < self->tree.n; i++)
    set_baseline (self->tree.all[i]);
  if (self->pidfd >= 0)
    {
      fcntl (self->pidfd, F_SETFD, FD_CLOEXEC);
      watch (self, self->pidfd, EPOLLIN);
    }
  note_accounting (self, NULL);
}

static void
on_timer (Supervisor *self)
{
  uint64_t expirations;
  int64_t now = monotonic_us ();

  if (read (self->timer_fd, &expirations, sizeof expirations) < 0 && errno == EAGAIN)
    return;
  if (self->out.fd < 0 || self->finished)
    return;
  if (now >= self->next_tick)
    {
      /* Who ignores SIGCHLD is asked while it lives: not only when the ring is full of what became of its children. */
      unreaped_drain (self->unreaped, &self->tree);
      sampler_tick (&self->sampler);
      schedule_next (self, now);
    }
  arm_timer (self);
}

static void
on_target_ended (Supervisor *self)
{
  Process *p = tree_find (&self->tree, self->main_pid);

  if (p != NULL && !p->zombie)
    sampler_read_last (&self->sampler, p);
  if (!self->main_gone)
    on_main_ended (self, monotonic_us (), 0, false);
  epoll_ctl (self->epoll_fd, EPOLL_CTL_DEL, self->pidfd, NULL);
  self->deadline = monotonic_us ();
}

static void
dispatch (Supervisor *self, const struct epoll_event *events, int n)
{
  /* Signals first: an order to hand one on must find those that came with it. */
  for (int i = 0; i < n; i++)
    if (events[i].data.fd == self->signal_fd)
      on_signal (self);
  for (int i = 0; i < n; i++)
    {
      int fd = events[i].data.fd;

      if (fd == self->out.fd && (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
        {
          on_signal (self);
          on_control (self);
        }
      else if (fd == self->timer_fd)
        on_timer (self);
      else if (fd == self->pidfd)
        on_target_ended (self);
      else if (fd == unreaped_fd (self->unreaped))
        unreaped_drain (self->unreaped, &self->tree);
    }
}

/* Whether there is nothing more to do. */
static bool
is_done (Supervisor *self, bool has_children)
{
  if (self->options.attach_pid != 0)
    {
      if (self->main_gone || self->out.fd < 0)
        finish (self);
      return self->finished || self->out.fd < 0;
    }
  if (!has_children)
    finish (self);
  else if (self->main_gone && self->deadline != 0 && monotonic_us () >= self->deadline)
    finish (self);

  /* After its last record it stays only to be the parent that the program had. */
  return !has_children || (self->finished && self->main_gone);
}

static void
run (Supervisor *self)
{
  bool has_children = true;

  watch (self, self->signal_fd, EPOLLIN);
  watch (self, self->timer_fd, EPOLLIN);
  if (unreaped_fd (self->unreaped) >= 0)
    watch (self, unreaped_fd (self->unreaped), EPOLLIN);
  self->step = FIRST_TICK < self->options.interval ? FIRST_TICK : self->options.interval;
  self->next_tick = self->started + self->step;
  arm_timer (self);

  for (;;)
    {
      struct epoll_event events[8];
      int n;

      if (self->options.attach_pid == 0)
        has_children = reap (self);
      if (is_done (self, has_children))
        return;
      frame_writer_flush (&self->out);
      if (self->out.fd >= 0)
        watch (self, self->out.fd, EPOLLIN | (frame_writer_pending (&self->out) ? EPOLLOUT : 0));
      n = epoll_wait (self->epoll_fd, events, 8, -1);
      if (n > 0)
        dispatch (self, events, n);
    }
}

int
main (int argc, char **argv)
{
  static Supervisor self;

  if (!options_parse (argc, argv, &self.options))
    {
      fputs ("roast-supervisor: started by roast's library only; see roast-run(1)\n", stderr);
      return 125;
    }
  set_up (&self);
  if (self.options.attach_pid != 0)
    attach (&self);
  else
    launch (&self);
  run (&self);
  if (self.cgroup != NULL)
    cgroup_destroy (self.cgroup);

  return EXIT_SUCCESS;
}
