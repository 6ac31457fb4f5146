/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-shutdown.h"

#include <math.h>

#include "notes.h"

#define TICK 0.01 /* s: unit in which the kernel counts a process's CPU time */

/* Return whether the process ended with the worker and was measured as this worker's alone. */
static gboolean
ended_with_process (RoastTableReader *workers)
{
  return roast_table_reader_has (workers, ROAST_WORKERS_CAUSE) &&
         roast_table_reader_get_int64 (workers, ROAST_WORKERS_PROCESS_WORKERS, 1) == 1;
}

/* A process older than the measurement has no start-up. In a younger one, an upper bound of the peak memory shows that
 * the process is shared. */
static gboolean
is_shared (RoastTableReader *workers, gboolean is_older)
{
  return !is_older && roast_table_reader_get_word (workers, ROAST_WORKERS_MEMORY_PEAK_BOUND) == ROAST_BOUND_AT_MOST;
}

static double
add_end (ActivityShutdown *self, RoastTableReader *workers, const ActivitySum *sum, const ProcessTwin *twin)
{
  gboolean is_older = !(sum->process[ACTIVITY_PROCESS_STARTUP] > 0);
  double cpu;

  if (!sum->has_process || !ended_with_process (workers) || is_shared (workers, is_older))
    return NAN;
  self->n++;
  if (twin == NULL || is_older || !isfinite (twin->cpu))
    {
      self->n_unobserved++;
      return NAN;
    }
  cpu = twin->cpu - activity_sum_get_own_cpu (sum);
  self->difference += cpu;
  self->is_vague |= !twin->is_final;
  cpu = fmax (cpu, 0);
  self->cpu += cpu;

  return cpu;
}

double
activity_shutdown_add (ActivityShutdown *self, RoastTableReader *workers, const ActivitySum *sum,
                       const ProcessTwin *twin)
{
  double cpu = add_end (self, workers, sum, twin);

  if (roast_table_reader_get_int64 (workers, ROAST_WORKERS_COMPUTING, 0) > 0)
    {
      self->n_computing++;
      self->n_computing_unobserved += isnan (cpu);
      self->computing_cpu += isnan (cpu) ? 0 : cpu;
    }

  return cpu;
}

/* Return an upper bound of the CPU time that processes used after their last samples. */
static double
get_rest (const ActivityShutdown *self, ProcessTwins *twins)
{
  return self->is_vague ? self->difference + process_twins_sum_rest (twins) - self->cpu : 0;
}

char *
activity_shutdown_dup_computing_note (const ActivityShutdown *self, ProcessTwins *twins)
{
  g_autofree char *most = NULL;

  if (self->n_computing == 0)
    return NULL;
  if (self->n_computing_unobserved > 0)
    most = g_strdup ("for an unknown time, because nothing observed their processes from outside");
  else
    most = g_strdup_printf ("at most %.2f s more", self->computing_cpu + fmax (get_rest (self, twins), 0));

  return g_strdup_printf ("tasks still computed in %u %s after the last data: %s", self->n_computing,
                          self->n_computing == 1 ? "worker" : "workers", most);
}

char *
activity_shutdown_dup_note (const ActivityShutdown *self, ProcessTwins *twins)
{
  double more = get_rest (self, twins);
  g_autofree char *unobserved = NULL;
  g_autofree char *vague = NULL;

  if (self->n_unobserved > 0)
    unobserved = g_strdup_printf ("CPU time after the last data unknown for %u of %u workers: nothing observed their "
                                  "processes from outside",
                                  self->n_unobserved, self->n);
  if (more >= TICK)
    vague = g_strdup_printf ("workers used at most %.2f s more after the last sample of their processes", more);

  return notes_join (unobserved, vague);
}
