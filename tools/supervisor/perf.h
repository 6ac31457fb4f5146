/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Every fork and exit in a process tree, and the CPU time of every thread that exits, by inherited perf software
 * events: also of processes that nobody waits for. Unprivileged where kernel.perf_event_paranoid <= 2; whether it works
 * is found out by opening it. */

#include <stdint.h>
#include <sys/types.h>

typedef struct Perf Perf;

typedef struct
{
  void (*forked) (void *data, int32_t pid);                            /* a process, not a thread */
  void (*exited) (void *data, int32_t pid, int32_t tid, int32_t ppid); /* a thread; ppid is its parent then */
  /* What a thread used, after its exit. Not of the child's first thread. */
  void (*cpu) (void *data, int32_t pid, int32_t tid, int64_t ns);
  void (*lost) (void *data, uint64_t records); /* so many, or more, forks or exits are missing */
} PerfHandler;

/* Before the child execs or forks. NULL if perf is not to be had: *why is then a text for a person. */
Perf *perf_open (pid_t child, const char **why);
/* Becomes readable when records wait. */
int perf_fd (Perf *perf);
/* Hands over what had come when it was called, in the order of time. */
void perf_drain (Perf *perf, const PerfHandler *handler, void *data);
/* The same for the last time, when the tree has ended. For exits whose CPU time the kernel did not tell it shares out
 * what is missing in the sum. */
void perf_finish (Perf *perf, const PerfHandler *handler, void *data);
/* CPU time of the tree so far, µs. */
int64_t perf_total_us (Perf *perf);
void perf_close (Perf *perf);
