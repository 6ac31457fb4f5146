/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper-keep.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../supervisor/clock.h" /* check-source: allow rooms: plain C without a state */
#include "descriptors.h"
#include "keeper-proc.h"
#include "keeper-wire.h"
#include "run-end.h"

#define KEEPER_KEEP_PATIENCE 1 /* s; if the session has not ended this long after a request to end, it is killed */

#define ANSWER 0.1 /* s; time in which the session must answer KEEPER_QUESTION */

#define COMPUTING 4  /* time limit of a plugin that computes, divided by that of a plugin that waits */
#define SUSPICIOUS 2 /* s; after this time, a message says which plugin roast-run waits for */

typedef struct
{
  KeeperPage *page;
  int status_fd; /* socket from which the keeper reads KeeperStatus */
  pid_t session, supervisor, program;
  bool session_gone, program_gone;
  int session_status, program_status;
  int requests; /* number of INT and TERM signals, which request an end */
  int request;  /* last INT or TERM signal */
  int no_start; /* signal that arrived before the program started; 0 if none */
  double kill_at, asked_at, started_at, ended_at;
  const char *killed_because;
  char slot[KEEPER_SLOT_SIZE]; /* plugin slot that was active at the last check */
  double slot_since, slot_cpu; /* time at which the slot became active, and CPU time of the session at that time */
  double waits_since;          /* time since when the session has been waiting; 0 if it does not wait */
  bool has_told;
  char death[400]; /* text that says how and where the session died */
  int last_signal;
  bool released;     /* the keeper has closed the descriptors that it shared with the program */
  int stop;          /* last stop signal that was sent to the program */
  double stop_until; /* time until which the signal in @stop may still stop the program; 0 if no stop is expected */
  int n_stops;       /* number of the program's last stop for which this process stopped, too */
  int continues;     /* value of page->continues when the program was last stopped or continued */
} Keeper;

static double
now (void)
{
  return (double) monotonic_us () / 1e6;
}

/* Reads the records that the supervisor wrote, even if the supervisor has ended since then. */
static void
read_status (Keeper *self)
{
  KeeperStatus record;

  while (read (self->status_fd, &record, sizeof record) == sizeof record)
    {
      self->supervisor = record.supervisor;
      self->program = record.program;
      if (!record.ended)
        continue;
      self->program_gone = true;
      self->program_status = record.wait_status;
    }
}

/* Returns whether there are any measurements for a report. */
static bool
has_measured (const Keeper *self)
{
  return self->supervisor != 0 || self->page->attached || self->page->known;
}

static bool
program_runs (const Keeper *self)
{
  return self->program != 0 && !self->program_gone;
}

