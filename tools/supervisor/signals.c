/* SPDX-License-Identifier: BSD-3-Clause */

#include "signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "../run/keeper-wire.h" /* check-source: allow rooms: both ends of one pipe */
#include "clock.h"

#define DUPLICATE_WINDOW 500000 /* µs after a signal in which an order to forward it is a duplicate */

/* SIGSEGV and similar signals are also blocked, but a fault in the supervisor's own code still ends the supervisor. */
bool
signals_init (Signals *self, bool job_control)
{
  static const int job_control_signals[] = { SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT };

  sigfillset (&self->handled);
  for (size_t i = 0; !job_control && i < sizeof job_control_signals / sizeof *job_control_signals; i++)
    sigdelset (&self->handled, job_control_signals[i]);
  sigprocmask (SIG_BLOCK, &self->handled, NULL);
  self->fd = signalfd (-1, &self->handled, SFD_CLOEXEC | SFD_NONBLOCK);

  return self->fd >= 0;
}

/* Notes that the supervisor itself received a signal. Counts each arrival of a real-time signal, because the kernel
 * queues all of them; for any other signal, the kernel keeps only one pending arrival. */
static void
note (Signals *self, int signum)
{
  self->received[signum] = monotonic_us ();
  self->copies[signum] = signum < SIGRTMIN ? 1 : self->copies[signum] + 1;
}

int
signals_take (Signals *self, bool *from_terminal)
{
  struct signalfd_siginfo info;

  do
    if (read (self->fd, &info, sizeof info) != sizeof info)
      return 0;
  /* Skip signals caused by this process's own writes, such as SIGPIPE. */
  while (info.ssi_code == SI_USER && info.ssi_pid == (uint32_t) getpid ());
  self->ordered = info.ssi_code == SI_QUEUE && info.ssi_int == KEEPER_ORDER;
  if (!self->ordered)
    note (self, (int) info.ssi_signo);
  *from_terminal = info.ssi_code == SI_KERNEL;

  return (int) info.ssi_signo;
}

bool
signals_is_duplicate (Signals *self, int signum)
{
  /* sigismember() returns -1 for an invalid signal number. */
  if (sigismember (&self->handled, signum) != 1 || self->copies[signum] == 0)
    return false;
  if (monotonic_us () - self->received[signum] >= DUPLICATE_WINDOW)
    {
      self->copies[signum] = 0;
      return false;
    }
  self->copies[signum]--;

  return true;
}

void
signals_forget (Signals *self, int signum)
{
  self->copies[signum] = 0;
}
