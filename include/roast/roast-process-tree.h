/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast-process.h>

G_BEGIN_DECLS

/**
 * RoastProcessTreeField:
 * @ROAST_PROCESS_TREE_FIELD_STARTED: start of the launch or of the attach, µs since the epoch
 * @ROAST_PROCESS_TREE_FIELD_INTERVAL: time between two samples, µs
 * @ROAST_PROCESS_TREE_FIELD_SUPERVISOR_PID: process id of the supervisor
 * @ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_LIMIT: memory that the control group allows, bytes
 * @ROAST_PROCESS_TREE_FIELD_HOST_MEMORY: memory of the machine, bytes
 * @ROAST_PROCESS_TREE_FIELD_TIME: time of the last sample, µs since the epoch
 * @ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES: number of live processes at the last sample, without zombies
 * @ROAST_PROCESS_TREE_FIELD_ZOMBIES: number of processes that, at the last sample, had ended but were not reaped
 * @ROAST_PROCESS_TREE_FIELD_THREADS: number of threads of the live processes
 * @ROAST_PROCESS_TREE_FIELD_MEMORY: sum of the resident sets, bytes
 * @ROAST_PROCESS_TREE_FIELD_MEMORY_PSS: sum of the proportional sets, bytes
 * @ROAST_PROCESS_TREE_FIELD_MEMORY_PSS_READ: the part of @ROAST_PROCESS_TREE_FIELD_MEMORY_PSS that was read for this
 *   sample, bytes
 * @ROAST_PROCESS_TREE_FIELD_CPU_SYSTEM: the part of @ROAST_PROCESS_TREE_FIELD_CPU that was spent in the kernel, µs
 * @ROAST_PROCESS_TREE_FIELD_CPU: CPU time of the tree so far, including ended processes, µs
 * @ROAST_PROCESS_TREE_FIELD_ENDED: end of the measurement, µs since the epoch
 * @ROAST_PROCESS_TREE_FIELD_MAIN_ENDED: end of the main process, µs since the epoch
 * @ROAST_PROCESS_TREE_FIELD_ELAPSED: time from the start to the end of the main process, µs, on a clock that stops
 *   while the machine is suspended
 * @ROAST_PROCESS_TREE_FIELD_SUSPENDED: time for which the machine was suspended, µs
 * @ROAST_PROCESS_TREE_FIELD_STOPPED: time for which job control stopped the main process, µs
 * @ROAST_PROCESS_TREE_FIELD_CLOCK_JUMP: sum of the changes by which the wall clock was set during the run, µs; may be
 *   negative
 * @ROAST_PROCESS_TREE_FIELD_PROCESSES: number of all processes that were ever in the tree
 * @ROAST_PROCESS_TREE_FIELD_PROCESSES_EXACT: 1 if @ROAST_PROCESS_TREE_FIELD_PROCESSES is exact, 0 if it is a lower
 *   bound
 * @ROAST_PROCESS_TREE_FIELD_LEFTOVER: number of processes that were still running when the measurement ended
 * @ROAST_PROCESS_TREE_FIELD_TICKS: number of samples that were taken
 * @ROAST_PROCESS_TREE_FIELD_MISSED: number of samples that were due but not taken
 * @ROAST_PROCESS_TREE_FIELD_DROPPED: number of process samples that were lost because the library was too slow
 * @ROAST_PROCESS_TREE_FIELD_WAIT_CPU: CPU time from the rusage of reaped processes, µs
 * @ROAST_PROCESS_TREE_FIELD_PERF_CPU: CPU time from perf, µs
 * @ROAST_PROCESS_TREE_FIELD_CGROUP_CPU: CPU time from the control group, µs
 * @ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_PEAK: peak memory of the control group, including its page cache, bytes
 * @ROAST_PROCESS_TREE_FIELD_OWN_USER: CPU time of the supervisor in user mode, µs
 * @ROAST_PROCESS_TREE_FIELD_OWN_SYSTEM: CPU time of the supervisor in the kernel, µs
 * @ROAST_PROCESS_TREE_FIELD_OWN_MEMORY_PEAK: highest resident set of the supervisor, bytes
 * @ROAST_PROCESS_TREE_FIELD_OOM_KILLS: number of processes that the kernel killed because of the control group's memory
 *   limit
 * @ROAST_PROCESS_TREE_FIELD_PERF_CLONES: number of threads and processes that started while perf wrote a record for
 *   each start
 * @ROAST_PROCESS_TREE_FIELD_PERF_CLONE_COST: CPU time that each perf record cost the program, ns
 * @ROAST_PROCESS_TREE_FIELD_PERF_CLOSED: time when roast stopped the perf records because they cost too much, µs since
 *   the epoch
 * @ROAST_PROCESS_TREE_FIELD_UNREAPED_ERROR: largest possible error in the CPU time of processes that no parent waited
 *   for, µs
 * @ROAST_PROCESS_TREE_FIELD_WRITE_CANCELLED: bytes that processes wrote but that never reached storage, because the
 *   file was deleted or truncated before
 * @ROAST_PROCESS_TREE_FIELD_MAIN_CPU: CPU time of the tree when the main process ended, µs, if other processes still
 *   ran at that time
 * @ROAST_PROCESS_TREE_FIELD_LEFTOVER_EXACT: 1 if @ROAST_PROCESS_TREE_FIELD_LEFTOVER is exact, 0 if it is a lower bound
 * @ROAST_PROCESS_TREE_FIELD_CORES_AVERAGE: number of cores that the affinity masks of all processes together allowed,
 *   averaged over time, in millionths of a core
 * @ROAST_PROCESS_TREE_FIELD_CORES_LEAST: the lowest number of cores that these masks allowed at any time
 * @ROAST_PROCESS_TREE_FIELD_CORES_MOST: the highest number of cores that these masks allowed at any time
 * @ROAST_PROCESS_TREE_FIELD_BOUND_RUN_QUEUE: how long threads waited for a core, µs; only threads that may not use all
 *   cores of the launcher count
 * @ROAST_PROCESS_TREE_FIELD_BOUND_CORES: number of cores that these threads could use together
 * @ROAST_PROCESS_TREE_FIELD_THROTTLED: time for which the CPU quota kept the control group from its cores, summed over
 *   cores, µs
 *
 * A numeric field of a process tree. Fields up to @ROAST_PROCESS_TREE_FIELD_HOST_MEMORY are known from the start. Later
 * fields up to @ROAST_PROCESS_TREE_FIELD_CPU change with each sample. The other fields are known at the end.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_PROCESS_TREE_FIELD_STARTED,
  ROAST_PROCESS_TREE_FIELD_INTERVAL,
  ROAST_PROCESS_TREE_FIELD_SUPERVISOR_PID,
  ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_LIMIT,
  ROAST_PROCESS_TREE_FIELD_HOST_MEMORY,
  ROAST_PROCESS_TREE_FIELD_TIME,
  ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES,
  ROAST_PROCESS_TREE_FIELD_ZOMBIES,
  ROAST_PROCESS_TREE_FIELD_THREADS,
  ROAST_PROCESS_TREE_FIELD_MEMORY,
  ROAST_PROCESS_TREE_FIELD_MEMORY_PSS,
  ROAST_PROCESS_TREE_FIELD_MEMORY_PSS_READ,
  ROAST_PROCESS_TREE_FIELD_CPU_SYSTEM,
  ROAST_PROCESS_TREE_FIELD_CPU,
  ROAST_PROCESS_TREE_FIELD_ENDED,
  ROAST_PROCESS_TREE_FIELD_MAIN_ENDED,
  ROAST_PROCESS_TREE_FIELD_ELAPSED,
  ROAST_PROCESS_TREE_FIELD_SUSPENDED,
  ROAST_PROCESS_TREE_FIELD_STOPPED,
  ROAST_PROCESS_TREE_FIELD_CLOCK_JUMP,
  ROAST_PROCESS_TREE_FIELD_PROCESSES,
  ROAST_PROCESS_TREE_FIELD_PROCESSES_EXACT,
  ROAST_PROCESS_TREE_FIELD_LEFTOVER,
  ROAST_PROCESS_TREE_FIELD_TICKS,
  ROAST_PROCESS_TREE_FIELD_MISSED,
  ROAST_PROCESS_TREE_FIELD_DROPPED,
  ROAST_PROCESS_TREE_FIELD_WAIT_CPU,
  ROAST_PROCESS_TREE_FIELD_PERF_CPU,
  ROAST_PROCESS_TREE_FIELD_CGROUP_CPU,
  ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_PEAK,
  ROAST_PROCESS_TREE_FIELD_OWN_USER,
  ROAST_PROCESS_TREE_FIELD_OWN_SYSTEM,
  ROAST_PROCESS_TREE_FIELD_OWN_MEMORY_PEAK,
  ROAST_PROCESS_TREE_FIELD_OOM_KILLS,
  ROAST_PROCESS_TREE_FIELD_PERF_CLONES,
  ROAST_PROCESS_TREE_FIELD_PERF_CLONE_COST,
  ROAST_PROCESS_TREE_FIELD_PERF_CLOSED,
  ROAST_PROCESS_TREE_FIELD_UNREAPED_ERROR,
  ROAST_PROCESS_TREE_FIELD_WRITE_CANCELLED,
  ROAST_PROCESS_TREE_FIELD_MAIN_CPU,
  ROAST_PROCESS_TREE_FIELD_LEFTOVER_EXACT,
  ROAST_PROCESS_TREE_FIELD_CORES_AVERAGE,
  ROAST_PROCESS_TREE_FIELD_CORES_LEAST,
  ROAST_PROCESS_TREE_FIELD_CORES_MOST,
  ROAST_PROCESS_TREE_FIELD_BOUND_RUN_QUEUE,
  ROAST_PROCESS_TREE_FIELD_BOUND_CORES,
  ROAST_PROCESS_TREE_FIELD_THROTTLED,
} RoastProcessTreeField;

#define ROAST_TYPE_PROCESS_TREE (roast_process_tree_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastProcessTree, roast_process_tree, ROAST, PROCESS_TREE, GObject)

ROAST_AVAILABLE_IN_0_9
RoastAccounting roast_process_tree_get_accounting (RoastProcessTree *self);
ROAST_AVAILABLE_IN_0_9
double roast_process_tree_get_cores (RoastProcessTree *self);
ROAST_AVAILABLE_IN_0_9
double roast_process_tree_get_cgroup_cores (RoastProcessTree *self);
ROAST_AVAILABLE_IN_0_9
gint64 roast_process_tree_get_field (RoastProcessTree *self, RoastProcessTreeField field);
ROAST_AVAILABLE_IN_0_9
GPtrArray *roast_process_tree_list_processes (RoastProcessTree *self);

G_END_DECLS
