/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports attempts that exceeded a limit other than memory. */

#include "findings.h"

#define LIMITS_SOME 0.01 /* if no task failed in the end, report only if this share of the core time was lost */

/* Returns the share of the core time that was lost by exceeded limits. Returns NaN if an attempt exceeded its memory
 * limit, because core_time does not distinguish between limits. */
static double
limits_get_share (Findings *self)
{
  if (self->limits.n_memory > 0 || !(self->offered > 0) || self->is_tree)
    return NAN;

  return findings_get_part (self, ROAST_CORE_PART_LOST_EXHAUSTED);
}

void
rule_limits (Findings *self)
{
  const FindingsLimits *limits = &self->limits;
  double n = findings_get_metric (self, "attempts_exhausted_total");
  double share = limits_get_share (self);
  gboolean is_disk = limits->n_disk > 0 && limits->n_disk == limits->n_other;
  const char *which = limits->error != NULL ? findings_text (self, " (“%s”)", limits->error) : "";
  RoastFinding *finding = NULL;

  if (isnan (n))
    {
      findings_not_apply (self, "no executor with tasks was measured");
      return;
    }
  if (limits->n_other == 0 || (limits->n_failed == 0 && !(share >= LIMITS_SOME)))
    {
      findings_be_silent (self, "%s exceeded a limit other than memory",
                          findings_count (self, limits->n_other, "attempt", "attempts"));
      return;
    }
  finding = findings_new (self, limits->n_failed > 0 ? ROAST_FINDING_SEVERITY_ERROR : ROAST_FINDING_SEVERITY_WARNING,
                          share, "%s, %s category “%s”, exceeded %s%s.",
                          findings_count (self, limits->n_other, "attempt", "attempts"),
                          limits->n_other > 1 ? "the first in" : "in", limits->category != NULL ? limits->category : "",
                          is_disk ? "the allocated disk space" : "a limit", which);
  if (limits->n_failed > 0)
    roast_finding_set_lower_bound (finding);
  roast_finding_add_text (finding, "category", limits->category);
  roast_finding_add_text (finding, "error", limits->error);
  roast_finding_add_number (finding, "attempts", (double) limits->n_other, NULL);
  roast_finding_add_number (finding, "failed_tasks", (double) limits->n_failed, NULL);
  findings_add (self, finding, "%s for tasks of this category, or make these tasks smaller.",
                is_disk ? "Request more disk space" : "Raise this limit");
}
