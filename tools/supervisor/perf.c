/* SPDX-License-Identifier: BSD-3-Clause */

/* One event per core, since the kernel lets no inherited event that follows its task over all cores have a ring. A thread
 * that exits leaves an EXIT record in the ring of the core it was on, and after it one READ record in the ring of each core
 * with what it used there: so a batch is put in order of time before it is told. */

#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_PAGES 64 /* a power of two; fewer if the kernel gives no more */

typedef struct {
  int fd;
  struct perf_event_mmap_page *page;
  size_t size; /* of the data */
} Ring;

typedef struct {
  uint64_t time;
  uint32_t type;
  int32_t pid, tid, ppid;
  int64_t value;
} Record;

struct Perf {
  int epoll_fd;
  int n_rings;
  Ring *rings;
  Record *records;
  size_t n_records, capacity;
};

static void
close_rings (Perf *perf)
{
  for (int i = 0; i < perf->n_rings; i++)
    close (perf->rings[i].fd);
  if (perf->epoll_fd >= 0)
    close (perf->epoll_fd);
  free (perf->rings);
  free (perf);
}

static void
fill_attributes (struct perf_event_attr *attr, uint32_t watermark)
{
  memset (attr, 0, sizeof *attr);
  attr->size = sizeof *attr;
  attr->type = PERF_TYPE_SOFTWARE;
  attr->config = PERF_COUNT_SW_TASK_CLOCK;
  attr->inherit = 1;
  attr->inherit_stat = 1;
  attr->task = 1;
  attr->exclude_kernel = 1; /* what unprivileged users may; the clock runs in the kernel all the same */
  attr->exclude_hv = 1;
  attr->sample_id_all = 1;
  attr->sample_type = PERF_SAMPLE_TIME;
  attr->use_clockid = 1;
  attr->clockid = CLOCK_MONOTONIC;
  attr->watermark = 1;
  attr->wakeup_watermark = watermark;
}

static int
open_ring (Perf *perf, pid_t child, int cpu)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  struct epoll_event event = { .events = EPOLLIN };

  for (size_t pages = RING_PAGES; pages >= 1; pages /= 4)
    {
      struct perf_event_attr attr;
      Ring ring;

      fill_attributes (&attr, (uint32_t) (pages * page / 4));
      ring.fd = (int) syscall (SYS_perf_event_open, &attr, child, cpu, -1, PERF_FLAG_FD_CLOEXEC);
      if (ring.fd < 0)
        return errno;
      ring.size = pages * page;
      ring.page = mmap (NULL, ring.size + page, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
      if (ring.page == MAP_FAILED)
        {
          close (ring.fd);
          continue;
        }
      perf->rings[perf->n_rings++] = ring;
      epoll_ctl (perf->epoll_fd, EPOLL_CTL_ADD, ring.fd, &event);
      return 0;
    }

  return ENOMEM;
}

Perf *
perf_open (pid_t child, const char **why)
{
  long n_cpus = sysconf (_SC_NPROCESSORS_CONF);
  Perf *perf = calloc (1, sizeof *perf);
  int error = 0;

  if (perf == NULL || (perf->rings = calloc ((size_t) n_cpus, sizeof *perf->rings)) == NULL)
    {
      free (perf);
      return NULL;
    }
  perf->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  for (int cpu = 0; cpu < n_cpus; cpu++)
    {
      error = open_ring (perf, child, cpu);
      /* A core that is switched off has no event. */
      if (error != 0 && error != ENODEV)
        break;
      error = 0;
    }
  if (error == 0 && perf->n_rings > 0)
    return perf;

  close_rings (perf);
  *why = error == EACCES || error == EPERM ? "perf events are not allowed here (kernel.perf_event_paranoid, or a container)"
         : error == ENOMEM                 ? "perf events got no memory (kernel.perf_event_mlock_kb)"
                                           : "this kernel has no perf events";

  return NULL;
}

