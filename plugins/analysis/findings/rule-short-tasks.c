/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks are so short that what each of them costs beside its own time matters. */

#include "findings.h"

#define FEW 50    /* tasks */
#define SECONDS 5 /* that a task should take */
#define SHORT 1.0 /* s, on average */
#define MUCH 0.15 /* of the core time */
#define HALF 0.5
#define RELATIVE 0.3 /* cost of a task over its time */

/* Share of the core time that was free until inputs were there, though no task computed them: while one does, the graph
 * is too narrow for the cores. */
static double
get_gaps (Findings *self)
{
  double work = findings_get_length (self, ROAST_STRETCH_RAMP) + findings_get_length (self, ROAST_STRETCH_STEADY) +
                findings_get_length (self, ROAST_STRETCH_TAIL);

  return findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS) * fmax (1 - self->tasks.time / work, 0);
}

/* Share of the core time in which tasks of any length would have waited. */
static double
get_blocked (Findings *self)
{
  double longest = 0;
  double late = findings_get_lateness (self, &longest);

  return findings_is_late (self, late, longest) && self->offered > 0 ? late * self->workers.cores / self->offered : 0;
}

/* To one digit that matters: 3081 is 4000. */
static double
round_up (double n)
{
  double unit = pow (10, floor (log10 (n)));

  return ceil (n / unit) * unit;
}

void
rule_short_tasks (Findings *self)
{
  const FindingsTasks *tasks = &self->tasks;
  double mean = tasks->n_done > 0 ? tasks->time / (double) tasks->n_done : NAN;
  /* While tasks were there that might have run. */
  double cost = findings_get_not_assigned (self) + get_gaps (self) +
                findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED) +
                findings_get_parts (self, ROAST_CORE_PART_MOVE_IN, ROAST_CORE_PART_MOVE_OUT);
  double each = tasks->n_done > 0 ? cost * self->offered / (double) tasks->n_done : NAN;
  g_autofree char *time = NULL;
  g_autofree char *spent = NULL;
  RoastFinding *finding = NULL;

  if (tasks->n_done == 0)
    {
      findings_lack (self, "no row has the time of a task");
      return;
    }
  if (self->is_spilling)
    {
      findings_be_silent (self, "workers that run out of memory take no tasks, and larger tasks need more: see memory");
      return;
    }
  if (get_blocked (self) >= HALF * cost)
    {
      findings_be_silent (self, "tasks waited while the executor's event loop was blocked: see executor");
      return;
    }
  time = findings_duration (mean);
  spent = findings_duration (each);
  if (tasks->n_done < FEW || mean > SHORT || cost < MUCH || each < RELATIVE * mean)
    {
      findings_be_silent (self, "%" G_GINT64_FORMAT " tasks took %s on average, and %s of slots for each between them",
                          tasks->n_done, time, spent);
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, cost,
                          "%" G_GINT64_FORMAT " tasks took only %s on average, and for each of them slots were free or "
                          "waited for data for %s while tasks were there.",
                          tasks->n_done, time, spent);
  roast_finding_add_number (finding, "tasks", (double) tasks->n_done, NULL);
  roast_finding_add_number (finding, "mean", mean, "s");
  roast_finding_add_number (finding, "cost", each, "s");
  if (mean * (double) tasks->n_done < SECONDS)
    findings_add (self, finding, "Put the work of all of them into one task, or into one for each core.");
  else
    findings_add (self, finding,
                  "Put the work of about %.0f tasks into one, as by larger chunks, so that it takes seconds.",
                  round_up (fmax (SECONDS / mean, 2)));
}
