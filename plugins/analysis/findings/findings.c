/* SPDX-License-Identifier: BSD-3-Clause */

/* Derives findings: what limited the run, what failed, and how to fix it. */

#include "findings.h"
#include "analysis.h"
#include "events.h"

#define UNSEEN_AT_LEAST 0.1 /* ignore processes that no sample saw if they computed for less than this, s */
#define UNSEEN_SOME 0.2     /* and if they had less than this share of the CPU time */
#define UNSEEN_WAITED 0.1   /* and if other threads waited less than this, as a multiple of their CPU time */

/* Report each lost second only once: a rule reports nothing if one of the more specific rules in its explained_by has
 * already reported a finding. */
static const struct
{
  const char *name;
  void (*run) (Findings *self);
  gboolean needs_slots; /* the rule needs the core time of an executor's workers */
  const char *explained_by[8];
} rules[] = {
  { "memory", rule_memory, FALSE, { NULL } },
  { "limits", rule_limits, FALSE, { NULL } },
  { "libraries", rule_libraries, TRUE, { NULL } },
  { "failures", rule_failures, FALSE, { NULL } },
  { "under-way", rule_under_way, TRUE, { NULL } },
  { "lost-workers", rule_lost_workers, TRUE, { NULL } },
  { "paused", rule_paused, TRUE, { NULL } },
  { "never-ran", rule_never_ran, FALSE, { NULL } },
  { "few-tasks", rule_few_tasks, TRUE, { NULL } },
  { "stragglers", rule_stragglers, TRUE, { "under-way", "few-tasks" } },
  { "starved", rule_starved, FALSE, { NULL } },
  { "large-graph", rule_large_graph, TRUE, { NULL } },
  { "start-up", rule_start_up, TRUE, { "libraries" } },
  { "short-tasks", rule_short_tasks, TRUE, { "large-graph" } },
  { "dependencies", rule_dependencies, TRUE, { "under-way", "short-tasks", "stragglers" } },
  { "idle-workers", rule_idle_workers, TRUE, { "under-way", "few-tasks", "dependencies" } },
  { "idle-libraries",
    rule_idle_libraries,
    TRUE,
    { "libraries", "under-way", "few-tasks", "stragglers", "dependencies", "idle-workers" } },
  { "moving", rule_moving, TRUE, { NULL } },
  { "executor", rule_executor, TRUE, { "large-graph", "short-tasks", "moving", "paused" } },
  { "requests", rule_requests, TRUE, { NULL } },
  { "no-work", rule_no_work, TRUE, { NULL } },
  { "no-workers", rule_no_workers, TRUE, { "lost-workers", "never-ran" } },
  { "slower-host", rule_slower_host, FALSE, { NULL } },
  { "slower-worker", rule_slower_worker, FALSE, { "slower-host" } },
  { "slower-file", rule_slower_file, FALSE, { NULL } },
  { "slower-dataset", rule_slower_dataset, FALSE, { NULL } },
  { "warm-up", rule_warm_up, TRUE, { NULL } },
  { "one-by-one", rule_one_by_one, TRUE, { "warm-up" } },
  { "waiting", rule_waiting, FALSE, { NULL } },
  { "serialising", rule_serialising, TRUE, { NULL } },
  { "straggling-chunk", rule_straggling_chunk, FALSE, { NULL } },
  { "between-chunks", rule_between_chunks, FALSE, { NULL } },
  { "one-at-a-time", rule_one_at_a_time, FALSE, { NULL } },
  { "opening", rule_opening, FALSE, { NULL } },
  { "growing-memory", rule_growing_memory, FALSE, { NULL } },
  { "amplification", rule_amplification, FALSE, { NULL } },
  { "one-core", rule_one_core, FALSE, { "straggling-chunk", "between-chunks", "one-at-a-time" } },
  { "measurement", rule_measurement, FALSE, { NULL } },
  { "unexplained", rule_unexplained, FALSE, { NULL } },
};

/* One metric of each aggregator whose results the rules read. */
const char *const analysis_findings_required[] = {
  "slot_cpu_ratio",           /* tables core_time, stretches, distributions */
  "attempts_failed_total",    /* table failures */
  "executor_busy_ratio",      /* tables executor_time, per_resource, library_outcomes */
  "worker_memory_peak_ratio", /* tables per_worker, per_category */
  "read_amplification_ratio", /* table failed_files */
  "run_queue_seconds",        "cores_used_average", NULL,
};

static gboolean
may_run (Findings *self, guint rule)
{
  if (rules[rule].needs_slots && !findings_has_slots (self))
    {
      findings_lack_slots (self);
      return FALSE;
    }
  for (const char *const *other = rules[rule].explained_by; *other != NULL; other++)
    if (findings_has_spoken (self, *other))
      {
        findings_be_silent (self, "the finding %s explains the same problem in more detail", *other);
        return FALSE;
      }

  return TRUE;
}

/* Returns why it is unknown how long threads waited for a core; NULL if samples saw the threads, or if the threads that
 * samples saw hardly waited. */
static const char *
describe_unseen (Findings *self)
{
  g_autofree char *event = events_describe (self->recording, "unseen-threads");
  double unseen, seen, queue;

  if (event != NULL)
    return findings_keep (self, event);
  unseen = findings_evaluate (self, "sum (cpu_user + cpu_system over processes where not known (run_queue))");
  if (!(unseen >= UNSEEN_AT_LEAST))
    return NULL;
  seen = fmax (findings_evaluate (self, "sum (cpu_user + cpu_system over processes where known (run_queue))"), 0);
  queue = findings_evaluate (self, "sum (run_queue over processes)");
  if (unseen < UNSEEN_SOME * (seen + unseen) || !(queue >= UNSEEN_WAITED * seen))
    return NULL;

  return findings_text (self,
                        "processes that no sample saw computed for %s: how long these processes waited for a core is "
                        "unknown",
                        findings_duration (self, unseen));
}

static void
findings_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GHashTable) spoke = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  Findings self = { .recording = recording, .report = report, .spoke = spoke, .texts = g_string_chunk_new (4096) };

  self.unseen_threads = describe_unseen (&self);
  findings_read_core_time (&self);
  findings_read_workers (&self);
  findings_read_tasks (&self);
  findings_find_idle_workers (&self);
  findings_read_activities (&self);
  findings_read_chunks (&self);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      self.rule = rules[i].name;
      if (may_run (&self, i))
        rules[i].run (&self);
    }
  findings_clear_slower (&self);
  findings_clear_core_waits (&self);
  findings_clear_tasks (&self);
  g_string_chunk_free (self.texts);
}

const Analysis analysis_findings = { "findings", findings_aggregate, NULL, analysis_findings_required };
