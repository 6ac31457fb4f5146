/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds executors that do not assign tasks in time, because their event loop is late or because the program is busy. */

#include "events.h"
#include "findings.h"

#define EXECUTOR_MUCH 0.1 /* report only if at least this share of the core time was lost */
#define ELSEWHERE 0.5
#define BUSY 0.5 /* minimum share of its time in which an overloaded executor was busy */
#define EXECUTOR_SOME 0.05
#define EXECUTOR_HALF 0.5
#define EXECUTOR_MATTERS 0.5 /* report only if at least this many core-seconds were lost, to skip short runs */
#define EXECUTOR_LONG 1.0    /* s; count free cores only if workers hold tasks for this long; sending takes less */

typedef struct
{
  double idle;            /* share of the core time in which cores were free although tasks were ready */
  double moving;          /* share of the core time in which results waited because the program was busy elsewhere */
  double busy, elsewhere; /* shares of the executor's time: busy; during other work of the program; NaN if unknown */
  double late, longest;   /* total and longest lateness of the event loop, s; NaN if unknown */
  double blocked;         /* share of the core time that the loop's lateness explains */
  double held;            /* share of the core time in which workers that held tasks had free cores */
  double beside;          /* part of @held in which workers with free cores also ran tasks */
  double cancelled;       /* share of the core time in tasks that were cancelled */
  const char *bound;      /* text saying that tasks must run on certain workers; NULL if the executor reported none */
  FindingsLock lock;      /* worker whose event loop was late longest; set only if no other cause is known */
} Loop;

static gboolean
is_blocked (const Loop *loop)
{
  return loop->blocked > 0 && loop->blocked >= EXECUTOR_HALF * loop->idle;
}

/* Returns whether workers already held the tasks that waited. If so, the executor had assigned these tasks in time. */
static gboolean
executor_is_held (const Loop *loop)
{
  return loop->held > 0 && loop->held >= EXECUTOR_HALF * loop->idle;
}

/* Returns the second half of a sentence that reports how much core time was free. Sets @advice. */
static const char *
executor_explain (Findings *self, const Loop *loop, const char **advice)
{
  gboolean are_cancelled = loop->cancelled >= EXECUTOR_HALF * loop->held;
  gboolean are_others = loop->beside >= EXECUTOR_HALF * loop->held;

  *advice = "Submit fewer and longer tasks, with smaller inputs and results.";
  if (loop->elsewhere >= ELSEWHERE)
    {
      *advice = "Return to the executor more often: wait for tasks in a loop that does little else.";
      return findings_text (self,
                            "%s: the executor did not assign tasks in time. For %.0f %% of the time, the program did "
                            "something else, so no task was assigned and no result was fetched",
                            loop->moving >= EXECUTOR_SOME ? " or waited for results to be fetched" : "",
                            100 * loop->elsewhere);
    }
  if (is_blocked (loop))
    {
      const char *stopped = findings_describe_stop_of (self, NULL, FINDINGS_STOP_EXPLAINS * loop->late);

      *advice = FINDINGS_STOPPED_ADVICE;
      if (stopped != NULL)
        return findings_text (self, ". Meanwhile, tasks were ready, and %s", stopped);
      *advice = FINDINGS_LATE_ADVICE;
      return findings_text (self,
                            ": the executor did not assign tasks in time, because its event loop ran late: by at "
                            "least %s in all, and by up to %s at a time",
                            findings_duration (self, loop->late), findings_duration (self, loop->longest));
    }
  if (loop->busy < BUSY)
    {
      *advice = "Find in the executor's log why tasks were not assigned, for example because a file or library was "
                "missing, a resource limit was reached, or workers had too little time left.";
      return findings_text (self,
                            ". Meanwhile, tasks were ready, and the executor was busy for only %.0f %% of its time",
                            100 * loop->busy);
    }
  if (loop->busy >= BUSY)
    return findings_text (self,
                          ": the executor did not assign tasks in time, because it was busy for %.0f %% of its time",
                          100 * loop->busy);
  if (loop->lock.worker != NULL)
    {
      *advice = loop->lock.advice;
      return findings_text (self, ". Meanwhile, tasks were ready, and %s", findings_describe_lock (self, &loop->lock));
    }
  if (!executor_is_held (loop) && loop->bound == NULL)
    return ": the executor did not assign tasks in time";
  if (!executor_is_held (loop))
    {
      *advice = FINDINGS_BOUND_ADVICE;
      return findings_text (self, ". Meanwhile, tasks were ready; %s", loop->bound);
    }
  *advice = are_cancelled
                ? "Let long tasks check regularly whether they should end, or restart workers whose tasks you cancel."
            : are_others
                ? "Check what these tasks waited for at their workers. If each task requests a resource, a worker may "
                  "have fewer units of this resource than threads."
                : "Check what these workers did before they started tasks, such as importing modules or reading "
                  "inputs.";

  return findings_text (self, ". Meanwhile, workers held tasks that they did not start%s",
                        are_cancelled ? ": cancelled tasks, which cannot be stopped, still ran on these workers"
                        : are_others  ? ", although these workers ran other tasks"
                                      : "");
}

