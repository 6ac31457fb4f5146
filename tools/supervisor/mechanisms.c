/* SPDX-License-Identifier: BSD-3-Clause */

#include "mechanisms.h"

#include <stdio.h>

#include "roast/roast-accounting.h"

uint32_t
mechanisms_mask (const Mechanisms *self, const Options *options)
{
  uint32_t mask =
      ROAST_ACCOUNTING_RECONCILE | ROAST_ACCOUNTING_IO | ROAST_ACCOUNTING_RUN_QUEUE | ROAST_ACCOUNTING_CHILDREN;

  if (options->attach_pid == 0)
    mask |= ROAST_ACCOUNTING_WAIT;
  if (options->pss != PSS_OFF)
    mask |= ROAST_ACCOUNTING_PSS;
  if (self->cgroup)
    mask |= ROAST_ACCOUNTING_CGROUP;
  if (self->perf)
    mask |= ROAST_ACCOUNTING_PERF;

  return mask;
}

void
mechanisms_describe (const Mechanisms *self, const Options *options, char *text, size_t size)
{
  const char *no_pss = options->pss == PSS_OFF ? "; no proportional memory" : "";
  const char *others = "; processes that other machines or service managers start for the program are not counted";

  if (options->attach_pid != 0)
    snprintf (text, size,
              "attached: processes are sampled every %.4g s; not counted are processes that ended before the attach, "
              "and what a process used after its last sample if no parent waited for the process; processes that lived "
              "only between two samples count with their parent%s%s",
              (double) options->interval / 1e6, no_pss, others);
  else if (self->missing == NULL)
    snprintf (text, size,
              "exact: the kernel's final numbers of every process for which a parent waited, and %s for the other "
              "processes; processes too short for a sample %s%s%s",
              self->perf ? "perf events" : "a control group",
              self->perf ? "share their exact sum in proportion to perf's clocks, so the figure for each command is "
                           "approximate"
                         : "count with their parent",
              no_pss, others);
  else
    snprintf (text, size,
              "exact for every process for which a parent waited: the kernel gave its final numbers. A process whose "
              "parent ignores SIGCHLD is counted only up to its last sample, because %s%s%s",
              self->missing, no_pss, others);
}
