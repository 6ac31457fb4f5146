/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keeper-proc.h"
#include "keeper-wire.h"
#include "run-end.h"

#define OWN_FAILURE RUN_END_EXITED (125)
#define PATIENCE 1 /* s from a second request to end until the session is killed */
#define MAX_COMMAND 4096

/* Shared by the keeper and the session. */
typedef struct
{
  pid_t keeper;
  volatile sig_atomic_t finished; /* the session has done its work */
  volatile sig_atomic_t known;    /* and this is the status: */
  volatile int status;
  char call[KEEPER_CALL_SIZE]; /* "PLUGIN SLOT" that runs, or "-PLUGIN SLOT" that ran last */
  volatile double deadline;
  volatile sig_atomic_t has_command;
  char command[MAX_COMMAND]; /* arguments, each with its NUL, then an empty one */
} Page;

/* What the keeper knows. */
typedef struct
{
  int status_fd; /* the supervisor writes into it */
  pid_t session, supervisor, program;
  bool session_gone, program_gone;
  int session_status, program_status;
  int requests; /* to end */
  int request;  /* the last one */
  double kill_at, ended_at;
  const char *killed_because;
  int last_signal;
} Keeper;

static Page *page;
static int status_fd = -1; /* of the supervisor */

static const int forwarded[] = { SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);

  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* ---- in the keeper ---- */

/* What the supervisor wrote, which may have ended since. */
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

/* The session may be busy: the supervisor passes it on, unless it came to the whole group. */
static void
order (const Keeper *self, int signum)
{
  const struct timespec moment = { 0, 2000000 };
  const union sigval value = { .sival_int = KEEPER_ORDER };

  nanosleep (&moment, NULL);
  sigqueue (self->supervisor, signum, value);
}

static void
count_request (Keeper *self, int signum)
{
  self->requests++;
  self->request = signum;
  if (self->requests >= 2 && !program_runs (self) && self->kill_at == 0)
    {
      self->kill_at = now () + PATIENCE;
      self->killed_because = "did not obey a second signal to end";
    }
}

/* The kernel sends Ctrl-C, Ctrl-\ and a hang-up to the whole group: the others have their own copy. */
static void
forward (Keeper *self, int signum, bool by_terminal)
{
  self->last_signal = signum;
  if (signum == SIGINT || signum == SIGTERM)
    count_request (self, signum);
  if (by_terminal)
    return;
  /* The session may be stopped too, and the supervisor goes on itself at this signal. */
  if (signum == SIGCONT && !self->session_gone)
    kill (self->session, signum);
  if (program_runs (self) && (signum == SIGCONT || is_child (self->program)))
    kill (self->program, signum);
  else if (program_runs (self))
    order (self, signum);
  else if (!self->session_gone)
    kill (self->session, signum);
}

/* The name of the plugin whose code is active, and of its slot; or of the last one. */
static bool
read_call (char plugin[KEEPER_CALL_SIZE], char **slot)
{
  bool active = page->call[0] != '-';

  page->call[sizeof page->call - 1] = '\0';
  memcpy (plugin, page->call + !active, sizeof page->call - !active);
  *slot = strchr (plugin, ' ');
  if (*slot == NULL)
    {
      plugin[0] = '\0';
      return false;
    }
  *(*slot)++ = '\0';

  return active;
}

static void
describe_call (char *text, size_t size)
{
  char plugin[KEEPER_CALL_SIZE], *slot;
  bool active = read_call (plugin, &slot);

  text[0] = '\0';
  if (active)
    snprintf (text, size, " in %s() of plugin %s", slot, plugin);
  else if (plugin[0] != '\0')
    snprintf (text, size, " outside of the slots of plugins (the last one was %s() of plugin %s)", slot, plugin);
}

static void
run_report_command (void)
{
  char plugin[KEEPER_CALL_SIZE], without[KEEPER_CALL_SIZE + 16], *slot;
  bool active = read_call (plugin, &slot);

  snprintf (without, sizeof without, "--without=%s", plugin);
  keeper_proc_run (page->command, active ? without : NULL, page->deadline);
}

static void
say_that_session_died (const Keeper *self)
{
  int status = self->session_status;
  char how[160], where[200];

  if (self->killed_because != NULL)
    snprintf (how, sizeof how, "%s and was killed", self->killed_because);
  else if (WIFSIGNALED (status))
    snprintf (how, sizeof how, "was killed by signal %d (%s)", WTERMSIG (status), strsignal (WTERMSIG (status)));
  else
    snprintf (how, sizeof how, "exited with status %d before its end", WEXITSTATUS (status));
  describe_call (where, sizeof where);
  dprintf (STDERR_FILENO, "roast-run: the process that measures %s%s: %s%s\n", how, where,
           self->supervisor == 0 ? "the program was not started"
           : page->has_command   ? "the report is made from what it saved"
                                 : "there is no report",
           program_runs (self) ? ". The program goes on" : "");
}

/* Those that died before they could be named have left children to the keeper. */
static void
find_processes (Keeper *self)
{
  if (self->supervisor == 0)
    self->supervisor = keeper_proc_find_child (page->keeper, true, self->session);
  if (self->program == 0 && page->finished && !page->known)
    self->program = keeper_proc_find_child (page->keeper, false, self->session);
}

