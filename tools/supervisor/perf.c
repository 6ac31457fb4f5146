/* SPDX-License-Identifier: BSD-3-Clause */

/* What is opened on the child, before it runs:
 *
 * - for each core an inherited event that counts nothing but leaves FORK and EXIT records in the ring of its core: an
 *   inherited event that follows its task over all cores may have no ring;
 * - one inherited task clock over all cores, for the sum, and for a READ record of each thread that exits;
 * - one task clock that is not inherited: it has the ring for those READ records, and counts the child's first thread.
 *
 * How the kernel behaves (6.18, and as far back as 4.x by its source), found by experiment:
 *
 * - Each event costs every fork in the tree about 1.5 us: nothing on a laptop, 0.1 ms on a node of 64 cores.
 * - READ comes about 1 us after EXIT, in another ring: so records are told in order of time, and a batch ends at the moment
 *   when its reading began, else one ring could be ahead of another.
 * - In EXIT, ppid is the parent at that time: the subreaper for an orphan.
 * - An exec by a thread that does not lead leaves an EXIT record of the leader, and later one more with the same tid.
 * - The thread on which the events were opened leaves no READ record. And the kernel swaps the events of a parent with its
 *   child's when it switches between them and finds them alike: then it is some other process that leaves none. The event that
 *   is not inherited makes them differ, and stops that.
 * - A ring is safe only from one core: threads that exit at once on two cores may write READ records over each other, and once
 *   in some thousand exits that leaves the ring as if somebody still wrote: it stays silent for ever, without a LOST record.
 *   (With a READ record in the ring of every core, which inherit_stat alone would give, it takes the FORK and EXIT records
 *   along.) So an exit without its READ is noticed, the ring is replaced, and what is missing follows from the sum, which is
 *   right whatever happens to records.
 * - The sum is not quite the kernel's account: it ends at the EXIT record, some 50 us before the process does, and since 6.16
 *   before its memory is given back; and it goes on while a hypervisor or an interrupt has the core.
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
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "perf-ring.h"

/* Pages of a ring: a power of two. All rings together have about 1 MB, but each enough for some hundred records. */
#define MOST_PAGES 32
#define LEAST_PAGES 8
#define ALL_PAGES 256
#ifndef READ_PAGES /* fewer in a test */
#define READ_PAGES 16
#endif
#define MOST_CORES 8192
#define READ_LATE 50000000 /* ns after an exit: then its READ does not come any more */
#define PROCESS_EXITING 0x4 /* PF_EXITING of the kernel, in the flags of /proc/PID/stat */

/* Exits whose CPU time is not told yet. */
typedef struct {
  PerfRecord *all;
  size_t n, capacity;
} Exits;

struct Perf {
  pid_t child;
  int epoll_fd;
  int clock_fd; /* the inherited clock */
  int own_fd;   /* the clock of the child's first thread */
  PerfRing reads; /* fd -1: none */
  PerfRing *rings;
  int n_rings;
  PerfRecords records;
  Exits pending; /* READ may still come */
  Exits silent;  /* it will not */
  int64_t threads; /* that live */
  bool first_exited;
  bool incomplete; /* some records are missing: nothing can be concluded from those that are not there */
  int64_t told;  /* ns of all READ records */
};

