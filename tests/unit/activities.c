/* SPDX-License-Identifier: BSD-3-Clause */
#include "activities.h"

#include "rows.h"

void
activities_add (RoastRecording *recording, const char *source, const char *worker, const char *context,
                const char *category, const char *activity, const char *unit, double value)
{
  g_autofree char *of =
      category != NULL ? g_strdup_printf (", 'category': <'%s'>, 'span': <'s'>", category) : g_strdup ("");
  g_autofree char *at = worker != NULL ? g_strdup_printf (", 'worker': <'%s'>", worker) : g_strdup ("");
  g_autofree char *row = g_strdup_printf ("{'source': <'%s'>, 'time': <int64 1>%s, 'context': <'%s'>%s, "
                                          "'activity': <'%s'>, 'unit': <'%s'>, 'value': <%.17g>}",
                                          source, at, context, of, activity, unit, value + 1e-300);

  rows_add (recording, "activities", row);
}