/* Returns whether a cause is known. Without a known cause, the free core time is the only sign that the executor was
 * late. */
static gboolean
has_cause (const Loop *loop)
{
  return loop->elsewhere >= ELSEWHERE || is_blocked (loop) || !isnan (loop->busy) || loop->lock.worker != NULL;
}

static void
executor_speak (Findings *self, const Loop *loop, double share)
{
  const char *advice = NULL;
  const char *why = executor_explain (self, loop, &advice);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share, "%.0f %% of the core time was free%s%s.", 100 * share,
                    loop->lock.worker != NULL ? " or waited for data" : "", why);

  roast_finding_add_number (finding, "free_while_tasks_were_ready", loop->idle, "ratio");
  if (executor_is_held (loop))
    roast_finding_add_number (finding, "held_by_workers", loop->held, "ratio");
  roast_finding_add_number (finding, "executor_busy", loop->busy, "ratio");
  roast_finding_add_number (finding, "program_elsewhere", loop->elsewhere, "ratio");
  roast_finding_add_number (finding, "lateness", loop->late, "s");
  roast_finding_add_number (finding, "lateness_longest", loop->longest, "s");
  findings_add_lock (finding, &loop->lock);
  findings_add (self, finding, "%s", advice);
}

/* Returns the share of the core time that the late event loop explains: the lateness, limited to the share that was
 * free. */
static double
executor_get_blocked (Findings *self, const Loop *loop)
{
  double free = findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK,
                                    ROAST_STRETCH_RAMP, ROAST_STRETCH_SHUTDOWN);

  if (!findings_is_late (self, loop->late, loop->longest))
    return 0;

  return fmin (loop->late * self->workers.cores / self->offered, free);
}

/* ---- tasks that workers held ---- */

typedef struct
{
  int worker;
  double cores;      /* cores of the worker */
  double time;       /* µs */
  int held, running; /* changes of the numbers of tasks that the worker holds and runs */
} ExecutorChange;

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const ExecutorChange *left = a, *right = b;

  if (left->worker != right->worker)
    return left->worker < right->worker ? -1 : 1;

  return (left->time > right->time) - (left->time < right->time);
}

/* Adds the changes of a worker's tasks that the task of the current row causes. */
static void
add_changes (Findings *self, GArray *changes, RoastTableReader *tasks, double from)
{
  int worker = roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER);
  double given = fmax (roast_table_reader_get_double (tasks, ROAST_TASKS_DISPATCHED), from);
  double started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
  double ended = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED);
  double until = isnan (started) ? roast_table_reader_get_double (tasks, ROAST_TASKS_NOTICED) : started;
  const RoastRunWorker *known =
      worker >= 0 ? roast_run_model_find_worker (self->model, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE),
                                                 roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER))
                  : NULL;
  double cores = known != NULL && known->cores > 0 ? known->cores : 1;

  if (worker >= 0 && roast_table_reader_has (tasks, ROAST_TASKS_DISPATCHED) && until > given)
    {
      g_array_append_val (changes, ((ExecutorChange) { worker, cores, given, 1, 0 }));
      g_array_append_val (changes, ((ExecutorChange) { worker, cores, until, -1, 0 }));
    }
  /* Do not count a cancelled task as running. It may still run, but the core that it uses is lost for tasks that the
   * worker holds. */
  if (worker >= 0 && ended > started &&
      roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) != ROAST_STATUS_CANCELLED)
    {
      g_array_append_val (changes, ((ExecutorChange) { worker, cores, started, 0, 1 }));
      g_array_append_val (changes, ((ExecutorChange) { worker, cores, ended, 0, -1 }));
    }
}

/* Sets the share of the core time that workers lost in long stretches during which they held tasks although a core was
 * free. A core that runs a cancelled task counts as free. */
