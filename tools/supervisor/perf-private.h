/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perf-ring.h"
#include "perf.h"

/* EXIT records of threads whose CPU time is still unknown. */
typedef struct
{
  PerfRecord *all;
  size_t n, capacity;
} Exits;

struct Perf
{
  pid_t child;
  int epoll_fd;
  int clock_fd;   /* the inherited clock, which counts the whole tree */
  int own_fd;     /* the clock of the child's first thread */
  PerfRing reads; /* the ring for READ records; its fd is -1 if the ring is not open */
  PerfRing *rings;
  int n_rings;
  PerfRecords records;
  Exits pending;   /* exits whose READ record may still come */
  Exits silent;    /* exits whose READ record will not come */
  int64_t threads; /* number of live threads */
  uint64_t clones; /* number of threads and processes started */
  bool first_exited;
  bool incomplete; /* some records are missing, so the absence of a record proves nothing */
  int64_t told;    /* CPU time in all READ records so far, ns */
  bool closed;     /* the rings were closed, so there are no more records; the clocks still run */
  uint64_t window; /* start of the window in which the cost of records is compared with the program's CPU time, ns */
  uint64_t window_clones;
  int64_t window_clock;
};

#define PERF_REASON 160

/* Explains why perf events could not be opened: returns a remedy, and writes a message for the user to @text, which has
 * PERF_REASON bytes. @level is kernel.perf_event_paranoid. */
const char *perf_explain (int error, int level, char *text);
/* Opens a new ring for READ records, also to replace a ring to which the kernel stopped writing. The ring belongs to an
 * event of the child's first thread, which must still exist. Returns 0 or an errno. */
int perf_open_reads (Perf *perf);
/* Closes the rings, so that the kernel writes no more records. The clocks keep running. */
void perf_close_records (Perf *perf);
/* Returns the time of a clock, ns. */
int64_t perf_read_clock (int fd);