static int
event_open (pid_t pid, int cpu, uint64_t config, bool inherit, size_t pages)
{
  struct perf_event_attr attr = {
    .size = sizeof attr,
    .type = PERF_TYPE_SOFTWARE,
    .config = config,
    .inherit = inherit,
    .inherit_stat = inherit && config == PERF_COUNT_SW_TASK_CLOCK,
    .task = config == PERF_COUNT_SW_DUMMY,
    .exclude_kernel = 1, /* what unprivileged users may; the clock runs in the kernel all the same */
    .exclude_hv = 1,
    .sample_id_all = 1,
    .sample_type = PERF_SAMPLE_TIME,
    .use_clockid = 1,
    .clockid = CLOCK_MONOTONIC,
    .watermark = 1,
    .wakeup_watermark = (uint32_t) (pages * (size_t) sysconf (_SC_PAGESIZE) / 4),
  };

  return (int) syscall (SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* An event and its ring. How much a user may lock is limited: rather a smaller ring than none. */
static int
open_with_ring (PerfRing *ring, pid_t pid, int cpu, uint64_t config, bool inherit, size_t pages)
{
  int error = ENOMEM;

  for (; pages >= 1; pages /= 2)
    {
      int fd = event_open (pid, cpu, config, inherit, pages);

      if (fd < 0)
        return errno;
      error = perf_ring_map (ring, fd, pages);
      if (error == 0)
        return 0;
      close (fd);
      if (error == EPERM)
        error = ENOMEM;
    }

  return error;
}

static int
watch (Perf *perf, int fd)
{
  struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

  return epoll_ctl (perf->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
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
        PerfRing *ring = &perf->rings[perf->n_rings];

        error = open_with_ring (ring, perf->child, cpu, PERF_COUNT_SW_DUMMY, true, pages);
        if (error == 0)
          {
            perf->n_rings++;
            error = watch (perf, ring->fd);
          }
        else if (error == ENODEV) /* it was switched off meanwhile */
          error = 0;
      }

  return perf->n_rings > 0 ? error : error != 0 ? error : ENODEV;
}

/* A ring for READ records, in the place of one that fell silent. It belongs to an event of the child's first thread, which
 * must still be there. */
static int
open_reads (Perf *perf)
{
  PerfRing ring;
  int error = open_with_ring (&ring, perf->child, -1, PERF_COUNT_SW_TASK_CLOCK, false, READ_PAGES);

  if (error != 0)
    return error;
  if (ioctl (perf->clock_fd, PERF_EVENT_IOC_SET_OUTPUT, ring.fd) < 0)
    {
      error = errno;
      perf_ring_close (&ring);
      return error;
    }
  if (perf->reads.fd >= 0)
    perf_ring_close (&perf->reads);
  perf->reads = ring;

  return 0;
}

static int
open_clocks (Perf *perf)
{
  int error;

  perf->own_fd = event_open (perf->child, -1, PERF_COUNT_SW_TASK_CLOCK, false, 0);
  if (perf->own_fd < 0)
    return errno;
  perf->clock_fd = event_open (perf->child, -1, PERF_COUNT_SW_TASK_CLOCK, true, READ_PAGES);
  if (perf->clock_fd < 0)
    return errno;
  error = open_reads (perf);

  return error != 0 ? error : watch (perf, perf->clock_fd);
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
  Perf *perf = calloc (1, sizeof *perf);
  int error;

  if (perf == NULL)
    {
      *why = explain (ENOMEM);
      return NULL;
    }
  perf->child = child;
  perf->threads = 1;
  perf->clock_fd = perf->own_fd = perf->reads.fd = -1;
  perf->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  error = perf->epoll_fd < 0 ? errno : open_clocks (perf);
  if (error == 0)
    error = open_rings (perf);
  if (error == 0)
    return perf;

  perf_close (perf);
  *why = explain (error);
  errno = error;

  return NULL;
}

void
perf_close (Perf *perf)
{
  for (int i = 0; i < perf->n_rings; i++)
    perf_ring_close (&perf->rings[i]);
  if (perf->reads.fd >= 0)
    perf_ring_close (&perf->reads);
  if (perf->clock_fd >= 0)
    close (perf->clock_fd);
  if (perf->own_fd >= 0)
    close (perf->own_fd);
  if (perf->epoll_fd >= 0)
    close (perf->epoll_fd);
  free (perf->rings);
  free (perf->records.all);
  free (perf->pending.all);
  free (perf->silent.all);
  free (perf);
}

int
perf_fd (Perf *perf)
{
  return perf->epoll_fd;
}

static int64_t
read_count (int fd)
{
  uint64_t value = 0;

  return read (fd, &value, sizeof value) == sizeof value ? (int64_t) value : 0;
}

int64_t
perf_total_us (Perf *perf)
{
  return read_count (perf->clock_fd) / 1000;
}

/* ---- exits and what they used ---- */

static bool
exits_add (Exits *self, const PerfRecord *record)
{
  if (self->n == self->capacity)
    {
      size_t capacity = self->capacity != 0 ? self->capacity * 2 : 64;
      PerfRecord *all = realloc (self->all, capacity * sizeof *all);

      if (all == NULL)
        return false;
      self->all = all;
      self->capacity = capacity;
    }
  self->all[self->n++] = *record;

  return true;
}

static void
exits_remove (Exits *self, int32_t tid)
{
  for (size_t i = self->n; i > 0; i--)
    if (self->all[i - 1].tid == tid)
      {
        memmove (&self->all[i - 1], &self->all[i], (self->n - i) * sizeof *self->all);
        self->n--;
        return;
      }
}

static void
on_exit_record (Perf *perf, const PerfRecord *r)
{
  perf->threads--;
  if (r->tid == perf->child && !perf->first_exited)
    perf->first_exited = true;
  else if (!exits_add (&perf->pending, r))
    perf->incomplete = true;
}

static void
tell (Perf *perf, const PerfRecord *r, const PerfHandler *handler, void *data)
{
  if (r->type == PERF_RECORD_FORK)
    {
      perf->threads++;
      if (r->pid != r->ppid)
        handler->forked (data, r->pid);
    }
  else if (r->type == PERF_RECORD_EXIT)
    {
      on_exit_record (perf, r);
      handler->exited (data, r->pid, r->tid, r->ppid);
    }
  else if (r->type == PERF_RECORD_READ)
    {
      exits_remove (&perf->pending, r->tid);
      perf->told += r->value;
      handler->cpu (data, r->pid, r->tid, r->value);
    }
  else if (r->type == PERF_RECORD_LOST)
    {
      perf->incomplete = true;
      handler->lost (data, (uint64_t) r->value);
    }
}

/* Sets exits aside that have waited too long. */
static void
give_up (Perf *perf, uint64_t before)
{
  size_t n = 0;

  /* They are in order of time. */
  while (n < perf->pending.n && perf->pending.all[n].time <= before)
    if (!exits_add (&perf->silent, &perf->pending.all[n++]))
      perf->incomplete = true;
  if (n == 0)
    return;
  perf->pending.n -= n;
  memmove (perf->pending.all, perf->pending.all + n, perf->pending.n * sizeof *perf->pending.all);
  /* If that fails, the child's first thread is gone: the rest follows from the sum. */
  open_reads (perf);
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

/* Events that nothing will come of any more are ready for ever: they are no longer waited for. */
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
        if ((events[i].events & (EPOLLHUP | EPOLLERR)) != 0)
          {
            epoll_ctl (perf->epoll_fd, EPOLL_CTL_DEL, events[i].data.fd, NULL);
            ended = true;
          }
    }
  while (n == 16);
  /* While the program lives that can only be a setuid program: what it does is not told. */
  if (ended && !is_leaving (perf->child))
    {
      perf->incomplete = true;
      handler->lost (data, 1);
    }
}

static uint64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);

  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* READ records that were lost need no word: their exits are noticed. */
