/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures how late the event loops of the executor and of workers ran. Finds the tasks that blocked the event loop of
 * a worker. */

#include "findings.h"
#include "group-element.h"

#define LOCK_OFTEN 0.1 /* report lateness only if it totals at least this share of the working time */
#define LOCK_AT_LEAST                                                                                                  \
  1.0 /* report lateness only if the longest delay, or all short delays together, is at least this, s */
#define LOCK_PER_TASK 0.02 /* count short delays only if they total more than this per finished task, s */
#define LOCK_MOSTLY 0.5    /* name a category if its tasks ran during at least this share of the lateness */

/* Sets @from and @to to the start of the first task and the end of the run. The time after the last task is included: a
 * loop that is blocked then delays the last result, and may thus delay the next task. */
static gboolean
lock_get_work (Findings *self, double *from, double *to)
{
  *from = *to = NAN;
  for (guint i = ROAST_STRETCH_RAMP; i <= ROAST_STRETCH_SHUTDOWN && self->tasks.n_done > 0; i++)
    {
      *from = fmin (*from, self->bounds[i][0]);
      *to = fmax (*to, self->bounds[i][1]);
    }

  return *to > *from;
}

/* Columns of samples that contain these values, for workers or for the executor */
typedef struct
{
  guint time, lateness, queue;
} LockSlots;

static const LockSlots of_executor = { ROAST_CLUSTER_SAMPLES_TIME, ROAST_CLUSTER_SAMPLES_LATENESS,
                                       ROAST_CLUSTER_SAMPLES_LATENESS_QUEUE };
static const LockSlots of_worker = { ROAST_WORKER_SAMPLES_TIME, ROAST_WORKER_SAMPLES_LATENESS,
                                     ROAST_WORKER_SAMPLES_LATENESS_QUEUE };

/* Returns how long in s the loop was late, minus the time for which it waited for a core; NaN if unknown. */
static double
get_own_lateness (RoastTableReader *samples, const LockSlots *slots)
{
  double queue = roast_table_reader_get_double (samples, slots->queue);

  return roast_table_reader_get_double (samples, slots->lateness) - (isnan (queue) ? 0 : queue);
}

/* Returns how much of the delay in the current row, in s, lies between @from and @to; NaN if unknown. */
static double
get_late (RoastTableReader *samples, const LockSlots *slots, double from, double to)
{
  double time = roast_table_reader_get_double (samples, slots->time);
  double late = get_own_lateness (samples, slots);

  if (isnan (late) || isnan (time))
    return NAN;

  return fmax ((fmin (time, to) - fmax (time - late * G_USEC_PER_SEC, from)) / G_USEC_PER_SEC, 0);
}

double
findings_get_lateness_between (Findings *self, double from, double to, double *longest)
{
  g_autoptr (RoastTableReader) samples = roast_cluster_samples_read (self->recording);
  double sum = NAN;

  *longest = 0;
  while (roast_table_reader_next (samples))
    {
      double late = get_late (samples, &of_executor, from, to);

      if (isnan (late))
        continue;
      sum = (isnan (sum) ? 0 : sum) + late;
      *longest = fmax (*longest, late);
    }

  return sum;
}

/* Leave out lateness before the first task: while workers start, a late loop keeps no cores idle. */
double
findings_get_lateness (Findings *self, double *longest)
{
  double from, to;

  *longest = 0;

  return lock_get_work (self, &from, &to) ? findings_get_lateness_between (self, from, to, longest) : NAN;
}

double
findings_get_blocked (Findings *self, double from, double to)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);
  double longest = 0;

  while (roast_table_reader_next (samples))
    longest = fmax (longest, get_late (samples, &of_worker, from, to));

  return longest;
}

static double
get_work_length (Findings *self)
{
  double from, to;

  return lock_get_work (self, &from, &to) ? (to - from) / G_USEC_PER_SEC : 0;
}

static gboolean
is_late_often (Findings *self, double late)
{
  return late >= LOCK_OFTEN * get_work_length (self);
}

/* Many short delays count, too, unless they are the executor's own work for many tasks. */
gboolean
findings_is_late (Findings *self, double late, double longest)
{
  return is_late_often (self, late) &&
         (longest >= LOCK_AT_LEAST || late >= fmax (LOCK_AT_LEAST, LOCK_PER_TASK * (double) self->tasks.n_done));
}

/* ---- a task that blocks its worker ---- */

/* A time in µs during which the event loop did not run */
typedef struct
{
  double from, to;
} LockStretch;

typedef struct
{
  const char *name;
  double late, longest; /* s */
  GArray *stretches;    /* elements are LockStretch */
} LateWorker;

static void
late_worker_clear (gpointer data)
{
  LateWorker *self = data;

  g_clear_pointer (&self->stretches, g_array_unref);
}

