/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes the final rows of processes. Their sum is the CPU time that the kernel accounted, with each µs counted once.
 *
 * For a process that the supervisor reaps, the kernel reports one exact figure that covers the process and all
 * descendants that it waited for. The stat file splits it, in clock ticks, into the process's own share and the
 * children's share. Rows already written for descendants ("booked") are subtracted. The rest of the children's time
 * belongs to processes too short to be seen, or to the last moments of others, and goes into one folded row. The
 * remainder is the process's own time.
 *
 * With perf, there is one folded row per name instead, written at the end: the sum is divided in proportion to perf's
 * times of these processes. Those times cannot be used directly, because perf keeps counting while a hypervisor has the
 * core and stops before the process does. */

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
  Unreaped *names;         /* names of processes too short to be seen; may be NULL */
  RoastWireUsage folded;   /* usage of those processes, until it is shared out */
  int64_t tick_us;         /* length of the kernel's clock tick, µs */
  int64_t cpu;             /* sum over all rows written, µs */
  int64_t wait_cpu;        /* CPU time of reaped processes according to rusage, µs */
  int64_t wait_system;     /* the part of wait_cpu spent in the kernel, µs */
  int64_t write_cancelled; /* sum over all rows of what was not written to storage after all, bytes */
  int64_t unreaped;        /* sum over the rows of processes that no parent waited for, µs */
  bool has_unreaped;       /* at least one row is about such processes */
} CpuAccounting;

/* Accounts for a process that the supervisor reaped. It must have been read as a zombie before. */
void cpu_accounting_reaped (CpuAccounting *self, Process *process, int64_t ended, int wait_status,
                            const struct rusage *usage);
/* Accounts for a process that is gone. Returns false if no parent waited for it, or for some of its descendants. */
bool cpu_accounting_vanished (CpuAccounting *self, Process *process, int64_t ended);
/* Accounts for a process that is left at the end, either running or a zombie. */
void cpu_accounting_left (CpuAccounting *self, Process *process, int64_t now);
/* Accounts for CPU time of processes that no parent waited for and that no row contains. If such processes were seen,
 * it writes a row even without CPU time, because their other counters are missing after their last sample. */
void cpu_accounting_unreaped (CpuAccounting *self, uint64_t parent_id, int64_t cpu, bool seen);
/* Shares out the folded usage. Call it after all other rows are written. */
void cpu_accounting_finish (CpuAccounting *self);
/* Gets the usage of a process so far, without booked usage. For samples. */
void cpu_accounting_usage_so_far (const CpuAccounting *self, const Process *process, RoastWireUsage *usage);
/* Returns the CPU time so far of a process and of the descendants that it waited for, µs. */
int64_t cpu_accounting_cpu_so_far (const CpuAccounting *self, const Process *process);
/* Returns the kernel part of the same time, µs. */
int64_t cpu_accounting_system_so_far (const CpuAccounting *self, const Process *process);
