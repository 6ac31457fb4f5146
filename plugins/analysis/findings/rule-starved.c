/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds runs in which more threads were ready to compute than there were free cores. */

#include "findings.h"
#include "metadata.h"

#define STARVED_MUCH 0.2     /* report only if threads waited for this share of the time in which they could compute */
#define STARVED_MATTERS 0.1  /* report only if at least this share of the core time was lost */
#define STARVED_AT_LEAST 1.0 /* report only if threads waited for a core for at least this, s */
#define SLOTS_OVER 1.2       /* slots per core above which tasks wait for each other */
#define STARVED_MOSTLY 0.5   /* minimum share that counts as most of the waiting */
#define BOUND 0.5    /* report processes that are bound to at least this many cores fewer than roast-run may use */
#define MORE 3.0     /* name a worker only if it waited for this many times the average of the other workers */
#define THREADS 0.25 /* report threads of libraries only if they used at least this share of the CPU time */

/* Returns the share of the core time in which tasks certainly or possibly did not compute. */
static double
get_not_computing (Findings *self)
{
  return findings_get_part (self, ROAST_CORE_PART_TASK_WAIT) + findings_get_part (self, ROAST_CORE_PART_TASK_UNSPLIT) +
         findings_get_part (self, ROAST_CORE_PART_FRAMEWORK_WAIT);
}

/* Returns the part of the CPU time that tasks used. If their CPU time is unknown, assume that tasks computed all the
 * time. The caller assumes that waiting for a core is proportional to CPU time: sleeping tasks do not wait for a core,
 * even if their workers waited long while they started. */
static double
get_part_of_tasks (Findings *self, double cpu)
{
  double tasks = findings_get_parts (self, ROAST_CORE_PART_TASK_CPU, ROAST_CORE_PART_TASK_OTHER_THREADS) +
                 findings_get_part (self, ROAST_CORE_PART_TASK_UNSPLIT) +
                 findings_get_part (self, ROAST_CORE_PART_FRAMEWORK_CPU);

  if (self->is_tree || !(cpu > 0))
    return 1;

  return fmin (tasks * self->offered / cpu, 1);
}

/* Returns whether there are more slots than cores, so that tasks wait for each other. With fewer slots, tasks wait only
 * for other processes, mostly while workers start. */
static gboolean
has_too_many_slots (Findings *self, double cores)
{
  return !self->is_tree && self->workers.cores > cores * SLOTS_OVER;
}

/* Returns how long threads of tasks waited for a core, as a share of the core time. */
static double
get_waited (Findings *self, double queue, double cpu, double cores)
{
  double measured = self->is_tree ? NAN : self->activities.run_queue;
  double share = self->offered > 0 ? queue * get_part_of_tasks (self, cpu) / self->offered : 0;
  double of_tasks = self->is_tree || has_too_many_slots (self, cores) || !(self->offered > 0)
                        ? NAN
                        : findings_get_queue_of_tasks (self, queue) / self->offered;

  return !isnan (measured) && self->offered > 0 ? (measured + findings_get_queue_of_children (self)) / self->offered
                                                : fmin (share, of_tasks);
}

/* Returns whether it is unknown how long tasks waited for a core, because neither their CPU time nor the processes of
 * their workers are known. Such tasks may sleep, or run on other machines. */
static gboolean
is_unknown (Findings *self, double queue)
{
  return !self->is_tree &&
         findings_get_part (self, ROAST_CORE_PART_TASK_UNSPLIT) >= STARVED_MOSTLY * get_not_computing (self) &&
         isnan (findings_get_queue_of_tasks (self, queue));
}

/* Returns the share of the core time that was lost because tasks waited for a core, without attempts that another
 * finding calls needless. Returns NaN if the share is too small: threads can wait without any loss if all cores are
 * busy. */
static double
starved_get_explained (Findings *self, double waited)
{
  double share = fmin (waited, get_not_computing (self)) * (1 - self->repeated);

  return share < STARVED_MATTERS ? NAN : share;
}

