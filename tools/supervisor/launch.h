/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Starts the program so that it finds what it would have found without us. */

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* How we were started, to be handed on. */
typedef struct
{
  sigset_t mask;
  struct rlimit files;
} Inherited;

void inherited_save (Inherited *self);

typedef struct
{
  pid_t pid;
  int go_fd;    /* a byte in it lets the child exec */
  int error_fd; /* closed by exec; else carries an errno */
} Launch;

bool launch_fork (Launch *self, const Inherited *inherited, char **program, bool ignore_sigpipe);
/* Lets it exec. 0, or the errno of exec: then the child has been reaped. */
int launch_exec (Launch *self);
