/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes the final rows of processes. The sum of all rows is the CPU time that the kernel accounted for the tree: each
 * µs is in exactly one row.
 *
 * When the supervisor reaps a process, the kernel reports one exact CPU time, which covers the process and all
 * descendants that it waited for. The stat file splits this time, in clock ticks, into the time of the process and the
 * time of its children. The usage in rows that were already written for descendants ("booked") is subtracted from the
 * time of the children. The rest of that time was used by processes that were never sampled, or by sampled processes
 * after their last sample. It is written into one folded row. The remainder of the exact time belongs to the process
 * itself.
 *
 * With perf, folded rows are written at the end instead, one row for each process name. The folded time is divided
 * among the names in proportion to the times that perf counted for the processes of each name. The times of perf are
 * not used directly, because perf keeps counting while a hypervisor has the core, and stops before the process ends. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "frame-writer.h"
#include "tree.h"
#include "unreaped.h"

typedef struct
{
  FrameWriter *out;
  Tree *tree;
  Unreaped *names;         /* names of processes that were never sampled; may be NULL */
  RoastWireUsage folded;   /* usage of the processes that were never sampled, until it is divided among their names */
  int64_t tick_us;         /* length of the kernel's clock tick, µs */
  int64_t cpu;             /* CPU time in all rows written so far, µs */
  int64_t wait_cpu;        /* CPU time of reaped processes according to rusage, µs */
  int64_t wait_system;     /* the part of wait_cpu spent in the kernel, µs */
  int64_t write_cancelled; /* bytes in all rows that were counted as written but never reached storage */
  int64_t unseen_cpu;      /* CPU time in all rows of threads that started and ended between two samples, µs */
  int64_t unreaped;        /* CPU time in the rows of processes that no parent waited for, µs */
  bool has_unreaped;       /* whether at least one row is about processes that no parent waited for */
} CpuAccounting;

/* Accounts for a process that the supervisor reaped. The process must have been read before, while it was a zombie. */
void cpu_accounting_reaped (CpuAccounting *self, Process *process, int64_t ended, int wait_status,
                            const struct rusage *usage);
/* Accounts for a process that is gone. Returns false if no parent waited for the process, or for some of its
 * descendants. */
bool cpu_accounting_vanished (CpuAccounting *self, Process *process, int64_t ended);
/* Accounts for a process that is still running or a zombie at the end. */
void cpu_accounting_left (CpuAccounting *self, Process *process, int64_t now);
/* Accounts for the CPU time of processes that no parent waited for, as far as no row contains this time. @cpu: this
 * time, µs. @seen: whether such processes were seen. If they were, writes a row even if there is no CPU time, because
 * their other counters lack the time after their last sample. */
void cpu_accounting_unreaped (CpuAccounting *self, uint64_t parent_id, int64_t cpu, bool seen);
/* Writes the folded rows. Call this function after all other rows have been written. */
void cpu_accounting_finish (CpuAccounting *self);
/* Gets the usage of a process so far, for a sample. Usage in rows that were already written for its children is not
 * included. */
void cpu_accounting_usage_so_far (const CpuAccounting *self, const Process *process, RoastWireUsage *usage);
/* Returns the CPU time of a process alone since its start, µs. */
int64_t cpu_accounting_own_cpu (const CpuAccounting *self, const Process *process);
/* Returns the CPU time so far of a process and of the descendants that it waited for, µs. */
int64_t cpu_accounting_cpu_so_far (const CpuAccounting *self, const Process *process);
/* Returns the part of cpu_accounting_cpu_so_far() that was spent in the kernel, µs. */
int64_t cpu_accounting_system_so_far (const CpuAccounting *self, const Process *process);
