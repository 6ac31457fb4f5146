/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The command line of the supervisor, which the library builds:
 *
 * roast-supervisor --control-fd=N --interval=US --pss=auto|exact|off --wait=main|tree --grace=US --accounting=MASK
 * [--ignore-sigpipe] [--in-directory] (--attach=PID | -- PROGRAM [ARGUMENT...]) */

#include <stdbool.h>
#include <stdint.h>

typedef enum
{
  PSS_AUTO,
  PSS_EXACT,
  PSS_OFF
} PssMode;

typedef struct
{
  int control_fd;
  int64_t interval; /* time between two samples, µs */
  PssMode pss;
  bool wait_tree;
  int64_t grace; /* time to follow processes that outlive the main process, µs */
  uint32_t accounting;
  bool ignore_sigpipe;
  bool in_directory; /* the supervisor already runs in the program's working directory */
  int attach_pid;    /* pid of the process to attach to; 0 to launch a program */
  char **program;
} Options;

bool options_parse (int argc, char **argv, Options *out);
