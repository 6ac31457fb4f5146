/* SPDX-License-Identifier: BSD-3-Clause */

/* Divide the time of tasks by activity. For some activities, a worker reports only one sum for its whole life.
 * Distribute this sum among the stretches, in proportion to the time in each stretch that the activity can have
 * taken. */

#include "core-time.h"

#include <string.h>

/* mark a part of core_time as estimated if more than this share was moved to another part */
#define SPLIT_WORTH_A_NOTE 0.01

static double
sum_up (const double stretches[CORE_TIME_N_STRETCHES])
{
  double sum = 0;

  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    sum += stretches[i];

  return sum;
}

static double
split_get_share (double part, double whole)
{
  return whole > 0 ? fmin (fmax (part / whole, 0), 1) : 0;
}

/* Core-seconds in each stretch during which threads of tasks did not compute. */
typedef struct
{
  double task[CORE_TIME_N_STRETCHES], framework[CORE_TIME_N_STRETCHES];
} Rest;

static Rest
split_cpu (CoreSource *self, CoreWorker *worker)
{
  Rest rest;

  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      double *parts = self->parts[i];
      double cpu = fmin (worker->cpu[i][ROAST_ROLE_ANALYSIS], worker->task[i]);
      double framework = fmin (worker->cpu[i][ROAST_ROLE_FRAMEWORK], worker->framework[i]);
      double unused = fmin (worker->unused[i], worker->task[i] - cpu);

      parts[ROAST_CORE_PART_TASK_CPU] += cpu;
      parts[ROAST_CORE_PART_FRAMEWORK_CPU] += framework;
      parts[ROAST_CORE_PART_RESERVED_UNUSED] += unused;
      rest.task[i] = worker->task[i] - cpu - unused;
      rest.framework[i] = worker->framework[i] - framework;
    }

  return rest;
}

/* Divide the time during which the threads of tasks did not compute. Assume that in this time, other threads and child
 * processes computed for the tasks. Add CPU time that exceeds this time to CoreSource.extra. If the CPU time of other
 * threads is unknown, leave the time undivided. */
static void
split_rest (CoreSource *self, const CoreWorker *worker, const Rest *rest)
{
  double all = sum_up (rest->task);
  gboolean is_unknown = self->has_other_cpu && isnan (worker->other_cpu);
  double other_cpu = fmax (worker->other_cpu - worker->actor_cpu, 0);
  double others = is_unknown ? 0 : fmin (other_cpu, all);
  double share = split_get_share (others, all);

  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      double *parts = self->parts[i];

      parts[ROAST_CORE_PART_FRAMEWORK_WAIT] += rest->framework[i];
      if (is_unknown)
        {
          parts[ROAST_CORE_PART_TASK_UNSPLIT] += rest->task[i];
          continue;
        }
      parts[ROAST_CORE_PART_TASK_OTHER_THREADS] += share * rest->task[i];
      parts[ROAST_CORE_PART_TASK_WAIT] += rest->task[i] - share * rest->task[i];
    }
  if (others > 0)
    self->is_estimated[ROAST_CORE_PART_TASK_OTHER_THREADS] = self->is_estimated[ROAST_CORE_PART_TASK_WAIT] = TRUE;
  if (!isnan (worker->other_cpu))
    self->extra += other_cpu - others;
}

/* Move @seconds from idle parts to @part. Take them from all stretches in proportion to @free: the time in each stretch
 * during which slots seemed free. */
static void
take_from_idle (CoreSource *self, const double free[CORE_TIME_N_STRETCHES], double seconds, guint part)
{
  static const guint idle[] = { ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_INPUTS,
                                ROAST_CORE_PART_IDLE_UNDETERMINED, ROAST_CORE_PART_IDLE_NO_WORK,
                                ROAST_CORE_PART_MOVE_IN };
  double share = split_get_share (seconds, sum_up (free));

  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      double wanted = share * free[i];

      for (guint k = 0; k < G_N_ELEMENTS (idle); k++)
        {
          double taken = fmin (wanted, self->parts[i][idle[k]]);

          self->parts[i][idle[k]] -= taken;
          self->parts[i][part] += taken;
          wanted -= taken;
          if (taken > SPLIT_WORTH_A_NOTE * (self->parts[i][idle[k]] + taken))
            self->is_estimated[idle[k]] = TRUE;
        }
    }
  if (seconds > 0)
    self->is_estimated[part] = TRUE;
}

