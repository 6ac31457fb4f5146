/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What a process inherits beside its environment and its descriptors. Plugins may change it in their process; the
 * program gets what roast-run was started with. Plain C. */

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
  int directory; /* a descriptor; -1: none */
  int niceness;
  mode_t umask;
  bool has_cores;
  cpu_set_t cores;
  uint64_t ignored; /* bit n - 1: signal n */
  sigset_t blocked;
  struct rlimit limits[RLIM_NLIMITS];
} ProcessState;

/* Of this process. Opens its directory. */
void process_state_save (ProcessState *self);
bool process_state_is_valid (const ProcessState *self);
/* For this process, as far as its user may; the directory only if @directory. Not its signals. */
void process_state_restore (const ProcessState *self, bool directory);
/* Sets which signals are ignored and blocked, in a child that is about to exec. CHLD and PIPE are left as they are. */
void process_state_restore_signals (const ProcessState *self);
