/* SPDX-License-Identifier: BSD-3-Clause */

#include "process-state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x726f6173

/* Returns whether a process can change how it handles a signal. The C library reserves some signals for itself. */
static bool
is_changeable (int signum)
{
  return signum != SIGKILL && signum != SIGSTOP && (signum < 32 || signum >= SIGRTMIN);
}

void
process_state_save (ProcessState *self)
{
  *self = (ProcessState) { .magic = MAGIC, .process = getpid () };
  self->directory = open (".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  self->umask = umask (0);
  umask (self->umask);
  errno = 0;
  self->niceness = getpriority (PRIO_PROCESS, 0);
  self->has_cores = sched_getaffinity (0, sizeof self->cores, &self->cores) == 0;
  sigprocmask (SIG_SETMASK, NULL, &self->blocked);
  for (int signum = 1; signum < NSIG; signum++)
    {
      struct sigaction action;

      if (is_changeable (signum) && sigaction (signum, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        self->ignored |= UINT64_C (1) << (signum - 1);
    }
  for (int i = 0; i < RLIM_NLIMITS; i++)
    getrlimit (i, &self->limits[i]);
}

bool
process_state_is_valid (const ProcessState *self)
{
  return self->magic == MAGIC;
}

/* Restores a limit. If a hard limit was lowered, only root can raise it again. Without this right, sets the soft limit
 * as high as the hard limit allows. */
static void
restore_limit (int which, struct rlimit limit)
{
  struct rlimit now;

  if (setrlimit (which, &limit) == 0 || getrlimit (which, &now) < 0)
    return;
  now.rlim_cur = limit.rlim_cur < now.rlim_max ? limit.rlim_cur : now.rlim_max;
  setrlimit (which, &now);
}

void
process_state_restore (const ProcessState *self, bool directory)
{
  /* Ignore a failure of fchdir(). It fails only if this user has no permission to enter the directory. No code can have
   * left the directory and returned, so this process is still in it. */
  if (directory && self->directory >= 0 && fchdir (self->directory) < 0)
    errno = 0;
  umask (self->umask);
  setpriority (PRIO_PROCESS, 0, self->niceness);
  if (self->has_cores)
    sched_setaffinity (0, sizeof self->cores, &self->cores);
  for (int i = 0; i < RLIM_NLIMITS; i++)
    restore_limit (i, self->limits[i]);
}

void
process_state_restore_signals (const ProcessState *self)
{
  for (int signum = 1; signum < NSIG; signum++)
    if (is_changeable (signum) && signum != SIGCHLD && signum != SIGPIPE)
      signal (signum, (self->ignored >> (signum - 1)) & 1 ? SIG_IGN : SIG_DFL);
  sigprocmask (SIG_SETMASK, &self->blocked, NULL);
}
