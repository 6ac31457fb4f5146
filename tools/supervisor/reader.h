/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads /proc of one process. Descriptors are kept open while there are enough: that halves the cost, and a kept
 * descriptor never belongs to another process that reuses the pid. */

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

/* Finds out how many descriptors may be kept, and whose processes /proc shows. */
void reader_init (void);
/* Whether /proc is that of another PID namespace, where the same number is another process. Then nothing is read. */
bool reader_is_foreign (void);
/* Whether /proc shows the process. */
bool reader_exists (int32_t pid);
/* Reads the status of any process that /proc shows. */
bool reader_status_of (int32_t pid, ProcStatus *out);
/* Opens the directory of a new process and reads its stat. */
ReadResult reader_open (Process *process);
void reader_close (Process *process);
ReadResult reader_stat (Process *process);
ReadResult reader_io (Process *process);
ReadResult reader_status (Process *process, ProcStatus *out);
ReadResult reader_pss (Process *process, int64_t *bytes);
/* Time that its threads waited for a core, µs. */
ReadResult reader_run_queue (Process *process, int64_t *us);
/* Adds the cores on which its main thread, or all its threads, may run. */
void reader_affinity (const Process *process, bool all_threads, cpu_set_t *cores);
/* Arguments, each with a NUL after it. Returns the number of bytes. */
size_t reader_command_line (const Process *process, char *out, size_t size);
/* Calls back for each child of each of its threads. */
void reader_children (Process *process, void (*child) (void *data, int32_t pid), void *data);
/* The same for the supervisor itself. */
void reader_own_children (void (*child) (void *data, int32_t pid), void *data);
