/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-metric.h"

#include <math.h>

#include "notes.h"

static void
add (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 missing, const char *doubt,
     RoastCompleteness doubtful, const char *reason)
{
  g_autofree char *lack =
      missing > 0 ? g_strdup_printf ("missing for %" G_GINT64_FORMAT " %s", missing, missing == 1 ? "chunk" : "chunks")
                  : NULL;
  g_autofree char *note = notes_join (lack, doubt);
  RoastCompleteness completeness = doubt != NULL  ? doubtful
                                   : note != NULL ? ROAST_COMPLETENESS_PARTIAL
                                                  : ROAST_COMPLETENESS_COMPLETE;

  if (isnan (value))
    roast_report_add_unavailable (report, name, reason);
  else if (is_integer)
    roast_report_add_int64 (report, name, (gint64) llround (value), completeness, note);
  else
    roast_report_add_double (report, name, value, completeness, note);
}

void
workload_metric_add (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 missing,
                     const char *doubt, const char *reason)
{
  add (report, name, value, is_integer, missing, doubt, ROAST_COMPLETENESS_PARTIAL, reason);
}

void
workload_metric_add_estimated (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 missing,
                               const char *doubt, const char *reason)
{
  add (report, name, value, is_integer, missing, doubt, ROAST_COMPLETENESS_ESTIMATED, reason);
}
