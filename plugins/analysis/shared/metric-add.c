/* SPDX-License-Identifier: BSD-3-Clause */
#include "metric-add.h"

#include <math.h>

#define LARGEST 9e18

gint64
metric_to_integer (double value)
{
  return (gint64) CLAMP (value, -LARGEST, LARGEST);
}

void
metric_add (RoastReport *report, const char *name, double value, RoastCompleteness otherwise, const char *note,
            const char *reason)
{
  if (isnan (value))
    roast_report_add_unavailable (report, name, reason);
  else
    roast_report_add_double (report, name, value, note != NULL ? otherwise : ROAST_COMPLETENESS_COMPLETE, note);
}

void
metric_add_integer (RoastReport *report, const char *name, double value, RoastCompleteness otherwise, const char *note,
                    const char *reason)
{
  if (isnan (value))
    roast_report_add_unavailable (report, name, reason);
  else if (value > LARGEST)
    roast_report_add_int64 (report, name, metric_to_integer (value), ROAST_COMPLETENESS_PARTIAL,
                            "a lower bound: the sum exceeds the largest whole number that roast can hold");
  else
    roast_report_add_int64 (report, name, metric_to_integer (value),
                            note != NULL ? otherwise : ROAST_COMPLETENESS_COMPLETE, note);
}
