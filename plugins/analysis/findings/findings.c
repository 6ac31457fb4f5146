/* SPDX-License-Identifier: BSD-3-Clause */

/* What limited the run, what failed, and what to do about it. */

#include "findings.h"
#include "analysis.h"

/* A rule may look at what those before it said. */
static const struct
{
  const char *name;
  void (*run) (Findings *self);
} rules[] = {
  { "memory", rule_memory },
  { "limits", rule_limits },
  { "libraries", rule_libraries },
  { "failures", rule_failures },
  { "lost-workers", rule_lost_workers },
  { "paused", rule_paused },
  { "never-ran", rule_never_ran },
  { "few-tasks", rule_few_tasks },
  { "stragglers", rule_stragglers },
  { "starved", rule_starved },
  { "start-up", rule_start_up },
  { "large-graph", rule_large_graph },
  { "short-tasks", rule_short_tasks },
  { "dependencies", rule_dependencies },
  { "idle-workers", rule_idle_workers },
  { "moving", rule_moving },
  { "executor", rule_executor },
  { "no-work", rule_no_work },
  { "slower-host", rule_slower_host },
  { "slower-worker", rule_slower_worker },
  { "slower-dataset", rule_slower_dataset },
  { "slower-file", rule_slower_file },
  { "warm-up", rule_warm_up },
  { "one-by-one", rule_one_by_one },
  { "waiting", rule_waiting },
  { "serialising", rule_serialising },
  { "straggling-chunk", rule_straggling_chunk },
  { "between-chunks", rule_between_chunks },
  { "one-at-a-time", rule_one_at_a_time },
  { "opening", rule_opening },
  { "growing-memory", rule_growing_memory },
  { "amplification", rule_amplification },
  { "requests", rule_requests },
  { "measurement", rule_measurement },
};

/* Metrics of the aggregators whose tables and metrics rules look at. */
const char *const analysis_findings_required[] = {
  "slot_cpu_ratio",           /* core_time, stretches, distributions */
  "attempts_failed_total",    /* failures */
  "executor_busy_ratio",      /* executor_time, per_resource, library_outcomes */
  "worker_memory_peak_ratio", /* per_worker, per_category */
  "read_amplification_ratio", /* failed_files */
  "run_queue_seconds",        NULL,
};

static gboolean
findings_aggregate (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  g_autoptr (GHashTable) spoke = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  Findings self = { .recording = recording, .report = report, .spoke = spoke };

  findings_read_core_time (&self);
  findings_read_tasks (&self);
  findings_read_workers (&self);
  findings_read_limits (&self);
  findings_read_chunks (&self);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      self.rule = rules[i].name;
      rules[i].run (&self);
    }
  findings_clear_chunks (&self);
  findings_clear_limits (&self);
  findings_clear_workers (&self);
  findings_clear_tasks (&self);
  findings_clear_core_time (&self);

  return TRUE;
}

const Analysis analysis_findings = { "findings", findings_aggregate, NULL, analysis_findings_required };
