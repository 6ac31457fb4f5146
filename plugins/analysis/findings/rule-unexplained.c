/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports the largest lost part of the core time that no earlier rule explains. */

#include "events.h"
#include "findings.h"

#define UNEXPLAINED_MUCH 0.2     /* report only if at least this share of the core time is unexplained */
#define UNEXPLAINED_MOSTLY 0.5   /* minimum share that counts as most of a part of core_time */
#define UNEXPLAINED_AT_LEAST 3.0 /* report only if the lost core time divided by the number of cores is this, s */

#define MANY 30               /* report many processes only if there were at least this many */
#define UNEXPLAINED_OFTEN 0.5 /* report many processes only if the average time between starts is at most this, s */

#define MAX_RULES 12

/* Ranges of the parts of core_time, each with rules that may explain it. All parts of a range mean the same to a
 * user. */
static const struct
{
  guint first, last;
  const char *words, *advice;
  const char *rules[MAX_RULES];
} losses[] = {
  { ROAST_CORE_PART_LOST_FAILED,
    ROAST_CORE_PART_LOST_WORKER,
    "attempts failed, were cancelled or lost their worker",
    "Find out why attempts failed in the tables failures and workers (“roast-report query” shows tables).",
    { "memory", "limits", "libraries", "failures", "under-way", "lost-workers" } },
  { ROAST_CORE_PART_LIBRARY_START,
    ROAST_CORE_PART_LIBRARY_FAILED,
    "libraries held cores but ran no call",
    "Compare the tables tasks and libraries to see whether calls came late or libraries were ready late.",
    { "libraries", "idle-libraries", "stragglers", "few-tasks", "under-way", "dependencies", "idle-workers" } },
  { ROAST_CORE_PART_TASK_WAIT,
    ROAST_CORE_PART_TASK_WAIT,
    "tasks ran but did not compute",
    "Measure sections of the tasks to see what the tasks wait for.",
    { "waiting", "starved", "one-by-one", "warm-up", "stragglers", "slower-host", "slower-worker", "slower-dataset",
      "slower-file", "memory", "lost-workers" } },
  { ROAST_CORE_PART_TASK_SERIALISE,
    ROAST_CORE_PART_TASK_SPILL,
    "tasks serialized and spilled data",
    "See the table per_activity to find out which tasks serialized and spilled data.",
    { "serialising", "memory" } },
  { ROAST_CORE_PART_FRAMEWORK_CPU,
    ROAST_CORE_PART_FRAMEWORK_WAIT,
    "cores ran framework tasks, such as tasks that prepare files",
    "See the table per_category for the categories of these tasks.",
    { "start-up", "starved", "waiting" } },
  { ROAST_CORE_PART_MOVE_IN,
    ROAST_CORE_PART_MOVE_OUT,
    "slots waited for data",
    "See the tables per_phase and transfers to find out which data slots waited for.",
    { "moving", "short-tasks", "executor", "memory", "large-graph" } },
  { ROAST_CORE_PART_RESERVED_UNUSED,
    ROAST_CORE_PART_RESERVED_UNUSED,
    "tasks held cores that they did not use",
    "See the table per_resource to compare what tasks requested with what they used.",
    { "requests" } },
  { ROAST_CORE_PART_IDLE_EXECUTOR,
    ROAST_CORE_PART_IDLE_EXECUTOR,
    "cores were free while tasks that fit were ready",
    "See the executor's log to find out why the executor did not start these tasks.",
    { "executor", "short-tasks", "moving", "memory", "paused", "large-graph", "start-up", "idle-workers", "failures",
      "lost-workers", "libraries" } },
  { ROAST_CORE_PART_IDLE_INPUTS,
    ROAST_CORE_PART_IDLE_INPUTS,
    "cores were free while all remaining tasks needed results of other tasks",
    "See the table tasks to find out which tasks the remaining tasks waited for.",
    { "dependencies", "short-tasks", "stragglers", "under-way", "moving", "executor", "warm-up" } },
  { ROAST_CORE_PART_IDLE_NO_FIT,
    ROAST_CORE_PART_IDLE_UNDETERMINED,
    "cores were free while tasks waited, and it is unknown whether these tasks fitted",
    "Check how many cores and how much memory the waiting tasks requested.",
    { "requests", "executor", "never-ran", "moving", "short-tasks", "paused", "libraries" } },
  { ROAST_CORE_PART_IDLE_NO_WORK,
    ROAST_CORE_PART_IDLE_NO_WORK,
    "cores were free and no task was ready",
    "Measure sections of the program to see what it did while cores were free.",
    { "no-work", "few-tasks", "stragglers", "start-up", "idle-workers", "large-graph", "under-way", "never-ran",
      "executor", "requests", "failures" } },
  { ROAST_CORE_PART_UNKNOWN,
    ROAST_CORE_PART_UNKNOWN,
    "it is unknown how the cores were used",
    "See the table coverage to find out which data are missing.",
    { "paused", "under-way", "memory", "lost-workers", "failures", "libraries", "never-ran" } },
};

/* Rules that may explain idle cores of a program without an executor. */
static const char *const tree_rules[] = { "never-ran",        "waiting",        "one-core",
                                          "straggling-chunk", "between-chunks", "one-at-a-time",
                                          "slower-dataset",   "slower-file",    NULL };

