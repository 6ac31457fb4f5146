/* SPDX-License-Identifier: BSD-3-Clause */

/* The supervisor runs between the library and the measured program. It is the parent of the program and the subreaper
 * of its process tree. It samples and reaps the processes, and sends the results to the library. The supervisor must
 * never harm the program: if the library dies, it silently continues to reap processes until the program has ended. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../run/keeper-wire.h" /* check-source: allow rooms: both ends of one pipe */
#include "process/roast-supervisor-wire.h"
#include "reader.h"
#include "supervisor.h"

void
supervisor_note (Supervisor *self, NoteSeverity severity, const char *kind, const char *text)
{
  RoastWireNote record = { .time = clocks_epoch (&self->clocks, monotonic_us ()), .severity = (int32_t) severity };

  snprintf (record.kind, sizeof record.kind, "%s", kind);
  frame_writer_frame (&self->out, ROAST_WIRE_NOTE, &record, sizeof record, text, strlen (text));
}

void
supervisor_tell_status (const Supervisor *self, bool ended, int wait_status)
{
  KeeperStatus record = { getpid (), self->main_pid, ended, wait_status };

  if (self->status_fd >= 0 && write (self->status_fd, &record, sizeof record) < 0)
    {
      /* The keeper is gone, so there is nobody to tell. */
    }
}

/* ---- processes that end or stop ---- */

/* Reads the CPU time at the end of the main process, because processes that the main process left behind use more CPU
 * time later. */
static void
read_cpu_at_end (Supervisor *self)
{
  bool is_any_left = false;

  sampler_discover (&self->sampler, true);
  /* Without this, the CPU time of a process that is gone would count twice: the counters of its parent contain it. */
  sampler_remove_gone (&self->sampler);
  for (size_t i = 0; i < self->tree.n; i++)
    is_any_left |= !self->tree.all[i]->zombie;
  if (is_any_left)
    self->main_cpu = sampler_cpu_so_far (&self->sampler);
}

static void
on_main_ended (Supervisor *self, int64_t now, int status, bool known)
{
  RoastWireMainEnded record = { clocks_epoch (&self->clocks, now), status, known };

  self->main_gone = true;
  self->main_ended = now;
  if (self->options.attach_pid == 0 && !self->finished)
    read_cpu_at_end (self);
  if (self->stopped_since != 0)
    self->stopped += now - self->stopped_since;
  frame_writer_frame (&self->out, ROAST_WIRE_MAIN_ENDED, &record, sizeof record, NULL, 0);
  frame_writer_flush (&self->out);
  if (!self->options.wait_tree)
    ticker_set_deadline (&self->ticker, now + self->options.grace);
}

