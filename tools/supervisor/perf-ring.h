/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The rings in which the kernel leaves records of perf events. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_NAME_LENGTH 16 /* bytes that the kernel keeps of the name of a thread, with its NUL */

struct perf_event_mmap_page;

typedef struct
{
  uint64_t time; /* CLOCK_MONOTONIC, ns */
  size_t order;  /* in which the record was read: for equal times */
  uint32_t type; /* PERF_RECORD_FORK, _EXIT, _COMM, _READ or _LOST */
  int32_t pid, tid, ppid;
  int64_t value;               /* of READ: ns; of LOST: number of records */
  char name[PERF_NAME_LENGTH]; /* of COMM: NUL-terminated */
} PerfRecord;

typedef struct
{
  PerfRecord *all;
  size_t n, capacity;
  uint64_t lost; /* records without memory for them, or invalid ones */
} PerfRecords;

typedef struct
{
  int fd;
  struct perf_event_mmap_page *page;
  size_t page_size, size; /* of the data */
} PerfRing;

/* Maps the ring of an event and takes its descriptor; 0 or an errno. */
int perf_ring_map (PerfRing *ring, int fd, size_t pages);
void perf_ring_close (PerfRing *ring);
/* Moves all records of the ring to the end of records. */
void perf_ring_read (PerfRing *ring, PerfRecords *records);

void perf_records_sort (PerfRecords *records);
/* Removes the first n. */
void perf_records_drop (PerfRecords *records, size_t n);
