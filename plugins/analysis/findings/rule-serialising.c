/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds workers that spend much of their time on serializing data. */

#include "findings.h"

#define SERIALISING_MUCH 0.1  /* report only if serializing data took at least this share of the core time */
#define SERIALISING_FIRST 0.5 /* longest time in which a worker imports what its first serialization needs, s */

void
rule_serialising (Findings *self)
{
  double share = findings_get_part (self, ROAST_CORE_PART_TASK_SERIALISE);
  double first = SERIALISING_FIRST * (double) self->workers.n;
  RoastFinding *finding = NULL;

  if (self->is_spilling && share >= SERIALISING_MUCH)
    {
      findings_be_silent (self, "workers serialized data to spill it to disk: see the finding “memory”");
      return;
    }
  if (share < SERIALISING_MUCH)
    {
      findings_be_silent (self, "serializing and compressing took %.1f %% of the core time", 100 * share);
      return;
    }
  if (share - first / self->offered < SERIALISING_MUCH)
    {
      findings_be_silent (self,
                          "serializing took %s, which may be the time to import what a worker needs for the first data",
                          findings_duration (self, share * self->offered));
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                          "Serializing, deserializing, compressing and decompressing took %.0f %% of the core time.",
                          100 * share);
  roast_finding_add_number (finding, "serializing", findings_get_metric (self, "serialization_seconds"), "s");
  roast_finding_add_number (finding, "deserializing", findings_get_metric (self, "deserialization_seconds"), "s");
  roast_finding_add_number (finding, "for_transfers", findings_get_metric (self, "transfer_serialization_seconds"),
                            "s");
  findings_add (self, finding,
                "Pass less data between tasks and to the program: combine steps in one task, return arrays instead of "
                "objects, and merge results early.");
}
