/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds programs without an executor that have several cores but compute in one thread. */

#include "findings.h"

#define ONE_CORE_MUCH 0.2     /* report only if other cores were free for this share of the core time */
#define ONE_CORE_AT_LEAST 5.0 /* report only if a single thread computed for at least this, s */
#define ONE_CORE_HALF 0.5     /* name a process only if it has at least this share of the single-threaded time */
#define NEARLY_ALL 0.8        /* from this share of the single-threaded time on, ignore all other processes */
#define PARALLEL 0.1          /* advise on a single part if several threads computed for this share of the run */
#define MANY_THREADS 3        /* minimum number of threads; a Python process that loads a library often has two */

/* Returns a text such as "process 123 (python3)" or "its main process (python3)"; NULL if several processes computed in
 * turn. */
static const char *
describe_process (Findings *self, const FindingsDemand *demand)
{
  const char *process = NULL;

  if (demand->process == NULL || demand->alone < ONE_CORE_HALF * demand->demand)
    return NULL;
  process = demand->is_main || demand->pid < 0 ? "the main process"
                                               : findings_text (self, "process %" G_GINT64_FORMAT, demand->pid);

  return demand->command != NULL ? findings_text (self, "%s (%s)", process, demand->command)
                                 : findings_keep (self, process);
}

static gboolean
are_python_threads (const FindingsDemand *demand)
{
  return demand->threads >= MANY_THREADS && demand->command != NULL && g_str_has_prefix (demand->command, "python");
}

static const char *
one_core_get_advice (const FindingsDemand *demand, gboolean is_alone, gboolean is_parallel)
{
  if (!is_alone)
    return "Let the program run several processes at the same time. If several processes already run at the same time, "
           "find out what the processes wait for, such as a lock.";
  if (is_parallel && !demand->is_main)
    return "If this process works on one long item, split the item or start it first. Otherwise divide the work among "
           "processes.";
  if (is_parallel)
    return "Divide this part of the program among processes too, or shorten this part: more cores do not speed it up.";

  return "Divide the work of the program among processes, or run the program with one core.";
}

static void
one_core_speak (Findings *self, const FindingsDemand *demand, double share, double cores)
{
  gboolean is_parallel = demand->more >= PARALLEL * demand->all;
  const char *process = describe_process (self, demand);
  gboolean is_alone = process != NULL;
  const char *where = is_alone ? findings_text (self, ", %sin %s",
                                                demand->alone < NEARLY_ALL * demand->demand ? "mostly " : "", process)
                               : ", alternating between processes";
  const char *threads = is_alone && are_python_threads (demand)
                            ? " Use processes instead of threads: only one Python thread computes at a time (GIL)."
                            : "";
  /* One thread may be all that a program is meant to have. Several Python threads are not, and what explains more than
   * a warning comes before it. */
  gboolean is_meant = !is_parallel && *threads == '\0' && !(share > findings_get_spoken_share (self, "starved"));
  RoastFinding *finding =
      findings_new (self, is_meant ? ROAST_FINDING_SEVERITY_INFO : ROAST_FINDING_SEVERITY_WARNING, share,
                    "For %s of %s, at most one thread of the program had something to compute%s, although the program "
                    "had %.3g cores.",
                    findings_duration (self, demand->one), findings_duration (self, demand->all), where, cores);

  roast_finding_add_number (finding, "one_thread", demand->one, "s");
  roast_finding_add_number (finding, "several_threads", demand->more, "s");
  roast_finding_add_number (finding, "elapsed", demand->all, "s");
  roast_finding_add_number (finding, "cores", cores, "cores");
  if (is_alone)
    roast_finding_add_text (finding, "process", process);
  findings_add (self, finding, "%s%s", one_core_get_advice (demand, is_alone, is_parallel), threads);
}

void
rule_one_core (Findings *self)
{
  double idle = findings_get_part (self, ROAST_CORE_PART_IDLE_NO_WORK);
  double cores = findings_get_metric (self, "cores_available");
  FindingsDemand demand;
  double share;

  if (!self->is_tree)
    {
      findings_not_apply (self, "an executor ran the tasks");
      return;
    }
  if (isnan (cores) || !(self->offered > 0) || !findings_read_demand (self, &demand))
    {
      findings_lack (self, "the program's cores or samples are not available");
      return;
    }
  share = fmin (demand.one * (cores - 1) / self->offered, idle);
  if (self->unseen_threads != NULL)
    findings_lack (self, "%s", self->unseen_threads);
  else if (cores >= 2 && demand.one >= ONE_CORE_AT_LEAST && share >= ONE_CORE_MUCH)
    one_core_speak (self, &demand, share, cores);
  else
    findings_be_silent (self, "only one thread had something to compute for %.1f s of %.1f s", demand.one, demand.all);
}
