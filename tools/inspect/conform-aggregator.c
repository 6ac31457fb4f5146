/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks an aggregator. Runs it twice on an empty recording, and twice on the recording of a program. */

#include "conform.h"

#include <string.h>

#include "core/analysis/roast-aggregator-chain-private.h"

#define NOT_AVAILABLE "If a metric cannot be computed, add the metric as “not available”, with the reason"

/* If the aggregator that is checked requires metrics, runs all other aggregators, because they may provide these
 * metrics. */
static void
run_required (ConformCase *checked, RoastRegistry *registry, RoastRecordingSnapshot *snapshot,
              RoastAggregator *aggregator, RoastReport *report)
{
  g_auto (GStrv) requires = roast_aggregator_dup_requires (aggregator);
  g_auto (GStrv) names = roast_registry_dup_names (registry, ROAST_ROLE_AGGREGATOR);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);

  if (requires == NULL || *requires == NULL)
    return;
  for (char **name = names; *name != NULL; name++)
    {
      gboolean is_other = !g_str_equal (*name, checked->name);
      RoastAggregator *other = is_other ? roast_registry_create_aggregator (registry, *name, NULL) : NULL;

      if (other != NULL)
        g_ptr_array_add (others, other);
    }
  roast_aggregator_chain_run (others, snapshot, report, NULL, NULL);
}

/* Returns all metrics of a report as text, so that the metrics of two reports can be compared. */
static char *
print_report (RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      g_autofree char *value = roast_metric_is_available (metric)
                                   ? g_variant_print (roast_metric_get_value (metric), TRUE)
                                   : g_strdup (roast_metric_get_reason (metric));

      g_string_append_printf (text, "%s=%s\n", roast_metric_get_name (metric), value);
    }
  return g_string_free (text, FALSE);
}

static RoastReport *
aggregate (ConformCase *checked, RoastRegistry *registry, RoastRecordingSnapshot *snapshot, gboolean alone,
           GError **error)
{
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, checked->name, error);
  g_autoptr (RoastReport) report = roast_report_new (roast_registry_get_schema (registry));

  if (aggregator == NULL)
    return NULL;
  if (!alone)
    run_required (checked, registry, snapshot, aggregator, report);
  return roast_aggregator_aggregate (aggregator, snapshot, report, NULL, error) ? g_steal_pointer (&report) : NULL;
}

static void
check_promises (ConformCase *checked, RoastReport *report, const char *const *provides)
{
  for (; *provides != NULL; provides++)
    if (roast_report_lookup (report, *provides) == NULL)
      inspect_child_finding (checked->plugin, "Add the metric. " NOT_AVAILABLE,
                             "dup_provides returns the metric %s, which the aggregator does not add", *provides);
}

static void
check_added (ConformCase *checked, RoastReport *report, const char *const *provides)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  for (guint i = 0; i < metrics->len; i++)
    {
      const char *name = roast_metric_get_name (g_ptr_array_index (metrics, i));

      if (!g_strv_contains (provides, name))
        inspect_child_finding (checked->plugin,
                               "Return the metric from dup_provides, so that aggregators that need the metric run "
                               "later",
                               "the aggregator adds the metric %s, which dup_provides does not return", name);
      if (roast_schema_lookup_metric (roast_report_get_schema (report), name, NULL) == NULL)
        inspect_child_finding (checked->plugin, "Declare the metric in a group [metric NAME] of NAME.roast-schema",
                               "no schema declares the metric %s", name);
    }
}

/* Finds refused rows. For each row that the report refuses, it adds a note with the name of the table. */
static void
check_refused (ConformCase *checked, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);

  for (char **note = notes; *note != NULL; note++)
    if (strstr (*note, "table “") != NULL)
      inspect_child_finding (checked->plugin, CONFORM_CORRECT_ROW, "roast refuses a row of the aggregator: %s", *note);
}

static void
check_on (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, const char *what)
{
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastAggregator) aggregator = roast_registry_create_aggregator (registry, checked->name, NULL);
  g_auto (GStrv) provides = aggregator != NULL ? roast_aggregator_dup_provides (aggregator) : NULL;
  g_autoptr (RoastReport) first = NULL;
  g_autoptr (RoastReport) second = NULL;
  g_autoptr (RoastReport) alone = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *step = g_strdup_printf ("the aggregator reads %s", what);
  g_autofree char *first_text = NULL;
  g_autofree char *second_text = NULL;

  inspect_child_step (step);
  first = aggregate (checked, registry, snapshot, FALSE, &error);
  if (first == NULL)
    {
      inspect_child_finding (checked->plugin, NOT_AVAILABLE, "the aggregator fails on %s: %s", what, error->message);
      return;
    }
  check_promises (checked, first, (const char *const *) provides);
  check_refused (checked, first);
  alone = aggregate (checked, registry, snapshot, TRUE, NULL);
  if (alone != NULL)
    check_added (checked, alone, (const char *const *) provides);
  second = aggregate (checked, registry, snapshot, FALSE, NULL);
  first_text = print_report (first);
  second_text = second != NULL ? print_report (second) : NULL;
  if (g_strcmp0 (first_text, second_text) != 0)
    inspect_child_finding (checked->plugin,
                           "Compute metrics only from the recording and the report, not from clocks, files or earlier "
                           "calls",
                           "the aggregator gives different metrics in two calls for %s", what);
}

void
conform_aggregator (gpointer data)
{
  ConformCase *checked = data;
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastRecording) empty = roast_recording_new (roast_registry_get_schema (registry));
  g_autoptr (ConformRun) run = NULL;

  inspect_child_step ("roast runs a program whose recording is aggregated");
  run = conform_run (registry, NULL, NULL, NULL, NULL);
  if (run->error == NULL)
    check_on (checked, registry, roast_session_get_recording (run->session), "the recording of a program");
  check_on (checked, registry, empty, "an empty recording");
}
