/* SPDX-License-Identifier: BSD-3-Clause */

/* Key numbers, which depend on the kind of run: what was processed, how fast, and with which resources. */

#include "page-metric.h"
#include "page.h"

/* A metric whose schema gives it a place on the page. */
typedef struct
{
  RoastMetric *metric;
  int rank;
  const char *topic; /* NULL: none */
} KeyNumber;

static gboolean
applies (const PageSource *source, const char *condition)
{
  if (g_str_equal (condition, "tasks"))
    return source->has_tasks;
  if (g_str_equal (condition, "chunks"))
    return source->has_chunks;

  return g_str_equal (condition, "any") || !source->has_tasks;
}

/* Returns whether the metric is 0 and gives no information, because nothing happened, because no sample recorded it, or
 * because it is a lower bound. */
static gboolean
is_empty (const PageSource *source, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (source->report, metric);

  return info != NULL && roast_metric_get_double (metric) == 0 &&
         (g_str_equal (roast_metric_info_get_show (info), "nonzero") ||
          roast_metric_get_completeness (metric) != ROAST_COMPLETENESS_COMPLETE);
}

static void
add_number (PageSection *section, const PageSource *source, RoastMetric *metric)
{
  g_autofree char *value = page_format_metric (source, metric);

  page_section_add (section, source, PAGE_NUMBER, page_metric_label (source, metric), value)->metric =
      g_object_ref (metric);
}

gboolean
page_metric_is_own (const PageSource *source, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (source->report, metric);

  return info != NULL && g_str_equal (roast_metric_info_get_show (info), "always") &&
         roast_metric_info_get_page (info, NULL, NULL) < 0;
}

static void
add_own (PageSection *section, const PageSource *source)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (source->report);

  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    if (roast_metric_is_available (metric) && !page_metric_is_long_text (metric) && page_metric_is_own (source, metric))
      add_number (section, source, metric);
}

static int
compare_ranks (const KeyNumber *a, const KeyNumber *b)
{
  return a->rank - b->rank;
}

static GArray *
list_key_numbers (const PageSource *source)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (source->report);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (KeyNumber));

  for (guint i = 0; i < metrics->len; i++)
    {
      KeyNumber number = { g_ptr_array_index (metrics, i), 0, NULL };
      RoastMetricInfo *info = page_metric_info (source->report, number.metric);
      const char *condition = NULL;

      if (info == NULL || !roast_metric_is_available (number.metric))
        continue;
      number.rank = roast_metric_info_get_page (info, &condition, &number.topic);
      if (number.rank > 0 && applies (source, condition) && !is_empty (source, number.metric))
        g_array_append_val (numbers, number);
    }
  g_array_sort (numbers, (GCompareFunc) compare_ranks);

  return numbers;
}

PageSection *
page_make_numbers (const PageSource *source)
{
  PageSection *section = page_section_new ("numbers", "Key numbers", 6);
  g_autoptr (GArray) numbers = list_key_numbers (source);
  g_autoptr (GPtrArray) topics = g_ptr_array_new ();

  add_own (section, source);
  FOR_EACH (const KeyNumber, number, numbers)
    {
      if (number->topic != NULL && g_ptr_array_find (topics, number->topic, NULL))
        continue;
      g_ptr_array_add (topics, (gpointer) number->topic);
      add_number (section, source, number->metric);
    }

  return section;
}
