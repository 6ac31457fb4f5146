/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds impossible values: formulas count the rows that contain them. */

#include "conform.h"

#define YEAR (366.0 * 24 * 3600)
#define YEAR_2000 946684800 /* s since the epoch */

/* Conditions for tables that have these columns. */
static const struct
{
  const char *condition, *problem;
} conditions[] = {
  { "ended < started", "end before they start" },
  { "started < submitted", "start before they are submitted" },
  { "left < joined", "leave before they join" },
  { "cpu > 1.1 * cores * (ended - started) + 0.1", "have more CPU time than their cores could give" },
};

typedef struct
{
  ConformCase *checked;
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  const char *table;
} Values;

/* Reports rows that fulfill a condition. Conditions on columns that the table lacks count nothing. */
static void
check (const Values *self, const char *condition, const char *problem)
{
  g_autofree char *formula = g_strdup_printf ("count (over %s where %s)", self->table, condition);
  g_autoptr (RoastMetric) n = roast_report_evaluate (self->report, self->recording, "rows", formula, NULL);

  if (n != NULL && roast_metric_is_available (n) && roast_metric_get_double (n) > 0)
    inspect_child_finding (self->checked->plugin, "Correct the values, or leave the cells out if they are unknown",
                           "rows of the table %s %s: %.0f", self->table, problem, roast_metric_get_double (n));
}

static void
check_column (const Values *self, RoastColumn *column)
{
  const char *name = roast_column_get_name (column);
  const char *unit = roast_column_get_unit (column);
  double now = (double) g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *outside = g_strdup_printf ("%s < %d or %s > %.0f", name, YEAR_2000, name, now + YEAR);
  g_autofree char *strange =
      g_strdup_printf ("have a time in the column %s before the year 2000 or more than a year ahead", name);
  g_autofree char *below = g_strdup_printf ("%s < 0 or %s > 1e300", name, name);
  g_autofree char *negative = g_strdup_printf ("have a negative or infinite value in the column %s", name);

  if (unit == NULL)
    return;
  if (g_str_equal (unit, "us"))
    check (self, outside, strange);
  else if (!g_str_equal (self->table, ROAST_TABLE_CHUNKS) || !g_str_equal (name, "memory"))
    check (self, below, negative);
}

void
conform_values (ConformCase *checked, RoastRecording *recording)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = roast_report_new (roast_recording_get_schema (recording));
  g_auto (GStrv) tables = roast_recording_dup_table_names (recording);

  for (char **table = tables; *table != NULL; table++)
    {
      const Values self = { checked, snapshot, report, *table };
      RoastTableInfo *info = roast_schema_lookup_table (roast_recording_get_schema (recording), *table);

      for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
        check (&self, conditions[i].condition, conditions[i].problem);
      for (guint i = 0; info != NULL && i < roast_table_info_get_n_columns (info); i++)
        check_column (&self, roast_table_info_get_column (info, i));
    }
}
