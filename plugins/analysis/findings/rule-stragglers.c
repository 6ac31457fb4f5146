/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds single tasks that end long after all other tasks. */

#include "findings.h"

#define STRAGGLERS_MUCH 0.1  /* report if this share of the core time is free in the tail or during the longest task */
#define STRAGGLERS_LONG 2.5  /* report a task only if it took at least this multiple of its category's median */
#define STRAGGLERS_PART 0.25 /* report a task only if it ran for at least this share of the tail */
#define FOR_INPUTS 0.5       /* a task that waited for inputs for this share of its waiting cannot start earlier */

/* In a category with fewer tasks than this, compare a task with the tasks of all categories. */
#define STRAGGLERS_LEAST_TASKS 3

/* Returns the share of the core time that was free in the tail. Cores that a library holds without a call count as
 * free. */
static double
stragglers_get_idle (Findings *self)
{
  return findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_STRETCH_TAIL,
                             ROAST_STRETCH_TAIL) +
         findings_get_part_of_tail (self, ROAST_CORE_PART_LIBRARY_IDLE);
}

/* Time in s with which the time of a task is compared; NaN if there is none. */
typedef struct
{
  double time;
  gboolean is_alone; /* time is the mean of all other tasks, because the task's category is too small */
} Usual;

static Usual
get_usual (Findings *self, const FindingsTask *task)
{
  gint64 n = 0;

  FOR_EACH (const FindingsCategory, category, self->tasks.categories)
    if (task->category != NULL && g_strcmp0 (category->name, task->category) == 0)
      n += category->n;
  if (n >= STRAGGLERS_LEAST_TASKS || n == 0 || self->tasks.n_done <= n)
    return (Usual) { findings_get_median (self, task->category), FALSE };

  return (Usual) { (self->tasks.time - task->time) / (double) (self->tasks.n_done - 1), TRUE };
}

static gboolean
is_long (const FindingsTask *task, const Usual *usual)
{
  return task->task != NULL && usual->time > 0 && task->time >= STRAGGLERS_LONG * usual->time;
}

/* Returns a text such as "12 s, 3.0 times the median of 4 s". */
static const char *
describe_time (Findings *self, const FindingsTask *task, const Usual *usual)
{
  const char *time = findings_duration (self, task->time);
  const char *other = findings_duration (self, usual->time);

  if (usual->is_alone)
    return findings_text (self, "%s; other tasks took %s on average", time, other);

  return findings_text (self, "%s, %.1f times the median (%s)", time, task->time / usual->time, other);
}

/* Returns whether the last task caused the tail. It did not if it ran for only a small part of the tail. */
static gboolean
makes_tail (Findings *self, const Usual *usual)
{
  const FindingsTask *last = &self->tasks.last;

  return is_long (last, usual) && last->time >= STRAGGLERS_PART * findings_get_length (self, ROAST_STRETCH_TAIL);
}

gboolean
findings_has_straggler (Findings *self)
{
  Usual usual = get_usual (self, &self->tasks.last);

  return makes_tail (self, &usual);
}

static void
stragglers_add_evidence (RoastFinding *finding, const FindingsTask *task, const Usual *usual)
{
  roast_finding_add_text (finding, "task", task->task);
  roast_finding_add_text (finding, "category", task->category);
  roast_finding_add_text (finding, "worker", task->worker);
  roast_finding_add_number (finding, "time", task->time, "s");
  roast_finding_add_number (finding, usual->is_alone ? "mean_of_others" : "median", usual->time, "s");
}

static const char *
stragglers_get_advice (Findings *self, const FindingsTask *task)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  double submitted, ready, started;

  roast_table_reader_seek (tasks, task->row);
  submitted = roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED);
  ready = roast_table_reader_get_double (tasks, ROAST_TASKS_READY);
  started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
  if (ready > submitted && ready - submitted >= FOR_INPUTS * (started - submitted))
    return "Split this task into smaller ones, such as a merge into several that each merge a few results, or find out "
           "why this worker or its input is slow.";

  return "Split the longest work into smaller tasks, submit it first, or find out why this worker or its input is "
         "slow.";
}

