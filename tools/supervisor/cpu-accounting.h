/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes the final rows of processes so that their sum is what the kernel accounted, each µs once.
 *
 * The kernel gives for a process that we reap one figure, exact, for itself and all that it waited for; its stat splits
 * that, in clock ticks, into its own and its children's. Rows that were written already for descendants which it waited
 * for
 * ("booked") are taken off; what then is left of the children's time belongs to processes too short to be seen, or to
 * the last moments of those that were, and goes into one folded row; the rest is its own. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "frame-writer.h"
#include "tree.h"

typedef struct
{
  FrameWriter *out;
  Tree *tree;
  int64_t tick_us;  /* of the kernel's clock */
  int64_t cpu;      /* sum over all rows written, µs */
  int64_t wait_cpu; /* by what we reaped, µs */
  int64_t unreaped; /* in rows of processes that nobody waited for, µs */
} CpuAccounting;

/* One that came back to us: it has been read as a zombie, and waited for. */
void cpu_accounting_reaped (CpuAccounting *self, Process *process, int64_t ended, int wait_status,
                            const struct rusage *usage);
/* One that is gone: somebody else waited for it, or nobody. */
void cpu_accounting_vanished (CpuAccounting *self, Process *process, int64_t ended);
/* One that is left when the following ends: it still runs, or is a zombie. */
void cpu_accounting_left (CpuAccounting *self, Process *process, int64_t now);
/* CPU time that nobody waited for and that no row has. */
void cpu_accounting_unreaped (CpuAccounting *self, uint64_t parent_id, int64_t cpu);
/* What it used so far, without what was booked: for samples. */
void cpu_accounting_usage_so_far (const CpuAccounting *self, const Process *process, RoastWireUsage *usage);
/* CPU of it and of all that it waited for, so far, µs. */
int64_t cpu_accounting_cpu_so_far (const CpuAccounting *self, const Process *process);
