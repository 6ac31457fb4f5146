/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads the /proc files of one process. Keeps the files open while enough descriptors are available, for two reasons:
 * this halves the cost, and an open file never refers to another process with the same pid. */

#include <sched.h>
#include <stdbool.h>

#include "tree.h"

typedef enum
{
  READ_OK,
  READ_GONE,
  READ_DENIED,
  READ_FAILED
} ReadResult;

/* Determines how many descriptors may be kept, and whether /proc belongs to this PID namespace. */
void reader_init (void);
/* Returns whether /proc belongs to another PID namespace, where each pid means a different process. In this case, the
 * reader reads nothing. */
bool reader_is_foreign (void);
/* Returns whether /proc shows the process. */
bool reader_exists (int32_t pid);
/* Reads the status file of any process that /proc shows, even if the process is not in the tree. */
bool reader_status_of (int32_t pid, ProcStatus *out);
/* Opens the /proc directory of a new process and reads its stat file. */
ReadResult reader_open (Process *process);
void reader_close (Process *process);
/* Gets the wait status of a process after its parent has waited for it. Returns false if the kernel does not keep the
 * status. */
bool reader_wait_status (const Process *process, int *status);
ReadResult reader_stat (Process *process);
ReadResult reader_io (Process *process);
ReadResult reader_status (Process *process, ProcStatus *out);
/* Returns the inode number of the PID namespace of the process; -1 if unknown. */
int64_t reader_pid_namespace (const Process *process);
ReadResult reader_pss (Process *process, int64_t *bytes);
/* Returns whether two processes have the same memory, as after vfork() until the child's exec. */
bool reader_shares_memory (const Process *a, const Process *b);
/* Waiting of bound threads, which are threads that may not use all cores in @own. */
typedef struct
{
  cpu_set_t own;   /* cores of roast-run */
  cpu_set_t cores; /* cores that these threads may use together */
  int64_t wait;    /* µs */
} BoundQueue;

/* Gets the sums over the living threads of the process, µs. Adds those of bound threads to @bound. */
ReadResult reader_run_queue (Process *process, ProcQueue *out, BoundQueue *bound);
/* Adds the cores on which the main thread of the process (or all its threads) may run to @cores. */
void reader_affinity (const Process *process, bool all_threads, cpu_set_t *cores);
/* Reads the file @name of the process, such as "cmdline". Returns the number of bytes; 0 if the file cannot be read. */
size_t reader_text (const Process *process, const char *name, char *out, size_t size);
/* Calls @child for each child of the process, whichever thread forked the child. */
void reader_children (Process *process, void (*child) (void *data, int32_t pid), void *data);
/* Calls @child for each child of the supervisor itself. */
void reader_own_children (void (*child) (void *data, int32_t pid), void *data);
