/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The stream between the library and its supervisor, over one socket pair. Both ends are always of the same build,
 * which the first frame proves: so these structures may change freely. Host byte order; a frame is a header and @length
 * bytes. The supervisor is plain C: no pointers and no GLib types.
 *
 * Times are µs since the epoch (UTC), durations µs, sizes bytes; -1 is "not available", never 0. */

#include <stdint.h>

#include "roast/roast-accounting.h"

#define ROAST_WIRE_VERSION 6
#define ROAST_WIRE_MAX_FRAME (64u << 20)
#define ROAST_WIRE_MAX_COMMAND_LINE 4096u
/* Bytes that the kernel keeps of the name of a process, with its NUL. */
#define ROAST_WIRE_COMMAND_LENGTH 16

typedef struct
{
  uint32_t type;
  uint32_t length;
} RoastWireHeader;

/* From the supervisor to the library. */
enum
{
  ROAST_WIRE_HELLO = 1,     /* RoastWireHello: always the first */
  ROAST_WIRE_LAUNCHED,      /* RoastWireLaunched: exec succeeded, or the process is followed; then all but HELLO and
                               LAUNCH_FAILED may come */
  ROAST_WIRE_LAUNCH_FAILED, /* RoastWireFailure: nothing runs; the stream ends */
  ROAST_WIRE_PROCESS,       /* RoastWireProcess, then its command line: arguments, each NUL-terminated, at most
                               MAX_COMMAND_LINE bytes */
  ROAST_WIRE_EXEC,          /* the same, after an exec: the process has a new name */
  ROAST_WIRE_TICK,          /* RoastWireTick, then its RoastWireSamples */
  ROAST_WIRE_ENDED,         /* RoastWireProcessEnd */
  ROAST_WIRE_MAIN_ENDED,    /* RoastWireMainEnded: the main process ended; others may be left */
  ROAST_WIRE_STOPPED,       /* RoastWireStopped: a signal stopped or continued the main process */
  ROAST_WIRE_NOTE,          /* RoastWireNote, then its text (UTF-8, not NUL-terminated) */
  ROAST_WIRE_FINISHED,      /* RoastWireTreeEnd: always the last */
};

/* From the library to the supervisor. */
enum
{
  ROAST_WIRE_SIGNAL = 101, /* RoastWireSignal: send a signal to the main process */
  ROAST_WIRE_DETACH,       /* empty: send the final records now and stop following; a launched program lives on and is
                              still reaped */
};

/* What is known of a tree before it is followed. */
typedef struct
{
  int64_t started;
  int64_t interval; /* between two samples */
  int32_t supervisor_pid;
  uint32_t accounting; /* RoastAccounting mechanisms in force */
  double cores;        /* by the affinity mask */
  double cgroup_cores; /* by the quota of the control group */
  int64_t cgroup_memory_limit;
  int64_t host_memory;
} RoastWireInfo;

typedef struct
{
  uint32_t version;
  uint32_t record_size; /* sizeof (RoastWireTreeEnd): a second proof of the build */
  RoastWireInfo info;
} RoastWireHello;

typedef struct
{
  int32_t pid;
} RoastWireLaunched;

/* The step that failed. */
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
  int32_t error; /* errno */
} RoastWireFailure;

typedef struct
{
  uint64_t id;        /* number of the process in this run, from 1; unique although pids are reused */
  uint64_t parent_id; /* 0 if the parent is outside the tree */
  int64_t started;    /* with the resolution of the kernel's clock tick, 10 ms */
  int32_t pid;
  uint32_t uid;                            /* effective user */
  char command[ROAST_WIRE_COMMAND_LENGTH]; /* NUL-terminated */
} RoastWireProcess;

/* What one process used since it started, its children not included. The library copies it as a block: the members
 * stand in the order of RoastProcessField. */
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
  int64_t unsplit; /* CPU time that is neither in user nor in system, because its split is unknown */
} RoastWireUsage;

typedef struct
{
  uint64_t id;
  int64_t rss;
  int64_t pss;
  int64_t pss_age; /* 0 if it was read for this sample; else it is scaled by the resident set */
  int32_t threads;
  int32_t state; /* the kernel's letter: R, S, D, T, ... */
  RoastWireUsage usage;
} RoastWireSample;