static void
collect_reads (Perf *perf)
{
  uint64_t lost = perf->records.lost;
  size_t n = perf->records.n;

  perf_ring_read (&perf->reads, &perf->records);
  perf->records.lost = lost;
  for (size_t i = n; i < perf->records.n; i++)
    if (perf->records.all[i].type != PERF_RECORD_READ)
      perf->records.all[i].type = 0;
}

static void
drain (Perf *perf, uint64_t late, const PerfHandler *handler, void *data)
{
  uint64_t until = now_ns ();
  size_t n = 0;

  for (int i = 0; i < perf->n_rings; i++)
    perf_ring_read (&perf->rings[i], &perf->records);
  collect_reads (perf);
  if (perf->records.lost > 0)
    {
      perf->incomplete = true;
      handler->lost (data, perf->records.lost);
    }
  perf->records.lost = 0;
  perf_records_sort (&perf->records);
  for (; n < perf->records.n && perf->records.all[n].time <= until; n++)
    tell (perf, &perf->records.all[n], handler, data);
  perf_records_drop (&perf->records, n);
  give_up (perf, until - late);
  leave_ended (perf, handler, data);
}

void
perf_drain (Perf *perf, const PerfHandler *handler, void *data)
{
  drain (perf, READ_LATE, handler, data);
}

void
perf_finish (Perf *perf, const PerfHandler *handler, void *data)
{
  int64_t missing;

  drain (perf, 0, handler, data);
  /* While some live, what is missing is theirs as well. */
  if (perf->silent.n == 0 || perf->threads > 0 || perf->incomplete)
    return;
  missing = read_count (perf->clock_fd) - read_count (perf->own_fd) - perf->told;
  for (size_t i = 0; missing > 0 && i < perf->silent.n; i++)
    {
      const PerfRecord *r = &perf->silent.all[i];

      handler->exited (data, r->pid, r->tid, r->ppid);
      handler->cpu (data, r->pid, r->tid, missing / (int64_t) perf->silent.n);
    }
  perf->silent.n = 0;
}
