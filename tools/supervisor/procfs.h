/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Parses the texts of /proc files, without I/O. The parsers do not trust their input, because a process can choose any
 * name. They are tested by fuzzing. Texts end with NUL. If a text is invalid, a parser returns false and leaves the
 * result unspecified. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  char command[16]; /* comm, the text between the first '(' and the last ')', padded with NULs */
  char state;
  int32_t ppid;
  int64_t user_ticks, system_ticks;                   /* CPU time of the process alone */
  int64_t children_user_ticks, children_system_ticks; /* CPU time of waited-for children and their descendants */
  int64_t minor_faults, major_faults;                 /* page faults of the process alone */
  int64_t children_minor_faults, children_major_faults;
  int64_t threads;
  uint64_t start_ticks; /* start time of the process, since boot */
  int64_t rss_pages;
} ProcStat;

typedef struct
{
  int64_t read_chars, write_chars, read_bytes, write_bytes; /* I/O of the process and of children that it waited for */
  int64_t write_cancelled; /* bytes that were counted as written, perhaps by other processes, but deleted before they
                              reached storage */
} ProcIo;

typedef struct
{
  uint32_t uid;          /* effective user id */
  int64_t peak_rss;      /* VmHWM in bytes; -1 if missing (zombie, kernel thread) */
  bool ignores_sigchld;  /* SigIgn: SIGCHLD is ignored */
  bool catches_sigcont;  /* SigCgt: SIGCONT has a handler */
  int64_t namespace_pid; /* NSpid: pid in a PID namespace that is nested in the namespace of /proc; -1 if the process is
                            in no nested namespace */
} ProcStatus;

/* Times of one thread, or sums over the threads of a process */
typedef struct
{
  int64_t cpu;  /* CPU time */
  int64_t wait; /* time for which the thread was ready to run and waited for a core */
} ProcQueue;

/* Returns the text that follows @key at the start of a line; NULL if no line starts with @key. */
const char *proc_find_line (const char *text, const char *key);

/* Returns whether the process has ended. The state alone does not show this, because it is the state of the main
 * thread, which may end before the other threads. */
static inline bool
proc_has_ended (const ProcStat *stat)
{
  return (stat->state == 'Z' || stat->state == 'X') && stat->threads < 2;
}

bool proc_parse_stat (const char *text, ProcStat *out);
bool proc_parse_io (const char *text, ProcIo *out);
bool proc_parse_status (const char *text, ProcStatus *out);
bool proc_parse_pss (const char *text, int64_t *bytes);       /* smaps_rollup */
bool proc_parse_schedstat (const char *text, ProcQueue *out); /* ns */
/* Parses the pids of a `children` file, which returns at most 4 kB per read. *carry holds the first digits of a number
 * that was cut at the end of the previous text; set *carry to 0 before the first text. Writes at most @max pids to
 * @out, and returns their number. */
size_t proc_parse_children (const char *text, size_t length, int32_t *carry, int32_t *out, size_t max);
/* Parses the first line of /proc/stat. Sets *ticks to the time that interrupts and the hypervisor took from all cores,
 * and *busy to the time in which the cores were not idle. */
bool proc_parse_taken (const char *text, int64_t *ticks, int64_t *busy);
/* Parses the last pid in /proc/loadavg. This number changes at each fork on the machine. */
bool proc_parse_loadavg_pid (const char *text, int32_t *pid);
