/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The processes of the tree whose final rows are not written yet. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/roast-supervisor-wire.h"
#include "procfs.h"

typedef struct Process Process;

struct Process
{
  uint64_t id, parent_id;
  int32_t pid;
  int64_t started; /* µs since the epoch */
  uint32_t uid;
  int dir_fd, stat_fd, io_fd, smaps_fd, sched_fd, children_fd; /* -1: not kept open */
  int pidfd; /* returns the wait status even if the parent waited for the process; -1: not open */

  ProcStat stat; /* the last reading */
  ProcStat told; /* the reading at the last tick; stat may be newer, from the search for children */
  ProcStat base; /* the reading at an attach; earlier use does not count */
  ProcIo io, io_base;
  bool io_known, io_denied;
  bool ignores_sigchld;
  int64_t namespace_pid; /* in a PID namespace within that of /proc; -1 if it is in none */
  int64_t pid_namespace; /* inode number; -1 until read */
  bool children_final;   /* its counters of children were read after the child being removed had ended */
  int64_t faults_before; /* children_minor_faults of its parent before it was last seen */
  bool zombie;
  bool status_known;
  int wait_status;
  bool fresh; /* no sample of the process was sent yet */
  bool had_children;
  bool has_row;
  int64_t run_queue;         /* µs; -1: unknown */
  int64_t run_queue_base;    /* at an attach */
  int64_t peak_rss;          /* VmHWM in bytes as last read; -1: unknown */
  int64_t inherited_peak;    /* upper bound of its memory before its first exec; INT64_MAX: unknown */
  int64_t rss, pss;          /* bytes; pss is -1 until read */
  int64_t pss_rss, pss_read; /* the rss at the last PSS reading, and the monotonic time of its tick */
  int64_t pss_ended;         /* the monotonic time at the end of that reading; children may be forked during a tick */
  bool family_changed;       /* a child came or went, which changes the shares of the pages */
  bool pss_denied;

  RoastWireUsage booked; /* sum of the final rows of descendants that the process waited for */
  int64_t unsure_faults; /* the part of its page faults of descendants that it did not wait for if it was gone first */
  int64_t booked_cancelled; /* the same of what was not written to storage */
  RoastWireSample sent;     /* the last sample that the library got */

  Process *next; /* next process in the hash chain */
  size_t index;  /* position in Tree.all */
};

typedef struct
{
  Process **all;
  size_t n, capacity;
  Process **buckets;
  size_t n_buckets;
  uint64_t last_id; /* number of processes ever added */
} Tree;

Process *tree_find (const Tree *tree, int32_t pid);
Process *tree_add (Tree *tree, int32_t pid);
void tree_remove (Tree *tree, Process *process);
