/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Writes the final rows of processes so that their sum is what the kernel accounted, each µs once.
 *
 * The kernel gives for a process that we reap one figure, exact, for itself and all that it waited for; its stat splits
 * that, in clock ticks, into its own and its children's. Rows that were written already for descendants which it waited for
 * ("booked") are taken off; what then is left of the children's time belongs to processes too short to be seen, or to the
 * last moments of those that were, and goes into one folded row; the rest is its own. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "tree.h"
#include "wire-out.h"

typedef struct {
  WireOut *out;
  Tree *tree;
  int64_t tick_us; /* of the kernel's clock */
  int64_t cpu;     /* sum over all rows written, µs */
  int64_t wait_cpu; /* by what we reaped, µs */
  int64_t unwaited; /* in rows of processes that nobody waited for, µs */
} Ledger;

/* One that came back to us: it has been read as a zombie, and waited for. */
void ledger_reaped (Ledger *self, Process *process, int64_t ended, int wait_status, const struct rusage *usage);
/* One that is gone: somebody else waited for it, or nobody. */
void ledger_vanished (Ledger *self, Process *process, int64_t ended);
/* One that is left when the following ends: it still runs, or is a zombie. */
void ledger_left (Ledger *self, Process *process, int64_t now);
/* CPU time that nobody waited for and that no row has. */
void ledger_unwaited (Ledger *self, uint64_t parent_id, int64_t cpu);
/* What it used so far, without what was booked: for samples. */
void ledger_usage_so_far (const Ledger *self, const Process *process, RoastProcessUsage *usage);
/* CPU of it and of all that it waited for, so far, µs. */
int64_t ledger_cpu_so_far (const Ledger *self, const Process *process);
