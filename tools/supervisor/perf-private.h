/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "perf-ring.h"
#include "perf.h"

/* Exits whose CPU time is not known yet. */
typedef struct
{
  PerfRecord *all;
  size_t n, capacity;
} Exits;

struct Perf
{
  pid_t child;
  int epoll_fd;
  int clock_fd;   /* the inherited clock */
  int own_fd;     /* the clock of the child's first thread */
  PerfRing reads; /* fd -1: none */
  PerfRing *rings;
  int n_rings;
  PerfRecords records;
  Exits pending;   /* READ may still come */
  Exits silent;    /* it will not */
  int64_t threads; /* that live */
  uint64_t clones; /* threads and processes that were started */
  bool first_exited;
  bool incomplete; /* records are missing: nothing follows from the absence of one */
  int64_t told;    /* ns of all READ records */
  bool closed;     /* but for the clocks */
  uint64_t window; /* of time, in which the cost of the records is compared with what the program used */
  uint64_t window_clones;
  int64_t window_clock;
};

#define PERF_REASON 160

/* Why perf events could not be opened, for a program and for a person; @level is kernel.perf_event_paranoid. @text has
 * PERF_REASON bytes. */
PerfRefusal perf_explain (int error, int level, char *text);
/* Opens a new ring for READ records, in place of one that fell silent. It belongs to an event of the child's first
 * thread, which must still be there. 0 or an errno. */
int perf_open_reads (Perf *perf);
/* Ends the records: the clocks go on. */
void perf_close_records (Perf *perf);
/* The time of a clock, ns. */
int64_t perf_read_clock (int fd);
