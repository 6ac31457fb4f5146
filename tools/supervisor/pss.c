/* SPDX-License-Identifier: BSD-3-Clause */

/* To compute the proportional set size of a process, the kernel walks all its page tables. The walk takes some µs per
 * MB, and the memory map of the process is locked meanwhile. Therefore the PSS is read only when the resident set has
 * changed, when a child has started or ended (because more or fewer processes share the pages), or once a minute. The
 * CPU time of readings is measured, and limited to 1 % of one core.
 *
 * A family (a process and its children) is read at the same time, because otherwise the same page could be counted
 * twice. The PSS of a process that was not read yet is assumed to be 0, unless the process already existed when its
 * parent was read: the parent's PSS then lacks the share of this child, which is as large as the parent's share until
 * the child replaces the shared pages by its own pages.
 *
 * A child that vfork() started has the memory of its parent itself until its exec, so it is not read before. */

#include "pss.h"

#include <stdlib.h>

#include "clock.h"
#include "reader.h"

#define SHARE 0.01           /* share of one core that is added to the budget for readings */
#define MAX_BUDGET 100000    /* µs; maximum CPU time that is saved up, to read a large family */
#define MAX_AGE 60000000     /* µs; a PSS that was read longer ago is read again */
#define MIN_CHANGE (5 << 20) /* bytes; if the resident set changes by more, the PSS is read again */
#define COST_PER_MB 4        /* µs, for estimating the cost of a reading; measured: 2.7 to 5.4 */
#define COST_PER_PROCESS 10  /* µs; added to the cost of the memory of a process */
#define HALF_TICK 5000 /* µs; error of the start time of a process, because the kernel reports it in units of 10 ms */

int64_t
pss_estimate (const Process *p)
{
  if (p->pss < 0 || p->rss <= 0)
    return -1;
  if (p->pss_rss <= 0)
    return p->pss;

  return (int64_t) ((double) p->pss * (double) p->rss / (double) p->pss_rss);
}

static bool
needs_reading (const Process *p, int64_t now, bool exact)
{
  int64_t change = llabs (p->rss - p->pss_rss);

  if (p->zombie || p->pss_denied || p->pss_read == now)
    return false;

  return exact || p->pss < 0 || p->family_changed || change > MIN_CHANGE || change * 50 > p->pss_rss ||
         now - p->pss_read > MAX_AGE;
}

static bool
is_in_vfork (const Sampler *sampler, const Process *p)
{
  const Process *parent = p->pss < 0 ? tree_find (sampler->tree, p->stat.ppid) : NULL;

  return parent != NULL && reader_shares_memory (p, parent);
}

static void
read_one (Sampler *sampler, Process *p, int64_t now)
{
  int64_t bytes;

  if (p->zombie || p->pss_denied || p->pss_read == now || is_in_vfork (sampler, p))
    return;
  switch (reader_pss (p, &bytes))
    {
    case READ_OK:
      if (bytes == 0) /* the process is in exec() and has no pages yet */
        break;
      p->pss = bytes;
      p->pss_rss = p->rss;
      p->pss_read = now;
      p->pss_ended = monotonic_us ();
      break;
    case READ_DENIED:
      p->pss_denied = true;
      sampler->unreadable++;
      break;
    case READ_GONE:
    case READ_FAILED:
    default:
      break;
    }
}

/* Returns whether a new process must not be read yet, because it will be read together with its parent, whose pages it
 * shares. */
static bool
waits_for_family (const Sampler *sampler, const Process *p)
{
  const Process *parent = p->pss < 0 ? tree_find (sampler->tree, p->stat.ppid) : NULL;

  return parent != NULL && parent->family_changed && !parent->zombie && !parent->pss_denied;
}

static int64_t
cost_of (const Process *p)
{
  return COST_PER_PROCESS + (p->rss >> 20) * COST_PER_MB;
}

static int64_t
family_cost (const Sampler *sampler, const Process *parent)
{
  int64_t cost = cost_of (parent);

  for (size_t i = 0; i < sampler->tree->n; i++)
    if (sampler->tree->all[i]->stat.ppid == parent->pid)
      cost += cost_of (sampler->tree->all[i]);

  return cost;
}

static void
read_family (Sampler *sampler, Process *parent, int64_t now)
{
  read_one (sampler, parent, now);
  for (size_t i = 0; i < sampler->tree->n; i++)
    if (sampler->tree->all[i]->stat.ppid == parent->pid)
      read_one (sampler, sampler->tree->all[i], now);
  parent->family_changed = false;
}

static bool
afford (Sampler *sampler, int64_t cost)
{
  return sampler->options->pss == PSS_EXACT || cost <= sampler->pss_budget ||
         (sampler->pss_budget >= MAX_BUDGET && cost > MAX_BUDGET);
}

/* Reads a process. If it shares many more or fewer pages than at its last reading, the PSS of its family has changed,
 * too. */
static void
read_alone (Sampler *sampler, Process *p, int64_t now)
{
  int64_t shared = p->pss >= 0 ? p->pss_rss - p->pss : -1;
  Process *parent = tree_find (sampler->tree, p->stat.ppid);

  read_one (sampler, p, now);
  if (shared < 0 || parent == NULL || llabs (p->pss_rss - p->pss - shared) <= MIN_CHANGE)
    return;
  if (afford (sampler, family_cost (sampler, parent)))
    read_family (sampler, parent, now);
  else
    parent->family_changed = true;
}

int64_t
pss_of_unread (const Sampler *sampler, const Process *process)
{
  const Process *parent = tree_find (sampler->tree, process->stat.ppid);
  int64_t share;

  if (process->zombie || process->pss_denied || parent == NULL || parent->pss < 0 ||
      process->started + HALF_TICK > clocks_epoch (sampler->clocks, parent->pss_ended) ||
      is_in_vfork (sampler, process))
    return 0;
  share = pss_estimate (parent);

  return share < process->rss ? share : process->rss;
}

void
pss_read (Sampler *sampler, int64_t now)
{
  bool exact = sampler->options->pss == PSS_EXACT;
  int64_t began;
  size_t n = sampler->tree->n;

  sampler->pss_budget += (int64_t) ((double) (now - sampler->pss_time) * SHARE);
  if (sampler->pss_budget > MAX_BUDGET)
    sampler->pss_budget = MAX_BUDGET;
  sampler->pss_time = now;

  began = clock_us (CLOCK_PROCESS_CPUTIME_ID);
  for (size_t i = 0; i < n; i++)
    {
      Process *p = sampler->tree->all[i];
      int64_t spent;

      if (!needs_reading (p, now, exact))
        continue;
      if (p->family_changed && afford (sampler, family_cost (sampler, p)))
        read_family (sampler, p, now);
      else if (!p->family_changed && !waits_for_family (sampler, p) && afford (sampler, cost_of (p)))
        read_alone (sampler, p, now);
      else
        continue;
      spent = clock_us (CLOCK_PROCESS_CPUTIME_ID) - began;
      began += spent;
      sampler->pss_budget -= spent;
    }
}
