/* SPDX-License-Identifier: BSD-3-Clause */

/* Flow of work through an executor: phases of attempts, wasted core time, transfers, and the executor's own time. */

#include "analysis.h"
#include "lifecycle.h"
#include "task-lifecycle-tables.h"

static void
lifecycle_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  lifecycle_add_attempts (report, recording);
  lifecycle_add_resources (report, recording);
  lifecycle_add_libraries (report, recording);
  lifecycle_add_transfers (report, recording);
  lifecycle_add_executor (report, recording);
}

/* A metric of the aggregator that writes the table core_time, which this aggregator reads. */
static const char *const task_lifecycle_required[] = { "slot_lost_ratio", NULL };

const Analysis analysis_task_lifecycle = { "task-lifecycle", lifecycle_aggregate, task_lifecycle_metrics,
                                           task_lifecycle_required, ROAST_TABLE_PER_PHASE };
