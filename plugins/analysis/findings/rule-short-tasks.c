/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds tasks that are so short that the overhead per task matters. */

#include "findings.h"

#define SHORT_TASKS_FEW 50    /* report only if there are at least this many tasks */
#define SECONDS 5             /* longest duration of a task that the advice recommends, s */
#define PIECES 4              /* tasks per core that the advice leaves, so that all cores end at about the same time */
#define SHORT 1.0             /* average time of a task up to which tasks count as short, s */
#define SHORT_TASKS_MUCH 0.15 /* report only if at least this share of the core time was lost between tasks */
#define SHORT_TASKS_HALF 0.5
#define SHORT_TASKS_SLOW 50.0 /* executors usually assign hundreds of tasks per second; fewer than this are few */
#define RELATIVE 0.3          /* report only if the overhead per task is at least this multiple of the task time */

/* Returns the share of the core time in which cores were free until inputs arrived, although no task was computing
 * these inputs. If a task computes the inputs, the graph has too few independent tasks, which the rule dependencies
 * reports. */
static double
get_gaps (Findings *self)
{
  double work = findings_get_length (self, ROAST_STRETCH_RAMP) + findings_get_length (self, ROAST_STRETCH_STEADY) +
                findings_get_length (self, ROAST_STRETCH_TAIL);

  return findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS) * fmax (1 - self->tasks.time / work, 0);
}

/* Returns the share of the core time in which the executor's event loop was late. Longer tasks would not shorten this
 * time. */
static double
short_tasks_get_blocked (Findings *self)
{
  double longest = 0;
  double late = findings_get_lateness (self, &longest);

  return findings_is_late (self, late, longest) && self->offered > 0 ? late * self->workers.cores / self->offered : 0;
}

/* Returns how many tasks the advice combines into one, rounded down to one significant digit: for example, 3081 becomes
 * 3000. */
static double
get_combined (Findings *self, double mean)
{
  double n = fmax (fmin (SECONDS / mean, (double) self->tasks.n_done / (PIECES * self->workers.cores)), 2);
  double unit = pow (10, floor (log10 (n)));

  return floor (n / unit) * unit;
}

/* @mean: average time of a task, s; @each: average slot time between two tasks, s */
static void
short_tasks_speak (Findings *self, double mean, double each, double cost)
{
  double n = (double) self->tasks.n_done;
  double combined = get_combined (self, mean);
  double rate = n * self->workers.cores / self->offered;
  /* A slow executor, and not the number of tasks, is the reason if it assigned few of them although slots were free. */
  gboolean is_slow =
      rate < SHORT_TASKS_SLOW && findings_get_not_assigned (self) >= fmax (SHORT_TASKS_HALF, SHORT_TASKS_HALF * cost);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, cost,
                    "%s took only %s on average. For each task, a slot lost %s: it was free "
                    "although tasks were available, or it waited for data.%s",
                    findings_count (self, (gint64) n, "task", "tasks"), findings_duration (self, mean),
                    findings_duration (self, each),
                    is_slow ? findings_text (self, " The executor assigned only %.3g tasks per second.", rate) : "");
  const char *slow = is_slow ? "Find out what slows the executor down: for example a plugin, or other work in the "
                               "process that assigns tasks. "
                             : "";

  roast_finding_add_number (finding, "tasks", n, NULL);
  roast_finding_add_number (finding, "mean", mean, "s");
  roast_finding_add_number (finding, "cost", each, "s");
  if (mean * n < SECONDS)
    findings_add (self, finding, "%sCombine all these tasks into one task, or into one task per core.", slow);
  else
    findings_add (self, finding,
                  "%sCombine about %.0f tasks into one, for example with larger chunks, so that each task takes about "
                  "%s.",
                  slow, combined, findings_duration (self, combined * mean));
}

void
rule_short_tasks (Findings *self)
{
  double n = (double) self->tasks.n_done;
  double mean = self->tasks.time / n;
  /* Core time that was lost between tasks, while tasks were available. */
  double cost = findings_get_not_assigned (self) + get_gaps (self) +
                findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED) +
                findings_get_parts (self, ROAST_CORE_PART_MOVE_IN, ROAST_CORE_PART_MOVE_OUT);
  double each = cost * self->offered / n;

  if (!(n > 0))
    findings_lack (self, "the duration of tasks was not recorded");
  else if (self->is_spilling)
    findings_be_silent (self, "workers that ran out of memory took no tasks, and larger tasks need even more memory: "
                              "see the finding “memory”");
  else if (short_tasks_get_blocked (self) >= SHORT_TASKS_HALF * cost)
    findings_be_silent (self, "tasks waited while the executor's event loop was blocked: see the finding “executor”");
  else if (findings_get_shuffled (self) >= SHORT_TASKS_HALF * cost)
    findings_be_silent (self, "tasks waited while workers shuffled data: see the finding “moving”");
  else if (n < SHORT_TASKS_FEW || mean > SHORT || cost < SHORT_TASKS_MUCH || each < RELATIVE * mean)
    findings_be_silent (self, "%.0f tasks took %s on average; a slot waited %s between two tasks", n,
                        findings_duration (self, mean), findings_duration (self, each));
  else
    short_tasks_speak (self, mean, each, cost);
}