static void
find_held (Findings *self, Loop *loop)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (ExecutorChange));
  double from = findings_has_spoken (self, "start-up") ? self->bounds[ROAST_STRETCH_RAMP][0] : -INFINITY;
  double area = 0, beside = 0, since = NAN;
  int held = 0, running = 0;

  while (roast_table_reader_next (tasks))
    add_changes (self, changes, tasks, from);
  g_array_sort (changes, compare_changes);
  for (guint i = 0; i < changes->len; i++)
    {
      const ExecutorChange *change = &g_array_index (changes, ExecutorChange, i);
      const ExecutorChange *next = i + 1 < changes->len ? change + 1 : NULL;
      gboolean is_last = next == NULL || next->worker != change->worker;

      held += change->held;
      running += change->running;
      if (held > 0 && running < change->cores && !is_last)
        {
          double lost = fmin (held, change->cores - running) * (next->time - change->time) / G_USEC_PER_SEC;

          since = isnan (since) ? change->time : since;
          area += lost;
          beside += running > 0 ? lost : 0;
          continue;
        }
      if (change->time - since >= EXECUTOR_LONG * G_USEC_PER_SEC)
        {
          loop->held += area / self->offered;
          loop->beside += beside / self->offered;
        }
      area = beside = 0;
      since = NAN;
      held = is_last ? 0 : held;
      running = is_last ? 0 : running;
    }
}

void
rule_executor (Findings *self)
{
  g_autofree char *bound = events_describe (self->recording, "bound");
  Loop loop = { .idle = findings_get_not_assigned (self),
                .bound = bound,
                .busy = findings_get_metric (self, "executor_busy_ratio"),
                .elsewhere = findings_get_metric (self, "executor_application_ratio") };
  double undetermined = findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED);
  double share = 0;

  loop.late = findings_get_lateness (self, &loop.longest);
  share = loop.idle;
  /* Add idle time of unknown cause, too, if the executor was mostly busy or the program mostly did other work: both
   * explain this time. */
  if (loop.busy >= 0.75 || loop.elsewhere >= ELSEWHERE)
    share += undetermined;
  if (loop.elsewhere >= ELSEWHERE)
    loop.moving = findings_get_part (self, ROAST_CORE_PART_MOVE_OUT);
  loop.blocked = executor_get_blocked (self, &loop);
  share = fmax (share + loop.moving, loop.blocked);
  if (isnan (loop.busy) && !(loop.elsewhere >= ELSEWHERE) && !is_blocked (&loop))
    findings_find_lock (self, &loop.lock);
  if (share >= EXECUTOR_MUCH && isnan (loop.busy) && loop.lock.worker == NULL)
    {
      find_held (self, &loop);
      loop.cancelled = findings_get_part (self, ROAST_CORE_PART_LOST_CANCELLED);
    }
  /* Add the time of data transfers, because a worker whose loop is blocked does not send its results. */
  if (loop.lock.worker != NULL)
    share += findings_get_parts (self, ROAST_CORE_PART_MOVE_IN, ROAST_CORE_PART_MOVE_OUT);
  if (self->is_spilling)
    findings_be_silent (self, "workers that ran out of memory took no tasks: see the finding “memory”");
  else if (self->without_library > 0 && 2 * self->without_library >= loop.idle + undetermined)
    findings_be_silent (self, "tasks waited for libraries that had already ended: see the finding “libraries”");
  else if (share >= EXECUTOR_MUCH && self->lost_rule != NULL && !has_cause (&loop))
    findings_be_silent (self,
                        "workers died, and tasks waited until new workers replaced the dead workers: see the finding "
                        "%s",
                        self->lost_rule);
  else if (share >= EXECUTOR_MUCH && findings_has_spoken (self, "starved") && !has_cause (&loop))
    findings_be_silent (self,
                        "tasks waited for the executor for %.0f %% of the core time on a machine whose cores were all "
                        "busy: see the finding “starved”",
                        100 * share);
  else if (share >= EXECUTOR_MUCH && share * self->offered >= EXECUTOR_MATTERS)
    executor_speak (self, &loop, share);
  else if (undetermined >= EXECUTOR_MUCH)
    findings_lack (self, "for %.0f %% of the core time, it is unknown whether waiting tasks fitted the free cores",
                   100 * undetermined);
  else
    findings_be_silent (self, "cores were free for %.1f %% of the core time while tasks that fit were ready",
                        100 * loop.idle);
}
