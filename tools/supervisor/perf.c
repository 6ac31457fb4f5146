/* SPDX-License-Identifier: BSD-3-Clause */

/* How the kernel (6.18, and as far back as 4.x by its source) behaves; found by experiment where perf_event_open(2) is silent:
 *
 * - An inherited event that follows its task over all cores may have no ring: so there is one event per core that we may
 *   run on. Each costs every fork in the tree about 1.5 us: nothing on a laptop, 0.1 ms on a node of 64 cores.
 * - A thread that exits leaves an EXIT record in the ring of the core it is on, and after it (by 1 us) one READ record in
 *   the ring of each core with what it used there. So records are told in order of time, and a batch ends at the moment when
 *   its reading began: else one ring could be ahead of another.
 * - In EXIT, ppid is the parent at that time: the subreaper for an orphan.
 * - An exec by a thread that does not lead leaves an EXIT record of the leader, and later one more with the same tid.
 * - The thread on which the events were opened leaves no READ record: it is waited for anyway, by us. But the kernel swaps
 *   the events of a parent with its child's when it switches between them and finds them alike, and then it is any process of
 *   the tree that leaves none. An event that is not inherited, opened beside, makes them differ, and stops that.
 * - The sum over the events of perf_total_us () is right whatever happens to records. It is not quite the kernel's account:
 *   it ends at the EXIT record, some 50 us before the process does, and since 6.16 before its memory is given back; and it goes
 *   on while a hypervisor or an interrupt has the core.
 * - A full ring drops records and says so only with the next one that fits.
 * - An exec of a setuid program by an ordinary user ends the events of that process. */

#include "perf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Pages of a ring: a power of two. All rings together have about 1 MB, but each enough for some hundred records. */
#define MOST_PAGES 64
#define LEAST_PAGES 8
#define ALL_PAGES 256
#define MOST_CORES 8192
#define PROCESS_EXITING 0x4 /* PF_EXITING of the kernel, in the flags of /proc/PID/stat */

typedef struct {
  int fd;
  struct perf_event_mmap_page *page;
  size_t size; /* of the data */
} Ring;

typedef struct {
  uint64_t time;
  size_t order; /* in which it was read: for equal times */
  uint32_t type;
  int32_t pid, tid, ppid;
  int64_t value;
} Record;

struct Perf {
  pid_t child;
  int epoll_fd;
  int apart_fd; /* the event that is not inherited */
  int n_rings;
  Ring *rings;
  size_t page_size;
  Record *records;
  size_t n_records, capacity;
  uint64_t unread; /* records for which there was no memory */
};

void
perf_close (Perf *perf)
{
  for (int i = 0; i < perf->n_rings; i++)
    {
      munmap (perf->rings[i].page, perf->rings[i].size + perf->page_size);
      close (perf->rings[i].fd);
    }
  if (perf->apart_fd >= 0)
    close (perf->apart_fd);
  if (perf->epoll_fd >= 0)
    close (perf->epoll_fd);
  free (perf->rings);
  free (perf->records);
  free (perf);
}

