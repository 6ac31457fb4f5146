/* SPDX-License-Identifier: BSD-3-Clause */

/* CPU time of the processes of workers, and what used it. */

#include <math.h>

#include "activity-report.h"
#include "notes.h"

static const char *const metrics[ACTIVITY_PROCESS_N] = {
  [ACTIVITY_PROCESS_STARTUP] = "worker_startup_cpu_seconds",
  [ACTIVITY_PROCESS_EVENT_LOOP] = "worker_event_loop_cpu_seconds",
  [ACTIVITY_PROCESS_TASK_THREADS] = "worker_task_threads_cpu_seconds",
  [ACTIVITY_PROCESS_OTHER_THREADS] = "worker_other_threads_cpu_seconds",
  [ACTIVITY_PROCESS_CHILDREN] = "worker_children_cpu_seconds",
};

static char *
dup_note (ActivityReport *self, guint n, guint n_unknown)
{
  g_autofree char *unknown = NULL;

  if (n_unknown == 0)
    return g_strdup (self->process_note);
  unknown = g_strdup_printf ("CPU time unknown for %u of %u workers", n_unknown, n);

  return notes_join (self->process_note, unknown);
}

static void
add_shutdown (ActivityReport *self, const ActivityShutdown *shutdown, const char *note)
{
  static const char metric[] = "worker_shutdown_cpu_seconds";

  if (shutdown->n == 0)
    roast_report_add_unavailable (self->report, metric, "no worker process that ended had reported its CPU time");
  else if (shutdown->n_unobserved == shutdown->n)
    roast_report_add_unavailable (self->report, metric, note);
  else
    activity_report_add (self, metric, shutdown->cpu, note, NULL);
}

void
activity_report_add_processes (ActivityReport *self, const double parts[ACTIVITY_PROCESS_N], guint n, guint n_unknown,
                               const ActivityShutdown *shutdown, const char *computing_note, const char *shutdown_note)
{
  static const char none[] = "no worker reported the CPU time of its process";
  g_autofree char *note = dup_note (self, n, n_unknown);
  g_autofree char *tasks_note = notes_join (note, computing_note);
  g_autofree char *sum_note = notes_join (note, shutdown_note);
  gboolean is_known = n > n_unknown;
  double sum = shutdown->cpu;

  for (guint i = 0; i < ACTIVITY_PROCESS_N; i++)
    {
      sum += parts[i];
      activity_report_add (self, metrics[i], is_known ? parts[i] : NAN,
                           i == ACTIVITY_PROCESS_TASK_THREADS ? tasks_note : note, none);
    }
  activity_report_add (self, "worker_cpu_seconds", is_known ? sum : NAN, sum_note, none);
  add_shutdown (self, shutdown, shutdown_note);
}
