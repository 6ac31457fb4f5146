/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Starts the program with the signals and limits that it would have without the supervisor. */

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "../run/process-state.h" /* check-source: allow rooms: both ends of one socket */

/* The state of the supervisor at its start, to be restored in the program. */
typedef struct
{
  sigset_t mask;
  bool sigchld_ignored;
  struct rlimit files;
  ProcessState state; /* state of roast-run before it loaded plugins; invalid if another program started the
                       * supervisor */
} Inherited;

/* Saves the state. Also resets SIGCHLD to its default, because the kernel discards the exit status of children whose
 * parent ignores SIGCHLD. */
void inherited_save (Inherited *self);

typedef struct
{
  pid_t pid;
  int go_fd;    /* descriptor to which a byte is written to let the child exec */
  int error_fd; /* pipe from the child: a successful exec closes the pipe; after a failure, the child writes an errno
                   into it */
} Launch;

bool launch_fork (Launch *self, const Inherited *inherited, char **program, bool ignore_sigpipe);
/* Lets the child exec. Returns 0, the errno of exec, or EPIPE if the child was killed before exec. On failure, this
 * function has already reaped the child. */
int launch_exec (Launch *self);
