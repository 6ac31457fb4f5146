/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Display properties of metrics. */

/* Returns the declaration of the metric; NULL if the schema does not declare it. */
RoastMetricInfo *page_metric_info (RoastReport *report, RoastMetric *metric);
gboolean page_metric_shows (RoastMetric *metric, RoastMetricInfo *info, gboolean detail);
gboolean page_metric_is_text (RoastMetric *metric);
/* Returns whether the metric is a text that is too long to be on the same line as its label. */
gboolean page_metric_is_long_text (RoastMetric *metric);
/* Returns the mark that is put before a number: “≥ ” for a lower bound, “~ ” for an estimate, otherwise "". */
const char *page_completeness_mark (RoastCompleteness completeness);
const char *page_metric_mark (RoastMetric *metric);
/* Returns the heading of the group to which the metric belongs. */
const char *page_metric_group (RoastReport *report, RoastMetric *metric);
/* Returns (transfer full) all metrics, sorted by group. The groups have the order of the schema. Metrics that the
 * schema does not declare are placed with the metrics without a group, although they come last in the report. */
GPtrArray *page_metrics_gather (RoastReport *report);
