/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports records in order of time, and computes the CPU time of exits for which the kernel wrote no READ record.
 * perf.c describes the kernel's behavior. */

#include "perf-private.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "file.h"

#define READ_LATE 50000000 /* ns after an exit; a READ record that has not arrived by then never arrives */
#define WINDOW 250000000   /* ns; the cost of records is judged once in this time */
#define LEAST_CLONES 500   /* the cost of a window with fewer clones is ignored, because it is small */
#define CLONE_COST 4000    /* ns; approximate cost of a clone for each inherited event */
#ifndef LARGEST_COST       /* a test that does little except fork sets another value */
#define LARGEST_COST 10    /* records are stopped if they cost more than 1/10 of the program's CPU time */
#endif
#define PROCESS_EXITING 0x4 /* the kernel's flag PF_EXITING in the flags of /proc/PID/stat */

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
report (Perf *perf, const PerfRecord *r, const PerfHandler *handler, void *data)
{
  if (r->type == PERF_RECORD_FORK)
    {
      perf->threads++;
      perf->clones++;
      if (r->pid != r->ppid)
        handler->forked (data, r->pid, r->ppid);
    }
  else if (r->type == PERF_RECORD_COMM)
    {
      /* Use only the name of the leader, which is the name of the process. */
      if (r->tid == r->pid)
        handler->named (data, r->pid, r->name);
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

/* Moves exits up to the time @before from the pending list to the silent list, because their READ records will not come
 * any more. */
static void
perf_drain_give_up (Perf *perf, uint64_t before)
{
  size_t n = 0;

  /* The pending exits are ordered by time. */
  while (n < perf->pending.n && perf->pending.all[n].time <= before)
    if (!exits_add (&perf->silent, &perf->pending.all[n++]))
      perf->incomplete = true;
  if (n == 0)
    return;
  perf->pending.n -= n;
  memmove (perf->pending.all, perf->pending.all + n, perf->pending.n * sizeof *perf->pending.all);
  /* Replace the ring. An error, if the child's first thread is gone, does not matter, because the missing time is
   * computed in any case. */
  perf_open_reads (perf);
}

static bool
is_leaving (pid_t pid)
{
  char path[32], text[512];
  unsigned flags;
  const char *rest;

  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  if (file_read (path, text, sizeof text) == 0)
    return true;
  rest = strrchr (text, ')');

  return rest == NULL || sscanf (rest, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1 || (flags & PROCESS_EXITING) != 0;
}

/* Stops polling events whose tasks have ended, because such an event stays ready forever. */
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
  /* If the program is still alive, the kernel ended the event because the program executed a setuid program. From now
   * on, records are missing. */
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

/* Reads the READ records. Lost READ records are not counted, because exits without a READ record are noticed anyway. */
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

/* Returns whether the records cost more than 1/LARGEST_COST of the program's own CPU time. */
static bool
is_too_costly (Perf *perf, uint64_t now)
{
  uint64_t clones = perf->clones - perf->window_clones;
  int64_t clock, used, cost;

  if (now - perf->window < WINDOW)
    return false;
  if (perf->window == 0 || clones < LEAST_CLONES)
    clones = 0;
  clock = perf_read_clock (perf->clock_fd);
  used = clock - perf->window_clock;
  cost = (int64_t) clones * CLONE_COST * (perf->n_rings + 1);
  perf->window = now;
  perf->window_clones = perf->clones;
  perf->window_clock = clock;

  return clones > 0 && cost > used / LARGEST_COST;
}

static void
drain (Perf *perf, uint64_t late, const PerfHandler *handler, void *data)
{
  uint64_t until = now_ns ();
  size_t n = 0;

  if (perf->closed)
    return;
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
    report (perf, &perf->records.all[n], handler, data);
  perf_records_drop (&perf->records, n);
  perf_drain_give_up (perf, until - late);
  leave_ended (perf, handler, data);
  if (is_too_costly (perf, until))
    {
      perf_close_records (perf);
      handler->lost (data, 1);
    }
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
  /* Do not divide the missing time while threads are still running, because a part of the time belongs to these
   * threads. */
  if (perf->silent.n == 0 || perf->threads > 0 || perf->incomplete)
    return;
  missing = perf_read_clock (perf->clock_fd) - perf_read_clock (perf->own_fd) - perf->told;
  for (size_t i = 0; missing > 0 && i < perf->silent.n; i++)
    {
      const PerfRecord *r = &perf->silent.all[i];

      handler->exited (data, r->pid, r->tid, r->ppid);
      handler->cpu (data, r->pid, r->tid, missing / (int64_t) perf->silent.n);
    }
  perf->silent.n = 0;
}
