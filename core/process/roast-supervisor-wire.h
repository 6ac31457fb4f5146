/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The stream between the library and its supervisor, over one socket pair. Both ends are always from the same build,
 * which the first frame verifies, so these structures may change at any time. All numbers are in host byte order. A
 * frame consists of a header and of a payload with the length in the header. The structures have no pointers and no
 * GLib types, because the supervisor is plain C.
 *
 * Times are in µs since the epoch (UTC), durations in µs, and sizes in bytes. "Not available" is always -1, never 0. */

#include <stdint.h>

#include "roast/roast-accounting.h"

#define ROAST_WIRE_VERSION 7
#define ROAST_WIRE_MAX_FRAME (64u << 20)
#define ROAST_WIRE_MAX_COMMAND_LINE 4096u
/* Size of a process name in the kernel, including the NUL. */
#define ROAST_WIRE_COMMAND_LENGTH 16

typedef struct
{
  uint32_t type;
  uint32_t length;
} RoastWireHeader;

/* Frames from the supervisor to the library. */
enum
{
  ROAST_WIRE_HELLO = 1, /* RoastWireHello: always the first frame */
  ROAST_WIRE_LAUNCHED,  /* RoastWireLaunched: exec succeeded, or the process is followed; any frames except HELLO and
                           LAUNCH_FAILED can come later */
  ROAST_WIRE_LAUNCH_FAILED, /* RoastWireFailure: nothing runs; the stream ends */
  ROAST_WIRE_PROCESS,    /* RoastWireProcess, followed by its command line: arguments, each NUL-terminated, together at
                            most MAX_COMMAND_LINE bytes */
  ROAST_WIRE_EXEC,       /* RoastWireProcess after an exec: the process has a new name */
  ROAST_WIRE_TICK,       /* RoastWireTick, followed by its RoastWireSamples */
  ROAST_WIRE_ENDED,      /* RoastWireProcessEnd */
  ROAST_WIRE_MAIN_ENDED, /* RoastWireMainEnded: the main process ended; other processes may still run */
  ROAST_WIRE_STOPPED,    /* RoastWireStopped: a signal stopped or continued the main process */
  ROAST_WIRE_NOTE,       /* RoastWireNote, followed by its text (UTF-8, not NUL-terminated) */
  ROAST_WIRE_FINISHED,   /* RoastWireTreeEnd: always the last frame */
};

/* Frames from the library to the supervisor. */
enum
{
  ROAST_WIRE_SIGNAL = 101, /* RoastWireSignal: send a signal to the main process */
  ROAST_WIRE_DETACH, /* no payload: send the final records now and stop following; a launched program continues to run
                        and is reaped later */
};

/* Data about a process tree that are known before the tree is followed. */
typedef struct
{
  int64_t started;
  int64_t interval; /* time between two samples */
  int32_t supervisor_pid;
  uint32_t accounting; /* RoastAccounting mechanisms in force */
  double cores;        /* number of cores that the affinity mask allows */
  double cgroup_cores; /* number of cores that the quota of the control group allows */
  int64_t cgroup_memory_limit;
  int64_t host_memory;
} RoastWireInfo;

typedef struct
{
  uint32_t version;
  uint32_t record_size; /* sizeof (RoastWireTreeEnd), as a further check that both ends are from the same build */
  RoastWireInfo info;
} RoastWireHello;

typedef struct
{
  int32_t pid;
} RoastWireLaunched;

/* The step of a launch or attach that failed. */
enum
{
  ROAST_WIRE_STAGE_EXEC = 1, /* execvp of the program */
  ROAST_WIRE_STAGE_FORK,
  ROAST_WIRE_STAGE_SETUP,
  ROAST_WIRE_STAGE_ATTACH,
};

typedef struct
{
  int32_t stage;
  int32_t error; /* errno of the failure */
} RoastWireFailure;

typedef struct
{
  uint64_t id;           /* number of the process in this run, from 1; unique although pids are reused */
  uint64_t parent_id;    /* number of the parent process; 0 if the parent is outside the tree */
  int64_t started;       /* start time, with the resolution of the kernel's clock tick, 10 ms */
  int64_t pid_namespace; /* inode number of the pid namespace */
  int64_t namespace_pid; /* pid in pid_namespace, if roast runs in another namespace */
  int32_t pid;
  uint32_t uid;                            /* effective user id */
  char command[ROAST_WIRE_COMMAND_LENGTH]; /* name of the process, NUL-terminated */
} RoastWireProcess;

/* Resource usage of one process since its start, without its children. The library copies this structure as a block, so
 * the members must be in the order of RoastProcessField. */
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
  int64_t unsplit; /* CPU time that is known only as a sum of user and system time; contained neither in user nor in
                      system */
} RoastWireUsage;

typedef struct
{
  uint64_t id;
  int64_t rss;
  int64_t pss;
  int64_t pss_age; /* time since pss was read; 0 if pss was read for this sample; an older pss is scaled by the resident
                      set */
  int32_t threads;
  int32_t state; /* the kernel's letter for the state: R, S, D, T, ... */
  RoastWireUsage usage;
} RoastWireSample;