int
perf_fd (Perf *perf)
{
  return perf->epoll_fd;
}

int64_t
perf_total_us (Perf *perf)
{
  uint64_t total = 0, value;

  for (int i = 0; i < perf->n_rings; i++)
    if (read (perf->rings[i].fd, &value, sizeof value) == sizeof value)
      total += value;

  return (int64_t) (total / 1000);
}

static Record *
add_record (Perf *perf)
{
  if (perf->n_records == perf->capacity)
    {
      size_t capacity = perf->capacity != 0 ? perf->capacity * 2 : 256;
      Record *records = realloc (perf->records, capacity * sizeof *records);

      if (records == NULL)
        return NULL;
      perf->records = records;
      perf->capacity = capacity;
    }

  return &perf->records[perf->n_records++];
}

/* Layouts as in perf_event_open(2); the time is what sample_id_all puts last. */
static void
decode (Perf *perf, const struct perf_event_header *header, const char *data)
{
  Record *record = add_record (perf);
  uint32_t word[4];
  uint64_t value;

  if (record == NULL)
    return;
  memset (record, 0, sizeof *record);
  record->type = header->type;
  memcpy (&record->time, data + header->size - sizeof record->time, sizeof record->time);
  data += sizeof *header;
  switch (header->type)
    {
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: /* pid, ppid, tid, ptid, time */
      memcpy (word, data, sizeof word);
      record->pid = (int32_t) word[0];
      record->ppid = (int32_t) word[1];
      record->tid = (int32_t) word[2];
      break;
    case PERF_RECORD_READ: /* pid, tid, value */
      memcpy (word, data, 2 * sizeof *word);
      memcpy (&value, data + 2 * sizeof *word, sizeof value);
      record->pid = (int32_t) word[0];
      record->tid = (int32_t) word[1];
      record->value = (int64_t) value;
      break;
    case PERF_RECORD_LOST: /* id, lost */
      memcpy (&value, data + sizeof value, sizeof value);
      record->value = (int64_t) value;
      break;
    default:
      perf->n_records--;
      break;
    }
}

static void
read_ring (Perf *perf, Ring *ring)
{
  const char *data = (const char *) ring->page + sysconf (_SC_PAGESIZE);
  uint64_t head = __atomic_load_n (&ring->page->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = ring->page->data_tail;

  while (tail < head)
    {
      struct perf_event_header header;
      char copy[256];
      size_t at = tail % ring->size;
      size_t first;

      memcpy (&header, data + at, sizeof header); /* records are aligned to 8 bytes: a header never wraps */
      if (header.size < sizeof header)
        break;
      if (header.size <= sizeof copy)
        {
          first = ring->size - at < header.size ? ring->size - at : header.size;
          memcpy (copy, data + at, first);
          memcpy (copy + first, data, header.size - first);
          decode (perf, &header, copy);
        }
      tail += header.size;
    }
  __atomic_store_n (&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

static int
compare (const void *a, const void *b)
{
  uint64_t x = ((const Record *) a)->time, y = ((const Record *) b)->time;

  return x < y ? -1 : x > y;
}

void
perf_drain (Perf *perf, const PerfHandler *handler, void *data)
{
  for (int i = 0; i < perf->n_rings; i++)
    read_ring (perf, &perf->rings[i]);
  qsort (perf->records, perf->n_records, sizeof *perf->records, compare);
  for (size_t i = 0; i < perf->n_records; i++)
    {
      const Record *r = &perf->records[i];

      if (r->type == PERF_RECORD_FORK && r->pid != r->ppid)
        handler->forked (data, r->pid);
      else if (r->type == PERF_RECORD_EXIT)
        handler->exited (data, r->pid, r->tid, r->ppid);
      else if (r->type == PERF_RECORD_READ)
        handler->cpu (data, r->pid, r->tid, r->value);
      else if (r->type == PERF_RECORD_LOST)
        handler->lost (data, (uint64_t) r->value);
    }
  perf->n_records = 0;
}
