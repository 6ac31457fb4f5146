/* SPDX-License-Identifier: BSD-3-Clause */

/* Explains metrics that are not available because an older version recorded the run, or because the run was not
 * recorded. */

#include "report/roast-report-private.h"
#include "roast-session-private.h"

static gboolean
has_word (char **words, const char *word)
{
  return g_strv_contains ((const char *const *) words, word);
}

/* Return the input of a formula that the run lacks: "table NAME", or "column NAME of TABLE". Return NULL if no input is
 * missing. */
static const char *
find_missing (const char *const *lacking, const char *formula)
{
  g_auto (GStrv) words = g_strsplit_set (formula, " ,;()./+-*", -1);

  for (guint i = 0; lacking[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lacking[i], " ", 4);
      guint n = g_strv_length (parts);

      if ((n == 2 || n == 4) && has_word (words, parts[1]) && (n == 2 || has_word (words, parts[3])))
        return lacking[i];
    }

  return NULL;
}

static void
explain_older (RoastReport *report, RoastMetric *metric, const char *const *lacking, const char *version)
{
  const char *name = roast_metric_get_name (metric);
  RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (report), name, NULL);
  const char *formula = info != NULL ? roast_metric_info_get_formula (info) : NULL;
  const char *missing = formula != NULL ? find_missing (lacking, formula) : NULL;
  g_autofree char *reason = NULL;

  if (missing == NULL)
    return;
  reason = g_strdup_printf ("the run was recorded by %s, which did not have %s", version, missing);
  roast_report_replace_reason (report, name, reason);
}

/* Give all metrics that are not available the same reason: nothing of the run was recorded. */
static gboolean
explain_nothing (RoastReport *report, RoastRecordingSnapshot *snapshot)
{
  g_autoptr (GVariant) reason =
      roast_recording_snapshot_lookup_metadata (snapshot, "nothing-recorded", G_VARIANT_TYPE_STRING);
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  for (guint i = 0; reason != NULL && i < metrics->len; i++)
    roast_report_replace_reason (report, roast_metric_get_name (g_ptr_array_index (metrics, i)),
                                 g_variant_get_string (reason, NULL));

  return reason != NULL;
}

void
roast_session_explain_missing (RoastReport *report, RoastRecordingSnapshot *snapshot)
{
  g_autoptr (GVariant) lacking_metadata =
      roast_recording_snapshot_lookup_metadata (snapshot, "lacking", G_VARIANT_TYPE_STRING_ARRAY);
  g_autoptr (GVariant) version =
      roast_recording_snapshot_lookup_metadata (snapshot, "recorded-by", G_VARIANT_TYPE_STRING);
  g_autofree const char **lacking = NULL;
  g_autoptr (GPtrArray) metrics = NULL;

  if (explain_nothing (report, snapshot) || lacking_metadata == NULL || version == NULL)
    return;
  lacking = g_variant_get_strv (lacking_metadata, NULL);
  metrics = roast_report_list_metrics (report);
  for (guint i = 0; i < metrics->len; i++)
    if (!roast_metric_is_available (g_ptr_array_index (metrics, i)))
      explain_older (report, g_ptr_array_index (metrics, i), lacking, g_variant_get_string (version, NULL));
}
