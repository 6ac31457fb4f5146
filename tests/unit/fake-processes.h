/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Processes, clocks and the library's end of the stream, for tests of the supervisor. It is compiled instead of
 * tools/supervisor/reader.c, and with -Dclock_gettime=fake_clock_gettime. */

#include <glib.h>

#include "cpu-accounting.h"
#include "reader.h"
#include "sampler.h"

typedef struct
{
  gint32 pid;
  gboolean gone;
  ProcStat stat;
  ProcIo io;
  ProcStatus status;
  gint64 pss, run_queue;
  gint64 unseen; /* CPU time of threads that the reader does not see, µs */
  cpu_set_t affinity, affinity_of_threads;
  char command_line[64];
  gsize command_line_length;
  const char *groups;   /* its control groups; NULL if they cannot be read */
  gboolean is_bound;    /* it may use core 0 only, of several */
  gboolean is_in_vfork; /* it has the memory of its parent */
  ReadResult io_result, status_result, pss_result;
  guint io_reads, status_reads, pss_reads, run_queue_reads, children_reads;
} FakeProcess;

/* The clocks, µs. A reading of proportional memory takes pss_cost of the supervisor's own CPU time. */
typedef struct
{
  gint64 real, monotonic, boot, cpu, pss_cost;
} FakeClocks;

extern FakeClocks fake_clocks;

/* All clocks but the CPU's go on. */
void fake_clocks_advance (gint64 us);
void fake_clocks_reset (void);

/* A sleeping process with one thread, 1000 pages and no use of anything. */
FakeProcess *fake_process_new (gint32 pid, gint32 ppid, const char *command);
FakeProcess *fake_process_find (gint32 pid);
void fake_processes_clear (void);

/* How often files of a process were closed. */
extern guint fake_readers_closed;

/* What a FrameWriter sends. */
typedef struct
{
  FrameWriter out;
  int fd; /* the library's end */
  GByteArray *received;
} FakeLibrary;

void fake_library_set_up (FakeLibrary *library);
void fake_library_tear_down (FakeLibrary *library);
/* Forgets what came so far. */
void fake_library_forget (FakeLibrary *library);
/* The number of frames of a type, and the payload of one of them, which must be there. */
guint fake_library_count (FakeLibrary *library, guint32 type);
gconstpointer fake_library_frame (FakeLibrary *library, guint32 type, guint n, gsize *length);
