/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes the final rows of processes, so that their sum is the CPU time that the kernel accounted, each µs once.
 *
 * For a process that the supervisor reaps, the kernel has one exact figure for the process itself and all that it
 * waited for. The stat file splits it, in clock ticks, into the own share and that of the children. Rows that were
 * already written for descendants ("booked") are subtracted. What is then left of the children's time belongs to
 * processes too short to be seen, or to the last moments of others, and goes into one folded row. The rest is the
 * process's own.
 *
 * With perf there is one folded row per name instead, at the end: the sum is shared out by the times that perf has of
 * these processes. These times themselves go on while a hypervisor has the core, and end before the process does. */

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
  Unreaped *names;         /* of processes too short to be seen; may be NULL */
  RoastWireUsage folded;   /* of these, until they are shared out */
  int64_t tick_us;         /* of the kernel's clock */
  int64_t cpu;             /* sum over all rows written, µs */
  int64_t wait_cpu;        /* of reaped processes, by rusage, µs */
  int64_t wait_system;     /* the part of it in the kernel */
  int64_t write_cancelled; /* sum over all rows of what was not written to storage after all, bytes */
  int64_t unreaped;        /* sum over the rows of processes that nobody waited for, µs */
} CpuAccounting;

/* A process that the supervisor reaped, after it was read as a zombie. */
void cpu_accounting_reaped (CpuAccounting *self, Process *process, int64_t ended, int wait_status,
                            const struct rusage *usage);
/* A process that is gone. False if nobody waited for it, or for others below it. */
bool cpu_accounting_vanished (CpuAccounting *self, Process *process, int64_t ended);
/* A process that is left at the end: it still runs, or is a zombie. */
void cpu_accounting_left (CpuAccounting *self, Process *process, int64_t now);
/* CPU time that nobody waited for and that no row has. */
void cpu_accounting_unreaped (CpuAccounting *self, uint64_t parent_id, int64_t cpu);
/* Shares out, when all other rows are written. */
void cpu_accounting_finish (CpuAccounting *self);
/* What a process used so far, without what is booked: for samples. */
void cpu_accounting_usage_so_far (const CpuAccounting *self, const Process *process, RoastWireUsage *usage);
/* CPU time of a process and of all that it waited for, so far, µs. */
int64_t cpu_accounting_cpu_so_far (const CpuAccounting *self, const Process *process);
/* The part of it in the kernel. */
int64_t cpu_accounting_system_so_far (const CpuAccounting *self, const Process *process);
