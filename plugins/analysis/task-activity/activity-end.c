/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-end.h"

#include <math.h>
#include <signal.h>
#include <string.h>

/* Two values agree if their difference is smaller than one of these limits. */
#define END_SAME_SHARE 0.02
#define END_SAME_SECONDS 0.03 /* a few clock ticks */
#define SAME_BYTES (4 << 20)

/* Read how a worker ended. If the executor lost the worker without reporting its end, use the exit code or signal of
 * its process. */
static void
read_cause (ActivityEnd *self, const RoastRunWorker *worker, const RoastRunProcess *twin)
{
  self->cause = worker->cause;
  self->exit_code = worker->exit_code;
  self->signal = worker->signal;
  if (self->cause != ROAST_WORKER_END_LOST || twin == NULL)
    return;
  if (twin->signal > 0)
    {
      self->cause = ROAST_WORKER_END_SIGNAL;
      self->signal = twin->signal;
    }
  else if (twin->exit_code > 0)
    {
      self->cause = ROAST_WORKER_END_EXITED;
      self->exit_code = twin->exit_code;
    }
}

/* Find out whether the kernel sent a SIGKILL because memory ran out. The parent of a process sees only the signal, not
 * its sender. */
static void
read_kill (ActivityEnd *self, GString *text, const RoastRunWorker *worker, const ActivityKills *kills)
{
  g_autofree char *why = NULL;

  if (self->cause != ROAST_WORKER_END_SIGNAL || self->signal != SIGKILL)
    return;
  switch (activity_kills_find (kills, worker))
    {
    case ACTIVITY_KILL_OF_KERNEL:
      self->cause = ROAST_WORKER_END_MEMORY;
      return;
    case ACTIVITY_KILL_OF_PROGRAM:
      return;
    case ACTIVITY_KILL_UNKNOWN:
    default:
      why = activity_kills_dup_why (kills, worker);
      g_string_append_printf (text, "; %s", why);
    }
}

/* Read the peak memory of a worker. If the worker's last data did not arrive, use the peak of its process that was
 * observed from outside, provided that this is higher. */
static void
read_memory (ActivityEnd *self, const RoastRunWorker *worker, ActivitySum *sum, const RoastRunProcess *twin)
{
  self->memory_bound = worker->memory_peak_bound;
  sum->memory_peak = MAX (sum->memory_peak, worker->memory_peak);
  if (twin == NULL || twin->memory_peak_bound == ROAST_BOUND_AT_MOST || twin->memory_peak < MAX (sum->memory_peak, 0) ||
      (self->memory_bound >= 0 && self->memory_bound != ROAST_BOUND_AT_LEAST))
    return;
  sum->memory_peak = twin->memory_peak;
  self->memory_bound = twin->memory_peak_bound == ROAST_BOUND_EXACT ? ROAST_BOUND_EXACT : ROAST_BOUND_AT_LEAST;
}

static gboolean
differ (double a, double b, double least)
{
  return fabs (a - b) > fmax (END_SAME_SHARE * fmax (a, b), least);
}

static void
compare_cpu (GString *text, const ActivitySum *sum, const RoastRunProcess *twin)
{
  double own = activity_sum_get_own_cpu (sum);

  /* Skip a process that is older than the measurement, because its CPU time and that of the worker cover different
   * periods. */
  if (!(sum->process[ACTIVITY_PROCESS_STARTUP] > 0) || !differ (own, twin->cpu, END_SAME_SECONDS))
    return;
  g_string_append_printf (text, "; the table of processes has %.2f s of CPU time for this worker, not %.2f s: %s",
                          twin->cpu, own,
                          twin->cpu > own ? "the worker continued after sending its last data"
                                          : "the last sample was taken before the end of the worker");
}

static void
compare_memory (GString *text, const ActivitySum *sum, const RoastRunProcess *twin)
{
  double peak = (double) sum->memory_peak;

  if (sum->memory_peak < 0 || twin->memory_peak < 0 || !differ (peak, (double) twin->memory_peak, SAME_BYTES))
    return;
  g_string_append_printf (text, "; the table of processes has a peak memory of %.0f MiB, not %.0f MiB: %s",
                          (double) twin->memory_peak / (1 << 20), peak / (1 << 20),
                          twin->memory_peak_bound == ROAST_BOUND_AT_MOST
                              ? "the larger value may date from before an exec"
                          : twin->memory_peak > sum->memory_peak ? "the memory rose after the worker sent its last data"
                                                                 : "the last sample was taken before the memory rose");
}

void
activity_end_init (ActivityEnd *self, const RoastRunWorker *worker, ActivitySum *sum, const ActivityKills *kills)
{
  const RoastRunProcess *twin = roast_run_worker_get_process (worker);
  gboolean is_shared = worker->memory_peak_bound == ROAST_BOUND_AT_MOST;
  g_autoptr (GString) text = g_string_new (worker->missing != NULL ? "; " : NULL);

  if (worker->missing != NULL)
    g_string_append (text, worker->missing);
  read_cause (self, worker, twin);
  read_kill (self, text, worker, kills);
  read_memory (self, worker, sum, twin);
  /* Skip a process that several workers share, or that is older than the measurement, because the text already mentions
   * both. */
  if (twin != NULL && !is_shared)
    {
      compare_cpu (text, sum, twin);
      compare_memory (text, sum, twin);
    }
  self->missing = *text->str != '\0' ? g_strdup (text->str + strlen ("; ")) : NULL;
}

void
activity_end_clear (ActivityEnd *self)
{
  g_clear_pointer (&self->missing, g_free);
}