typedef struct
{
  int64_t time;
  int32_t processes; /* without zombies */
  int32_t zombies;
  int32_t threads;
  uint32_t samples; /* RoastWireSamples that follow: processes that changed since their last one */
  int64_t rss;
  int64_t pss;       /* with the share in its parent's pages where a process has none yet */
  int64_t pss_known; /* the part of it that was read at this sample */
  int64_t cpu;       /* of the whole tree so far, ended processes included */
  int64_t system;    /* the part of it in the kernel */
  int64_t cores;     /* by the affinity masks of its processes */
} RoastWireTick;

/* What a peak is: the words of the vocabulary `bound`. */
enum
{
  ROAST_WIRE_PEAK_EXACT,
  ROAST_WIRE_PEAK_AT_LEAST,
  ROAST_WIRE_PEAK_AT_MOST,
};

typedef struct
{
  uint64_t id;        /* 0 for a row that stands for several processes */
  uint64_t parent_id; /* parent of these processes; 0 if not known */
  int64_t ended;
  int32_t wait_status;
  int32_t status_known;
  int32_t origin; /* RoastProcessOrigin */
  uint32_t count; /* processes that the row stands for; 0 if not known */
  int64_t peak_rss;
  int64_t waited_peak_rss; /* the greatest of its own peak and of those of the processes that it waited for */
  int32_t peak_rss_bound;  /* a ROAST_WIRE_PEAK of peak_rss */
  int32_t reserved;
  char command[ROAST_WIRE_COMMAND_LENGTH]; /* NUL-terminated */
  RoastWireUsage usage;
} RoastWireProcessEnd;

typedef struct
{
  int64_t time;
  int32_t wait_status;
  int32_t status_known; /* not for an attached process, which is not our child */
} RoastWireMainEnded;

typedef struct
{
  int64_t time;
  int32_t signal;
  int32_t stopped; /* 1 stopped, 0 continued */
} RoastWireStopped;

typedef struct
{
  int64_t time;
  int32_t severity; /* RoastSeverity */
  char kind[28];    /* "accounting", "gap", "clock", "unreadable", ...: NUL-terminated */
} RoastWireNote;

/* The sum of all RoastWireProcessEnd.usage is the usage of the tree. The library copies this as a block: the members
 * stand in the order of RoastProcessTreeField. */
typedef struct
{
  int64_t ended;
  int64_t main_ended;
  int64_t elapsed;            /* to the end of the main process, on a clock that does not run in suspend */
  int64_t suspended;          /* the machine */
  int64_t stopped;            /* the main process, by job control */
  int64_t clock_jump;         /* how far the wall clock was set */
  int64_t processes;          /* ever in the tree */
  int64_t processes_exact;    /* 0 if that number is a lower bound */
  int64_t leftover;           /* processes that still ran */
  int64_t ticks;              /* samples taken */
  int64_t missed;             /* samples that were due but not taken */
  int64_t dropped;            /* process samples lost because the library did not read */
  int64_t wait_cpu;           /* CPU time of the tree by rusage of what was reaped */
  int64_t perf_cpu;           /* the same by perf */
  int64_t cgroup_cpu;         /* the same by the control group */
  int64_t cgroup_memory_peak; /* page cache included */
  int64_t own_user;           /* of the supervisor itself */
  int64_t own_system;
  int64_t own_peak_rss;
  int64_t oom_kills;       /* by the control group's limit */
  int64_t perf_clones;     /* threads and processes that started while perf had a record of each */
  int64_t perf_clone_cost; /* what that cost the program for each, ns */
  int64_t perf_closed;     /* when these records ended because they were too many */
  int64_t unreaped_error;  /* how far the CPU time of processes that nobody waited for may be off; 0 if it is exact */
  int64_t write_cancelled; /* bytes that did not reach storage, because the file was deleted before */
  int64_t main_cpu;        /* CPU time when the main process ended, if it left others that ran */
  int64_t leftover_exact;  /* 0 if there may be more processes that still ran */
  int64_t cores_average;   /* by the affinity masks of all processes together, in millionths */
  int64_t cores_least;
  int64_t cores_most;
} RoastWireTreeEnd;

typedef struct
{
  int32_t signal;
} RoastWireSignal;
