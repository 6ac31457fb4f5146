/* SPDX-License-Identifier: BSD-3-Clause */

#include "signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "../run/keeper-wire.h" /* check-source: allow rooms: both ends of one pipe */
#include "clock.h"

#define DUPLICATE_WINDOW 500000 /* µs */

bool
signals_init (Signals *self)
{
  static const int handled[] = {
    SIGCHLD, SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGPIPE
  };

  sigemptyset (&self->handled);
  for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
    sigaddset (&self->handled, handled[i]);
  sigprocmask (SIG_BLOCK, &self->handled, NULL);
  self->fd = signalfd (-1, &self->handled, SFD_CLOEXEC | SFD_NONBLOCK);

  return self->fd >= 0;
}

int
signals_take (Signals *self, bool *from_terminal)
{
  struct signalfd_siginfo info;

  if (read (self->fd, &info, sizeof info) != sizeof info)
    return 0;
  self->ordered = info.ssi_code == SI_QUEUE && info.ssi_int == KEEPER_ORDER;
  if (!self->ordered)
    self->received[info.ssi_signo] = monotonic_us ();
  *from_terminal = info.ssi_code == SI_KERNEL;

  return (int) info.ssi_signo;
}

bool
signals_is_duplicate (Signals *self, int signum)
{
  /* sigismember() returns -1 for what is not a signal. */
  if (sigismember (&self->handled, signum) != 1 || self->received[signum] == 0 ||
      monotonic_us () - self->received[signum] >= DUPLICATE_WINDOW)
    return false;
  self->received[signum] = 0;

  return true;
}
