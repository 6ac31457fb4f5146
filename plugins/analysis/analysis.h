/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* One aggregator of this plugin. */
typedef struct
{
  const char *name;
  gboolean (*aggregate) (RoastRecordingSnapshot *recording, RoastReport *report, GError **error);
  const char *const *provided; /* provided metrics; NULL means all metrics of the schema */
  const char *const *required; /* required metrics, or NULL */
} Analysis;

extern const Analysis analysis_compare, analysis_core_time, analysis_findings, analysis_processes, analysis_spans,
    analysis_task_activity, analysis_task_lifecycle, analysis_tasks, analysis_what_if, analysis_windows,
    analysis_workers, analysis_workload;

/* Metrics that the findings require. An analysis that requires the same metrics and follows the findings in the
 * plugin's list runs after them. */
extern const char *const analysis_findings_required[];

G_END_DECLS
