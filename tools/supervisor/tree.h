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
  int64_t started; /* start time of the process, µs since the epoch */
  uint32_t uid;
  int dir_fd, stat_fd, io_fd, smaps_fd, sched_fd, children_fd; /* files in /proc; -1 if not open */
  int pidfd; /* shows the wait status even after the parent waited for the process; -1 if not open */

  ProcStat stat; /* stat file at the last reading */
  ProcStat told; /* stat file at the last tick; stat may be newer, because the search for children reads the file */
  ProcStat base; /* stat file at the attach, to subtract earlier usage; otherwise zero */
  ProcIo io, io_base;
  bool io_known, io_denied;
  bool ignores_sigchld;
  int64_t namespace_pid; /* pid in a PID namespace nested in the namespace of /proc; -1 if there is no such pid */
  int64_t pid_namespace; /* inode number of the PID namespace of the process; -1 until read */
  bool children_final;   /* stat was read after the end of the child that is being removed, so it includes that child */
  int64_t faults_before; /* children_minor_faults of the parent, read before this process was last seen */
  bool zombie;
  bool status_known;
  int wait_status;
  bool fresh; /* no sample of the process was sent yet */
  bool had_children;
  bool has_row;
  int64_t run_queue;         /* time for which threads of the process waited for a core, µs; -1 if unknown */
  ProcQueue living;          /* sums over the threads that lived at the last reading, µs */
  int64_t bound;             /* part of living.wait of threads that may not use all cores of roast-run, µs */
  int64_t seen_cpu;          /* CPU time of threads whose waiting is part of run_queue, µs; -1 if unknown */
  int64_t unseen_cpu;        /* CPU time of other threads until the last tick, µs */
  int64_t run_queue_base;    /* value of run_queue at the attach */
  int64_t peak_rss;          /* VmHWM in bytes at the last reading; -1 if unknown */
  int64_t inherited_peak;    /* upper bound of the memory before the first exec, bytes; INT64_MAX if unknown */
  int64_t rss, pss;          /* resident and proportional set size, bytes; pss is -1 until read */
  int64_t pss_rss, pss_read; /* value of rss at the last PSS reading, and monotonic time of the tick of this reading */
  int64_t pss_ended;         /* monotonic time after the last PSS reading, because the process may fork during a tick */
  bool family_changed;       /* a child started or ended since the last PSS reading, so that the PSS has changed */
  bool pss_denied;

  RoastWireUsage booked;    /* usage in the final rows of descendants that the process waited for */
  int64_t unsure_faults;    /* page faults of children that vanished together with the process, perhaps unreaped */
  int64_t booked_cancelled; /* bytes in the rows of booked that were counted as written but never reached storage */
  RoastWireSample sent;     /* the last sample that was sent to the library */

  Process *next; /* next process in the hash chain */
  size_t index;  /* position in Tree.all */
};

typedef struct
{
  Process **all;
  size_t n, capacity;
  Process **buckets;
  size_t n_buckets;
  uint64_t last_id; /* id of the last process; also the number of processes that were ever added */
} Tree;

Process *tree_find (const Tree *tree, int32_t pid);
Process *tree_add (Tree *tree, int32_t pid);
void tree_remove (Tree *tree, Process *process);
