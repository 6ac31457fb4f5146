/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds attempts that were cancelled, or that still ran when the recording ended, after they had run much longer than
 * other attempts of their category. Finds attempts that held all slots without computing while other tasks waited. */

#include "findings.h"

#define LEAST_DONE 5         /* look only at categories with at least this many finished attempts */
#define UNDER_WAY_LONGER 5.0 /* report an attempt only if it ran this many times as long as any finished attempt */
#define UNDER_WAY_LONG 10.0  /* report an attempt only if it ran for at least this, s */
#define HELD_LONG 20.0       /* report held slots only if no attempt started or ended for at least this, s */
#define HELD_HALF 0.5        /* and for at least this share of the core time, */
#define HELD_IDLE 0.1        /* and if the threads of tasks computed for less than this share of this time */

static gboolean
is_overdue (const FindingsCategory *self)
{
  return self->n_done >= LEAST_DONE && self->age >= fmax (UNDER_WAY_LONG, UNDER_WAY_LONGER * self->longest);
}

static void
under_way_speak (Findings *self, RoastTableReader *tasks, const FindingsCategory *category)
{
  const char *name = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
  const char *worker = roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER);
  const char *time = findings_duration (self, category->age);
  gboolean is_one = category->n_open == 1;
  const char *where =
      worker == NULL ? "" : findings_text (self, is_one ? " on worker %s" : " (the longest task on worker %s)", worker);
  const char *which = findings_text (self, is_one ? "for %s%s" : "for up to %s%s", time, where);
  /* Add the idle time in the tail, because other tasks wait for this task then, or no other task is left. */
  double share = category->open / self->offered + findings_get_part_of_tail (self, ROAST_CORE_PART_IDLE_INPUTS) +
                 findings_get_part_of_tail (self, ROAST_CORE_PART_IDLE_NO_WORK);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, fmin (share, 1),
                    "%s of category “%s” had run %s without ending; none of %s took longer than %s.",
                    findings_count (self, category->n_open, "task", "tasks"), name != NULL ? name : "", which,
                    findings_count (self, category->n_done, "other task", "other tasks"),
                    findings_duration (self, category->longest));

  if (category->lost > 0 && 2 * category->lost >= self->offered * findings_get_part (self, ROAST_CORE_PART_LOST_WORKER))
    self->lost_rule = self->rule;
  roast_finding_add_text (finding, "category", name != NULL ? name : "");
  roast_finding_add_text (finding, "task", roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
  roast_finding_add_text (finding, "worker", worker);
  roast_finding_add_number (finding, "under_way", (double) category->n_open, NULL);
  roast_finding_add_number (finding, "time", category->age, "s");
  roast_finding_add_number (finding, "longest_of_others", category->longest, "s");
  findings_add (self, finding,
                "Check whether the worker of the task still runs: a worker that was killed may stay connected. If the "
                "worker runs, find out what the task does there, for example with “py-spy dump”. If the task waits "
                "for a server, a file or a lock, set a timeout.");
}

/* Returns the time in s since an attempt last ended, or since the last of the running attempts started. */
static double
held_get_time (Findings *self)
{
  double last = findings_evaluate (self, "max (running_since over tasks where known (running_since))");

  for (guint i = 0; i < self->tasks.categories->len; i++)
    last = fmax (last, g_array_index (self->tasks.categories, FindingsCategory, i).last / G_USEC_PER_SEC);

  return self->end / G_USEC_PER_SEC - last;
}

/* Reports that all slots are held by tasks that do not compute while other tasks wait. Returns whether this is so. */
static gboolean
find_held_slots (Findings *self, RoastTableReader *tasks)
{
  const FindingsCategory *most = NULL;
  gint64 n_open = 0;
  double n, others, time, share;
  RoastFinding *finding = NULL;

  FOR_EACH (const FindingsCategory, category, self->tasks.categories)
    {
      n_open += category->n_open;
      if (most == NULL || category->open > most->open)
        most = category;
    }
  if (n_open == 0 || (double) n_open < self->workers.cores)
    return FALSE;
  n = findings_evaluate (self, "count (over tasks where known (running_since) and not known (ended))");
  others = findings_evaluate (self, "sum (tasks over task_outcomes where status in (never_ran, waiting, unfinished, "
                                    "running))") -
           n;
  time = held_get_time (self);
  share = n * time / self->offered;
  if (!(n >= self->workers.cores) || !(others > 0) || !(time >= HELD_LONG) || share < HELD_HALF ||
      !(findings_get_metric (self, "worker_task_threads_cpu_seconds") < HELD_IDLE * n * time) ||
      !roast_table_reader_seek (tasks, most->oldest))
    return FALSE;
  finding = findings_new (self, ROAST_FINDING_SEVERITY_ERROR, fmin (share, 1),
                          "For the last %s, %s, mostly of category “%s”, held all slots and hardly computed, while %s "
                          "waited.",
                          findings_duration (self, time), findings_count (self, (gint64) n, "task", "tasks"),
                          most->name, findings_count (self, (gint64) others, "other task", "other tasks"));
  roast_finding_add_text (finding, "category", most->name);
  roast_finding_add_text (finding, "task", roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
  roast_finding_add_text (finding, "worker", roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
  roast_finding_add_number (finding, "under_way", n, NULL);
  roast_finding_add_number (finding, "others", others, NULL);
  roast_finding_add_number (finding, "time", time, "s");
  findings_add (self, finding,
                "If these tasks wait for tasks that they submitted, let them give their slots back meanwhile: "
                "call secede () or use worker_client (). Otherwise find out what they wait for, for example with "
                "“py-spy dump”.");

  return TRUE;
}

void
rule_under_way (Findings *self)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  const FindingsCategory *oldest = NULL;

  FOR_EACH (const FindingsCategory, category, self->tasks.categories)
    if (is_overdue (category) && (oldest == NULL || category->age > oldest->age))
      oldest = category;
  if (oldest != NULL && roast_table_reader_seek (tasks, oldest->oldest))
    under_way_speak (self, tasks, oldest);
  else if (!find_held_slots (self, tasks))
    findings_be_silent (self, "no running attempt took much longer than the finished attempts of the same category, "
                              "and no tasks held all slots without computing");
}
