/* SPDX-License-Identifier: BSD-3-Clause */

/* A few tasks end long after the others. */

#include "findings.h"

#define MUCH 0.1 /* of the core time, idle in the tail */
#define LONG 2.5 /* times the median of its category */
#define ADVICE                                                                                                         \
  "Split the longest work into smaller tasks, submit it first, or see why this worker or its input is slow."

static double
get_idle (Findings *self)
{
  return findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_STRETCH_TAIL,
                             ROAST_STRETCH_TAIL);
}

static void
add_evidence (RoastFinding *finding, const FindingsTask *task, double median)
{
  roast_finding_add_text (finding, "task", task->task);
  roast_finding_add_text (finding, "category", task->category);
  if (task->worker != NULL)
    roast_finding_add_text (finding, "worker", task->worker);
  roast_finding_add_number (finding, "time", task->time, "s");
  roast_finding_add_number (finding, "median", median, "s");
}

static void
speak (Findings *self, double median)
{
  const FindingsTask *last = &self->tasks.last;
  double idle = get_idle (self);
  g_autofree char *tail = findings_duration (findings_get_length (self, ROAST_STRETCH_TAIL));
  g_autofree char *time = findings_duration (last->time);
  g_autofree char *usual = findings_duration (median);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                                        "In the last %s only %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                                        " tasks ended, while free cores had nothing to do: task “%s” (%s) on worker %s "
                                        "took %s, %.1f times the median of %s.",
                                        tail, last->n, self->tasks.n_done, last->task, last->category,
                                        last->worker != NULL ? last->worker : "?", time, last->time / median, usual);

  add_evidence (finding, last, median);
  roast_finding_add_number (finding, "tail", findings_get_length (self, ROAST_STRETCH_TAIL), "s");
  roast_finding_add_number (finding, "tasks", (double) last->n, NULL);
  findings_add (self, finding, ADVICE);
  findings_explain_waiting (self, last->waited);
}

/* Cores that no task used while that one ran: s. */
static double
get_free_beside (Findings *self, const FindingsTask *task)
{
  static const char *const columns[] = { "started", "ended", "cores_allocated", NULL };
  enum
  {
    STARTED,
    ENDED,
    ALLOCATED,
  };
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, columns, NULL);
  double started = task->ended - task->time * G_USEC_PER_SEC;
  double used = 0;

  while (roast_table_reader_next (tasks))
    {
      double from = roast_table_reader_get_double (tasks, STARTED);
      double to = roast_table_reader_get_double (tasks, ENDED);
      double cores = roast_table_reader_get_double (tasks, ALLOCATED);
      double both = fmin (to, task->ended) - fmax (from, started);

      if (!isnan (from) && both > 0)
        used += both * (cores > 0 ? cores : 1);
    }

  return self->workers.cores * task->time - used / G_USEC_PER_SEC;
}

/* Share of the core time that was free beside the longest task because the others were done or needed its result. */
static double
get_idle_beside (Findings *self, double median)
{
  const FindingsTask *task = &self->tasks.longest;
  double idle =
      findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS) + findings_get_part (self, ROAST_CORE_PART_IDLE_NO_WORK);

  if (task->task == NULL || !(task->time >= LONG * median) || idle < MUCH)
    return 0;

  return fmin (fmax (get_free_beside (self, task), 0) / self->offered, idle);
}

static void
speak_of_longest (Findings *self, double idle, double median)
{
  const FindingsTask *task = &self->tasks.longest;
  g_autofree char *time = findings_duration (task->time);
  g_autofree char *usual = findings_duration (median);
  g_autofree char *free_time = findings_duration (idle * self->offered);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                                        "Task “%s” (%s) on worker %s took %s, %.1f times the median of %s. Meanwhile "
                                        "cores were free for %s, "
                                        "and no other task could start.",
                                        task->task, task->category, task->worker != NULL ? task->worker : "?", time,
                                        task->time / median, usual, free_time);

  add_evidence (finding, task, median);
  findings_add (self, finding, ADVICE);
  findings_explain_waiting (self, task->waited);
}

void
rule_stragglers (Findings *self)
{
  double median = findings_get_median (self, self->tasks.last.category);
  double usual = findings_get_median (self, self->tasks.longest.category);
  double tail = get_idle (self);
  double beside = 0;

  if (!findings_need_slots (self))
    return;
  if (findings_has_spoken (self, "few-tasks"))
    {
      findings_be_silent (self, "there were too few tasks for the cores: see few-tasks");
      return;
    }
  if (tail >= MUCH && self->tasks.last.task != NULL && median > 0 && self->tasks.last.time >= LONG * median)
    {
      speak (self, median);
      return;
    }
  beside = get_idle_beside (self, usual);
  if (beside >= MUCH)
    speak_of_longest (self, beside, usual);
  else if (tail >= MUCH && (self->tasks.last.task == NULL || !(median > 0)))
    findings_lack (self, "no row shows which tasks ended last");
  else if (tail >= MUCH)
    findings_be_silent (self, "the last task took %.1f times the median of its category, which is not unusual",
                        self->tasks.last.time / median);
  else
    findings_be_silent (self,
                        "free cores in the tail are %.1f %% of the core time, and beside the longest task %.1f %%",
                        100 * tail, 100 * beside);
}
