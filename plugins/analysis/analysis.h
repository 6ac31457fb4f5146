/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* One aggregator of this plugin. */
typedef struct
{
  const char *name;
  void (*aggregate) (RoastRecordingSnapshot *recording, RoastReport *report);
  const char *const *provided; /* names of the metrics that the aggregator adds; NULL means all metrics of the schema */
  const char *const *required; /* names of metrics that other aggregators must add before this one; or NULL */
  const char *table;           /* a table that the aggregator writes; NULL if it writes only tables of the core */
} Analysis;

extern const Analysis analysis_compare, analysis_core_time, analysis_findings, analysis_processes, analysis_spans,
    analysis_task_activity, analysis_task_lifecycle, analysis_tasks, analysis_what_if, analysis_windows,
    analysis_workers, analysis_workload;

/* Metrics that the aggregator “findings” requires. Another aggregator runs after “findings” if it requires the same
 * metrics and comes later in the plugin's list. */
extern const char *const analysis_findings_required[];
