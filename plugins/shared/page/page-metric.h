/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Display properties of metrics. */

/* Returns NULL if the schema does not declare the metric. */
RoastMetricInfo *page_metric_info (RoastReport *report, RoastMetric *metric);
gboolean page_metric_shows (RoastMetric *metric, RoastMetricInfo *info, gboolean detail);
gboolean page_metric_is_text (RoastMetric *metric);
/* Whether the text is too long to share a line with its label. */
gboolean page_metric_is_long_text (RoastMetric *metric);
/* Returns the prefix for a lower bound (“≥ ”) or an estimate (“~ ”), else an empty string. */
const char *page_completeness_mark (RoastCompleteness completeness);
const char *page_metric_mark (RoastMetric *metric);
/* Returns the heading for the metric. */
const char *page_metric_group (RoastReport *report, RoastMetric *metric);
/* Returns (transfer full) all metrics, gathered by group in schema order. Undeclared metrics come last in the report,
 * but join the metrics without a group under one heading. */
GPtrArray *page_metrics_gather (RoastReport *report);