static void
on_main_stopped (Supervisor *self, const siginfo_t *info)
{
  int64_t now = monotonic_us ();
  RoastWireStopped record = { clocks_epoch (&self->clocks, now), info->si_status, info->si_code == CLD_STOPPED };

  /* A SIGCONT that the supervisor received before the stop has no effect on this stop. Forget that SIGCONT, so that the
   * next order to send a SIGCONT is not mistaken for a duplicate of it. */
  if (record.stopped)
    signals_forget (&self->signals, SIGCONT);
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
drain_unreaped (Supervisor *self)
{
  unreaped_drain (self->unreaped, &self->tree);
  if (self->perf_closed >= 0 || !unreaped_is_closed (self->unreaped))
    return;
  self->perf_closed = clocks_epoch (&self->clocks, monotonic_us ());
  supervisor_note (self, NOTE_WARNING, "commands",
                   "the program starts so many processes that recording each process with perf would cost more than a "
                   "tenth of the CPU time of the program. From this time on, processes too short for a sample are "
                   "counted together, without their names or number");
}

/* Tells the keeper the wait status of the main process before the supervisor reaps the process. If the supervisor dies
 * in between, the keeper can reap the process. */
static void
tell_end (const Supervisor *self, const siginfo_t *info)
{
  int status = info->si_code == CLD_EXITED ? (info->si_status & 0xff) << 8 : info->si_status;

  supervisor_tell_status (self, true, info->si_code == CLD_DUMPED ? status | WCOREFLAG : status);
}

static void
reap_one (Supervisor *self, const siginfo_t *info)
{
  pid_t pid = info->si_pid;
  int64_t now = monotonic_us ();
  struct rusage usage;
  Process *p;
  int status;

  /* Read the name, times and I/O of the zombie now, because the kernel removes them at wait4(). */
  p = self->finished ? NULL : sampler_add (&self->sampler, pid);
  if (p != NULL)
    {
      sampler_read_last (&self->sampler, p);
      /* Read the records of perf, so that the row gets the last name of the process. */
      drain_unreaped (self);
    }
  if (pid == self->main_pid && p != NULL)
    sampler_read_affinity (&self->sampler, now, true);
  if (pid == self->main_pid)
    tell_end (self, info);
  if (wait4 (pid, &status, 0, &usage) != pid)
    return;
  if (p != NULL)
    {
      sampler_sweep_children (&self->sampler, p);
      cpu_accounting_reaped (&self->accounting, p, clocks_epoch (&self->clocks, now), status, &usage);
      tree_remove (&self->tree, p);
    }
  if (pid == self->main_pid)
    on_main_ended (self, now, status, true);
}

/* Reaps all ended children. Returns whether any child is left. */
static bool
reap (Supervisor *self)
{
  for (;;)
    {
      siginfo_t info;

      if (waitid (P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) < 0)
        return errno != ECHILD;
      if (info.si_pid == 0)
        return true;
      if (info.si_code == CLD_STOPPED || info.si_code == CLD_CONTINUED)
        {
          waitid (P_PID, (id_t) info.si_pid, &info, WSTOPPED | WCONTINUED | WNOHANG);
          if (info.si_pid == self->main_pid && !self->finished)
            on_main_stopped (self, &info);
        }
      else
        reap_one (self, &info);
    }
}

/* ---- signals and orders ---- */

static bool
owns_program (const Supervisor *self)
{
  return !self->main_gone && self->options.attach_pid == 0;
}

static void
hand_on (void *data, int signum)
{
  Supervisor *self = data;

  if (owns_program (self) && !signals_is_duplicate (&self->signals, signum))
    kill (self->main_pid, signum);
}

static void
on_signal (Supervisor *self)
{
  bool from_terminal;
  int signum;

  /* If neither the library nor the keeper exists to forward signals, the supervisor itself forwards the signals that it
   * receives. It does not forward signals from the terminal, which reach the program anyway. */
  while ((signum = signals_take (&self->signals, &from_terminal)) != 0)
    if (self->signals.ordered && signum != SIGCHLD)
      hand_on (self, signum);
    else if (!frame_writer_is_open (&self->out) && signum != SIGCHLD && !from_terminal && owns_program (self) &&
             getppid () != self->inherited.state.process)
      kill (self->main_pid, signum);
}

/* Handles an order of the library to send a signal. Takes pending signals first: if the supervisor has already received
 * the signal, it was sent to the whole process group, and the order is a duplicate. */
static void
on_order (void *data, int signum)
{
  on_signal (data);
  hand_on (data, signum);
}

static void
detach (void *data)
{
  Supervisor *self = data;

  /* Take a last sample, so that there are samples up to the end of the measurement. */
  sampler_tick (&self->sampler);
  supervisor_finish (self);
}

static void
on_control (Supervisor *self)
{
  static const OrderHandler handler = { on_order, detach };

  if (!orders_read (&self->orders, self->out.fd, &handler, self))
    frame_writer_close (&self->out);
}

/* ---- the loop ---- */

static void
main_watch (Supervisor *self, int fd, uint32_t events)
{
  struct epoll_event event = { .events = events, .data.fd = fd };

  /* If epoll already watches the descriptor, ADD fails and MOD changes the events. If fd is -1, both calls fail, which
   * does no harm. */
  epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event);
  epoll_ctl (self->epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

static void
on_timer (Supervisor *self)
{
  int64_t now = monotonic_us ();

  if (!ticker_expire (&self->ticker) || !frame_writer_is_open (&self->out))
    return;
  if (ticker_is_due (&self->ticker, now))
    {
      /* Read the records at every tick, not only when a ring is full, because it must be read whether a parent ignores
       * SIGCHLD, and this can be read only while the parent lives. */
      drain_unreaped (self);
      sampler_tick (&self->sampler);
      unreaped_settle (self->unreaped, &self->tree);
      self->sampler.missed += ticker_advance (&self->ticker, now);
    }
  ticker_arm (&self->ticker);
}

/* Handles the end of the attached process. */
static void
on_target_ended (Supervisor *self)
{
  Process *p = tree_find (&self->tree, self->main_pid);

  if (p != NULL)
    sampler_read_last (&self->sampler, p);
  on_main_ended (self, monotonic_us (), 0, false);
}

static void
dispatch (Supervisor *self, const struct epoll_event *events, int n)
{
  for (int i = 0; i < n; i++)
    {
      int fd = events[i].data.fd;

      if (fd == self->out.fd)
        on_control (self);
      else if (fd == self->signals.fd)
        on_signal (self);
      else if (fd == self->ticker.fd)
        on_timer (self);
      else if (fd == self->pidfd)
        on_target_ended (self);
      else
        drain_unreaped (self);
    }
}

/* Returns whether the supervisor has nothing more to do. */
static bool
is_done (Supervisor *self)
{
  bool has_children;

  if (self->options.attach_pid != 0)
    {
      if (self->main_gone || !frame_writer_is_open (&self->out))
        supervisor_finish (self);
      return self->finished;
    }
  has_children = reap (self);
  if (!has_children ||
      (self->main_gone && (!frame_writer_is_open (&self->out) || ticker_is_over (&self->ticker, monotonic_us ()))))
    supervisor_finish (self);

  /* After the last record, the supervisor keeps running only as long as the program, whose parent it is. */
  return !has_children || (self->finished && self->main_gone);
}

static void
run (Supervisor *self)
{
  main_watch (self, self->signals.fd, EPOLLIN);
  main_watch (self, self->ticker.fd, EPOLLIN);
  main_watch (self, self->pidfd, EPOLLIN);
  main_watch (self, unreaped_fd (self->unreaped), EPOLLIN);
  ticker_start (&self->ticker, self->started);

  for (;;)
    {
      struct epoll_event events[8];
      int n;

      if (is_done (self))
        return;
      frame_writer_flush (&self->out);
      main_watch (self, self->out.fd, frame_writer_pending (&self->out) ? EPOLLIN | EPOLLOUT : EPOLLIN);
      n = epoll_wait (self->epoll_fd, events, 8, -1);
      dispatch (self, events, n);
    }
}

/* Reads the process state that the keeper wrote before plugins were loaded into the session. */
static void
state_take (Supervisor *self)
{
  ProcessState *state = &self->inherited.state;

  if (self->status_fd < 0 || recv (self->status_fd, state, sizeof *state, MSG_DONTWAIT) != sizeof *state ||
      !process_state_is_valid (state))
    {
      *state = (ProcessState) { .magic = 0 };
      return;
    }
  process_state_restore (state, !self->options.in_directory);
  if (state->directory > STDERR_FILENO)
    close (state->directory);
}

static void
status_fd_take (Supervisor *self)
{
  const char *text = getenv (KEEPER_STATUS_VARIABLE);

  self->status_fd = text != NULL ? atoi (text) : -1;
  unsetenv (KEEPER_STATUS_VARIABLE);
  if (self->status_fd <= STDERR_FILENO || fcntl (self->status_fd, F_SETFD, FD_CLOEXEC) < 0)
    self->status_fd = -1;
  state_take (self);
}

static void
set_up (Supervisor *self)
{
  bool ready;

  status_fd_take (self);
  inherited_save (&self->inherited);
  /* Take job-control signals if a keeper exists, so that they do not stop the supervisor. The keeper stops together
   * with the program, and the supervisor must keep running to tell the keeper that the program has stopped. */
  ready = signals_init (&self->signals, self->status_fd >= 0 && self->options.attach_pid == 0);
  fcntl (self->options.control_fd, F_SETFD, FD_CLOEXEC);
  frame_writer_init (&self->out, self->options.control_fd);
  reader_init ();
  clocks_init (&self->clocks);
  self->started = monotonic_us ();
  self->pidfd = -1;
  self->perf_closed = -1;
  self->main_cpu = -1;
  self->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  if (!ready || !ticker_init (&self->ticker, self->options.interval) || self->epoll_fd < 0)
    supervisor_fail (self, ROAST_WIRE_STAGE_SETUP, errno);

  self->accounting =
      (CpuAccounting) { .out = &self->out, .tree = &self->tree, .tick_us = 1000000 / sysconf (_SC_CLK_TCK) };
  sampler_init (&self->sampler, &self->accounting, &self->clocks, &self->options);
}

int
main (int argc, char **argv)
{
  static Supervisor self;

  if (!options_parse (argc, argv, &self.options))
    {
      fputs ("roast-supervisor: this program is started only by the roast library; see roast-run(1)\n", stderr);
      return 125;
    }
  set_up (&self);
  if (self.options.attach_pid != 0)
    supervisor_attach (&self);
  else
    supervisor_launch (&self);
  run (&self);
  cgroup_destroy (self.cgroup);

  return EXIT_SUCCESS;
}
