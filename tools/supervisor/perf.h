/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reports each fork, name and exit in a process tree, and the CPU time of each thread that exits. Uses inherited perf
 * software events, which also cover processes that no parent waits for. If kernel.perf_event_paranoid is at most 2,
 * these events need no privilege, but they may still be unavailable, which only an attempt to open them shows. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Perf Perf;

typedef struct
{
  void (*forked) (void *data, int32_t pid, int32_t ppid);              /* a process was forked, not a thread */
  void (*exited) (void *data, int32_t pid, int32_t tid, int32_t ppid); /* a thread exited; ppid: parent at the exit */
  /* called with the CPU time of a thread after its exit, except for the child's first thread */
  void (*cpu) (void *data, int32_t pid, int32_t tid, int64_t ns);
  void (*lost) (void *data, uint64_t records);               /* at least @records fork and exit records are missing */
  void (*named) (void *data, int32_t pid, const char *name); /* the process renamed itself or called exec */
} PerfHandler;

/* Opens the events. Call this function before the child execs or forks. Returns NULL if perf is not available, and sets
 * *why to a message for the user. */
Perf *perf_open (pid_t child, const char **why);
/* Returns advice for the user on how to avoid the failure of the last perf_open(). */
const char *perf_last_remedy (void);
/* Returns a descriptor that is readable when there are records. */
int perf_fd (Perf *perf);
/* Calls the handler for the records that are available at the time of the call, ordered by time. */
void perf_drain (Perf *perf, const PerfHandler *handler, void *data);
/* Calls the handler for the last records, when the tree has ended. Divides the CPU time that no READ record contains
 * among the exits that have no READ record. */
void perf_finish (Perf *perf, const PerfHandler *handler, void *data);
/* Returns the CPU time of the tree so far, µs. */
int64_t perf_total_us (Perf *perf);
/* Returns the number of threads and processes that were started while the kernel wrote records. */
uint64_t perf_clones (const Perf *perf);
/* Returns whether roast stopped the records because they cost the program too much. The CPU time of the tree is still
 * counted. */
bool perf_is_closed (const Perf *perf);
void perf_close (Perf *perf);

/* Measures the CPU time that the events cost a process tree for each thread or process that it starts. Returns the time
 * in ns, or -1 if it is unknown. A helper process does the measurement. @spent: set to the CPU time of the helper,
 * µs. */
int64_t perf_clone_cost (int64_t *spent);
