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
  int dir_fd, stat_fd, io_fd, smaps_fd, sched_fd, children_fd; /* -1: not kept */

  ProcStat stat; /* the last reading */
  ProcStat told; /* the reading at the last tick; one that looks for children may be newer */
  ProcStat base; /* the reading at an attach: earlier use does not count */
  ProcIo io, io_base;
  bool io_known, io_denied;
  bool ignores_sigchld;
  bool is_init;        /* of a PID namespace */
  bool children_final; /* its counters of children were read after the end of the one that is removed */
  bool zombie;
  bool fresh; /* no sample of it was sent yet */
  bool had_children;
  bool has_row;
  int64_t run_queue;         /* µs; -1 unknown */
  int64_t run_queue_base;    /* at an attach */
  int64_t peak_rss;          /* its high-water mark as last read; -1 unknown */
  int64_t inherited_peak;    /* the memory that it had before its first exec is not more; INT64_MAX unknown */
  int64_t rss, pss;          /* bytes; pss -1 until read */
  int64_t pss_rss, pss_read; /* the rss, and the monotonic time of the tick, of that reading */
  int64_t pss_ended;         /* the monotonic time when that reading had ended: children may be forked during a tick */
  bool family_changed;       /* a child came or went, and with it a share of the pages */
  bool pss_denied;

  RoastWireUsage booked; /* sum of the final rows of descendants that it waited for */
  int64_t unsure_faults; /* the part of its page faults of descendants that it did not wait for if it was gone first */
  int64_t booked_cancelled; /* the same of what was not written to storage */
  RoastWireSample sent;     /* the last sample that the library got */

  Process *next; /* in the hash chain */
  size_t index;  /* in the array */
};

typedef struct
{
  Process **all;
  size_t n, capacity;
  Process **buckets;
  size_t n_buckets;
  uint64_t last_id; /* = number of processes that were ever added */
} Tree;

Process *tree_find (const Tree *tree, int32_t pid);
Process *tree_add (Tree *tree, int32_t pid);
void tree_remove (Tree *tree, Process *process);
