/* SPDX-License-Identifier: BSD-3-Clause */

/* An aggregator: on an empty recording and on that of a program, twice each. */

#include "conform.h"

#include <string.h>

/* All that it adds, as text. */
static char *
aggregate (ConformCase *checked, RoastRegistry *registry, RoastRecordingSnapshot *snapshot, RoastReport **report,
           GError **error)
{
  static const char *const builtin[] = { "processes", "workers", "workload", "spans", NULL };
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, checked->name, error);
  g_autoptr (RoastReport) made = roast_report_new (roast_registry_get_schema (registry));
  g_autoptr (GPtrArray) metrics = NULL;
  GString *text;

  if (aggregator == NULL)
    return NULL;
  for (guint i = 0; builtin[i] != NULL; i++)
    {
      g_autoptr (RoastAggregator) before = roast_registry_create_aggregator (registry, builtin[i], NULL);

      if (before != NULL)
        roast_aggregator_aggregate (before, snapshot, made, NULL, NULL);
    }
  if (!roast_aggregator_aggregate (aggregator, snapshot, made, NULL, error))
    return NULL;
  text = g_string_new (NULL);
  metrics = roast_report_list_metrics (made);
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      g_autofree char *value = roast_metric_is_available (metric)
                                   ? g_variant_print (roast_metric_get_value (metric), TRUE)
                                   : g_strdup (roast_metric_get_reason (metric));

      g_string_append_printf (text, "%s=%s\n", roast_metric_get_name (metric), value);
    }
  if (report != NULL)
    *report = g_steal_pointer (&made);
  return g_string_free (text, FALSE);
}

static void
check_promises (ConformCase *checked, RoastRegistry *registry, RoastReport *report)
{
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, checked->name, NULL);
  g_auto (GStrv) provides = roast_aggregator_dup_provides (aggregator);

  for (char **name = provides; *name != NULL; name++)
    if (roast_report_lookup (report, *name) == NULL)
      inspect_child_finding (checked->plugin, "Add it as not available, with the reason, where it cannot be computed",
                             "it says that it provides the metric %s, and does not add it", *name);
}

/* What it adds beside what the library's own aggregators add. */
static void
check_added (ConformCase *checked, RoastRegistry *registry, RoastRecordingSnapshot *snapshot, RoastReport *report)
{
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, checked->name, NULL);
  g_auto (GStrv) provides = roast_aggregator_dup_provides (aggregator);
  g_autoptr (RoastReport) alone = roast_report_new (roast_registry_get_schema (registry));
  g_autoptr (GPtrArray) metrics = NULL;

  if (!roast_aggregator_aggregate (aggregator, snapshot, alone, NULL, NULL))
    return;
  metrics = roast_report_list_metrics (alone);
  for (guint i = 0; i < metrics->len; i++)
    {
      const char *name = roast_metric_get_name (g_ptr_array_index (metrics, i));

      if (!g_strv_contains ((const char *const *) provides, name))
        inspect_child_finding (checked->plugin, "Name it in dup_provides, so that others who need it come after",
                               "it adds the metric %s, and does not say that it provides it", name);
      if (roast_schema_lookup_metric (roast_registry_get_schema (registry), name, NULL) == NULL)
        inspect_child_finding (checked->plugin, "Add [metric NAME] to NAME.roast-schema beside the key file",
                               "no schema declares its metric %s", name);
    }
}

static void
check_on (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, const char *what, const char *cure)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *step = g_strdup_printf ("aggregating %s", what);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  inspect_child_step (step);
  first = aggregate (checked, registry, snapshot, &report, &error);
  if (first == NULL)
    {
      inspect_child_finding (checked->plugin, cure, "it fails on %s: %s", what, error->message);
      return;
    }
  check_promises (checked, registry, report);
  check_added (checked, registry, snapshot, report);
  second = aggregate (checked, registry, snapshot, NULL, NULL);
  if (g_strcmp0 (first, second) != 0)
    inspect_child_finding (checked->plugin, "Use nothing but the recording and the report: no clock, no file, no state",
                           "it finds other metrics the second time on %s", what);
}

void
conform_aggregator (gpointer data)
{
  ConformCase *checked = data;
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastRecording) empty = roast_recording_new (NULL);
  g_autoptr (ConformRun) run = NULL;

  inspect_child_step ("running a program to have something to aggregate");
  run = conform_run (registry, NULL, NULL, NULL, NULL);
  if (run->error == NULL)
    check_on (checked, registry, roast_session_get_recording (run->session), "the recording of a program",
              "Add metrics that are not available, with the reason");
  check_on (checked, registry, empty, "an empty recording", "Add metrics that are not available, with the reason");
}
