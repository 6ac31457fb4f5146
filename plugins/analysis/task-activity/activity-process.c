/* SPDX-License-Identifier: BSD-3-Clause */

/* Report how complete the CPU time of workers' processes is, for each activity. */

#include "activity-report.h"
#include "notes.h"
#include "report-coverage.h"

/* Metrics with a common note. The metric of task threads has its own note. */
static const char *const metrics[] = { "worker_startup_cpu_seconds", "worker_event_loop_cpu_seconds",
                                       "worker_other_threads_cpu_seconds", "worker_children_cpu_seconds", NULL };

static char *
process_dup_note (ActivityReport *self, guint n, guint n_unknown)
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
  report_coverage_add_metric (self->report, "worker_shutdown_cpu_seconds",
                              shutdown->n_unobserved == shutdown->n ? ROAST_COMPLETENESS_UNAVAILABLE
                                                                    : ROAST_COMPLETENESS_PARTIAL,
                              note);
}

void
activity_report_add_processes (ActivityReport *self, guint n, guint n_unknown, const ActivityShutdown *shutdown,
                               const char *computing_note, const char *shutdown_note)
{
  static const char none[] = "no worker reported the CPU time of its process";
  g_autofree char *note = process_dup_note (self, n, n_unknown);
  g_autofree char *tasks_note = notes_join (note, computing_note);
  g_autofree char *sum_note = notes_join (note, shutdown_note);
  RoastCompleteness otherwise = n > n_unknown ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_UNAVAILABLE;
  gboolean is_known = n > n_unknown;

  report_coverage_add_metrics (self->report, metrics, otherwise, is_known ? note : none);
  report_coverage_add_metric (self->report, "worker_task_threads_cpu_seconds", otherwise, is_known ? tasks_note : none);
  report_coverage_add_metric (self->report, "worker_cpu_seconds", otherwise, is_known ? sum_note : none);
  if (shutdown->n > 0)
    add_shutdown (self, shutdown, shutdown_note);
}
