/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Ring buffers to which the kernel writes the records of perf events. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_NAME_LENGTH 16 /* bytes; maximum length of a thread's name in the kernel, including the NUL */

struct perf_event_mmap_page;

typedef struct
{
  uint64_t time; /* time of CLOCK_MONOTONIC, ns */
  size_t order;  /* position in the order of reading, for sorting records with equal times */
  uint32_t type; /* PERF_RECORD_FORK, _EXIT, _COMM, _READ or _LOST */
  int32_t pid, tid, ppid;
  int64_t value;               /* READ: CPU time of the thread, ns; LOST: number of lost records */
  char name[PERF_NAME_LENGTH]; /* COMM: NUL-terminated name */
} PerfRecord;

typedef struct
{
  PerfRecord *all;
  size_t n, capacity;
  uint64_t lost; /* number of records that were lost because they were invalid, or because there was no memory */
} PerfRecords;

typedef struct
{
  int fd;
  struct perf_event_mmap_page *page;
  size_t page_size, size; /* size of a page, and size of the data area */
} PerfRing;

/* Maps the ring of an event and takes ownership of its descriptor. Returns 0 or an errno. */
int perf_ring_map (PerfRing *ring, int fd, size_t pages);
void perf_ring_close (PerfRing *ring);
/* Moves all records of the ring to the end of the list @records. */
void perf_ring_read (PerfRing *ring, PerfRecords *records);

void perf_records_sort (PerfRecords *records);
/* Removes the first @n records from the list. */
void perf_records_drop (PerfRecords *records, size_t n);
