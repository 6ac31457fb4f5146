/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Every fork, name and exit in a process tree, and the CPU time of every thread that exits, by inherited perf software
 * events: also of processes that nobody waits for. It needs no privilege where kernel.perf_event_paranoid <= 2; only
 * opening it shows whether it works. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Perf Perf;

typedef struct
{
  void (*forked) (void *data, int32_t pid, int32_t ppid);              /* a process, not a thread */
  void (*exited) (void *data, int32_t pid, int32_t tid, int32_t ppid); /* a thread; ppid is its parent then */
  /* CPU time of a thread, after its exit; not of the child's first thread. */
  void (*cpu) (void *data, int32_t pid, int32_t tid, int64_t ns);
  void (*lost) (void *data, uint64_t records);               /* at least so many forks or exits are missing */
  void (*named) (void *data, int32_t pid, const char *name); /* by itself or by an exec */
} PerfHandler;

/* Why perf events could not be opened, and so what could help. */
typedef enum
{
  PERF_ALLOWED,
  PERF_PARANOID,  /* kernel.perf_event_paranoid */
  PERF_FORBIDDEN, /* a container or a security module */
  PERF_NO_MEMORY, /* kernel.perf_event_mlock_kb */
  PERF_FEW_FILES,
  PERF_NO_KERNEL, /* it has none */
  PERF_OTHER,
} PerfRefusal;

/* Call it before the child execs or forks. NULL if perf is not available; *why is the reason then, for a person. */
Perf *perf_open (pid_t child, const char **why);
/* The reason of the last perf_open () that failed. */
PerfRefusal perf_last_refusal (void);
/* Readable when there are records. */
int perf_fd (Perf *perf);
/* Calls back for the records there are at the time of the call, in the order of time. */
void perf_drain (Perf *perf, const PerfHandler *handler, void *data);
/* The same for the last time, when the tree has ended. Exits without a CPU time from the kernel share the rest of the
 * sum. */
void perf_finish (Perf *perf, const PerfHandler *handler, void *data);
/* CPU time of the tree so far, µs. */
int64_t perf_total_us (Perf *perf);
/* Threads and processes that were started while their records came. */
uint64_t perf_clones (const Perf *perf);
/* Whether the records cost the program too much: they ended, and only the sum goes on. */
bool perf_is_closed (const Perf *perf);
void perf_close (Perf *perf);

/* What the events of a tree cost it for each thread or process that it starts, ns of CPU time; -1 if that cannot be
 * measured. It is measured now, on a helper; @spent is the CPU time of the helper, µs. */
int64_t perf_clone_cost (int64_t *spent);
