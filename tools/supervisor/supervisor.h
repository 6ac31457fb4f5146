/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The state of the supervisor, which its three parts share: start.c starts the program, the loop in main.c measures the
 * program, and finish.c sends the final records. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgroup.h"
#include "clock.h"
#include "launch.h"
#include "options.h"
#include "orders.h"
#include "sampler.h"
#include "signals.h"
#include "ticker.h"
#include "unreaped.h"

typedef struct
{
  Options options;
  Inherited inherited;
  FrameWriter out;
  Orders orders;
  Clocks clocks;
  Ticker ticker;
  Signals signals;
  Tree tree;
  CpuAccounting accounting;
  Sampler sampler;
  Unreaped *unreaped;
  Cgroup *cgroup;
  int epoll_fd, pidfd; /* epoll descriptor, and pidfd of the attached process */

  pid_t main_pid;
  uint64_t main_id;
  bool said_hello;
  bool main_gone;
  int status_fd;               /* socket to the keeper, which outlives the library; -1 if there is no keeper */
  bool finished;               /* the last record was sent */
  int64_t started, main_ended; /* monotonic times */
  int64_t main_cpu; /* CPU time of the tree when the main process ended; -1 if no other processes ran at that time */
  int64_t stopped_since, stopped;
  int64_t perf_closed; /* time when perf records were stopped; -1 if they were not stopped */
  int64_t helper_cpu;  /* CPU time of the helper that measured perf's cost, µs */
  CgroupLimits limits; /* limits of the supervisor's control group at the launch */
  bool left_cgroup;    /* some processes left the control group of the program */
  int64_t oom_kills;   /* number of OOM kills in the control group before the launch; -1 if unknown */
  int64_t throttled;   /* as cgroup_read_throttled () at the start */
} Supervisor;

typedef enum
{
  NOTE_INFO,
  NOTE_WARNING,
} NoteSeverity;

/* Sends an event for the recording. @kind is for programs, @text for human readers. */
void supervisor_note (Supervisor *self, NoteSeverity severity, const char *kind, const char *text);
/* Tells the keeper, which outlives the library, that the program runs or has ended. */
void supervisor_tell_status (const Supervisor *self, bool ended, int wait_status);
/* Reports to the library that the program cannot be started or attached to, and exits. */
void supervisor_fail (Supervisor *self, int stage, int error) __attribute__ ((noreturn));
void supervisor_launch (Supervisor *self);
void supervisor_attach (Supervisor *self);
/* Sends the final records and closes the socket. Further calls do nothing. */
void supervisor_finish (Supervisor *self);
