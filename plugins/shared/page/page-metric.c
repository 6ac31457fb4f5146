/* SPDX-License-Identifier: BSD-3-Clause */

#include "page-metric.h"

#include <string.h>

#define LONG_TEXT 40

RoastMetricInfo *
page_metric_info (RoastReport *report, RoastMetric *metric)
{
  return roast_schema_lookup_metric (roast_report_get_schema (report), roast_metric_get_name (metric), NULL);
}

gboolean
page_metric_shows (RoastMetric *metric, RoastMetricInfo *info, gboolean detail)
{
  const char *show = info != NULL ? roast_metric_info_get_show (info) : "always";

  if (detail || g_str_equal (show, "always"))
    return TRUE;
  if (g_str_equal (show, "detail") || !roast_metric_is_available (metric))
    return FALSE;

  return !g_str_equal (show, "nonzero") || roast_metric_get_double (metric) != 0;
}

gboolean
page_metric_is_text (RoastMetric *metric)
{
  GVariant *value = roast_metric_get_value (metric);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING);
}

gboolean
page_metric_is_long_text (RoastMetric *metric)
{
  return page_metric_is_text (metric) &&
         strlen (g_variant_get_string (roast_metric_get_value (metric), NULL)) > LONG_TEXT;
}

const char *
page_completeness_mark (RoastCompleteness completeness)
{
  switch (completeness)
    {
    case ROAST_COMPLETENESS_PARTIAL:
      return "≥ ";
    case ROAST_COMPLETENESS_ESTIMATED:
      return "~ ";
    case ROAST_COMPLETENESS_COMPLETE:
    case ROAST_COMPLETENESS_UNAVAILABLE:
    default:
      return "";
    }
}

const char *
page_metric_mark (RoastMetric *metric)
{
  return page_completeness_mark (roast_metric_get_completeness (metric));
}

const char *
page_metric_group (RoastReport *report, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (report, metric);

  return info != NULL ? roast_metric_info_get_group (info) : "Other";
}

GPtrArray *
page_metrics_gather (RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  g_autoptr (GPtrArray) groups = g_ptr_array_new ();
  g_autofree guint *places = g_new (guint, metrics->len);
  GPtrArray *gathered = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < metrics->len; i++)
    {
      const char *group = page_metric_group (report, g_ptr_array_index (metrics, i));

      places[i] = groups->len;
      if (!g_ptr_array_find_with_equal_func (groups, group, g_str_equal, &places[i]))
        g_ptr_array_add (groups, (char *) group);
    }
  for (guint i = 0; i < groups->len; i++)
    for (guint j = 0; j < metrics->len; j++)
      if (places[j] == i)
        g_ptr_array_add (gathered, g_object_ref (g_ptr_array_index (metrics, j)));

  return gathered;
}
