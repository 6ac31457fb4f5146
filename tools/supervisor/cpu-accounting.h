/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes the final rows of processes. The sum of all rows is the CPU time that the kernel accounted for the tree. Each
 * µs is in one row only.
 *
 * When the supervisor reaps a process, the kernel reports one exact CPU time, which covers the process and all
 * descendants that it waited for. The stat file splits this time, in clock ticks, into the share of the process and the
 * share of its children. From the children's share, rows already written for descendants ("booked") are subtracted. The
 * rest of this share belongs to processes that no sample saw, or to the time of others after their last sample, and
 * goes into one folded row. The remainder of the exact time is the process's own.
 *
 * With perf, one folded row for each process name is written at the end instead. The folded time is divided among the
 * names in proportion to the times that perf counted for their processes. The times of perf cannot be used directly,
 * because perf keeps counting while a hypervisor has the core, and stops before the process ends. */

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
  Unreaped *names;         /* names of processes that no sample saw; may be NULL */
  RoastWireUsage folded;   /* usage of the processes that no sample saw, until it is divided among their names */
  int64_t tick_us;         /* length of the kernel's clock tick, µs */
  int64_t cpu;             /* CPU time in all rows written so far, µs */
  int64_t wait_cpu;        /* CPU time of reaped processes according to rusage, µs */
  int64_t wait_system;     /* the part of wait_cpu spent in the kernel, µs */
  int64_t write_cancelled; /* data of all rows that was counted but never written to storage, bytes */
  int64_t unreaped;        /* CPU time in the rows of processes that no parent waited for, µs */
  bool has_unreaped;       /* at least one row is about processes that no parent waited for */
} CpuAccounting;

/* Accounts for a process that the supervisor reaped. The process must have been read before, while it was a zombie. */
void cpu_accounting_reaped (CpuAccounting *self, Process *process, int64_t ended, int wait_status,
                            const struct rusage *usage);
/* Accounts for a process that is gone. Returns false if no parent waited for the process, or for some of its
 * descendants. */
bool cpu_accounting_vanished (CpuAccounting *self, Process *process, int64_t ended);
/* Accounts for a process that is still running or a zombie at the end. */
void cpu_accounting_left (CpuAccounting *self, Process *process, int64_t now);
/* Accounts for CPU time of processes that no parent waited for and that no row contains. If @seen says that such
 * processes exist, writes a row even without CPU time, because their other counters lack the time after their last
 * sample. */
void cpu_accounting_unreaped (CpuAccounting *self, uint64_t parent_id, int64_t cpu, bool seen);
/* Writes the folded rows. Call it after all other rows are written. */
void cpu_accounting_finish (CpuAccounting *self);
/* Gets the usage of a process so far, for a sample. Excludes usage that is in rows already written for its children. */
void cpu_accounting_usage_so_far (const CpuAccounting *self, const Process *process, RoastWireUsage *usage);
/* Returns the CPU time so far of a process and of the descendants that it waited for, µs. */
int64_t cpu_accounting_cpu_so_far (const CpuAccounting *self, const Process *process);
/* Returns the part of this CPU time that was spent in the kernel, µs. */
int64_t cpu_accounting_system_so_far (const CpuAccounting *self, const Process *process);