static int
event_open (struct perf_event_attr *attr, pid_t pid, int cpu)
{
  attr->size = sizeof *attr;
  attr->type = PERF_TYPE_SOFTWARE;
  attr->exclude_kernel = 1; /* what unprivileged users may; the clock runs in the kernel all the same */
  attr->exclude_hv = 1;

  return (int) syscall (SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int
clock_open (pid_t pid, int cpu, uint32_t watermark)
{
  struct perf_event_attr attr = {
    .config = PERF_COUNT_SW_TASK_CLOCK,
    .inherit = 1,
    .inherit_stat = 1,
    .task = 1,
    .sample_id_all = 1,
    .sample_type = PERF_SAMPLE_TIME,
    .use_clockid = 1,
    .clockid = CLOCK_MONOTONIC,
    .watermark = 1,
    .wakeup_watermark = watermark,
  };

  return event_open (&attr, pid, cpu);
}

/* How much a user may lock is limited: rather a smaller ring than none. */
static int
open_ring (Perf *perf, int cpu, size_t pages)
{
  struct epoll_event event = { .events = EPOLLIN, .data.u32 = (uint32_t) perf->n_rings };
  int error = 0;

  for (; pages >= 1; pages /= 2)
    {
      Ring ring = { .size = pages * perf->page_size };

      ring.fd = clock_open (perf->child, cpu, (uint32_t) (ring.size / 4));
      if (ring.fd < 0)
        return errno;
      ring.page = mmap (NULL, ring.size + perf->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
      if (ring.page != MAP_FAILED)
        {
          perf->rings[perf->n_rings++] = ring;
          return epoll_ctl (perf->epoll_fd, EPOLL_CTL_ADD, ring.fd, &event) == 0 ? 0 : errno;
        }
      error = errno == EPERM ? ENOMEM : errno;
      close (ring.fd);
    }

  return error;
}

/* On each core that the child may use. It could move only where its control group lets it; hardly any does. */
static int
open_rings (Perf *perf)
{
  static unsigned long mask[MOST_CORES / 8 / sizeof (unsigned long)];
  cpu_set_t *set = (cpu_set_t *) mask;
  size_t pages = MOST_PAGES;
  int n_cores, error = 0;

  if (sched_getaffinity (perf->child, sizeof mask, set) < 0)
    return errno;
  n_cores = CPU_COUNT_S (sizeof mask, set);
  perf->rings = calloc ((size_t) n_cores, sizeof *perf->rings);
  if (perf->rings == NULL)
    return ENOMEM;
  while (pages > LEAST_PAGES && pages * (size_t) n_cores > ALL_PAGES)
    pages /= 2;
  for (int cpu = 0; cpu < MOST_CORES && error == 0; cpu++)
    if (CPU_ISSET_S (cpu, sizeof mask, set))
      {
        error = open_ring (perf, cpu, pages);
        if (error == ENODEV) /* it was switched off meanwhile */
          error = 0;
      }

  return perf->n_rings > 0 ? error : error != 0 ? error : ENODEV;
}

static int
paranoia (void)
{
  FILE *file = fopen ("/proc/sys/kernel/perf_event_paranoid", "re");
  int level = -1;

  if (file == NULL)
    return -1;
  if (fscanf (file, "%d", &level) != 1)
    level = -1;
  fclose (file);

  return level;
}

static const char *
explain (int error)
{
  static char text[160];
  int level = paranoia ();

  if ((error == EACCES || error == EPERM) && level > 2)
    snprintf (text, sizeof text, "perf events are not allowed for unprivileged users here: kernel.perf_event_paranoid=%d", level);
  else if (error == EACCES || error == EPERM)
    return "perf events are not allowed here, by a container or a security module";
  else if (error == ENOMEM)
    return "perf events got no memory: kernel.perf_event_mlock_kb is used up";
  else if (error == EMFILE || error == ENFILE)
    return "too few files may be open for perf events: see ulimit -n";
  else if (error == ENOSYS || error == ENOENT || error == EOPNOTSUPP)
    return "this kernel has no perf events";
  else
    snprintf (text, sizeof text, "perf events could not be opened: %s", strerror (error));

  return text;
}

Perf *
perf_open (pid_t child, const char **why)
{
  struct perf_event_attr apart = { .config = PERF_COUNT_SW_DUMMY };
  Perf *perf = calloc (1, sizeof *perf);
  int error;

  if (perf == NULL)
    {
      *why = explain (ENOMEM);
      return NULL;
    }
  perf->child = child;
  perf->page_size = (size_t) sysconf (_SC_PAGESIZE);
  perf->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  perf->apart_fd = event_open (&apart, child, -1);
  error = perf->epoll_fd < 0 ? errno : open_rings (perf);
  if (error == 0)
    return perf;

  perf_close (perf);
  *why = explain (error);
  errno = error;

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
        {
          perf->unread++;
          return NULL;
        }
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
  record->order = perf->n_records;
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
  const char *data = (const char *) ring->page + perf->page_size;
  uint64_t head = __atomic_load_n (&ring->page->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = ring->page->data_tail;

  while (tail < head)
    {
      struct perf_event_header header;
      char copy[128];
      size_t at = tail % ring->size;
      size_t first;

      memcpy (&header, data + at, sizeof header); /* records are aligned to 8 bytes: a header never wraps */
      if (header.size < sizeof header + sizeof (uint64_t))
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
  const Record *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;

  return x->order < y->order ? -1 : x->order > y->order;
}

static bool
is_leaving (pid_t pid)
{
  char path[32], text[512];
  unsigned flags;
  const char *rest;
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return true;
  n = read (fd, text, sizeof text - 1);
  close (fd);
  if (n <= 0)
    return true;
  text[n] = '\0';
  rest = strrchr (text, ')');

  return rest == NULL || sscanf (rest, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1 || (flags & PROCESS_EXITING) != 0;
}

/* Rings that nothing will be written to any more are ready for ever: they are no longer waited for. */
static void
leave_ended (Perf *perf, const PerfHandler *handler, void *data)
{
  struct epoll_event events[16];
  bool ended = false;
  int n;

  do
    {
      n = epoll_wait (perf->epoll_fd, events, 16, 0);
      for (int i = 0; i < n; i++)
        if ((events[i].events & EPOLLHUP) != 0)
          {
            epoll_ctl (perf->epoll_fd, EPOLL_CTL_DEL, perf->rings[events[i].data.u32].fd, NULL);
            ended = true;
          }
    }
  while (n == 16);
  /* While the program lives that can only be a setuid program: what it does is not told. */
  if (ended && !is_leaving (perf->child))
    handler->lost (data, 1);
}

static void
tell (const Record *r, const PerfHandler *handler, void *data)
{
  if (r->type == PERF_RECORD_FORK && r->pid != r->ppid)
    handler->forked (data, r->pid);
  else if (r->type == PERF_RECORD_EXIT)
    handler->exited (data, r->pid, r->tid, r->ppid);
  else if (r->type == PERF_RECORD_READ)
    handler->cpu (data, r->pid, r->tid, r->value);
  else if (r->type == PERF_RECORD_LOST)
    handler->lost (data, (uint64_t) r->value);
}

void
perf_drain (Perf *perf, const PerfHandler *handler, void *data)
{
  struct timespec now;
  uint64_t until;
  size_t n = 0;

  clock_gettime (CLOCK_MONOTONIC, &now);
  until = (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
  for (int i = 0; i < perf->n_rings; i++)
    read_ring (perf, &perf->rings[i]);
  if (perf->n_records > 0)
    qsort (perf->records, perf->n_records, sizeof *perf->records, compare);
  for (; n < perf->n_records && perf->records[n].time <= until; n++)
    tell (&perf->records[n], handler, data);
  perf->n_records -= n;
  if (n > 0)
    memmove (perf->records, perf->records + n, perf->n_records * sizeof *perf->records);
  if (perf->unread > 0)
    handler->lost (data, perf->unread);
  perf->unread = 0;
  leave_ended (perf, handler, data);
}
