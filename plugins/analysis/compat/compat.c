/* SPDX-License-Identifier: BSD-3-Clause */

/* Metrics that roastcoffea defines differently from roast: apply roastcoffea's formulas to the tables of a recording.
 * The schema derives further metrics from other metrics. */

#include "compat.h"
#include "analysis.h"
#include "compat-tables.h"

static const char *const required[] = {
  "elapsed_time_seconds",           "events_total",
  "event_rate_elapsed_per_second",  "chunks_total",
  "processor_cpu_time_seconds",     "processor_wait_time_seconds",
  "processor_unsplit_time_seconds", "overhead_wait_time_seconds",
  "overhead_unsplit_time_seconds",  NULL,
};

static gboolean
compat_aggregate (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  compat_add_workers (recording, report);
  compat_add_chunks (recording, report);

  return TRUE;
}

const Analysis analysis_compat = { "compat", compat_aggregate, compat_metrics, required };
