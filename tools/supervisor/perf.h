/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reports every fork, name and exit in a process tree, and the CPU time of every thread that exits, using inherited
 * perf software events. This includes processes that no parent waits for. It needs no privilege where
 * kernel.perf_event_paranoid <= 2. Only opening the events shows whether they work. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Perf Perf;

typedef struct
{
  void (*forked) (void *data, int32_t pid, int32_t ppid);              /* a process, not a thread */
  void (*exited) (void *data, int32_t pid, int32_t tid, int32_t ppid); /* a thread; ppid is its parent at the exit */
  /* CPU time of a thread after its exit, except the child's first thread */
  void (*cpu) (void *data, int32_t pid, int32_t tid, int64_t ns);
  void (*lost) (void *data, uint64_t records);               /* at least this many forks or exits are missing */
  void (*named) (void *data, int32_t pid, const char *name); /* the process renamed itself or called exec */
} PerfHandler;

/* Opens the events. Call it before the child execs or forks. Returns NULL if perf is not available, and sets *why to a
 * message for the user. */
Perf *perf_open (pid_t child, const char **why);
/* Returns what helps against the failure of the last perf_open(). */
const char *perf_last_remedy (void);
/* Returns a descriptor that is readable when there are records. */
int perf_fd (Perf *perf);
/* Calls back for the records available at the time of the call, ordered by time. */
void perf_drain (Perf *perf, const PerfHandler *handler, void *data);
/* Drains for the last time, when the tree has ended. Exits without a CPU time from the kernel share the rest of the
 * sum. */
void perf_finish (Perf *perf, const PerfHandler *handler, void *data);
/* Returns the CPU time of the tree so far, µs. */
int64_t perf_total_us (Perf *perf);
/* Returns the number of threads and processes started while records were open. */
uint64_t perf_clones (const Perf *perf);
/* Returns whether the records were closed because they cost the program too much. The sum is still counted. */
bool perf_is_closed (const Perf *perf);
void perf_close (Perf *perf);

/* Measures on a helper what the events cost a tree for each thread or process that it starts. Returns ns of CPU time,
 * or -1 if that cannot be measured. @spent is the CPU time of the helper, µs. */
int64_t perf_clone_cost (int64_t *spent);
