/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Starts the program with the signals and limits that it would have without the supervisor. */

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "../run/process-state.h" /* check-source: allow rooms: both ends of one socket */

/* State of the supervisor at its start, to be restored for the program. */
typedef struct
{
  sigset_t mask;
  bool sigchld_ignored;
  struct rlimit files;
  ProcessState state; /* of roast-run, before plugins could change it; not valid: of another application */
} Inherited;

/* Also takes SIGCHLD for this process: where it is ignored, the kernel keeps no status for a parent. */
void inherited_save (Inherited *self);

typedef struct
{
  pid_t pid;
  int go_fd;    /* a byte in it lets the child exec */
  int error_fd; /* closed by exec; else carries an errno */
} Launch;

bool launch_fork (Launch *self, const Inherited *inherited, char **program, bool ignore_sigpipe);
/* Lets it exec. 0, or the errno of exec, or EPIPE if it was killed before: then the child has been reaped. */
int launch_exec (Launch *self);
