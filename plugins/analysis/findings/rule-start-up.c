/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds runs dominated by their start-up. */

#include "findings.h"

#define START_UP_MUCH 0.4     /* report only if the start-up took at least this share of the run */
#define START_UP_SOME 0.05    /* name a cause, or the share of the core time, only from this share on */
#define START_UP_AT_LEAST 5.0 /* report only if the start-up took at least this, s */
#define MOST_OF_IT 0.6        /* minimum share that counts as most of the start-up */
#define EARLIER 0.2           /* minimum time between two events that do not coincide, as a share of the start-up */
#define MUCH_EARLIER 1        /* minimum time between two events that do not coincide, s */

static double
since_start (Findings *self, double time)
{
  return (time - self->bounds[ROAST_STRETCH_STARTUP][0]) / G_USEC_PER_SEC;
}

#define MUCH_DATA 100e6 /* name the data that workers held before the first task only from this size on, B */

/* Returns how much data all workers held before the first task, in B. No task can have produced this data, so the
 * program sent it. */
static double
get_data (Findings *self)
{
  return findings_evaluate (
      self, findings_text (self, "sum (max (nbytes over worker_samples where time <= %.6f by source, worker))",
                           self->bounds[ROAST_STRETCH_STARTUP][1] / G_USEC_PER_SEC));
}

#define START_WORKERS "Start workers before the program, or keep them between runs"
#define UNBLOCK                                                                                                        \
  "Do not block the event loops of workers: run functions as tasks, and import large modules, such as those of the "   \
  "first tasks, when workers start"
#define SUBMIT                                                                                                         \
  "Do less work before you submit the first task (importing, listing and opening files, building the graph)"

/* Returns advice. If workers join at about the time of the first submission, it is unknown whether the workers waited
 * for the program or the program for workers, so the advice covers both. @blocked: time in s for which a worker that
 * had joined could not start a task */
static const char *
start_up_get_advice (double length, double submitted, double joined, double blocked)
{
  gboolean is_earlier = !(submitted > joined - fmax (EARLIER * length, MUCH_EARLIER));

  if (blocked > 0)
    return joined >= MOST_OF_IT * length ? UNBLOCK ". " START_WORKERS "." : UNBLOCK ".";
  if (joined >= MOST_OF_IT * length && is_earlier)
    return START_WORKERS ".";
  if (joined >= MOST_OF_IT * length)
    return START_WORKERS ". " SUBMIT ".";
  if (submitted >= MOST_OF_IT * length)
    return SUBMIT ".";

  return "Check what workers do before their first task, such as unpacking environments, starting libraries or "
         "fetching inputs.";
}

/* Returns how long in s the event loop of a worker was blocked between the arrival of the first worker and the first
 * task. Returns 0 if this time is too short to explain why no task started. */
static double
start_up_get_blocked (Findings *self, double length, double joined)
{
  double blocked =
      isnan (joined) ? 0
                     : findings_get_blocked (self, self->workers.first_joined, self->bounds[ROAST_STRETCH_STARTUP][1]);

  return blocked >= fmax (EARLIER * length, MOST_OF_IT * (length - joined)) ? blocked : 0;
}

/* Returns the lateness in s of the executor's event loop between the first submission, or the arrival of the
 * first worker if that is later, and the start of the first task. Returns 0 if it is too short to explain why no task
 * started. */
static double
get_executor_late (Findings *self, double length, double since)
{
  double longest;
  double late =
      isnan (since)
          ? 0
          : findings_get_lateness_between (self, self->bounds[ROAST_STRETCH_STARTUP][0] + since * G_USEC_PER_SEC,
                                           self->bounds[ROAST_STRETCH_STARTUP][1], &longest);

  return late >= fmax (EARLIER * length, MOST_OF_IT * (length - since)) ? late : 0;
}

