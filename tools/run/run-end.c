/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-end.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void
ignore (int signum)
{
}

/* Installs an empty handler instead of ignoring the signal: exec resets a handled signal to its default, but an ignored
 * signal stays ignored. */
static int
survive (int signum)
{
  struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };
  struct sigaction before;

  if (sigaction (signum, NULL, &before) < 0)
    return 0;
  if (before.sa_handler == SIG_IGN)
    return 1;
  sigaction (signum, &action, NULL);

  return 0;
}

int
run_end_survive_writes (void)
{
  survive (SIGXFSZ);

  return survive (SIGPIPE);
}

static void
die (int signum)
{
  struct rlimit none = { 0, 0 };
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigset_t set;

  /* Clear the dumpable flag, too, because RLIMIT_CORE has no effect if core_pattern is a command. */
  setrlimit (RLIMIT_CORE, &none);
  prctl (PR_SET_DUMPABLE, 0);
  sigaction (signum, &action, NULL);
  sigemptyset (&set);
  sigaddset (&set, signum);
  kill (getpid (), signum);
  sigprocmask (SIG_UNBLOCK, &set, NULL);
}

void
run_end_like (int wait_status)
{
  if (!WIFSIGNALED (wait_status))
    _exit (WEXITSTATUS (wait_status));
  die (WTERMSIG (wait_status));
  /* Exit as a shell would: the first process of a container cannot kill itself by a signal. */
  _exit (128 + WTERMSIG (wait_status));
}
