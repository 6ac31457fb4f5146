/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-end.h"

#include <math.h>
#include <signal.h>
#include <string.h>

/* Two values agree if they differ by less. */
#define SAME_SHARE 0.02
#define SAME_SECONDS 0.03 /* a few clock ticks */
#define SAME_BYTES (4 << 20)

/* If nothing reported the end of a worker, its process may have been observed to end. */
static void
read_cause (ActivityEnd *self, RoastTableReader *workers, const ProcessTwin *twin)
{
  self->cause = roast_table_reader_get_word (workers, ROAST_WORKERS_CAUSE);
  self->exit_code = roast_table_reader_get_int64 (workers, ROAST_WORKERS_EXIT_CODE, -1);
  self->signal = roast_table_reader_get_int64 (workers, ROAST_WORKERS_SIGNAL, -1);
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

/* The parent of a process sees a kill by the kernel for lack of memory only as a signal. */
static void
read_kill (ActivityEnd *self, GString *text, RoastTableReader *workers, const ProcessTwin *twin,
           const ActivityKills *kills)
{
  g_autofree char *why = NULL;

  if (self->cause != ROAST_WORKER_END_SIGNAL || self->signal != SIGKILL)
    return;
  switch (activity_kills_find (kills, workers, twin))
    {
    case ACTIVITY_KILL_OF_KERNEL:
      self->cause = ROAST_WORKER_END_MEMORY;
      return;
    case ACTIVITY_KILL_OF_PROGRAM:
      return;
    case ACTIVITY_KILL_UNKNOWN:
    default:
      why = activity_kills_dup_why (kills, twin);
      g_string_append_printf (text, "; %s", why);
    }
}

/* If the last data of a worker did not arrive, use the peak that was observed from outside. */
static void
read_memory (ActivityEnd *self, RoastTableReader *workers, ActivitySum *sum, const ProcessTwin *twin)
{
  self->memory_bound = roast_table_reader_get_word (workers, ROAST_WORKERS_MEMORY_PEAK_BOUND);
  sum->memory_peak = MAX (sum->memory_peak, roast_table_reader_get_int64 (workers, ROAST_WORKERS_MEMORY_PEAK, -1));
  if (twin == NULL || twin->memory_bound == ROAST_BOUND_AT_MOST || twin->memory_peak < MAX (sum->memory_peak, 0) ||
      (self->memory_bound >= 0 && self->memory_bound != ROAST_BOUND_AT_LEAST))
    return;
  sum->memory_peak = twin->memory_peak;
  self->memory_bound = twin->memory_bound == ROAST_BOUND_EXACT ? ROAST_BOUND_EXACT : ROAST_BOUND_AT_LEAST;
}

static gboolean
differ (double a, double b, double least)
{
  return fabs (a - b) > fmax (SAME_SHARE * fmax (a, b), least);
}

static void
compare_cpu (GString *text, const ActivitySum *sum, const ProcessTwin *twin)
{
  double own = activity_sum_get_own_cpu (sum);

  /* If the process is older than the measurement, the two times cover different periods. */
  if (!(sum->process[ACTIVITY_PROCESS_STARTUP] > 0) || !differ (own, twin->cpu, SAME_SECONDS))
    return;
  g_string_append_printf (text, "; the table of processes has %.2f s of CPU time for it, not %.2f s: %s", twin->cpu,
                          own,
                          twin->cpu > own ? "it continued after its last data" : "the last sample was before its end");
}

static void
compare_memory (GString *text, RoastTableReader *workers, const ActivitySum *sum, const ProcessTwin *twin)
{
  double peak = (double) sum->memory_peak;

  if (sum->memory_peak < 0 || twin->memory_peak < 0 || !differ (peak, (double) twin->memory_peak, SAME_BYTES))
    return;
  g_string_append_printf (text, "; the table of processes has a peak memory of %.0f MiB, not %.0f MiB: %s",
                          (double) twin->memory_peak / (1 << 20), peak / (1 << 20),
                          twin->memory_bound == ROAST_BOUND_AT_MOST ? "that may date from before an exec"
                          : twin->memory_peak > sum->memory_peak    ? "it rose after its last data"
                                                                    : "the last sample was before it rose");
}

void
activity_end_init (ActivityEnd *self, RoastTableReader *workers, ActivitySum *sum, const ProcessTwin *twin,
                   const ActivityKills *kills)
{
  const char *missing = roast_table_reader_get_string (workers, ROAST_WORKERS_MISSING);
  gboolean is_shared = roast_table_reader_get_word (workers, ROAST_WORKERS_MEMORY_PEAK_BOUND) == ROAST_BOUND_AT_MOST;
  g_autoptr (GString) text = g_string_new (missing != NULL ? "; " : NULL);

  if (missing != NULL)
    g_string_append (text, missing);
  read_cause (self, workers, twin);
  read_kill (self, text, workers, twin, kills);
  read_memory (self, workers, sum, twin);
  /* Skip a process of several workers, and one from before the measurement: the text mentions these already. */
  if (twin != NULL && !is_shared)
    {
      compare_cpu (text, sum, twin);
      compare_memory (text, workers, sum, twin);
    }
  self->missing = *text->str != '\0' ? g_strdup (text->str + strlen ("; ")) : NULL;
}

void
activity_end_clear (ActivityEnd *self)
{
  g_clear_pointer (&self->missing, g_free);
}
