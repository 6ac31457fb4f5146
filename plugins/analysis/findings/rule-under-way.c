/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds attempts that were cancelled, or that still ran when the recording ended, after they had run much longer than
 * other attempts of their category. */

#include "findings.h"

#define LEAST_DONE 5         /* look only at categories with at least this many finished attempts */
#define UNDER_WAY_LONGER 5.0 /* report an attempt only if it ran this many times as long as any finished attempt */
#define UNDER_WAY_LONG 10.0  /* report an attempt only if it ran for at least this, s */

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

void
rule_under_way (Findings *self)
{
  g_autoptr (RoastTableReader) tasks = findings_read (self, ROAST_TABLE_TASKS, roast_tasks_columns);
  const FindingsCategory *oldest = NULL;

  for (guint i = 0; i < self->tasks.categories->len; i++)
    {
      const FindingsCategory *category = &g_array_index (self->tasks.categories, FindingsCategory, i);

      if (is_overdue (category) && (oldest == NULL || category->age > oldest->age))
        oldest = category;
    }
  if (oldest != NULL && roast_table_reader_seek (tasks, oldest->oldest))
    under_way_speak (self, tasks, oldest);
  else
    findings_be_silent (self, "no running attempt took much longer than the finished attempts of the same category");
}
