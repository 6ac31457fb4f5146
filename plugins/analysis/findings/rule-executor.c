/* SPDX-License-Identifier: BSD-3-Clause */

/* The loop of the executor, or the program around it, does not hand out tasks in time. */

#include "findings.h"
#include "group-element.h"

#define MUCH 0.1  /* of the core time */
#define OFTEN 0.1 /* of the work, in which the loop was late */
#define ELSEWHERE 0.5
#define BUSY 0.5 /* an executor that is busy for less was not too busy */
#define SOME 0.05
#define HALF 0.5
#define AT_LEAST 1.0 /* s */
#define MATTERS 0.5  /* s of cores, even of a short run */

/* From the first task on: a loop that is blocked after the last one may delay its result, and with it the next task. */
static gboolean
get_work (Findings *self, double *from, double *to)
{
  *from = *to = NAN;
  for (guint i = ROAST_STRETCH_RAMP; i <= ROAST_STRETCH_SHUTDOWN && self->tasks.n_done > 0; i++)
    {
      *from = fmin (*from, self->bounds[i][0]);
      *to = fmax (*to, self->bounds[i][1]);
    }

  return *to > *from;
}

typedef struct
{
  const char *name;
  double late, longest; /* s */
} LateWorker;

/* s of a delay, as a sample has it, that lie between two times; NaN if the sample has none. */
static double
get_late (RoastTableReader *samples, guint time_slot, guint late_slot, double from, double to)
{
  double late = roast_table_reader_get_double (samples, late_slot);
  double time = roast_table_reader_get_double (samples, time_slot);

  if (isnan (late) || isnan (time))
    return NAN;

  return fmax ((fmin (time, to) - fmax (time - late * G_USEC_PER_SEC, from)) / G_USEC_PER_SEC, 0);
}

/* How long tasks could have been handed out, but the executor's loop ran later than scheduled: sum and longest, s. A
 * loop that is late before the first task, while workers start, keeps no core free. NaN if nobody measured it. */
static double
get_lateness (Findings *self, double *longest)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns,
                                           NULL);
  double sum = NAN;
  double from, to;

  *longest = 0;
  if (!get_work (self, &from, &to))
    return NAN;
  while (roast_table_reader_next (samples))
    {
      double late = get_late (samples, ROAST_CLUSTER_SAMPLES_TIME, ROAST_CLUSTER_SAMPLES_LATENESS, from, to);

      if (isnan (late))
        continue;
      sum = (isnan (sum) ? 0 : sum) + late;
      *longest = fmax (*longest, late);
    }

  return sum;
}

/* The same of the worker whose loop was late for longest, and its name. A task that keeps the interpreter's lock blocks
 * it: then the worker neither takes tasks nor hands on their results. */
static char *
find_late_worker (Findings *self, double *late, double *longest)
{
  static const guint key = ROAST_WORKER_SAMPLES_WORKER;
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns,
                                           NULL);
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (LateWorker));
  const LateWorker *latest = NULL;
  double from, to;

  if (!get_work (self, &from, &to))
    return NULL;
  roast_table_reader_group_by (samples, &key, 1);
  while (roast_table_reader_next (samples))
    {
      LateWorker *worker = group_element (workers, samples);
      double seconds = get_late (samples, ROAST_WORKER_SAMPLES_TIME, ROAST_WORKER_SAMPLES_LATENESS, from, to);

      worker->name = roast_table_reader_get_string (samples, key);
      worker->late += isnan (seconds) ? 0 : seconds;
      worker->longest = fmax (worker->longest, seconds);
    }
  for (guint i = 0; i < workers->len; i++)
    if (latest == NULL || g_array_index (workers, LateWorker, i).late > latest->late)
      latest = &g_array_index (workers, LateWorker, i);
  *late = latest != NULL ? latest->late : 0;
  *longest = latest != NULL ? latest->longest : 0;

  return latest != NULL ? g_strdup (latest->name) : NULL;
}

static double
get_work_length (Findings *self)
{
  double from, to;

  return get_work (self, &from, &to) ? (to - from) / G_USEC_PER_SEC : 0;
}

typedef struct
{
  double idle;            /* share of the core time: free while tasks were ready */
  double moving;          /* and while the results of a task waited for a program that was elsewhere */
  double busy, elsewhere; /* shares of the executor's time; NaN if unknown */
  double late, longest;   /* s; NaN if unknown */
  double blocked;         /* share of the core time that the loop's lateness explains */
  char *worker;           /* whose loop was late for longest, if that is all that is known; NULL if none was */
  double worker_late, worker_longest; /* s */
} Loop;

static gboolean
is_blocked (const Loop *loop)
{
  return loop->blocked > 0 && loop->blocked >= HALF * loop->idle;
}

