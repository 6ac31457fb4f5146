/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-metric.h"

#include "metric-add.h"
#include "notes.h"

char *
workload_metric_dup_note (gint64 missing, const char *doubt)
{
  g_autofree char *lack =
      missing > 0 ? g_strdup_printf ("missing for %" G_GINT64_FORMAT " %s", missing, missing == 1 ? "chunk" : "chunks")
                  : NULL;

  return notes_join (lack, doubt);
}

static void
add (RoastReport *report, const char *name, double value, gboolean is_integer, gint64 missing, const char *doubt,
     RoastCompleteness otherwise, const char *reason)
{
  g_autofree char *note = workload_metric_dup_note (missing, doubt);

  if (is_integer)
    metric_add_integer (report, name, value, otherwise, note, reason);
  else
    metric_add (report, name, value, otherwise, note, reason);
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