/* Returns whether a library starts threads inside tasks. Returns FALSE for a program without an executor, because it
 * has no slots that threads could exceed. */
static gboolean
has_threads (Findings *self, double extra, double cpu)
{
  double other = findings_get_part (self, ROAST_CORE_PART_TASK_OTHER_THREADS);

  /* Tasks that sleep use so little CPU time that any other thread uses more, so require a minimum share of the core
   * time, too. */
  return !self->is_tree &&
         (extra > 0.1 * cpu || (other >= STARVED_MATTERS &&
                                other >= THREADS * (other + findings_get_part (self, ROAST_CORE_PART_TASK_CPU))));
}

/* Returns a text such as ", most of it on worker w"; "" if no single worker has most of the waiting. */
static const char *
describe_place (Findings *self)
{
  double own = 0, others = 0;
  guint n_others = 0;
  const char *worker = self->is_tree ? NULL : findings_find_queue (self, &own, &others, &n_others);

  return worker != NULL && own * n_others >= MORE * others && own >= STARVED_MOSTLY * (own + others)
             ? findings_text (self, ", most of it on worker %s", worker)
             : "";
}

/* Returns a text such as "the program's processes were bound to 1 of 2 cores"; NULL if the threads that waited could
 * use all cores of roast-run. */
static const char *
describe_affinity (Findings *self, double queue)
{
  double own;
  gint64 average, waited, cores;

  if (!metadata_get_double (self->recording, "tree-cores", &own) ||
      !metadata_get_int64 (self->recording, "tree-cores-average", &average))
    return NULL;
  if (own >= (double) average / G_USEC_PER_SEC + BOUND)
    return findings_text (self, "the program's processes were bound to %.2g of %g cores",
                          (double) average / G_USEC_PER_SEC, own);
  if (!metadata_get_int64 (self->recording, "tree-bound-run-queue", &waited) ||
      !metadata_get_int64 (self->recording, "tree-bound-cores", &cores) || (double) cores >= own ||
      (double) waited / G_USEC_PER_SEC < STARVED_MOSTLY * queue)
    return NULL;

  return findings_text (self, "threads that waited for %s of this time were bound to %" G_GINT64_FORMAT " of %g cores",
                        findings_duration (self, (double) waited / G_USEC_PER_SEC), cores, own);
}

/* Returns a text that says that the quota of the control group kept the program from its cores; NULL if it did not for
 * most of the waiting. One core that is throttled can make many threads wait. */
static const char *
describe_quota (Findings *self, double queue)
{
  double quota;
  gint64 throttled;

  if (!metadata_get_double (self->recording, "tree-cgroup-cores", &quota) ||
      !metadata_get_int64 (self->recording, "tree-throttled", &throttled) ||
      !((double) throttled / G_USEC_PER_SEC >=
        STARVED_MOSTLY * fmin (queue, findings_get_metric (self, "elapsed_time_seconds"))))
    return NULL;

  return findings_text (self, "the CPU quota of the control group allows only %s", findings_cores (self, quota));
}

