/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics and tables of the work that the program reported. */

#include "workload.h"

#include <math.h>

#include "analysis.h"
#include "metric-add.h"
#include "workload-files.h"
#include "workload-tables.h"

static const char *const workload_required[] = { "elapsed_time_seconds", "process_cpu_time_seconds", "cores_available",
                                                 NULL };

static void
add_calls (RoastRecordingSnapshot *recording, RoastReport *report)
{
  guint n, n_counted = 0, n_failed = 0;
  const RoastRunCall *calls = roast_run_model_get_calls (roast_run_model_get (recording), &n);

  for (guint i = 0; i < n; i++)
    {
      n_counted += calls[i].kind != ROAST_PROCESSING_KIND_MERGING && !calls[i].is_superseded;
      n_failed += calls[i].is_failed;
    }
  metric_add_integer (report, "calls_failed_total", n_counted > 0 ? n_failed : NAN, ROAST_COMPLETENESS_COMPLETE, NULL,
                      "the program reported no call of an executor that prepares files or processes chunks");
}

static void
workload_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  add_calls (recording, report);
  workload_add_datasets (recording, report);
  workload_add_branches (recording, report);
  workload_add_failures (recording, report);
  workload_add_processes (recording, report);
  workload_add_sections (recording, report);
}

const Analysis analysis_workload = { "workload", workload_aggregate, workload_metrics, workload_required,
                                     ROAST_TABLE_PER_DATASET };
