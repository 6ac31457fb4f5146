/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds attempts that had run much longer than others of their category when the recording ended or when they were
 * cancelled. */

#include "findings.h"

#define LEAST_DONE 5         /* minimum number of finished attempts of the category */
#define UNDER_WAY_LONGER 5.0 /* minimum time of the attempt, in times of the longest finished attempt */
#define UNDER_WAY_LONG 10.0  /* minimum time of the attempt, s */

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
  const char *which = category->n_open == 1 ? findings_text (self, "for %s", time)
                                            : findings_text (self, "for up to %s, the longest of them", time);
  /* Add the idle time in the tail: then other tasks wait for this task, or no other task is left. */
  double share = category->open / self->offered + findings_get_part_of_tail (self, ROAST_CORE_PART_IDLE_INPUTS) +
                 findings_get_part_of_tail (self, ROAST_CORE_PART_IDLE_NO_WORK);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, fmin (share, 1),
                    "%s of category “%s” had run %s%s%s without ending; of %s, none took longer than %s.",
                    findings_count (self, category->n_open, "task", "tasks"), name != NULL ? name : "", which,
                    worker != NULL ? " on worker " : "", worker != NULL ? worker : "",
                    findings_count (self, category->n_done, "other", "others"),
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
                "Check whether its worker still runs: a worker that was killed may stay connected. If it does, see "
                "what "
                "the task does there, for example with “py-spy dump”. If it waits for a server, a file or a lock, set "
                "a timeout.");
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
    findings_be_silent (self, "no attempt was running for much longer than other attempts of its category took");
}