static void
starved_speak (Findings *self, double queue, double cpu, double cores, double waited)
{
  double extra = findings_get_metric (self, "extra_core_seconds");
  double share = starved_get_explained (self, waited);
  /* If other programs used more core time than this program, they took the cores: a program whose threads wait for each
   * other leaves no core to other programs. */
  gboolean is_crowded = self->taken > cpu;
  gboolean is_over = has_too_many_slots (self, cores) && !is_crowded;
  gboolean is_threaded = has_threads (self, extra, cpu);
  gboolean is_taken = is_crowded || (!is_over && self->taken >= STARVED_MOSTLY * queue);
  const char *of_tasks = self->is_tree
                             ? ""
                             : findings_text (self, " (about %s of it in tasks%s)",
                                              findings_duration (self, waited * self->offered), describe_place (self));
  const char *quota = describe_quota (self, queue);
  const char *bound = quota == NULL ? describe_affinity (self, queue) : NULL;
  const char *why = NULL;
  RoastFinding *finding = NULL;

  if (quota != NULL)
    why = findings_text (self, ": %s", quota);
  else if (bound != NULL)
    why = findings_text (self, ": %s%s", bound, is_taken ? ", and other programs used these cores meanwhile" : "");
  else if (is_over)
    why = findings_text (self, ": workers offered %g slots, but the run may use only %s", self->workers.cores,
                         findings_cores (self, cores));
  else if (is_threaded)
    why = findings_text (self, "; tasks started more threads than their workers have slots%s",
                         is_taken ? ", and other programs used the cores meanwhile" : "");
  else if (is_taken)
    why = ": other programs used the cores meanwhile";
  finding =
      findings_new (self,
                    self->is_tree || !isnan (share) ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_INFO,
                    share, "Threads waited %s%s in total for a core%s and computed for %s%s.",
                    self->unseen_threads != NULL ? "at least " : "", findings_duration (self, queue), of_tasks,
                    findings_duration (self, cpu), why != NULL ? why : "");
  roast_finding_add_number (finding, "waiting_for_core", queue, "s");
  roast_finding_add_number (finding, "cpu", cpu, "s");
  roast_finding_add_number (finding, "cores", cores, "cores");
  if (!self->is_tree)
    {
      roast_finding_add_number (finding, "slots", self->workers.cores, "cores");
      roast_finding_add_number (finding, "waiting_for_core_in_tasks", waited * self->offered, "s");
    }
  roast_finding_add_number (finding, "extra_cpu", extra, "s");
  roast_finding_add_number (finding, "used_by_others", self->taken, "s");
  findings_add (self, finding, "%s",
                quota != NULL ? "Raise the quota (cpu.max, or the CPU limit of the container or job), or start only as "
                                "many processes and threads as it allows."
                : bound != NULL ? "Let the program use all cores: find out what binds its processes, such as taskset, "
                                  "sched_setaffinity () or OMP_PROC_BIND."
                : is_over       ? "Use fewer workers or threads on this machine, or use a machine with more cores."
                : is_threaded && !is_crowded
                    ? "Limit the threads of libraries: set OMP_NUM_THREADS=1 and similar variables for the workers."
                : is_taken
                    ? "Stop other programs on this machine, or use an idle machine."
                    : "Run fewer processes and threads at the same time, or stop other programs on this machine.");
}

void
rule_starved (Findings *self)
{
  double queue = findings_get_metric (self, "run_queue_seconds");
  double cpu = findings_get_metric (self, "process_cpu_time_seconds");
  double cores = findings_get_metric (self, "cores_available");
  gboolean is_much = queue >= STARVED_AT_LEAST && queue >= STARVED_MUCH * (queue + cpu);
  double waited = is_much && !isnan (cores) ? get_waited (self, queue, cpu, cores) : 0;
  /* Report threads that libraries start even if all cores compute, because these threads slow tasks down. */
  gboolean is_threaded =
      waited >= STARVED_MATTERS && has_threads (self, findings_get_metric (self, "extra_core_seconds"), cpu);

  if (!self->is_tree && !is_threaded)
    waited = fmin (waited, get_not_computing (self));
  if (isnan (queue) || isnan (cpu) || isnan (cores))
    findings_lack (self, "the time that threads waited for a core is unknown: %s",
                   findings_get_reason (self, "run_queue_seconds"));
  else if (waited >= STARVED_MATTERS && is_unknown (self, queue))
    findings_lack (self,
                   "threads waited %.1f s for a core; how much of this time belongs to tasks is unknown, and so is the "
                   "CPU time of tasks",
                   queue);
  else if (self->unseen_threads != NULL && !is_much)
    findings_lack (self, "%s", self->unseen_threads);
  else if (waited < STARVED_MATTERS ||
           !(self->is_tree || is_threaded || starved_get_explained (self, waited) >= STARVED_MATTERS))
    findings_be_silent (self, "threads waited %.1f s for a core and computed for %.1f s%s", queue, cpu,
                        is_much && !self->is_tree ? ", but the waiting threads did not belong to tasks" : "");
  else
    starved_speak (self, queue, cpu, cores, waited);
}
