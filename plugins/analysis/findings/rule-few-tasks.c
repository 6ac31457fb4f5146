/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds runs with fewer tasks than cores, and runs in which some workers received no task. */

#include "findings.h"

#define FEW_TASKS_MUCH 0.2 /* report only if cores were free without a ready task for this share of the core time */
#define FEW_TASKS_SOME 0.05
#define FEW_TASKS_HALF 0.5

/* Returns the share of the core time, between the first task and the last, in which cores were free while no task was
 * ready. */
static double
get_no_work (Findings *self)
{
  return findings_get_share (self, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_CORE_PART_IDLE_NO_WORK, ROAST_STRETCH_RAMP,
                             ROAST_STRETCH_TAIL);
}

/* Returns whether there are too few tasks: fewer tasks than cores, or so few more that cores are idle after the first
 * round. */
static gboolean
are_few (Findings *self, double n, double cores)
{
  double tail = findings_get_part_of_tail (self, ROAST_CORE_PART_IDLE_NO_WORK);

  return n < cores || (n > cores && n < 2 * cores && tail >= FEW_TASKS_MUCH && !findings_has_straggler (self));
}

void
rule_few_tasks (Findings *self)
{
  double idle = get_no_work (self);
  double cores = self->workers.cores, usable = findings_get_usable_cores (self);
  gint64 n = self->tasks.n_attempts;
  const char *tasks = NULL;
  RoastFinding *finding = NULL;

  if (n == 0)
    {
      findings_lack (self, "no row shows which tasks went to workers");
      return;
    }
  if (self->missing != NULL)
    {
      findings_lack (self, "%s", self->missing);
      return;
    }
  if (idle < FEW_TASKS_MUCH || !are_few (self, (double) n, cores))
    {
      findings_be_silent (self,
                          "the run had %s for %g cores; cores were free for %.0f %% of the core time "
                          "while no task was waiting",
                          findings_count (self, n, "attempt", "attempts"), cores, 100 * idle);
      return;
    }
  tasks = findings_count (self, n, "task", "tasks");
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                          "The run had only %s for %g cores on %s. Cores were free for %.0f %% of the core time while "
                          "no task was waiting.",
                          tasks, cores, findings_count (self, self->workers.n, "worker", "workers"), 100 * idle);
  roast_finding_add_number (finding, "tasks", (double) n, NULL);
  roast_finding_add_number (finding, "cores", cores, "cores");
  roast_finding_add_number (finding, "workers", self->workers.n, NULL);
  if ((double) n >= usable && usable < cores)
    findings_add (self, finding,
                  "Start fewer workers or threads: the run may use only %s, and its tasks can keep these busy.",
                  findings_cores (self, usable));
  else
    findings_add (self, finding,
                  "Split the work into at least %.0f tasks, for example with smaller chunks, or request fewer cores.",
                  ((double) n < cores ? 2 : 4) * usable);
}

void
rule_idle_workers (Findings *self)
{
  const FindingsWorkers *workers = &self->workers;
  double share = self->offered > 0 ? workers->idle_seconds / self->offered : 0;
  gboolean are_bound;
  const char *n = NULL, *n_idle = NULL;
  RoastFinding *finding = NULL;

  if (g_hash_table_size (self->places) == 0 || self->missing != NULL)
    {
      findings_lack (self, "%s", self->missing != NULL ? self->missing : "no row shows which workers received tasks");
      return;
    }
  n = findings_number (self, workers->n, "count");
  n_idle = findings_number (self, workers->n_idle, "count");
  if (workers->n_idle == 0 || share < FEW_TASKS_SOME)
    {
      findings_be_silent (self,
                          "%s of %s workers received no task; these idle workers offered %.1f %% of the core time",
                          n_idle, n, 100 * share);
      return;
    }
  /* Tasks that these workers could have run were waiting, but the executor gave them none. */
  are_bound = findings_get_part (self, ROAST_CORE_PART_IDLE_EXECUTOR) >= FEW_TASKS_HALF * share;
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share, "%s of %s workers received no task%s%s %s.",
                          n_idle, n, are_bound ? " although tasks that fit were waiting" : "",
                          workers->n_idle == 1 ? ": worker" : ": for example worker", workers->idle);
  roast_finding_add_text (finding, "worker", workers->idle);
  roast_finding_add_number (finding, "idle_workers", workers->n_idle, NULL);
  roast_finding_add_number (finding, "workers", workers->n, NULL);
  findings_add (self, finding, "%s",
                are_bound
                    ? "Check whether the program allows its tasks on some workers only, or needs data that only some "
                      "workers hold."
                    : "Request fewer workers, or check whether the cores, memory and disk that a task requests fit on "
                      "these workers and whether the program binds tasks to other workers.");
}
