/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds tasks that wait for each other's results, because the graph has too few independent tasks for the cores. */

#include "findings.h"

#define DEPENDENCIES_MUCH 0.2 /* report only if cores waited for inputs for this share of the core time */

void
rule_dependencies (Findings *self)
{
  double idle = findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS);
  RoastFinding *finding = NULL;

  if (idle < DEPENDENCIES_MUCH)
    {
      findings_be_silent (self, "for %.0f %% of the core time, all remaining tasks waited for results of other tasks",
                          100 * idle);
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                          "Tasks waited for each other: cores were free for %.0f %% of the core time while every "
                          "remaining task needed results of unfinished tasks.",
                          100 * idle);
  roast_finding_add_number (finding, "free_while_inputs_were_missing", idle, "ratio");
  roast_finding_add_number (finding, "cores", self->workers.cores, "cores");
  findings_add (self, finding, "Split the work into more independent tasks, or request fewer cores.");
}
