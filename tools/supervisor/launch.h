/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Starts the program with the signals and limits that it would have without the supervisor. */

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "../run/process-state.h" /* check-source: allow rooms: both ends of one socket */

/* State of the supervisor at its start, restored for the program. */
typedef struct
{
  sigset_t mask;
  bool sigchld_ignored;
  struct rlimit files;
  ProcessState state; /* state of roast-run before plugins could change it; invalid if another application started the
                       * supervisor */
} Inherited;

/* Saves the state. Also resets SIGCHLD to its default, because the kernel keeps no exit status for a parent that
 * ignores it. */
void inherited_save (Inherited *self);

typedef struct
{
  pid_t pid;
  int go_fd;    /* writing a byte lets the child exec */
  int error_fd; /* closed by a successful exec; carries an errno otherwise */
} Launch;

bool launch_fork (Launch *self, const Inherited *inherited, char **program, bool ignore_sigpipe);
/* Lets the child exec. Returns 0, the errno of exec, or EPIPE if the child was killed before. On failure, the child has
 * been reaped. */
int launch_exec (Launch *self);