static void
lock_take_sample (LateWorker *self, RoastTableReader *samples, double from, double to)
{
  double time = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
  double of_work = get_late (samples, &of_worker, from, to);
  LockStretch stretch = { time - get_own_lateness (samples, &of_worker) * G_USEC_PER_SEC, time };

  self->name = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);
  if (self->stretches == NULL)
    self->stretches = g_array_new (FALSE, FALSE, sizeof (LockStretch));
  if (isnan (of_work))
    return;
  self->late += of_work;
  self->longest = fmax (self->longest, of_work);
  if (stretch.to > stretch.from)
    g_array_append_val (self->stretches, stretch);
}

/* Returns the worker with the largest total lateness; NULL if no worker was late for long enough. */
static const LateWorker *
find_late_worker (Findings *self, GArray *workers, RoastTableReader *samples)
{
  const LateWorker *latest = NULL;
  double from, to;

  if (!lock_get_work (self, &from, &to))
    return NULL;
  GROUP_BY (samples, ROAST_WORKER_SAMPLES_WORKER);
  while (roast_table_reader_next (samples))
    lock_take_sample (group_element (workers, samples), samples, from, to);
  for (guint i = 0; i < workers->len; i++)
    if (latest == NULL || g_array_index (workers, LateWorker, i).late > latest->late)
      latest = &g_array_index (workers, LateWorker, i);

  return latest != NULL && latest->longest >= LOCK_AT_LEAST && is_late_often (self, latest->late) ? latest : NULL;
}

static double
lock_get_overlap (const GArray *stretches, double from, double to)
{
  double sum = 0;

  FOR_EACH (const LockStretch, stretch, stretches)
    sum += fmax (fmin (to, stretch->to) - fmax (from, stretch->from), 0);

  return sum / G_USEC_PER_SEC;
}

typedef struct
{
  const char *category;
  double blocked; /* s */
} Blocker;

/* Returns the category of the tasks that ran on @worker while its loop was blocked. */
static const char *
find_blocker (Findings *self, const LateWorker *worker)
{
  static const guint key = ROAST_TASKS_CATEGORY;
  g_autoptr (GArray) blockers = g_array_new (FALSE, FALSE, sizeof (Blocker));
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  const Blocker *found = NULL;

  roast_table_reader_group_by (tasks, &key, 1);
  while (roast_table_reader_next (tasks))
    {
      Blocker *blocker = group_element (blockers, tasks);

      blocker->category = roast_table_reader_get_string (tasks, key);
      if (g_strcmp0 (roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER), worker->name) != 0)
        continue;
      blocker->blocked +=
          lock_get_overlap (worker->stretches, roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED),
                            roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED));
    }
  FOR_EACH (const Blocker, blocker, blockers)
    if (blocker->blocked >= LOCK_MOSTLY * worker->late && blocker->blocked > (found != NULL ? found->blocked : 0))
      found = blocker;

  return findings_keep (self, found != NULL ? found->category : NULL);
}

gboolean
findings_find_lock (Findings *self, FindingsLock *lock)
{
  g_autoptr (RoastTableReader) samples = roast_worker_samples_read (self->recording);
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (LateWorker));
  const LateWorker *worker;

  *lock = (FindingsLock) { 0 };
  g_array_set_clear_func (workers, late_worker_clear);
  worker = find_late_worker (self, workers, samples);
  if (worker == NULL)
    return FALSE;
  lock->worker = findings_keep (self, worker->name);
  lock->late = worker->late;
  lock->longest = worker->longest;
  lock->category = find_blocker (self, worker);
  /* The loop is late, too, while a signal has stopped the worker's process. */
  lock->stopped = findings_describe_stop_of (self, worker->name, FINDINGS_STOP_EXPLAINS * lock->late);
  lock->advice = lock->stopped != NULL ? FINDINGS_STOPPED_ADVICE : FINDINGS_LOCK_ADVICE;

  return TRUE;
}

const char *
findings_describe_lock (Findings *self, const FindingsLock *lock)
{
  const char *longest = findings_duration (self, lock->longest);

  if (lock->stopped != NULL)
    return lock->stopped;
  if (lock->category == NULL)
    return findings_text (self, "the event loop of worker %s was blocked for up to %s at a time", lock->worker,
                          longest);

  return findings_text (self,
                        "the event loop of worker %s was blocked for up to %s at a time while tasks of category “%s” "
                        "ran there",
                        lock->worker, longest, lock->category);
}

void
findings_add_lock (RoastFinding *finding, const FindingsLock *lock)
{
  if (lock->worker == NULL)
    return;
  roast_finding_add_text (finding, "worker", lock->worker);
  roast_finding_add_number (finding, "worker_lateness", lock->late, "s");
  roast_finding_add_number (finding, "worker_lateness_longest", lock->longest, "s");
  roast_finding_add_text (finding, "blocked_by", lock->category);
}
