/* SPDX-License-Identifier: BSD-3-Clause */

/* Tasks wait for each other: the graph is too narrow for the cores. */

#include "findings.h"

#define MUCH 0.2 /* of the core time */

void
rule_dependencies (Findings *self)
{
  double idle = findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS);
  RoastFinding *finding = NULL;

  if (idle < MUCH)
    {
      findings_be_silent (self, "for %.0f %% of the core time all tasks that were left waited for others", 100 * idle);
      return;
    }
  finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                    "Tasks waited for each other: for %.0f %% of the core time cores were free, and each task that "
                    "was left needed results of tasks that had not ended.",
                    100 * idle);
  roast_finding_add_number (finding, "free_while_inputs_were_missing", idle, NULL);
  roast_finding_add_number (finding, "cores", self->workers.cores, "cores");
  findings_add (self, finding,
                "Divide the work so that more tasks are independent of each other, or ask for fewer cores.");
}