void
rule_start_up (Findings *self)
{
  double length = findings_get_length (self, ROAST_STRETCH_STARTUP);
  double run = findings_get_run_length (self);
  double share =
      findings_get_share (self, 0, ROAST_CORE_PART_N_WORDS - 1, ROAST_STRETCH_STARTUP, ROAST_STRETCH_STARTUP);
  double submitted = since_start (self, self->tasks.first_submitted);
  double joined = since_start (self, self->workers.first_joined);
  double blocked = start_up_get_blocked (self, length, joined);
  double executor = blocked > 0 ? 0 : get_executor_late (self, length, fmax (submitted, joined));
  /* A large graph explains the start-up after workers have joined. Before that, no worker offered core time. */
  gboolean is_graph = findings_has_spoken (self, "large-graph");
  double late = is_graph ? fmin (length, fmax (joined, 0)) : length;
  const char *time = findings_duration (self, length);
  const char *arrived = isnan (joined) ? ""
                                       : findings_text (self, ": the first worker joined after %s",
                                                        findings_duration (self, fmax (joined, 0)));
  const char *sent = isnan (submitted)
                         ? ""
                         : findings_text (self, "%s the first task was submitted after %s", isnan (joined) ? ":" : ",",
                                          findings_duration (self, fmax (submitted, 0)));
  double framework = findings_get_share (self, ROAST_CORE_PART_FRAMEWORK_CPU, ROAST_CORE_PART_FRAMEWORK_WAIT,
                                         ROAST_STRETCH_STARTUP, ROAST_STRETCH_STARTUP);
  const char *prepared = framework >= START_UP_SOME ? findings_text (self,
                                                                     " Earlier framework tasks, such as tasks that "
                                                                     "prepare files, took %.0f %% of the core time.",
                                                                     100 * framework)
                                                    : "";
  double data = framework >= START_UP_SOME ? 0 : get_data (self);
  const char *given = data >= MUCH_DATA
                          ? findings_text (self, " Before this task, the program had sent %s of data to workers.",
                                           findings_bytes (self, data))
                          : "";
  const char *held =
      blocked > 0    ? findings_text (self, " Before this task, the event loop of a worker was blocked for %s.",
                                      findings_duration (self, blocked))
      : executor > 0 ? findings_text (self, " Before this task, the executor's event loop ran late by at least %s.",
                                      findings_duration (self, executor))
                     : "";
  RoastFinding *finding = NULL;

  if (self->tasks.n_attempts == 0)
    {
      findings_not_apply (self, "no task of the analysis was given to a worker");
      return;
    }
  if (findings_has_earlier_attempts (self))
    {
      findings_be_silent (self, "attempts without a result ran before the first task with a known start");
      return;
    }
  if (late < START_UP_AT_LEAST || fmax (late / run, is_graph ? 0 : share) < START_UP_MUCH)
    {
      findings_be_silent (self,
                          "the first task started after %s of %s; %.0f %% of the core time was offered before the "
                          "first task",
                          time, findings_duration (self, run), 100 * share);
      return;
    }
  if (since_start (self, self->tasks.first_unknown) < length - fmax (EARLIER * length, MUCH_EARLIER))
    {
      findings_be_silent (self, "an attempt that may have started before the first known task was lost or cancelled");
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                          "The first task of the analysis started only after %s, %.0f %% of the run%s%s.%s%s%s", time,
                          100 * length / run, arrived, sent, prepared, given, held);
  /* Give the share of the run instead of the share of the core time: while there are no workers, the start-up has no
   * core time. */
  if (share < START_UP_SOME)
    roast_finding_set_run_share (finding, length / run);
  roast_finding_add_number (finding, "start_up", length, "s");
  roast_finding_add_number (finding, "run", run, "s");
  roast_finding_add_number (finding, "first_worker", joined, "s");
  roast_finding_add_number (finding, "first_submitted", submitted, "s");
  if (data >= MUCH_DATA)
    roast_finding_add_number (finding, "data_sent", data, "B");
  if (blocked > 0)
    roast_finding_add_number (finding, "blocked", blocked, "s");
  if (executor > 0)
    roast_finding_add_number (finding, "lateness", executor, "s");
  findings_add (self, finding, "%s%s",
                executor > 0 ? FINDINGS_LATE_ADVICE : start_up_get_advice (length, submitted, joined, blocked),
                data >= MUCH_DATA ? " Let tasks read large data themselves, or send large data to fewer workers." : "");
}
