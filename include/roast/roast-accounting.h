/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* These enumerations are shared with the supervisor, which is plain C without GLib. */

/**
 * RoastAccounting:
 * @ROAST_ACCOUNTING_WAIT: reaped processes (children, orphans, daemons) by their rusage, exactly
 * @ROAST_ACCOUNTING_RECONCILE: children that their own parents reap, by the cumulative times of these parents
 * @ROAST_ACCOUNTING_PERF: each process that ends, reaped or not, by an inherited perf task clock
 * @ROAST_ACCOUNTING_CGROUP: the whole tree by a control group of its own
 * @ROAST_ACCOUNTING_IO: I/O counters of each process
 * @ROAST_ACCOUNTING_PSS: proportional set size of each process
 * @ROAST_ACCOUNTING_RUN_QUEUE: time that each thread waits for a core
 * @ROAST_ACCOUNTING_CHILDREN: processes found by the kernel's lists of children
 *
 * How the resources that a process tree uses are accounted for. The mechanisms that a machine offers are detected at
 * run time.
 *
 * Since: 0.9
 */
typedef enum
{ /*< flags >*/
  ROAST_ACCOUNTING_WAIT = 1 << 0,
  ROAST_ACCOUNTING_RECONCILE = 1 << 1,
  ROAST_ACCOUNTING_PERF = 1 << 2,
  ROAST_ACCOUNTING_CGROUP = 1 << 3,
  ROAST_ACCOUNTING_IO = 1 << 4,
  ROAST_ACCOUNTING_PSS = 1 << 5,
  ROAST_ACCOUNTING_RUN_QUEUE = 1 << 6,
  ROAST_ACCOUNTING_CHILDREN = 1 << 7,
} RoastAccounting;

/**
 * RoastProcessOrigin:
 * @ROAST_PROCESS_ORIGIN_EXACT: the kernel's final numbers of the process, by rusage or perf
 * @ROAST_PROCESS_ORIGIN_SAMPLED: the last sample before it ended; what it used later is in a folded row of its parent
 * @ROAST_PROCESS_ORIGIN_FOLDED: the sum of several processes that are too short or too many for rows of their own
 * @ROAST_PROCESS_ORIGIN_UNREAPED: processes that nobody waited for, by perf or a control group
 * @ROAST_PROCESS_ORIGIN_RUNNING: the last sample of a process that still runs
 * @ROAST_PROCESS_ORIGIN_SHARED: the share of a command in the exact sum of all processes too short to be seen, by perf:
 *   an estimate, but the number of processes is exact
 *
 * Where the numbers of a process come from.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_PROCESS_ORIGIN_EXACT,
  ROAST_PROCESS_ORIGIN_SAMPLED,
  ROAST_PROCESS_ORIGIN_FOLDED,
  ROAST_PROCESS_ORIGIN_UNREAPED,
  ROAST_PROCESS_ORIGIN_RUNNING,
  ROAST_PROCESS_ORIGIN_SHARED,
} RoastProcessOrigin;
