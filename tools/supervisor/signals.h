/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Signals that come to the supervisor, and those that it hands on to the program. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  sigset_t handled;
  int fd;                 /* readable when a signal has come */
  bool ordered;           /* the last one that was taken is an order of the keeper to hand it on */
  int64_t received[NSIG]; /* when it last came, monotonic */
  unsigned copies[NSIG];  /* that came and were not taken into account */
} Signals;

/* Takes all signals, those of job control only if @job_control: else this process stops and goes on with its group. */
bool signals_init (Signals *self, bool job_control);
/* Takes the next signal; 0 if there is none. *from_terminal is whether the program has it as well. */
int signals_take (Signals *self, bool *from_terminal);
/* Whether the program has the signal already, because it was sent to the whole process group. */
bool signals_is_duplicate (Signals *self, int signum);
/* One that came is over, and none is a duplicate of it. */
void signals_forget (Signals *self, int signum);