/* It had not yet set up its signals. */
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
  if (page->finished && page->known)
    return;
  find_processes (self);
  if (page->finished || was_ended_by_request (self))
    return;
  say_that_session_died (self);
}

/* The session stops itself when the program alone was stopped and a shell waits: the shell waits for the keeper. */
static void
on_session_stopped (const Keeper *self, int status)
{
  if (WSTOPSIG (status) == SIGSTOP && keeper_proc_is_stopped (self->session) && keeper_proc_is_stopped (self->program))
    raise (SIGSTOP);
}

static void
reap (Keeper *self)
{
  for (;;)
    {
      int status;
      pid_t pid = waitpid (-1, &status, WNOHANG | WUNTRACED);

      if (pid <= 0)
        return;
      if (WIFSTOPPED (status))
        {
          if (pid == self->session)
            on_session_stopped (self, status);
        }
      else if (pid == self->session)
        on_session_gone (self, status);
      else if (pid == self->program)
        {
          self->program_gone = true;
          self->program_status = status;
        }
    }
}

static void
check_deadline (Keeper *self)
{
  double time = now ();

  if (self->session_gone)
    return;
  if (self->ended_at == 0 && self->program_gone)
    self->ended_at = time;
  if (self->ended_at != 0 && page->deadline > 0 && time > self->ended_at + page->deadline && self->kill_at == 0)
    {
      self->kill_at = time;
      self->killed_because = "did not finish in time (option --deadline)";
    }
  if (self->kill_at != 0 && time >= self->kill_at)
    kill (self->session, SIGKILL);
}

/* Whether it is known how roast-run ends. */
static bool
decide (const Keeper *self, int *status)
{
  if (!self->session_gone)
    return false;
  if (page->finished && page->known)
    *status = page->status;
  else if (self->program_gone)
    *status = self->program_status;
  else if (is_child (self->program) || is_child (self->supervisor))
    return false;
  else if (was_ended_by_request (self))
    *status = self->last_signal;
  else if (self->requests >= 2 && self->program == 0)
    *status = self->request;
  else
    *status = OWN_FAILURE;

  return true;
}

static _Noreturn void
keep (pid_t session, int fd, const sigset_t *signals)
{
  Keeper self = { .session = session, .status_fd = fd };
  const struct timespec second = { 1, 0 };
  int status;

  read_status (&self);
  reap (&self);
  while (!decide (&self, &status))
    {
      siginfo_t info;
      int signum = sigtimedwait (signals, &info, &second);

      read_status (&self);
      if (signum > 0 && signum != SIGCHLD)
        forward (&self, signum, info.si_code == SI_KERNEL);
      reap (&self);
      read_status (&self);
      check_deadline (&self);
    }
  if (!page->finished && page->has_command && self.supervisor != 0)
    run_report_command ();
  run_end_like (status);
}

void
keeper_start (void)
{
  struct sigaction by_default = { .sa_handler = SIG_DFL }, chld_before;
  sigset_t signals, before;
  pid_t session;
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC | O_NONBLOCK) < 0)
    return;
  page = mmap (NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    {
      page = NULL;
      close (fds[0]);
      close (fds[1]);
      return;
    }
  page->keeper = getpid ();

  sigemptyset (&signals);
  sigaddset (&signals, SIGCHLD);
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
    sigaddset (&signals, forwarded[i]);
  sigaction (SIGCHLD, &by_default, &chld_before);
  sigprocmask (SIG_BLOCK, &signals, &before);

  /* Orphans come here, not to the first process: the supervisor if the session dies, the program if both die. */
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  session = fork ();
  if (session > 0)
    {
      close (fds[1]);
      keep (session, fds[0], &signals);
    }
  close (fds[0]);
  status_fd = fds[1];
  sigaction (SIGCHLD, &chld_before, NULL);
  sigprocmask (SIG_SETMASK, &before, NULL);
  if (session < 0)
    {
      prctl (PR_SET_CHILD_SUBREAPER, 0);
      page = NULL;
    }
}

/* ---- in the session ---- */

static bool
has_keeper (void)
{
  return page != NULL && getppid () == page->keeper;
}

bool
keeper_passes (pid_t sender)
{
  return !has_keeper () || sender == page->keeper;
}

int
keeper_open_status (void)
{
  if (page == NULL || fcntl (status_fd, F_SETFD, 0) < 0)
    return -1;

  return status_fd;
}

char *
keeper_get_call (void)
{
  return page != NULL ? page->call : NULL;
}

void
keeper_set_deadline (double seconds)
{
  if (page != NULL)
    page->deadline = seconds;
}

bool
keeper_set_report_command (const char *const *command)
{
  size_t used = 0;

  if (page == NULL)
    return false;
  page->has_command = 0;
  for (; *command != NULL; command++)
    {
      size_t n = strlen (*command) + 1;

      if (n == 1 || used + n + 1 > sizeof page->command)
        return false;
      memcpy (page->command + used, *command, n);
      used += n;
    }
  page->command[used] = '\0';
  page->has_command = used > 0;

  return true;
}

bool
keeper_finish (int wait_status, bool known)
{
  if (page == NULL)
    return false;
  page->status = wait_status;
  page->known = known;
  page->finished = 1;

  return has_keeper ();
}
