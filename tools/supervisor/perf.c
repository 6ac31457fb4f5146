/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens these events on the child before it runs:
 *
 * - For each core, an inherited event that does not count anything, and only writes FORK, COMM and EXIT records to the
 *   ring of its core. A single event for all cores is not possible, because an inherited event that follows its task
 *   across cores cannot have a ring.
 * - One inherited task clock over all cores, which counts the CPU time of the tree, and writes a READ record for each
 *   thread that exits.
 * - One task clock that is not inherited, which counts the child's first thread, and owns the ring to which the
 *   inherited clock writes.
 *
 * Experiments with Linux 6.18 showed that the kernel behaves as follows:
 *
 * - Each inherited event makes each fork in the tree slower by some µs. The sum over all cores is negligible on a
 *   laptop, but 0.1 ms on a node with 64 cores. Therefore the events with records are closed when a program does little
 *   except fork.
 * - The READ record of an exit comes about 1 µs after its EXIT record, in another ring. Therefore records of all rings
 *   are sorted by time. Records that are later than the start of reading wait for the next batch, because rings that
 *   are read last may have newer records than rings that were read first.
 * - In an EXIT record, ppid is the parent at the exit. For an orphan, ppid is the subreaper.
 * - An exec by a thread other than the leader leaves an EXIT record of the leader. The process later leaves a second
 *   EXIT record with the same tid.
 * - The thread on which the events were opened leaves no READ record. When the kernel switches between a parent and its
 *   child, it swaps their events if both have the same events. After a swap, a READ record of another process would be
 *   missing. The event that is not inherited prevents the swap, because with it the two sets of events differ.
 * - A ring is designed for writes from one core. When threads exit on two cores at the same time, both cores write READ
 *   records. About once in ten thousand exits, the ring then looks as if a write were in progress, and the kernel
 *   writes no more records into it, not even a LOST record. (If READ records were in the rings of all cores, as with
 *   inherit_stat alone, FORK and EXIT records would also stop.) Therefore, if an exit has no READ record, the ring is
 *   replaced. The missing time is computed from the CPU time of the tree, which does not depend on records.
 * - The CPU time of the clocks differs from the kernel's account. The clock of a process stops at the EXIT record, some
 *   50 µs before the process ends and before the kernel frees its memory. Also, the clock keeps counting while a
 *   hypervisor or an interrupt has the core.
 * - At each switch to a process, the kernel's account begins when the kernel decides on the switch. The perf clocks
 *   begin some µs later. The account includes the time that a hypervisor or an interrupt takes in between (rarely up to
 *   1.4 ms), but the clocks do not. In a test with 16,000 processes of 2 ms on a busy machine, the clocks counted at
 *   least 99.8 % of the time in which the processes themselves ran.
 * - If a ring is full, the kernel drops records, and writes a LOST record only before the next record that fits.
 * - An exec of a setuid program by an ordinary user ends the events of that process. */

#include "perf-private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "file.h"

/* Limits for the number of pages of a ring, which is a power of two. With these limits, all rings together take about 1
 * MB, and each ring has room for a few hundred records. */
#define MOST_PAGES 32
#define LEAST_PAGES 8
#define ALL_PAGES 256
#ifndef READ_PAGES /* a test sets a smaller number */
#define READ_PAGES 16
#endif
#define MOST_CORES 8192

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
    .comm = config == PERF_COUNT_SW_DUMMY,
    .exclude_kernel = 1, /* required for unprivileged users; a task clock counts kernel time anyway */
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

/* Opens an event and its ring. Tries smaller and smaller rings, because a user is allowed to lock only a limited amount
 * of memory. */
static int
open_with_ring (PerfRing *ring, pid_t pid, int cpu, uint64_t config, bool inherit, size_t pages)
{
  int error = ENOMEM;

  for (; pages >= 1; pages /= 2)
    {
      int fd = event_open (pid, cpu, config, inherit, pages);

      if (fd == -1)
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
perf_watch (Perf *perf, int fd)
{
  struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

  return epoll_ctl (perf->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

/* Opens a ring on each core in the child's affinity mask. Programs rarely run on other cores later. */
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
            error = perf_watch (perf, ring->fd);
          }
        else if (error == ENODEV) /* the core has gone offline */
          error = 0;
      }

  return perf->n_rings > 0 ? error : error != 0 ? error : ENODEV;
}

int
perf_open_reads (Perf *perf)
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
  if (perf->reads.fd != -1)
    perf_ring_close (&perf->reads);
  perf->reads = ring;

  return 0;
}

static int
open_clocks (Perf *perf)
{
  int error;

  perf->own_fd = event_open (perf->child, -1, PERF_COUNT_SW_TASK_CLOCK, false, 0);
  if (perf->own_fd == -1)
    return errno;
  perf->clock_fd = event_open (perf->child, -1, PERF_COUNT_SW_TASK_CLOCK, true, READ_PAGES);
  if (perf->clock_fd == -1)
    return errno;
  error = perf_open_reads (perf);

  return error != 0 ? error : perf_watch (perf, perf->clock_fd);
}

static const char *last_remedy;

static const char *
explain (int error)
{
  static char text[PERF_REASON];
  char level[16];

  file_read ("/proc/sys/kernel/perf_event_paranoid", level, sizeof level);
  last_remedy = perf_explain (error, atoi (level), text);

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
  error = perf->epoll_fd == -1 ? errno : open_clocks (perf);
  if (error == 0)
    error = open_rings (perf);
  if (error == 0)
    return perf;

  perf_close (perf);
  *why = explain (error);

  return NULL;
}

const char *
perf_last_remedy (void)
{
  return last_remedy;
}

void
perf_close_records (Perf *perf)
{
  epoll_ctl (perf->epoll_fd, EPOLL_CTL_DEL, perf->clock_fd, NULL);
  for (int i = 0; i < perf->n_rings; i++)
    perf_ring_close (&perf->rings[i]);
  perf->n_rings = 0;
  ioctl (perf->clock_fd, PERF_EVENT_IOC_SET_OUTPUT, -1);
  if (perf->reads.fd != -1)
    perf_ring_close (&perf->reads);
  perf->reads.fd = -1;
  perf->closed = perf->incomplete = true;
}

void
perf_close (Perf *perf)
{
  perf_close_records (perf);
  if (perf->clock_fd != -1)
    close (perf->clock_fd);
  if (perf->own_fd != -1)
    close (perf->own_fd);
  if (perf->epoll_fd != -1)
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

int64_t
perf_read_clock (int fd)
{
  uint64_t value;

  return read (fd, &value, sizeof value) == sizeof value ? (int64_t) value : 0;
}

uint64_t
perf_clones (const Perf *perf)
{
  return perf->clones;
}

bool
perf_is_closed (const Perf *perf)
{
  return perf->closed;
}

int64_t
perf_total_us (Perf *perf)
{
  return perf_read_clock (perf->clock_fd) / 1000;
}
