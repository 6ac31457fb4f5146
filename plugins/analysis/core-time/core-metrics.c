/* SPDX-License-Identifier: BSD-3-Clause */

/* Add metrics that are computed from sums over the table core_time. */

#include "core-parts.h"
#include "core-time.h"
#include "coverage.h"

#define METRICS_NONE                                                                                                   \
  "no executor in this run has workers with a known number of cores, and the cores of the program's processes were "   \
  "not measured"

static void
add_ratio (RoastReport *report, const char *metric, const CoreParts *parts, double seconds)
{
  roast_report_add_double (report, metric, seconds / parts->offered, parts->completeness, parts->reason);
}

/* Add the metric for the share of idle time. If attempts are missing, all of their time counts as unknown, although
 * part of it may be idle; the ratio is then partial. In a process tree, all offered time except CPU time counts as
 * idle. If the CPU time is only a lower bound, the ratio is an estimate. */
static void
add_idle (RoastReport *report, const CoreParts *parts)
{
  double idle = core_parts_sum (parts, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK);

  roast_report_add_double (report, "slot_idle_ratio", idle / parts->offered,
                           parts->is_tree && parts->completeness == ROAST_COMPLETENESS_PARTIAL
                               ? ROAST_COMPLETENESS_ESTIMATED
                               : parts->completeness,
                           parts->reason);
}

/* Add the metric for the share of CPU time. If the CPU time of some tasks is unknown, the metric is partial, because
 * these tasks may have computed. */
static void
metrics_add_cpu (RoastReport *report, const CoreParts *parts)
{
  static const char metric[] = "slot_cpu_ratio";
  double cpu = parts->parts[ROAST_CORE_PART_TASK_CPU] + parts->parts[ROAST_CORE_PART_TASK_OTHER_THREADS] +
               parts->parts[ROAST_CORE_PART_FRAMEWORK_CPU];
  double known = cpu + parts->parts[ROAST_CORE_PART_TASK_WAIT] + parts->parts[ROAST_CORE_PART_FRAMEWORK_WAIT];

  if (parts->parts[ROAST_CORE_PART_TASK_UNSPLIT] + parts->parts[ROAST_CORE_PART_TASK_RUNNING] <= 0)
    add_ratio (report, metric, parts, cpu);
  else if (known <= 0)
    roast_report_add_unavailable (report, metric, "the CPU time of tasks was not measured");
  else
    roast_report_add_double (report, metric, cpu / parts->offered, ROAST_COMPLETENESS_PARTIAL,
                             "the CPU time of some tasks was not measured");
}

static void
add_extra (RoastReport *report, GPtrArray *sources, gboolean is_tree)
{
  double extra = 0;

  FOR_EACH_POINTER (const CoreSource, self, sources)
    extra += self->is_tree == is_tree ? self->extra : 0;
  roast_report_add_double (report, "extra_core_seconds", extra, ROAST_COMPLETENESS_ESTIMATED,
                           "other threads of workers may also have computed while slots were idle");
}

void
core_write_metrics (RoastRecordingSnapshot *recording, RoastReport *report, GPtrArray *sources)
{
  static const char *const metrics[] = { "slot_cpu_ratio", "slot_idle_ratio", "slot_lost_ratio", "extra_core_seconds" };
  g_auto (CoreParts) parts = { 0 };

  core_parts_init (&parts, recording, report);
  if (parts.offered <= 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
        roast_report_add_unavailable (report, metrics[i], METRICS_NONE);
      return;
    }
  if (parts.completeness == ROAST_COMPLETENESS_COMPLETE &&
      (parts.reason = coverage_dup_none (recording, ROAST_TABLE_WORKERS)) != NULL)
    parts.completeness = ROAST_COMPLETENESS_ESTIMATED;
  metrics_add_cpu (report, &parts);
  add_idle (report, &parts);
  add_ratio (report, "slot_lost_ratio", &parts,
             core_parts_sum (&parts, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_WORKER));
  add_extra (report, sources, parts.is_tree);
}