static char *
dup_cause (const Loop *loop)
{
  g_autofree char *longest = findings_duration (loop->longest);

  if (loop->elsewhere >= ELSEWHERE)
    return g_strdup_printf ("%s because the executor did not assign tasks in time: the program did something else "
                            "for "
                            "%.0f %% of the time, and no task was assigned and no result fetched in the meantime",
                            loop->moving >= SOME ? ", or waited for results to be fetched," : "",
                            100 * loop->elsewhere);
  if (is_blocked (loop))
    return g_strdup_printf (
        " because the executor did not assign tasks in time: its event loop was blocked for up to %s", longest);
  if (loop->busy < BUSY)
    return g_strdup_printf (" while tasks were ready, though the executor was busy for only %.0f %% of its time",
                            100 * loop->busy);
  if (loop->busy >= BUSY)
    return g_strdup_printf (" because the executor did not assign tasks in time: it was busy for %.0f %% of its time",
                            100 * loop->busy);

  if (loop->worker != NULL)
    {
      g_autofree char *of_worker = findings_duration (loop->worker_longest);

      return g_strdup_printf (" while tasks were ready, and the event loop of worker %s was blocked for up to %s",
                              loop->worker, of_worker);
    }

  return g_strdup (" because the executor did not assign tasks in time");
}

static const char *
get_advice (const Loop *loop)
{
  if (loop->elsewhere >= ELSEWHERE)
    return "Return to the executor more often: wait for its tasks in a loop that does little else.";
  if (is_blocked (loop))
    return "Keep long work out of the executor's event loop, such as large graphs, callbacks, plugins and large "
           "results.";
  if (!(loop->busy >= BUSY) && loop->worker != NULL)
    return "Find the task on that worker that keeps Python's lock (GIL) in compiled code: let it release the lock, or "
           "divide it.";
  if (loop->busy < BUSY)
    return "See what tasks without a worker lacked, in the executor's own log: a file, a library, a limit, time that a "
           "worker has left.";

  return "Submit fewer and longer tasks, with smaller inputs and results.";
}

static void
speak (Findings *self, const Loop *loop, double share)
{
  g_autofree char *cause = dup_cause (loop);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                                        "%.0f %% of the core time was free%s.", 100 * share, cause);

  roast_finding_add_number (finding, "free_while_tasks_were_ready", loop->idle, NULL);
  roast_finding_add_number (finding, "executor_busy", loop->busy, NULL);
  roast_finding_add_number (finding, "program_elsewhere", loop->elsewhere, NULL);
  roast_finding_add_number (finding, "lateness", loop->late, "s");
  roast_finding_add_number (finding, "lateness_longest", loop->longest, "s");
  if (loop->worker != NULL)
    {
      roast_finding_add_text (finding, "worker", loop->worker);
      roast_finding_add_number (finding, "worker_lateness", loop->worker_late, "s");
      roast_finding_add_number (finding, "worker_lateness_longest", loop->worker_longest, "s");
    }
  findings_add (self, finding, "%s", get_advice (loop));
}

static gboolean
is_late (Findings *self, double late, double longest)
{
  return longest >= AT_LEAST && late >= OFTEN * get_work_length (self);
}

char *
findings_dup_late_worker (Findings *self, double *late, double *longest)
{
  g_autofree char *worker = find_late_worker (self, late, longest);

  return worker != NULL && is_late (self, *late, *longest) ? g_steal_pointer (&worker) : NULL;
}

/* The time in which the loop was late explains no more than what was free meanwhile. */
static double
get_blocked (Findings *self, const Loop *loop)
{
  double free = findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK,
                                    ROAST_STRETCH_RAMP, ROAST_STRETCH_SHUTDOWN);

  if (!is_late (self, loop->late, loop->longest))
    return 0;

  return fmin (loop->late * self->workers.cores / self->offered, free);
}

void
rule_executor (Findings *self)
{
  Loop loop = { .idle = findings_get_not_assigned (self),
                .busy = findings_get_metric (self, "executor_busy_ratio"),
                .elsewhere = findings_get_metric (self, "executor_application_ratio") };
  double undetermined = findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED);
  double share = 0;

  if (!findings_need_slots (self))
    return;
  loop.late = get_lateness (self, &loop.longest);
  share = loop.idle;
  /* An executor that is always busy, or a program that is always elsewhere, is why tasks wait. */
  if (loop.busy >= 0.75 || loop.elsewhere >= ELSEWHERE)
    share += undetermined;
  if (loop.elsewhere >= ELSEWHERE)
    loop.moving = findings_get_part (self, ROAST_CORE_PART_MOVE_OUT);
  loop.blocked = get_blocked (self, &loop);
  share = fmax (share + loop.moving, loop.blocked);
  if (isnan (loop.busy) && !(loop.elsewhere >= ELSEWHERE) && !is_blocked (&loop))
    loop.worker = findings_dup_late_worker (self, &loop.worker_late, &loop.worker_longest);
  if (findings_has_spoken (self, "short-tasks") || findings_has_spoken (self, "moving"))
    findings_be_silent (self, "tasks are short, or the executor moves data: see short-tasks and moving");
  else if (findings_has_spoken (self, "paused"))
    findings_be_silent (self, "workers had tasks and ran none of them: see paused");
  else if (self->is_spilling)
    findings_be_silent (self, "workers that run out of memory take no tasks: see memory");
  else if (self->without_library > 0 && 2 * self->without_library >= loop.idle + undetermined)
    findings_be_silent (self, "tasks waited for libraries that had ended: see libraries");
  else if (share >= MUCH && share * self->offered >= MATTERS)
    speak (self, &loop, share);
  else if (undetermined >= MUCH)
    findings_lack (self, "whether the tasks that waited fitted the free cores is unknown for %.0f %% of the core time",
                   100 * undetermined);
  else
    findings_be_silent (self, "%.1f %% of the core time was free while tasks that fit were ready", 100 * loop.idle);
  g_free (loop.worker);
}
