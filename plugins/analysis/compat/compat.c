/* SPDX-License-Identifier: BSD-3-Clause */

/* The metrics of roastcoffea whose definition is not roast's: the old formula on the tables of a recording. */

#include "compat.h"
#include "analysis.h"
#include "compat-tables.h"

static const char *const required[] = {
  "elapsed_time_seconds",           "events_total",
  "event_rate_elapsed_per_second",  "chunks_total",
  "processor_cpu_time_seconds",     "processor_wait_time_seconds",
  "processor_unsplit_time_seconds", "overhead_wait_time_seconds",
  "overhead_unsplit_time_seconds",  NULL,
};

static RoastMetric *
get_lacking (RoastReport *report, const char *const *names)
{
  for (; *names != NULL; names++)
    {
      RoastMetric *metric = roast_report_lookup (report, *names);

      if (metric == NULL || !roast_metric_is_available (metric))
        return metric;
    }

  return NULL;
}

/* The sum of two metrics, as complete as the less complete of the two. */
static void
add_sum (RoastReport *report, const char *name, const char *first, const char *second)
{
  const char *names[] = { first, second, NULL };
  RoastMetric *a = roast_report_lookup (report, first);
  RoastMetric *b = roast_report_lookup (report, second);
  RoastMetric *lacking = get_lacking (report, names);
  RoastMetric *worse = NULL;

  if (a == NULL || b == NULL || lacking != NULL)
    {
      roast_report_add_unavailable (report, name,
                                    lacking != NULL ? roast_metric_get_reason (lacking)
                                                    : "no aggregator computes the time that tasks waited");
      return;
    }
  worse = roast_metric_get_completeness (a) != ROAST_COMPLETENESS_COMPLETE ? a : b;
  roast_report_add_double (report, name, roast_metric_get_double (a) + roast_metric_get_double (b),
                           roast_metric_get_completeness (worse), roast_metric_get_note (worse));
}

/* Its share of it and the CPU time together. */
static void
add_wait_share (RoastReport *report)
{
  RoastMetric *wait = roast_report_lookup (report, "processor_io_wait_time_seconds");
  RoastMetric *cpu = roast_report_lookup (report, "processor_cpu_time_seconds");
  const char *names[] = { "processor_io_wait_time_seconds", "processor_cpu_time_seconds", NULL };
  RoastMetric *lacking = get_lacking (report, names);
  double all = 0;

  if (wait == NULL || cpu == NULL || lacking != NULL)
    {
      roast_report_add_unavailable (report, "processor_io_wait_ratio",
                                    lacking != NULL ? roast_metric_get_reason (lacking)
                                                    : "no aggregator computes the CPU time of tasks");
      return;
    }
  all = roast_metric_get_double (wait) + roast_metric_get_double (cpu);
  if (all > 0)
    roast_report_add_double (report, "processor_io_wait_ratio", roast_metric_get_double (wait) / all,
                             roast_metric_get_completeness (wait), roast_metric_get_note (wait));
  else
    roast_report_add_unavailable (report, "processor_io_wait_ratio", "tasks of the analysis took no time");
}

static gboolean
compat_aggregate (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  static const struct
  {
    const char *name, *numerator, *denominator;
  } ratios[] = {
    { "avg_cpu_time_per_chunk", "total_cpu_time", "chunks_total" },
    { "speedup_factor", "total_cpu_time", "elapsed_time_seconds" },
    { "core_efficiency", "speedup_factor", "total_cores" },
    { "event_rate_total_cpu_per_second", "events_total", "total_cpu_time" },
    { "event_rate_total_cores_per_second", "event_rate_elapsed_per_second", "total_cores" },
    { "io_overhead", "processor_io_wait_time_seconds", "elapsed_time_seconds" },
  };

  compat_add_workers (recording, report);
  compat_add_chunks (recording, report);
  add_sum (report, "processor_io_wait_time_seconds", "processor_wait_time_seconds", "processor_unsplit_time_seconds");
  add_sum (report, "overhead_io_wait_time_seconds", "overhead_wait_time_seconds", "overhead_unsplit_time_seconds");
  add_wait_share (report);
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
    roast_report_add_ratio (report, ratios[i].name, ratios[i].numerator, ratios[i].denominator, 1);

  return TRUE;
}

const Analysis analysis_compat = { "compat", compat_aggregate, compat_metrics, required };
