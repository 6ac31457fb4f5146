/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Signals that the supervisor receives, and that it forwards to the program. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  sigset_t handled;
  int fd;                 /* readable when a signal is pending */
  bool ordered;           /* the last signal taken is an order by the keeper to forward it */
  int64_t received[NSIG]; /* time of the last arrival, monotonic */
  unsigned copies[NSIG];  /* received copies not yet matched with an order */
} Signals;

/* Blocks all signals and reads them from a descriptor. Includes job-control signals only if @job_control; otherwise
 * this process stops and continues with its process group. */
bool signals_init (Signals *self, bool job_control);
/* Takes the next signal. Returns 0 if there is none. Sets *from_terminal to whether the terminal sent the signal, in
 * which case the program has received it too. */
int signals_take (Signals *self, bool *from_terminal);
/* Returns whether the program already has the signal, because it was sent to the whole process group. */
bool signals_is_duplicate (Signals *self, int signum);
/* Forgets received copies of the signal, so that the next one does not count as a duplicate. */
void signals_forget (Signals *self, int signum);
