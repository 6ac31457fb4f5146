/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The signals that the supervisor receives and forwards to the program. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  sigset_t handled;
  int fd;                 /* readable when a signal is pending */
  bool ordered;           /* the last signal taken came from the keeper, as an order to forward it */
  int64_t received[NSIG]; /* time of the last arrival, monotonic */
  unsigned copies[NSIG];  /* number of received copies for which no order has arrived yet */
} Signals;

/* Blocks all signals and reads them from a descriptor. Includes job-control signals only if @job_control is true.
 * Otherwise these signals stop and continue this process together with its process group. */
bool signals_init (Signals *self, bool job_control);
/* Takes the next pending signal. Returns 0 if none is pending. Sets *from_terminal to whether the terminal sent the
 * signal. If so, the program has received the signal too. */
int signals_take (Signals *self, bool *from_terminal);
/* Returns whether the program has already received the signal, because it was sent to the whole process group. */
bool signals_is_duplicate (Signals *self, int signum);
/* Forgets the received copies of the signal, so that the next order to forward the signal does not count as a
 * duplicate. */
void signals_forget (Signals *self, int signum);
