/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

/* What the supervisor says of a process tree. These structures are both the library's API for
 * observers and, byte for byte, what the supervisor (plain C, without GLib) writes down its pipe:
 * hence no pointers, no GLib types, and one definition.
 *
 * Everywhere: times are µs since the epoch (UTC), durations µs, sizes bytes, and -1 is "not available",
 * never 0. */

/**
 * RoastAccounting:
 * @ROAST_ACCOUNTING_WAIT: processes that come back to us (children, orphans, daemons) by their rusage, exactly
 * @ROAST_ACCOUNTING_RECONCILE: children that others waited for through their parents' cumulative times
 * @ROAST_ACCOUNTING_PERF: each process that ends, also those nobody waits for, by an inherited perf task clock
 * @ROAST_ACCOUNTING_CGROUP: the whole tree by a control group of its own
 * @ROAST_ACCOUNTING_IO: I/O counters of each process
 * @ROAST_ACCOUNTING_PSS: the proportional set size of each process
 * @ROAST_ACCOUNTING_RUN_QUEUE: waiting for a core, by thread
 * @ROAST_ACCOUNTING_CHILDREN: the tree by the kernel's lists of children (else by a scan of /proc)
 *
 * The mechanisms by which a process tree is accounted for; which of them are in force is found out at run time.
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
 * @ROAST_PROCESS_ORIGIN_EXACT: final numbers of the kernel for this process (rusage or perf)
 * @ROAST_PROCESS_ORIGIN_SAMPLED: the last sample before it ended; what came after is in a folded row of its parent
 * @ROAST_PROCESS_ORIGIN_FOLDED: several processes too short or too many for rows of their own
 * @ROAST_PROCESS_ORIGIN_UNREAPED: processes that nobody waited for, by perf or a control group
 * @ROAST_PROCESS_ORIGIN_RUNNING: it was still running when the measurement ended
 *
 * Where the final numbers of a row of `processes` come from.
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
} RoastProcessOrigin;

/**
 * ROAST_PROCESS_COMMAND_LENGTH:
 *
 * Bytes of a process's name in #RoastProcess, its NUL included: what the kernel keeps of it.
 *
 * Since: 0.9
 */
#define ROAST_PROCESS_COMMAND_LENGTH 16

/**
 * RoastTreeInfo:
 * @started: when the following began, µs since the epoch
 * @monotonic: CLOCK_MONOTONIC at that instant, µs
 * @boottime: CLOCK_BOOTTIME at that instant, µs
 * @interval: time between two samples, µs
 * @supervisor_pid: the supervisor
 * @accounting: #RoastAccounting mechanisms in force
 * @cores: cores that the affinity mask allows
 * @cgroup_cores: cores that the control group's quota allows; -1 without a quota
 * @cgroup_memory_limit: memory that the control group allows, bytes; -1 without a limit
 * @host_memory: memory of the machine, bytes
 *
 * What is known of a tree when its following begins.
 *
 * Since: 0.9
 */
typedef struct
{
  int64_t started;
  int64_t monotonic;
  int64_t boottime;
  int64_t interval;
  int32_t supervisor_pid;
  uint32_t accounting;
  double cores;
  double cgroup_cores;
  int64_t cgroup_memory_limit;
  int64_t host_memory;
} RoastTreeInfo;

/**
 * RoastProcess:
 * @id: number of this process in this run, from 1; unique although pids are reused
 * @parent_id: number of its parent; 0 if the parent is outside the tree
 * @started: when it started, µs since the epoch (resolution of the kernel's clock tick, 10 ms)
 * @pid: process id in our pid namespace
 * @ppid: pid of its parent when first seen
 * @uid: effective user
 * @reserved: zero
 * @command: the kernel's name of it (comm), NUL-terminated
 *
 * A process, when it is first seen and again after each exec.
 *
 * Since: 0.9
 */
typedef struct
{
  uint64_t id;
  uint64_t parent_id;
  int64_t started;
  int32_t pid;
  int32_t ppid;
  uint32_t uid;
  uint32_t reserved;
  char command[ROAST_PROCESS_COMMAND_LENGTH];
} RoastProcess;

/**
 * RoastProcessUsage:
 * @user: CPU time in user mode of this process alone, µs
 * @system: CPU time in the kernel of this process alone, µs
 * @run_queue: time its threads waited for a core, µs
 * @read_chars: bytes through read calls
 * @write_chars: bytes through write calls
 * @read_bytes: bytes fetched from storage
 * @write_bytes: bytes sent to storage
 * @minor_faults: page faults without I/O
 * @major_faults: page faults with I/O
 * @voluntary_switches: context switches because it waited
 * @involuntary_switches: context switches because its time was up
 *
 * What a process used since it started; -1 where not available.
 *
 * Since: 0.9
 */
typedef struct
{
  int64_t user;
  int64_t system;
  int64_t run_queue;
  int64_t read_chars;
  int64_t write_chars;
  int64_t read_bytes;
  int64_t write_bytes;
  int64_t minor_faults;
  int64_t major_faults;
  int64_t voluntary_switches;
  int64_t involuntary_switches;
} RoastProcessUsage;

