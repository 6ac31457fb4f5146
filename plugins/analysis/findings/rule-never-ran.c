/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports tasks that were submitted but not given to any worker. */

#include "events.h"
#include "findings.h"
#include "tasks-tables.h"

#define NEVER_RAN_SOME 0.01 /* give a share only if cores were free with tasks left for this share of the core time */

/* Returns the category with the most tasks that never ran; NULL if there is none. Sets @most to the number of these
 * tasks. */
static const char *
find_category (Findings *self, gint64 *most)
{
  g_autoptr (RoastTableReader) table = roast_task_outcomes_read (self->report);
  const char *category = NULL;

  while (roast_table_reader_next (table))
    {
      gint64 n = roast_table_reader_get_int64 (table, ROAST_TASK_OUTCOMES_TASKS, 0);

      if (roast_table_reader_get_word (table, ROAST_TASK_OUTCOMES_STATUS) != ROAST_STATUS_NEVER_RAN || n <= *most)
        continue;
      *most = n;
      category = findings_keep (self, roast_table_reader_get_string (table, ROAST_TASK_OUTCOMES_CATEGORY));
    }

  return category;
}

static gboolean
is_broken_off (Findings *self)
{
  double status = findings_get_metric (self, "exit_status");

  return status > 0 || status < 0;
}

/* Returns the share of the core time in which cores were free after the last task, although some tasks had not run.
 * Returns 0 if the program failed, because the failure explains this time, and leaves out the time that the rule
 * "requests" explains. */
static double
get_free (Findings *self)
{
  if (is_broken_off (self) || !(self->offered > 0) || self->is_tree)
    return 0;

  return findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_STRETCH_SHUTDOWN,
                             ROAST_STRETCH_SHUTDOWN) -
         findings_get_share (self, ROAST_CORE_PART_IDLE_NO_FIT, ROAST_CORE_PART_IDLE_NO_FIT, ROAST_STRETCH_SHUTDOWN,
                             ROAST_STRETCH_SHUTDOWN);
}

/* Returns whether most of @n tasks that never ran request GPUs, and no task that requests GPUs ran. Executors may not
 * report which workers have GPUs. */
static gboolean
lack_gpus (Findings *self, double n)
{
  double waiting = findings_evaluate (self, "count (over tasks where status = never_ran and known (gpus_requested) and "
                                            "gpus_requested > 0)");
  double ran =
      findings_evaluate (self,
                         "count (over tasks where known (started) and known (gpus_requested) and gpus_requested > 0)");

  return 2 * waiting > n && !(ran > 0);
}

/* @needed: resource that the tasks needed and no worker has; NULL if the executor reported no such resource
 * @n: number of tasks */
static const char *
never_ran_get_advice (Findings *self, const char *needed, double n)
{
  g_autofree char *lost = events_describe (self->recording, "scheduler-lost");

  if (needed != NULL)
    return "Start workers that offer this resource, or remove the resource from the requests of the tasks.";
  if (self->workers.n == 0)
    return "Start workers, and check that they find the executor: its address, its password, and the network between.";
  if (lack_gpus (self, n))
    return "Check whether a worker offers GPUs: these tasks request GPUs, and no task that requests GPUs ran.";
  if (is_broken_off (self))
    return "The program ended before these tasks could run: read the program's last messages.";
  if (lost != NULL)
    return "The scheduler ended before these tasks could run: read the last messages of the scheduler, and find out "
           "what ended it.";
  if (findings_has_spoken (self, "paused"))
    return "Workers held tasks but did not run them, so the executor assigned no further tasks: fix the paused workers "
           "first.";
  if (findings_get_metric (self, "tasks_failed_total") > 0)
    return "Tasks that need results of failed tasks cannot run: fix the failed tasks first. Check whether the other "
           "tasks need something that no worker offered, such as cores, memory, a named resource or a library.";

  return "Check whether the program ended or left the executor before these tasks could run, or whether they need "
         "something that no worker offered, such as cores, memory, a named resource or a library.";
}

void
rule_never_ran (Findings *self)
{
  g_autofree char *needed = events_describe (self->recording, "no-worker");
  const char *said = needed != NULL ? findings_text (self, " The executor says: %s.", needed) : "";
  double n = findings_get_metric (self, "tasks_never_ran_total");
  double submitted = findings_get_metric (self, "tasks_submitted_total");
  double idle = get_free (self);
  gboolean is_idle = idle >= NEVER_RAN_SOME;
  gboolean is_paused = findings_has_spoken (self, "paused"); /* the rule "paused" already explains the free time */
  gint64 most = 0;
  const char *what = "never ran", *number = "never_ran";
  const char *category = find_category (self, &most);
  const char *tasks = NULL;
  const char *all = NULL;
  const char *which = NULL;
  const char *free = NULL;
  RoastFinding *finding = NULL;

  if (isnan (n))
    {
      findings_not_apply (self, "no executor with tasks was measured");
      return;
    }
  /* Report the resource even if no task is left, because the program may cancel tasks that wait for it. */
  if (!(n > 0) && needed != NULL)
    {
      n = findings_get_metric (self, "tasks_cancelled_total");
      what = n == 1 ? "was cancelled" : "were cancelled";
      number = "cancelled";
    }
  if (!(n > 0))
    {
      findings_be_silent (self, "every task was given to a worker or cancelled");
      return;
    }
  tasks = findings_count (self, (gint64) n, "task", "tasks");
  all = submitted > n ? findings_number (self, submitted, "count") : NULL;
  which = category != NULL ? findings_text (self, ", %s category “%s”,",
                                            n == 1                  ? "in"
                                            : most == (gint64) n    ? "all in"
                                            : 2 * (double) most > n ? "most in"
                                                                    : "for example in",
                                            category)
                           : "";
  free = self->workers.n == 0 ? " No worker was ever connected."
         : is_idle
             ? findings_text (self, " After the last task that ran, cores were free for %.0f %% of the core time.",
                              100 * idle)
             : "";
  finding = findings_new (self, is_paused ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_ERROR,
                          is_idle && !is_paused ? idle : NAN, "%s%s%s%s %s.%s%s", tasks, all != NULL ? " of " : "",
                          all != NULL ? all : "", which, what, said, free);
  roast_finding_add_text (finding, "category", category);
  roast_finding_add_number (finding, number, n, NULL);
  roast_finding_add_number (finding, "submitted", submitted, NULL);
  findings_add (self, finding, "%s", never_ran_get_advice (self, needed, n));
}
