/* SPDX-License-Identifier: BSD-3-Clause */
#include "lifecycle.h"

#include <math.h>

void
lifecycle_table_open (LifecycleTable *self, RoastRecordingSnapshot *recording, const char *name,
                      const char *const *names)
{
  self->table = roast_recording_snapshot_get_table (recording, name);
  self->n_rows = self->table != NULL ? roast_table_snapshot_get_n_rows (self->table) : 0;
  for (guint i = 0; self->n_rows > 0 && names[i] != NULL; i++)
    {
      g_assert (i < G_N_ELEMENTS (self->columns));
      self->columns[i] = (guint) roast_table_snapshot_find_column (self->table, names[i]);
    }
}

gint64
lifecycle_table_int64 (const LifecycleTable *self, guint64 row, guint column)
{
  guint i = self->columns[column];

  return roast_table_snapshot_is_valid (self->table, row, i) ? roast_table_snapshot_get_int64 (self->table, row, i)
                                                             : -1;
}

double
lifecycle_table_double (const LifecycleTable *self, guint64 row, guint column)
{
  guint i = self->columns[column];

  return roast_table_snapshot_is_valid (self->table, row, i) ? roast_table_snapshot_get_double (self->table, row, i)
                                                             : NAN;
}

const char *
lifecycle_table_text (const LifecycleTable *self, guint64 row, guint column)
{
  return roast_table_snapshot_get_string (self->table, row, self->columns[column]);
}

const char *
lifecycle_find_dropped (RoastRecordingSnapshot *recording)
{
  static const char *const names[] = { "kind", "message", NULL };
  LifecycleTable table = { 0 };

  lifecycle_table_open (&table, recording, "events", names);
  for (guint64 row = 0; row < table.n_rows; row++)
    if (g_strcmp0 (lifecycle_table_text (&table, row, 0), "frames-dropped") == 0)
      return lifecycle_table_text (&table, row, 1);

  return NULL;
}

void
lifecycle_add (RoastReport *report, const char *name, double value, RoastCompleteness completeness, const char *note)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_double (name, value);

  if (completeness != ROAST_COMPLETENESS_COMPLETE)
    roast_metric_set_completeness (metric, completeness, note);
  roast_report_add_metric (report, metric);
}

void
lifecycle_add_count (RoastReport *report, const char *name, gint64 value, const char *note)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_int64 (name, value);

  if (note != NULL)
    roast_metric_set_completeness (metric, ROAST_COMPLETENESS_PARTIAL, note);
  roast_report_add_metric (report, metric);
}

void
lifecycle_add_unavailable (RoastReport *report, const char *name, const char *reason)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_unavailable (name, reason);

  roast_report_add_metric (report, metric);
}
