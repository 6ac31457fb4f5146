/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds chunks that read more bytes than they needed. */

#include "findings.h"

#define AMPLIFICATION_MUCH 2.0
#define AMPLIFICATION_MATTERS 100e6 /* report only if at least this many unneeded bytes were read */

void
rule_amplification (Findings *self)
{
  double ratio = findings_get_metric (self, "read_amplification_ratio");
  double read = findings_get_metric (self, "bytes_read_total");
  double needed = findings_get_metric (self, "needed_bytes_total");
  const char *bytes = NULL;
  RoastFinding *finding = NULL;

  if (isnan (ratio))
    {
      findings_lack (self, "cannot compare needed bytes with bytes read: %s",
                     findings_get_reason (self, "read_amplification_ratio"));
      return;
    }
  if (ratio < AMPLIFICATION_MUCH || isnan (read))
    {
      findings_be_silent (self, "chunks read %.2f times as many bytes as they need", ratio);
      return;
    }
  bytes = findings_bytes (self, read);
  if (read - read / ratio < AMPLIFICATION_MATTERS)
    {
      findings_be_silent (self, "chunks read %.1f times as much as they need, but only %s in total", ratio, bytes);
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, NAN, "Chunks read %s, %.1f times as much as they need.",
                          bytes, ratio);
  roast_finding_add_number (finding, "amplification", ratio, NULL);
  roast_finding_add_number (finding, "read", read, "B");
  roast_finding_add_number (finding, "needed", needed, "B");
  findings_add (self, finding,
                "Use larger chunks that end at cluster boundaries of the file, and read only the columns that the "
                "analysis uses.");
}
