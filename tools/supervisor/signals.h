/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The signals that the supervisor receives and forwards to the program. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  sigset_t handled;
  int fd;                 /* descriptor from which signals are read, readable when a signal is pending */
  bool ordered;           /* whether the last signal that was taken is an order of the keeper to forward the signal */
  int64_t received[NSIG]; /* monotonic time at which the supervisor itself last received the signal */
  unsigned copies[NSIG];  /* how often the supervisor itself received the signal without an order for it */
} Signals;

/* Blocks all signals and reads them from a descriptor. Includes job-control signals only if @job_control is true.
 * Otherwise these signals stop and continue this process together with its process group. */
bool signals_init (Signals *self, bool job_control);
/* Takes the next pending signal. Returns 0 if no signal is pending. Sets *from_terminal to whether the terminal sent
 * the signal, in which case the program has received the signal, too. */
int signals_take (Signals *self, bool *from_terminal);
/* Returns whether an order to forward the signal is a duplicate, because the signal was sent to the whole process
 * group, so that both the program and the supervisor have already received it. */
bool signals_is_duplicate (Signals *self, int signum);
/* Forgets that the supervisor itself received the signal, so that the next order to forward the signal is not regarded
 * as a duplicate. */
void signals_forget (Signals *self, int signum);