/* Split the time from the dispatch of an attempt to its delivery into two parts. The part in which the worker fetched
 * data counts as data transfer. In the other part, the attempt had not yet reached the worker, so this part counts as
 * idle because of the executor. */
static void
split_inputs (CoreSource *self, const CoreWorker *worker)
{
  double share = self->knows_fetch ? split_get_share (worker->fetch, sum_up (worker->inputs)) : 1;
  double serialise = split_get_share (worker->fetch_serialise, worker->fetch);

  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      double moving = share * worker->inputs[i];

      self->parts[i][ROAST_CORE_PART_TASK_SERIALISE] += serialise * moving;
      self->parts[i][ROAST_CORE_PART_MOVE_IN] += moving - serialise * moving;
      self->parts[i][ROAST_CORE_PART_IDLE_EXECUTOR] += worker->inputs[i] - moving;
    }
  if (share > 0 && (share < 1 || serialise > SPLIT_WORTH_A_NOTE))
    self->is_estimated[ROAST_CORE_PART_MOVE_IN] = TRUE;
  if (share > 0 && serialise > 0)
    self->is_estimated[ROAST_CORE_PART_TASK_SERIALISE] = TRUE;
}

/* Count part of the idle time as serializing results. A worker serializes whether or not its slots are busy. So assume
 * that it serialized evenly over all core time that it offered, and move only what falls into free time. Leave out
 * start-up, because there are no results before the first task. */
static void
split_serve (CoreSource *self, const CoreWorker *worker)
{
  double free[CORE_TIME_N_STRETCHES];
  double offered = sum_up (worker->offered) - worker->offered[ROAST_STRETCH_STARTUP];

  memcpy (free, worker->free, sizeof free);
  free[ROAST_STRETCH_STARTUP] = 0;
  take_from_idle (self, free, worker->serve_serialise * split_get_share (sum_up (free), offered),
                  ROAST_CORE_PART_TASK_SERIALISE);
}

/* Divide the time during which cancelled attempts without a known start may have run. Such an attempt may have
 * continued after the cancellation, because a thread cannot be stopped. Count the time that the worker reports for its
 * cancelled attempts as lost, and the remaining time as unknown. */
static void
split_cancelled (CoreSource *self, const CoreWorker *worker)
{
  double perhaps = sum_up (worker->perhaps);
  double seconds = fmax (worker->cancelled, 0);
  double share = split_get_share (seconds, perhaps);
  double rest = fmin (fmax (seconds - perhaps, 0), sum_up (worker->later));

  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      self->parts[i][ROAST_CORE_PART_LOST_CANCELLED] += share * worker->perhaps[i];
      self->parts[i][ROAST_CORE_PART_UNKNOWN] += worker->perhaps[i] - share * worker->perhaps[i];
    }
  if (perhaps > 0 && seconds > 0)
    self->has_cancelled = self->is_estimated[ROAST_CORE_PART_LOST_CANCELLED] = TRUE;
  take_from_idle (self, worker->later, rest, ROAST_CORE_PART_LOST_CANCELLED);
}

/* Count idle time as unknown: attempts without a row may have held slots that seem free, or run on library cores that
 * seem idle. */
static void
forget_idle (CoreSource *self)
{
  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    for (guint part = 0; part < ROAST_CORE_PART_N_WORDS; part++)
      if ((part >= ROAST_CORE_PART_IDLE_EXECUTOR && part <= ROAST_CORE_PART_IDLE_NO_WORK) ||
          part == ROAST_CORE_PART_LIBRARY_IDLE)
        {
          self->parts[i][ROAST_CORE_PART_UNKNOWN] += self->parts[i][part];
          self->parts[i][part] = 0;
        }
}

void
core_source_split (CoreSource *self)
{
  FOR_EACH (CoreWorker, worker, self->workers)
    {
      Rest rest = split_cpu (self, worker);

      split_rest (self, worker, &rest);
      split_inputs (self, worker);
      split_cancelled (self, worker);
      /* A worker serializes before the task's thread takes its slot, or after the thread released it, so take this time
       * from idle time. */
      take_from_idle (self, worker->free, worker->serialise, ROAST_CORE_PART_TASK_SERIALISE);
      split_serve (self, worker);
      take_from_idle (self, worker->free, worker->actor_cpu, ROAST_CORE_PART_TASK_CPU);
      take_from_idle (self, worker->free, worker->actor_wait, ROAST_CORE_PART_TASK_WAIT);
      take_from_idle (self, worker->free, worker->spill, ROAST_CORE_PART_TASK_SPILL);
    }
  if (self->has_missing)
    forget_idle (self);
}
