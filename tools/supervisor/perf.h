/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The CPU time of a whole process tree by one inherited perf software event (task-clock) per core, with a record for each
 * fork, name, exit and exited thread's total: also of processes that nobody waits for. Unprivileged where
 * kernel.perf_event_paranoid <= 2; whether it works is found out by opening it. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Perf Perf;

typedef struct {
  void (*forked) (void *data, int32_t pid, int32_t ppid, int64_t monotonic_us);              /* a process, not a thread */
  void (*renamed) (void *data, int32_t pid, const char *command, bool exec, int64_t monotonic_us);
  void (*thread_total) (void *data, int32_t pid, int32_t tid, int64_t cpu_ns);                /* a thread that exited */
  void (*exited) (void *data, int32_t pid, int32_t ppid, int64_t monotonic_us);               /* last known of a process: its leader exited */
  void (*lost) (void *data, uint64_t records);                                                /* the ring overflowed */
} PerfHandler;

/* Before the child execs. NULL with errno set if perf is not to be had: *why is then a text for a person. */
Perf *perf_open (pid_t child, const char **why);
/* Becomes readable when records wait (an epoll fd). */
int perf_fd (Perf *perf);
void perf_drain (Perf *perf, const PerfHandler *handler, void *data);
/* CPU time of the tree so far, µs: the truth even where records were lost. */
int64_t perf_total_us (Perf *perf);
void perf_close (Perf *perf);