/**
 * RoastProcessSample:
 * @id: number of the process
 * @rss: resident set, bytes: counts shared pages in each process
 * @pss: proportional set, bytes: shared pages divided among those who share them
 * @pss_age: how old the reading behind @pss is, µs: 0 if read at this sample, else @pss is scaled by @rss
 * @threads: number of threads
 * @state: the kernel's letter: R, S, D, Z, T, ...
 * @usage: what it used so far
 *
 * A process at one time.
 *
 * Since: 0.9
 */
typedef struct
{
  uint64_t id;
  int64_t rss;
  int64_t pss;
  int64_t pss_age;
  int32_t threads;
  int32_t state;
  RoastProcessUsage usage;
} RoastProcessSample;

/**
 * RoastTreeSample:
 * @time: when, µs since the epoch
 * @monotonic: CLOCK_MONOTONIC, µs
 * @processes: processes that live (zombies not counted)
 * @zombies: processes that ended and were not waited for yet
 * @threads: threads of those that live
 * @samples: how many #RoastProcessSample come with it: those that changed since their last
 * @rss: sum of the resident sets, bytes
 * @pss: sum of the proportional sets, bytes; resident sets where a process has none yet
 * @pss_known: how much of @pss was really read (not scaled, not replaced), bytes
 * @cpu: CPU time of the whole tree so far, ended processes included, µs
 * @missed: samples that were due and could not be taken, so far
 * @reserved: zero
 *
 * The whole tree at one time.
 *
 * Since: 0.9
 */
typedef struct
{
  int64_t time;
  int64_t monotonic;
  int32_t processes;
  int32_t zombies;
  int32_t threads;
  uint32_t samples;
  int64_t rss;
  int64_t pss;
  int64_t pss_known;
  int64_t cpu;
  uint32_t missed;
  uint32_t reserved;
} RoastTreeSample;

/**
 * RoastProcessEnd:
 * @id: number of the process; 0 for a folded row
 * @parent_id: number of its parent; for a folded row, of the parent of the processes in it; 0 if unknown
 * @ended: when it ended, µs since the epoch; -1 for a folded row or one still running
 * @wait_status: as waitpid() gives it; meaningful if @status_known
 * @status_known: whether the status is known (it came back to us)
 * @origin: a #RoastProcessOrigin
 * @count: how many processes the row stands for; 1, but for folded rows; 0 if their number is not known
 * @peak_rss: highest resident set of the one process, bytes
 * @peak_rss_floor: 1 if @peak_rss may be inherited from before an exec (a kernel trait): then only an upper bound
 * @reserved: zero
 * @command: the kernel's name; for a folded row, of the processes in it, or empty
 * @usage: final numbers
 *
 * A process that ended, or a row that stands for several: the sum of @usage over all of these is the sum over the tree.
 *
 * Since: 0.9
 */
typedef struct
{
  uint64_t id;
  uint64_t parent_id;
  int64_t ended;
  int32_t wait_status;
  int32_t status_known;
  int32_t origin;
  uint32_t count;
  int64_t peak_rss;
  int32_t peak_rss_floor;
  int32_t reserved;
  char command[ROAST_PROCESS_COMMAND_LENGTH];
  RoastProcessUsage usage;
} RoastProcessEnd;

/**
 * RoastTreeEnd:
 * @ended: when the following ended, µs since the epoch
 * @main_ended: when the main process ended; -1 if it had not
 * @elapsed: from launch (or attach) to the end of the main process, µs, on a monotonic clock that does not run in
 * suspend
 * @suspended: how long the machine was suspended meanwhile, µs
 * @stopped: how long the main process was stopped (job control), µs
 * @clock_jump: how far the wall clock was set meanwhile, µs
 * @processes: processes of the tree, ever
 * @processes_exact: 1 if that number is exact, 0 if it is a lower bound
 * @leftover: processes that were still running when the following ended
 * @ticks: samples taken
 * @missed: samples that were due and could not be taken
 * @dropped: process samples lost because nobody read the pipe
 * @wait_cpu: CPU time by what was waited for (rusage), µs
 * @perf_cpu: CPU time of the tree by perf, µs; -1 without perf
 * @cgroup_cpu: CPU time of the tree by its control group, µs; -1 without one
 * @cgroup_memory_peak: peak of the control group's memory, page cache included, bytes; -1 without
 * @own_user: CPU time of the supervisor itself, user mode, µs
 * @own_system: the same in the kernel, µs
 * @own_peak_rss: peak resident set of the supervisor, bytes
 * @oom_kills: processes that the kernel killed for lack of memory in the control group; -1 if not known
 *
 * What is known of a tree when its following has ended.
 *
 * Since: 0.9
 */
typedef struct
{
  int64_t ended;
  int64_t main_ended;
  int64_t elapsed;
  int64_t suspended;
  int64_t stopped;
  int64_t clock_jump;
  uint64_t processes;
  uint32_t processes_exact;
  uint32_t leftover;
  uint64_t ticks;
  uint64_t missed;
  uint64_t dropped;
  int64_t wait_cpu;
  int64_t perf_cpu;
  int64_t cgroup_cpu;
  int64_t cgroup_memory_peak;
  int64_t own_user;
  int64_t own_system;
  int64_t own_peak_rss;
  int64_t oom_kills;
} RoastTreeEnd;
