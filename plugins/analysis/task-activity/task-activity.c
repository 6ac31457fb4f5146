/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics and tables of the activity of an executor's workers and tasks. */

#include "activity-report.h"
#include "analysis.h"
#include "task-activity-tables.h"

static void
activity_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (ActivityReport) self = activity_report_new (recording, report);
  activity_report_add_times (self);
  activity_report_add_workers (self);
  activity_report_add_tables (self);
}

/* A metric of the aggregator that writes the table core_time, which this aggregator reads. */
static const char *const task_activity_required[] = { "slot_lost_ratio", NULL };

const Analysis analysis_task_activity = { "task-activity", activity_aggregate, task_activity_metrics,
                                          task_activity_required, ROAST_TABLE_PER_CATEGORY };
