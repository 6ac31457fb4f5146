/* SPDX-License-Identifier: BSD-3-Clause */

/* A few tasks end long after the others. */

#include "findings.h"

#define MUCH 0.1 /* of the core time, idle in the tail */
#define LONG 2.5 /* times the median of its category */

static double
get_idle (Findings *self)
{
  return findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_STRETCH_TAIL,
                             ROAST_STRETCH_TAIL);
}

static void
speak (Findings *self, double median)
{
  const FindingsLast *last = &self->tasks.last;
  double idle = get_idle (self);
  g_autofree char *tail = findings_duration (findings_get_length (self, ROAST_STRETCH_TAIL));
  g_autofree char *time = findings_duration (last->time);
  g_autofree char *usual = findings_duration (median);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                                        "In the last %s only %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                                        " tasks ended, while free cores had nothing to do: task “%s” (%s) on worker %s "
                                        "took %s, %.1f times the median of %s.",
                                        tail, last->n, self->tasks.n_done, last->task, last->category,
                                        last->worker != NULL ? last->worker : "?", time, last->time / median, usual);

  roast_finding_add_text (finding, "task", last->task);
  roast_finding_add_text (finding, "category", last->category);
  if (last->worker != NULL)
    roast_finding_add_text (finding, "worker", last->worker);
  roast_finding_add_number (finding, "time", last->time, "s");
  roast_finding_add_number (finding, "median", median, "s");
  roast_finding_add_number (finding, "tail", findings_get_length (self, ROAST_STRETCH_TAIL), "s");
  roast_finding_add_number (finding, "tasks", (double) last->n, NULL);
  findings_add (self, finding,
                "Split the longest work into smaller tasks, submit it first, or see why this worker or its input is "
                "slow.");
  findings_explain_waiting (self, last->waited);
}

void
rule_stragglers (Findings *self)
{
  double median = findings_get_median (self, self->tasks.last.category);

  if (!findings_need_slots (self))
    return;
  if (get_idle (self) < MUCH)
    findings_be_silent (self, "free cores in the tail are %.1f %% of the core time", 100 * get_idle (self));
  else if (self->tasks.last.task == NULL || !(median > 0))
    findings_lack (self, "no row shows which tasks ended last");
  else if (findings_has_spoken (self, "few-tasks"))
    findings_be_silent (self, "there were too few tasks for the cores: see few-tasks");
  else if (self->tasks.last.time < LONG * median)
    findings_be_silent (self, "the last task took %.1f times the median of its category, which is not unusual",
                        self->tasks.last.time / median);
  else
    speak (self, median);
}
