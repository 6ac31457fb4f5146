/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Reads /proc of one process. Descriptors are kept open while there are enough: that halves the cost, and one that is
 * kept belongs to its process for good, so that a reused pid is never mistaken for it. */

#include <stdbool.h>

#include "tree.h"

typedef enum
{
  READ_OK,
  READ_GONE,
  READ_DENIED,
  READ_FAILED
} ReadResult;

/* For each file below: how many descriptors there may be at once. */
void reader_init (void);
/* Whether /proc shows the process. */
bool reader_exists (int32_t pid);
/* The directory and stat of a process not read before. */
ReadResult reader_open (Process *process);
void reader_close (Process *process);
ReadResult reader_stat (Process *process);
ReadResult reader_io (Process *process);
ReadResult reader_status (Process *process, ProcStatus *out);
ReadResult reader_pss (Process *process, int64_t *bytes);
/* Time that its threads waited for a core, µs. */
ReadResult reader_run_queue (Process *process, int64_t *us);
/* Arguments, each with a NUL after it; returns how many bytes. */
size_t reader_command_line (const Process *process, char *out, size_t size);
/* Calls back for each child of each of its threads; false if the kernel has no such lists. */
bool reader_children (Process *process, void (*child) (void *data, int32_t pid), void *data);
/* The same for this program itself. */
bool reader_own_children (void (*child) (void *data, int32_t pid), void *data);
