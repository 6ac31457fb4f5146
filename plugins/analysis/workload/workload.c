/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics and tables of the work that the program reported. */

#include "workload.h"
#include "analysis.h"
#include "failed-calls.h"
#include "metric-add.h"
#include "workload-files.h"
#include "workload-tables.h"

static const char *const required[] = { "elapsed_time_seconds", "process_cpu_time_seconds", "cores_available", NULL };

static gboolean
add_calls (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GPtrArray) failed = failed_calls_find (recording);

  metric_add_integer (report, "calls_failed_total", failed != NULL ? failed->len : NAN, ROAST_COMPLETENESS_COMPLETE,
                      NULL, "the program reported no call of an executor that processes chunks");

  return TRUE;
}

static gboolean
workload_aggregate (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  return workload_add_datasets (recording, report, error) && workload_add_branches (recording, report, error) &&
         add_calls (recording, report) && workload_add_failures (recording, report, error) &&
         workload_add_processes (recording, report, error) && workload_add_sections (recording, report, error);
}

const Analysis analysis_workload = { "workload", workload_aggregate, workload_metrics, required };