typedef struct
{
  int64_t time;
  int32_t processes; /* number of processes without zombies */
  int32_t zombies;
  int32_t threads;
  uint32_t samples; /* number of RoastWireSamples that follow, one per process that changed since its last sample */
  int64_t rss;
  int64_t pss; /* sum of all pss; for processes whose PSS was not read, their estimated share of their parent's pages */
  int64_t pss_known; /* the part of pss that was read for this sample */
  int64_t cpu;       /* CPU time of the whole tree so far, including ended processes */
  int64_t system;    /* the part of cpu spent in the kernel */
  int64_t cores;     /* number of cores that the affinity masks of the tree's processes allow */
} RoastWireTick;

/* Kinds of a peak: an exact value or a bound. The values match the vocabulary `bound`. */
enum
{
  ROAST_WIRE_PEAK_EXACT,
  ROAST_WIRE_PEAK_AT_LEAST,
  ROAST_WIRE_PEAK_AT_MOST,
};

typedef struct
{
  uint64_t id;        /* number of the process in this run; 0 if this frame stands for several processes */
  uint64_t parent_id; /* parent of the process or processes; 0 if unknown */
  int64_t ended;
  int32_t wait_status;
  int32_t status_known;
  int32_t origin; /* RoastProcessOrigin */
  uint32_t count; /* number of processes that this frame stands for; 0 if unknown */
  int64_t peak_rss;
  int64_t waited_peak_rss; /* maximum of the process's own peak and of the peaks of children that it waited for */
  int32_t peak_rss_bound;  /* a ROAST_WIRE_PEAK value for peak_rss */
  int32_t reserved;
  char command[ROAST_WIRE_COMMAND_LENGTH]; /* name of the process, NUL-terminated */
  RoastWireUsage usage;
} RoastWireProcessEnd;

typedef struct
{
  int64_t time;
  int32_t wait_status;
  int32_t status_known; /* 0 for an attached process, which is not the supervisor's child */
} RoastWireMainEnded;

typedef struct
{
  int64_t time;
  int32_t signal;
  int32_t stopped; /* 1 if the process was stopped, 0 if it continued */
} RoastWireStopped;

typedef struct
{
  int64_t time;
  int32_t severity; /* RoastSeverity */
  char kind[28];    /* kind of the note: "accounting", "gap", "clock", ...; NUL-terminated */
} RoastWireNote;

/* The usage of the tree is the sum of all RoastWireProcessEnd.usage. The library copies this structure as a block, so
 * the members must be in the order of RoastProcessTreeField. */
typedef struct
{
  int64_t ended;
  int64_t main_ended;
  int64_t elapsed;         /* time until the end of the main process, on a clock that stops during suspend */
  int64_t suspended;       /* time that the machine was suspended */
  int64_t stopped;         /* time that job control stopped the main process */
  int64_t clock_jump;      /* sum of the changes by which the wall clock was set */
  int64_t processes;       /* number of all processes that were ever in the tree */
  int64_t processes_exact; /* 1 if the member processes is exact, 0 if it is a lower bound */
  int64_t leftover;        /* number of processes that were still running */
  int64_t ticks;           /* number of samples that were taken */
  int64_t missed;          /* number of samples that were due but not taken */
  int64_t dropped;         /* number of process samples lost because the library did not read */
  int64_t wait_cpu;        /* CPU time of the tree from rusage of reaped processes */
  int64_t perf_cpu; /* lower bound of the tree's CPU time from perf, without time in interrupts and in the hypervisor */
  int64_t cgroup_cpu;         /* CPU time of the tree from the control group */
  int64_t cgroup_memory_peak; /* peak memory of the control group, including page cache */
  int64_t own_user;           /* CPU time of the supervisor itself */
  int64_t own_system;
  int64_t own_peak_rss;
  int64_t oom_kills;       /* number of kills because of the control group's memory limit */
  int64_t perf_clones;     /* number of threads and processes that started while perf wrote a record for each start */
  int64_t perf_clone_cost; /* cost to the program per perf record, in ns */
  int64_t perf_closed;     /* time when roast stopped perf records because there were too many */
  int64_t unreaped_error;  /* possible error in the CPU time of unreaped processes; 0 if exact */
  int64_t write_cancelled; /* bytes written that never reached storage, because their file was deleted before */
  int64_t main_cpu;        /* CPU time at the end of the main process, if other processes still ran at that time */
  int64_t leftover_exact;  /* 1 if the member leftover is exact, 0 if it is a lower bound */
  int64_t cores_average;   /* average number of cores that all affinity masks together allow, in millionths of a core */
  int64_t cores_least;
  int64_t cores_most;
  int64_t bound_run_queue; /* waiting for a core of threads that may not use all cores; -1 if none is known */
  int64_t bound_cores;     /* number of cores that these threads could use together; -1 if none is known */
  int64_t throttled;       /* time for which the quota kept the control group from its cores, summed over cores */
} RoastWireTreeEnd;

typedef struct
{
  int32_t signal;
} RoastWireSignal;