static bool
is_child (pid_t pid)
{
  siginfo_t info;

  return pid != 0 && waitid (P_PID, (id_t) pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Makes the supervisor forward the signal to the program. The session, which normally forwards signals, may be busy. If
 * the signal was sent to the whole process group, the supervisor ignores this order, because the program has already
 * received the signal. */
static void
order (const Keeper *self, int signum)
{
  const struct timespec moment = { 0, 2000000 };
  const union sigval value = { .sival_int = KEEPER_ORDER };

  nanosleep (&moment, NULL);
  sigqueue (self->supervisor, signum, value);
}

/* Returns whether the session will start a program, but has not started it yet. */
static bool
is_starting (const Keeper *self)
{
  return self->page->launches && self->program == 0 && !self->page->finished;
}

static void
kill_in (Keeper *self, double seconds, const char *because)
{
  if (self->kill_at != 0)
    return;
  self->kill_at = now () + seconds;
  self->killed_because = because;
}

/* Sets a deadline for the end of the session after the signal, because code of a plugin may keep the session from
 * ending. */
static void
keeper_keep_end_start (Keeper *self, int signum)
{
  self->no_start = signum;
  kill_in (self, KEEPER_KEEP_PATIENCE, "the measuring process did not end after a signal");
}

/* Restarts the clocks of the time limits, so that time during which roast-run was stopped does not count. */
static void
restart_clocks (Keeper *self)
{
  self->started_at = now ();
  if (self->ended_at != 0)
    self->ended_at = self->started_at;
}

static void
keeper_keep_count_request (Keeper *self, int signum)
{
  self->requests++;
  self->request = signum;
  if (self->has_told)
    kill_in (self, 0, "the measuring process still waited for a plugin when a signal requested the end");
  if (self->requests >= 2 && !program_runs (self))
    kill_in (self, KEEPER_KEEP_PATIENCE, "the measuring process did not end after a second signal");
}

/* Returns whether the kernel sends this signal to all processes of the group. The kernel does so for keys typed on a
 * terminal and for other terminal events. There are three exceptions. If the terminal hangs up, only the session leader
 * gets HUP and CONT. If an alarm was set before roast-run was started (perl -e 'alarm 10; exec …'), only this process
 * gets ALRM. The CPU time limit (XCPU) applies to each process separately. */
static bool
reaches_group (int signum)
{
  switch (signum)
    {
    case SIGINT:
    case SIGQUIT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGWINCH:
    case SIGXCPU:
      return true;
    case SIGHUP:
    case SIGCONT:
      return getsid (0) != getpid ();
    default:
      return false;
    }
}

/* Returns whether this signal ends or stops a process by default. Returns false if the signal was ignored when
 * roast-run was started. */
static bool
is_effective (int signum)
{
  struct sigaction action;

  if (signum == SIGCONT || signum == SIGURG || signum == SIGWINCH)
    return false;

  return sigaction (signum, NULL, &action) != 0 || action.sa_handler != SIG_IGN;
}

static bool
is_stop (int signum)
{
  return signum == SIGTSTP || signum == SIGTTIN || signum == SIGTTOU;
}

/* Stops this process by the signal, which the keeper blocks at other times (except SIGSTOP, which cannot be blocked).
 * Has no effect if the process group is orphaned. */
static void
stop_by (int signum)
{
  struct sigaction by_default = { .sa_handler = SIG_DFL }, before;
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, signum);
  sigaction (signum, &by_default, &before);
  raise (signum);
  sigprocmask (SIG_UNBLOCK, &set, NULL);
  sigprocmask (SIG_BLOCK, &set, NULL);
  sigaction (signum, &before, NULL);
}

/* Stops this process and the session. This function is used while no program runs. */
static void
stop_with_session (Keeper *self, int signum)
{
  if (!is_effective (signum))
    return;
  if (!self->session_gone)
    kill (self->session, SIGSTOP);
  stop_by (signum);
  if (!self->session_gone)
    kill (self->session, SIGCONT);
  restart_clocks (self);
}

static void
take_stop (Keeper *self, int signum)
{
  self->stop = signum;
  self->stop_until = now () + KEEPER_KEEP_PATIENCE;
}

/* Returns whether the session received SIGCONT, too. If it did, the signal was sent to the whole group. Waits up to 0.1
 * s, because the session may need some time to count the signal. */
static bool
came_to_group (Keeper *self)
{
  const struct timespec moment = { 0, 1000000 };

  for (int i = 0; i < 100 && !self->session_gone && self->page->continues == self->continues; i++)
    nanosleep (&moment, NULL);
  if (self->page->continues == self->continues)
    return false;
  self->continues = self->page->continues;

  return true;
}

static void
forward (Keeper *self, int signum, bool by_kernel, pid_t sender)
{
  /* Ignore a signal that a write of this process caused. */
  if (sender == self->page->keeper)
    return;
  if (is_stop (signum) && !program_runs (self))
    {
      stop_with_session (self, signum);
      return;
    }
  self->last_signal = signum;
  if (is_stop (signum))
    take_stop (self, signum);
  else if (signum == SIGCONT)
    restart_clocks (self);
  else if (is_starting (self) && is_effective (signum))
    keeper_keep_end_start (self, signum);
  if (signum == SIGINT || signum == SIGTERM)
    keeper_keep_count_request (self, signum);
  if ((by_kernel && reaches_group (signum)) || (signum == SIGCONT && sender == self->session))
    return;
  /* Continue the session, because it may be stopped, too. The supervisor forwards SIGCONT itself. */
  if (signum == SIGCONT && !self->session_gone)
    kill (self->session, signum);
  /* If the program has already received SIGCONT, do not send a second SIGCONT: it might arrive after the next stop
   * signal and undo the stop. */
  if (signum == SIGCONT && self->stop_until == 0 && program_runs (self) &&
      (!keeper_proc_minds_continue (self->program) || came_to_group (self)))
    return;
  if (program_runs (self) && is_child (self->program))
    kill (self->program, signum);
  else if (program_runs (self))
    order (self, signum);
  else if (!self->session_gone && signum != SIGCONT)
    kill (self->session, signum);
}

static void
describe_death (Keeper *self)
{
  int status = self->session_status;
  char how[160], where[200];

  if (self->killed_because != NULL)
    snprintf (how, sizeof how, "%s and was killed", self->killed_because);
  else if (WIFSIGNALED (status))
    snprintf (how, sizeof how, "the measuring process was killed by signal %d (%s)", WTERMSIG (status),
              strsignal (WTERMSIG (status)));
  else
    snprintf (how, sizeof how, "the measuring process exited with status %d before the end of the measurement",
              WEXITSTATUS (status));
  keeper_page_describe_call (self->page,
                             self->killed_because == NULL && WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL,
                             where, sizeof where);
  snprintf (self->death, sizeof self->death, "%s%s", how, where);
}

static void
say_that_session_died (const Keeper *self)
{
  dprintf (STDERR_FILENO, "roast-run: %s: %s%s\n", self->death,
           !has_measured (self)      ? "the program was not started"
           : self->page->has_command ? "the report is made from the data that this process saved"
                                     : "there is no report",
           program_runs (self) ? ". The program continues" : "");
}

/* Finds the supervisor and the program among the children of the keeper. The keeper adopts them if their parent dies
 * before it has reported them. */
static void
find_processes (Keeper *self)
{
  if (self->supervisor == 0)
    self->supervisor = keeper_proc_find_child (self->page->keeper, true, self->session);
  if (self->program == 0 && self->page->finished && !self->page->known)
    self->program = keeper_proc_find_child (self->page->keeper, false, self->session);
}

/* Returns whether the session was ended by the last signal, because the session had no signal handlers yet. */
static bool
was_ended_by_request (const Keeper *self)
{
  return self->supervisor == 0 && WIFSIGNALED (self->session_status) &&
         WTERMSIG (self->session_status) == self->last_signal;
}

static void
on_session_gone (Keeper *self, int status)
{
  self->session_gone = true;
  self->session_status = status;
  if (self->page->finished && self->page->known)
    return;
  find_processes (self);
  if (self->page->finished || was_ended_by_request (self))
    return;
  describe_death (self);
  say_that_session_died (self);
}

static void
reap (Keeper *self)
{
  for (;;)
    {
      int status;
      pid_t pid = waitpid (-1, &status, WNOHANG);

      if (pid <= 0)
        return;
      if (pid == self->session)
        on_session_gone (self, status);
      else if (pid == self->program)
        {
          self->program_gone = true;
          self->program_status = status;
        }
    }
}

/* Kills the session. Before that, asks the session which plugin's code is running. */
static void
end_session (Keeper *self, double time)
{
  if (self->asked_at == 0)
    {
      self->asked_at = time;
      kill (self->session, KEEPER_QUESTION);
    }
  else if (time >= self->asked_at + ANSWER)
    kill (self->session, SIGKILL);
}

static void
tell_slot (Keeper *self, double seconds, const char *unit)
{
  if (self->has_told)
    return;
  self->has_told = true;
  dprintf (STDERR_FILENO,
           "roast-run: waiting for %s, at most for %.0f s%s; press Ctrl-C to make the report without that plugin\n",
           self->slot, seconds, unit);
}

/* Kills the session if a plugin takes too long. A plugin that computes gets more time than a plugin that waits, because
 * a wait may never end. */
static void
watch_slot (Keeper *self, double time)
{
  double most = self->page->patience, most_cpu = COMPUTING * most;
  bool waits = keeper_proc_is_waiting (self->session);

  if (!waits)
    self->waits_since = 0;
  else if (self->waits_since == 0)
    self->waits_since = time;
  if (waits && time >= self->waits_since + most)
    kill_in (self, 0, "the measuring process waited too long for a plugin (option --deadline)");
  else if (waits && time >= self->waits_since + SUSPICIOUS)
    tell_slot (self, most, "");
  else if (!waits && time >= self->slot_since + COMPUTING * SUSPICIOUS)
    tell_slot (self, most_cpu, " of CPU time");
  if (keeper_proc_get_cpu (self->session) >= self->slot_cpu + most_cpu)
    kill_in (self, 0, "the measuring process computed too long in a plugin (option --deadline)");
}

static void
watch_plugin (Keeper *self, double time)
{
  char slot[KEEPER_SLOT_SIZE] = "";

  if (self->ended_at == 0 || self->page->finished || !keeper_page_get_slot (self->page, slot, sizeof slot))
    slot[0] = '\0';
  if (slot[0] != '\0' && strcmp (slot, self->slot) == 0)
    {
      watch_slot (self, time);
      return;
    }
  snprintf (self->slot, sizeof self->slot, "%s", slot);
  self->slot_since = time;
  self->waits_since = 0;
  if (slot[0] != '\0')
    self->slot_cpu = keeper_proc_get_cpu (self->session);
}

static void
check_deadline (Keeper *self)
{
  double time = now (), deadline = self->page->deadline;

  if (self->session_gone)
    return;
  if (self->ended_at == 0 && self->program_gone)
    self->ended_at = time;
  if (deadline > 0 && self->ended_at != 0 && time > self->ended_at + deadline)
    kill_in (self, 0, "the measuring process did not finish in time (option --deadline)");
  if (deadline > 0 && is_starting (self) && time > self->started_at + deadline)
    kill_in (self, 0, "the measuring process did not start the program in time (option --deadline)");
  watch_plugin (self, time);
  /* Withdraw the time limit, because the program started although the signal had arrived before. */
  if (self->no_start != 0 && program_runs (self))
    {
      self->no_start = 0;
      self->kill_at = 0;
    }
  if (self->kill_at != 0 && time >= self->kill_at)
    end_session (self, time);
}

/* Decides with which wait status roast-run ends. Returns false if this is still unknown. */
static bool
decide (const Keeper *self, int *status)
{
  if (!self->session_gone)
    return false;
  if (self->page->known)
    *status = self->page->status;
  else if (self->program_gone)
    *status = self->program_status;
  else if (is_child (self->program) || is_child (self->supervisor))
    return false;
  else if (was_ended_by_request (self))
    *status = self->last_signal;
  else if (self->no_start != 0)
    *status = self->no_start;
  else if (self->requests >= 2 && self->program == 0)
    *status = self->request;
  else
    *status = RUN_END_OWN_FAILURE;

  return true;
}

/* Returns the signal that stopped the program, as the session reported it; 0 if there is none. The session reports
 * nothing if it is stopped or busy. In this case, returns a recent stop signal, which may have stopped the program. */
static int
get_stop (Keeper *self)
{
  int signum = self->session_gone ? 0 : self->page->stopped % KEEPER_STOPS;

  if (signum != 0 || self->stop_until == 0)
    return signum;
  if (now () < self->stop_until)
    return self->stop;
  /* The program was not stopped by the signal. The session may have been stopped by it, so continue the session. */
  self->stop_until = 0;
  if (!self->session_gone)
    kill (self->session, SIGCONT);

  return 0;
}

/* If the program has stopped, stops this process, too, so that the parent of roast-run sees the stop. */
static void
stop_with_program (Keeper *self)
{
  int stopped = self->page->stopped;
  int signum = get_stop (self);

  if (signum == 0 || !program_runs (self) || !keeper_proc_is_stopped (self->program))
    return;
  self->n_stops = stopped != 0 ? stopped / KEEPER_STOPS : self->n_stops + 1;
  self->continues = self->page->continues;
  self->page->stopping = true;
  if (self->page->stopped != 0 || self->stop_until != 0)
    stop_by (signum);
  self->page->stopping = false;
  /* Clear the stop, unless the program was continued in the meantime and then stopped again. */
  stopped = self->page->stopped;
  if (stopped / KEEPER_STOPS <= self->n_stops)
    atomic_compare_exchange_strong (&self->page->stopped, &stopped, 0);
  self->stop_until = 0;
  restart_clocks (self);
}

/* Returns how long to wait for the next signal. */
static struct timespec
get_turn (const Keeper *self)
{
  if (self->stop_until != 0)
    return (struct timespec) { 0, 20000000 };

  return (struct timespec) { self->kill_at == 0, 100000000 };
}

/* Returns the process that sent a signal, or 0. Only signals with the codes SI_USER, SI_TKILL and SI_QUEUE contain
 * their sender. */
static pid_t
get_sender (const siginfo_t *info)
{
  return info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE ? info->si_pid : 0;
}

static void
release_descriptors (Keeper *self)
{
  int kept[KEEPER_MAX_KEPT + 1];
  size_t n = (size_t) self->page->n_kept;

  if (!self->page->releases || self->released || n > KEEPER_MAX_KEPT)
    return;
  self->released = true;
  memcpy (kept, self->page->kept, n * sizeof *kept);
  kept[n] = self->status_fd;
  descriptors_release_all (kept, n + 1);
}

_Noreturn void
keeper_keep (KeeperPage *page, pid_t session, int fd, const sigset_t *signals)
{
  Keeper self = { .page = page, .session = session, .status_fd = fd, .started_at = now () };
  int status;

  read_status (&self);
  reap (&self);
  while (!decide (&self, &status))
    {
      const struct timespec turn = get_turn (&self);
      siginfo_t info;
      int signum = sigtimedwait (signals, &info, &turn);

      release_descriptors (&self);
      read_status (&self);
      if (signum > 0 && signum != SIGCHLD)
        forward (&self, signum, info.si_code == SI_KERNEL, get_sender (&info));
      reap (&self);
      read_status (&self);
      check_deadline (&self);
      stop_with_program (&self);
    }
  if (!page->finished && page->has_command && has_measured (&self))
    keeper_page_run_command (page, self.death, self.program_gone ? &self.program_status : NULL);
  keeper_file_end (&page->file, has_measured (&self));
  run_end_like (status);
}
