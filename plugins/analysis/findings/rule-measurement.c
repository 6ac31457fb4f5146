/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports that measuring cost much CPU time. */

#include "findings.h"

#define MEASUREMENT_MUCH 0.05    /* report only if measuring took at least this share of the program's CPU time */
#define MEASUREMENT_AT_LEAST 1.0 /* report only if measuring took at least this CPU time, s */

void
rule_measurement (Findings *self)
{
  double own = findings_get_metric (self, "own_cpu_seconds");
  double cpu = findings_get_metric (self, "process_cpu_time_seconds");
  const char *spent = NULL;
  RoastFinding *finding = NULL;

  if (isnan (own) || !(cpu > 0))
    {
      findings_lack (self, "the cost of measuring is unknown: %s",
                     findings_get_reason (self, isnan (own) ? "own_cpu_seconds" : "process_cpu_time_seconds"));
      return;
    }
  spent = findings_duration (self, own);
  if (own < MEASUREMENT_AT_LEAST || own / cpu < MEASUREMENT_MUCH)
    {
      findings_be_silent (self, "measuring took %s of CPU time, %.1f %% of the program's CPU time", spent,
                          100 * own / cpu);
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_INFO, NAN,
                          "Measuring took %s of CPU time, %.0f %% of the program's CPU time.", spent, 100 * own / cpu);
  roast_finding_add_number (finding, "own_cpu", own, "s");
  roast_finding_add_number (finding, "program_cpu", cpu, "s");
  findings_add (self, finding, "Sample less often, for example with --interval=5.");
}
