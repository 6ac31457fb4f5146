/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* How a metric is shown. */

/* NULL if the schema does not declare it. */
RoastMetricInfo *page_metric_info (RoastReport *report, RoastMetric *metric);
gboolean page_metric_shows (RoastMetric *metric, RoastMetricInfo *info, gboolean detail);
gboolean page_metric_is_text (RoastMetric *metric);
/* Too long for a line with its label. */
gboolean page_metric_is_long_text (RoastMetric *metric);
/* Of a value that is a lower bound, or estimated. */
const char *page_completeness_mark (RoastCompleteness completeness);
const char *page_metric_mark (RoastMetric *metric);
/* The heading under which it belongs. */
const char *page_metric_group (RoastReport *report, RoastMetric *metric);
/* All metrics in the order of the schema, each group together. Those that the schema does not declare are listed last,
 * but belong under a heading with those without a group. Full. */
GPtrArray *page_metrics_gather (RoastReport *report);
