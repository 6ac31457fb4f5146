/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* State that a process inherits in addition to its environment and descriptors. Plugins may change this state in their
 * process, so the program gets the state with which roast-run was started. Plain C. */

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

typedef struct
{
  uint32_t magic;
  pid_t process;
  int directory; /* descriptor of the working directory; -1 if there is none */
  int niceness;
  mode_t umask;
  bool has_cores;
  cpu_set_t cores;
  uint64_t ignored; /* set of ignored signals: bit n - 1 stands for signal n */
  sigset_t blocked;
  struct rlimit limits[RLIM_NLIMITS];
} ProcessState;

/* Saves the state of this process. The saved state includes a descriptor of the working directory. */
void process_state_save (ProcessState *self);
bool process_state_is_valid (const ProcessState *self);
/* Restores the state in this process, as far as its user is allowed to. Restores the working directory only if
 * @directory is true. Does not restore signals. */
void process_state_restore (const ProcessState *self, bool directory);
/* In a child process that is about to call exec: restores which signals are ignored and which are blocked. Leaves CHLD
 * and PIPE unchanged. */
void process_state_restore_signals (const ProcessState *self);
