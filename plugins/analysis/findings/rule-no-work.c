/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds workers that waited for the program to submit tasks. */

#include "events.h"
#include "findings.h"

#define NO_WORK_MUCH 0.3     /* report only if cores were free without a ready task for this share of the core time */
#define MUCH_MORE 0.4        /* report only if this share of the core time is free besides what the executor explains */
#define NO_WORK_AT_LEAST 2.0 /* report only if the free core time divided by the number of cores is this long, s */
#define MUCH_SENT 100e6      /* name results only if workers sent at least this many B after the last task */
#define LONG_SENT 0.2        /* name results only if sending took this share of the time after the last task */

typedef struct
{
  double before, between, after; /* free time before, between and after tasks, as shares of the core time */
} Idle;

static double
no_work_get_idle (Findings *self, guint from, guint to)
{
  return findings_get_share (self, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_CORE_PART_IDLE_NO_WORK, from, to);
}

/* Returns how much workers sent after the last task, as bytes or as seconds, summed over workers. These data are
 * results for the program, because workers send data to each other only for tasks. The recorded values are
 * cumulative. */
static double
get_sent (Findings *self, const char *unit)
{
  const char *all = findings_text (self, "sum (max (value over activities where context = serve and unit = %s", unit);
  const char *by = "by source, worker, span, category, activity))";

  return fmax (findings_evaluate (self, findings_text (self, "%s %s", all, by)), 0) -
         fmax (findings_evaluate (self, findings_text (self, "%s and time <= %.6f %s", all,
                                                       self->bounds[ROAST_STRETCH_SHUTDOWN][0] / G_USEC_PER_SEC, by)),
               0);
}

/* ---- what the program did ---- */

static const char *
no_work_get_advice (const Idle *idle, gboolean are_sent)
{
  if (are_sent)
    return "Leave results on the workers: reduce, fill or write them there, and return only small results.";
  if (idle->after > fmax (idle->before, idle->between))
    return "Release workers after their last task, or give these workers the next step of the work.";
  if (idle->before > idle->between)
    return "Start workers later, or do less work in the program before it submits the first task.";

  return "Submit more tasks at a time, and submit the next tasks before using the results of the previous tasks.";
}

/* Returns the share of the core time that findings about tasks and workers explain. Sets @rule to the last of the rules
 * that reported these findings. */
static double
no_work_get_explained (Findings *self, const Idle *idle, const char **rule)
{
  static const char *const others[] = {
    "under-way", "paused", "few-tasks", "stragglers", "idle-workers", "large-graph"
  };
  double sum = 0;

  *rule = NULL;
  if (findings_has_spoken (self, "start-up"))
    {
      *rule = "start-up";
      sum += idle->before;
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (findings_has_spoken (self, others[i]))
      {
        *rule = others[i];
        sum += findings_get_claim (self, others[i]);
      }

  return sum;
}

static const char *
get_explanation (Findings *self, const Idle *idle, double explained, const char *rule)
{
  double all = idle->before + idle->between + idle->after;

  /* Name the other rule only if the share that it does not explain is too small to report. */
  if (rule != NULL && all - explained < NO_WORK_MUCH)
    return rule;

  /* The program submitted tasks, but workers could not run them: this explains the free time. */
  if (2 * findings_get_spoken_share (self, "never-ran") >= all)
    return "never-ran";
  if (self->has_too_large)
    return "requests";

  /* A blocked event loop also delays results, and the program may submit new tasks only after these results have
   * arrived. This does not explain free time before the first task. */
  return idle->before < NO_WORK_MUCH && all - idle->before - findings_get_spoken_share (self, "executor") < MUCH_MORE
             ? "executor"
             : NULL;
}

static void
speak_of_none (Findings *self, double all)
{
  g_autofree char *rejected = events_describe (self->recording, "graph-rejected");
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, all,
                    "Workers were free for %.0f %% of the core time and received no task of the analysis%s%s.",
                    100 * all, rejected != NULL ? ": " : "", rejected != NULL ? rejected : "");

  roast_finding_add_number (finding, "workers", self->workers.n, NULL);
  findings_add (self, finding, "%s",
                rejected != NULL
                    ? FINDINGS_REJECTED_ADVICE
                    : "Check whether the program submits tasks to this cluster. If the program submits none, start "
                      "no workers.");
}

static void
no_work_speak (Findings *self, const Idle *idle, double all, double share)
{
  gboolean is_after = idle->after > fmax (idle->before, idle->between);
  double sent = is_after ? get_sent (self, "bytes") : 0;
  double sending = is_after ? get_sent (self, "seconds") : 0;
  gboolean are_sent = sent >= MUCH_SENT && sending >= LONG_SENT * findings_get_length (self, ROAST_STRETCH_SHUTDOWN);
  const char *results =
      are_sent ? findings_text (self, " After the last task, workers sent %s of results.", findings_bytes (self, sent))
               : "";
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                                        "Workers were free for %.0f %% of the core time while no other task had "
                                        "reached the executor: %.0f %% before the first task of the analysis, %.0f %% "
                                        "after the last task, and %.0f %% in between.%s",
                                        100 * all, 100 * idle->before, 100 * idle->after, 100 * idle->between, results);

  roast_finding_add_number (finding, "before", idle->before, "ratio");
  roast_finding_add_number (finding, "between", idle->between, "ratio");
  roast_finding_add_number (finding, "after", idle->after, "ratio");
  if (are_sent)
    {
      roast_finding_add_number (finding, "sent", sent, "B");
      roast_finding_add_number (finding, "sending", sending, "s");
    }
  findings_add (self, finding, "%s", no_work_get_advice (idle, are_sent));
}

void
rule_no_work (Findings *self)
{
  Idle idle = { no_work_get_idle (self, ROAST_STRETCH_STARTUP, ROAST_STRETCH_STARTUP),
                no_work_get_idle (self, ROAST_STRETCH_RAMP, ROAST_STRETCH_TAIL),
                no_work_get_idle (self, ROAST_STRETCH_SHUTDOWN, ROAST_STRETCH_SHUTDOWN) };
  double all = idle.before + idle.between + idle.after;
  const char *other = NULL;
  double explained = no_work_get_explained (self, &idle, &other);
  const char *why = get_explanation (self, &idle, explained, other);

  if (findings_has_earlier_attempts (self))
    {
      idle.between += idle.before;
      idle.before = 0;
    }
  if (why != NULL)
    findings_be_silent (self, "another rule explains why workers had no task: see the finding %s", why);
  else if (self->missing != NULL && self->tasks.n_attempts == 0)
    findings_lack (self, "%s", self->missing);
  else if (all < NO_WORK_MUCH || all * self->offered < NO_WORK_AT_LEAST * self->workers.cores)
    findings_be_silent (self, "workers were free for %.0f %% of the core time while no task was left", 100 * all);
  else if (self->tasks.n_attempts == 0)
    speak_of_none (self, all);
  else if (isnan (self->tasks.first_started))
    findings_lack (self, "no attempt has a start time, so it is unknown when workers had no task");
  else
    no_work_speak (self, &idle, all, all - explained);
}
