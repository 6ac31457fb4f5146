/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the activities of workers other than computing in tasks. A shuffle that waits for data counts as idle. */

#include "findings.h"

void
findings_read_activities (Findings *self)
{
  self->activities.run_queue =
      findings_evaluate (self, "sum (seconds over per_activity where context = 'run-queue' and known (seconds))");
  self->activities.fetching =
      fmax (findings_evaluate (self, "sum (seconds over per_activity where context = fetch)"), 0);
  self->activities.shuffling =
      fmax (findings_evaluate (self, "sum (seconds over per_activity where context = shuffle and activity != idle)"),
            0);
}

double
findings_get_shuffled (Findings *self)
{
  double free = findings_get_not_assigned (self) + findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED) +
                findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS) +
                findings_get_parts (self, ROAST_CORE_PART_MOVE_IN, ROAST_CORE_PART_MOVE_OUT);

  return self->offered > 0 ? fmin (self->activities.shuffling / self->offered, free) : 0;
}
