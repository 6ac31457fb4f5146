/* SPDX-License-Identifier: BSD-3-Clause */

/* Event loops that ran later than scheduled: of the executor, and of the worker that a task blocked. */

#include "findings.h"
#include "group-element.h"

#define OFTEN 0.1    /* of the work, in which the loop was late */
#define AT_LEAST 1.0 /* s */
#define MOSTLY 0.5   /* of the lateness, while tasks of one category ran */

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
double
findings_get_lateness (Findings *self, double *longest)
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

static double
get_work_length (Findings *self)
{
  double from, to;

  return get_work (self, &from, &to) ? (to - from) / G_USEC_PER_SEC : 0;
}

gboolean
findings_is_late (Findings *self, double late, double longest)
{
  return longest >= AT_LEAST && late >= OFTEN * get_work_length (self);
}

/* ---- a task that blocks its worker ---- */

/* The same of the worker whose loop was late for longest, and its name. */
static gboolean
find_late_worker (Findings *self, FindingsLock *lock)
{
  static const guint key = ROAST_WORKER_SAMPLES_WORKER;
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns,
                                           NULL);
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (LateWorker));
  const LateWorker *latest = NULL;
  double from, to;

  if (!get_work (self, &from, &to))
    return FALSE;
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
  if (latest == NULL || !findings_is_late (self, latest->late, latest->longest))
    return FALSE;
  lock->worker = g_strdup (latest->name);
  lock->late = latest->late;
  lock->longest = latest->longest;

  return TRUE;
}

/* A stretch in which the loop of that worker did not run, µs */
typedef struct
{
  double from, to;
} Stretch;

static GArray *
read_stretches (Findings *self, const char *worker)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns,
                                           NULL);
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));

  while (roast_table_reader_next (samples))
    {
      double to = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
      double late = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_LATENESS);
      Stretch stretch = { to - late * G_USEC_PER_SEC, to };

      if (stretch.to > stretch.from &&
          g_strcmp0 (roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER), worker) == 0)
        g_array_append_val (stretches, stretch);
    }

  return stretches;
}

static double
get_overlap (const GArray *stretches, double from, double to)
{
  double sum = 0;

  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      sum += fmax (fmin (to, stretch->to) - fmax (from, stretch->from), 0);
    }

  return sum / G_USEC_PER_SEC;
}

typedef struct
{
  const char *category;
  double blocked; /* s */
} Blocker;

/* The category of tasks that ran at that worker while its loop did not. */
static void
find_blocker (Findings *self, FindingsLock *lock)
{
  static const guint key = ROAST_TASKS_CATEGORY;
  g_autoptr (GArray) stretches = read_stretches (self, lock->worker);
  g_autoptr (GArray) blockers = g_array_new (FALSE, FALSE, sizeof (Blocker));
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  double most = 0;

  roast_table_reader_group_by (tasks, &key, 1);
  while (roast_table_reader_next (tasks))
    {
      Blocker *blocker = group_element (blockers, tasks);

      blocker->category = roast_table_reader_get_string (tasks, key);
      if (g_strcmp0 (roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER), lock->worker) != 0)
        continue;
      blocker->blocked += get_overlap (stretches, roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED),
                                       roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED));
    }
  for (guint i = 0; i < blockers->len; i++)
    {
      const Blocker *blocker = &g_array_index (blockers, Blocker, i);

      if (blocker->blocked < MOSTLY * lock->late || blocker->blocked <= most)
        continue;
      g_free (lock->category);
      lock->category = g_strdup (blocker->category);
      most = blocker->blocked;
    }
}

gboolean
findings_find_lock (Findings *self, FindingsLock *lock)
{
  *lock = (FindingsLock) { 0 };
  if (!find_late_worker (self, lock))
    return FALSE;
  find_blocker (self, lock);

  return TRUE;
}

void
findings_lock_clear (FindingsLock *lock)
{
  g_clear_pointer (&lock->worker, g_free);
  g_clear_pointer (&lock->category, g_free);
}

char *
findings_describe_lock (const FindingsLock *lock)
{
  g_autofree char *longest = findings_duration (lock->longest);

  if (lock->category == NULL)
    return g_strdup_printf ("the event loop of worker %s was blocked for up to %s at a time", lock->worker, longest);

  return g_strdup_printf ("the event loop of worker %s was blocked, for up to %s at a time, while tasks of category "
                          "“%s” ran there",
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
  if (lock->category != NULL)
    roast_finding_add_text (finding, "blocked_by", lock->category);
}