static void
stragglers_speak (Findings *self, const Usual *usual)
{
  const FindingsTask *last = &self->tasks.last;
  double idle = stragglers_get_idle (self);
  RoastFinding *finding = findings_new (
      self, ROAST_FINDING_SEVERITY_WARNING, idle,
      "In the last %s, only %s of %s ended while free cores had nothing to do: task “%s” (%s) on worker %s took %s.",
      findings_duration (self, findings_get_length (self, ROAST_STRETCH_TAIL)),
      findings_number (self, (double) last->n, "count"), findings_count (self, self->tasks.n_done, "task", "tasks"),
      last->task, last->category, last->worker != NULL ? last->worker : "?", describe_time (self, last, usual));

  stragglers_add_evidence (finding, last, usual);
  roast_finding_add_number (finding, "tail", findings_get_length (self, ROAST_STRETCH_TAIL), "s");
  roast_finding_add_number (finding, "tasks", (double) last->n, NULL);
  findings_add (self, finding, "%s", stragglers_get_advice (self, last));
  findings_explain_waiting (self, last->waited);
}

/* Returns the core-seconds that no task used while @task ran. */
static double
get_free_beside (Findings *self, const FindingsTask *task)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  double started = task->ended - task->time * G_USEC_PER_SEC;
  double used = 0;

  while (roast_table_reader_next (tasks))
    {
      double from = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
      double to = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED);
      double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED);
      double both = fmin (to, task->ended) - fmax (from, started);

      if (!isnan (from) && both > 0)
        used += both * (cores > 0 ? cores : 1);
    }

  return self->workers.cores * task->time - used / G_USEC_PER_SEC;
}

/* Returns the share of the core time that was free while the longest task ran, because all other tasks had ended or
 * needed its result. */
static double
get_idle_beside (Findings *self, const Usual *usual)
{
  const FindingsTask *task = &self->tasks.longest;
  double idle = findings_get_part (self, ROAST_CORE_PART_IDLE_INPUTS) +
                findings_get_part (self, ROAST_CORE_PART_IDLE_NO_WORK) +
                findings_get_part (self, ROAST_CORE_PART_LIBRARY_IDLE);

  if (!is_long (task, usual) || idle < STRAGGLERS_MUCH)
    return 0;

  return fmin (fmax (get_free_beside (self, task), 0) / self->offered, idle);
}

static void
speak_of_longest (Findings *self, double idle, const Usual *usual)
{
  const FindingsTask *task = &self->tasks.longest;
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                    "Task “%s” (%s) on worker %s took %s. While this task ran, cores were free for %s, and no other "
                    "task was ready for them.",
                    task->task, task->category, task->worker != NULL ? task->worker : "?",
                    describe_time (self, task, usual), findings_duration (self, idle * self->offered));

  stragglers_add_evidence (finding, task, usual);
  findings_add (self, finding, "%s", stragglers_get_advice (self, task));
  findings_explain_waiting (self, task->waited);
}

void
rule_stragglers (Findings *self)
{
  Usual last = get_usual (self, &self->tasks.last);
  Usual longest = get_usual (self, &self->tasks.longest);
  double tail = stragglers_get_idle (self);
  double beside = 0;

  if (tail >= STRAGGLERS_MUCH && makes_tail (self, &last))
    {
      stragglers_speak (self, &last);
      return;
    }
  beside = get_idle_beside (self, &longest);
  if (beside >= STRAGGLERS_MUCH)
    speak_of_longest (self, beside, &longest);
  else if (tail >= STRAGGLERS_MUCH && (self->tasks.last.task == NULL || !(last.time > 0)))
    findings_lack (self, "no row shows which tasks ended last");
  else if (tail >= STRAGGLERS_MUCH)
    findings_be_silent (self, "the last task took %.1f times as long as %s, and it ran for %.0f %% of the tail",
                        self->tasks.last.time / last.time,
                        last.is_alone ? "all other tasks on average" : "the median of its category",
                        100 * self->tasks.last.time / findings_get_length (self, ROAST_STRETCH_TAIL));
  else
    findings_be_silent (self, "%.1f %% of the core time was free in the tail, and %.1f %% while the longest task ran",
                        100 * tail, 100 * beside);
}
