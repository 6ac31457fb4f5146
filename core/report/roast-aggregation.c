/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-aggregation-private.h"

#include <math.h>

RoastColumnSum
roast_aggregation_sum (RoastTableSnapshot *table, const char *name)
{
  RoastColumnSum result = { 0, 0, 0, NAN };
  int column = table != NULL ? roast_table_snapshot_find_column (table, name) : -1;
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  double lost = 0; /* by rounding: Kahan's summation, so that many small terms add up */

  for (guint64 row = 0; column >= 0 && row < n_rows; row++)
    {
      double value = roast_table_snapshot_get_double (table, row, (guint) column);
      double term, sum;

      if (isnan (value))
        {
          result.missing++;
          continue;
        }
      term = value - lost;
      sum = result.sum + term;
      lost = (sum - result.sum) - term;
      result.sum = sum;
      result.n++;
      result.max = isnan (result.max) ? value : MAX (result.max, value);
    }

  return result;
}

gboolean
roast_aggregation_get_int64 (RoastRecordingSnapshot *recording, const char *key, gint64 *value)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, NULL);

  if (found == NULL)
    return FALSE;
  if (g_variant_is_of_type (found, G_VARIANT_TYPE_INT64))
    *value = g_variant_get_int64 (found);
  else if (g_variant_is_of_type (found, G_VARIANT_TYPE_UINT64))
    *value = (gint64) g_variant_get_uint64 (found);
  else if (g_variant_is_of_type (found, G_VARIANT_TYPE_UINT32))
    *value = g_variant_get_uint32 (found);
  else if (g_variant_is_of_type (found, G_VARIANT_TYPE_INT32))
    *value = g_variant_get_int32 (found);
  else
    return FALSE;

  return TRUE;
}

gboolean
roast_aggregation_get_double (RoastRecordingSnapshot *recording, const char *key, double *value)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_DOUBLE);

  if (found == NULL)
    return FALSE;
  *value = g_variant_get_double (found);

  return TRUE;
}

char *
roast_aggregation_dup_string (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_STRING);

  return found != NULL ? g_variant_dup_string (found, NULL) : NULL;
}

void
roast_aggregation_add_qualified (RoastReport *report, const char *name, double value, gboolean integer,
                                 RoastCompleteness completeness, const char *note)
{
  g_autoptr (RoastMetric) metric =
      integer ? roast_metric_new_int64 (name, (gint64) llround (value)) : roast_metric_new_double (name, value);

  roast_metric_set_completeness (metric, completeness, note);
  roast_report_add_metric (report, metric);
}

void
roast_aggregation_add_double (RoastReport *report, const char *name, double value)
{
  roast_aggregation_add_qualified (report, name, value, FALSE, ROAST_COMPLETENESS_COMPLETE, NULL);
}

void
roast_aggregation_add_int64 (RoastReport *report, const char *name, gint64 value)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_int64 (name, value);

  roast_report_add_metric (report, metric);
}

void
roast_aggregation_add_unavailable (RoastReport *report, const char *name, const char *reason)
{
  g_autoptr (RoastMetric) metric = roast_metric_new_unavailable (name, reason);

  roast_report_add_metric (report, metric);
}

void
roast_aggregation_add_ratio (RoastReport *report, const char *name, const char *numerator, const char *denominator,
                             double factor)
{
  RoastMetric *above = roast_report_lookup (report, numerator);
  RoastMetric *below = roast_report_lookup (report, denominator);
  RoastMetric *missing = above == NULL || !roast_metric_is_available (above) ? above : below;
  RoastMetric *worse = NULL;

  if (above == NULL || below == NULL || !roast_metric_is_available (above) || !roast_metric_is_available (below))
    {
      roast_aggregation_add_unavailable (report, name,
                                         missing != NULL && roast_metric_get_reason (missing) != NULL
                                             ? roast_metric_get_reason (missing)
                                             : "nothing computes what it follows from");
      return;
    }
  if (roast_metric_get_double (below) == 0)
    {
      g_autofree char *reason = g_strdup_printf ("%s is 0", denominator);

      roast_aggregation_add_unavailable (report, name, reason);
      return;
    }

  worse = roast_metric_get_completeness (above) != ROAST_COMPLETENESS_COMPLETE ? above : below;
  roast_aggregation_add_qualified (report, name,
                                   factor * roast_metric_get_double (above) / roast_metric_get_double (below), FALSE,
                                   roast_metric_get_completeness (worse), roast_metric_get_note (worse));
}
