/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The supervisor, which is plain C without GLib, also uses these enumerations. */

/**
 * RoastAccounting:
 * @ROAST_ACCOUNTING_WAIT: exact rusage of reaped processes (children, orphans, daemons)
 * @ROAST_ACCOUNTING_RECONCILE: cumulative times of processes, which include the children that they reap themselves
 * @ROAST_ACCOUNTING_PERF: an inherited perf task clock, for each process that ends, whether it is reaped or not
 * @ROAST_ACCOUNTING_CGROUP: a control group that contains only the process tree
 * @ROAST_ACCOUNTING_IO: I/O counters of each process
 * @ROAST_ACCOUNTING_PSS: proportional set size of each process
 * @ROAST_ACCOUNTING_RUN_QUEUE: time that each thread waits for a core
 * @ROAST_ACCOUNTING_CHILDREN: the kernel's lists of children, to find processes
 *
 * Mechanisms that account for the resources of a process tree. The supervisor detects at run time which mechanisms the
 * machine offers.
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
 * @ROAST_PROCESS_ORIGIN_EXACT: the kernel's final numbers of the process, from rusage or perf
 * @ROAST_PROCESS_ORIGIN_SAMPLED: the last sample before the process ended; usage after this sample is in a folded row
 *   of the parent
 * @ROAST_PROCESS_ORIGIN_FOLDED: the sum of several processes that do not have their own rows, because they were too
 *   short or too many
 * @ROAST_PROCESS_ORIGIN_UNREAPED: numbers from perf or a control group, for processes that no process waited for
 * @ROAST_PROCESS_ORIGIN_RUNNING: the last sample of a process that still runs
 * @ROAST_PROCESS_ORIGIN_SHARED: an estimate for a command: its share of perf's sum over all processes that were too
 *   short to be sampled; the sum and the number of processes are exact
 *
 * The source of a process's numbers.
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
