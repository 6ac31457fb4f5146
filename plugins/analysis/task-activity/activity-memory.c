/* SPDX-License-Identifier: BSD-3-Clause */

/* Report the largest peak memory among all workers. */

#include "activity-memory.h"

#include <math.h>

#include "coverage.h"
#include "metric-add.h"

static void
memory_take (gint64 peak, gint64 limit, gint64 *greatest, double *ratio)
{
  *greatest = MAX (*greatest, peak);
  if (limit > 0)
    *ratio = MAX (*ratio, (double) peak / (double) limit);
}

void
activity_memory_add (ActivityMemory *self, gint64 peak, int bound, gint64 sampled, gint64 limit)
{
  self->n++;
  if (peak < 0)
    {
      self->n_unknown++;
      return;
    }
  if (bound == ROAST_BOUND_AT_MOST)
    {
      memory_take (peak, limit, &self->bound, &self->bound_ratio);
      memory_take (sampled, limit, &self->peak, &self->ratio);
      return;
    }
  memory_take (peak, limit, &self->peak, &self->ratio);
  if (bound < 0)
    self->n_sampled++;
  else if (bound == ROAST_BOUND_AT_LEAST)
    self->n_cut++;
}

static void
add_note (GString *text, guint n, guint all, const char *what)
{
  if (n > 0)
    g_string_append_printf (text, "%s%u of %u workers %s", *text->str != '\0' ? "; " : "", n, all, what);
}

static char *
memory_dup_note (const ActivityMemory *self, gboolean is_bound)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (is_bound)
    g_string_append (text, "upper bound: the peak may date from before the measurement, or cover several workers in "
                           "one process");
  add_note (text, self->n_cut, self->n, "ended before their last data arrived");
  add_note (text, self->n_sampled, self->n, "reported their memory only in samples");
  add_note (text, self->n_unknown, self->n, "did not report their memory");

  return *text->str != '\0' ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

void
activity_memory_report (const ActivityMemory *self, ActivityReport *report)
{
  static const char none[] = "no worker of an executor was seen";
  static const char no_memory[] = "no worker reported its memory";
  gint64 peak = MAX (self->peak, self->bound);
  double ratio = MAX (self->ratio, self->bound_ratio);
  g_autoptr (GPtrArray) lost =
      coverage_list (report->recording, ROAST_TABLE_WORKERS, roast_workers_columns[ROAST_WORKERS_MEMORY_PEAK]);
  g_autofree char *note = memory_dup_note (self, self->bound > self->peak);
  g_autofree char *ratio_note = memory_dup_note (self, self->bound_ratio > self->ratio);

  for (guint i = 0; i < lost->len; i++)
    {
      const char *reason = ((const Coverage *) g_ptr_array_index (lost, i))->reason;

      note = note != NULL ? note : g_strdup (reason);
      ratio_note = ratio_note != NULL ? ratio_note : g_strdup (reason);
    }
  metric_add_integer (report->report, "worker_memory_peak_bytes", peak >= 0 ? (double) peak : NAN,
                      self->bound > self->peak ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL, note,
                      self->n > 0 ? no_memory : none);
  metric_add (report->report, "worker_memory_peak_ratio", ratio > 0 ? ratio : NAN,
              self->bound_ratio > self->ratio ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_PARTIAL, ratio_note,
              self->n == 0 ? none
              : peak < 0   ? no_memory
                           : "workers have no memory limit");
}