/* Returns the share of the core time that @rules explain. */
static double
unexplained_get_explained (Findings *self, const char *const *rules)
{
  double sum = 0;

  for (guint i = 0; rules[i] != NULL; i++)
    sum += findings_get_claim (self, rules[i]);

  return sum;
}

static double
unexplained_get_rest (double part, double explained)
{
  double rest = fmax (part - explained, 0);

  return rest >= UNEXPLAINED_MOSTLY * part ? rest : 0;
}

static gboolean
matters (Findings *self, double share, double cores)
{
  return share >= UNEXPLAINED_MUCH && share * self->offered >= UNEXPLAINED_AT_LEAST * fmax (cores, 1);
}

/* Returns a text such as ", mostly before the first task"; "" if the core time in parts @first to @last is spread over
 * the run. */
static const char *
unexplained_get_place (Findings *self, guint first, guint last, double all)
{
  if (!findings_has_earlier_attempts (self) &&
      findings_get_share (self, first, last, ROAST_STRETCH_STARTUP, ROAST_STRETCH_STARTUP) >= UNEXPLAINED_MOSTLY * all)
    return ", mostly before the first task";
  if (findings_get_share (self, first, last, ROAST_STRETCH_SHUTDOWN, ROAST_STRETCH_SHUTDOWN) >=
      UNEXPLAINED_MOSTLY * all)
    return ", mostly after the last task";

  return "";
}

static void
unexplained_speak (Findings *self, double share, const char *words, const char *place, const char *why,
                   const char *advice)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_INFO, share, "%.0f %% of the core time (%s) is unexplained: %s%s%s%s.",
                    100 * share, findings_duration (self, share * self->offered), words, place,
                    *why != '\0' ? "; " : "", why);

  roast_finding_add_number (finding, "unexplained", share, "ratio");
  findings_add (self, finding, "%s", advice);
}

static void
unexplained_look_at_tree (Findings *self)
{
  double idle = findings_get_part (self, ROAST_CORE_PART_IDLE_NO_WORK);
  double rest = unexplained_get_rest (idle, unexplained_get_explained (self, tree_rules));
  double cores = findings_get_metric (self, "cores_available");
  double used = findings_get_metric (self, "cores_used_average");
  double elapsed = findings_get_metric (self, "elapsed_time_seconds");
  double processes = findings_get_metric (self, "processes_total");
  const char *started = processes >= MANY && elapsed <= UNEXPLAINED_OFTEN * processes
                            ? findings_text (self, "the program started %.0f processes, one every %s", processes,
                                             findings_duration (self, elapsed / processes))
                            : "";
  const char *stopped = findings_describe_stop (self, UNEXPLAINED_MUCH * rest * elapsed);
  const char *words = NULL;

  if (!matters (self, rest, isnan (cores) ? 1 : cores))
    {
      findings_be_silent (self, "%.0f %% of the core time was idle, and %.0f %% remains unexplained", 100 * idle,
                          100 * rest);
      return;
    }
  words = isnan (used) ? "cores were idle"
                       : findings_text (self, "%sthe program used %.2g of its %.3g cores on average",
                                        self->unseen_threads != NULL ? "" : "cores were idle, because ", used, cores);
  unexplained_speak (self, rest, words, "",
                     stopped != NULL                ? stopped
                     : self->unseen_threads != NULL ? self->unseen_threads
                                                    : started,
                     stopped != NULL ? FINDINGS_STOPPED_ADVICE
                     : *started != '\0' && self->unseen_threads == NULL
                         ? "Start fewer processes that each do more work, or run several processes at the same time."
                         : "Measure sections of the program to see when and why the program does not compute.");
}

static void
unexplained_speak_of_loss (Findings *self, guint i, double share)
{
  guint first = losses[i].first;
  double all = findings_get_parts (self, first, losses[i].last);
  g_autofree char *bound = first == ROAST_CORE_PART_IDLE_EXECUTOR ? events_describe (self->recording, "bound") : NULL;
  const char *missing = first == ROAST_CORE_PART_UNKNOWN && self->missing != NULL ? self->missing : "";

  if (bound != NULL)
    unexplained_speak (self, share, "cores were free while tasks were ready", "", bound, FINDINGS_BOUND_ADVICE);
  else
    unexplained_speak (self, share, losses[i].words, unexplained_get_place (self, first, losses[i].last, all), missing,
                       losses[i].advice);
}

void
rule_unexplained (Findings *self)
{
  gint most = -1;
  double largest = 0;

  if (!(self->offered > 0))
    {
      findings_lack (self, "no core time was measured");
      return;
    }
  if (self->is_tree)
    {
      unexplained_look_at_tree (self);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    {
      double part = findings_get_parts (self, losses[i].first, losses[i].last);
      double rest = unexplained_get_rest (part, unexplained_get_explained (self, losses[i].rules));

      /* Skip time without assigned tasks if a rule reported lost workers: tasks may have waited until new workers
       * replaced dead ones. */
      if (rest <= largest || (losses[i].first == ROAST_CORE_PART_IDLE_EXECUTOR && self->lost_rule != NULL))
        continue;
      largest = rest;
      most = (gint) i;
    }
  if (most < 0 || !matters (self, largest, self->workers.cores))
    findings_be_silent (self, "at most %.0f %% of the core time was lost for a reason that no other rule reports",
                        100 * largest);
  else
    unexplained_speak_of_loss (self, (guint) most, largest);
}
